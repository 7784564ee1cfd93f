"""What pytest says to a student: wrapped feedback, the table, remarks, and what comes next."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from autograder.explain.feedback_text import total_words
from autograder.reasons import Reason
from autograder.reports.pytest_text import full_text, short_text, table, what_next
from autograder.results import Block, CheckResult, Feedback, Outcome

pytestmark = pytest.mark.unit

STEPS = {"first": 1.0, "second": 2.0, "third": 1.5}
LEFT = ["Answer the open question.", "Hand in the file."]
WORDS = "The scores are transposed: your row i belongs to key i, but it should belong to query i."


def passed(step: str, *words: str) -> CheckResult:
    points = STEPS[step]
    feedback = Feedback(Outcome.PASSED, remarks=words) if words else None
    return CheckResult(
        step, points, points, Outcome.PASSED, feedback, remarks=("a_name",) * len(words)
    )


def lost(
    step: str, outcome: Outcome = Outcome.WRONG, feedback: Feedback | None = None
) -> CheckResult:
    return CheckResult(step, 0.0, STEPS[step], outcome, feedback)


def not_started(step: str) -> CheckResult:
    return lost(step, Outcome.NOT_STARTED)


def waits(step: str, other: str) -> CheckResult:
    feedback = Feedback(Outcome.RAISED, other_step=other, reasons=(Reason.WAITS_FOR_A_STEP,))
    return lost(step, Outcome.RAISED, feedback)


def test_a_step_with_all_its_points_is_not_called_wrong_in_the_table() -> None:
    """Where it calls a wrong step and a right one stood in for that, it has all its points."""
    results = (replace(lost("first"), score=1.0), lost("second"))
    assert [line.split() for line in table(results, STEPS)[:2]] == [
        ["first", "1", "/", "1"],
        ["second", "0", "/", "2", "wrong"],
    ]


@pytest.mark.parametrize("width", [40, 60, 80, 133])
def test_paragraphs_fill_the_width_with_an_empty_line_between_two(width: int) -> None:
    feedback = Feedback(Outcome.WRONG, message=WORDS, hint=WORDS, expected=WORDS)
    text = full_text(lost("second", feedback=feedback), width)
    head, *parts = text.split("\n\n")
    assert head == "second: 0 of 2 points"
    assert [" ".join(part.split()) for part in parts] == [
        WORDS,
        f"Where to look: {WORDS}",
        f"Expected: {WORDS}",
    ]
    longest = max(map(len, text.splitlines()))
    assert width - 12 < longest <= width or longest < width == 133


@pytest.mark.parametrize("width", range(40, 60))
def test_no_line_is_a_command_for_a_workflow(width: int) -> None:
    message = f"A word of advice ::error::x {WORDS} ::add-mask::y ##[group]z"
    check = lost("second", feedback=Feedback(Outcome.RAISED, message=message))
    for text in (full_text(check, width), short_text(check, width)):
        assert ":error::x" in text
        assert not re.search(r"^\s*::", text, re.MULTILINE)
        assert "##[" not in text


def test_a_later_failure_is_cut_to_the_width() -> None:
    feedback = Feedback(Outcome.WRONG, message=" ".join([WORDS] * 5))
    first, *_, last = short_text(lost("second", feedback=feedback), 50).splitlines()
    assert len(first) <= 50
    assert last == "(python -m pytest -k second says more.)"


def test_a_later_failure_says_which_step_to_fix_first() -> None:
    feedback = Feedback(
        Outcome.RAISED,
        seen=" ".join([WORDS] * 5),
        other_step="first",
        reasons=(Reason.IN_ANOTHER_STEP,),
    )
    text = short_text(lost("second", feedback=feedback), 50)
    assert "It stopped inside your `first`, which is a step of its own: fix that first." in (
        " ".join(text.split())
    )


def test_what_was_said_of_the_file_is_not_said_again() -> None:
    feedback = Feedback(
        Outcome.MISSING, message="Fix these lines first.", reasons=(Reason.FILE_STOPPED,)
    )
    check = lost("second", feedback=feedback)
    assert "Fix these lines first." in full_text(check)
    assert full_text(check, about=[Block("A `(` has no `)`.")]) == "second: 0 of 2 points"
    other = lost("second", feedback=replace(feedback, reasons=()))
    assert "Fix these lines" in full_text(other, about=[Block("A `(` has no `)`.")])


@pytest.mark.parametrize(
    ("results", "step"),
    [
        ([passed("first"), not_started("second"), not_started("third")], "second"),
        ([passed("first"), passed("second"), not_started("third")], "third"),
        ([not_started("first"), passed("second"), not_started("third")], "first"),
        ([passed("first"), not_started("second"), waits("third", "second")], "second"),
        ([passed("first"), waits("third", "second")], "second"),
    ],
)
def test_the_next_step_is_named_when_all_so_far_is_right(
    results: list[CheckResult], step: str
) -> None:
    assert what_next(results, STEPS, LEFT).startswith(f"All so far is right. Next: `{step}`. ")


def test_a_part_that_is_right_is_not_called_the_end() -> None:
    words = what_next([passed("second")], STEPS, LEFT)
    assert not re.search("All|left|Next", words)
    assert "without -k" in words


def test_only_a_step_that_fails_with_another_one_can_have_more_points_in_the_grade() -> None:
    assert total_words([lost("first"), lost("second", feedback=Feedback(Outcome.WRONG))]) == ""
    assert total_words([waits("second", "first")]).startswith("The grade can be higher")
