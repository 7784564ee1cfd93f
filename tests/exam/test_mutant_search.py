"""The search for mutants, on an assignment whose edits do all that an edit may do."""

from __future__ import annotations

import signal
import sys
from itertools import islice
from typing import TYPE_CHECKING

import pytest

from autograder.assignment.source import load_source
from autograder.edits.places import edits_of
from autograder.errors import AssignmentError
from autograder.exam import mutant_search
from autograder.exam.mutant_search import search_mutants
from autograder.release.trial import holes
from tests.exams import ASSIGNMENTS, source_of
from tests.toy import edit, write_toy

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from autograder.assignment.source import Source

SCRIPT = """\
# %%
import numpy as np


"""
# A step of one argument, its drawn input, and its check.
STEP = "# %%\ndef {name}(x):\n    ### BEGIN SOLUTION\n{body}    ### END SOLUTION\n\n\n"
CASE = '\n\n@drawn("{name}")\ndef for_{name}(draw):\n    return {{"x": draw.normal({sizes})}}\n'
CHECK = '''

@check(points=1)
def test_{name}(student, case):
    """Right."""
    return student.{name}(case.x)
'''
MATRIX = "draw.tokens, draw.d_k"


def write(folder: Path, *, holes: str = "", sizes: str = MATRIX, **steps: str) -> Source:
    home = folder / "solutions" / "odd"
    home.mkdir(parents=True)
    script = SCRIPT + "".join(STEP.format(name=name, body=body) for name, body in steps.items())
    cases = "".join(CASE.format(name=name, sizes=sizes) for name in steps)
    checks = "".join(CHECK.format(name=name) for name in steps)
    (home / "odd.py").write_text(script)
    (home / "cases.py").write_text(f"from autograder import drawn\n{cases}\n\n{holes}")
    (home / "test_odd.py").write_text(f"from autograder import check\n{checks}")
    return load_source(home)


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Leave only the edits of a body with these codes, which write a text in the place of another."""

    def leave(body: str, *edits: tuple[str, str, str]) -> None:
        made = [edit(code, f"def step(x):\n{body}", old, new) for code, old, new in edits]
        monkeypatch.setattr(mutant_search, "edits_of", lambda _: iter(made))

    return leave


PLAIN = "    return x * 2\n"


def test_edits_are_counted_by_what_an_exam_makes_of_them(tmp_path: Path) -> None:
    step = search_mutants(write(tmp_path, twice=PLAIN), (1, 2))["twice"]
    assert step.count > 40
    assert step.figures["small edits"] == step.count
    assert 0 < step.raised < step.count
    assert 0 < step.equivalent < step.count
    assert 20 < step.different < step.count - step.raised - step.equivalent, "some are the same"
    assert not step.holes


LOOP = "    count = 0\n    while count < 3:\n        count = count + 1\n    return x * count\n"
# A body, the sizes of what is drawn, its edits; how many raise, are equivalent and too small; how many wrong answers.
FOUND = {
    # The second is wrong where the drawn number is above 2.
    "differs by less than three tolerances": (
        "    return x * 1\n",
        "1, scale=2.0",
        [("constant-other", "1", "1.000001"), ("one-more", "1", "1.00006"), ("absolute", "1", "1.03")],
        (0, 1, 1),
        2,
    ),
    "the same answer, and one of another shape or type": (
        PLAIN,
        MATRIX,
        [
            ("operation-left-out", "x * 2", "x"),
            ("call-left-out", "x * 2", "x * 1"),
            ("transpose-added", "x * 2", "x[None]"),
            ("reshaped", "x * 2", "x.reshape(x.shape[::-1])"),
            ("rounded", "x * 2", "x.tolist()"),
        ],
        (0, 0, 0),
        4,
    ),
    "raises, is huge or an object": (
        PLAIN,
        MATRIX,
        [
            ("sign", "x * 2", "missing"),
            ("squared", "x * 2", "np.ones((101, 100))"),
            ("rounded", "x * 2", "np.ones((100, 100))"),
            ("one-only", "x * 2", "[x, {1: enumerate(x)}]"),
        ],
        (3, 0, 0),
        1,
    ),
    "prints": (
        "    for n in range(2):\n        print('{' + 'x' * 50_000)\n    return x * 2\n",
        MATRIX,
        [("squared", "x * 2", "x * 3")],
        (0, 0, 0),
        1,
    ),
    "never ends": (
        LOOP,
        MATRIX,
        [
            ("constant-other", "count + 1", "count + 0"),
            ("statement-left-out", "count = count + 1", "pass"),
            ("squared", "x * count", "(x * count) ** 2"),
        ],
        (2, 0, 0),
        1,
    ),
}  # fmt: skip


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers here")
@pytest.mark.parametrize("name", FOUND)
def test_an_answer_counts_if_it_is_one_and_surely_wrong(
    tmp_path: Path,
    only: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
) -> None:
    monkeypatch.setattr(mutant_search, "SECONDS", 0.05)
    before = signal.getsignal(signal.SIGVTALRM)
    body, sizes, edits, figures, different = FOUND[name]
    only(body, *edits)
    step = search_mutants(write(tmp_path, sizes=sizes, step=body), range(1, 9))["step"]
    assert step.count == len(edits)
    assert (step.raised, step.equivalent, step.too_small) == figures
    assert (step.different, step.holes) == (different, ())
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGVTALRM) is before
    assert capsys.readouterr() == ("", "")


# An edit that drops the sign of one drawn number: half of all draws do not show it.
ONE = "    return x * 1\n"
HOLES = 'HOLES = {"step": {"absolute": "no draw is sure to be negative"}}\n'


def test_an_edit_that_passes_in_some_exam_is_a_hole_unless_it_is_declared(
    tmp_path: Path, only: Callable[..., None]
) -> None:
    only(ONE, ("absolute", "x * 1", "abs(x)"))
    source = write(tmp_path / "silent", sizes="1", step=ONE)
    steps = search_mutants(source, range(1, 9))
    [hole] = steps["step"].holes
    assert hole.mutant.edit.code == "absolute"
    assert 0 < len(hole.seeds) < 8
    others = [seed for seed in range(1, 9) if seed not in hole.seeds]
    shown = search_mutants(source, others)["step"]
    assert (shown.holes, shown.different) == ((), 1)
    [problem] = holes(source, steps)
    assert (problem.file, problem.name) == ("cases.py", "for_step")
    assert problem.words == (
        "`abs(x)` in place of `x * 1` gets all points; draw a corner against it, or say in HOLES why: "
        '{"step": {"absolute": "..."}}.'
    )
    for place, text, count in (("said", HOLES, 0), ("other", HOLES.replace("absolute", "sign"), 1)):
        declared = write(tmp_path / place, holes=text, sizes="1", step=ONE)
        assert len(list(holes(declared, steps))) == count


def test_a_step_that_calls_another_has_one_mutant_for_each_of_its_wrong_answers(
    tmp_path: Path,
) -> None:
    steps = search_mutants(write(tmp_path, twice=PLAIN, last="    return twice(x)[-1:]\n"), (1, 2))
    own = list(edits_of("def last(x):\n    return twice(x)[-1:]"))
    assert steps["last"].count == len(own) + steps["twice"].different
    assert steps["twice"].different < steps["twice"].count


@pytest.mark.slow  # takes two gigabytes of addresses
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits memory")
def test_an_edit_that_takes_all_memory_is_stopped(
    tmp_path: Path, only: Callable[..., None]
) -> None:
    """1,400 squared is 2 MB, 1,400 to the power of 3 more than a mutant may take."""
    import resource  # noqa: PLC0415 - not on Windows

    limits = resource.getrlimit(resource.RLIMIT_AS)
    body = "    held = bytearray(1400 ** 2)\n    return x * min(len(held), 3)\n"
    only(body, ("constant-other", "1400 ** 2", "1400 ** 3"), ("one-more", "3", "4"))
    step = search_mutants(write(tmp_path, step=body), (1, 2))["step"]
    assert (step.count, step.raised, step.different) == (2, 1, 1)
    assert resource.getrlimit(resource.RLIMIT_AS) == limits


@pytest.mark.slow  # some seconds for each assignment
@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_no_exam_of_the_kit_has_a_hole_that_is_not_declared(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For every eighth edit, on two seeds that are not those of the build, which searches with all."""
    every, source = edits_of, source_of(name)
    monkeypatch.setattr(mutant_search, "edits_of", lambda text: islice(every(text), 0, None, 8))
    found = search_mutants(source, (101, 102))
    assert [str(problem.words) for problem in holes(source, found)] == []
    assert all(step.different for step in found.values())


def test_what_an_author_must_change_is_said(tmp_path: Path) -> None:
    """The search draws other inputs than the release, so it may be the first to meet a fault."""
    solutions = write_toy(tmp_path, ("draw.normal(draw.d_in)", "draw.normal(draw.width)"))
    with pytest.raises(AssignmentError, match=r"^toy/cases.py, line 14, while drawing for `shift`"):
        search_mutants(load_source(solutions / "toy"))
