"""The page lists exactly the assignments' misconceptions, and the truth tables cite only these."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from autograder import explain
from autograder.explain.explanation import READINGS
from autograder.explain.obstacles import KNOWN_OBSTACLES
from tests.truth.misconceptions import lines
from tests.truth.styles import STYLES
from tests.truth.test_truth import table

PAGE = Path(__file__).parents[2] / "docs" / "misconceptions.md"
EXPLAIN = Path(explain.__file__).parent
NAMED = re.compile(r"Reading\(\s*\"(\w+)\"")


def test_the_page_is_what_is_printed() -> None:
    assert PAGE.read_text(encoding="utf-8").splitlines() == "\n".join(lines()).splitlines()


@pytest.mark.parametrize("kind", ["wrong", "accepted"])
def test_each_row_cites_an_entry(kind: str) -> None:
    entries = set(re.findall(r"^- `(\w+)`", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    known = entries if kind == "wrong" else set(STYLES)
    cited = {variant.row for _, variant in table(kind)} - {"unlisted", "unnamed"}
    assert cited <= known


def test_each_reading_is_listed() -> None:
    found = {
        name for path in EXPLAIN.glob("*.py") for name in NAMED.findall(path.read_text("utf-8"))
    }
    assert found
    assert found <= READINGS.keys() | {known.name for known in KNOWN_OBSTACLES}
