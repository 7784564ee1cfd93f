"""Measure what a wrong step costs the grading process: the known wrong answers once, then each submission.

    python -m benchmarks.explaining [--count N] [--seed N]

All times are computing time of the grading process; the students' code runs in workers. A submission is
graded four times: first to make the known wrong answers, then for the median of three. The time of a right
submission is taken off: wanted are 20 ms for a wrong step, and 40 ms where repairs are tried.
"""

from __future__ import annotations

import random
import statistics
import time
from collections import defaultdict
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

from autograder.assignment.script import without_show_cells
from autograder.assignment.source import load_source
from autograder.exam.draw import draw_exam
from autograder.grading.explaining import Explaining
from autograder.grading.grade import grade
from autograder.sandbox.limits import Limits
from autograder.sandbox.warm import best_sandbox
from autograder.submission.read import Submission
from tests.truth.variant import base_of, rows_of, submission

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autograder.exam.questions import Exam
    from autograder.sandbox.sandbox import Sandbox

ROOT = Path(__file__).parents[1]
ASSIGNMENT = "self_attention"
CLASSES = ("SelfAttention_v1", "SelfAttention_v2")
REPEATS = 3


@dataclass
class Tries:
    """Counts the edits that are tried."""

    count: int = 0

    def counted(self) -> pytest.MonkeyPatch:
        """Count from now on, until the patch is undone."""
        patch, count_tries = pytest.MonkeyPatch(), Explaining.count_tries

        def counting(explaining: Explaining, most: int) -> int:
            self.count += 1
            return count_tries(explaining, most)

        patch.setattr(Explaining, "count_tries", counting)
        return patch


@dataclass
class Graded:
    """The computing time of submissions, in milliseconds, by kind."""

    exam: Exam
    sandbox: Sandbox
    spent: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def add(self, kind: str, source: str) -> None:
        """Grade a submission of a kind; those with tries of repairs are a kind of their own."""
        tries = Tries()
        patch = tries.counted()
        self._milliseconds(source)
        patch.undo()
        name = f"{kind}, with tries" if tries.count else kind
        taken = [self._milliseconds(source) for _ in range(REPEATS)]
        self.spent[name].append(statistics.median(taken))

    def _milliseconds(self, source: str) -> float:
        pieces = ((f"{ASSIGNMENT}.py", source),)
        started = time.process_time()
        grade(self.exam, Submission("student", pieces, "0" * 64), self.sandbox)
        return 1000 * (time.process_time() - started)


def sources(exam: Exam, count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Yield right submissions, and wrong ones of several kinds."""
    chance = random.Random(seed)
    wrong = {
        check.name: [one for one in rows_of(ASSIGNMENT, "wrong") if one.step == check.name]
        for check in exam.assignment.checks
    }
    path = ROOT / "solutions" / ASSIGNMENT / f"{ASSIGNMENT}.py"
    solution = without_show_cells(path.read_text(encoding="utf-8"))

    def edited(base: str, steps: list[str]) -> str:
        for step in steps:
            base = submission(base, chance.choice(wrong[step]))
        return base

    base, steps = base_of(ASSIGNMENT), list(wrong)
    assert exam.substitution is not None
    called = [step for step in steps if step in exam.substitution.uses[CLASSES[0]] - {*CLASSES}]
    for _ in range(count):
        yield "nothing wrong", base
        yield "one step wrong", edited(base, [chance.choice(steps)])
    for _ in range(count // 5):
        yield "every step wrong", edited(base, steps)
        yield "two wrong, called by both classes", edited(solution, chance.sample(called, 2))


@click.command()
@click.option("--count", default=100, help="Submissions with one wrong step.")
@click.option("--seed", default=1, help="Of the run, and of the submissions.")
def main(count: int, seed: int) -> None:
    """Print the cost of what is made once, and of submissions."""
    source = load_source(ROOT / "solutions" / ASSIGNMENT)
    started = time.process_time()
    exam = draw_exam(source, seed)
    drawn = time.process_time()
    for check in exam.assignment.checks:
        exam.make_wrong_answers(check.name)
    made = time.process_time()
    print("once a run (seconds)")
    print(f"  the exam{drawn - started:40.2f}")
    print(f"  the known wrong answers of all steps{made - drawn:12.2f}")
    with closing(best_sandbox(Limits(), probes=source.assignment.probes)) as sandbox:
        graded = Graded(exam, sandbox)
        for kind, text in sources(exam, count, seed):
            graded.add(kind, text)
    right = statistics.median(graded.spent.pop("nothing wrong"))
    print(f"a right submission (ms){right:25.1f}")
    print(
        f"{'a wrong one, beyond that (ms)':<40} {'count':>8} {'median':>8} {'95 %':>8} {'most':>8}"
    )
    for name, spent in graded.spent.items():
        beyond = sorted(one - right for one in spent)
        high = beyond[int(0.95 * (len(beyond) - 1))]
        middle = statistics.median(beyond)
        print(f"  {name:<38} {len(beyond):8} {middle:8.1f} {high:8.1f} {beyond[-1]:8.1f}")


if __name__ == "__main__":
    main()
