"""The cases of an exam: two general ones that share no size, and a corner."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from autograder.assignment.checks import VALUE
from autograder.assignment.source import load_source
from autograder.exam.draw import draw_exam
from autograder.exam.expected_json import dump_expected
from autograder.values.numbers import arrays_in, numbers_in
from autograder.values.values import DictValue
from tests.exams import ASSIGNMENTS, exam_of, source_of
from tests.graders import check_all
from tests.toy import RIGHT, write_toy

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from autograder.exam.questions import Exam, Question
    from autograder.values.values import Value

# The words to choose from, and thus the rows of the table of embeddings, are the same in each case.
FIXED = 16
LARGEST_SCORE = 20


def values_of(exam: Exam) -> Iterator[list[Question]]:
    """Yield the questions about each step's value."""
    for check in exam.assignment.checks:
        yield list(exam.questions_for(check, check.criterion(VALUE)))


@functools.cache
def exams_of(assignment: str, seeds: range) -> list[Exam]:
    """Draw some exams without known mistakes, for which nothing is drawn again."""
    source = replace(source_of(assignment), mistakes=())
    return [draw_exam(source, seed) for seed in seeds]


# What sizes a draw has is tested of the draw itself, for hundreds of seeds (tests/assignment/test_cases.py).
of_some_seeds = pytest.mark.parametrize(
    "seeds", [range(1), pytest.param(range(1, 10), marks=pytest.mark.slow)], ids=["one", "more"]
)


def sizes_of(value: Value) -> list[int]:
    """Return each size in an input: a whole number, or the length of an axis or a sentence."""
    if isinstance(value, int):
        return [value]
    if isinstance(value, str):
        return [len(value.split())]
    return [size for array in arrays_in(value) for size in array.shape]


@of_some_seeds
@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_the_general_cases_of_a_step_share_no_size(assignment: str, seeds: range) -> None:
    for exam in exams_of(assignment, seeds):
        for questions in values_of(exam):
            first, second = (question for question in questions if question.kind == "drawn")
            assert first.inputs.keys() == second.inputs.keys()
            for name, value in first.inputs.items():
                other = second.inputs[name]
                several = isinstance(value, DictValue)  # one size may be the number of entries
                pairs = zip(sizes_of(value), sizes_of(other), strict=not several)
                assert [one for one, its in pairs if one == its != FIXED] == []


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_a_corner_is_asked_about_the_value_only_and_last(assignment: str) -> None:
    source, exam = source_of(assignment), exam_of(assignment)
    corners = [question for question in exam.questions if question.kind == "corner"]

    assert {question.step: question.special for question in corners} == source.cases.special
    assert {question.criterion for question in corners} == {VALUE}
    for questions in values_of(exam):
        kinds = [question.kind for question in questions]
        assert kinds in (["drawn", "drawn"], ["drawn", "drawn", "corner"])


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_a_corner_judges_no_gradient_and_knows_no_mistake(assignment: str) -> None:
    for question in exam_of(assignment).questions:
        if question.kind == "corner":
            assert question.graph == ()
            assert [answers.wrong for answers in question.answers] == [()] * len(question.answers)


@of_some_seeds
@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_numbers_in_a_corner_are_finite_and_scores_small(assignment: str, seeds: range) -> None:
    """A plain exponential of the scaled scores does not overflow."""
    for exam in exams_of(assignment, seeds):
        for question in exam.questions:
            if question.kind == "corner":
                given = [numbers_in(value) for value in question.inputs.values()]
                right = [numbers_in(answers.right[0].value) for answers in question.answers]
                assert all(np.isfinite(numbers).all() for numbers in (*given, *right))
                if "scale" in question.step or "weights" in question.step:
                    assert all((np.abs(numbers) <= LARGEST_SCORE).all() for numbers in right)


def numbers_of(question: Question) -> list[float]:
    numbers: list[float] = numbers_in(question.inputs["x"]).tolist()
    return numbers


def test_each_case_has_numbers_of_its_own(tmp_path: Path) -> None:
    """The general cases are the same with and without a corner."""
    source = load_source(write_toy(tmp_path) / "toy")
    alone = draw_exam(source, 7)
    source.cases.corner["double"] = source.cases.drawn["double"]
    source.cases.special["double"] = "with anything"
    exam = draw_exam(source, 7)

    first, second, corner = (numbers_of(question) for question in next(values_of(exam)))
    assert [first, second] == [numbers_of(question) for question in next(values_of(alone))]
    assert not set(first) & set(second)
    assert not set(corner) & {*first, *second}
    assert len(exam.plan[0].requests) == len(alone.plan[0].requests) + 1


def test_a_release_without_a_corner_is_what_it_was(tmp_path: Path) -> None:
    source = load_source(write_toy(tmp_path) / "toy")
    exam = draw_exam(source, "public")

    assert b'"special"' not in dump_expected(exam, {})
    assert all(result.score == result.max_score for result in check_all(exam, RIGHT).values())
