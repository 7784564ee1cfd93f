"""A cell's Python: magics, calls of `check` and cells in another language are left out; lines stay."""

from __future__ import annotations

import pytest

from autograder.submission.cells import exported, without_check_lines, without_magics

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
    ],
)
def test_calls_of_check_are_left_out_and_lines_stay(source: str, wanted: str) -> None:
    assert without_check_lines(source) == wanted


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
        ("# why?\nx = 'what?'", "# why?\nx = 'what?'", ()),
    ],
)  # fmt: skip
def test_they_are_left_out_of_a_file(source: str, wanted: str, dropped: tuple[str, ...]) -> None:
    assert exported(source) == (wanted, dropped)
