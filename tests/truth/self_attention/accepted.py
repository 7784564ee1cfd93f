"""Submissions that must earn full marks, one step written in another way in each."""

from tests.truth.self_attention.accepted_classes import ACCEPTED_CLASSES
from tests.truth.self_attention.accepted_constructors import ACCEPTED_CONSTRUCTORS
from tests.truth.self_attention.accepted_functions import ACCEPTED_FUNCTIONS
from tests.truth.self_attention.accepted_unusual import ACCEPTED_UNUSUAL
from tests.truth.variant import Variant

ACCEPTED: tuple[Variant, ...] = (
    *ACCEPTED_FUNCTIONS,
    *ACCEPTED_CLASSES,
    *ACCEPTED_CONSTRUCTORS,
    *ACCEPTED_UNUSUAL,
)
