"""Blocks of feedback in every view; whatever a student wrote is text."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from autograder.explain.feedback_text import check_blocks
from autograder.reports.blocks import (
    as_safe_markdown,
    as_text,
    check_parts,
    notebook_output,
    printed_parts,
    summary_parts,
)
from autograder.results import (
    Block,
    CheckResult,
    Feedback,
    Outcome,
    Result,
    as_markdown,
)
from tests.reports.pages.classroom import (
    NOT_STARTED,
    RAISED,
    SCRIPT,
    TRANSPOSED,
    Page,
    check,
    result,
)

pytestmark = pytest.mark.unit

ALLOWED = {"div", "p", "strong", "code", "pre", "br"}
ALLOWED_ATTRIBUTES = {"class", "style"}


def judged(text: str = "", outcome: Outcome = Outcome.WRONG, step: str = "scores") -> CheckResult:
    feedback = Feedback(outcome, message=text) if text else None
    return CheckResult(step, 2.0 * (outcome is Outcome.PASSED), 2.0, outcome, feedback)


def shown(text: str, step: str = "scores") -> list[dict[str, str]]:
    """A text of a student's in each place: in words and code, in the feedback of a check, and printed."""
    blocks = [Block(text), Block(text, is_code=True)]
    parts = (blocks, check_parts(judged(text, step=step)), printed_parts(text))
    return [notebook_output(one) for one in parts]


@pytest.mark.parametrize("outcome", list(Outcome))
def test_every_outcome_is_said_in_words(outcome: Outcome) -> None:
    words = outcome.value.replace("_", " ")
    output = notebook_output(check_parts(judged(outcome=outcome)))
    assert words in Page(output["text/html"].encode()).text
    assert words in output["text/plain"]


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
    pages = [Page(one["text/html"].encode()) for one in shown(text, step=SCRIPT)]
    for found in pages:
        assert {tag for tag, _ in found.tags} <= ALLOWED
        assert {name for _, one in found.tags for name in one} <= ALLOWED_ATTRIBUTES
    assert SCRIPT in pages[1].text
    assert (SCRIPT in pages[2].text) == (SCRIPT in text)


def test_control_and_direction_characters_and_halves_of_letters_are_gone() -> None:
    for one in shown("a\u202eb\x1b[31mc\x00d\ud800e"):
        for text in one.values():
            assert "abcd\\ud800e" in text
            text.encode("utf-8")


def test_code_blocks_and_lines_are_kept() -> None:
    code = Block("x = 1\n  y = 2", is_code=True)
    html_text = notebook_output([Block("Use `a < b`.\nThen:"), code, Block("End.")])["text/html"]
    assert "<p>Use <code>a &lt; b</code>.<br>Then:</p><pre" in html_text
    assert ">x = 1\n  y = 2</pre><p>End.</p>" in html_text


def test_nothing_is_taken_for_mathematics() -> None:
    for one in shown("$x$"):
        assert one["text/html"].startswith('<div class="tex2jax_ignore mathjax_ignore">')


def test_of_what_was_printed_the_first_lines_are_shown() -> None:
    printed = "\n".join(f"line {number}" for number in range(1, 31))
    output = notebook_output(printed_parts(printed))
    lines = output["text/plain"].splitlines()
    assert lines[0] == "printed:"
    assert lines[11:] == ["    line 10", "    ... and 20 more lines"]
    assert "line 10\n... and 20 more lines</pre>" in output["text/html"]
    assert len(notebook_output(printed_parts("x" * 10_000))["text/plain"]) < 300


PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
# Whatever means something in Markdown, alone and put together.
PIECES = [
    *"ab1 `*_<>[]()!#-+=|~:/&;\\\n.\t$\"'{}^",
    "http://", "    ", "```", "![x](y)", "<b>", "- ", "1. ", "\n\n", "| - |", "***", "&lt;", "[x]: y", "__",
]  # fmt: skip


def tags(text: str) -> set[str]:
    return set(re.findall(r"</?([a-z0-9]+)", PARSER.render(text)))


def read(text: str) -> str:
    return re.sub(r"[\s`]+", "", html.unescape(re.sub(r"<[^>]*>", "", PARSER.render(text))))


@given(st.lists(st.sampled_from(PIECES), max_size=20).map("".join))
def test_only_paragraphs_and_code_are_made_and_all_is_read(text: str) -> None:
    safe = as_safe_markdown([Block(text)])
    assert tags(safe) <= {"p", "code", "pre", "br"}
    assert read(safe) == re.sub(r"[\s`]+", "", text)


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "[click](https://example.org)",
        "![](http://example.org/seen.png)",
        "# Full marks",
        "> quoted",
        "**bold** _words_",
        "a | b\n--- | ---\n1 | 2",
    ],
)
def test_the_parser_would_have_read_it(text: str) -> None:
    assert tags(text) - {"p"} or "<script>" in PARSER.render(text)
    assert tags(as_safe_markdown([Block(text)])) == {"p"}


@pytest.mark.parametrize("feedback", [RAISED, TRANSPOSED])
def test_ordinary_words_need_no_backslash(feedback: object) -> None:
    blocks = check_blocks(check("scores", 0, feedback))  # type: ignore[arg-type]
    assert as_safe_markdown(blocks) == as_markdown(blocks)
    power = "Python works from left to right in scores / d_k**1/2."
    assert as_safe_markdown([Block(power)]) == power


def test_an_address_is_no_link() -> None:
    assert as_safe_markdown([Block("see http://example.org or www.example.org")]) == (
        "see http\\://example.org or www\\.example.org"
    )


WRONG = result("a", check("weights", 1, TRANSPOSED), check("context", 0, NOT_STARTED))


def text_of(one: Result) -> str:
    return as_text(summary_parts(one), 1000)


def test_the_text_begins_with_the_score_and_ends_with_what_to_do() -> None:
    assert text_of(WRONG) == (
        "The steps earned 3 of 8 points. 1 of 3 steps is right. Begin with `weights`.\n\n"
        f"`weights`, partly right:\n\n{TRANSPOSED.message} ({TRANSPOSED.seen})\n\n"
        f"Where to look: {TRANSPOSED.hint}\n\nExpected: {TRANSPOSED.expected}"
    )
