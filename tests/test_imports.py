"""What the engine knows, and who imports whom: only what is told reaches a student's code."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.kit_trees import KIT, at_run_time, imported, reachable, reaches, texts, trees

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
SPINE_FILES = [
    *(f"{name}.py" for name in ("compare", "errors", "files", "results", "text")),
    *(name for name in texts() if name.partition("/")[0] in SPINE),
]
NOT_BY_THE_SPINE = ("cli", "commands", "nbgrader", "release", "reports", "student", "testing")


def test_the_spine_knows_no_report_no_plugin_and_no_command() -> None:
    forbidden = [f"autograder.{name}" for name in NOT_BY_THE_SPINE] + [
        "nbgrader",
        "click",
        "pytest",
    ]
    found = {
        name: sorted(
            one
            for one in imported(trees()[name])
            if any(reaches(one, package) for package in forbidden)
        )
        for name in SPINE_FILES
    }
    assert len(found) > 50
    assert {name: names for name, names in found.items() if names} == {}


def test_the_worker_is_made_of_nothing_that_knows_answers() -> None:
    found, _ = reachable("autograder.sandbox.inside.worker")

    assert found == {
        "autograder",
        "autograder.assignment",
        "autograder.assignment.checks",
        "autograder.assignment.libraries",
        "autograder.assignment.probes",
        "autograder.sandbox.inside.stand_ins",
        "autograder.assignment.probes.kept",
        "autograder.errors",
        "autograder.no_warnings",
        "autograder.python_source",
        "autograder.near_names",
        "autograder.reasons",
        "autograder.sandbox",
        "autograder.sandbox.inside",
        "autograder.sandbox.inside.bindings",
        "autograder.sandbox.inside.existing",
        "autograder.sandbox.inside.memory",
        "autograder.sandbox.inside.own_code",
        "autograder.sandbox.inside.packages",
        "autograder.sandbox.inside.streams",
        "autograder.sandbox.inside.student",
        "autograder.assignment.recorder",
        "autograder.sandbox.inside.uninitialised",
        "autograder.sandbox.inside.watched",
        "autograder.sandbox.inside.worker",
        "autograder.values",
        "autograder.values.values",
        "autograder.values.wire",
    }


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
