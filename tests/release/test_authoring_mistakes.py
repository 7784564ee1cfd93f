"""What an author gets wrong is said before students see it: the file, the line, and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from autograder.assignment.source import load_source
from autograder.errors import AssignmentError
from autograder.exam.draw import draw_exam
from autograder.exam.mutants import StepMutants
from autograder.exam.questions import PUBLIC
from autograder.release import build
from autograder.release.trial import try_out
from tests.command_line import invoke
from tests.toy import write_toy

if TYPE_CHECKING:
    from pathlib import Path

TRIED = "Tried out, and this does not fit:\n  "
CRITERION = '''

@criterion(test_double, "larger", points=0.5)
def larger_numbers(student, case):
    """Twice a larger input."""
    return student.double(100 * case.x)
'''
CORNER = """
from autograder import corner


@corner("double", says="with one number")
def one_number(draw):
    return {"x": draw.normal(1)}
"""
SECOND = """

@mistake("shift", says="Moved twice.", look="Once is enough.")
def moved_twice(x):
    return x + 1.0
"""
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


def mistake(text: str, words: str, *, old: str = "@mistake(") -> Slip:
    return Slip(words, added=(("mistakes.py", f"\n\n{old}{text}"),))


SLIPS = {
    # Files.
    "a file is missing": file("cases.py", None, "solutions/toy/cases.py is missing"),
    "a file is not UTF-8": file(
        "mistakes.py",
        b"# \xff",
        "solutions/toy/mistakes.py is not UTF-8 text (byte 2). Save it as UTF-8.",
    ),
    "the cases are not Python": change(
        "def numbers(draw):",
        "def numbers(draw)",
        "toy/cases.py, line 8: this is not Python: expected ':'.",
    ),
    "the mistakes are not Python": change(
        "def unchanged(x):",
        "def unchanged(x:",
        "toy/mistakes.py, line 5: this is not Python: '(' was never closed.",
    ),
    "a given cell is not Python": change(
        "START = 0.5", "START = = 0.5", "toy/toy.py, line 9: this is not Python: invalid syntax."
    ),
    "a given cell raises": change(
        "START = 0.5",
        "START = 1 / 0",
        "toy/toy.py, line 9, while the script is run: ZeroDivisionError: division by zero",
    ),
    "the printed numbers are not JSON": file(
        "documented.json",
        b'{"one": {"printed": [1.5,]}}',
        "toy/documented.json, line 1: this is not JSON: ",
    ),
    "the printed numbers have another form": file(
        "documented.json",
        b'{"one": [1.5]}',
        'toy/documented.json must be {"name": {"printed": numbers}, ...}.',
    ),
    "a printed number is missing": change(
        "printed([1.5, 2.5])",
        'printed(numbers["moved"])',
        "toy/cases.py, line 19, while making the documented cases of `shift`: KeyError: 'moved'",
    ),
    "a field of a case is misspelt": change(
        "student.double(case.x)",
        "student.double(case.xs)",
        "toy/test_toy.py, line 10, while the reference answers `test_double`: AttributeError: "
        "'types.SimpleNamespace' object has no attribute 'xs'. The case has x.",
    ),
    # Steps and checks.
    "there is no step": Slip(
        "toy/toy.py: there is no step: no cell has a line `### BEGIN SOLUTION`.",
        (("    ### BEGIN SOLUTION\n", ""), ("    ### END SOLUTION\n", "")),
    ),
    "a step has no check": change(
        '''@check(points=1)
def test_double(student, case):
    """Twice the input.

    Multiply by two.
    """
    return student.double(case.x)
''',
        "",
        "toy/test_toy.py: the step `double` has no check: a function `test_double` under `@check`. There is: shift.",
    ),
    "the name of a step is misspelt": change(
        'def shift(x):\n    """Return x,',
        'def shfit(x):\n    """Return x,',
        "toy/test_toy.py: the step `shfit` has no check: a function `test_shfit` under `@check`. Did you mean 'shift'?",
    ),
    "a check has no step": added(
        "test_toy.py",
        '\n\n@check(points=1)\ndef test_halve(student, case):\n    """Half."""\n    return student.halve(case.x)\n',
        "toy/test_toy.py, line 23: there is a check of `halve`, and no such step. There is: double, shift.",
    ),
    "a step is there twice": change(
        'def shift(x):\n    """Return x,',
        'def double(x):\n    """Return x,',
        "toy/toy.py, line 24: the id 'double' of this cell is that of line 12 too. Give the step another name.",
    ),
    "the id of a step is that of a generated cell": Slip(
        "toy/toy.py, line 24: the id 'check_double' of this cell is that of line 12 too.",
        (('def shift(x):\n    """Return x,', 'def check_double(x):\n    """Return x,'),),
    ),
    "a step is called as the first cell": change(
        'def double(x):\n    """Return twice',
        'def setup(x):\n    """Return twice',
        "toy/toy.py, line 12: the id 'setup' of this cell is that of the notebook's first cell too.",
    ),
    "two checks have one name": change(
        "def test_shift(",
        "def test_double(",
        "toy/test_toy.py, lines 5 and 14: each is called 'test_double', so only the last one is there.",
    ),
    "a check has no words": change(
        '    """The input, moved.\n\n    Look at START.\n    """\n',
        "",
        "toy/test_toy.py, line 13: `test_shift` has no docstring; its first paragraph says to the student",
    ),
    "a criterion is put on no check": added(
        "test_toy.py",
        "\n\ndef helper(student, case):\n    return 1\n"
        + CRITERION.replace("test_double", "helper"),
        "toy/test_toy.py, line 26: `helper` is no check: put `@check(points=...)` above it.",
    ),
    "the reference does not raise what it should": added(
        "test_toy.py",
        CRITERION.replace("points=0.5", "points=0.5, raises=KeyError"),
        "toy/test_toy.py, line 23: `larger_numbers` returns for the reference, and its criterion says raises=KeyError. "
        "Change one of them.",
    ),
    "the reference raises something else": Slip(
        "toy/toy.py, line 16, while the reference answers `larger_numbers`: ValueError: too large",
        changes=(
            (
                "    return np.multiply(x, 2.0)",
                "    if abs(x).max() > 20:\n        raise ValueError('too large')\n    return np.multiply(x, 2.0)",
            ),
        ),
        added=(("test_toy.py", CRITERION.replace("points=0.5", "points=0.5, raises=KeyError")),),
    ),
    "an exception is none": added(
        "test_toy.py",
        CRITERION.replace("points=0.5", "points=0.5, raises=Exception"),
        "toy/test_toy.py, line 22: The criterion 'larger': raises= must be one kind of exception, such as KeyError.",
    ),
    "a fallback is for an unknown criterion": added(
        "test_toy.py",
        '\n\n@fallback(test_double, "large")\ndef other(student, case):\n    return student.double(case.x)\n',
        "toy/test_toy.py, line 22: `double` has no criterion called 'large'. There is: value.",
    ),
    "two criteria have one name": added(
        "test_toy.py",
        CRITERION.replace("larger", "value", 1),
        "toy/test_toy.py, line 5: `double` has two criteria called 'value'.",
    ),
    # Points.
    "points are negative": change(
        "points=1)",
        "points=-1)",
        "toy/test_toy.py, line 5: `double` has -1 points: give more than 0.",
    ),
    "points are no number": change(
        "points=1)",
        'points="1")',
        "toy/test_toy.py, line 4: points= must be a number, and it is str.",
    ),
    "points are infinite": change(
        "points=1)",
        'points=float("inf"))',
        "toy/test_toy.py, line 4: points= must be a number, and it is float.",
    ),
    "documented takes more than all points": change(
        "documented=0.5",
        "documented=3",
        "toy/test_toy.py, line 14: `shift` has 2 points, and its other criteria take 3 (documented). The value needs "
        "some of them.",
    ),
    "criteria take all points": added(
        "test_toy.py",
        CRITERION.replace("0.5", "1"),
        "toy/test_toy.py, line 5: `double` has 1 points, and its other criteria take 1 (larger).",
    ),
    # Probes.
    "a probe takes one argument": change(
        "def test_double(student, case):",
        "def test_double(student):",
        "toy/test_toy.py, line 5: the arguments are (student); a probe is called with (student, case).",
    ),
    "a probe returns nothing": change(
        "return student.shift(case.x)",
        "student.shift(case.x)",
        "toy/test_toy.py, line 14: `test_shift` returns None. Is a `return` missing?",
    ),
    "a probe returns an object": change(
        "return student.shift(case.x)",
        "return {1, 2}",
        "toy/test_toy.py, line 14: `test_shift` returns an object of type set; a probe returns tensors,",
    ),
    "a probe reads an input that is not there": change(
        "student.shift(case.x)",
        "student.shift(case.y)",
        "toy/test_toy.py, line 19, while the reference answers `test_shift`: AttributeError: ",
    ),
    "a probe never calls the step": change(
        "return student.shift(case.x)",
        "return case.x + 0.5",
        TRIED + "toy/test_toy.py, line 14: the stub earns 2 of 2 points for `shift`. Does "
        "the probe call the step?",
    ),
    # Cases.
    "no inputs are drawn": change(
        '@drawn("double")\n',
        "",
        "toy/cases.py: no inputs are drawn for `double`: add @drawn.",
    ),
    "inputs are drawn for an unknown step": change(
        '@drawn("double")',
        '@drawn("duoble")',
        "toy/cases.py, line 8: @drawn('duoble'): there is no such step. Did you mean 'double'?",
    ),
    "inputs are drawn twice for a step": change(
        '@drawn("shift")',
        '@drawn("double")',
        "cases.py has two functions for 'double': numbers and other_numbers. One of them must go.",
    ),
    "two functions of cases have one name": change(
        "def other_numbers(",
        "def numbers(",
        "toy/cases.py, lines 8 and 13: each is called 'numbers', so only the last one is there.",
    ),
    "drawing raises": change(
        "draw.normal(draw.d_in)",
        "draw.normal(draw.d_model)",
        "toy/cases.py, line 14, while drawing for `shift`: AttributeError: 'Draw' object has no attribute 'd_model'",
    ),
    "drawing returns no dict": change(
        'return {"x": draw.normal(draw.d_in)}',
        "return draw.normal(draw.d_in)",
        "toy/cases.py, line 13: the inputs of `shift` are ndarray; return a dict by name, such as",
    ),
    "an input cannot be sent": change(
        'return {"x": draw.normal(draw.d_in)}',
        'return {"x": {1, 2}}',
        "toy/cases.py, line 13: the input 'x' is an object of type set; inputs are tensors, arrays, numbers, texts,",
    ),
    "the inputs are always the same": change(
        "draw.normal(draw.d_in)",
        "np.ones(3)",
        TRIED + "toy/cases.py, line 13: `shift` has the same answer in each drawn case, "
        "so a constant would be right.",
    ),
    "a corner for no step": added(
        "cases.py",
        CORNER.replace('"double"', '"duoble"'),
        "toy/cases.py, line 25: @corner('duoble'): there is no such step. Did you mean 'double'?",
    ),
    "a corner without words": added(
        "cases.py",
        CORNER.replace("with one number", " "),
        "toy/cases.py, line 25: @corner('double'): `says` is empty. Say what is special, such as with one token.",
    ),
    "a corner without a right answer": added(
        "cases.py",
        CORNER.replace("draw.normal(1)", "np.array([np.nan])"),
        "toy/test_toy.py, line 5: `test_double` returns nan for the reference, and nan is never right.",
    ),
    "a documented case is missing": change(
        '@documented("shift")\n',
        "",
        "toy/cases.py: `shift` has points for documented numbers, and no @documented('shift').",
    ),
    "documented numbers have no points": change(
        "points=2, documented=0.5",
        "points=2",
        "toy/cases.py, line 18: @documented('shift'): the check has no points for it. Add documented= to its @check.",
    ),
    "a documented case has no right answer": change(
        "right=(Right(printed([1.5, 2.5]), decimals=1),)",
        "right=()",
        "toy/cases.py, line 18: right= must be a tuple of Right(...).",
    ),
    "a right answer is no plain value": change(
        "Right(printed([1.5, 2.5]), decimals=1)",
        "Right(np.array([1.5, 2.5]), decimals=1)",
        "toy/cases.py, line 18: Right holds ndarray. Write Right(printed(numbers), decimals=4).",
    ),
    "a remark has no text": change(
        "decimals=1)",
        'decimals=1, remark="moved")',
        "toy/cases.py, line 18: REMARKS in cases.py has no 'moved'.",
    ),
    "a documented number contradicts the solution": change(
        "printed([1.5, 2.5])",
        "printed([1.5, 2.7])",
        TRIED + "toy/test_toy.py, line 14: the reference earns 1.5 of 2 points for `shift`. "
        "documented, documented case: 1 of 2 numbers are not right. The largest at [1]: 2.5, expected 2.7.",
    ),
    # The reference and the stub.
    "the reference raises": change(
        "np.add(x, START)",
        "np.add(x, STRAT)",
        "toy/toy.py, line 27, while the reference answers `test_shift`: NameError: name 'STRAT' is not defined",
    ),
    "the reference gives nan": change(
        "np.add(x, START)",
        "np.add(x, np.nan)",
        "toy/test_toy.py, line 14: `test_shift` returns nan for the reference, and nan is never right.",
    ),
    "the reference changes its input": Slip(
        TRIED + "toy/test_toy.py, line 14: the reference gets a remark for `shift`: changed_input.",
        (("np.add(x, START)", "np.add(x, START, out=x)"),),
    ),
    "the stub does something before it stops": change(
        "    ### BEGIN SOLUTION\n    moved = np.add(x, START)",
        "    x.missing\n    ### BEGIN SOLUTION\n    moved = np.add(x, START)",
        "toy/toy.py, line 26, while the reference answers `test_shift`: AttributeError: ",
    ),
    "the stub ends otherwise": change(
        "    ### BEGIN SOLUTION\n    moved = np.add(x, START)\n    return moved  # as it is\n    ### END SOLUTION",
        "    try:\n        ### BEGIN SOLUTION\n        return np.add(x, START)\n        ### END SOLUTION\n"
        "    except NotImplementedError:\n        return None",
        TRIED + "toy/toy.py: the stub of `shift` should be not started, and it ends as wrong.",
    ),
    # Mistakes.
    "a mistake is in an unknown step": change(
        '@mistake("double"',
        '@mistake("dubble"',
        "toy/mistakes.py, line 5: there is no step 'dubble'. Did you mean 'double'?",
    ),
    "a mistake replaces what is not there too": mistake(
        '"shift", says="a", look="b", also={"stray": 1})\ndef other(x):\n    return x\n',
        "toy/mistakes.py, line 10: there is no step 'stray'. There is: double, shift.",
    ),
    "a mistake has no words": mistake(
        '"shift", says=" ", look="b")\ndef other(x):\n    return x\n',
        "toy/mistakes.py, line 10: says= must be a text for the student.",
    ),
    "a mistake shows in an unknown criterion": mistake(
        '"shift", says="a", look="b", shows_in="documentd")\ndef other(x):\n    return x\n',
        "toy/mistakes.py, line 10: shows_in='documentd': no such criterion. Did you mean 'documented'?",
    ),
    "a mistake is the same as an unknown one": mistake(
        '"double", says="a", look="b", same_as="unchangd")\ndef other(x):\n    return x\n',
        "toy/mistakes.py, line 10: same_as='unchangd': no such mistake. Did you mean 'unchanged'?",
    ),
    "a mistake is the same as itself": mistake(
        '"double", says="a", look="b", same_as="other")\ndef other(x):\n    return x\n',
        "toy/mistakes.py, line 10: same_as leads in a circle: other, other.",
    ),
    "a pattern is no Python": mistake(
        '"double", says="a", look="b", written={"x +": "You wrote {code}."})\ndef other(x):\n    return x + x * 2\n',
        "toy/mistakes.py, line 10: written= has a pattern that is no Python expression: 'x +'.",
    ),
    "two mistakes have one name": mistake(
        '"shift", says="a", look="b")\ndef unchanged(x):\n    return x\n',
        "toy/mistakes.py, lines 5 and 10: each is called 'unchanged', so only the last one is there.",
    ),
    "a mistake takes other arguments": mistake(
        '"shift", says="a", look="b")\ndef other():\n    return 1\n',
        TRIED + "toy/mistakes.py, line 10: `other` gives no answer in any case: TypeError: ",
    ),
    "a mistake raises": mistake(
        '"shift", says="a", look="b")\ndef other(x):\n    return x.missing\n',
        TRIED + "toy/mistakes.py, line 10: `other` gives no answer in any case: AttributeError: ",
    ),
    "a mistake gives the right answer": mistake(
        '"shift", says="a", look="b")\ndef other(x):\n    return x + 0.5\n',
        "toy/mistakes.py, line 10: in 100 draws for `shift` these mistakes could not be told from the right answer: "
        "other.",
    ),
    "a mistake is right where it should show": mistake(
        '"shift", says="a", look="b", shows_in="documented")\ndef other(x):\n    return x + 0.5\n',
        TRIED + "toy/mistakes.py, line 10: `other` gives the same answers as the reference; "
        "`shift` gets all its points.",
    ),
    "two mistakes give the same answers": mistake(
        '"double", says="a", look="b")\ndef other(x):\n    return 1 * x\n',
        TRIED + "toy/mistakes.py, line 5: `unchanged` gives the same answers as other. Say "
        "so with same_as=, or draw inputs that tell them apart.",
    ),
    "a class is restated wrongly": Slip(
        TRIED + "toy/test_toy.py, line 14: what toy/restated.py restates earns 0 of 2 points "
        "for `shift`. value, drawn case: ",
        files=(("restated.py", RESTATED.replace("x + START", "x - START").encode()),),
    ),
    "what restates a class is not Python": file(
        "restated.py",
        b"def shift(x)\n",
        "toy/restated.py, line 1: this is not Python: expected ':'.",
    ),
    "a solution is the body of a class": Slip(
        TRIED
        + "toy/toy.py: the stub does not run: NotImplementedError. In a class, write the solution "
        "inside each method.",
        changes=(
            ("def shift(x):", "class shift:"),
            ("    moved = np.add(x, START)\n", "    def __new__(cls, x):\n"),
            ("    return moved  # as it is\n", "        return np.add(x, START)\n"),
        ),
    ),
    "a solution is not closed": change(
        "    return moved  # as it is\n    ### END SOLUTION\n",
        "    return moved  # as it is\n",
        "toy/toy.py: The solution at line 26 has no '### END SOLUTION' line.",
    ),
}


def write(folder: Path, slip: Slip) -> Path:
    """Write the toy with this slip; return its folder."""
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


def said(toy: Path) -> str:
    """Return what the author reads; empty if everything fits."""
    try:
        source = load_source(toy)
        try_out(source, draw_exam(source, PUBLIC), {})
    except AssignmentError as error:
        return str(error).replace(str(toy.parents[1]) + "/", "")
    return ""


@pytest.mark.parametrize("slip", SLIPS.values(), ids=SLIPS)
def test_a_slip_of_the_author_is_said_with_its_place(tmp_path: Path, slip: Slip) -> None:
    words = said(write(tmp_path, slip))
    assert words.startswith(slip.words), words
    assert "Traceback" not in words
    assert "autograder/" not in words


@pytest.mark.parametrize(
    "slip",
    [
        Slip(""),
        added("test_toy.py", CRITERION, ""),
        added("mistakes.py", SECOND, ""),
        mistake(
            '"double", says="a", look="b", same_as="unchanged")\ndef other(x):\n    return 1 * x\n',
            "",
        ),
        mistake(
            '"moved", says="a", look="b")\ndef other(x):\n    return x - START\n',
            "",
        ),
        file("restated.py", RESTATED.encode(), ""),
    ],
    ids=["toy", "criterion", "mistake", "same as", "restated mistake", "restated"],
)
def test_what_fits_is_accepted(tmp_path: Path, slip: Slip) -> None:
    toy = write(tmp_path, slip)
    if any("moved" in text for _, text in slip.added):
        (toy / "restated.py").write_text(RESTATED)
    if any("START" in text for _, text in slip.added):
        text = (toy / "mistakes.py").read_text()
        (toy / "mistakes.py").write_text(
            text.replace("import mistake", "import mistake\n\nSTART = 0.5")
        )
    assert said(toy) == ""


@pytest.mark.slow  # draws their exams
def test_the_kits_own_assignments_fit(root: Path) -> None:
    for name in ("self_attention", "numpy_attention", "scaled_dot_product"):
        assert said(root / "solutions" / name) == "", name


def test_build_tries_out_and_writes_nothing_where_something_does_not_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the search for small edits, which takes a process of its own."""
    found = {step: StepMutants() for step in ("double", "shift")}
    monkeypatch.setattr(build, "search_mutants", lambda _: found)
    write(tmp_path, SLIPS["a documented number contradicts the solution"])
    places = ["--solutions", "--assignments", "--course"]
    options = [part for one in places for part in (one, str(tmp_path / one.removeprefix("--")))]
    done = invoke(["build", *options])
    assert done.exit_code == 2
    assert (
        "autograder: Tried out, and this does not fit:\n  toy/test_toy.py, line 14: " in done.stderr
    )
    assert not (tmp_path / "assignments").exists()
    assert invoke(["build", "--keep", *options]).exit_code == 0
    assert invoke(["build", "--check", *options]).exit_code == 0


def test_every_problem_is_said_at_once_with_its_own_place(tmp_path: Path) -> None:
    toy = write(
        tmp_path, mistake('"doubel", says="", look="b")\ndef other(x):\n    return x\n', "")
    )
    with (toy / "cases.py").open("a") as file:
        file.write('\n\n@drawn("shfit")\ndef moved(draw):\n    return {}\n')
    lines = said(toy).split("\n  ")
    assert [line.partition(":")[0].partition(",")[0] for line in lines] == [
        "toy/cases.py",
        "toy/mistakes.py",
        "toy/mistakes.py",
    ]
    assert "there is no such step. Did you mean 'shift'?" in lines[0]
    assert "there is no step 'doubel'. Did you mean 'double'?" in lines[1]
    assert lines[2].endswith("says= must be a text for the student.")
