"""No last digit decides what is known, kept or said: other processors compute others."""

from __future__ import annotations

import contextlib
import io
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from autograder.exam.draw import draw_exam
from autograder.exam.questions import PUBLIC
from autograder.explain.feedback_text import check_markdown
from autograder.explain.right_numbers import RightNumbers, close, is_plain
from autograder.release.build import plan_build
from autograder.values.numbers import arrays_in
from tests.exams import ASSIGNMENTS, ROOT, source_of
from tests.graders import grade_in
from tests.other_digits import PATTERNS, other_digits
from tests.truth.graded import only_about, text_of
from tests.truth.variant import base_of, rows_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autograder.exam.questions import Exam
    from autograder.sandbox.sandbox import Sandbox

NAME = "scaled_dot_product"


def known(exam: Exam) -> Iterator[Any]:
    """Yield what is known of each question, but for numbers."""
    for question in exam.questions:
        right = exam.right_values(question, 0)
        assert right is not None
        yield question.step, question.criterion, question.graph
        yield [[wrong.mistake for wrong in answers.wrong] for answers in question.answers]
        yield [one.shape for one in right.arrays], [one.shape for one in right.masks], right.kinds


def numbers(exam: Exam) -> list[Any]:
    rights = [question.answers[0].right[0].value for question in exam.questions]
    return [array.ravel().tolist() for value in rights for array in arrays_in(value)]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_what_is_known_of_a_question_depends_on_no_last_digit(pattern: str) -> None:
    source = source_of(NAME)
    exam = draw_exam(source, PUBLIC)
    wanted = list(known(exam))
    with other_digits(pattern, source):
        other = draw_exam(source, PUBLIC)
        assert list(known(other)) == wanted
    assert numbers(other) != numbers(exam)


@pytest.mark.slow
@pytest.mark.parametrize("assignment", ASSIGNMENTS)
@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_release_that_was_built_elsewhere_is_up_to_date(assignment: str, pattern: str) -> None:
    """Its bytes stay, and its digest with them."""
    with other_digits(pattern, source_of(assignment)):
        plan = plan_build(ROOT / "solutions", ROOT / "assignments", assignment)
    assert (plan.changed, plan.new_mutants) == ((), None)
    written = (ROOT / "assignments" / assignment / "expected.json").read_bytes()
    assert plan.files["expected.json"] != written
    assert plan.released()["expected.json"] == written


def words(sandbox: Sandbox) -> dict[str, list[str]]:
    """Return what is said of each wrong row of an assignment, in its own step, and of its base in all steps."""
    exam = draw_exam(source_of("self_attention"), 1)
    about = {
        check.name: only_about(exam, frozenset([check.name])) for check in exam.assignment.checks
    }
    graded = {"base": (exam, base_of("self_attention"))}
    for variant in rows_of("self_attention", "wrong"):
        graded[variant.name] = about[variant.step], text_of("self_attention", variant)
    told = {}
    for name, (asked, text) in graded.items():
        with contextlib.redirect_stdout(io.StringIO()):
            result = grade_in(sandbox, asked, text)
        told[name] = [
            f"{one.score} {one.outcome} {one.mistakes} {one.remarks}\n{check_markdown(one)}"
            for one in result.checks
        ]
    return told


@pytest.fixture(scope="module")
def wanted(sandbox: Sandbox) -> dict[str, list[str]]:
    return words(sandbox)


@pytest.mark.slow
@pytest.mark.parametrize("pattern", PATTERNS)
def test_points_and_words_depend_on_no_last_digit(
    pattern: str, wanted: dict[str, list[str]], sandbox: Sandbox
) -> None:
    """Each wrong row is graded by exams that differ in last digits only. It is wrong in its own step alone."""
    with other_digits(pattern, source_of("self_attention")):
        found = words(sandbox)
    assert {name: told for name, told in found.items() if told != wanted[name]} == {}


def test_numbers_that_are_equal_but_for_rounding_count_once() -> None:
    """The half between two sixth decimals is no boundary."""
    assert is_plain(np.array([0.1234565 - 1e-9, 0.1234565 + 1e-9, 1.0, 2.0, 0.1234565]))
    assert not is_plain(np.array([0.1234, 0.1235, 1.0, 2.0]))


def test_scores_are_known_where_their_factor_is_not_exact() -> None:
    """Scores near zero, divided by the root in another way, have another quotient."""
    scores = np.array([[1.5, -2.0, 0.25], [1e-4, 0.75, -1.0], [2.0, 1.0, -0.5]])
    hidden = np.triu(np.ones((3, 3), dtype=bool), 1)
    logits = np.where(
        hidden, -np.inf, scores / np.sqrt(5) + 3e-6 * np.cos(np.arange(9)).reshape(3, 3)
    )
    weights = np.exp(logits) / np.exp(logits).sum(-1, keepdims=True)
    right = RightNumbers([scores, logits, weights])
    assert not close(scores / np.sqrt(5), logits)
    assert right.order_of(scores / np.sqrt(5)) == "same"
