"""The JSON that GitHub Classroom's reporter reads from a runner, in base64.

The reporter adds up the scores of the tests and divides by `max_score`. It needs at least one test, and a
number for each score. GitHub passes the text on in an environment variable, so each message is short.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from autograder.reports.formats.base import (
    headline,
    is_full,
    json_bytes,
    number,
    only,
    shortened,
    words,
)
from autograder.results import Status
from autograder.text import clean_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograder.reports.formats.base import Surroundings
    from autograder.results import CheckResult, Result

VERSION = 3
MESSAGE_LIMIT = 500


def dump_classroom(results: Sequence[Result], _surroundings: Surroundings) -> bytes:
    """Return what the reporter reads, as JSON. Raises UsageError unless there is one result."""
    content = _content(only(results, "github-classroom"))
    return json_bytes(content)


def dump_output(results: Sequence[Result], surroundings: Surroundings) -> bytes:
    """Return the same as the line that a step adds to `$GITHUB_OUTPUT`."""
    return b"result=" + base64.b64encode(dump_classroom(results, surroundings)) + b"\n"


def _content(result: Result) -> dict[str, Any]:
    status = "pass" if all(map(is_full, result.checks)) else "fail"
    tests = [_test(result, check) for check in result.checks]
    content = {
        "version": VERSION,
        "status": "error" if result.status is not Status.GRADED else status,
        "max_score": number(result.max_score),
        "tests": tests,
    }
    if result.output:
        content["message"] = shortened(clean_text(result.output), MESSAGE_LIMIT)
    return content


def _test(result: Result, check: CheckResult) -> dict[str, Any]:
    full = is_full(check)
    test = {
        "name": check.step,
        "status": "pass" if full else "fail",
        "score": number(check.score),
        "max_score": number(check.max_score),
        "test_code": f"pytest -k {check.step}",
        "task_id": 0,
        "filename": result.assignment,
        "line_no": 0,
        "duration": 0,
    }
    if not full:
        test["message"] = headline(check, MESSAGE_LIMIT)
        test["output"] = shortened(words(check), MESSAGE_LIMIT)
    return test
