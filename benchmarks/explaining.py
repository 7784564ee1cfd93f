"""Measure the cost of explanations: a run's tables once, then each submission.

    python -m benchmarks.explaining [--count N] [--seed N]

All times are CPU time in this process. A run computes its tables once, at the first wrong answer: the
known wrong answers.
Explaining a submission then costs at most 20 ms: the grading time without the student's code, minus
the same for a correct submission. Each is the median of three.
"""

from __future__ import annotations

import itertools
import os
import random
import statistics
import time
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from autograder.assignment.script import without_show_cells
from autograder.assignment.source import load_source
from autograder.exam.draw import draw_exam
from autograder.grading.grader import Grader
from autograder.testing import open_in_process
from tests.truth.variant import base_of, rows_of, submission

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autograder.exam.questions import Exam
    from tests.truth.variant import Variant

ROOT = Path(__file__).parents[1]
ASSIGNMENT = "self_attention"
CLASSES = ("SelfAttention_v1", "SelfAttention_v2")


class _Clocked:
    """A session that counts the CPU seconds of the student's code."""

    def __init__(self, session: Any) -> None:
        self._session = session
        self.seconds = 0.0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)

    def observe_all(self, requests: Any) -> Any:
        return map(self.observe, requests)

    def observe(self, *asked: Any) -> Any:
        started = time.process_time()
        try:
            return self._session.observe(*asked)
        finally:
            self.seconds += time.process_time() - started


def explaining(exam: Exam, source: str) -> float:
    """Return the milliseconds of grading a submission, without its own code."""
    session = _Clocked(open_in_process(exam, source))
    started = time.process_time()
    grader = Grader(exam, session)  # type: ignore[arg-type]
    for check in exam.assignment.checks:
        grader.check(check)
    return 1000 * (time.process_time() - started - session.seconds)


def cold(seed: int) -> tuple[Exam, list[tuple[str, float]]]:
    """Return a new exam, and the seconds for drawing it and for its tables."""
    source = load_source(ROOT / "solutions" / ASSIGNMENT)
    times = [time.process_time()]
    exam = draw_exam(source, seed)
    times.append(time.process_time())
    for check in exam.assignment.checks:
        exam.make_wrong_answers(check.name)
    times.append(time.process_time())
    spent = [after - before for before, after in itertools.pairwise(times)]
    return exam, list(zip(["the exam", "known wrong answers"], spent, strict=True))


def kinds(exam: Exam, count: int, seed: int) -> Iterator[tuple[str, list[str]]]:
    """Yield wrong submissions of several kinds."""
    chance = random.Random(seed)
    wrong: dict[str, list[Variant]] = {check.name: [] for check in exam.assignment.checks}
    for variant in rows_of(ASSIGNMENT, "wrong"):
        wrong[variant.step].append(variant)
    path = ROOT / "solutions" / ASSIGNMENT / f"{ASSIGNMENT}.py"
    solution = without_show_cells(path.read_text(encoding="utf-8"))

    def edited(base: str, steps: list[str]) -> str:
        for step in steps:
            base = submission(base, chance.choice(wrong[step]))
        return base

    base, steps = base_of(ASSIGNMENT), list(wrong)
    called = [step for step in steps if step in exam_uses(exam) and step not in CLASSES]
    yield "nothing wrong", [base] * count
    yield "one step wrong", [edited(base, [chance.choice(steps)]) for _ in range(count)]
    yield "every step wrong", [edited(base, steps) for _ in range(count)]
    two = [chance.sample(called, 2) for _ in range(count)]
    yield "two wrong, called by both classes", [edited(solution, steps) for steps in two]


def exam_uses(exam: Exam) -> set[str]:
    """Return the steps that the reference's classes call."""
    assert exam.substitution is not None
    return exam.substitution.uses[CLASSES[0]]


@click.command()
@click.option("--count", default=100, help="Submissions of each kind.")
@click.option("--seed", default=1, help="Of the run, and of the submissions.")
def main(count: int, seed: int) -> None:
    """Print the cost of tables and explanations."""
    exam, tables = cold(seed)
    print("tables, once a run (CPU seconds)")
    for name, seconds in [*tables, ("together", sum(seconds for _, seconds in tables))]:
        print(f"  {name:<36} {seconds:6.2f}")
    print(f"a submission, tables warm (CPU ms)     {'median':>8} {'95 %':>8} {'most':>8}")
    for name, sources in kinds(exam, count, seed):
        with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere):
            for source in sources:
                explaining(exam, source)  # computes the tables first
            spent = sorted(
                statistics.median(explaining(exam, source) for _ in range(3)) for source in sources
            )
        high = spent[int(0.95 * (len(spent) - 1))]
        print(f"  {name:<36} {statistics.median(spent):8.1f} {high:8.1f} {spent[-1]:8.1f}")


if __name__ == "__main__":
    main()
