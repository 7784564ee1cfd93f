"""What holds for whatever a step returns, over all assignments; more seeds and answers: `test_properties_at_length`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.grading.explaining import Explaining
from autograder.grading.grader import Grader
from autograder.reports.gradescope_json import dump_results
from autograder.results import Outcome, Result, Status
from autograder.values.values import freeze
from autograder.values.wire import encode
from tests.exams import exam_of, source_of
from tests.explain.odd_answers import (
    anything,
    anything_or_twisted,
    float_steps,
    multiplied,
    programs,
    repeatable,
    steps_of,
    with_tools,
)
from tests.graders import check_all, check_step, open_session

if TYPE_CHECKING:
    from autograder.exam.questions import CaseKind, Exam
    from autograder.results import CheckResult


# The assignments whose known mistakes are soon compared with a wrong answer.
QUICK = ("numpy_attention", "scaled_dot_product")


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


def reference_of(assignment: str) -> str:
    """The solution without the cells that only show something."""
    cells = source_of(assignment).script
    return "\n\n".join(cell.source for cell in cells if cell.kind in ("given", "step"))


@pytest.mark.parametrize("assignment", QUICK)
def test_the_solution_gets_full_marks(assignment: str) -> None:
    assert lost(check_all(exam_of(assignment), reference_of(assignment))) == []


@pytest.mark.parametrize("assignment", QUICK)
def test_answers_scaled_by_1_01_lose(assignment: str) -> None:
    """No step of a base calls another, so each step is wrong by itself."""
    steps = float_steps(assignment)
    exam, program = exam_of(assignment), multiplied(assignment, "1.01", *steps)
    assert lost(without_words(exam, program)) == steps


def test_the_right_shape_without_the_numbers_earns_only_what_stands_alone() -> None:
    exam, steps = exam_of("numpy_attention"), float_steps("numpy_attention")
    results = without_words(exam, multiplied("numpy_attention", "0.0", *steps))
    assert [step for step in steps if results[step].score > alone(exam, step)] == []


def result(exam: Exam, program: str) -> Result:
    """The record of a submission, as the grader makes it."""
    checks = tuple(check_all(exam, program).values())
    return Result(
        exam.assignment.name, "student", Status.GRADED, checks, (), False, "0" * 64, "1", "run"
    )


def assert_in_bounds(exam: Exam, program: str) -> None:
    """Assert that the marks of a program are between 0 and the maximum, also in its record."""
    graded = result(exam, program)
    for check in graded.checks:
        assert 0 <= check.score <= check.max_score, check
        assert check.outcome is not Outcome.UNGRADED, check
    content = json.loads(dump_results(graded))
    assert 0 <= content["score"] <= content["extra_data"]["max_score"] == graded.max_score


@repeatable(max_examples=3)
@given(data=st.data())
def test_marks_stay_between_0_and_the_maximum_whatever_comes_back(data: st.DataObject) -> None:
    program = data.draw(programs("numpy_attention", anything_or_twisted))
    assert_in_bounds(exam_of("numpy_attention"), program)


# What it returns is not looked at; it changes its argument.
RETURNS_NOTHING = "transfer_weights"


def assert_earns_nothing(exam: Exam, program: str) -> None:
    """Assert that a program whose steps ignore their inputs gets no points but those that stand alone."""
    results = check_all(exam, program)
    for step, check in results.items():
        assert step == RETURNS_NOTHING or check.score <= alone(exam, step), check


@repeatable(max_examples=3)
@given(data=st.data())
def test_what_ignores_its_inputs_earns_nothing_but_what_stands_alone(data: st.DataObject) -> None:
    program = data.draw(programs("numpy_attention", anything))
    assert_earns_nothing(exam_of("numpy_attention"), program)


RANDOM = "torch.randn(2, 3) + np.random.normal() + __import__('random').random()"


def test_a_step_that_draws_numbers_gives_the_same_after_others_and_alone() -> None:
    assert_same_alone("numpy_attention")


def assert_same_alone(assignment: str) -> None:
    """Assert that steps which draw numbers get the same after others and alone."""
    exam, steps = exam_of(assignment), steps_of(assignment)
    lines = (f"{step} = _instead({step}, lambda *_: {RANDOM})" for step in steps)
    program = with_tools(assignment, *lines)
    by_itself = {step: check_step(exam, open_session(exam, program), step) for step in steps}
    assert check_all(exam, program) == by_itself


def asked(exam: Exam, kind: CaseKind) -> list[bytes]:
    """The questions of this kind, each with what is right."""
    questions = [question for question in exam.questions if question.kind == kind]
    right = [[answers.right[0].value for answers in question.answers] for question in questions]
    return [
        encode(freeze((question.inputs, values)))
        for question, values in zip(questions, right, strict=True)
    ]
