"""Grade all known right and wrong answers: one test for each row of the truth tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from autograder.exam.draw import draw_exam
from autograder.explain.feedback_text import check_markdown
from tests.exams import ASSIGNMENTS, exam_of, source_of
from tests.graders import SEEDS, check_all, check_step, open_session
from tests.truth.graded import own_step, text_of, whole
from tests.truth.slips.slip import POINTS
from tests.truth.stored import SAMPLE, Row, assert_as_stored, every_row, kept, stored, stored_of
from tests.truth.variant import Variant, base_of, rows_of

if TYPE_CHECKING:
    from pathlib import Path

    from autograder.sandbox.sandbox import Sandbox

VARIANTS = [row for row in every_row() if row.kind != "slip"]
one_for_each_row = pytest.mark.parametrize(
    "row", VARIANTS, ids=[f"{row.assignment}-{row.of.name}" for row in VARIANTS]
)


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_each_step_has_wrong_and_accepted_rows(assignment: str) -> None:
    steps = {check.name for check in source_of(assignment).assignment.checks}
    for kind in ("wrong", "accepted"):
        assert {variant.step for variant in rows_of(assignment, kind)} == steps


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_the_self_contained_submission_is_right(assignment: str) -> None:
    results = check_all(exam_of(assignment), base_of(assignment))
    assert [kept(result) for result in results.values()] == [{} for _ in results]
    assert sum(result.max_score for result in results.values()) == POINTS[assignment]


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_each_known_mistake_has_a_row_which_is_given_its_name(assignment: str) -> None:
    known = {mistake.name for mistake in source_of(assignment).mistakes}
    cited = [variant for variant in rows_of(assignment, "wrong") if variant.row in known]
    assert {variant.row for variant in cited} == known
    kept_of = {one.name: stored(assignment)[f"wrong {one.name}"][one.step] for one in cited}
    assert [one.place for one in cited if one.row not in kept_of[one.name]["mistakes"]] == []


@one_for_each_row
def test_the_own_step_of_a_row_is_as_stored(row: Row) -> None:
    assert isinstance(row.of, Variant)
    check = own_step(row.assignment, row.of)
    assert_as_stored(row, [check])
    assert ("Remark: " in check_markdown(check)) is bool(check.remarks)


@pytest.mark.slow
@one_for_each_row
def test_a_row_is_as_stored_in_all_steps(row: Row, sandbox: Sandbox, tmp_path: Path) -> None:
    assert_as_stored(row, whole(row, sandbox, tmp_path).checks)


@pytest.mark.slow
@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_no_mark_changes_between_seeds(assignment: str) -> None:
    sample = [row for row in VARIANTS if row.assignment == assignment][::SAMPLE]
    exams = [draw_exam(source_of(assignment), seed) for seed in SEEDS]
    for row in sample:
        assert isinstance(row.of, Variant)
        session = open_session(exams[0], text_of(assignment, row.of))
        lost = stored_of(row).get(row.step, {}).get("lost", 0)
        for exam in exams:
            check = check_step(exam, session, row.step)
            assert check.max_score - check.score == lost, row.of.place
