"""Rows that edit a program: an edit that does not fit is refused. That edits are made is seen in the rows' marks."""

from __future__ import annotations

import pytest

from tests.truth.rows import edited

pytestmark = pytest.mark.unit

BASE = "def f(x):\n    y = x + 1\n    return y\n"


@pytest.mark.parametrize("edit", ["#: z => x", "#-    z = x", "#-    y", "#=    z", "#: x+1 => x"])
def test_an_edit_of_what_is_not_there_is_refused(edit: str) -> None:
    with pytest.raises(ValueError, match="program"):
        edited(BASE, (edit, "#+    pass"))
