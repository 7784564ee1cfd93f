"""Notebooks that were damaged or changed: each graded as far as possible, and the feedback says what was done."""

from __future__ import annotations

import ast
import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.nbgrader.course import NAME, Course, cell_of, code_cell, copy_course, filled

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.slow

FULL = 20
Notebook = dict[str, Any]


def without(*names: str) -> Callable[[Notebook], None]:
    def change(notebook: Notebook) -> None:
        notebook["cells"] = [cell for cell in notebook["cells"] if cell["id"] not in names]

    return change


def retype(name: str, kind: str = "markdown") -> Callable[[Notebook], None]:
    def change(notebook: Notebook) -> None:
        cell = cell_of(notebook, name)
        cell["cell_type"] = kind
        del cell["outputs"], cell["execution_count"]

    return change


def rename(name: str) -> Callable[[Notebook], None]:
    def change(notebook: Notebook) -> None:
        cell = cell_of(notebook, name)
        cell["id"] = cell["metadata"]["nbgrader"]["grade_id"] = "my-own-name"

    return change


def prepend(name: str, text: str) -> Callable[[Notebook], None]:
    def change(notebook: Notebook) -> None:
        cell = cell_of(notebook, name)
        cell["source"] = text + cell["source"]

    return change


def replace(name: str, text: str) -> Callable[[Notebook], None]:
    def change(notebook: Notebook) -> None:
        cell_of(notebook, name)["source"] = text

    return change


def duplicate(name: str) -> Callable[[Notebook], None]:
    """As JupyterLab copies a cell: another id, the same metadata."""

    def change(notebook: Notebook) -> None:
        copy = json.loads(json.dumps(cell_of(notebook, name)))
        copy["id"] = "copied"
        place = notebook["cells"].index(cell_of(notebook, name))
        notebook["cells"].insert(place + 1, copy)

    return change


def swap_kernel(notebook: Notebook) -> None:
    notebook["metadata"]["kernelspec"] = {"name": "evil", "display_name": "Evil", "language": "no"}


def more_points(notebook: Notebook) -> None:
    cell_of(notebook, "check_project")["metadata"]["nbgrader"]["points"] = 1000


def older_schema(notebook: Notebook) -> None:
    for cell in notebook["cells"]:
        if "nbgrader" in cell["metadata"]:
            cell["metadata"]["nbgrader"]["schema_version"] = 1


def strip_cells(notebook: Notebook) -> None:
    for cell in notebook["cells"]:
        cell["metadata"] = {}


def strip_notebook(notebook: Notebook) -> None:
    del notebook["metadata"]


def unknown_format(notebook: Notebook) -> None:
    notebook["nbformat"] = 99


def half_a_character(notebook: Notebook) -> None:
    prepend("project", "# \ud83d\n")(notebook)


def nothing(_: Notebook) -> None:
    """The notebook as it is."""


def everything_deleted(notebook: Notebook) -> None:
    notebook["cells"] = []


LOOP = "def dot_product_variance(queries, keys):\n    while True:\n        pass\n"
ASKS = "name = input('Who are you? ')\n"

# What is done to a right notebook, what it earns then, and what is said of it. Its classes call its steps.
TAMPERED: dict[str, tuple[Callable[[Notebook], None], float, str]] = {
    "untouched": (nothing, FULL, "The steps earned 20 of 20"),
    "check-deleted": (
        without("check_project", "given-1"),
        FULL,
        "Deleted cells were put back: `given-1`, `check_project`.",
    ),
    "step-deleted": (without("scale_scores"), 16, "Your notebook has no cell `scale_scores`"),
    "step-duplicated": (
        duplicate("project"),
        FULL,
        "More than one cell has the name `project`. All of them were run",
    ),
    "check-duplicated": (duplicate("check_project"), FULL, ""),
    "step-turned-into-text": (
        retype("project"),
        FULL,
        "kind of cell was changed (code or text): `project`",
    ),
    "step-turned-raw": (retype("project", "raw"), FULL, "code or text): `project`"),
    "check-turned-into-text": (retype("check_project"), FULL, "`check_project`"),
    "step-renamed": (rename("project"), FULL, "Your notebook has no cell `project`"),
    "check-renamed": (
        rename("check_project"),
        FULL,
        "Deleted cells were put back: `check_project`",
    ),
    "check-edited": (replace("check_project", "pass"), FULL, "not yours to change"),
    "given-edited": (
        replace("given-1", "import numpy as torch"),
        FULL,
        "your change of `inputs`, `nn`, `torch` does not count",
    ),
    "kernel": (swap_kernel, FULL, ""),
    "points": (more_points, FULL, ""),
    "old-schema": (older_schema, FULL, ""),
    "no-cell-metadata": (strip_cells, FULL, ""),
    "no-notebook-metadata": (strip_notebook, FULL, ""),
    "unknown-format": (unknown_format, 0, "not a notebook that can be read"),
    "magics": (prepend("project", "%matplotlib inline\n%%time\n!pip list\n"), FULL, ""),
    "half-a-character": (half_a_character, FULL, ""),
    "input": (prepend("project", ASKS), FULL, "input"),
    "loop": (replace("dot_product_variance", LOOP), 19, ""),
    "no-cells": (everything_deleted, 0, ""),
}
UNREADABLE = {
    "broken-json": '{"cells": [',
    "a-list": "[1, 2]",
    "deep": "[" * 100_000,
    "empty": "",
    "conflict": "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> theirs\n",
}


@pytest.fixture(scope="module")
def graded(
    released: Course, right: str, once: Callable[[str, Callable[[Path], object]], Path]
) -> Course:
    """All of them graded by one command."""
    made = once(
        "tampering", lambda folder: grade_all(copy_course(released, folder / "project"), right)
    )
    return Course(made / "project")


def grade_all(course: Course, right: str) -> None:
    course.configure("c.GradingExporter.timeout = 2")
    for student, (change, _, _) in TAMPERED.items():
        notebook = filled(course.release(), right)
        change(notebook)
        course.submit(student, notebook)
    for student, text in UNREADABLE.items():
        course.submit(student, text)
    course.submit("broken-json-and-module", UNREADABLE["broken-json"], right)
    folder = course.submit("link")
    (folder / f"{NAME}.ipynb").symlink_to(course.root / "course" / "gradebook.db")
    (folder / "notes.txt").symlink_to(course.root / "course" / "gradebook.db")
    (folder / "real.txt").write_text("mine")
    course.submit("only-module", module=right)
    stub = (course.root / "assignments" / NAME / f"{NAME}.py").read_text(encoding="utf-8")
    course.submit("worked-in-module", course.release(), right)
    course.submit("worked-in-notebook", filled(course.release(), right), stub)
    course.submit("worked-in-both", course.release() | {"cells": [code_cell("a", "x = 1")]}, right)
    course.autograde()


@pytest.mark.parametrize("student", TAMPERED)
def test_a_changed_notebook_is_graded_as_far_as_possible(graded: Course, student: str) -> None:
    _, points, words = TAMPERED[student]
    assert graded.total(student) == points
    assert words in everything_said(graded, student)


@pytest.mark.parametrize("student", TAMPERED)
def test_markers_see_every_released_cell_once(graded: Course, student: str) -> None:
    released = [cell["id"] for cell in graded.release()["cells"]]
    shown = [cell["id"] for cell in graded.autograded(student)["cells"]]
    assert [name for name in shown if name in released] == released
    assert len(set(shown)) == len(shown)
    kernel = graded.autograded(student)["metadata"]["kernelspec"]
    assert kernel == graded.release()["metadata"]["kernelspec"]


def everything_said(course: Course, student: str) -> str:
    """The words on the whole and those on each check."""
    cells = [cell for cell in course.autograded(student)["cells"] if cell.get("outputs")]
    return "\n".join(course.said(student, cell["id"]) for cell in cells)


def test_the_reason_stands_at_the_step(graded: Course) -> None:
    assert "did not end within 2 seconds" in graded.said("loop", "check_dot_product_variance")


@pytest.mark.parametrize("student", [*UNREADABLE, "link"])
def test_what_is_no_notebook_earns_nothing_and_says_why(graded: Course, student: str) -> None:
    assert graded.total(student) == 0
    words = "is a link" if student == "link" else "is not a notebook that can be read"
    assert words in graded.said(student)


def test_what_a_link_leads_to_is_not_copied_for_the_feedback(graded: Course) -> None:
    folder = graded.root / "course" / "autograded" / "link" / NAME
    assert (folder / "real.txt").read_text() == "mine"
    assert not (folder / "notes.txt").exists()


@pytest.mark.parametrize(
    ("student", "file", "why"),
    [
        ("worked-in-module", "self_attention.py", "it is the one you worked in"),
        ("worked-in-notebook", "self_attention.ipynb", "it is the one you worked in"),
        ("worked-in-both", "self_attention.py", "you worked in both"),
        ("broken-json-and-module", "self_attention.py", "the other cannot be used"),
    ],
)
def test_of_two_files_the_one_that_counts_is_named(
    graded: Course, student: str, file: str, why: str
) -> None:
    assert graded.total(student) == FULL
    assert f"`{file}` was graded: {why}" in graded.said(student)


@pytest.mark.parametrize("student", ["only-module", "worked-in-module", "worked-in-both"])
def test_markers_see_each_step_of_the_module_that_was_graded(
    graded: Course, right: str, student: str
) -> None:
    """Each step's code stands in the step's cell, under its line in the student's file."""
    cells = {cell["id"] for cell in graded.release()["cells"]}
    written = {
        node.name: node
        for node in ast.parse(right).body
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name in cells
    }
    assert {"project", "scale_scores"} <= set(written)
    for name, node in written.items():
        shown = "".join(cell_of(graded.autograded(student), name)["source"])
        assert ast.unparse(ast.parse(shown)) == ast.unparse(node)
        assert shown.startswith(f"# {NAME}.py, line {node.lineno}\n")


def test_cells_that_students_added_are_shown_where_they_stood(course: Course, right: str) -> None:
    notebook = filled(course.release(), right)
    place = [cell["id"] for cell in notebook["cells"]].index("project")
    notebook["cells"].insert(place, code_cell("mine", "HELP = 1"))
    course.submit("alice", notebook)

    course.autograde()

    shown = course.autograded("alice")["cells"]
    [added] = [number for number, cell in enumerate(shown) if "HELP = 1" in "".join(cell["source"])]
    assert shown[added + 1]["id"] == "project"


def test_a_students_html_is_shown_and_not_run(course: Course) -> None:
    notebook = course.release()
    answer = "Since $a<b$.\n\n<script>alert(1)</script><img src=x onerror=alert(2)>"
    cell_of(notebook, "question-1")["source"] = answer
    raised = "def project(*a):\n    raise ValueError('<script>alert(3)</script>')\n"
    cell_of(notebook, "project")["source"] = raised
    course.submit("alice", notebook)
    course.autograde()

    course.run("generate_feedback", NAME)

    page = course.root / "course" / "feedback" / "alice" / NAME / f"{NAME}.html"
    text = page.read_text(encoding="utf-8")
    assert "alert(1)" in text
    assert "<script>alert" not in text
    assert "<img src=x" not in text
