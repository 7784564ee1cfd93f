"""What an author gets wrong is said before students see it: the file, the line, and what to do."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from autograder.exam.mutants import StepMutants
from autograder.release import build
from tests.command_line import Invoked, invoke
from tests.toy import CASES, CHECKS, HINTS, SCRIPT, write_toy

if TYPE_CHECKING:
    from pathlib import Path

ONE_MORE = '"shift", says="a", look="b"'
CRITERION = '''

@criterion(test_double, "larger", points=0.5)
def larger_numbers(student, case):
    """Twice a larger input."""
    return student.double(100 * case.x)
'''
SECOND = """

@mistake("shift", says="Moved twice.", look="Once is enough.")
def moved_twice(x):
    return x + 1.0
"""
DOUBLE_CHECK = CHECKS[CHECKS.index("@check(points=1)") : CHECKS.index("@check(points=2")]
RESTATED = """
def shift(x):
    return moved(x)


def moved(x):
    return x + START
"""


@dataclass(frozen=True)
class Slip:
    """One thing that an author gets wrong in the toy.

    Attributes:
        words: what the author reads, from its first word on.
        changes: texts of the toy and what stands in their place.
        added: what is added to the end of files.
        files: whole files; None means that the file is missing.
    """

    words: str
    changes: tuple[tuple[str, str], ...] = ()
    added: tuple[tuple[str, str], ...] = ()
    files: tuple[tuple[str, bytes | None], ...] = ()


def change(old: str, new: str, words: str) -> Slip:
    return Slip(words, ((old, new),))


def added(file: str, text: str, words: str) -> Slip:
    return Slip(words, added=((file, text),))


def file(name: str, data: bytes | None, words: str) -> Slip:
    return Slip(words, files=((name, data),))


def mistake(text: str, words: str) -> Slip:
    return Slip(words, added=(("mistakes.py", f"\n\n@mistake({text}"),))


SLIPS = {
    # Files.
    "a file is missing": file("cases.py", None, "toy, while cases.py is read: FileNotFoundError: "),
    "a file is not UTF-8": file("mistakes.py", b"# \xff",
        "toy, while mistakes.py is read: UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in position 2"),
    "a given cell raises": change("START = 0.5", "START = 1 / 0",
        "toy/toy.py, line 9, while the script is run: ZeroDivisionError: division by zero"),
    # Steps and checks.
    "there is no step": Slip("toy/toy.py: no step; a cell with a line `### BEGIN SOLUTION` is one.",
        (("    ### BEGIN SOLUTION\n", ""), ("    ### END SOLUTION\n", ""))),
    "a step has no check": change(DOUBLE_CHECK, "",
        "toy/test_toy.py: checks of shift; wanted one for each step, in this order: double, shift."),
    "a check has no words": change('    """The input, moved.\n\n    Look at START.\n    """\n', "",
        "toy/test_toy.py, line 13: `test_shift` has no docstring; its first paragraph says to the student"),
    "a criterion is put on no check": added("test_toy.py",
        "\n\ndef helper(student, case):\n    return 1\n" + CRITERION.replace("test_double", "helper"),
        "toy/test_toy.py, line 26: `helper` is no check: put `@check(points=...)` above it."),
    "the reference does not raise what it should": added("test_toy.py",
        CRITERION.replace("points=0.5", "points=0.5, raises=KeyError"),
        "toy/test_toy.py, line 23: `larger_numbers` returns for the reference, and its criterion says"),
    # Points.
    "criteria take all points": added("test_toy.py", CRITERION.replace("0.5", "1"),
        "toy/test_toy.py, line 5: value: points=0, slack=1; both must be above 0."),
    # Probes.
    "a probe returns an object": change("return student.shift(case.x)", "return {1, 2}",
        "toy/test_toy.py, line 14: `test_shift` returns an object of type set; a probe returns tensors,"),
    "a probe never calls the step": change("return student.shift(case.x)", "return case.x + 0.5",
        "toy/test_toy.py, line 14: the stub gets 2 points; wanted 0, not started. Seen: passed"),
    # Cases.
    "drawing raises": change("draw.normal(draw.d_in)", "draw.normal(draw.d_model)",
        "toy/cases.py, line 14, while drawing for `shift`: AttributeError: 'Draw' object has no attribute 'd_model'"),
    "drawing returns no dict": change('return {"x": draw.normal(draw.d_in)}',
        "return draw.normal(draw.d_in)",
        "toy/cases.py, line 13: the inputs of `shift` are ndarray; return a dict by name, such as"),
    "the inputs are always the same": change("draw.normal(draw.d_in)", "np.ones(3)",
        "toy/cases.py, line 13: `shift` has the same answer in two drawn cases; draw other inputs."),
    "a number is the same in all cases": Slip(
        "toy/cases.py, line 8: `eps` is 1e-05 in all cases of `double`; draw different ones.",
        (("def double(x):", "def double(x, eps):"), ("student.double(case.x)", "student.double(case.x, case.eps)"),
         ('"x": draw.normal(draw.tokens, draw.d_k)', '"x": draw.normal(draw.tokens, draw.d_k), "eps": 1e-5'))),
    "a documented case is missing": change('@documented("shift")\n', "",
        "toy/cases.py: `shift` must have both @documented here and documented= in its @check, or none."),
    "a documented number contradicts the solution": change("printed([1.5, 2.5])",
        "printed([1.5, 2.7])",
        "toy/test_toy.py, line 14: the reference gets 1.5 points; wanted 2, passed. Seen: "),
    # The reference and the stub.
    "the reference raises": change("np.add(x, START)", "np.add(x, STRAT)",
        "toy/toy.py, line 27, while the reference answers `test_shift`: NameError: name 'STRAT' is not defined"),
    "the reference gives nan": change("np.add(x, START)", "np.add(x, np.nan)",
        "toy/test_toy.py, line 14: `test_shift` returns nan for the reference, and nan is never right."),
    "the reference changes its input": Slip(
        "toy/test_toy.py, line 14: the reference gets 2 points; wanted 2, passed. Seen: passed, changed_input",
        (("np.add(x, START)", "np.add(x, START, out=x)"),)),
    "the stub ends otherwise": Slip(
        "toy/test_toy.py, line 14: the stub gets 0 points; wanted 0, not started. Seen: ",
        (("    ### BEGIN SOLUTION\n    moved", "    try:\n        ### BEGIN SOLUTION\n        moved"),
         ("    return moved  # as it is\n    ### END SOLUTION",
          "        return moved\n        ### END SOLUTION\n    except NotImplementedError:\n        return None"))),
    # Mistakes.
    "a mistake replaces what is not there too": mistake(
        '"shift", says="a", look="b", also={"stray": 1})\ndef other(x):\n    return x\n',
        "toy/mistakes.py, line 10: no step 'stray'. There is: double, shift."),
    "a mistake gives the right answer": mistake(
        '"shift", says="a", look="b")\ndef other(x):\n    return x + 0.5\n',
        "toy/mistakes.py, line 10: in 100 draws for `shift` these mistakes could not be told from"),
    "a mistake is right where it should show": mistake(
        '"shift", says="a", look="b", shows_in="documented")\ndef other(x):\n    return x + 0.5\n',
        "toy/mistakes.py, line 10: `shift` gets all points; wanted a mistake that costs points."),
    "two mistakes give the same answers": mistake(
        '"double", says="a", look="b")\ndef other(x):\n    return 1 * x\n',
        "toy/mistakes.py, line 5: `double` is taken for none or several; wanted same_as=, or"),
    "a class is restated wrongly": Slip(
        "toy/test_toy.py, line 14: restated.py gets 0 points; wanted 2, passed. Seen: ",
        files=(("restated.py", RESTATED.replace("x + START", "x - START").encode()),)),
    "a solution is the body of a class": Slip(
        "toy/toy.py: wanted a stub that runs; a class needs its methods. Seen: NotImplementedError.",
        (("def shift(x):", "class shift:"), ("    return moved", "        return moved"),
         ("    moved =", "    def __new__(cls, x):\n        moved ="))),
    # What students get must run where they are.
    "the test file imports torch at its top": change("import check\n",
        "import check\nimport torch\n",
        "toy/test_toy.py, line 2: `torch` is imported; import only what students have, and torch inside the probe."),
    "a probe imports a file of the author": change("    return student.double(case.x)",
        "    import families\n    return student.double(case.x)",
        "toy/test_toy.py, line 10: `families` is imported; import only what students have, "),
    # Declarations.
    "there are too many axes": change("points=1)",
        'points=1, axes=("sequences", "rows", "columns"))',
        "toy/test_toy.py, line 5: axes= names 3 dimensions; the probe returns numbers of shape (6, 5). Name each"),
    "parts are named that do not come back": change("points=1)",
        'points=1, returns=("first", "second"))',
        "toy/test_toy.py, line 5: returns= names 2 parts; the probe returns one part."),
    "a check is not called as a test": change("def test_double(", "def double(",
        "toy/test_toy.py, line 4: `double` must be called `test_` and its step: pytest runs no other."),
    # Functions.
    "a probe of the first step returns nothing": change("return student.double(case.x)",
        "student.double(case.x)",
        "toy/test_toy.py, line 5: `test_double` returns None. Is a `return` missing?"),
    "a mistake imports the reference when it runs": mistake(
        f"{ONE_MORE})\ndef other(x):\n    import toy\n    return toy.shift(x) + 1.0\n",
        "toy/mistakes.py, line 10: `shift` is taken for none or several; wanted same_as="),
    "a mistake ends the process": mistake(f"{ONE_MORE})\ndef other(x):\n    raise SystemExit(0)\n",
        "toy/mistakes.py, line 10: wanted an answer. Seen: "),
    "the words of a mistake give the solution away": mistake(
        '"shift", says="Write moved = np.add(x, START).", look="b")\ndef other(x):\n    return x\n',
        "toy/toy.py: 'moved = np.add(x, START)' is a line of a solution, and stands in the released expected."),
}  # fmt: skip


def write(folder: Path, slip: Slip) -> Path:
    toy = write_toy(folder, *slip.changes) / "toy"
    checks = toy / "test_toy.py"
    names = "from autograder import check, criterion, fallback"
    checks.write_text(checks.read_text().replace("from autograder import check", names))
    for name, text in slip.added:
        (toy / name).write_text((toy / name).read_text() + text)
    for name, data in slip.files:
        if data is None:
            (toy / name).unlink()
        else:
            (toy / name).write_bytes(data)
    return toy


@pytest.fixture(autouse=True)
def _no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search for small edits takes seconds and finds nothing of what these tests are about."""
    found = {step: StepMutants() for step in ("double", "shift")}
    monkeypatch.setattr(build, "search_mutants", lambda _: found)


def built(folder: Path, *words: str) -> Invoked:
    places = ("solutions", "assignments", "course")
    options = [part for one in places for part in (f"--{one}", str(folder / one))]
    return invoke(["build", *words, *options], alone=True)


@pytest.mark.parametrize("slip", SLIPS.values(), ids=SLIPS)
def test_build_says_what_is_wrong_and_writes_nothing(tmp_path: Path, slip: Slip) -> None:
    write(tmp_path, slip)
    done = built(tmp_path)
    said = done.stderr.replace(f"{tmp_path}{os.sep}", "")
    assert said.startswith(f"autograder: {slip.words}"), said
    assert (done.exit_code, done.stdout) == (2, "")
    assert not (tmp_path / "assignments").exists()
    assert not isinstance(done.exception, Exception)


def test_keep_and_check_try_nothing_out(tmp_path: Path) -> None:
    write(tmp_path, SLIPS["a documented number contradicts the solution"])
    assert built(tmp_path, "--keep").exit_code == 0
    assert built(tmp_path, "--check").exit_code == 0


OTHER = '"double", says="a", look="b", same_as="unchanged")\ndef other(x):\n    return 1 * x\n'
BY_A_SEAM = '\n\n@mistake("moved", says="a", look="b")\ndef other(x):\n    return x - 0.5\n'
TEXTS = {"toy.py": SCRIPT, "test_toy.py": CHECKS, "cases.py": CASES, "hints.toml": HINTS}
FITS = {
    "toy": Slip(""),
    "criterion": added("test_toy.py", CRITERION, ""),
    "mistake": added("mistakes.py", SECOND, ""),
    "same as": mistake(OTHER, ""),
    "restated": file("restated.py", RESTATED.encode(), ""),
    "restated mistake": Slip(
        "", added=(("mistakes.py", BY_A_SEAM),), files=(("restated.py", RESTATED.encode()),)
    ),
    "tabs": file("toy.py", SCRIPT.replace("    ", "\t").encode(), ""),
    "other line ends": Slip(
        "", files=tuple((name, one.replace("\n", "\r\n").encode()) for name, one in TEXTS.items())
    ),
    "a mark first": Slip(
        "", files=tuple((name, b"\xef\xbb\xbf" + one.encode()) for name, one in TEXTS.items())
    ),
    "a line for IPython": change("print(double(", "%matplotlib inline\nprint(double(", ""),
}


@pytest.mark.parametrize("slip", FITS.values(), ids=FITS)
def test_what_fits_is_accepted(tmp_path: Path, slip: Slip) -> None:
    write(tmp_path, slip)
    done = built(tmp_path)
    assert (done.exit_code, done.stderr) == (0, "")


def test_every_problem_is_said_at_once_with_its_own_place(tmp_path: Path) -> None:
    slip = mistake('"doubel", says="", look="b")\ndef other(x):\n    return x\n', "")
    with (write(tmp_path, slip) / "cases.py").open("a") as file:
        file.write('\n\n@drawn("shfit")\ndef moved(draw):\n    return {}\n')
    cases, step, words = built(tmp_path).stderr.split("\n  ")
    assert "cases.py, line 23: no step 'shfit'. Did you mean 'shift'?" in cases
    assert "mistakes.py, line 10: no step 'doubel'. Did you mean 'double'?" in step
    assert "mistakes.py, line 10: says= and look= must be texts" in words


@pytest.mark.parametrize("name", ["causal-mask", "class", "torch", "2d"])
def test_an_assignment_has_a_name_that_can_be_imported(tmp_path: Path, name: str) -> None:
    toy = write(tmp_path, Slip(""))
    toy.rename(toy.with_name(name))
    done = built(tmp_path, name)
    assert done.exit_code == 2
    assert done.stderr.startswith(f"autograder: solutions/{name}: this must be a new name for a ")
