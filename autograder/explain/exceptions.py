"""Explain an exception: the first line against the release, a name that is not there, the operation that raised."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.explain.missing_names import read_missing_name
from autograder.explain.operation import read_operation
from autograder.explain.signatures import read_signature

if TYPE_CHECKING:
    from autograder.explain.raised import Raised
    from autograder.explain.rules import Finding


def read_error(raised: Raised) -> Finding | None:
    """Explain an exception; return None if its message says all that is known."""
    return read_signature(raised) or read_missing_name(raised) or read_operation(raised)
