"""The page lists exactly the assignments' misconceptions, and the truth tables cite only these."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from autograder.explain import exceptions
from tests.truth.misconceptions import lines
from tests.truth.styles import STYLES
from tests.truth.test_truth import table

PAGE = Path(__file__).parents[2] / "docs" / "misconceptions.md"
# Mistakes that functions recognise from names and messages, without a table.
BY_FUNCTIONS = {"name_misspelt", "name_not_defined", "not_stored_on_self"}


def test_the_page_is_what_is_printed() -> None:
    assert PAGE.read_text(encoding="utf-8").splitlines() == "\n".join(lines()).splitlines()


@pytest.mark.parametrize("kind", ["wrong", "accepted"])
def test_each_row_cites_an_entry(kind: str) -> None:
    entries = set(re.findall(r"^- `(\w+)`", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    known = entries | BY_FUNCTIONS if kind == "wrong" else set(STYLES)
    cited = {variant.row for _, variant in table(kind)} - {"unlisted", "unnamed"}
    assert cited <= known
    assert set(re.findall(r'"(\w+)"', Path(exceptions.__file__).read_text("utf-8"))) >= BY_FUNCTIONS
