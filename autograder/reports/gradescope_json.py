"""Write and read one student's `results.json`, in Gradescope's format."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from autograder.explain.feedback_text import check_blocks
from autograder.records import load_json, plain, read, to_json
from autograder.reports.blocks import as_safe_markdown
from autograder.results import CheckResult, Feedback, Outcome, Result

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

RESULTS_FILE = "results.json"


def dump_results(result: Result) -> bytes:
    """Return `results.json` as bytes."""
    content = {
        "score": _points(result.score),
        "execution_time": round(result.execution_time, 3),
        "output": result.output,
        "tests": [_test(number, check) for number, check in enumerate(result.checks, start=1)],
        "extra_data": {
            "assignment": result.assignment,
            "student": result.student,
            "max_score": _points(result.max_score),
            "status": result.status.value,
            "public": result.public,
            "submission_sha256": result.submission_sha256,
            "kit_version": result.kit_version,
            "run": result.run,
            "sandbox": list(result.sandbox),
        },
    }
    return to_json(content)


def _feedback(feedback: Feedback | None) -> dict[str, Any] | None:
    """Return the fields of the feedback by name, without the empty ones."""
    if feedback is None:
        return None
    parts = plain(feedback) | {"also": [_feedback(further) for further in feedback.also]}
    return {name: part for name, part in parts.items() if part}


def _override(check: CheckResult) -> dict[str, Any]:
    """Return the override's entry; nothing without an override. `earned` is the grader's points."""
    if check.override is None:
        return {}
    return {"override": plain(check.override) | {"earned": check.earned}}


def _test(number: int, check: CheckResult) -> dict[str, Any]:
    full = check.score == check.max_score and check.outcome is not Outcome.UNGRADED
    return {
        "name": check.step,
        "number": str(number),
        "score": _points(check.score),
        "max_score": _points(check.max_score),
        "status": "passed" if full else "failed",
        "output": as_safe_markdown(check_blocks(check)),
        "output_format": "md",
        "extra_data": {
            "check": check.step,
            "outcome": check.outcome.value,
            "mistakes": list(check.mistakes),
            "sure": check.sure,
            "remarks": list(check.remarks),
            "carried_forward": check.carried_forward,
            "feedback": _feedback(check.feedback),
            **_override(check),
        },
    }


def _points(points: float) -> float | int:
    return int(points) if points == int(points) else round(points, 4)


def load_results(path: Path) -> Result | None:
    """Load the result from a `results.json`; return None if it is missing or incomplete."""
    try:
        return parse_results(path.read_bytes())
    except OSError:
        return None


def results_in(folder: Path) -> Iterator[tuple[str, bytes, Result | None]]:
    """Yield each student with a `results.json`, sorted: the file's bytes, and the result.

    The result is None if the file cannot be read or is of another student.
    """
    for student in sorted(os.listdir(folder)) if folder.is_dir() else ():  # noqa: PTH208 - texts take less memory
        path = folder / student / RESULTS_FILE
        if not os.path.exists(path):  # noqa: PTH110 - False where it may not be looked for
            continue
        try:
            data = path.read_bytes()
        except OSError:
            yield student, b"", None
            continue
        result = parse_results(data)
        yield student, data, result if result is not None and result.student == student else None


def parse_results(data: bytes) -> Result | None:
    """Return the result from the bytes of a `results.json`; None if they are incomplete."""
    try:
        content = load_json(data)
        fields = dict(content["extra_data"])
        del fields["max_score"]
        fields["checks"] = [_check(test) for test in content["tests"]]
        fields |= {name: content[name] for name in ("output", "execution_time")}
        return read(Result, fields)
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _check(test: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a `CheckResult`."""
    fields = dict(test["extra_data"])
    fields |= {name: float(test[name]) for name in ("score", "max_score")}
    fields["step"] = fields.pop("check")
    if "override" in fields:
        override = dict(fields["override"])
        fields |= {"earned": override.pop("earned"), "override": override}
    if "feedback" not in fields and test["output"]:  # a result of an earlier version
        fields["feedback"] = {"outcome": fields["outcome"], "message": test["output"]}
    return fields
