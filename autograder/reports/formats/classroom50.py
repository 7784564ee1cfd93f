"""The result of one submission for Classroom 50."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autograder.errors import UsageError
from autograder.records import to_json
from autograder.reports.formats.format import Rendered
from autograder.reports.formats.words import headline
from autograder.results import Status, points_number

if TYPE_CHECKING:
    from autograder.reports.formats.format import Export
    from autograder.results import CheckResult, Result

SCHEMA = "classroom50/result/v1"
# Classroom 50's scores are whole numbers, and this kit has fractions of points.
THOUSANDTHS = 1000
# The field of Classroom 50's result, and the runner's environment variable that gives its value.
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


def write_classroom50(export: Export) -> Rendered:
    """Write Classroom 50's `result.json` (classroom50/result/v1).

    All scores are in thousandths of a point. Each test also has `points` and `max_points`, which
    Classroom 50 keeps. Raises UsageError unless there is exactly one submission, and for an ungraded one: then the
    runner must report an error, not a score.
    """
    if len(export.results) != 1:
        raise UsageError(
            f"classroom50 holds one submission, and there are {len(export.results)}. Give one student's folder."
        )
    (result,) = export.results
    if result.status is Status.UNGRADED:
        raise UsageError(
            f"{result.student} is ungraded: the grader failed, so there is no score for Classroom 50. Grade it again."
        )
    tests = [_test(check) for check in result.checks]
    content = {
        "schema": SCHEMA,
        **_identity(result, export),
        "score": sum(test["score"] for test in tests),
        "max-score": sum(test["max-score"] for test in tests),
        "tests": tests,
    }
    return Rendered(to_json(content))


def _identity(result: Result, export: Export) -> dict[str, str]:
    """Return the fields that identify the submission. The runner compares them with the repository."""
    own = {"assignment": result.assignment, "owner": result.student}
    fields = {
        name: export.environment.get(variable) or own.get(name, "")
        for name, variable in _FIELDS.items()
    }
    return fields | {"review": fields["review"] or fields["commit"], "datetime": export.now}


def _test(check: CheckResult) -> dict[str, Any]:
    test = {
        "test-name": check.step,
        "passed": check.is_full,
        "score": round(check.score * THOUSANDTHS),
        "max-score": round(check.max_score * THOUSANDTHS),
        "points": points_number(check.score),
        "max_points": points_number(check.max_score),
    }
    return test if check.is_full else test | {"message": headline(check)}
