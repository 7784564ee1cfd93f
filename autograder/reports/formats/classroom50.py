"""Classroom 50's `result.json` (classroom50/result/v1).

Its scores are whole numbers, and this kit has fractions of points: all scores are in thousandths of a
point. Each test also has `points` and `max_points`, which Classroom 50 keeps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autograder.errors import UsageError
from autograder.reports.formats.base import headline, is_full, json_bytes, number, only
from autograder.results import Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograder.reports.formats.base import Surroundings
    from autograder.results import CheckResult, Result

SCHEMA = "classroom50/result/v1"
THOUSANDTHS = 1000
# The field of the result, and the runner's environment variable that gives its value.
_FIELDS = {
    "classroom": "CLASSROOM",
    "assignment": "ASSIGNMENT",
    "assignment_type": "ASSIGNMENT_TYPE",
    "owner": "OWNER",
    "submission": "SUBMISSION_TAG",
    "commit": "COMMIT_URL",
    "release": "RELEASE_URL",
    "review": "REVIEW_URL",
}


def dump_classroom50(results: Sequence[Result], surroundings: Surroundings) -> bytes:
    """Return `result.json`.

    Raises UsageError unless there is one result, or if it is ungraded: then the runner must report an
    error, not a score.
    """
    result = only(results, "classroom50")
    if result.status is Status.UNGRADED:
        raise UsageError(
            f"{result.student} is ungraded: the grader failed, so there is no score for Classroom 50. Grade it again."
        )
    tests = [_test(check) for check in result.checks]
    content = {
        "schema": SCHEMA,
        **_identity(result, surroundings),
        "score": sum(test["score"] for test in tests),
        "max-score": sum(test["max-score"] for test in tests),
        "tests": tests,
    }
    return json_bytes(content)


def _identity(result: Result, surroundings: Surroundings) -> dict[str, str]:
    """Return the fields that identify the submission. The runner compares them with the repository."""
    own = {"assignment": result.assignment, "owner": result.student}
    fields = {
        name: surroundings.environment.get(variable) or own.get(name, "")
        for name, variable in _FIELDS.items()
    }
    return fields | {"review": fields["review"] or fields["commit"], "datetime": surroundings.now}


def _test(check: CheckResult) -> dict[str, Any]:
    test = {
        "test-name": check.step,
        "passed": is_full(check),
        "score": round(check.score * THOUSANDTHS),
        "max-score": round(check.max_score * THOUSANDTHS),
        "points": number(check.score),
        "max_points": number(check.max_score),
    }
    return test if is_full(check) else test | {"message": headline(check)}
