"""Rows that edit a program: each edit is made, and one that does not fit is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.truth.rows import edited, read_cells

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.unit

BASE = "def f(x):\n    y = x + 1\n    return y\n"


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        (("",), BASE),
        (("pass",), "pass\n"),
        (("#: x => y", "#: y => x"), "def f(y):\n    x = y + 1\n    return x\n"),
        (("#-    y = x + 1", "#-    return y", "#+    return x"), "def f(x):\n    return x\n"),
        (("#=    y = x + 1", "#+    print(y)"), BASE.replace("+ 1\n", "+ 1\n    print(y)\n")),
        (("#+import torch",), f"import torch\n{BASE}"),
        (("#-def f(x):", "#+def g(x):", "#-    return y"), "def g(x):\n    y = x + 1\n"),
    ],
)
def test_the_edits_of_a_row_make_its_source(edits: tuple[str, ...], expected: str) -> None:
    assert edited(BASE, edits) == expected


@pytest.mark.parametrize("edit", ["#: z => x", "#-    z = x", "#-    y", "#=    z", "#: x+1 => x"])
def test_an_edit_of_what_is_not_there_is_refused(edit: str) -> None:
    with pytest.raises(ValueError, match="program"):
        edited(BASE, (edit, "#+    pass"))


def test_a_file_is_cut_into_cells_at_its_marks(tmp_path: Path) -> None:
    path = tmp_path / "step.py"
    path.write_text("# What.\n\n# %% one\na\n\n# %% [A chapter]\n\n# %% two: b\n\n    c\n\nd\n")
    assert [(cell.header, cell.lines) for cell in read_cells(path)] == [
        ("one", ("a",)),
        ("two: b", ("    c", "", "d")),
    ]
