"""docs/coverage.md has a row for every printed number, and its rows name only what exists."""

import ast
import functools
import itertools
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from autograder.assignment.script import Cell, read_cells
from autograder.assignment.source import source_names

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[1]
COVERAGE = ROOT / "docs" / "coverage.md"
SOLUTIONS = ROOT / "solutions"
NAMES = source_names(SOLUTIONS)

STEP = re.compile(r"step `(?P<name>\w+)`")
CELL = re.compile(r'cell "(?P<heading>[^"]+)"')
TEST = re.compile(r"test `(?P<file>[^`:]+)::(?P<function>\w+)(?:\[(?P<id>[^\]`]+)\])?`")

Rows = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Section:
    """The tables of one assignment, each row as (left column, right column)."""

    documents: Rows = ()
    numbers: Rows = ()

    @property
    def places(self) -> list[str]:
        return [place for _, place in self.documents + self.numbers]

    def named(self, form: re.Pattern[str]) -> list[re.Match[str]]:
        return [found for place in self.places for found in form.finditer(place)]


@functools.cache
def sections() -> dict[str, Section]:
    parts = re.split(r"^## +(.+?) *$", COVERAGE.read_text("utf-8"), flags=re.MULTILINE)
    return {
        name: Section(
            read_tables(body, "section", "covered by"),
            read_tables(body, "numbers", "where"),
        )
        for name, body in zip(parts[1::2], parts[2::2], strict=True)
    }


def read_tables(body: str, *header: str) -> Rows:
    """The rows below each such header and its rule, up to the first line that is no row."""
    lines = iter(body.splitlines())
    found: list[tuple[str, ...]] = []
    while any(columns(line) == header for line in lines):
        next(lines)
        found += map(columns, itertools.takewhile(lambda line: line.startswith("|"), lines))
    return tuple((left, right) for left, right in found)


def columns(line: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in line.strip().strip("|").split("|"))


def printed(assignment: str) -> dict[str, Any]:
    """The documents' numbers; none for an assignment that goes beyond them."""
    path = SOLUTIONS / assignment / "documented.json"
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}


@functools.cache
def top_level_names(source: str) -> set[str]:
    body = ast.parse(source).body
    return {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}


@pytest.fixture(params=NAMES)
def assignment(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def section(assignment: str) -> Section:
    return sections().get(assignment, Section())


def test_each_printed_number_has_exactly_one_row(assignment: str, section: Section) -> None:
    assert any(map(printed, NAMES))
    assert section.documents
    named = [key for keys, _ in section.numbers for key in re.findall(r"`(\w+)`", keys)]
    assert sorted(named) == sorted(printed(assignment))
    if named:
        tests = ROOT / "tests" / "solutions" / f"test_{assignment}_numbers.py"
        assert "test_number" in top_level_names(tests.read_text("utf-8"))


def test_each_row_names_a_step_a_cell_or_a_test_in_the_agreed_form(section: Section) -> None:
    for place in section.places:
        rest = place
        for form in (STEP, CELL, TEST):
            rest = form.sub("", rest)
        assert rest != place, f"names nothing: {place}"
        assert not re.search(r'[`"]', rest), f"neither step, cell nor test: {rest.strip(', ')}"


def test_each_named_place_exists_and_each_step_is_named(assignment: str, section: Section) -> None:
    cells = cells_of(assignment)
    steps = {cell.id for cell in cells if cell.kind == "step"}
    assert {found["name"] for found in section.named(STEP)} == steps
    texts = "\n\n".join(cell.source for cell in cells if cell.kind == "text")
    headings = set(re.findall(r"^# #+ +(.+?) *$", texts, re.MULTILINE))
    assert {found["heading"] for found in section.named(CELL)} <= headings
    for found in section.named(TEST):
        assert found["function"] in top_level_names((ROOT / found["file"]).read_text("utf-8"))


def test_each_step_says_which_document_it_follows(assignment: str) -> None:
    """Its docstring names one of those that the numbers come from; none where the documents print no numbers."""
    numbers = printed(assignment).values()
    documents = {source for number in numbers for source in number["sources"]}
    for cell in (one for one in cells_of(assignment) if one.kind == "step"):
        docstring = ast.get_docstring(ast.parse(cell.source).body[0]) or ""  # type: ignore[arg-type]
        named = " ".join(docstring.partition("Source: ")[2].split())
        assert any(document in named for document in documents) or not (documents or named), cell.id


@functools.cache
def cells_of(assignment: str) -> tuple[Cell, ...]:
    return read_cells((SOLUTIONS / assignment / f"{assignment}.py").read_text("utf-8"))
