"""Formulas as MathML: those of the notebooks, and what a student may write."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET

import pytest

from autograder.nbgrader.feedback_exporter import formula_html
from tests.nbgrader.course import ROOT

_MATH = "{http://www.w3.org/1998/Math/MathML}"
_FORMULA = re.compile(r"\$\$(.+?)\$\$|\$([^$\n]+?)\$", re.DOTALL)


def released() -> list[str]:
    found = set()
    for path in sorted((ROOT / "assignments").glob("*/*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "markdown":
                matches = _FORMULA.findall("".join(cell["source"]))
                found |= {block or inline for block, inline in matches}
    return sorted(found)


def test_every_formula_of_the_notebooks_is_shown_without_a_script() -> None:
    formulas = released()
    assert len(formulas) > 100
    for tex in formulas:
        root = ET.fromstring(formula_html(tex))
        assert root.tag == f"{_MATH}math"
        text = "".join(root.itertext())
        assert text
        assert not set(text) & set("\\{}_$&#")


def test_a_formula_has_its_parts() -> None:
    root = ET.fromstring(formula_html(r"\frac{Q K^\top}{\sqrt{d_k}}", block=True))
    assert root.get("display") == "block"
    parts = [element.tag.removeprefix(_MATH) for element in root.iter()]
    assert [part for part in parts if part in ("mfrac", "msup", "msqrt", "msub")] == [
        "mfrac",
        "msup",
        "msqrt",
        "msub",
    ]


@pytest.mark.parametrize(
    "tex",
    [
        r"\text{<script>alert(1)</script>}",
        r"\href{javascript:alert(1)}{x}",
        r"\style{background:url(//example.org)}{x}",
        r"\unicode{60}script",
        "<img src=x onerror=alert(1)>",
        "x]]><script>",
    ],
)
def test_a_students_formula_runs_nothing_and_leads_nowhere(tex: str) -> None:
    shown = formula_html(tex)
    assert not re.search(r"<(?!/?(?:m[a-z]+|code)\b)", shown)
    assert not re.search(r"<[^>]*(?:href|src|style|class|on\w+)\s*=", shown)


@pytest.mark.parametrize(
    "tex",
    [
        "{" * 1_000,
        r"\sqrt{" * 320 + "x" + "}" * 320,
        r"\unknown{x}",
        r"\begin{aligned}a &= b\end{aligned}",
    ],
    ids=["open", "deep", "unknown", "aligned"],
)
def test_what_cannot_be_converted_is_shown_as_it_was_written(tex: str) -> None:
    assert formula_html(f" {tex} ") == f"<code>{tex.replace('&', '&amp;')}</code>"
