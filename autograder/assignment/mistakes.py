"""Known mistakes: each one is a wrong function with the tutor's feedback.

An assignment's `mistakes.py` declares the mistakes. The grader replaces a step of the reference
with the wrong function. The result is what a student with this mistake gets, so an equal result
identifies the mistake. A wrong function that returns a value must not modify its arguments: many
runs share them.

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
        step: the step with the mistake, or a function of `restated.py`.
        says: feedback for the student: what was observed, and what it means.
        look: a hint where to look.
        shows_in: the criterion that detects the mistake. If drawn inputs do not show the mistake
            there, new inputs are drawn.
        also: further replacements by name, if one wrong function is not enough for the mistake.
        same_as: another mistake with the same effect, in any step. Either name is right.
        carried: whether a later step that repeats the mistake keeps a part of its points. False for
            what replaces the whole computation, such as a constant.
        written: what code with this mistake may look like: patterns of Python expressions, each with
            a sentence that may quote the student's own text as {code}. A sentence is shown only if
            its pattern is in the student's code.
    """

    name: str
    step: str
    says: str
    look: str
    shows_in: str
    replacement: Any
    also: Mapping[str, Any] = field(default_factory=dict)
    same_as: str = ""
    carried: bool = True
    written: Mapping[str, str] = field(default_factory=dict)

    @property
    def replaced(self) -> dict[str, Any]:
        """Return everything that replaces a part of the reference, by name."""
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
    carried: bool = True,
    written: Mapping[str, str] | None = None,
) -> Callable[[Any], Any]:
    """Declare a function or class as `step` with this mistake."""

    def declare(replacement: Any) -> Any:
        name = replacement.__name__
        declared = Mistake(
            name,
            step,
            says,
            look,
            shows_in,
            replacement,
            also or {},
            same_as,
            carried,
            written or {},
        )
        setattr(replacement, _ATTRIBUTE, declared)
        return replacement

    return declare


def mistakes_of(declarations: Iterable[object]) -> tuple[Mistake, ...]:
    """Return the mistakes among `things`, in order."""
    attributes = (
        getattr(declaration, "__dict__", {}).get(_ATTRIBUTE) for declaration in declarations
    )
    return tuple(mistake for mistake in attributes if isinstance(mistake, Mistake))
