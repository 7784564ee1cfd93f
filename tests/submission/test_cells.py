"""A cell's Python: magics, calls of `check` and cells in another language are left out; lines stay."""

from __future__ import annotations

import pytest

from autograder.submission.cells import (
    MOST_TIMED,
    exported,
    timed_cells,
    without_check_lines,
    without_magics,
)
from tests.trusted_cost import measured

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ('check("a")', "pass"),
        ('x = 1; check("a"); y = 2', "x = 1; pass; y = 2"),
        ('é = 1; check(\n    "a",\n)\nz = 3', "é = 1; \n\npass\nz = 3"),
        ('check(\n    "a"); x = 2\ny = 3', "\npass; x = 2\ny = 3"),
        ("from autograder.notebook import check", "pass"),
        ("def f():\n    check('a')", "def f():\n    check('a')"),
        ("def check(x):\n    return x", "def check(x):\n    return x"),
        ("check(x) + recheck(1)", "check(x) + recheck(1)"),
        ("check(", "check("),
        ('s = """\ncheck("a")\n"""', 's = """\ncheck("a")\n"""'),
    ],
)
def test_calls_of_check_are_left_out_and_lines_stay(source: str, wanted: str) -> None:
    assert without_check_lines(source) == wanted


# Lines that are Python wherever they stand: in strings, in brackets, behind a backslash.
KEPT = (
    's = """\n!ls\n%matplotlib inline\nsum?\n"""',
    "s = r'''\\\n!ls\n'''",
    "s = 'a\\\n!b'",
    "x = (a\n%b)",
    "x = [\n%(y)s\n]",
    "x = a \\\n%b",
    "# it's (\nx = 1",
)
TRIES = "try:\n    get_ipython().system('ls')\nexcept NameError:\n    pass"


@pytest.mark.parametrize(
    ("source", "wanted", "dropped"),
    [
        ("%matplotlib inline\n!ls\nx = 1", "\n\nx = 1", ("%matplotlib inline", "!ls")),
        ("get_ipython().system('ls')\nx = 1", "\nx = 1", ("get_ipython().system('ls')",)),
        ("shell = get_ipython()", "shell = get_ipython()", ()),
        (TRIES, TRIES, ()),
        ("# a\r%time\rx = 1", "# a\n\nx = 1", ("%time",)),
        ("%%bash\nls\nx = 1", "\n\n", ("%%bash",)),
        ("x = (7\n  % 5\n  != 2)", "x = (7\n  % 5\n  != 2)", ()),
        (
            "if colab:  # there\n    !pip install x \\\n    y\n    !ls\nz = 1",
            "if colab:  # there\n    pass\n\n\nz = 1",
            ("!pip install x \\", "!ls"),
        ),
        ("?sum\nsum??\nx.y?", "\n\n", ("?sum", "sum??", "x.y?")),
        (
            "\n    x = 1\n    %time\n    if x:\n        x = 2\n",
            "\nx = 1\n\nif x:\n    x = 2\n",
            ("%time",),
        ),
        ("  x = 1\ny = 2", "x = 1\ny = 2", ()),
        *((text, text, ()) for text in KEPT),
        (
            'x = """\n%a\n"""\n%b\n!echo it\'s ((\n!ls',
            'x = """\n%a\n"""\n\n\n',
            ("%b", "!echo it's ((", "!ls"),
        ),
        ("x = (1\nimport y\n!ls", "x = (1\nimport y\n", ("!ls",)),
        ("x = 1)\n!ls", "x = 1)\n", ("!ls",)),
        ('#"""\n%a\n#"""', '#"""\n\n#"""', ("%a",)),
        ("x = 1\n  y = 2", "x = 1\n  y = 2", ()),
    ],
)
def test_lines_for_a_notebook_are_left_out(
    source: str, wanted: str, dropped: tuple[str, ...]
) -> None:
    assert without_magics(source) == (wanted, dropped)


@pytest.mark.parametrize(
    ("source", "wanted", "dropped"),
    [
        ("?torch.softmax\ntorch.softmax?\nx = 1", "\n\nx = 1", ("?torch.softmax", "torch.softmax?")),
        ("try:\n    import x\nexcept ImportError:\n    !pip install x\n",
         "try:\n    import x\nexcept ImportError:\n    pass\n", ("!pip install x",)),
        ("    %timeit f()\n%%time\n", "\n\n", ("%timeit f()", "%%time")),
        ("from autograder.notebook import check\ncheck('a')\nx = 1", "pass\npass\nx = 1", ()),
        ("def check(name): ...\ncheck('a')", "def check(name): ...\ncheck('a')", ()),
        ("x = (7\n    %y\n    %time_\n    != 3)", "x = (7\n    %y\n    %time_\n    != 3)", ()),
        *((text, text, ()) for text in KEPT),
        ("# why?\nx = 'what?'", "# why?\nx = 'what?'", ()),
    ],
)  # fmt: skip
def test_they_are_left_out_of_a_file(source: str, wanted: str, dropped: tuple[str, ...]) -> None:
    assert exported(source) == (wanted, dropped)


TIMED = "get_ipython().run_cell_magic('time', '', {})"


def test_a_timed_cell_is_the_text_that_stands_there() -> None:
    source = "\n".join(["x = 1", TIMED.format("'y = 2\\n'"), "z = 3"])
    assert timed_cells(source) == [
        ("", "x = 1\n"), ("cell in line 2", "y = 2\n"), ("", "\n\nz = 3"),
    ]  # fmt: skip


@pytest.mark.parametrize("given", ["1, 2", "'a' 'b'", "'a", "f('x')", "[" + "1," * 1_000_000 + "]"])
def test_what_is_not_one_text_is_no_timed_cell_and_is_not_parsed(given: str) -> None:
    source = TIMED.format(given)
    with measured() as cost:
        assert timed_cells(source) == [("", source)]
    assert cost.units < 40


def test_an_endless_number_of_timed_cells_is_not_read() -> None:
    assert len(timed_cells(f"{TIMED.format(repr('x'))}\n" * 10_000)) == 2 * MOST_TIMED + 1


@pytest.mark.large
@pytest.mark.parametrize("line", ["x = ((", "'''", "%a", "x = '\\", "((\nimport x"])
def test_lines_cost_linear_time(line: str) -> None:
    with measured() as cost:
        without_magics("%first\n" + f"{line}\n" * 20_000)
    assert cost.units < 40


@pytest.mark.parametrize("spaces", [1, 3, 50])
def test_spaces_behind_semicolons_cost_linear_time(spaces: int) -> None:
    line = (";" + " " * spaces) * 19 + "x = check"
    with measured() as cost:
        assert without_check_lines(f"{line}\n" * 50) == f"{line}\n" * 50
    assert cost.units < 40
