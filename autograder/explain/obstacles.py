"""Explain why a probe could not use the object that the student's class made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.reasons import Reason

if TYPE_CHECKING:
    from autograder.results import Obstacle


@dataclass(frozen=True)
class KnownObstacle:
    """The explanation of an obstacle. {name} is the obstacle's attribute or class.

    Attributes:
        name: its name in results.
        sure: there is no other possible cause.
    """

    name: str
    says: str
    look: str
    sure: bool = True


_SEEN = {
    Reason.NO_ATTRIBUTE: "`{seen}` has no attribute `{name}`.",
    Reason.NO_MATRIX: "`{name}` is {article} {seen}; a matrix of weights was expected.",
    Reason.NO_LAYER: "`{name}` is {article} {seen}; a layer (nn.Linear) was expected.",
    Reason.NO_BIAS: "`{name}` has no bias, but one was asked for.",
    Reason.NO_MODULE: "`{name}` is not an nn.Module, so it registers no parameters.",
    Reason.COMPILED_MODULE: "This is a compiled module; hand in the class itself, without `torch.compile`.",
    Reason.OTHER_SIZES: "`{name}` has shape {seen}; {wanted} was expected.",
    Reason.OTHER_OUTPUT_SHAPE: "The output has shape {seen}.",
}

_KNOWN = {
    Reason.NO_ATTRIBUTE: KnownObstacle(
        "not_stored_on_self",
        "After `__init__` the object has no attribute of this name. Perhaps it is a plain variable of `__init__`, an "
        "element of a list, or made in `forward` only.",
        "`__init__`: `self.{name} = ...` stores it.",
    ),
    Reason.OTHER_SIZES: KnownObstacle(
        "other_sizes",
        "Perhaps a size is written into the code as a number.",
        "The line that makes `{name}`: do both sizes come from the arguments of `__init__`?",
        sure=False,
    ),
    Reason.NO_BIAS: KnownObstacle(
        "bias_not_passed_on",
        "An argument asked for a bias, and the layer was made without one.",
        "The line that makes `{name}`: which value does the argument `bias` of nn.Linear get?",
    ),
    Reason.NO_MODULE: KnownObstacle(
        "no_module",
        "Only an nn.Module has `parameters()` and can be trained.",
        "The first line of the class: `class {name}(nn.Module)`.",
    ),
}
_ON_ITS_SIDE = KnownObstacle(
    "matrix_on_its_side",
    "The two sizes are exchanged: the matrix is transposed.",
    "The order of the sizes where `{name}` is made. (nn.Linear takes the size of its input first.)",
)
KNOWN_OBSTACLES = (*_KNOWN.values(), _ON_ITS_SIDE)


def obstacle_words(obstacle: Obstacle) -> str:
    """Describe the obstacle in a sentence."""
    seen = str(obstacle.seen)
    article = "an" if seen[:1].lower() in "aeiou" else "a"
    words = _SEEN[obstacle.reason]
    return words.format(name=obstacle.name, seen=seen, wanted=obstacle.wanted, article=article)


def read_obstacle(obstacle: Obstacle) -> KnownObstacle | None:
    """Explain the obstacle; return None if its description says enough."""
    two = len(obstacle.wanted) == 2  # noqa: PLR2004 - rows and columns
    if obstacle.reason is Reason.OTHER_SIZES and two and obstacle.seen == obstacle.wanted[::-1]:
        return _ON_ITS_SIDE
    return _KNOWN.get(obstacle.reason)
