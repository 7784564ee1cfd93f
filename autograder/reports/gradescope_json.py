"""Write and read one student's `results.json`, in Gradescope's format."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from autograder.explain.feedback_text import check_blocks
from autograder.reports.blocks import as_safe_markdown
from autograder.reports.feedback_json import dump_feedback, load_feedback
from autograder.results import CheckResult, Feedback, Outcome, Override, Result, Status

if TYPE_CHECKING:
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
    return (json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode(
        "utf-8", "backslashreplace"
    )


def _override(check: CheckResult) -> dict[str, Any]:
    """Return the override's entry; nothing without an override. `earned` is the grader's points."""
    if check.override is None:
        return {}
    return {"override": asdict(check.override) | {"earned": check.earned}}


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
            "feedback": dump_feedback(check.feedback),
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


def parse_results(data: bytes) -> Result | None:
    """Return the result from the bytes of a `results.json`; None if they are incomplete."""
    try:
        content = json.loads(data.decode("utf-8"))
        extra = content["extra_data"]
        return Result(
            assignment=extra["assignment"],
            student=extra["student"],
            status=Status(extra["status"]),
            checks=tuple(_check(test) for test in content["tests"]),
            output=content["output"],
            public=extra["public"],
            submission_sha256=extra["submission_sha256"],
            kit_version=extra["kit_version"],
            run=extra["run"],
            sandbox=tuple(extra["sandbox"]),
            execution_time=float(content["execution_time"]),
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _check(test: dict[str, Any]) -> CheckResult:
    extra = test["extra_data"]
    override = dict(extra.get("override", {}))
    earned = override.pop("earned", None)
    return CheckResult(
        step=extra["check"],
        score=float(test["score"]),
        max_score=float(test["max_score"]),
        outcome=Outcome(extra["outcome"]),
        feedback=_feedback(test),
        mistakes=tuple(extra["mistakes"]),
        sure=extra["sure"],
        remarks=tuple(extra["remarks"]),
        carried_forward=extra["carried_forward"],
        override=Override(**override) if override else None,
        earned=earned,
    )


def _feedback(test: dict[str, Any]) -> Feedback | None:
    """Load the feedback. Results of earlier versions have only its text."""
    extra, text = test["extra_data"], test["output"]
    if "feedback" in extra:
        return load_feedback(extra["feedback"])
    return Feedback(Outcome(extra["outcome"]), message=text) if text else None
