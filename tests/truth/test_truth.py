"""Grade all known right and wrong answers: one test for each row of the truth tables."""

from __future__ import annotations

import functools
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from autograder.assignment.source import Source, load_source
from autograder.exam.draw import draw_exam
from autograder.explain.feedback_text import check_markdown
from autograder.sandbox.limits import Limits
from autograder.sandbox.warm import best_sandbox
from tests.graders import SEEDS, check_all, check_step, grade_in, open_session
from tests.sandbox.conftest import PERMISSIVE
from tests.truth.variant import ASSIGNMENTS, Variant, base_of, rows_of, submission, table

if TYPE_CHECKING:
    from collections.abc import Collection

    from autograder.exam.questions import Exam
    from autograder.results import CheckResult

ROOT = Path(__file__).parents[2]
REMARKS = {
    "library_attention": "library_attention",
    "float64": "dtype",
    "creation_order": "creation_order",
    "vector_transposed": "warning",
    "plain_numbers": "cut_graph",
    "softmax_without_dim": "warning",
    "no_maximum_subtracted": "overflow",
    "cut_graph": "cut_graph",
    "tensor_made_anew": "cut_graph",
    "shared_memory": "shared_memory",
}
UNREMARKED = {
    "score_float64_and_back",
    "v1_float64_inside",
    "v2_float64_inside",
    "variance_statistics",
    "variances_by_numpy",
}


@functools.cache
def source_of(assignment: str) -> Source:
    return load_source(ROOT / "solutions" / assignment)


@functools.cache
def exam_of(assignment: str, seed: int = 1) -> Exam:
    return draw_exam(source_of(assignment), seed)


def rows(kind: str, only: Collection[str] = ()) -> pytest.MarkDecorator:
    """Make one test for each row of the tables, or for the rows of certain styles."""
    listed = [entry for entry in table(kind) if not only or entry[1].row in only]
    names = [f"{assignment}-{variant.name}" for assignment, variant in listed]
    return pytest.mark.parametrize(("assignment", "variant"), listed, ids=names)


@functools.cache
def judged(assignment: str, variant: Variant) -> dict[str, CheckResult]:
    """Return the result of each check for a row of the tables; several tests use these results."""
    return check_all(exam_of(assignment), submission(base_of(assignment), variant))


def told(check: CheckResult) -> tuple[str, float, str, str]:
    """Return what a student is told of a step."""
    return check.step, check.score, check.outcome, check_markdown(check)


def lost(results: dict[str, CheckResult]) -> dict[str, float]:
    """Return the points that each step lost."""
    return {
        name: result.max_score - result.score
        for name, result in results.items()
        if result.score < result.max_score
    }


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_names_are_unique(assignment: str) -> None:
    names = [
        variant.name
        for kind in ("wrong", "accepted")
        for name, variant in table(kind)
        if name == assignment
    ]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_each_step_has_wrong_and_accepted_rows(assignment: str) -> None:
    steps = {check.name for check in exam_of(assignment).assignment.checks}
    for kind in ("wrong", "accepted"):
        assert {variant.step for name, variant in table(kind) if name == assignment} == steps


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_the_self_contained_submission_is_right(assignment: str) -> None:
    assert lost(check_all(exam_of(assignment), base_of(assignment))) == {}


@rows("wrong")
def test_a_mistake_costs_points_in_its_own_step_only_and_is_named(
    assignment: str, variant: Variant
) -> None:
    results = judged(assignment, variant)
    losses = lost(results)
    assert list(losses) == [variant.step]
    if variant.loses is not None:
        assert losses[variant.step] == pytest.approx(variant.loses)
    if variant.row in {mistake.name for mistake in source_of(assignment).mistakes}:
        assert variant.row in results[variant.step].mistakes


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_each_known_mistake_has_a_row(assignment: str) -> None:
    """The test above sees that the row is given its name."""
    known = {mistake.name for mistake in source_of(assignment).mistakes}
    assert known <= {variant.row for variant in rows_of(assignment, "wrong")}


@rows("accepted")
def test_an_unusual_right_answer_keeps_full_marks(assignment: str, variant: Variant) -> None:
    results = judged(assignment, variant)
    assert lost(results) == {}
    assert all(result.mistakes == () for result in results.values())


@rows("accepted", REMARKS.keys())
def test_what_is_worth_knowing_is_a_remark(assignment: str, variant: Variant) -> None:
    """Variances may be plain numbers, and values converted back to float32 get no remark."""
    results = judged(assignment, variant)
    seen = REMARKS[variant.row] in results[variant.step].remarks
    assert seen is (variant.name not in UNREMARKED)
    assert ("Remark: " in check_markdown(results[variant.step])) is seen


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["wrong", "accepted"])
@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_no_mark_changes_between_seeds(assignment: str, kind: str) -> None:
    """Only the row's own step is graded for each seed: the row leaves other steps unchanged.

    Without the search for two mistakes at once, on which no mark here depends.
    """
    variants = [variant for name, variant in table(kind) if name == assignment]
    drawn = (draw_exam(source_of(assignment), seed) for seed in SEEDS)
    exams = [replace(exam, substitution=None) for exam in drawn]
    for variant in variants:
        session = open_session(exams[0], submission(base_of(assignment), variant))
        marks = {check_step(exam, session, variant.step).score for exam in exams}
        assert len(marks) == 1, variant.name


@pytest.mark.slow
@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_the_sandbox_gives_the_same_marks(assignment: str) -> None:
    """Grade every twentieth row in real workers; the other tests grade in this process."""
    with closing(best_sandbox(Limits(cpu=10.0), layers=PERMISSIVE)) as sandbox:
        for variant in rows_of(assignment, "wrong")[::20]:
            source = submission(base_of(assignment), variant)
            there = grade_in(sandbox, exam_of(assignment), source).checks
            here = judged(assignment, variant).values()
            assert list(map(told, there)) == list(map(told, here)), variant.name
