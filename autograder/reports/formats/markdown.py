"""Results as Markdown for GitHub and GitLab: a comment, or GitHub's step summary.

Texts may come from a student's code. All is written as HTML without a line break, which no Markdown parser reads; names
of people and numbers of threads in it are no links.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from markupsafe import Markup

from autograder.explain.feedback_text import check_blocks
from autograder.reports.blocks import as_html
from autograder.reports.formats.format import Rendered
from autograder.reports.formats.words import name_of, public_words, score_words
from autograder.reports.step_state import state_of
from autograder.results import Block, Outcome, paragraphs, points_number
from autograder.text import utf8

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograder.reports.formats.format import Export
    from autograder.results import CheckResult, Result

# GitHub refuses a summary above 1 MiB. A comment there has at most 65,536 characters.
SUMMARY_LIMIT = 1_000_000
COMMENT_LIMIT = 65_000

# `@name` and `#12` become a mention of a person or a link to a thread, unless a comment stands in between.
_MENTION = re.compile(r"(@|(?<!&)#)(?=\w)")
_HEAD = Markup("<h3>{}: {}</h3>")
_ROW = Markup("<tr><td>{}</td><td>{}</td><td>{} {}</td></tr>")
_TABLE = Markup("<table><tr><th>step</th><th>points</th><th>result</th></tr>{}</table>")
_DETAILS = Markup("<details><summary><code>{}</code>: {} points</summary>{}</details>")


def write_comment(export: Export) -> Rendered:
    """Write all results as a comment, below GitHub's limit."""
    return Rendered(_document(export.results, COMMENT_LIMIT))


def step_summary(results: Sequence[Result]) -> bytes:
    """Return all results as a step summary, below GitHub's limit."""
    return _document(results, SUMMARY_LIMIT)


def _document(results: Sequence[Result], limit: int) -> bytes:
    parts: list[bytes] = []
    size = 200  # for the last line
    for place, result in enumerate(results):
        brief = _brief(result)
        part = _lines([*brief, *_details(result)])
        if size + len(part) > limit:
            part = _lines(brief)
        if size + len(part) > limit:
            left = len(results) - place
            parts.append(f"{left} more submissions are not shown: this text is limited.\n".encode())
            break
        parts.append(part)
        size += len(part)
    return b"".join(parts)


def _lines(parts: Sequence[Markup]) -> bytes:
    """Return each part on one line, in which nothing is Markdown, a link or a mention."""
    safe = (_MENTION.sub(r"\1<!-- -->", part).replace("\n", "&#10;") for part in parts if part)
    return utf8("".join(f"{part}\n\n" for part in safe))


def _brief(result: Result) -> list[Markup]:
    """Return the points of one result."""
    rows = (
        _ROW.format(check.step, _points(check), state_of(check).mark, check.outcome.words)
        for check in result.checks
    )
    return [
        _HEAD.format(name_of(result), score_words(result)),
        as_html(paragraphs(public_words(result))),
        as_html(result.about),
        _TABLE.format(Markup("").join(rows)),
    ]


def _details(result: Result) -> list[Markup]:
    """Return the feedback of each check that has some."""
    return [
        _DETAILS.format(
            check.step,
            _points(check),
            as_html(check_blocks(check) or [Block(check.outcome.words)]),
        )
        for check in result.checks
        if check.outcome is not Outcome.NOT_STARTED and (not check.is_full or check.remarks)
    ]


def _points(check: CheckResult) -> str:
    if check.outcome is Outcome.UNGRADED:
        return f"- of {points_number(check.max_score)}"
    return f"{points_number(check.score)} of {points_number(check.max_score)}"
