"""`autograder mutants`: what an author reads about the small edits of a reference."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from autograder.assignment.source import load_source
from autograder.commands import mutants as command
from autograder.exam.mutant_search import search_mutants
from autograder.exam.mutants import MUTANTS, Hole, Mutant, StepMutants, dump_mutants
from tests.command_line import Invoked, invoke
from tests.toy import ADD, edit, write_toy

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, StepMutants]:
    """The toy's mutants. `shift` gets a hole and a small one, which the toy has not."""
    source = load_source(write_toy(tmp_path_factory.mktemp("mutants")) / "toy")
    steps = search_mutants(source)
    sign = edit("sign", ADD, "START", "-START")
    steps["shift"].holes += (Hole(Mutant("shift", sign), (2,)),)
    steps["shift"].too_small = 1
    return steps


@pytest.fixture
def solutions(tmp_path: Path, found: dict[str, StepMutants]) -> Path:
    folder = write_toy(tmp_path)
    source = load_source(folder / "toy")
    (folder / "toy" / MUTANTS).write_bytes(dump_mutants(source, found))
    return folder


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch, found: dict[str, StepMutants]) -> list[str]:
    names: list[str] = []

    def search(source: object, *_: object) -> dict[str, StepMutants]:
        names.append(type(source).__name__)
        return found

    monkeypatch.setattr(command, "search_mutants", search)
    return names


def said(solutions: Path, *arguments: str) -> Invoked:
    return invoke(["mutants", *arguments, "--solutions", str(solutions)], alone=True)


def test_each_step_is_in_one_line(solutions: Path, searches: list[str]) -> None:
    done = said(solutions, "toy")
    assert (done.exit_code, done.stderr) == (0, "")
    double, shift, last = done.stdout.splitlines()
    figures = (
        r"\d+ small edits, \d+ give no answer, \d+ different wrong answers, \d+ compute the same, "
        r"{} differ too little, {} pass and should not"
    )
    assert re.fullmatch(f"double: {figures.format(0, 0)}", double)
    assert re.fullmatch(f"shift: {figures.format(1, 1)}", shift)
    assert last == "`autograder mutants toy STEP` lists those of one step."
    assert searches == []


def test_the_edits_of_a_step_are_listed_those_without_words_first(solutions: Path) -> None:
    done = said(solutions, "toy", "double")
    assert done.exit_code == 0
    assert "shift" not in done.stdout
    _, without, written, holes = done.stdout.split("\n\n")
    count = re.match(r"Without words of yours \((\d+)\):", without)
    assert count
    assert sum(not line.startswith("   ") for line in without.splitlines()[1:]) == int(count[1])
    assert "       double: 3   for   2.0\n" in without
    assert written.startswith("Written mistakes (1):\n  ")
    assert "= unchanged\n       double: " in written
    assert "unchanged" not in without
    assert "       double: x   for   np.multiply(x, 2.0)" in written
    assert holes == "Pass and should not (0):\n"


def test_holes_are_listed_with_their_seeds(solutions: Path) -> None:
    *_, holes = said(solutions, "toy", "shift").stdout.split("\n\n")
    assert holes == (
        "Pass and should not (1):\n  sign seeds (2,)\n       shift: -START   for   START\n"
    )


def test_cases_show_the_numbers(solutions: Path) -> None:
    plain, shown = said(solutions, "toy", "double"), said(solutions, "toy", "double", "--cases")
    assert shown.exit_code == 0
    assert "gives: " not in plain.stdout
    lines = shown.stdout.splitlines()
    place = lines.index("       double: 3   for   2.0")
    pairs = [line.rpartition(": ") for line in lines[place + 1 : place + 3]]
    assert [head.partition(":")[0] for head, _, _ in pairs] == ["       right", "       gives"]
    right, gives = ([float(one) for one in numbers.split(", ")] for _, _, numbers in pairs)
    assert [1.5 * number for number in right] == pytest.approx(gives, abs=2e-3)
    assert [line for line in lines if not line.startswith(("       right", "       gives"))] == (
        plain.stdout.splitlines()
    )


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


def test_a_mistake_that_a_corner_hides_is_a_written_one(root: Path) -> None:
    listed = said(root / "solutions", "self_attention", "attention_weights").stdout
    assert "= softmax_over_the_queries" in listed.partition("Written mistakes")[2]


def test_a_reader_that_ends_first_reads_of_no_failure(solutions: Path) -> None:
    words = ["mutants", "toy", "--solutions", str(solutions)]
    command = [sys.executable, "-m", "autograder.cli", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
