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
    "a file is missing": file("cases.py", None, "toy, while cases.py is read: FileNotFoundError: "),
    "a file is not UTF-8": file(
        "mistakes.py",
        b"# \xff",
        "toy, while mistakes.py is read: UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in position 2",
    ),
    "the cases are not Python": change(
        "def numbers(draw):",
        "def numbers(draw)",
        "toy, while the file is loaded: SyntaxError: expected ':' (cases.py, line 8)",
    ),
    "the mistakes are not Python": change(
        "def unchanged(x):",
        "def unchanged(x:",
        "toy, while the file is loaded: SyntaxError: '(' was never closed (mistakes.py, line 5)",
    ),
    "a given cell is not Python": change(
        "START = 0.5",
        "START = = 0.5",
        "toy, while the script is run: SyntaxError: invalid syntax (toy.py, line 9)",
    ),
    "a given cell raises": change(
        "START = 0.5",
        "START = 1 / 0",
        "toy/toy.py, line 9, while the script is run: ZeroDivisionError: division by zero",
    ),
    "the printed numbers are not JSON": file(
        "documented.json",
        b'{"one": {"printed": [1.5,]}}',
        "toy, while documented.json is read: JSONDecodeError: ",
    ),
    "the printed numbers have another form": file(
        "documented.json",
        b'{"one": [1.5]}',
        "toy, while documented.json is read: TypeError: list indices must be",
    ),
    "a printed number is missing": change(
        "printed([1.5, 2.5])",
        'printed(numbers["moved"])',
        "toy/cases.py, line 19, while making the documented cases of `shift`: KeyError: 'moved'",
    ),
    "a field of a case is misspelt": change(
        "student.double(case.x)",
        "student.double(case.xs)",
        "toy/test_toy.py, line 10, while the reference answers `test_double`: AttributeError: 'types.SimpleNa",
    ),
    # Steps and checks.
    "there is no step": Slip(
        "toy/toy.py: no step; a cell with a line `### BEGIN SOLUTION` is one.",
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
        "toy/test_toy.py: checks of shift; wanted one for each step, in this order: double, shift.",
    ),
    "the name of a step is misspelt": change(
        'def shift(x):\n    """Return x,',
        'def shfit(x):\n    """Return x,',
        "toy/test_toy.py: checks of double, shift; wanted one for each step, in this order: double, shfit.",
    ),
    "a check has no step": added(
        "test_toy.py",
        '\n\n@check(points=1)\ndef test_halve(student, case):\n    """Half."""\n    return student.halve(case.x)\n',
        "toy/test_toy.py: checks of double, shift, halve; wanted one for each step, in this order: double, shift.",
    ),
    "a step is there twice": change(
        'def shift(x):\n    """Return x,',
        'def double(x):\n    """Return x,',
        "toy/test_toy.py: checks of double, shift; wanted one for each step, in this order: double, double.",
    ),
    "two checks have one name": change(
        "def test_shift(",
        "def test_double(",
        "toy/test_toy.py: checks of double; wanted one for each step, in this order: double, shift.",
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
        "toy/test_toy.py, line 5: the reference gets 0 points; wanted 1, passed. Seen: ",
    ),
    # Points.
    "points are negative": change(
        "points=1)",
        "points=-1)",
        "toy/test_toy.py, line 5: value: points=-1, slack=1; both must be above 0.",
    ),
    "points are no number": change(
        "points=1)",
        'points="1")',
        "toy/test_toy.py, line 4, while the file is loaded: TypeError: unsupported operand",
    ),
    "documented takes more than all points": change(
        "documented=0.5",
        "documented=3",
        "toy/test_toy.py, line 14: value: points=-1, slack=1; both must be above 0.",
    ),
    "criteria take all points": added(
        "test_toy.py",
        CRITERION.replace("0.5", "1"),
        "toy/test_toy.py, line 5: value: points=0, slack=1; both must be above 0.",
    ),
    # Probes.
    "a probe takes one argument": change(
        "def test_double(student, case):",
        "def test_double(student):",
        "toy, while the reference answers `test_double`: TypeError: test_double() takes 1 positional argument",
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
        "toy/test_toy.py, line 14: the stub gets 2 points; wanted 0, not started. Seen: passed",
    ),
    # Cases.
    "no inputs are drawn": change(
        '@drawn("double")\n',
        "",
        "toy/cases.py: no @drawn for the step 'double'. There is: shift.",
    ),
    "inputs are drawn for an unknown step": change(
        '@drawn("double")',
        '@drawn("duoble")',
        "toy/cases.py, line 8: no step 'duoble'. Did you mean 'double'?",
    ),
    "inputs are drawn twice for a step": change(
        '@drawn("shift")',
        '@drawn("double")',
        "toy/cases.py: no @drawn for the step 'shift'. There is: double.",
    ),
    "two functions of cases have one name": change(
        "def other_numbers(",
        "def numbers(",
        "toy/cases.py: no @drawn for the step 'double'. There is: shift.",
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
    "the inputs are always the same": change(
        "draw.normal(draw.d_in)",
        "np.ones(3)",
        "toy/cases.py, line 13: `shift` has the same answer in two drawn cases; draw other inputs.",
    ),
    "a corner for no step": added(
        "cases.py",
        CORNER.replace('"double"', '"duoble"'),
        "toy/cases.py, line 25: no step 'duoble'. Did you mean 'double'?",
    ),
    "a corner without a right answer": added(
        "cases.py",
        CORNER.replace("draw.normal(1)", "np.array([np.nan])"),
        "toy/test_toy.py, line 5: `test_double` returns nan for the reference, and nan is never right.",
    ),
    "a documented case is missing": change(
        '@documented("shift")\n',
        "",
        "toy/cases.py: `shift` must have both @documented here and documented= in its @check, or none.",
    ),
    "documented numbers have no points": change(
        "points=2, documented=0.5",
        "points=2",
        "toy/cases.py: `shift` must have both @documented here and documented= in its @check, or none.",
    ),
    "a documented case has no right answer": change(
        "right=(Right(printed([1.5, 2.5]), decimals=1),)",
        "right=()",
        "toy/cases.py, line 18: wanted documented cases of `shift`: yield DocumentedCase(",
    ),
    "a right answer is no plain value": change(
        "Right(printed([1.5, 2.5]), decimals=1)",
        "Right(np.array([1.5, 2.5]), decimals=1)",
        "toy/cases.py, line 18: wanted documented cases of `shift`: yield DocumentedCase(",
    ),
    "a remark has no text": change(
        "decimals=1)",
        'decimals=1, remark="moved")',
        "toy/cases.py, line 18: wanted documented cases of `shift`: yield DocumentedCase(",
    ),
    "a documented number contradicts the solution": change(
        "printed([1.5, 2.5])",
        "printed([1.5, 2.7])",
        "toy/test_toy.py, line 14: the reference gets 1.5 points; wanted 2, passed. Seen: ",
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
        "toy/test_toy.py, line 14: the reference gets 2 points; wanted 2, passed. Seen: passed, changed_input",
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
        "toy/test_toy.py, line 14: the stub gets 0 points; wanted 0, not started. Seen: ",
    ),
    # Mistakes.
    "a mistake is in an unknown step": change(
        '@mistake("double"',
        '@mistake("dubble"',
        "toy/mistakes.py, line 5: no step 'dubble'. Did you mean 'double'?",
    ),
    "a mistake replaces what is not there too": mistake(
        '"shift", says="a", look="b", also={"stray": 1})\ndef other(x):\n    return x\n',
        "toy/mistakes.py, line 10: no step 'stray'. There is: double, shift.",
    ),
    "a mistake has no words": mistake(
        '"shift", says=" ", look="b")\ndef other(x):\n    return x\n',
        "toy/mistakes.py, line 10: says= and look= must be texts for the student, inside= two.",
    ),
    "a mistake shows in an unknown criterion": mistake(
        '"shift", says="a", look="b", shows_in="documentd")\ndef other(x):\n    return x\n',
        "toy/mistakes.py, line 10: no criterion 'documentd'. Did you mean 'documented'?",
    ),
    "a mistake takes other arguments": mistake(
        '"shift", says="a", look="b")\ndef other():\n    return 1\n',
        "toy/mistakes.py, line 10: wanted an answer. Seen: ",
    ),
    "a mistake raises": mistake(
        '"shift", says="a", look="b")\ndef other(x):\n    return x.missing\n',
        "toy/mistakes.py, line 10: wanted an answer. Seen: ",
    ),
    "a mistake gives the right answer": mistake(
        '"shift", says="a", look="b")\ndef other(x):\n    return x + 0.5\n',
        "toy/mistakes.py, line 10: in 100 draws for `shift` these mistakes could not be told from the right answer: "
        "other.",
    ),
    "a mistake is right where it should show": mistake(
        '"shift", says="a", look="b", shows_in="documented")\ndef other(x):\n    return x + 0.5\n',
        "toy/mistakes.py, line 10: `shift` gets all points; wanted a mistake that costs points.",
    ),
    "two mistakes give the same answers": mistake(
        '"double", says="a", look="b")\ndef other(x):\n    return 1 * x\n',
        "toy/mistakes.py, line 5: `double` is taken for none or several; "
        "wanted same_as=, or inputs that tell them apart.",
    ),
    "a class is restated wrongly": Slip(
        "toy/test_toy.py, line 14: restated.py gets 0 points; wanted 2, passed. Seen: ",
        files=(("restated.py", RESTATED.replace("x + START", "x - START").encode()),),
    ),
    "what restates a class is not Python": file(
        "restated.py",
        b"def shift(x)\n",
        "toy, while the file is loaded: SyntaxError: expected ':' (restated.py, line 1)",
    ),
    "a solution is the body of a class": Slip(
        "toy/toy.py: wanted a stub that runs; a class needs its methods. Seen: NotImplementedError.",
        changes=(
            ("def shift(x):", "class shift:"),
            ("    moved = np.add(x, START)\n", "    def __new__(cls, x):\n"),
            ("    return moved  # as it is\n", "        return np.add(x, START)\n"),
        ),
    ),
    "a solution is not closed": change(
        "    return moved  # as it is\n    ### END SOLUTION\n",
        "    return moved  # as it is\n",
        "toy/toy.py, line 26: 'the end of the cell'; ",
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
    assert done.stderr.startswith("autograder: toy/test_toy.py, line 14: the reference gets 1.5 ")
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
    assert "no step 'shfit'. Did you mean 'shift'?" in lines[0]
    assert "no step 'doubel'. Did you mean 'double'?" in lines[1]
    assert "says= and look= must be texts" in lines[2]
