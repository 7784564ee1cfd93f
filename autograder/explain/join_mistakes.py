"""Join the words of recognised mistakes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.results import Feedback, Outcome

if TYPE_CHECKING:
    from collections.abc import Collection

    from autograder.exam.questions import Exam
    from autograder.exam.recognise import Recognition

SHOWN_ALTERNATIVES = 2


def mistake_words(exam: Exam, step: str, name: str) -> tuple[str, str]:
    """Return what a mistake means, and where to look. Its words know whether the step that shows it is its own."""
    own_step, *inside = exam.inside.get(name, (step,))
    says, look = exam.mistakes[name] if own_step == step else inside
    return says, look


def explain_mistakes(
    exam: Exam, step: str, found: Recognition, right_steps: Collection[str] = ()
) -> Feedback:
    """Return the words for one known mistake, or for those with the same effect.

    What is about the task of a step whose result is right in the student's lines is left out, if others remain.
    """
    possible = tuple(name for name in found.names if exam.tasks.get(name) not in right_steps)
    names = possible or found.names
    shown = names[:SHOWN_ALTERNATIVES]
    says, looks = zip(*(mistake_words(exam, step, name) for name in shown), strict=True)
    message = " Or, with the same effect: ".join(dict.fromkeys(says))
    hint = " Or: ".join(dict.fromkeys(looks))
    return Feedback(Outcome.WRONG, message, hint, mistakes=names, sure=True)
