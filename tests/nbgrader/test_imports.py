"""Who imports nbgrader, and who must not."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.test_trust import modules, name_of, reachable, reaches

STUDENTS = ["autograder.student.pytest_plugin", "autograder.cli", "autograder.commands.grade"]
HEAVY = ("nbgrader", "sqlalchemy", "nbconvert", "traitlets", "jupytext")


@pytest.mark.parametrize("name", [*STUDENTS, "autograder.notebook"])
def test_nothing_that_students_run_loads_nbgrader(name: str) -> None:
    """Not even where it is installed: it pulls a hundred packages."""
    look = f"import sys, {name}; print([one for one in {HEAVY!r} if one in sys.modules])"
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_only_the_command_line_knows_this_package_and_only_where_it_is_asked_for() -> None:
    users = [
        name_of(path)
        for path in modules()
        if "autograder.nbgrader" in path.read_text(encoding="utf-8")
        and "nbgrader" not in path.parts
    ]
    assert sorted(users) == ["autograder.commands.export", "autograder.commands.grade"]


def test_a_students_pytest_reaches_nothing_of_it() -> None:
    found, others = reachable("autograder.student.pytest_plugin")
    assert "autograder.sandbox.limits" in found
    assert not any(reaches(name, "autograder.nbgrader") for name in found)
    assert not any(reaches(name, package) for name in others for package in HEAVY)


def test_the_settings_load_nothing_heavy() -> None:
    """JupyterLab reads them at every start."""
    look = (
        "import sys; from traitlets.config import Config; from autograder.nbgrader.config import configure; "
        "configure(Config()); print([one for one in ('nbgrader', 'torch', 'numpy') if one in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
