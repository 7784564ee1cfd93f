"""What holds for every seed and for whatever a step returns: with many seeds, answers and programs."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.assignment.source import load_source
from autograder.exam.draw import draw_exam
from autograder.reports.gradescope_json import dump_results
from tests.exams import ASSIGNMENTS, ROOT, exam_of, source_of
from tests.explain.odd_answers import (
    anything,
    anything_or_twisted,
    float_steps,
    multiplied,
    programs,
    repeatable,
    seeds,
)
from tests.explain.test_properties import (
    alone,
    asked,
    assert_earns_nothing,
    assert_in_bounds,
    assert_same_alone,
    lost,
    reference_of,
    result,
    without_words,
)
from tests.graders import check_all
from tests.truth.variant import base_of, rows_of, submission

if TYPE_CHECKING:
    from autograder.exam.questions import Exam

pytestmark = pytest.mark.slow


@functools.lru_cache(maxsize=64)
def drawn_exam(assignment: str, seed: int) -> Exam:
    return draw_exam(source_of(assignment), seed)


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
@repeatable(max_examples=1)
@given(seed=seeds)
def test_a_right_module_keeps_full_marks(assignment: str, seed: int) -> None:
    exam = drawn_exam(assignment, seed)
    assert lost(check_all(exam_of(assignment), reference_of(assignment))) == []
    assert lost(check_all(exam, reference_of(assignment))) == []
    assert lost(check_all(exam, base_of(assignment))) == []
    program = multiplied(assignment, "1.01", *float_steps(assignment))
    assert lost(without_words(exam, program)) == float_steps(assignment)


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_an_answer_scaled_by_1_01_loses_in_its_step_only(assignment: str) -> None:
    exam = exam_of(assignment)
    for step in float_steps(assignment):
        assert lost(without_words(exam, multiplied(assignment, "1.01", step))) == [step]


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_the_right_shape_without_the_numbers_earns_only_what_stands_alone(assignment: str) -> None:
    exam = exam_of(assignment)
    for factor in ("float('nan')", "float('inf')", "0.0", "-0.7"):
        for step in float_steps(assignment):
            check = without_words(exam, multiplied(assignment, factor, step))[step]
            assert check.score <= alone(exam, step), factor


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
@repeatable(max_examples=6)
@given(data=st.data())
def test_marks_stay_between_0_and_the_maximum_whatever_comes_back(
    assignment: str, data: st.DataObject
) -> None:
    assert_in_bounds(exam_of(assignment), data.draw(programs(assignment, anything_or_twisted)))


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
@repeatable(max_examples=4)
@given(data=st.data())
def test_what_ignores_its_inputs_earns_nothing_but_what_stands_alone(
    assignment: str, data: st.DataObject
) -> None:
    assert_earns_nothing(exam_of(assignment), data.draw(programs(assignment, anything)))


@pytest.mark.parametrize("assignment", ["self_attention", "causal_multihead"])
def test_a_step_that_draws_numbers_gives_the_same_after_others_and_alone(assignment: str) -> None:
    assert_same_alone(assignment)


@functools.cache
def drawn_anew(assignment: str, number: int) -> Exam:
    """The exam of seed 1, for each `number` drawn from an assignment that was loaded for itself."""
    return draw_exam(load_source(ROOT / "solutions" / assignment), 1)


def wrong_programs(assignment: str) -> st.SearchStrategy[str]:
    base = base_of(assignment)
    return st.sampled_from(rows_of(assignment, "wrong")).map(
        lambda variant: submission(base, variant)
    )


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
@repeatable(max_examples=2)
@given(data=st.data())
def test_two_runs_with_one_seed_give_the_same_bytes(assignment: str, data: st.DataObject) -> None:
    some = st.one_of(wrong_programs(assignment), programs(assignment, anything_or_twisted))
    program, other = data.draw(some), data.draw(some)
    first = dump_results(result(drawn_anew(assignment, 1), program))
    check_all(drawn_anew(assignment, 2), other)
    assert dump_results(result(drawn_anew(assignment, 2), program)) == first


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_one_seed_asks_the_same_questions_again(assignment: str) -> None:
    for kind in ("drawn", "documented"):
        first = asked(exam_of(assignment), kind)
        assert first or (kind, assignment) == ("documented", "causal_multihead")  # prints none
        assert first == asked(drawn_anew(assignment, 1), kind)


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_another_seed_asks_nothing_again(assignment: str) -> None:
    """But for steps that get only whole numbers, of which there are few."""
    exams = exam_of(assignment), drawn_exam(assignment, 2)
    first, other = (asked(with_numbers(exam), "drawn") for exam in exams)
    assert first
    assert not set(first) & set(other)


def with_numbers(exam: Exam) -> Exam:
    """The exam without the questions whose inputs are whole numbers alone."""
    kept = (one for one in exam.questions if {*map(type, one.inputs.values())} != {int})
    return replace(exam, questions=tuple(kept))
