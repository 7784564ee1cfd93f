"""The record of a course platform's format, and helpers that the formats share."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from autograder.errors import UsageError
from autograder.explain.feedback_text import check_markdown
from autograder.results import CheckResult, Outcome, Result, Status
from autograder.text import clean_text

PUBLIC_WORDS = (
    "These are the public checks. The mark comes from the instructor's grading, with new inputs."
)


@dataclass(frozen=True)
class Surroundings:
    """The data that a format needs besides the results.

    Attributes:
        paths: the path of each student's file, relative to the root of the repository.
        environment: the environment variables that the platform sets.
        now: the time in UTC, as in 2026-06-01T14:32:01Z.
    """

    paths: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    now: str = ""


Dump = Callable[[Sequence[Result], Surroundings], bytes]


@dataclass(frozen=True)
class PlatformFormat:
    """One format of a course platform.

    Attributes:
        file: the usual name of the file.
        dump: writes the results as bytes. Raises UsageError if the format cannot hold them.
        printed: the platform reads it from the standard output.
        variable: the environment variable with the path of a file of the platform, to which `added` is
            appended.
    """

    name: str
    file: str
    about: str
    dump: Dump
    printed: bool = False
    variable: str = ""
    added: Dump | None = None


def only(results: Sequence[Result], name: str) -> Result:
    """Return the one result. Raises UsageError for none or several: the format has no place for them."""
    if len(results) != 1:
        raise UsageError(
            f"{name} holds one submission, and there are {len(results)}. Give the folder of one run of one submission."
        )
    return results[0]


def is_full(check: CheckResult) -> bool:
    """Return whether the check earned all its points."""
    return check.score == check.max_score and check.outcome is not Outcome.UNGRADED


def number(points: float) -> float | int:
    """Return the points as an int where they are whole, else with at most 4 decimals."""
    return int(points) if points == int(points) else round(points, 4)


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


def json_bytes(content: object) -> bytes:
    """Return a JSON document as bytes. Half surrogate pairs, which UTF-8 cannot hold, become escapes."""
    text = json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    return text.encode("utf-8", "backslashreplace")


def about_whole(result: Result, limit: int = 4_000) -> str:
    """Return the text about the whole submission. It says whether only public checks ran."""
    text = clean_text(result.output, limit)
    return "\n\n".join(filter(None, (PUBLIC_WORDS if result.public else "", text)))


def score_words(result: Result) -> str:
    """Return `13 of 20 points`, or why there is no mark."""
    if result.status is Status.UNGRADED:
        return "no mark: the grader failed"
    return f"{number(result.score)} of {number(result.max_score)} points"
