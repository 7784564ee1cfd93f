"""`autograder mutants`: what an author reads about the small edits of a reference."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from autograder.assignment.source import load_source
from autograder.commands import mutants as command
from autograder.exam.mutants import MUTANTS, Hole, Mutant, StepMutants, dump_mutants
from tests.command_line import Invoked, invoke
from tests.toy import ADD, MULTIPLY, edit, write_toy

if TYPE_CHECKING:
    from pathlib import Path

SIGN = Mutant("shift", edit("sign", ADD, "START", "-START"))
WHOLE = Mutant("double", edit("constant-other", MULTIPLY, "2.0", "2"))
FOUND = {
    "double": StepMutants(count=98, raised=31, equivalent=9, different=45),
    "shift": StepMutants(
        count=70, raised=20, equivalent=7, too_small=1, different=30,
        holes=(Hole(SIGN, (2,)), Hole(WHOLE, (1, 2))),
    ),
}  # fmt: skip
DOUBLE = (
    "double: 98 small edits, 31 give no answer, 45 different wrong answers, 9 compute the same, "
    "0 differ too little, 0 pass and should not\n"
)
SHIFT = """\
shift: 70 small edits, 20 give no answer, 30 different wrong answers, 7 compute the same, \
1 differ too little, 2 pass and should not
  sign seeds (2,)
       shift: -START   for   START
  constant-other seeds (1, 2)
       double: 2   for   2.0
"""


@pytest.fixture
def solutions(tmp_path: Path) -> Path:
    folder = write_toy(tmp_path)
    source = load_source(folder / "toy")
    (folder / "toy" / MUTANTS).write_bytes(dump_mutants(source, FOUND))
    return folder


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    names: list[str] = []

    def search(source: object, *_: object) -> dict[str, StepMutants]:
        names.append(type(source).__name__)
        return FOUND

    monkeypatch.setattr(command, "search_mutants", search)
    return names


def said(solutions: Path, *arguments: str) -> Invoked:
    return invoke(["mutants", *arguments, "--solutions", str(solutions)], alone=True)


def test_each_step_is_in_one_line_and_its_holes_below(solutions: Path, searches: list[str]) -> None:
    done = said(solutions, "toy")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == DOUBLE + SHIFT
    assert searches == []


@pytest.mark.parametrize(("step", "lines"), [("double", DOUBLE), ("shift", SHIFT)])
def test_of_one_step_only_its_lines_are_printed(solutions: Path, step: str, lines: str) -> None:
    done = said(solutions, "toy", step)
    assert (done.exit_code, done.stdout) == (0, lines)


def test_an_assignment_that_is_not_built_is_searched_and_nothing_is_written(
    solutions: Path, searches: list[str]
) -> None:
    built = said(solutions, "toy").stdout
    file = solutions / "toy" / MUTANTS
    for content in ("{", '{"digest": "0", "steps": {}}'):
        file.write_text(content)
        done = said(solutions, "toy")
        assert (done.exit_code, done.stdout) == (0, built)
        assert file.read_text() == content
    file.unlink()
    assert said(solutions, "toy").stdout == built
    assert len(searches) == 3
    assert not file.exists()


def test_an_unknown_step_is_said_before_the_search(solutions: Path, searches: list[str]) -> None:
    (solutions / "toy" / MUTANTS).unlink()
    done = said(solutions, "toy", "duoble")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == "autograder: There is no step 'duoble'. Did you mean 'double'?\n"
    assert searches == []


def test_a_reader_that_ends_first_reads_of_no_failure(solutions: Path) -> None:
    words = ["mutants", "toy", "--solutions", str(solutions)]
    command = [sys.executable, "-m", "autograder.cli", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
