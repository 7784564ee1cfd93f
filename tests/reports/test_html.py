"""A check as a notebook shows it; whatever a student wrote is text."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from autograder.explain.feedback_text import check_markdown
from autograder.reports.html import (
    feedback_html,
    feedback_text,
    printed_html,
    printed_text,
    without_numbers,
    words_html,
)
from autograder.results import CheckResult, Feedback, Numbers, Outcome

ALLOWED = {"div", "p", "strong", "code", "pre", "br"}
ALLOWED_ATTRIBUTES = {"class", "style"}
SCRIPT = "<script>alert(1)</script>"


class Tags(HTMLParser):
    """Collects what an HTML text consists of."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.open: list[str] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def result(text: str = "", outcome: Outcome = Outcome.WRONG, **others: object) -> CheckResult:
    score = 2.0 if outcome is Outcome.PASSED else 0.0
    values: dict[str, object] = {"step": "attention_scores", "score": score, "max_score": 2.0}
    values["feedback"] = Feedback(outcome, message=text) if text else None
    return CheckResult(**values | others, outcome=outcome)  # type: ignore[arg-type]


@pytest.mark.parametrize("outcome", list(Outcome))
def test_every_outcome_is_said_in_words(outcome: Outcome) -> None:
    words = outcome.value.replace("_", " ")
    assert words in Tags(feedback_html(result(outcome=outcome))).text
    assert words in feedback_text(result(outcome=outcome))


def test_a_pass_has_a_sign_and_its_points() -> None:
    passed = result(outcome=Outcome.PASSED)
    assert feedback_text(passed) == "✓ passed: attention_scores, 2 of 2 points"
    assert Tags(feedback_html(passed)).text == "✓ passed attention_scores: 2 of 2 points"


def test_what_was_not_judged_has_no_points() -> None:
    assert "0 of" not in feedback_text(result(outcome=Outcome.UNGRADED))


@pytest.mark.parametrize(
    "text",
    [
        SCRIPT,
        f"`{SCRIPT}`",
        f"    {SCRIPT}",
        f"<img src=x onerror=alert(1)> `</code>{SCRIPT}`",
        "[a](javascript:alert(1)) **b** <!-- c",
        "`a` ``` `b <i>`",
        '"></div><b>',
    ],
)
def test_no_tag_of_a_students_passes(text: str) -> None:
    whole, check = Tags(words_html(text)), Tags(feedback_html(result(text, step=SCRIPT)))
    for found in (whole, check):
        assert found.tags <= ALLOWED
        assert found.attributes <= ALLOWED_ATTRIBUTES
        assert found.open == []
    assert SCRIPT in check.text


def test_what_a_student_printed_is_escaped() -> None:
    found = Tags(printed_html(SCRIPT))
    assert found.tags <= ALLOWED
    assert SCRIPT in found.text


def test_control_and_direction_characters_and_halves_of_letters_are_gone() -> None:
    text = "a\u202eb\x1b[31mc\x00d\ud800e"
    for shown in (
        feedback_html(result(text)),
        feedback_text(result(text)),
        printed_html(text),
        printed_text(text),
        words_html(text),
    ):
        assert "abcd\\ud800e" in shown
        shown.encode("utf-8")


def test_code_blocks_and_lines_are_kept() -> None:
    text = "Use `a < b`.\nThen:\n\n    x = 1\n      y = 2\n\n\nEnd."
    for html in (feedback_html(result(text)), words_html(text)):
        assert "<p>Use <code>a &lt; b</code>.<br>Then:</p><pre" in html
        assert ">x = 1\n  y = 2</pre><p>End.</p>" in html


def test_nothing_is_taken_for_mathematics() -> None:
    assert re.match(r'<div class="tex2jax_ignore mathjax_ignore">', feedback_html(result("$x$")))
    assert re.match(r'<div class="tex2jax_ignore mathjax_ignore">', words_html("$x$"))
    assert re.match(r'<div class="tex2jax_ignore mathjax_ignore">', printed_html("$x$"))


def test_colours_come_in_pairs() -> None:
    for style in re.findall(r'style="([^"]*)"', feedback_html(result("x"))):
        assert ("background" in style) == ("color:#" in style.replace("background-color:#", ""))


def test_of_what_was_printed_the_first_lines_are_shown() -> None:
    printed = "\n".join(f"line {number}" for number in range(1, 31))
    lines = printed_text(printed).splitlines()
    assert lines[0] == "printed:"
    assert lines[10:] == ["    line 10", "    ... and 20 more lines"]
    assert "line 10\n... and 20 more lines</pre>" in printed_html(printed)
    assert len(printed_text("x" * 10_000)) < 300


def test_nothing_printed_is_not_shown() -> None:
    assert printed_html("\n") == printed_text("") == ""


def test_what_was_printed_is_no_part_of_the_feedback() -> None:
    check = result("words", printed="the inputs")
    assert "the inputs" not in feedback_html(check) + feedback_text(check)


def test_numbers_are_left_out_where_a_table_shows_them() -> None:
    numbers = Numbers("a tensor", ((1.0, "nan"), (3, 4.0)), 4, more_rows=True, more_columns=True)
    check = result(feedback=Feedback(Outcome.WRONG, seen="A.", numbers=numbers, remarks=("b.",)))
    table = "       1.0000       nan ...\n            3    4.0000 ...\n    ..."
    assert check_markdown(check) == f"A.\n\nWhat came back, a tensor:\n\n{table}\n\nRemark: b."
    assert check_markdown(without_numbers(check)) == "A.\n\nRemark: b."


def test_words_that_look_like_numbers_stay() -> None:
    text = "What came back, a tensor:\n\n    1.0 2.0"
    assert check_markdown(without_numbers(result(text))) == text
    assert without_numbers(result()) == result()
