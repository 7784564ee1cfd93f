"""Autolab's scores: the last line of what its grader prints."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from autograder.errors import UsageError
from autograder.reports.formats.base import headline, is_full, number, only
from autograder.results import Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograder.reports.formats.base import Surroundings
    from autograder.results import Result


def dump_autolab(results: Sequence[Result], _surroundings: Surroundings) -> bytes:
    """Return the feedback, and the scores as the last line. Raises UsageError if there is no mark."""
    result = only(results, "autolab")
    if result.status is Status.UNGRADED:
        raise UsageError(
            f"{result.student} is ungraded: the grader failed, so there are no scores for Autolab. Grade it again."
        )
    lines = [f"{check.step}: {headline(check)}" for check in result.checks if not is_full(check)]
    scores = {check.step: number(check.score) for check in result.checks}
    last = json.dumps({"scores": scores, "scoreboard": [number(result.score)]}, allow_nan=False)
    return "".join(f"{line}\n" for line in [*lines, last]).encode("utf-8", "backslashreplace")
