"""PrairieLearn's `results.json`. A submission without a mark is not gradable, so it costs no attempt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autograder.reports.formats.base import about_whole, headline, json_bytes, number, only, words
from autograder.results import Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograder.reports.formats.base import Surroundings
    from autograder.results import CheckResult, Result

# PrairieLearn refuses more than 1 MB.
OUTPUT_LIMIT = 20_000


def dump_prairielearn(results: Sequence[Result], _surroundings: Surroundings) -> bytes:
    """Return `results.json`. Raises UsageError unless there is one result."""
    result = only(results, "prairielearn")
    text = about_whole(result)
    gradable = result.status is Status.GRADED
    content: dict[str, Any] = {"gradable": gradable}
    if gradable:
        # Rounded points add up to the same score as in every other format.
        content["score"] = round(result.score / result.max_score, 6)
        content["message"] = text
        content["tests"] = [_test(check) for check in result.checks]
    elif result.status is Status.REJECTED:
        content["format_errors"] = [text]
    else:
        content["message"] = text
    return json_bytes(content)


def _test(check: CheckResult) -> dict[str, Any]:
    return {
        "name": check.step,
        "points": number(check.score),
        "max_points": number(check.max_score),
        "message": headline(check),
        "output": words(check, OUTPUT_LIMIT),
    }
