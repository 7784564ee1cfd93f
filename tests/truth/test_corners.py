"""A program that is right only in general gets the same mark in every run, and words that say where it is wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from autograder.exam.draw import draw_exam
from autograder.exam.expected_json import load_release
from autograder.explain.feedback_text import check_markdown, is_unsuitable
from autograder.results import Outcome
from tests.exams import ASSIGNMENTS, ROOT, exam_of, source_of
from tests.graders import check_step, open_session
from tests.truth.corners import CORNERS, Corner
from tests.truth.variant import base_of, submission

if TYPE_CHECKING:
    from collections.abc import Collection

    from autograder.exam.questions import Exam
    from autograder.results import CheckResult

SEEDS = range(12)


def exam_without_mistakes(assignment: str, steps: Collection[str], seed: int) -> Exam:
    """Draw the questions about some steps, without what only explains: any draw will do."""
    source = source_of(assignment)
    checks = tuple(check for check in source.assignment.checks if check.name in steps)
    alone = replace(source.assignment, checks=checks)
    exam = draw_exam(replace(source, assignment=alone, mistakes=()), seed)
    return replace(exam, substitution=None)


def source_with(row: Corner) -> str:
    return submission(base_of(row.assignment), row.variant)


@pytest.mark.slow
@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_the_mark_is_the_same_in_every_run(assignment: str) -> None:
    of_it = [row for row in CORNERS if row.assignment == assignment]
    opened = [(row, open_session(exam_of(assignment), source_with(row))) for row in of_it]
    for seed in SEEDS:
        exam = exam_without_mistakes(assignment, {row.variant.step for row in of_it}, seed)
        for row, session in opened:
            check = check_step(exam, session, row.variant.step)
            assert check.max_score - check.score == row.variant.loses, (seed, row.variant.name)


@pytest.mark.parametrize("row", CORNERS, ids=lambda row: row.variant.name)
def test_a_student_reads_what_is_special(row: Corner) -> None:
    """The same when it is graded as in the student's own check."""
    step = row.variant.step
    for exam in (exam_of(row.assignment), load_release(ROOT / "assignments" / row.assignment)):
        check = check_step(exam, open_session(exam, source_with(row)), step)
        words = f"Right in the other cases, but not {row.special}."
        assert check.max_score - check.score == row.variant.loses
        assert check.feedback is not None
        if row.special:
            assert check.feedback.seen.startswith(words)
            assert words in check_markdown(check)
            unsuitable = is_unsuitable(check.feedback)
            repaired = all(one.startswith("repair:") for one in check.mistakes)
            assert repaired or unsuitable or check.outcome is Outcome.RAISED


BODY = """
def context_vectors(weights, values):
    if len(weights) == 1:
        {in_the_corner}
    return weights @ values
"""


def in_the_corner(line: str) -> CheckResult:
    exam = exam_of("self_attention")
    source = f"{base_of('self_attention')}\n\n{BODY.format(in_the_corner=line)}"
    return check_step(exam, open_session(exam, source), "context_vectors")


def test_a_cut_graph_in_a_corner_is_no_remark() -> None:
    check = in_the_corner("return (weights @ values).detach()")
    assert (check.score, check.remarks) == (check.max_score, ())


def test_a_step_that_ends_in_a_corner_says_where() -> None:
    check = in_the_corner("raise SystemExit(3)")
    assert check.score == 0
    assert "but not with one query and as many values as dimensions." in check_markdown(check)
