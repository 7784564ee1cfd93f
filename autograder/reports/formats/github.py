"""GitHub's annotations: workflow commands that a step prints.

GitHub shows ten annotations of each kind for a step, so one submission gets at most nine and a last one
that counts the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.reports.formats.base import (
    PUBLIC_WORDS,
    error_line,
    headline,
    is_full,
    name_of,
    number,
    score_words,
)
from autograder.results import Outcome, Status
from autograder.text import clean_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograder.reports.formats.base import Surroundings
    from autograder.results import CheckResult, Result

SHOWN = 10


def dump_annotations(results: Sequence[Result], surroundings: Surroundings) -> bytes:
    """Return one notice with the points, and an error for each check that is not right."""
    notices, errors = [], []
    for result in results:
        notices.append(_notice(result))
        errors += _errors(result, surroundings.paths.get(result.student, ""))
    lines = [*_limited(notices, "notice"), *_limited(errors, "error")]
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")


def _notice(result: Result) -> str:
    words = f"{name_of(result)}: {score_words(result)}."
    if result.public:
        words = f"{words} {PUBLIC_WORDS}"
    return _command("notice", words, title=f"{result.assignment}: points")


def _errors(result: Result, path: str) -> list[str]:
    if result.status is not Status.GRADED and not any(map(_is_wrong, result.checks)):
        first = clean_text(result.output).split("\n", 1)[0]
        return [
            _command(
                "error", f"{name_of(result)}: {first}", title=result.status.value, **_place(path)
            )
        ]
    return [
        _command("error", headline(check), title=_title(check), **_place(path, error_line(check)))
        for check in result.checks
        if _is_wrong(check)
    ]


def _is_wrong(check: CheckResult) -> bool:
    return not is_full(check) and check.outcome is not Outcome.NOT_STARTED


def _title(check: CheckResult) -> str:
    if check.outcome is Outcome.UNGRADED:
        return f"{check.step}: no mark, the grader failed"
    return f"{check.step}: {number(check.score)} of {number(check.max_score)} points"


def _place(path: str, line: int = 0) -> dict[str, str]:
    if not path:
        return {}
    return {"file": path, **({"line": str(line)} if line and path.endswith(".py") else {})}


def _limited(commands: list[str], kind: str) -> list[str]:
    if len(commands) <= SHOWN:
        return commands
    left = len(commands) - SHOWN + 1
    return [*commands[: SHOWN - 1], _command(kind, f"{left} more are in the summary of this run.")]


def _command(kind: str, message: str, **properties: str) -> str:
    named = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{kind}{' ' if named else ''}{named}::{_data(message)}"


def _data(text: str) -> str:
    # The runner also takes `##[` for a command, anywhere in a line.
    return text.replace("##[", "## [").replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
