"""docs/coverage.md has a row for every printed number, and its rows name only what exists."""

import ast
import functools
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
    """The two tables of one assignment, each row as (left column, right column)."""

    documents: Rows = ()
    numbers: Rows = ()

    @property
    def places(self) -> list[str]:
        return [place for _, place in self.documents + self.numbers]

    def named(self, form: re.Pattern[str]) -> list[re.Match[str]]:
        return [found for place in self.places for found in form.finditer(place)]


@functools.cache
def read_sections(text: str) -> dict[str, Section]:
    parts = re.split(r"^## +(.+?) *$", text, flags=re.MULTILINE)
    return {
        name: Section(
            documents=read_table(body, "section of the document", "covered by"),
            numbers=read_table(body, "number", "where"),
        )
        for name, body in zip(parts[1::2], parts[2::2], strict=True)
    }


def read_table(body: str, *header: str) -> Rows:
    """The rows below this header and its rule, up to the first line that is no row."""
    lines = iter(body.splitlines())
    if not any(columns(line) == header for line in lines):
        return ()
    next(lines)
    rows = []
    for line in lines:
        if not line.startswith("|"):
            break
        left, right = columns(line)
        rows.append((left.strip("`"), right))
    return tuple(rows)


def columns(line: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in line.strip().strip("|").split("|"))


@functools.cache
def script_of(assignment: str) -> str:
    return (SOLUTIONS / assignment / f"{assignment}.py").read_text(encoding="utf-8")


def printed(assignment: str) -> dict[str, Any]:
    """The documents' numbers; none for an assignment that goes beyond them."""
    path = SOLUTIONS / assignment / "documented.json"
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}


def first_headings(assignment: str) -> set[str]:
    texts = (cell.source for cell in cells_of(assignment) if cell.kind == "text")
    found = (re.search(r"^# #+ +(.+?) *$", text, flags=re.MULTILINE) for text in texts)
    return {heading[1] for heading in found if heading}


@functools.cache
def top_level_names(source: str) -> set[str]:
    body = ast.parse(source).body
    return {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}


@pytest.fixture(params=NAMES)
def assignment(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def section(assignment: str) -> Section:
    return read_sections(COVERAGE.read_text(encoding="utf-8")).get(assignment, Section())


def test_some_assignment_has_printed_numbers() -> None:
    assert any(map(printed, NAMES))


def test_each_assignment_says_where_the_documents_sections_went(section: Section) -> None:
    assert section.documents


def test_each_printed_number_has_exactly_one_row(assignment: str, section: Section) -> None:
    assert sorted(key for key, _ in section.numbers) == sorted(printed(assignment))


def test_each_row_names_a_step_a_cell_or_a_test_in_the_agreed_form(section: Section) -> None:
    for place in section.places:
        rest = place
        for form in (STEP, CELL, TEST):
            rest = form.sub("", rest)
        assert rest != place, f"names nothing: {place}"
        assert not re.search(r'[`"]', rest), f"neither step, cell nor test: {rest.strip(', ')}"


def test_each_named_step_is_defined_in_the_script(assignment: str, section: Section) -> None:
    steps = {found["name"] for found in section.named(STEP)}

    assert steps <= top_level_names(script_of(assignment))


def test_each_named_cell_stands_in_the_script(assignment: str, section: Section) -> None:
    headings = {found["heading"] for found in section.named(CELL)}

    assert headings <= first_headings(assignment)


def test_each_named_test_exists(section: Section) -> None:
    for found in section.named(TEST):
        file = ROOT / found["file"]
        assert file.is_file(), found[0]
        assert found["function"] in top_level_names(file.read_text(encoding="utf-8")), found[0]


def test_each_step_covers_a_part_of_a_document(assignment: str, section: Section) -> None:
    named = {found["name"] for found in section.named(STEP)}
    assert {cell.id for cell in steps_of(assignment)} <= named


def test_each_step_says_which_document_it_follows(assignment: str) -> None:
    """Its docstring names one of those that the numbers come from; none where the documents print no numbers."""
    numbers = printed(assignment).values()
    documents = {source for number in numbers for source in number["sources"]}
    for cell in steps_of(assignment):
        docstring = ast.get_docstring(ast.parse(cell.source).body[0]) or ""  # type: ignore[arg-type]
        named = " ".join(docstring.partition("Source: ")[2].split())
        assert any(document in named for document in documents) or not (documents or named), cell.id


def steps_of(assignment: str) -> list[Cell]:
    return [cell for cell in cells_of(assignment) if cell.kind == "step"]


@functools.cache
def cells_of(assignment: str) -> tuple[Cell, ...]:
    return read_cells(script_of(assignment))
