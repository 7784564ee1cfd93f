"""Who imports nbgrader, and who must not."""

from __future__ import annotations

import subprocess
import sys

from tests.kit_trees import modules, name_of

HEAVY = ("nbgrader", "sqlalchemy", "nbconvert", "traitlets", "jupytext")
# What is imported, one after the other, and what must not be there then: where it is installed, it takes seconds.
IMPORTS = {
    "autograder.notebook": (*HEAVY, "torch", "IPython", "nbformat", "matplotlib", "pytest"),
    "autograder.student.pytest_plugin": HEAVY,
    "autograder.cli": HEAVY,
    "autograder.commands.grade": HEAVY,
    "autograder.commands.show": HEAVY,
}
LOOK = f"""\
import importlib, sys
for name, heavy in {IMPORTS!r}.items():
    importlib.import_module(name)
    print(name, [one for one in heavy if one in sys.modules])
"""
# JupyterLab reads the settings at every start.
SETTINGS = """\
import sys
from traitlets.config import Config
from autograder.nbgrader.config import configure
configure(Config())
print("settings", [one for one in ("nbgrader", "torch", "numpy") if one in sys.modules])
"""


def test_what_students_run_and_the_settings_load_nothing_heavy() -> None:
    """In interpreters of their own."""
    wanted = {LOOK: [*IMPORTS], SETTINGS: ["settings"]}
    for program, names in wanted.items():
        command = [sys.executable, "-c", program]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert done.stdout.splitlines() == [f"{name} []" for name in names]
        assert done.stderr == ""


def test_only_the_command_line_knows_this_package_and_only_where_it_is_asked_for() -> None:
    users = [
        name_of(path)
        for path in modules()
        if "autograder.nbgrader" in path.read_text(encoding="utf-8")
        and "nbgrader" not in path.parts
    ]
    assert users == ["autograder.commands.grade", "autograder.commands.show"]
