"""Write and read one student's `results.json`, in Gradescope's format."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from autograder.explain.feedback_text import check_blocks
from autograder.grading.overrides import LATE
from autograder.records import load_json, plain, read
from autograder.reports.blocks import as_safe_markdown
from autograder.results import (
    Block,
    CheckResult,
    Feedback,
    Late,
    Result,
    Status,
    points_number,
)
from autograder.text import utf8

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from autograder.submission.hand_in import HandIn


RESULTS_FILE = "results.json"
_ENCODE = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def dump_results(result: Result) -> bytes:
    """Return `results.json` as bytes."""
    tests = [_test(number, check) for number, check in enumerate(result.checks, start=1)]
    content = {
        "score": points_number(result.score),
        "execution_time": round(result.execution_time, 3),
        "output": result.output,
        "tests": [*tests, *_late(len(tests) + 1, result.late)],
        "extra_data": {
            "assignment": result.assignment,
            "student": result.student,
            "max_score": points_number(result.max_score),
            "status": result.status.value,
            "public": result.public,
            "submission_sha256": result.submission_sha256,
            "kit_version": result.kit_version,
            "run": result.run,
            "round": result.round,
            "sandbox": list(result.sandbox),
            **({"late": _filled(result.late)} if result.late else {}),
            **({"about": [_filled(block) for block in result.about]} if result.about else {}),
        },
    }
    return _lines(content)


def _lines(content: dict[str, Any]) -> bytes:
    """Return plain data as JSON, a line for each entry and for each test.

    `json.dumps(content, indent=1)` takes ten times as long.
    """
    tests = ",\n  ".join(map(_ENCODE, content["tests"]))
    parts = {name: _ENCODE(part) for name, part in content.items() if name != "tests"}
    parts["tests"] = f"[\n  {tests}\n ]"
    text = ",\n ".join(f'"{name}": {parts[name]}' for name in content)
    return utf8(f"{{\n {text}\n}}\n")


def _feedback(feedback: Feedback | None) -> dict[str, Any] | None:
    """Return the fields of the feedback by name, without the empty ones."""
    if feedback is None:
        return None
    return _filled(feedback) | (
        {"also": list(map(_feedback, feedback.also))} if feedback.also else {}
    )


def _late(number: int, late: Late | None) -> list[dict[str, Any]]:
    """Return the line of what it costs to be late; none if it costs nothing."""
    if late is None or not (late.points or late.override):
        return []
    line = {
        "name": LATE,
        "number": str(number),
        "score": points_number(late.points),
        "max_score": 0,
        "status": "failed" if late.points else "passed",
        "output": as_safe_markdown([Block(late.text)]),
        "output_format": "md",
        "extra_data": {LATE: True},
    }
    return [line]


def _filled(record: Feedback | Block | Late) -> dict[str, Any]:
    """Return the fields of a record that are not empty."""
    return {name: part for name, part in plain(record).items() if part}


def _override(check: CheckResult) -> dict[str, Any]:
    """Return the entries of an override, with `earned`, the grader's points, and of a question."""
    question = {"is_question": True} if check.is_question else {}
    if check.override is None:
        return question
    return question | {"override": plain(check.override) | {"earned": check.earned}}


def _test(number: int, check: CheckResult) -> dict[str, Any]:
    return {
        "name": check.step,
        "number": str(number),
        "score": points_number(check.score),
        "max_score": points_number(check.max_score),
        "status": "passed" if check.is_full else "failed",
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


def load_results(path: Path) -> Result | None:
    """Load the result from a `results.json`; return None if it is missing or incomplete."""
    try:
        return parse_results(path.read_bytes())
    except OSError:
        return None


def results_in(folder: Path) -> Iterator[tuple[str, Result | None]]:
    """Yield each student with a `results.json`, sorted, and the result.

    It is None if the file cannot be read or is of another student.
    """
    for path in sorted(folder.glob(f"*/{RESULTS_FILE}")):
        student, result = path.parent.name, load_results(path)
        yield student, result if result is not None and result.student == student else None


def is_graded(result: Result, run: str, submission: HandIn) -> bool:
    """Return whether this is the result of the same submission in the run with this id, and a grade."""
    same = (result.run, result.submission_sha256) == (run, submission.sha256)
    return same and result.status is Status.GRADED


def parse_results(data: bytes) -> Result | None:
    """Return the result from the bytes of a `results.json`; None if they are incomplete."""
    try:
        content = load_json(data)
        fields = dict(content["extra_data"])
        del fields["max_score"]
        tests = [test for test in content["tests"] if not test["extra_data"].get(LATE)]
        fields["checks"] = [_check(test) for test in tests]
        fields["execution_time"] = content["execution_time"]
        return read(Result, {"about": [], **fields})
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
    return fields
