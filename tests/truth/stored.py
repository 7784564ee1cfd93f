"""What grading gives for each row of the truth tables and of the slips, kept like golden text.

`stored/<assignment>.jsonl` has a line for each row, and in it each step that is not simply right: the points that it
loses, its outcome, its mistakes and its remarks, for the exam of seed 1. Write the files again, and review the change:

    python -m tests.truth.stored
    git diff tests/truth/stored
"""

from __future__ import annotations

import contextlib
import functools
import io
import json
import tempfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from autograder.results import Outcome
from tests.exams import ASSIGNMENTS
from tests.truth.slips.slip import Slip, all_slips
from tests.truth.variant import Variant, rows_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from autograder.results import CheckResult

    # What is kept of a step, by its name; nothing of one that is simply right.
    Steps = dict[str, dict[str, Any]]

STORED = Path(__file__).parent / "stored"
# Tests that grade rows in yet another way take one row in so many.
SAMPLE = 10


@dataclass(frozen=True)
class Row:
    kind: Literal["wrong", "accepted", "slip"]
    assignment: str
    of: Variant | Slip

    @property
    def name(self) -> str:
        return f"{self.kind} {self.of.name}"

    @property
    def step(self) -> str:
        """The step that the row is about; that of a slip may be the file as a whole."""
        return self.of.step if isinstance(self.of, Variant) else self.of.where


@functools.cache
def rows_in(assignment: str) -> tuple[Row, ...]:
    """Return all rows of an assignment, in the order in which they are stored."""
    variants = [
        Row(kind, assignment, variant)
        for kind in ("wrong", "accepted")
        for variant in rows_of(assignment, kind)
    ]
    slips = [Row("slip", assignment, one) for one in all_slips() if one.assignment == assignment]
    return (*variants, *slips)


def every_row() -> list[Row]:
    return [row for assignment in ASSIGNMENTS for row in rows_in(assignment)]


@functools.cache
def stored(assignment: str) -> dict[str, Steps]:
    lines = (STORED / f"{assignment}.jsonl").read_text(encoding="utf-8").splitlines()
    entries = map(json.loads, lines)
    return {entry["row"]: entry["steps"] for entry in entries}


def stored_of(row: Row) -> Steps:
    """Return what is stored of a row. Raises KeyError if the files were not written since it was added."""
    return stored(row.assignment)[row.name]


def kept(check: CheckResult) -> dict[str, Any]:
    """Return what is stored of a step; nothing if it is simply right."""
    found = {
        "lost": check.max_score - check.score,
        "outcome": "" if check.outcome is Outcome.PASSED else check.outcome.value,
        "mistakes": list(check.mistakes),
        "remarks": list(check.remarks),
        "first": check.carried_forward,
    }
    return {name: value for name, value in found.items() if value}


def not_simply_right(checks: Iterable[CheckResult]) -> Steps:
    return {check.step: told for check in checks if (told := kept(check))}


def assert_as_stored(row: Row, checks: Iterable[CheckResult]) -> None:
    """Assert that these steps of a row got what is stored of them."""
    checks = list(checks)
    asked = {check.step for check in checks}
    wanted = {name: told for name, told in stored_of(row).items() if name in asked}
    assert not_simply_right(checks) == wanted, report(row, checks)


def report(row: Row, checks: Iterable[CheckResult], wanted: Steps | None = None) -> str:
    """Return all about a row that was graded: its place, what each step got and should get, the student's text."""
    from autograder.explain.feedback_text import check_markdown  # noqa: PLC0415 - only for a failure

    expected = stored_of(row) if wanted is None else wanted
    lines = [f"{row.of.place}: {row.name} in {row.assignment}"]
    for check in checks:
        got, right = kept(check), expected.get(check.step, {})
        differs = "  " if got == right else "! "
        lines.append(f"{differs}{check.step}: {short(got)}")
        if got != right:
            lines.append(f"  wanted: {short(right)}")
        if got or right:
            lines += [f"    | {line}" for line in check_markdown(check).splitlines()]
    return "\n".join(lines)


def short(told: dict[str, Any]) -> str:
    return json.dumps(told) if told else "right"


def line(row: Row, checks: Iterable[CheckResult]) -> str:
    return json.dumps({"row": row.name, "steps": not_simply_right(checks)}, ensure_ascii=False)


def main() -> None:
    from autograder.sandbox.limits import Limits  # noqa: PLC0415 - who reads the files needs no torch
    from autograder.sandbox.warm import best_sandbox  # noqa: PLC0415
    from tests.sandbox.conftest import PERMISSIVE  # noqa: PLC0415
    from tests.truth.graded import whole  # noqa: PLC0415

    STORED.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(best_sandbox(Limits(), layers=PERMISSIVE)) as sandbox,
    ):
        for assignment in ASSIGNMENTS:
            with contextlib.redirect_stdout(io.StringIO()):
                lines = [
                    line(row, whole(row, sandbox, Path(folder)).checks)
                    for row in rows_in(assignment)
                ]
            path = STORED / f"{assignment}.jsonl"
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
            print(f"{path.name}: {len(lines)} rows")


if __name__ == "__main__":
    main()
