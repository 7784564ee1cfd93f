"""The cases of an exam: two general ones that share no size, and a corner."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pytest

from autograder.assignment.checks import VALUE
from autograder.values.numbers import arrays_in, numbers_in
from autograder.values.values import DictValue
from tests.exams import ASSIGNMENTS, exam_of, source_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autograder.exam.questions import Exam, Question
    from autograder.values.values import Value

# The words to choose from, and thus the rows of the table of embeddings, are the same in each case.
FIXED = 16
LARGEST_SCORE = 20


def values_of(exam: Exam) -> Iterator[list[Question]]:
    for check in exam.assignment.checks:
        yield list(exam.questions_for(check, check.criterion(VALUE)))


def sizes_of(value: Value) -> list[int]:
    """Return each size in an input: a whole number, or the length of an axis or a sentence."""
    if isinstance(value, int):
        return [value]
    if isinstance(value, str):
        return [len(value.split())]
    return [size for array in arrays_in(value) for size in array.shape]


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_the_general_cases_of_a_step_share_no_size(assignment: str) -> None:
    """What sizes a draw has is tested of the draw itself, for hundreds of seeds (tests/assignment/test_cases.py)."""
    for questions in values_of(exam_of(assignment)):
        first, second = (question for question in questions if question.kind == "drawn")
        assert first.inputs.keys() == second.inputs.keys()
        for name, value in first.inputs.items():
            other = second.inputs[name]
            several = isinstance(value, DictValue)  # one size may be the number of entries
            pairs = zip(sizes_of(value), sizes_of(other), strict=not several)
            assert [one for one, its in pairs if one == its != FIXED] == []


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_a_corner_is_asked_last_with_numbers_of_its_own_and_knows_no_mistake(
    assignment: str,
) -> None:
    source, exam = source_of(assignment), exam_of(assignment)
    corners = [question for question in exam.questions if question.kind == "corner"]
    assert {question.step: question.special for question in corners} == source.cases.special
    for question in corners:
        assert (question.criterion, question.graph) == (VALUE, ())
        assert not any(answers.wrong for answers in question.answers)
    for questions in values_of(exam):
        kinds = [question.kind for question in questions]
        assert kinds in (["drawn", "drawn"], ["drawn", "drawn", "corner"])
        fractions = [
            {
                one
                for value in question.inputs.values()
                for one in numbers_in(value).tolist()
                if one % 1
            }
            for question in questions
        ]
        for one, other in combinations(
            fractions, 2
        ):  # few numbers of four digits are equal by chance
            assert len(one & other) <= min(len(one), len(other)) / 10


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_numbers_in_a_corner_are_finite_and_scores_small(assignment: str) -> None:
    """A plain exponential of the scaled scores does not overflow."""
    for question in exam_of(assignment).questions:
        if question.kind == "corner":
            given = [numbers_in(value) for value in question.inputs.values()]
            right = [numbers_in(answers.right[0].value) for answers in question.answers]
            assert all(np.isfinite(numbers).all() for numbers in (*given, *right))
            if "scale" in question.step or "weights" in question.step:
                assert all((np.abs(numbers) <= LARGEST_SCORE).all() for numbers in right)
