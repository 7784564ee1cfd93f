"""The words and numbers of a result, as the formats share them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from autograder.explain.feedback_text import check_markdown
from autograder.results import CheckResult, Outcome, Result, Status
from autograder.text import clean_text

if TYPE_CHECKING:
    from collections.abc import Iterable

PUBLIC_WORDS = (
    "These are the public checks. The mark comes from the instructor's grading, with new inputs."
)


def is_full(check: CheckResult) -> bool:
    """Return whether the check earned all its points."""
    return check.score == check.max_score and check.outcome is not Outcome.UNGRADED


def number(points: float) -> float | int:
    """Return the points as an int where they are whole, else with at most 4 decimals."""
    return int(points) if points == int(points) else round(points, 4)


def points_words(check: CheckResult) -> str:
    """Return the points of a check, such as `0.5 of 2 points`."""
    return f"{number(check.score)} of {number(check.max_score)} points"


def score_words(result: Result) -> str:
    """Return `13 of 20 points`, or why there is no mark."""
    if result.status is Status.UNGRADED:
        return "no mark: the grader failed"
    return f"{number(result.score)} of {number(result.max_score)} points"


def words(check: CheckResult, limit: int = 4_000) -> str:
    """Return the feedback of a check as plain text: safe characters, limited length."""
    return clean_text(check_markdown(check), limit) or check.outcome.words


def headline(check: CheckResult, limit: int = 200) -> str:
    """Return the first paragraph of a check's feedback on one line."""
    first = words(check).split("\n\n", 1)[0]
    return shortened(" ".join(first.split()), limit)


def name_of(result: Result) -> str:
    """Return the student's name on one line, without control characters."""
    return " ".join(clean_text(result.student, 200).split())


def shortened(text: str, limit: int) -> str:
    """Return the text with at most `limit` characters."""
    return text if len(text) <= limit else text[: limit - 3] + "..."


def error_line(check: CheckResult) -> int:
    """Return the line of a plain file where an exception arose; 0 if there is none."""
    lines = check.feedback.lines if check.feedback else ()
    return next((frame.line for frame in reversed(lines) if frame.file.endswith(".py")), 0)


def about_whole(result: Result, limit: int = 4_000) -> str:
    """Return the text about the whole submission. It says whether only public checks ran."""
    text = clean_text(result.output, limit)
    return "\n\n".join(filter(None, (PUBLIC_WORDS if result.public else "", text)))


def utf8(text: str) -> bytes:
    """Return the text as UTF-8. Half surrogate pairs, which it cannot hold, become escapes."""
    return text.encode("utf-8", "backslashreplace")


def lines_bytes(lines: Iterable[str]) -> bytes:
    """Return the lines as UTF-8, each with its end."""
    return utf8("".join(f"{line}\n" for line in lines))


def json_bytes(content: object) -> bytes:
    """Return a JSON document as UTF-8."""
    return utf8(json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n")
