"""The numbers of a wrong answer for the documents' inputs, whose tokens have words: for a picture."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from autograder.assignment.checks import DOCUMENTED, VALUE
from autograder.compare import compare
from autograder.explain.own_numbers import own_numbers
from autograder.results import Outcome

if TYPE_CHECKING:
    from autograder.assignment.checks import Check
    from autograder.exam.questions import Exam, Question
    from autograder.grading.observations import Observations
    from autograder.results import Feedback, Numbers


def with_documents_numbers(
    feedback: Feedback,
    exam: Exam,
    check: Check,
    question: Question,
    observations: Observations,
    probe: int,
) -> Feedback:
    """Return the feedback for a wrong value with the numbers for the documents' inputs."""
    if question.criterion != VALUE or feedback.numbers is None:
        return feedback
    return replace(feedback, on_documents=_numbers(exam, check, probe, observations))


def _numbers(exam: Exam, check: Check, probe: int, observations: Observations) -> Numbers | None:
    """Return the wrong numbers of a step's answer for the documents' inputs, with their words.

    These inputs are public, so a student can compute the same numbers again. Return None if the check
    has no words or no documented case, or if the step's answer is missing or right.
    """
    if not check.words or not check.has(DOCUMENTED):
        return None
    documented = check.criterion(DOCUMENTED)
    if documented.probes != check.criterion(VALUE).probes:
        return None
    question = exam.questions_for(check, documented)[0]
    seen = observations.observe_once(question, probe)
    if seen.outcome is not Outcome.PASSED:
        return None
    comparisons = [compare(right, seen.value) for right in question.answers[probe].right]
    if any(comparison.difference is None for comparison in comparisons):
        return None
    difference = comparisons[0].difference
    assert difference is not None
    return own_numbers(check, DOCUMENTED, difference)
