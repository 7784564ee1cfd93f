"""Further things that an author gets wrong, as `autograder build` says them: one message with its place each."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from autograder.release import build
from tests.command_line import Invoked, invoke
from tests.release.test_authoring_mistakes import (
    CRITERION,
    Slip,
    added,
    change,
    file,
    mistake,
    write,
)
from tests.toy import CASES, CHECKS, HINTS, MISTAKES, SCRIPT

if TYPE_CHECKING:
    from pathlib import Path

IMPORTS = "from autograder import check, criterion, fallback\n"
ONE_MORE = '"shift", says="a", look="b"'

SLIPS = {
    # What students get must run where they are.
    "the test file imports torch at its top": change(
        "import check\n",
        "import check\nimport torch\n",
        "toy/test_toy.py, line 2: `torch` is imported; import only what students have, and torch inside the probe.",
    ),
    "the test file imports another package": change(
        "import check\n",
        "import check\nfrom scipy.special import softmax\n",
        "toy/test_toy.py, line 2: `scipy` is imported; import only what students have, ",
    ),
    "a probe imports a file of the author": change(
        "    return student.double(case.x)",
        "    import families\n    return student.double(case.x)",
        "toy/test_toy.py, line 10: `families` is imported; import only what students have, ",
    ),
    # Declarations.
    "points of a criterion are a text": added(
        "test_toy.py",
        CRITERION.replace("0.5", '"0.5"'),
        "toy/test_toy.py, line 22, while the file is loaded: TypeError: unsupported operand",
    ),
    "points are missing": change(
        "@check(points=1)",
        "@check()",
        "toy/test_toy.py, line 4, while the file is loaded: TypeError: check() missing 1 required keyword-only",
    ),
    "an argument is misspelt": change(
        "points=1)",
        'points=1, axis=("a", "b"))',
        "toy/test_toy.py, line 4, while the file is loaded: TypeError: check() got an unexpected keyword argument",
    ),
    "there are too many axes": change(
        "points=1)",
        'points=1, axes=("sequences", "rows", "columns"))',
        "toy/test_toy.py, line 5: axes= names 3 dimensions; the probe returns numbers of shape (6, 5). Name each",
    ),
    "there are too few dimensions": change(
        "documented=0.5",
        'documented=0.5, axes=("rows", "columns")',
        "toy/test_toy.py, line 14: axes= names 2 dimensions; the probe returns numbers of shape (4,). Name each",
    ),
    "axes are those of an unknown part": change(
        "points=1)",
        'points=1, axes={"weights": ("rows", "columns")})',
        "toy/test_toy.py, line 5: axes= names 2 dimensions of 'weights'; the probe returns no array.",
    ),
    "parts are named that do not come back": change(
        "points=1)",
        'points=1, returns=("first", "second"))',
        "toy/test_toy.py, line 5: returns= names 2 parts; the probe returns one part.",
    ),
    "a step builds on an unknown one": change(
        "points=1)",
        'points=1, builds_on=("duoble",))',
        "toy/test_toy.py, line 5: no step 'duoble'. Did you mean 'double'?",
    ),
    "a tolerance is negative": change(
        "points=1)", "points=1, slack=-1)", "toy/test_toy.py, line 5: value: points=1, slack=-1; both must be above 0."
    ),
    "a check is not called as a test": change(
        "def test_double(",
        "def double(",
        "toy/test_toy.py, line 4: `double` must be called `test_` and its step: pytest runs no other.",
    ),
    "a check is declared without brackets": change(
        "@check(points=1)",
        "@check",
        "toy/test_toy.py, line 4, while the file is loaded: TypeError: check() takes 0 positional arguments",
    ),
    "inputs are drawn without brackets": change(
        '@drawn("double")',
        "@drawn",
        "toy/cases.py: no @drawn for the step 'double'. There is: shift.",
    ),
    "a mistake is declared without brackets": file(
        "mistakes.py",
        b"from autograder import mistake\n\n\n@mistake\ndef unchanged(x):\n    return x\n",
        "toy/mistakes.py, line 4, while the file is loaded: TypeError: mistake() missing 2 required keyword-only",
    ),
    # Functions.
    "a probe of the first step returns nothing": change(
        "return student.double(case.x)",
        "student.double(case.x)",
        "toy/test_toy.py, line 5: `test_double` returns None. Is a `return` missing?",
    ),
    "a case function is empty": change(
        '    return {"x": draw.normal(draw.d_in)}',
        "    pass",
        "toy/cases.py, line 13: the inputs of `shift` are NoneType; return a dict by name, such as",
    ),
    "a case function takes other arguments": change(
        "def numbers(draw):",
        "def numbers(draw, size):",
        "toy, while drawing for `double`: TypeError: numbers() missing 1 required positional argument: 'size'",
    ),
    "an input has another name": change(
        '{"x": draw.normal(draw.d_in)}',
        '{"y": draw.normal(draw.d_in)}',
        "toy/test_toy.py, line 19, while the reference answers `test_shift`: AttributeError: ",
    ),
    "documented cases are not yielded": change(
        "    yield DocumentedCase(",
        "    DocumentedCase(",
        "toy/cases.py, line 18: wanted documented cases of `shift`: yield DocumentedCase(",
    ),
    "a mistake ends the process": mistake(
        f"{ONE_MORE})\ndef other(x):\n    raise SystemExit(0)\n",
        "toy/mistakes.py, line 10: wanted an answer. Seen: ",
    ),
    "the words of a mistake give the solution away": mistake(
        '"shift", says="Write moved = np.add(x, START).", look="b")\ndef other(x):\n    return x\n',
        "toy/toy.py: 'moved = np.add(x, START)' is a line of a solution, and stands in the released expected.",
    ),
    "the reference draws without a seed": change(
        "np.add(x, START)",
        "np.add(x, START) + np.random.default_rng().normal()",
        "toy/test_toy.py, line 14: the reference gets 0 points; wanted 2, passed. Seen: ",
    ),
    # Files.
    "a module is missing": file(
        "mistakes.py",
        f"import no_such_module\n{MISTAKES}".encode(),
        "toy/mistakes.py, line 1, while the file is loaded: ModuleNotFoundError: No module named 'no_such_module'",
    ),
    "the script needs a module that is missing": change(
        "import numpy as np\n\nSTART",
        "import no_such_module\n\nSTART",
        "toy/toy.py, line 7, while the script is run: ModuleNotFoundError: ",
    ),
    "the test file is not Python": change(
        "def test_double(student, case):",
        "def test_double(student, case)",
        "toy, while the file is loaded: SyntaxError: expected ':' (test_toy.py, line 5)",
    ),
    "a step is not Python": change(
        "    return moved  # as it is",
        "    return moved moved",
        "toy/toy.py, line 28: not Python: invalid syntax.",
    ),
    "the test file is empty": file(
        "test_toy.py", b"", "toy/test_toy.py: checks of nothing; wanted one for each step, "
    ),
    "the script is empty": file("toy.py", b"", "toy/toy.py: no step; a cell with a line `### BEGIN SOLUTION` is one."),
    "documented numbers are a list": file(
        "documented.json",
        b"[1, 2]",
        "toy, while documented.json is read: AttributeError: ",
    ),
    "the hints are missing": file(
        "hints.toml",
        None,
        "toy/hints.toml: [double] has nothing; wanted nudge, where, example, why, further.",
    ),
    "a hint is missing": change(
        'nudge = "By how much?"\n',
        "",
        "toy/hints.toml, line 8: [shift] has where, example, why, further; ",
    ),
    "the hints are for another step": file(
        "hints.toml",
        HINTS.replace("[shift]", "[shfit]").encode(),
        "toy/hints.toml: [shift] has nothing; wanted nudge, ",
    ),
    "the hints are not TOML": file(
        "hints.toml", b"[double\n", "toy, while hints.toml is read: TOMLDecodeError: Expected ']' at the end"
    ),
    # Cells.
    "a solution has no beginning": change(
        "    ### BEGIN SOLUTION\n    moved",
        "    moved",
        "toy/toy.py, line 28: '### END SOLUTION'; ",
    ),
    "the line of a cell is misspelt": change(
        "# %%\ndef shift",
        "# %\ndef shift",
        "toy/toy.py, line 26: '### BEGIN SOLUTION'; ",
    ),
    "two functions stand in a step's cell": change(
        "# %%\ndef shift",
        "# %%\ndef helper(x):\n    return x\n\n\ndef shift",
        "toy/toy.py, line 24: a step; wanted one function or class, nothing else.",
    ),
    "tabs and spaces are mixed": change(
        "    return moved  # as it is",
        "\treturn moved",
        "toy/toy.py, line 28: not Python: inconsistent use of tabs and spaces in indentation.",
    ),
}  # fmt: skip


@pytest.fixture(autouse=True)
def _no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search for small edits takes seconds and finds nothing of what these tests are about."""
    monkeypatch.setattr(build, "search_mutants", lambda _: {})


def built(folder: Path, name: str | None = "toy") -> Invoked:
    places = ("solutions", "assignments", "course")
    options = [part for one in places for part in (f"--{one}", str(folder / one))]
    return invoke(["build", *([name] if name else []), *options], alone=True)


@pytest.mark.parametrize("slip", SLIPS.values(), ids=SLIPS)
def test_build_says_what_is_wrong_and_writes_nothing(tmp_path: Path, slip: Slip) -> None:
    write(tmp_path, slip)
    done = built(tmp_path)
    said = done.stderr.replace(f"{tmp_path}{os.sep}", "")
    assert said.startswith(f"autograder: {slip.words}"), said
    assert (done.exit_code, done.stdout) == (2, "")
    assert not (tmp_path / "assignments").exists()
    assert not isinstance(done.exception, Exception)


@pytest.mark.parametrize("name", ["causal-mask", "class", "torch", "2d"])
def test_an_assignment_has_a_name_that_can_be_imported(tmp_path: Path, name: str) -> None:
    toy = write(tmp_path, Slip(""))
    toy.rename(toy.with_name(name))
    done = built(tmp_path, name)
    assert done.exit_code == 2
    assert done.stderr.startswith(f"autograder: solutions/{name}: this must be a new name for a ")


def test_a_folder_whose_script_has_another_name_is_not_passed_over(tmp_path: Path) -> None:
    toy = write(tmp_path, Slip(""))
    (toy / "toy.py").rename(toy / "main.py")
    done = built(tmp_path, None)
    assert done.exit_code == 2
    assert done.stderr.startswith("autograder: toy, while toy.py is read: FileNotFoundError: ")


FILES = {"toy.py": SCRIPT, "test_toy.py": CHECKS, "cases.py": CASES, "hints.toml": HINTS}
OTHER_FORMS = {
    "tabs": {"toy.py": SCRIPT.replace("    ", "\t").encode()},
    "other line ends": {name: text.replace("\n", "\r\n").encode() for name, text in FILES.items()},
    "a mark first": {name: b"\xef\xbb\xbf" + text.encode() for name, text in FILES.items()},
}


@pytest.mark.parametrize("files", OTHER_FORMS.values(), ids=OTHER_FORMS)
def test_other_forms_of_the_same_text_are_accepted(tmp_path: Path, files: dict[str, bytes]) -> None:
    write(tmp_path, Slip("", files=tuple(files.items())))
    assert built(tmp_path).exit_code == 0


def test_a_show_cell_may_have_lines_for_ipython(tmp_path: Path) -> None:
    write(tmp_path, change("print(double(", "%matplotlib inline\nprint(double(", ""))
    assert built(tmp_path).exit_code == 0
