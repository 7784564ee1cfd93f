"""Results as Markdown for GitHub and GitLab: a comment, or GitHub's step summary.

Texts may come from a student's code. They are written as HTML without a line break, which no Markdown
parser reads; names of people and numbers of threads in them are no links.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from autograder.explain.feedback_text import check_blocks
from autograder.reports.blocks import as_html
from autograder.reports.formats.format import Rendered
from autograder.reports.formats.words import PUBLIC_WORDS, score_words, shortened, utf8
from autograder.reports.step_state import state_of
from autograder.results import Block, Outcome, points_number
from autograder.text import clean_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from autograder.reports.formats.format import Export
    from autograder.results import CheckResult, Result

# GitHub refuses a summary above 1 MiB. A comment there has at most 65,536 characters.
SUMMARY_LIMIT = 1_000_000
COMMENT_LIMIT = 65_000

# Keeps `@name` and `#12` from becoming a mention of a person or a link to a thread.
_NO_LINK = "<!-- -->"
# Signs that Markdown may read. Between letters, `_` and `-` mean nothing.
_NOT_PLAIN = re.compile(
    r"(?!(?<=[a-zA-Z0-9])[-_](?=[a-zA-Z0-9]))[^\w ]|(?<![a-zA-Z0-9])_|_(?![a-zA-Z0-9])"
)
_MENTION = re.compile(r"(@|(?<!&)#)(?=\w)")


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
        part = utf8(_section(result))
        if size + len(part) > limit:
            part = utf8(_table(result))
        if size + len(part) > limit:
            left = len(results) - place
            parts.append(
                f"\n{left} more submissions are not shown: this text is limited.\n".encode()
            )
            break
        parts.append(part)
        size += len(part) + 1
    return b"\n".join(parts)


def _section(result: Result) -> str:
    """Return one result with the feedback of each check."""
    details = [_details(check) for check in result.checks if _has_words(check)]
    return "\n".join([_table(result), *details])


def _table(result: Result) -> str:
    lines = [
        f"### {_plain(result.student)}: {score_words(result)}",
        "",
        *([PUBLIC_WORDS, ""] if result.public else []),
    ]
    if result.about:
        lines += [_safe(result.about), ""]
    lines += ["| step | points | result |", "|---|---|---|"]
    lines += [
        f"| {_plain(check.step)} | {_points(check)} | {state_of(check).mark} {check.outcome.words} |"
        for check in result.checks
    ]
    return "\n".join([*lines, ""])


def _details(check: CheckResult) -> str:
    mark = f"{_points(check)} points"
    return (
        f"<details><summary><code>{_plain(check.step)}</code>: {mark}</summary>"
        f"{_safe(check_blocks(check) or [Block(check.outcome.words)])}</details>\n"
    )


def _has_words(check: CheckResult) -> bool:
    return check.outcome is not Outcome.NOT_STARTED and (not check.is_full or bool(check.remarks))


def _points(check: CheckResult) -> str:
    if check.outcome is Outcome.UNGRADED:
        return f"- of {points_number(check.max_score)}"
    return f"{points_number(check.score)} of {points_number(check.max_score)}"


def _plain(text: str) -> str:
    """Return a name for a heading or a cell of a table: one line in which nothing is Markdown or a link."""
    line = clean_text(shortened(" ".join(text.split()), 100))
    return _NOT_PLAIN.sub(lambda found: _entity(found.group()), line)


def _entity(sign: str) -> str:
    return f"&#{ord(sign)};{_NO_LINK if sign in '@#' else ''}"


def _safe(blocks: Iterable[Block]) -> str:
    """Return the blocks as HTML on one line; nothing in it is Markdown, a link or a mention."""
    html = _MENTION.sub(rf"\1{_NO_LINK}", as_html(blocks))
    return html.replace("\n", "&#10;")
