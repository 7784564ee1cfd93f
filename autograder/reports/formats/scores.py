"""The scores of one submission, for Classroom 50, PrairieLearn and Autolab."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from autograder.errors import UsageError
from autograder.records import to_json
from autograder.reports.formats.format import Rendered
from autograder.reports.formats.words import about_whole, headline, lines_bytes, words
from autograder.results import Status, points_number

if TYPE_CHECKING:
    from autograder.reports.formats.format import Export
    from autograder.results import CheckResult, Result

CLASSROOM50_SCHEMA = "classroom50/result/v1"
# Classroom 50's scores are whole numbers, and this kit has fractions of points.
THOUSANDTHS = 1000
# The field of Classroom 50's result, and the runner's environment variable that gives its value.
_CLASSROOM50_FIELDS = {
    "classroom": "CLASSROOM",
    "assignment": "ASSIGNMENT",
    "assignment_type": "ASSIGNMENT_TYPE",
    "owner": "OWNER",
    "submission": "SUBMISSION_TAG",
    "commit": "COMMIT_URL",
    "release": "RELEASE_URL",
    "review": "REVIEW_URL",
}
# PrairieLearn refuses more than 1 MB.
PRAIRIELEARN_OUTPUT = 20_000


def write_classroom50(export: Export) -> Rendered:
    """Write Classroom 50's `result.json` (classroom50/result/v1).

    All scores are in thousandths of a point. Each test also has `points` and `max_points`, which
    Classroom 50 keeps. Raises UsageError for an ungraded submission: then the runner must report an
    error, not a score.
    """
    (result,) = export.results
    if result.status is Status.UNGRADED:
        raise UsageError(
            f"{result.student} is ungraded: the grader failed, so there is no score for Classroom 50. Grade it again."
        )
    tests = [_classroom50_test(check) for check in result.checks]
    content = {
        "schema": CLASSROOM50_SCHEMA,
        **_classroom50_identity(result, export),
        "score": sum(test["score"] for test in tests),
        "max-score": sum(test["max-score"] for test in tests),
        "tests": tests,
    }
    return Rendered(to_json(content))


def _classroom50_identity(result: Result, export: Export) -> dict[str, str]:
    """Return the fields that identify the submission. The runner compares them with the repository."""
    own = {"assignment": result.assignment, "owner": result.student}
    fields = {
        name: export.environment.get(variable) or own.get(name, "")
        for name, variable in _CLASSROOM50_FIELDS.items()
    }
    return fields | {"review": fields["review"] or fields["commit"], "datetime": export.now}


def _classroom50_test(check: CheckResult) -> dict[str, Any]:
    test = {
        "test-name": check.step,
        "passed": check.is_full,
        "score": round(check.score * THOUSANDTHS),
        "max-score": round(check.max_score * THOUSANDTHS),
        "points": points_number(check.score),
        "max_points": points_number(check.max_score),
    }
    return test if check.is_full else test | {"message": headline(check)}


def write_prairielearn(export: Export) -> Rendered:
    """Write PrairieLearn's `results.json`. A submission without a mark is not gradable, so it costs no attempt."""
    (result,) = export.results
    text = about_whole(result)
    gradable = result.status is Status.GRADED
    content: dict[str, Any] = {"gradable": gradable}
    if gradable:
        # Rounded points add up to the same score as in every other format.
        content["score"] = round(result.score / result.max_score, 6)
        content["message"] = text
        content["tests"] = [_prairielearn_test(check) for check in result.checks]
    elif result.status is Status.REJECTED:
        content["format_errors"] = [text]
    else:
        content["message"] = text
    return Rendered(to_json(content))


def _prairielearn_test(check: CheckResult) -> dict[str, Any]:
    return {
        "name": check.step,
        "points": points_number(check.score),
        "max_points": points_number(check.max_score),
        "message": headline(check),
        "output": words(check, PRAIRIELEARN_OUTPUT),
    }


def write_autolab(export: Export) -> Rendered:
    """Write the feedback, and Autolab's scores as the last line. Raises UsageError if there is no mark."""
    (result,) = export.results
    if result.status is Status.UNGRADED:
        raise UsageError(
            f"{result.student} is ungraded: the grader failed, so there are no scores for Autolab. Grade it again."
        )
    lines = [f"{check.step}: {headline(check)}" for check in result.checks if not check.is_full]
    scores = {check.step: points_number(check.score) for check in result.checks}
    last = json.dumps(
        {"scores": scores, "scoreboard": [points_number(result.score)]}, allow_nan=False
    )
    return Rendered(lines_bytes([*lines, last]))
