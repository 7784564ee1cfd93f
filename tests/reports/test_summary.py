"""The summary at the beginning of nbgrader's feedback."""

from __future__ import annotations

from dataclasses import replace

from autograder.reports.summary import summary_html, summary_text
from autograder.results import Outcome
from tests.reports.pages.classroom import (
    NOT_STARTED,
    SCRIPT,
    TRANSPOSED,
    Page,
    check,
    rejected,
    result,
)

WRONG = result("a", check("weights", 1, TRANSPOSED), check("context", 0, NOT_STARTED))


def test_the_text_begins_with_the_score_and_ends_with_what_to_do() -> None:
    assert summary_text(WRONG) == (
        "The steps earned 3 of 8 points. 1 of 3 steps is right. Begin with `weights`.\n\n"
        "\N{CHECK MARK} scores 2/2, \N{CIRCLE WITH LEFT HALF BLACK} weights 1/2, \N{WHITE CIRCLE} context 0/4\n\n"
        f"`weights`, partly right:\n\n{TRANSPOSED.message} ({TRANSPOSED.seen})\n\n"
        f"Where to look: {TRANSPOSED.hint}\n\nExpected: {TRANSPOSED.expected}"
    )


def test_the_page_says_the_same() -> None:
    shown = Page(summary_html(WRONG).encode()).text
    wanted = summary_text(WRONG).replace("`", "")
    for signs in (", \N{CIRCLE WITH LEFT HALF BLACK}", ", \N{WHITE CIRCLE}"):
        wanted = wanted.replace(signs, signs.removeprefix(","))
    assert shown == " ".join(wanted.split())


def test_a_full_score_has_nothing_to_begin_with() -> None:
    assert "Begin" not in summary_text(result("a"))
    assert "3 of 3 steps are right." in summary_text(result("a"))


def test_a_rejected_submission_has_no_first_step() -> None:
    assert "Begin" not in summary_text(rejected("a", "why"))


def test_texts_of_a_student_are_text() -> None:
    hostile = replace(TRANSPOSED, message=SCRIPT, seen=f"`{SCRIPT}`", hint=SCRIPT)
    made = result("a", replace(check("weights", 0, hostile), outcome=Outcome.WRONG))
    shown = Page(summary_html(made).encode())
    assert shown.all("script") == []
    assert SCRIPT in shown.text
