"""What the engine knows, and who imports whom: only what is told reaches a student's code."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.kit_trees import KIT, at_run_time, imported, reaches, texts, trees

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[1]


SAMPLE = """
import os.path
from autograder import cli
if TYPE_CHECKING:
    from autograder.reports.terminal_table import marks_table
def late():
    import nbgrader
"""


def test_every_form_of_import_is_found() -> None:
    names = {"os.path", "autograder", "autograder.cli", "nbgrader"}
    reports = {"autograder.reports.terminal_table", "autograder.reports.terminal_table.marks_table"}

    assert imported(ast.parse(SAMPLE)) == names | reports
    assert imported(at_run_time(SAMPLE)) == names


SPINE = ("assignment", "exam", "explain", "grading", "sandbox", "submission", "values")


def test_the_spine_needs_no_plugin_and_no_command_line() -> None:
    """Of the kit's own packages, lint says who may import whom."""
    files = [name for name in texts() if name.partition("/")[0] in SPINE]
    assert len(files) > 50
    used = {one for name in files for one in imported(trees()[name])}
    assert not any(reaches(one, name) for one in used for name in ("nbgrader", "click", "pytest"))


def test_the_engine_names_no_assignment() -> None:
    """Nothing but the distribution's own name looks like one."""
    names = "|".join(path.parent.name for path in (ROOT / "solutions").glob("*/cases.py"))
    hits = [
        f"{name}:{number}: {line.strip()}"
        for name, text in texts().items()
        for number, line in enumerate(text.splitlines(), start=1)
        if re.search(names, line.replace("self_attention_kit", ""), re.IGNORECASE)
    ]

    assert names
    assert hits == []


def test_the_engine_has_no_data_files_but_templates() -> None:
    kinds = {
        path.suffix
        for path in KIT.rglob("*")
        if path.is_file() and "templates" not in path.relative_to(KIT).parts
    }

    assert kinds - {".pyc"} <= {".py", ".typed"}
