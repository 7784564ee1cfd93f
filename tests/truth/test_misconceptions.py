"""The truth tables cite only misconceptions of the list, and each finding has its words."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from string import Formatter

import pytest

from autograder import explain
from autograder.explain.rules import WORDS
from tests.truth.misconceptions import lines
from tests.truth.styles import STYLES
from tests.truth.variant import table

EXPLAIN = Path(explain.__file__).parent


@pytest.mark.parametrize("kind", ["wrong", "accepted"])
def test_each_row_cites_an_entry(kind: str) -> None:
    entries = set(re.findall(r"^- `(\w+)`", "\n".join(lines()), re.MULTILINE))
    known = entries if kind == "wrong" else set(STYLES)
    cited = {variant.row for _, variant in table(kind)} - {"unlisted", "unnamed"}
    assert cited <= known


def test_each_finding_has_words_for_its_facts() -> None:
    """Each rule that names its key names the facts of its words, too."""
    found = 0
    for path in EXPLAIN.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in (
                "finding",
                "guess",
                "say",
            ):
                key = node.args[0]
                given = {keyword.arg for keyword in node.keywords}
                if (
                    isinstance(key, ast.Constant)
                    and isinstance(key.value, str)
                    and None not in given
                ):
                    named = {name for _, name, _, _ in Formatter().parse("".join(WORDS[key.value]))}
                    assert named - {None} <= given, key.value
                    found += 1
    assert found > 30
