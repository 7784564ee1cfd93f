"""Feedback as Markdown: what a student wrote is shown as it is, by a real parser."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from autograder.explain.feedback_text import check_markdown
from autograder.reports.safe_markdown import safe_markdown
from tests.reports.pages.classroom import RAISED, TRANSPOSED, check

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
# Whatever means something in Markdown, alone and put together.
PIECES = [
    *"ab1 `*_<>[]()!#-+=|~:/&;\\\n.\t$\"'{}^",
    "http://", "    ", "```", "![x](y)", "<b>", "- ", "1. ", "\n\n", "| - |", "***", "&lt;", "[x]: y", "__",
]  # fmt: skip


def tags(text: str) -> set[str]:
    return set(re.findall(r"</?([a-z0-9]+)", PARSER.render(text)))


def read(text: str) -> str:
    """What a reader sees, without white space and without the signs around code."""
    return re.sub(r"[\s`]+", "", html.unescape(re.sub(r"<[^>]*>", "", PARSER.render(text))))


@given(st.lists(st.sampled_from(PIECES), max_size=20).map("".join))
def test_only_paragraphs_and_code_are_made_and_all_is_read(text: str) -> None:
    safe = safe_markdown(text)
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
    assert tags(safe_markdown(text)) == {"p"}


def test_the_kits_own_forms_stay() -> None:
    safe = safe_markdown(check_markdown(check("scores", 0, RAISED)))
    assert tags(safe) == {"p", "code", "pre"}
    assert "<pre><code>work.py, line 3, in scores" in PARSER.render(safe)


@pytest.mark.parametrize("feedback", [RAISED, TRANSPOSED])
def test_ordinary_words_need_no_backslash(feedback: object) -> None:
    text = check_markdown(check("scores", 0, feedback))  # type: ignore[arg-type]
    assert safe_markdown(text) == text
    power = "Python works from left to right in scores / d_k**1/2. Write d_k**0.5."
    assert safe_markdown(power.partition(" Write")[0]) == power.partition(" Write")[0]


def test_an_address_is_no_link() -> None:
    assert safe_markdown("see http://example.org or www.example.org") == (
        "see http\\://example.org or www\\.example.org"
    )
