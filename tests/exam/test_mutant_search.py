"""The search for mutants, on an assignment whose edits do all that an edit may do."""

from __future__ import annotations

import signal
import sys
from itertools import islice
from typing import TYPE_CHECKING

import pytest

from autograder.assignment.source import load_source
from autograder.errors import AssignmentError
from autograder.exam import mutant_search
from autograder.exam.edits import edits_of, in_words
from autograder.exam.mutant_search import search_mutants
from autograder.release.trial import holes
from tests.exams import ASSIGNMENTS, source_of
from tests.toy import edit, write_toy

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from autograder.assignment.source import Source
    from autograder.exam.edits import Edit
    from autograder.exam.mutants import StepMutants

SCRIPT = """\
# %%
import os

import numpy as np


"""
CASES = """\
from autograder import drawn
"""
CHECKS = """\
from autograder import check
"""


def write(folder: Path, *, holes: str = "", **steps: tuple[str, str]) -> Source:
    """Write an assignment of steps of one argument, each with its body and its drawn input; return it loaded."""
    home = folder / "solutions" / "odd"
    home.mkdir(parents=True)
    script, cases, checks = SCRIPT, CASES, CHECKS
    for name, (body, drawn) in steps.items():
        script += f"# %%\ndef {name}(x):\n    ### BEGIN SOLUTION\n{body}    ### END SOLUTION\n\n\n"
        cases += f'\n\n@drawn("{name}")\ndef for_{name}(draw):\n    return {{"x": {drawn}}}\n'
        checks += (
            f'\n\n@check(points=1)\ndef test_{name}(student, case):\n    """Right."""\n'
            f"    return student.{name}(case.x)\n"
        )
    (home / "odd.py").write_text(script)
    (home / "cases.py").write_text(f"{cases}\n\n{holes}")
    (home / "test_odd.py").write_text(checks)
    return load_source(home)


MATRIX = "draw.normal(draw.tokens, draw.d_k)"
PLAIN = ("    return x * 2\n", MATRIX)
LOOP = (
    "    count = 0\n    while count < 3:\n        count = count + 1\n    return x * count\n",
    MATRIX,
)


ONE = "def one(x):\n    return x * 1\n"
# Few of its edits never end.
WAITS = ("    while len(x) < 1:\n        pass\n    return x * 2\n", MATRIX)


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Leave only the edits with these codes and texts, for a search in this process."""

    def leave(*edits: Edit) -> None:
        monkeypatch.setattr(mutant_search, "edits_of", lambda _: iter(edits))

    return leave


def here(source: Source, *seeds: int) -> dict[str, StepMutants]:
    """What is found on the exams of these seeds."""
    return search_mutants(source, seeds or (1, 2))


def edits(source: Source, step: StepMutants) -> set[tuple[str, str]]:
    """The code and the new text of the mutant of each group."""
    sources = {cell.id: cell.source for cell in source.script}
    return {
        (group.mutant.edit.code, in_words(sources[group.mutant.cell], group.mutant.edit)[0][1])
        for group in step.groups
    }


def test_wrong_answers_are_grouped_and_the_plainest_edit_is_first(tmp_path: Path) -> None:
    source = write(tmp_path, twice=PLAIN)
    step = here(source)["twice"]
    assert step.count > 40
    assert 0 < step.raised < step.count
    assert len(step.groups) > 20
    assert not step.holes
    first = step.groups[0]
    assert first.origins[0][1] == first.mutant.edit.code
    for group in step.groups:
        assert group.criterion == "value"
        assert len(group.origins) <= 4
        assert len(set(group.origins)) == len(group.origins)
    squares = next(one for one in step.groups if ("twice", "operation-left-out") in one.origins)
    assert ("twice", "returned-earlier") in squares.origins, "both give x back"


def test_what_computes_the_same_is_counted(tmp_path: Path) -> None:
    step = here(write(tmp_path, twice=PLAIN))["twice"]
    assert 0 < step.equivalent < step.count
    assert step.figures["small edits"] == step.count > step.raised + 1


def test_what_differs_by_less_than_three_tolerances_is_too_small(
    tmp_path: Path, only: Callable[..., None]
) -> None:
    source = write(tmp_path, one=("    return x * 1\n", "draw.normal(1, scale=2.0)"))
    only(
        edit("constant-other", ONE, "1", "1.000001"),
        edit("one-more", ONE, "1", "1.00006"),  # wrong where the drawn number is above 2
        edit("absolute", ONE, "1", "1.03"),
    )
    step = here(source, *range(1, 9))["one"]
    assert (step.equivalent, step.too_small) == (1, 1)
    assert step.holes == ()
    assert "absolute" in [group.mutant.edit.code for group in step.groups]


# An edit that drops the sign of one drawn number: half of all draws do not show it.
ONE_NUMBER = ("    return x * 1\n", "draw.normal(1)")
ABSOLUTE = edit("absolute", ONE, "x * 1", "abs(x)")
HOLES = 'HOLES = {"one": {"absolute": "no draw is sure to be negative"}}\n'


def test_an_edit_that_passes_in_some_exam_is_a_hole(
    tmp_path: Path, only: Callable[..., None]
) -> None:
    source = write(tmp_path, one=ONE_NUMBER)
    only(ABSOLUTE)
    [hole] = here(source, *range(1, 9))["one"].holes
    assert hole.mutant.edit == ABSOLUTE
    assert 0 < len(hole.seeds) < 8
    shown = here(source, *(seed for seed in range(1, 9) if seed not in hole.seeds))["one"]
    assert (shown.holes, len(shown.groups)) == ((), 1)


def test_a_hole_is_a_problem_of_the_cases_unless_it_is_declared(
    tmp_path: Path, only: Callable[..., None]
) -> None:
    only(ABSOLUTE)
    source = write(tmp_path / "silent", one=ONE_NUMBER)
    steps = here(source, *range(1, 9))
    [problem] = holes(source, steps)
    assert (problem.file, problem.name) == ("cases.py", "for_one")
    assert problem.words == (
        "`abs(x)` in place of `x * 1` gets all points; draw a corner against it, or say in HOLES why: "
        '{"one": {"absolute": "..."}}.'
    )
    declared = write(tmp_path / "said", holes=HOLES, one=ONE_NUMBER)
    assert declared.holes == {"one": {"absolute": "no draw is sure to be negative"}}
    assert list(holes(declared, steps)) == []
    other = HOLES.replace("absolute", "sign")
    assert len(list(holes(write(tmp_path / "other", holes=other, one=ONE_NUMBER), steps))) == 1
    assert list(holes(source, {})) == []


def test_an_answer_that_hangs_on_the_last_digits_is_left_out(
    tmp_path: Path, only: Callable[..., None]
) -> None:
    """Another processor would give another answer."""
    source = write(tmp_path, waves=("    return np.sin(x * 3)\n", MATRIX))
    waves = "def waves(x):\n    return np.sin(x * 3)\n"
    only(edit("one-more", waves, "3", "4"), edit("constant-other", waves, "3", "3e6"))
    step = here(source)["waves"]
    assert (step.count, step.raised, step.holes) == (2, 0, ())
    assert [group.mutant.edit.code for group in step.groups] == ["one-more"]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers here")
def test_a_loop_that_never_ends_is_ended(
    tmp_path: Path, only: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mutant_search, "SECONDS", 0.05)
    before = signal.getsignal(signal.SIGVTALRM)
    counted = f"def counted(x):\n{LOOP[0]}"
    only(
        edit("constant-other", counted, "count + 1", "count + 0"),
        edit("statement-left-out", counted, "count = count + 1", "pass"),
        edit("squared", counted, "x * count", "(x * count) ** 2"),
    )
    step = here(write(tmp_path, counted=LOOP))["counted"]
    assert (step.count, step.raised, len(step.groups)) == (3, 2, 1)
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGVTALRM) is before


def test_an_answer_that_raises_or_is_huge_or_an_object_is_no_group(
    tmp_path: Path, only: Callable[..., None]
) -> None:
    twice = f"def twice(x):\n{PLAIN[0]}"
    only(
        edit("sign", twice, "x * 2", "missing"),
        edit("squared", twice, "x * 2", "np.ones((101, 100))"),
        edit("rounded", twice, "x * 2", "np.ones((100, 100))"),
        edit("one-only", twice, "x * 2", "[x, {1: enumerate(x)}]"),
    )
    step = here(write(tmp_path, twice=PLAIN))["twice"]
    assert (step.count, step.raised) == (4, 3)
    assert [group.mutant.edit.code for group in step.groups] == ["rounded"]


def test_a_step_that_calls_another_has_one_mutant_of_each_of_its_groups(tmp_path: Path) -> None:
    source = write(tmp_path, twice=PLAIN, last=("    return twice(x)[-1:]\n", MATRIX))
    steps = here(source)
    own = [group for group in steps["last"].groups if group.mutant.cell == "last"]
    called = [group for group in steps["last"].groups if group.mutant.cell == "twice"]
    assert own
    assert called
    assert len(called) <= len(steps["twice"].groups)
    assert ("twice", "squared") in {one for group in called for one in group.origins}


# 1,400 squared is 2 MB, 1,400 to the power of 3 more than a mutant may take.
FILLS = ("    held = bytearray(1400 ** 2)\n    return x * min(len(held), 3)\n", MATRIX)
PRINTS = (
    "    for number in range(2):\n        print('{' + 'x' * 50_000)\n    return x * 2\n",
    MATRIX,
)


@pytest.mark.slow  # some of its edits never end
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers here")
def test_a_step_that_waits_has_answers_too(tmp_path: Path) -> None:
    source = write(tmp_path, waits=WAITS)
    step = here(source)["waits"]
    assert step.raised >= 3
    assert "squared" in {code for code, _ in edits(source, step)}


@pytest.mark.slow  # takes two gigabytes of addresses
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits memory")
def test_an_edit_that_takes_all_memory_is_stopped(tmp_path: Path) -> None:
    import resource  # noqa: PLC0415 - not on Windows

    limits = resource.getrlimit(resource.RLIMIT_AS)
    source = write(tmp_path, fills=FILLS)
    step = here(source)["fills"]
    assert step.raised >= 2
    powers = {new for code, new in edits(source, step) if code == "constant-other"}
    assert "3" not in powers
    assert step.groups
    assert resource.getrlimit(resource.RLIMIT_AS) == limits


def test_what_an_edit_prints_goes_nowhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    step = here(write(tmp_path, prints=PRINTS))["prints"]
    assert step.groups
    assert capsys.readouterr() == ("", "")


@pytest.fixture(params=ASSIGNMENTS)
def real(request: pytest.FixtureRequest) -> Source:
    return source_of(request.param)


@pytest.mark.slow  # some seconds for each assignment
def test_no_exam_of_the_kit_has_a_hole_that_is_not_declared(
    real: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For every eighth edit, on two seeds that are not those of the build, which searches with all."""
    every = edits_of
    monkeypatch.setattr(mutant_search, "edits_of", lambda text: islice(every(text), 0, None, 8))
    found = here(real, 101, 102)
    assert [str(problem.words) for problem in holes(real, found)] == []
    assert all(step.groups for step in found.values())


def test_what_an_author_must_change_is_said(tmp_path: Path) -> None:
    """The search draws other inputs than the release, so it may be the first to meet a fault."""
    solutions = write_toy(tmp_path, ("draw.normal(draw.d_in)", "draw.normal(draw.width)"))
    with pytest.raises(AssignmentError, match=r"^toy/cases.py, line 14, while drawing for `shift`"):
        search_mutants(load_source(solutions / "toy"))
