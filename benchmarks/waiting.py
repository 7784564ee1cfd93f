"""Measure what a student and an instructor wait for, in multiples of the computing time of `import torch`.

Each row is a whole command with all processes that it starts, as computing time. The rows take turns. Of each
the least time counts, since other work on the machine only adds to it, and is divided by that of `import torch`.
pytest runs in an environment with only a student's packages: a developer's extra packages slow it down.
Run it in the project's folder: `python -m benchmarks.waiting [--rounds N]`. Not for Windows.
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
import psutil

from autograder.student.practice import Practice, kept_sandbox
from benchmarks.peers.environment import ROOT, activated, environment
from tests.truth.variant import base_of, rows_of, submission

if TYPE_CHECKING:
    from collections.abc import Callable

NAME = "self_attention"
# A wrong row whose mistake is known, and one for which repairs are tried.
KNOWN, TRIED = "scores_transposed", "context_with_residual"
SAVES = 10
TRIVIAL = """\
import torch


def test_trivial():
    assert torch.ones(2).sum() == 2
"""


@dataclass(frozen=True)
class Row:
    """A command, and the words for it."""

    name: str
    command: list[str]
    folder: Path


def hand_in(scratch: Path, name: str) -> Path:
    """Return a new release in which all steps are right, but for that of a row of the truth table, if it is named."""
    folder = scratch / name
    shutil.copytree(ROOT / "assignments" / NAME, folder)
    text = base_of(NAME)
    for variant in rows_of(NAME, "wrong"):
        if variant.name == name:
            text = submission(text, variant)
    (folder / f"{NAME}.py").write_text(text, encoding="utf-8")
    return folder


def rows(scratch: Path) -> list[Row]:
    """Return all commands; the first one is `import torch`."""
    python = str(environment("student", "--editable=.") / "python")
    trivial = scratch / "trivial"
    trivial.mkdir()
    (trivial / "test_trivial.py").write_text(TRIVIAL)
    (trivial / "pytest.ini").write_text("[pytest]\naddopts = -p no:cacheprovider\n")
    right, known, tried = (hand_in(scratch, name) for name in ("right", KNOWN, TRIED))
    test = [python, "-m", "pytest", "-q"]
    out = ["--assignment", NAME, "--out", str(scratch / "out"), "--fresh", "--allow-degraded"]

    def grade(folder: Path) -> list[str]:
        return [sys.executable, "-m", "autograder.cli", "grade", str(folder / f"{NAME}.py"), *out]

    return [
        Row("python -c 'import torch'", [python, "-c", "import torch"], scratch),
        Row("pytest, one trivial torch test", test, trivial),
        Row("pytest, all steps right", test, right),
        Row("pytest, one known mistake", test, known),
        Row("pytest, one mistake, tries of repairs", test, tried),
        Row("autograder grade, one right hand-in", grade(right), ROOT),
        Row("autograder grade, one known mistake", grade(known), ROOT),
        Row("autograder grade, tries of repairs", grade(tried), ROOT),
    ]


def computing(row: Row) -> float:
    """Return the computing time of a command and of all processes that it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        row.command, cwd=row.folder, env=activated(row.command), capture_output=True, check=False
    )
    if done.returncode not in (0, 1):
        raise SystemExit(done.stdout.decode() + done.stderr.decode())
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def saves(folder: Path) -> float:
    """Return the computing time of the checks after a save of a file, as `watch` makes them."""
    file, taken = folder / f"{NAME}.py", []
    with closing(Practice(folder, kept_sandbox())) as practice:
        for number in range(SAVES + 1):
            with file.open("a", encoding="utf-8") as source:
                source.write(f"# {number}\n")
            taken.append(in_all_processes(partial(_check, practice)))
            practice.prepare()
    return min(taken[1:])  # the first one imports torch


def _check(practice: Practice) -> None:
    practice.take_file()
    list(practice.check_all())
    practice.drop()


def in_all_processes(work: Callable[[], object]) -> float:
    """Return the computing time that work takes in this process and in those below it."""
    before = _together()
    work()
    return _together() - before


def _together() -> float:
    this = psutil.Process()
    below = 0.0
    for process in this.children(recursive=True):
        below += sum(process.cpu_times()[:4])  # its own, and that of its children that have ended
    return time.process_time() + below


@click.command()
@click.option(
    "--rounds", default=5, help="Turns of each command; the first one writes compiled modules."
)
def main(rounds: int) -> None:
    """Print a line for each command."""
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        every = rows(scratch)
        taken: dict[str, list[float]] = {row.name: [] for row in every}
        for _ in range(rounds):
            for row in every:
                taken[row.name].append(computing(row))
        unit = min(taken[every[0].name])
        print(f"computing time, least of {rounds:<19} seconds   times import torch")
        for label, spent in taken.items():
            print(f"  {label:<40} {min(spent):7.2f} {min(spent) / unit:10.2f}")
        for label, wrong in (("one known mistake", KNOWN), ("tries of repairs", TRIED)):
            spent_once = saves(hand_in(scratch / "saves", wrong))
            print(f"  {f'after a save, {label}':<40} {spent_once:7.2f}")


if __name__ == "__main__":
    main()
