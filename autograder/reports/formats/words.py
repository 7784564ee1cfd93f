"""The words and numbers of a result, as the formats share them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.explain.feedback_text import check_blocks, check_markdown, total_words
from autograder.explain.wording import listed
from autograder.results import Status, points_words
from autograder.text import clean_text, one_line, utf8

if TYPE_CHECKING:
    from collections.abc import Iterable

    from autograder.results import CheckResult, Result

_PUBLIC = (
    "These are the public checks. The mark comes from the instructor's grading, with new inputs."
)
_MOST_WORDS = 4_000
_LONGEST_NOTE = 200


def public_words(*results: Result) -> str:
    """Say what the points of public checks prove; empty if they are a mark."""
    if not any(result.public for result in results):
        return ""
    return f"{_PUBLIC} {total_words(one for result in results for one in result.checks)}".rstrip()


def score_words(result: Result) -> str:
    """Return `13 of 20 points`, or why there is no mark."""
    if result.status is Status.UNGRADED:
        return "no mark: the grader failed"
    if result.is_untouched:
        return f"nothing handed in yet, {points_words(result)}"
    return points_words(result)


def why_blank(result: Result) -> str:
    """Say why a gradebook gets no mark of a submission: rejected, ungraded or with an unmarked question; else empty.

    A person who overrides a step of a rejected submission, or every ungraded step, has decided: then
    the points count.
    """
    steps = [check for check in result.checks if not check.is_question]
    ungraded = any(check.is_ungraded for check in steps)
    decided = any(check.override for check in result.checks)
    if not ungraded and (result.status is Status.GRADED or decided):
        return f"{listed(result.unmarked)}: nobody has marked it" if result.unmarked else ""
    return f"{result.status.value}: {shortened(result.headline)}"


def words(check: CheckResult) -> str:
    """Return the feedback of a check as plain text: safe characters, limited length."""
    return clean_text(check_markdown(check), _MOST_WORDS) or check.outcome.words


def headline(check: CheckResult) -> str:
    """Return the first paragraph of a check's feedback on one line."""
    lines = (one_line(block.text, _MOST_WORDS) for block in check_blocks(check))
    return shortened(next(filter(None, lines), check.outcome.words))


def name_of(result: Result) -> str:
    """Return the student's name on one line, without control characters."""
    return one_line(result.student, 200)


def shortened(text: str) -> str:
    """Return the text with at most _LONGEST_NOTE characters."""
    return text if len(text) <= _LONGEST_NOTE else text[: _LONGEST_NOTE - 3] + "..."


def error_line(check: CheckResult) -> int:
    """Return the line of a plain file where an exception arose, or the first value that is not right; 0 if none is."""
    raised = [(one.file, one.line) for one in reversed(check.words.lines)]
    marked = [(one.file, one.line) for one in check.words.traced if one.mark not in ("", "right")]
    return next((line for file, line in raised + marked if file.endswith(".py")), 0)


def about_whole(result: Result) -> str:
    """Return the text about the whole submission. It says whether only public checks ran."""
    text = clean_text(result.output, _MOST_WORDS)
    return "\n\n".join(filter(None, (public_words(result), text)))


def lines_bytes(lines: Iterable[str]) -> bytes:
    """Return the lines as UTF-8, each with its end."""
    return utf8("".join(f"{line}\n" for line in lines))
