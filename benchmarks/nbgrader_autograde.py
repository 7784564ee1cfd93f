"""Grade the same class with stock nbgrader, with nbgrader and this kit, and with `autograder grade`.

Each student's cells are the same for all three. Stock nbgrader has typical course tests in hidden
test cells (`peers/course_tests.py`), which check less than the kit does. The three take turns, so
that changes in machine load affect all equally. They run in this interpreter's environment, which
must have the kit's extra `instructor`. Run it in the project's folder:
`python -m benchmarks.nbgrader_autograde [--rounds N]`.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING

import nbformat
import psutil

from autograder.assignment.source import load_source
from benchmarks.peers.answers import Answer, example_answers, reference_answer
from benchmarks.peers.course_tests import course_tests
from benchmarks.peers.environment import ROOT, call, seconds
from benchmarks.peers.kit import ASSIGNMENT
from benchmarks.peers.nbgrader import Nbgrader, filled
from benchmarks.peers.notebooks import write_notebook

if TYPE_CHECKING:
    from autograder.assignment.source import Source

STUDENTS = 20
Times = dict[str, list[float]]
BIN = Path(sys.executable).parent
NBGRADER = str(BIN / "nbgrader")


def class_of(source: Source, size: int) -> list[Answer]:
    """Return `size` answers: the reference and the examples that parse and do not hang, repeated."""
    examples = example_answers(ROOT / "examples" / "submissions", source.assignment)
    different = [reference_answer(source), *examples]
    copies = islice(cycle(different), size)
    return [replace(answer, name=f"s{number:03}") for number, answer in enumerate(copies)]


def make_course(folder: Path, answers: list[Answer]) -> None:
    """Make a course with this project's settings and all submissions."""
    folder.mkdir()
    settings = (ROOT / "nbgrader_config.py").read_text()
    settings += f"c.GradingExporter.solutions = {str(ROOT / 'solutions')!r}\n"
    (folder / "nbgrader_config.py").write_text(settings)
    places = ["--assignments", str(folder / "assignments"), "--course", str(folder / "course")]
    call([str(BIN / "autograder"), "build", ASSIGNMENT, *places], ROOT)
    call([NBGRADER, "generate_assignment", ASSIGNMENT, "--force"], folder)
    notebook = f"{ASSIGNMENT}.ipynb"
    for answer in answers:
        released = nbformat.read(folder / "assignments" / ASSIGNMENT / notebook, as_version=4)
        place = folder / "course" / "submitted" / answer.name / ASSIGNMENT
        write_notebook(place / notebook, filled(released.cells, answer))


def stock_command(stock: Nbgrader, folder: Path, student: str = "*") -> None:
    """Run stock nbgrader on one student or all."""
    call([*stock.command(), f"--student={student}"], folder)


def kit_command(course: Path, student: str = "*") -> None:
    """Run nbgrader with the kit on one student or all."""
    call([NBGRADER, "autograde", ASSIGNMENT, "--force", f"--student={student}"], course)


def grade_command(course: Path, out: Path, student: str = "") -> None:
    """Run `autograder grade` on nbgrader's notebooks."""
    shutil.rmtree(out, ignore_errors=True)
    command = [str(BIN / "autograder"), "grade", str(course / "course" / "submitted" / student)]
    call([*command, "--assignment", ASSIGNMENT, "--out", str(out)], ROOT)


def main() -> None:
    """Set up the courses, run the three in turns, and print the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="turns for each")
    rounds = parser.parse_args().rounds
    source = load_source(ROOT / "solutions" / ASSIGNMENT)
    answers = class_of(source, STUDENTS)
    print(
        f"nbgrader {version('nbgrader')}, torch {version('torch')}, {os.cpu_count()} cores, "
        f"{psutil.cpu_percent(interval=1):.0f} % busy with other work"
    )
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        stock = Nbgrader(scratch / "stock", answers, course_tests(source), source, NBGRADER)
        course = scratch / "kit"
        make_course(course, answers)
        commands = {
            "nbgrader autograde, stock": partial(stock_command, stock, scratch / "stock"),
            "nbgrader autograde, with the kit": partial(kit_command, course),
            "autograder grade": partial(grade_command, course, scratch / "out"),
        }
        one: dict[str, list[float]] = {name: [] for name in commands}
        everybody: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(rounds):
            for name, command in commands.items():
                one[name].append(seconds(partial(command, answers[0].name)))
                everybody[name].append(seconds(command))
        print_table(one, everybody, rounds)


def print_table(one: Times, everybody: Times, rounds: int) -> None:
    """Print the time of a class and of each student after the first; ratios are stock to each."""
    wholes = {name: statistics.median(times) for name, times in everybody.items()}
    firsts = {name: statistics.median(times) for name, times in one.items()}
    further = {name: (wholes[name] - firsts[name]) / (STUDENTS - 1) for name in wholes}
    stock = next(iter(wholes))
    print(
        f"\n{f'median of {rounds}':34}{STUDENTS} notebooks, whole command    each after the first"
    )
    for name, whole in wholes.items():
        ratio, marginal = wholes[stock] / whole, further[stock] / further[name]
        print(
            f"{name:34}{whole:10.1f} s {ratio:6.1f} times{further[name]:16.2f} s {marginal:6.1f} times"
        )


if __name__ == "__main__":
    main()
