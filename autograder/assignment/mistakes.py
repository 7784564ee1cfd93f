"""Known mistakes: each one is a wrong function with the tutor's feedback.

An assignment's `mistakes.py` declares the mistakes. The grader replaces a step of the reference
with the wrong function. The result is what a student with this mistake gets, so an equal result
identifies the mistake. A wrong function that returns a value must not modify its arguments: many
runs share them.

    @mistake("scale_scores", says="The scores came back as they went in.", look="...")
    def not_scaled(scores, d_k):
        return scores

A mistake of several assignments is declared once, in `families.py` beside their folders:

    @shared_mistake(says="The scores were divided by half of d_k.", look="...")
    def divided_by_half_of_d_k(scores, d_k):
        return scores / (d_k / 2)

and each `mistakes.py` says in which of its steps it is made:

    divided_by_half_of_d_k = families.divided_by_half_of_d_k("scale_scores")
"""

from __future__ import annotations

import functools
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from autograder.assignment.checks import VALUE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True)
class Mistake:
    """A known mistake.

    Attributes:
        name: the wrong function's name in `mistakes.py`.
        step: the step with the mistake, or a function of `restated.py`.
        says: feedback for the student: what was observed, and what it means.
        look: a hint where to look.
        shows_in: the criterion that detects the mistake. If drawn inputs do not show the mistake
            there, new inputs are drawn.
        also: further replacements by name, if one wrong function is not enough for the mistake.
        task_of: the step whose task is done in a wrong way, if `step` does it among others: a class, or a function of
            `restated.py`. Made there, the mistake counts as one of this step.
        same_as: another mistake with the same effect, in any step. Either name is right.
        inside: what is said, and where to look, if another step shows the mistake: a class, or a function that does
            what this step does in lines of its own. Empty if the words above are right there, too.
    """

    name: str
    step: str
    replacement: Any
    _: KW_ONLY
    says: str
    look: str
    shows_in: str = VALUE
    also: Mapping[str, Any] = field(default_factory=dict)
    task_of: str = ""
    same_as: str = ""
    inside: tuple[str, ...] = ()

    @property
    def task(self) -> str:
        """The step that the mistake is one of."""
        return self.task_of or self.step

    @property
    def replaced(self) -> dict[str, Any]:
        """Return everything that replaces a part of the reference, by name."""
        return {self.step: self.replacement, **self.also}


_ATTRIBUTE = "mistake"


def mistake(step: str, *, says: str, look: str, **about: Any) -> Callable[[Any], Any]:
    """Declare a function or class as `step` with this mistake. `about` are the further attributes of a `Mistake`."""

    def declare(replacement: Any) -> Any:
        told = {"says": says, "look": look, **about}
        setattr(replacement, _ATTRIBUTE, Mistake(replacement.__name__, step, replacement, **told))
        return replacement

    return declare


@dataclass(frozen=True)
class SharedMistake:
    """A mistake of several assignments, in no step yet. `shared_mistake` declares it.

    Attributes:
        wrong: the wrong function or class.
        words: the attributes of the `Mistake` that all assignments share.
    """

    wrong: Any
    words: Mapping[str, Any]

    def __call__(
        self, step: str, *, through: Callable[[Any], Any] | None = None, **changes: Any
    ) -> Any:
        """Return the wrong function, declared as `step` with this mistake.

        Args:
            step: the step with the mistake.
            through: makes from the wrong function one that takes the arguments of the step.
            changes: as for `words_for`.
        """
        wrong = through(self.wrong) if through else self.wrong

        @functools.wraps(wrong)
        def in_this_step(*arguments: Any, **named: Any) -> Any:
            return wrong(*arguments, **named)

        return self.words_for(step, **changes)(in_this_step)

    def words_for(
        self, step: str, *, called: Mapping[str, str] | None = None, **changes: Any
    ) -> Callable[[Any], Any]:
        """Declare another function as `step` with this mistake: the words are shared, the code is not.

        Args:
            step: the step with the mistake.
            called: what this assignment calls something: `{"d_k": "d"}` says d instead of d_k.
            changes: further attributes of the `Mistake`, and other words.
        """
        words = dict(self.words)
        for name, other in (called or {}).items():
            words |= {part: words[part].replace(name, other) for part in ("says", "look")}
            inside = words.get("inside", ())
            words["inside"] = tuple(part.replace(name, other) for part in inside)
        return mistake(step, **words | changes)


def shared_mistake(*, says: str, look: str, **about: Any) -> Callable[[Any], SharedMistake]:
    """Declare a function or class of `families.py` as a mistake of several assignments."""
    return lambda wrong: SharedMistake(wrong, {"says": says, "look": look, **about})


def mistakes_of(declarations: Mapping[str, object]) -> tuple[Mistake, ...]:
    """Return the mistakes among the names of a module, in order."""
    found = []
    for name, declaration in declarations.items():
        declared = getattr(declaration, "__dict__", {}).get(_ATTRIBUTE)
        if isinstance(declared, Mistake):
            found.append(replace(declared, name=name))
    return tuple(found)
