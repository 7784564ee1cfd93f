"""An nbgrader course in a folder of its own, with this project's settings, driven by nbgrader's own commands."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any

from autograder.grading.run_seed import find_run
from tests.exams import source_of
from tests.forking import client
from tests.forking.client import QUICK_START

ROOT = Path(__file__).parents[2]
NAME = "self_attention"
SEED = 1
_GRADES = """\
SELECT submitted_assignment.student_id, base_cell.name, grade.auto_score, grade.manual_score, grade.needs_manual_grade
FROM grade
JOIN base_cell ON grade.cell_id = base_cell.id
JOIN submitted_notebook ON grade.notebook_id = submitted_notebook.id
JOIN submitted_assignment ON submitted_notebook.assignment_id = submitted_assignment.id
JOIN assignment ON submitted_assignment.assignment_id = assignment.id
WHERE assignment.name = ?
"""


@dataclass(frozen=True)
class Grade:
    auto: float | None
    manual: float | None
    needs_manual: bool


@dataclass(frozen=True)
class Course:
    """A course's folder. Each command runs in an interpreter of its own if `as_typed`, else in a forked process."""

    root: Path
    as_typed: bool = False

    def run(self, *words: str, ok: bool = True) -> str:
        """What an nbgrader command says; it is run by this interpreter, in no activated environment."""
        done = self.start(*words)
        said, _ = done.communicate(timeout=600)
        assert (done.returncode == 0) is ok, said
        return said

    def start(self, *words: str) -> subprocess.Popen[str]:
        """Start such a command. It still runs when this returns."""
        return self._start("-m", "nbgrader", *words)

    def python(self, script: str) -> str:
        """What a script prints, run in the course's folder; what it logs goes to the terminal."""
        started = self._start("-c", script)
        said, _ = started.communicate(timeout=600)
        assert started.returncode == 0, said
        return said

    def _start(self, *words: str) -> subprocess.Popen[str]:
        start = subprocess.Popen if self.as_typed else client.Forked
        return start(
            [sys.executable, *words],
            cwd=self.root,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=_environment(),
        )

    def autograde(self, *options: str, ok: bool = True, name: str = NAME) -> str:
        return self.run("autograde", name, *options, ok=ok)

    def configure(self, line: str) -> None:
        with (self.root / "nbgrader_config.py").open("a") as file:
            file.write(f"{line}\n")

    def release(self) -> dict[str, Any]:
        return read_notebook(self.root / "assignments" / NAME)

    def submit(
        self,
        student: str,
        notebook: dict[str, Any] | str | None = None,
        module: str | None = None,
        *,
        timestamp: str = "",
        name: str = NAME,
        exchange: bool = True,
    ) -> Path:
        """Hand in a notebook, a module, or both; with a timestamp as if through the exchange, unless told otherwise."""
        folder = self.root / "course" / "submitted" / student / name
        folder.mkdir(parents=True, exist_ok=True)
        if notebook is not None:
            text = notebook if isinstance(notebook, str) else json.dumps(notebook)
            (folder / f"{name}.ipynb").write_text(text, encoding="utf-8")
        if module is not None:
            (folder / f"{name}.py").write_text(module, encoding="utf-8")
        if timestamp:
            (folder / "timestamp.txt").write_text(timestamp)
        if timestamp and exchange:
            inbound = self.root / "exchange" / "self-attention" / "inbound"
            (inbound / f"{student}+{name}+{timestamp}+a-random-text").mkdir(parents=True)
        return folder

    def grades(self) -> dict[str, dict[str, Grade]]:
        found: dict[str, dict[str, Grade]] = {}
        with closing(sqlite3.connect(self.root / "course" / "gradebook.db")) as book:
            for student, cell, auto, manual, needs in book.execute(_GRADES, (NAME,)):
                found.setdefault(student, {})[cell] = Grade(auto, manual, bool(needs))
        return found

    def marks(self, student: str) -> dict[str, float | None]:
        """What the checks earned, by step."""
        grades = self.grades()[student].items()
        return {cell[6:]: grade.auto for cell, grade in grades if cell.startswith("check_")}

    def total(self, student: str) -> float:
        return sum(mark or 0.0 for mark in self.marks(student).values())

    def autograded(self, student: str) -> dict[str, Any]:
        """The notebook that markers see."""
        return read_notebook(self.root / "course" / "autograded" / student / NAME)

    def said(self, student: str, cell: str = "how-this-was-graded") -> str:
        outputs = cell_of(self.autograded(student), cell)["outputs"]
        return "".join("".join(output["data"]["text/plain"]) for output in outputs)


def read_notebook(folder: Path) -> dict[str, Any]:
    notebook: dict[str, Any] = json.loads((folder / f"{NAME}.ipynb").read_bytes())
    return notebook


def _environment() -> dict[str, str]:
    """Return the environment of an instructor's commands."""
    own = {"PATH": os.defpath, "JUPYTER_PLATFORM_DIRS": "1", "PYTHONPATH": QUICK_START}
    return {**os.environ, **own}


def environment(home: Path) -> dict[str, str]:
    """Where Jupyter's programs look for settings and keep what is theirs: in this home, and nowhere else."""
    places = {
        "HOME": home,
        "IPYTHONDIR": home / ".ipython",
        "JUPYTER_CONFIG_DIR": home / ".jupyter",
        "JUPYTER_DATA_DIR": home / ".data",
        "JUPYTER_RUNTIME_DIR": home / ".runtime",
        "MPLCONFIGDIR": home / ".matplotlib",
    }
    own = {name: str(place) for name, place in places.items()}
    own |= {"JUPYTER_PLATFORM_DIRS": "1", "PYTHONPATH": QUICK_START}
    others = ("JUPYTER", "XDG_")
    return {name: text for name, text in os.environ.items() if not name.startswith(others)} | own


def make_course(root: Path, *names: str) -> Course:
    """A course with these assignments, made from the committed release without drawing its questions again."""
    from autograder.release.source_notebook import source_notebook  # noqa: PLC0415 - it imports jupytext

    root.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / "nbgrader_config.py", root)
    course = Course(root)
    course.configure("c.Exchange.root = str(ROOT / 'exchange')")
    course.configure(f"c.GradingExporter.solutions = {str(ROOT / 'solutions')!r}")
    caches = shutil.ignore_patterns("__pycache__", ".*")
    for name in names:
        source = root / "course" / "source" / name
        shutil.copytree(ROOT / "assignments" / name, source, ignore=caches)
        (source / f"{name}.ipynb").write_bytes(source_notebook(source_of(name)))
        course.run("generate_assignment", name, "--force")
    return course


def copy_course(course: Course, root: Path) -> Course:
    """A copy of a course that draws its exam from the seed that all these tests share."""
    shutil.copytree(course.root, root)
    home = root / "course" / ".autograder" / NAME
    find_run(home, NAME, seed=SEED, fresh=False).of_source(source_of(NAME).digest).write(home)
    return Course(root)


def filled(release: dict[str, Any], source: str) -> dict[str, Any]:
    """A released notebook with the steps of a module in their cells, and what stands between them in added cells."""
    notebook: dict[str, Any] = json.loads(json.dumps(release))
    steps = {cell["id"] for cell in notebook["cells"] if _is_step(cell)}
    lines = source.split("\n")
    found: dict[str, tuple[list[str], str]] = {}
    before: list[str] = []
    done = 0
    for node in ast.parse(source).body:
        assert node.end_lineno is not None
        text = "\n".join(lines[done : node.end_lineno]).strip("\n")
        done = node.end_lineno
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name in steps:
            earlier, _ = found.get(node.name, ([], ""))
            if node.name in found:  # written twice: the later one counts
                before.append(text)
            else:
                found[node.name] = ([*earlier, *before], text)
                before = []
        else:
            before.append(text)
    cells: list[dict[str, Any]] = []
    for cell in notebook["cells"]:
        own, text = found.get(cell["id"], ([], cell["source"]))
        cells += [code_cell(f"own-{cell['id']}-{number}", one) for number, one in enumerate(own)]
        cells.append({**cell, "source": text})
    rest = "\n".join(lines[done:])
    cells += [code_cell(f"last-{number}", one) for number, one in enumerate([*before, rest])]
    return {**notebook, "cells": cells}


def _is_step(cell: dict[str, Any]) -> bool:
    nbgrader = cell["metadata"].get("nbgrader", {})
    return bool(nbgrader.get("solution") and not nbgrader.get("grade"))


def code_cell(name: str, source: str) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": name[:64],
        "metadata": {},
        "outputs": [],
        "source": source,
    }


def words(page: Path) -> str:
    text = re.sub(r"(?s)<(style|script)\b.*?</\1>|<[^>]+>", "", page.read_text(encoding="utf-8"))
    return " ".join(unescape(text).split())


def example(name: str) -> str:
    return (ROOT / "examples" / "submissions" / name / f"{NAME}.py").read_text(encoding="utf-8")


def cell_of(notebook: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(cell for cell in notebook["cells"] if cell["id"] == name)
    return found
