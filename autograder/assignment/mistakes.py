"""Known mistakes: one wrong function with the tutor's words each.

An assignment's `mistakes.py` declares them. The reference in which a step is replaced by the wrong function is what a
student with that mistake would have written, so its observation names the mistake wherever it is made. A wrong
function that returns something changes nothing that it is given: many runs share it.

    @mistake("scale_scores", says="The scores came back as they went in.", look="...")
    def not_scaled(scores, d_k):
        return scores
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from autograder.assignment.checks import VALUE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping


@dataclass(frozen=True)
class Mistake:
    """A known mistake.

    Attributes:
        name: the wrong function's name.
        step: the step that it is made in, or the function of `restated.py`.
        says: what was seen and what it means, for the student.
        look: where to look.
        shows_in: the criterion that gives it away; a draw in which it does not show there is drawn again.
        also: what else is replaced, by name, where one function does not make the mistake.
        same_as: another mistake that is the same in effect, here or in another step; either name is right.
    """

    name: str
    step: str
    says: str
    look: str
    shows_in: str
    replacement: Any
    also: Mapping[str, Any] = field(default_factory=dict)
    same_as: str = ""

    @property
    def replaced(self) -> dict[str, Any]:
        """What stands in the reference's place, by name."""
        return {self.step: self.replacement, **self.also}


_ATTRIBUTE = "mistake"


def mistake(
    step: str,
    *,
    says: str,
    look: str,
    shows_in: str = VALUE,
    also: Mapping[str, Any] | None = None,
    same_as: str = "",
) -> Callable[[Any], Any]:
    """Declare a function or class as what a student with this mistake writes for `step`."""

    def declare(replacement: Any) -> Any:
        name = replacement.__name__
        found = Mistake(name, step, says, look, shows_in, replacement, also or {}, same_as)
        setattr(replacement, _ATTRIBUTE, found)
        return replacement

    return declare


def mistakes_of(things: Iterable[object]) -> tuple[Mistake, ...]:
    """The mistakes among `things`, in their order."""
    found = (getattr(thing, "__dict__", {}).get(_ATTRIBUTE) for thing in things)
    return tuple(thing for thing in found if isinstance(thing, Mistake))
