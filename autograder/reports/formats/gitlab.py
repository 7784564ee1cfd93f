"""GitLab's Code Quality report: one entry for each check that is not right, shown in the merge request."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from autograder.reports.formats.base import error_line, headline, is_full, json_bytes, number
from autograder.reports.step_state import state_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograder.reports.formats.base import Surroundings
    from autograder.results import CheckResult, Result


def dump_code_quality(results: Sequence[Result], surroundings: Surroundings) -> bytes:
    """Return the report as JSON."""
    entries = [
        _entry(result, check, surroundings.paths.get(result.student, f"{result.assignment}.py"))
        for result in results
        for check in result.checks
        if not is_full(check)
    ]
    return json_bytes(entries)


def _entry(result: Result, check: CheckResult, path: str) -> dict[str, Any]:
    points = f"{number(check.score)} of {number(check.max_score)} points"
    kind = check.mistakes[0] if len(check.mistakes) == 1 else check.outcome.value
    name = "\0".join((result.student, check.step, kind))
    return {
        "description": f"{check.step} ({points}): {headline(check)}",
        "check_name": kind,
        "fingerprint": hashlib.sha256(name.encode("utf-8", "backslashreplace")).hexdigest(),
        "severity": state_of(check).severity,
        "location": {"path": path, "lines": {"begin": error_line(check) or 1}},
    }
