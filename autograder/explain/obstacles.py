"""Explain why a probe could not use the object that the student's class made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.explain.class_slips import (
    argument_not_passed_on,
    attribute_not_there,
    made_in_the_class,
    sizes_as_numbers,
)
from autograder.explain.rules import Finding, finding, guess
from autograder.explain.slips import trailing_comma
from autograder.explain.wording import a
from autograder.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograder.explain.student_code import Definition
    from autograder.results import Obstacle

_SEEN = {
    Reason.NO_ATTRIBUTE: "`{seen}` has no attribute `{name}`.",
    Reason.NO_MATRIX: "`{name}` is {a_seen}; a matrix of weights was expected.",
    Reason.NO_LAYER: "`{name}` is {a_seen}; a layer (nn.Linear) was expected.",
    Reason.NO_BIAS: "`{name}` has no bias, but one was asked for.",
    Reason.NO_MODULE: "`{name}` is not an nn.Module, so it registers no parameters.",
    Reason.COMPILED_MODULE: "This is a compiled module; hand in the class itself, without `torch.compile`.",
    Reason.OTHER_SIZES: "`{name}` has shape {seen}; {wanted} was expected.",
    Reason.OTHER_OUTPUT_SHAPE: "The output has shape {seen}.",
}
_KEYS = {
    Reason.NO_ATTRIBUTE: "not_stored_on_self",
    Reason.NO_BIAS: "bias_not_passed_on",
    Reason.NO_MODULE: "no_module",
}


def obstacle_words(obstacle: Obstacle) -> str:
    """Describe the obstacle in a sentence."""
    seen, wanted = str(obstacle.seen), obstacle.wanted
    words = _SEEN[obstacle.reason]
    return words.format(name=obstacle.name, seen=seen, a_seen=a(seen), wanted=wanted)


def read_obstacle(
    obstacle: Obstacle, definition: Definition | None = None, asked_for: Sequence[str] = ()
) -> Finding | None:
    """Explain the obstacle, from the student's class if that shows the cause; None if its description says enough.

    Args:
        definition: the student's class.
        asked_for: the attributes that the step asks for.
    """
    if definition is not None and (found := _of_the_class(obstacle, definition, asked_for)):
        return found
    two = len(obstacle.wanted) == 2  # noqa: PLR2004 - rows and columns
    if obstacle.reason is Reason.OTHER_SIZES and two and obstacle.seen == obstacle.wanted[::-1]:
        return finding("matrix_on_its_side", name=obstacle.name)
    if obstacle.reason is Reason.OTHER_SIZES:
        return guess("other_sizes", name=obstacle.name)
    key = _KEYS.get(obstacle.reason)
    return finding(key, name=obstacle.name) if key else None


def _of_the_class(
    obstacle: Obstacle, definition: Definition, asked_for: Sequence[str]
) -> Finding | None:
    name = obstacle.name
    match obstacle.reason:
        case Reason.NO_ATTRIBUTE:
            return attribute_not_there(definition, name, asked_for)
        case Reason.NO_MATRIX | Reason.NO_LAYER:
            return trailing_comma(definition, name)
        case Reason.OTHER_SIZES:
            return made_in_the_class(definition, name) or sizes_as_numbers(definition, name)
        case Reason.NO_BIAS:
            return argument_not_passed_on(definition, name)
    return None
