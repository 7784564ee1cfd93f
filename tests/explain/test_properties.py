"""What holds for every seed and whatever a step returns, over all assignments."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.exam.draw import draw_exam
from autograder.grading.explaining import Explaining
from autograder.grading.grader import Grader
from autograder.reports.gradescope_json import dump_results
from autograder.results import Outcome, Result, Status
from tests.exams import ASSIGNMENTS, exam_of, source_of
from tests.explain.odd_answers import (
    anything,
    anything_or_twisted,
    float_steps,
    multiplied,
    programs,
    repeatable,
)
from tests.graders import check_all, open_session
from tests.truth.variant import base_of

if TYPE_CHECKING:
    from autograder.exam.questions import Exam
    from autograder.results import CheckResult


def every(*quick: str) -> pytest.MarkDecorator:
    """Make a test for each assignment. Those that take long are slow."""
    marks = {name: [] if name in quick else [pytest.mark.slow] for name in ASSIGNMENTS}
    cases = [pytest.param(name, marks=marks[name]) for name in ASSIGNMENTS]
    return pytest.mark.parametrize("assignment", cases)


def without_words(exam: Exam, source: str) -> dict[str, CheckResult]:
    """Grade a program without explaining it: no point depends on words (`tests.fuzz.programs`)."""
    session = open_session(exam, source)
    return {
        check.name: Grader(exam, session, explaining=Explaining(spent=True)).check(check)
        for check in exam.assignment.checks
    }


def lost(results: dict[str, CheckResult]) -> list[str]:
    return [name for name, result in results.items() if result.score < result.max_score]


def alone(exam: Exam, step: str) -> float:
    """The points that do not depend on a step's value."""
    check = next(check for check in exam.assignment.checks if check.name == step)
    return sum(criterion.points for criterion in check.criteria if criterion.alone)


@every("numpy_attention", "scaled_dot_product")
@pytest.mark.parametrize("seed", [1, pytest.param(2**100, marks=pytest.mark.slow)])
def test_a_right_module_keeps_full_marks_and_one_scaled_by_1_01_loses_them(
    assignment: str, seed: int
) -> None:
    exam = exam_of(assignment) if seed == 1 else draw_exam(source_of(assignment), seed)
    cells = source_of(assignment).script
    reference = "\n\n".join(cell.source for cell in cells if cell.kind in ("given", "step"))
    assert lost(check_all(exam, reference)) == []
    assert lost(check_all(exam, base_of(assignment))) == []
    program = multiplied(assignment, "1.01", *float_steps(assignment))
    assert lost(without_words(exam, program)) == float_steps(assignment)


@every("numpy_attention")
def test_wrong_numbers_lose_in_their_step_only_and_earn_what_stands_alone(assignment: str) -> None:
    exam = exam_of(assignment)
    for factor in ("1.01", "float('nan')", "float('inf')", "0.0", "-0.7"):
        for step in float_steps(assignment):
            results = without_words(exam, multiplied(assignment, factor, step))
            assert lost(results) == [step], factor
            assert factor == "1.01" or results[step].score <= alone(exam, step), factor


def result(exam: Exam, program: str) -> Result:
    checks = tuple(check_all(exam, program).values())
    return Result(
        exam.assignment.name, "student", Status.GRADED, checks, (), False, "0" * 64, "1", "run"
    )


@every("numpy_attention")
@repeatable(max_examples=3)
@given(data=st.data())
def test_marks_stay_between_0_and_the_maximum_whatever_comes_back(
    assignment: str, data: st.DataObject
) -> None:
    """Also in the record of the submission."""
    program = data.draw(programs(assignment, anything_or_twisted))
    graded = result(exam_of(assignment), program)
    for check in graded.checks:
        assert 0 <= check.score <= check.max_score, check
        assert check.outcome is not Outcome.UNGRADED, check
    content = json.loads(dump_results(graded))
    assert 0 <= content["score"] <= content["extra_data"]["max_score"] == graded.max_score


# What it returns is not looked at; it changes its argument.
RETURNS_NOTHING = "transfer_weights"


@every("numpy_attention")
@repeatable(max_examples=3)
@given(data=st.data())
def test_what_ignores_its_inputs_earns_nothing_but_what_stands_alone(
    assignment: str, data: st.DataObject
) -> None:
    exam = exam_of(assignment)
    results = check_all(exam, data.draw(programs(assignment, anything)))
    for step, check in results.items():
        assert step == RETURNS_NOTHING or check.score <= alone(exam, step), check
