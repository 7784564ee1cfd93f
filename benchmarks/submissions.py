"""Compare the time per submission of this kit, a bare interpreter, pytest, nbgrader and Otter-Grader.

All grade the same answers: the reference's steps and the example submissions. The others run typical
course tests (`peers/course_tests.py`), which check less than the kit does. They take turns, in a new
order each round, so that changes in machine load affect all equally. Run it in the project's folder:
`python -m benchmarks.submissions [--quick]`. The first run installs nbgrader and Otter-Grader into
`.bench/`, each with its own torch: 2.6 GB.
"""

from __future__ import annotations

import argparse
import os
import platform
import secrets
import statistics
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import psutil

from autograder.assignment.source import load_source
from autograder.exam.draw import draw_exam
from autograder.grading.run_seed import SEED_BITS
from autograder.sandbox.fresh import FreshSandbox
from autograder.sandbox.limits import Limits
from autograder.sandbox.warm import best_sandbox
from benchmarks.peers import nbgrader, otter
from benchmarks.peers.answers import (
    Answer,
    cheating_answer,
    example_answers,
    reference_answer,
    slow_answer,
)
from benchmarks.peers.course_tests import course_tests
from benchmarks.peers.environment import ROOT, call, seconds
from benchmarks.peers.kit import ASSIGNMENT, PARTS, Kit, grade_command, time_command
from benchmarks.peers.memory import memory
from benchmarks.peers.nbgrader import Nbgrader
from benchmarks.peers.otter import Otter
from benchmarks.peers.processes import Interpreter, Pytest

if TYPE_CHECKING:
    from autograder.assignment.source import Source
    from benchmarks.peers.course_tests import CourseTest

# Only 1 % of the answers are slower than the 99th percentile, so hundreds of answers are needed.
ENOUGH_FOR_PERCENTILES = 100
PAUSE = 0.4
# This student's answer loses points for mistakes; a copy with a cheating line is graded too.
CHEAT = "farid-h"
# The default limits of `autograder grade` for a worker.
LIMITS = Limits(memory=4096)
IMPORT_TORCH = [sys.executable, "-c", "import torch"]


class Grader(Protocol):
    """A grader; `grade` returns the mark, or None if the grader gives no marks."""

    name: str

    def grade(self, answer: Answer) -> float | None: ...


@dataclass(frozen=True)
class Size:
    """The amount of measurements.

    Attributes:
        rounds: turns of each grader.
        warm: answers in each turn of the warm kit, which is much faster than the others.
        classes: how often one command grades the whole class.
        copies: submissions in the folder for `autograder grade`.
    """

    rounds: int
    warm: int
    classes: int
    copies: int


FULL = Size(rounds=12, warm=25, classes=2, copies=60)
QUICK = Size(rounds=3, warm=20, classes=1, copies=20)


@dataclass(frozen=True)
class Field:
    """All graders, ready to grade."""

    source: Source
    answers: list[Answer]
    cheating: Answer
    slow: Answer
    warm: Kit
    fresh: Kit
    interpreter: Interpreter
    pytest: Pytest
    nbgrader: Nbgrader
    otter: Otter

    @property
    def graders(self) -> list[Grader]:
        """Return all graders that grade one answer at a time."""
        kits: list[Grader] = [self.warm, self.fresh]
        return [*kits, self.interpreter, self.pytest, self.nbgrader, self.otter]


def set_up(scratch: Path, stack: ExitStack) -> Field:
    """Give all graders the answers, and let the kit's workers import torch before measuring."""
    source = load_source(ROOT / "solutions" / ASSIGNMENT)
    examples = example_answers(ROOT / "examples" / "submissions", source.assignment)
    answers = [reference_answer(source), *examples]
    slow = slow_answer(source, PAUSE)
    cheating = cheating_answer(next(one for one in answers if one.name == CHEAT))
    all_answers = [*answers, cheating, slow]
    tests: list[CourseTest] = course_tests(source)
    exam = draw_exam(source, secrets.randbits(SEED_BITS))
    warm = best_sandbox(LIMITS, probes=source.assignment.probes)
    fresh = FreshSandbox(LIMITS)
    stack.callback(warm.close)
    stack.callback(fresh.close)
    return Field(
        source,
        answers,
        cheating,
        slow,
        Kit("the kit", scratch / "warm", all_answers, exam, warm),
        Kit("the kit, a fresh worker each", scratch / "fresh", all_answers, exam, fresh),
        Interpreter(scratch / "interpreter", all_answers),
        Pytest(scratch / "pytest", all_answers, tests),
        Nbgrader(scratch / "nbgrader", all_answers, tests, source),
        Otter(scratch / "otter", all_answers, tests),
    )


def print_machine() -> None:
    """Print what was measured, and on which machine.

    Other load slows the kit most, because the kit switches between processes most often.
    """
    packages = f"torch {version('torch')}, {nbgrader.PACKAGE}, {otter.PACKAGE}"
    print(f"Python {platform.python_version()}, {packages}, {os.cpu_count()} cores", end="")
    print(f", {busy():.0f} % busy with other work\n")


def busy() -> float:
    """Return the load of the processors while the benchmark waits."""
    return float(psutil.cpu_percent(interval=1))


def compare_marks(field: Field) -> None:
    """Grade all answers once with each grader, untimed, and print the marks.

    The times of a grader that rejects right answers would mean nothing.
    """
    judges: list[Grader] = [field.warm, field.pytest, field.nbgrader, field.otter]
    print(f"{'marks':16}" + "".join(f"{judge.name.split(',')[0]:>20}" for judge in judges))
    for answer in [*field.answers, field.cheating]:
        marks = [judge.grade(answer) for judge in judges]
        if answer is field.answers[0] and set(marks) != {field.source.assignment.max_score}:
            raise SystemExit(f"The reference's own answers get {marks}.")
        print(f"{answer.name:16}" + "".join(f"{mark:20g}" for mark in marks))


def take_turns(field: Field, size: Size) -> dict[str, list[float]]:
    """Return the seconds for each answer, by grader."""
    taken: dict[str, list[float]] = {grader.name: [] for grader in field.graders}
    for number in range(size.rounds):
        order = field.graders[number % len(field.graders) :] + field.graders
        for grader in order[: len(field.graders)]:
            turns = size.warm if grader is field.warm else 1
            for turn in range(turns):
                answer = field.answers[(number + turn) % len(field.answers)]
                taken[grader.name].append(seconds(partial(grader.grade, answer)))
    return taken


def grade_classes(field: Field, size: Size) -> dict[str, list[float]]:
    """Return the seconds for each answer if one command grades all answers."""
    graders = {
        "nbgrader autograde, all at once": field.nbgrader.grade_all,
        "otter's API, all in one process": field.otter.grade_all,
    }
    taken: dict[str, list[float]] = {name: [] for name in graders}
    everybody = len([*field.answers, field.cheating, field.slow])
    for _ in range(size.classes):
        for name, grade_all in graders.items():
            taken[name].append((seconds(grade_all) - PAUSE) / everybody)  # the slow answer's pause
    return taken


def print_times(taken: dict[str, list[float]], unit: float) -> None:
    """Print a line for each grader, with ratios to the kit's median."""
    print(f"\n{'seconds a submission':36}median  99 % (slowest)  a minute   times ours")
    for name, all_seconds in taken.items():
        median = statistics.median(all_seconds)
        high = max(all_seconds)
        mark = f"({high:.3f})"
        if len(all_seconds) >= ENOUGH_FOR_PERCENTILES:
            mark = f"{statistics.quantiles(all_seconds, n=100)[98]:.3f}"
        rate = 60 / statistics.mean(all_seconds)
        print(f"{name:36}{median:6.3f}{mark:>14}{rate:12.0f}{median / unit:12.1f}")


def print_command(field: Field, size: Size, scratch: Path) -> None:
    """Print the time of the whole command, against an interpreter that only imports torch.

    The command grades copies of the reference.
    """
    folder = scratch / "copies"
    for number in range(size.copies):
        path = folder / f"s{number:03}" / f"{ASSIGNMENT}.py"
        path.parent.mkdir(parents=True)
        path.write_text(reference_answer(field.source).module)
    torch, first, total = [], [], []
    for _ in range(size.classes):
        torch.append(seconds(partial(call, IMPORT_TORCH, ROOT)))
        times = time_command([folder], scratch / "out")
        first.append(times[0])
        total.append(times[1])
    bare = statistics.median(torch)
    print(f"\nautograder grade, {size.copies} submissions, one worker")
    for name, taken in (
        ("python -c 'import torch'", torch),
        ("its first result", first),
        ("all", total),
    ):
        median = statistics.median(taken)
        print(f"  {name:34}{median:6.2f} s{median / bare:8.2f} times import torch")


def print_memory(field: Field, scratch: Path) -> None:
    """Print the memory of each command on one answer with a pause in its last step."""
    path = scratch / "warm" / field.slow.name
    commands = {
        "autograder grade": grade_command([path], scratch / "memory"),
        field.interpreter.name: field.interpreter.command(field.slow),
        field.pytest.name: field.pytest.command(field.slow),
        field.nbgrader.name: field.nbgrader.command(field.slow),
        field.otter.name: field.otter.command(field.slow),
    }
    folders = {field.nbgrader.name: scratch / "nbgrader", field.otter.name: scratch / "otter"}
    print(f"\n{'MB (PSS)':36}process with the answer   its own   all processes")
    for name, command in commands.items():
        seen = memory(command, folders.get(name, ROOT))
        if seen is None:
            print(f"{name:36}this system does not say")
        else:
            print(f"{name:36}{seen.child:12.0f}{seen.own:20.0f}{seen.together:14.0f}")


def print_profile(field: Field, repeats: int) -> None:
    """Print the kit's time for the reference by part, over the fastest quarter of the repeats."""
    answer = field.answers[0]
    profiles = [field.warm.profile(answer) for _ in range(repeats)]
    profiles = sorted(profiles, key=lambda profile: profile["whole"])[: repeats // 4]
    whole = statistics.median(profile["whole"] for profile in profiles)
    print(f"\n{field.warm.name}, the reference{'ms':>13}    share")
    for part in (*PARTS, "whole"):
        median = statistics.median(profile.get(part, 0.0) for profile in profiles)
        print(f"  {part:36}{1000 * median:7.2f}{100 * median / whole:7.0f} %")


def main() -> None:
    """Set up all graders, measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few repetitions")
    size = QUICK if parser.parse_args().quick else FULL
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        scratch = Path(name)
        field = set_up(scratch, stack)
        print_machine()
        compare_marks(field)
        taken = take_turns(field, size)
        taken |= grade_classes(field, size)
        print_times(taken, statistics.median(taken[field.warm.name]))
        print(
            f"once: generate_assignment {field.nbgrader.first:.1f} s, otter generate {field.otter.first:.1f} s"
        )
        print_command(field, size, scratch)
        print_memory(field, scratch)
        print_profile(field, size.rounds * size.warm)
        print(f"\nat the end {busy():.0f} % busy with other work")


if __name__ == "__main__":
    main()
