"""What is wrong beside the student's own lines: GitHub's annotations and GitLab's Code Quality report."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any

from autograder.records import to_json
from autograder.reports.formats.format import Rendered
from autograder.reports.formats.markdown import step_summary
from autograder.reports.formats.words import (
    error_line,
    headline,
    lines_bytes,
    name_of,
    public_words,
    score_words,
)
from autograder.reports.step_state import state_of
from autograder.results import Outcome, Status, points_words
from autograder.text import clean_text, utf8, without_commands

if TYPE_CHECKING:
    from autograder.reports.formats.format import Export
    from autograder.results import CheckResult, Result

# The start of `::error`. A slice such as `x[::2]` stays as it is.
_WITHIN = re.compile(r":(?=:[a-z])", re.IGNORECASE)


def write_github(export: Export) -> Rendered:
    """Write workflow commands that a step prints: a notice with the points, an error for each wrong check.

    GitHub shows ten of each kind. The step summary, which has all, is added to the file that GitHub names.
    """
    notices, errors = [], []
    for result in export.results:
        notices.append(_notice(result))
        errors += _errors(result, export.path_of(result))
    return Rendered(lines_bytes([*notices, *errors]), added=step_summary(export.results))


def _notice(result: Result) -> str:
    words = f"{name_of(result)}: {score_words(result)}."
    words = f"{words} {public_words(result)}".rstrip()
    return _command("notice", words, title=f"{result.assignment}: points")


def _errors(result: Result, path: str) -> list[str]:
    if result.status is not Status.GRADED and not any(map(_is_wrong, result.checks)):
        words = f"{name_of(result)}: {clean_text(result.headline)}"
        return [_command("error", words, title=result.status.value, **_place(path))]
    return [
        _command("error", headline(check), title=_title(check), **_place(path, error_line(check)))
        for check in result.checks
        if _is_wrong(check)
    ]


def _is_wrong(check: CheckResult) -> bool:
    return not check.is_full and check.outcome is not Outcome.NOT_STARTED


def _title(check: CheckResult) -> str:
    if check.outcome is Outcome.UNGRADED:
        return f"{check.step}: no mark, the grader failed"
    return f"{check.step}: {points_words(check)}"


def _place(path: str, line: int = 0) -> dict[str, str]:
    if not path:
        return {}
    return {
        "file": clean_text(path),
        **({"line": str(line)} if line and path.endswith(".py") else {}),
    }


def _command(kind: str, message: str, **properties: str) -> str:
    named = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{kind}{' ' if named else ''}{named}::{_data(message)}"


def _data(text: str) -> str:
    # GitHub and Azure read some commands anywhere in a line.
    safe = without_commands(_WITHIN.sub(": ", text))
    return safe.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def write_gitlab(export: Export) -> Rendered:
    """Write GitLab's report: one entry for each check that is not right, shown in the merge request."""
    entries = [
        _entry(result, check, export.path_of(result) or f"{result.assignment}.py")
        for result in export.results
        for check in result.checks
        if not check.is_full
    ]
    return Rendered(to_json(entries))


def _entry(result: Result, check: CheckResult, path: str) -> dict[str, Any]:
    kind = check.mistakes[0] if len(check.mistakes) == 1 else check.outcome.value
    name = "\0".join((result.student, check.step, kind))
    return {
        "description": f"{check.step} ({points_words(check)}): {headline(check)}",
        "check_name": kind,
        "fingerprint": hashlib.sha256(utf8(name)).hexdigest(),
        "severity": state_of(check).severity,
        "location": {"path": clean_text(path), "lines": {"begin": error_line(check) or 1}},
    }
