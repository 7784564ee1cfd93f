"""The layout of the code: what each folder says of itself is there, imports run downwards, and files stay short."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from autograder import errors
from tests.kit_trees import KIT, nodes, texts, trees

ROOT = Path(__file__).parents[1]
PACKAGES = sorted(path.parent for path in KIT.rglob("__init__.py") if path.parent != KIT)
MOST_LINES = 600
MOST_LINES_OF_A_FUNCTION = 40
# The nodes of all syntax trees of the kit, as measured: lowered by what takes code out. Only a wrong mark or a hole in
# the sandbox raises it, with the reason in the commit.
CEILING = 253_185
SPARE = 200


def name_of(path: Path) -> str:
    return path.relative_to(KIT).as_posix()


def listed(package: Path) -> set[str]:
    """The modules and folders that a package's docstring explains: the first word of each column of its table."""
    text = ast.get_docstring(ast.parse((package / "__init__.py").read_text(encoding="utf-8"))) or ""
    table = text.partition("\n\n")[2].partition("\n\n")[0]
    columns = (
        column
        for line in table.splitlines()
        for column in re.split(r"\s{2,}(?=[a-z_0-9]+/?\s{2,})", line)
    )
    return {re.split(r"\s{2,}", column.strip())[0] for column in columns if column.strip()}


@pytest.mark.unit
def test_each_package_explains_what_is_in_it() -> None:
    assert PACKAGES
    wrong = {}
    for package in PACKAGES:
        modules = {path.stem for path in package.glob("*.py")} - {"__init__"}
        folders = {f"{path.parent.name}/" for path in package.glob("*/__init__.py")}
        if differing := listed(package) ^ (modules | folders):
            wrong[name_of(package)] = sorted(differing)
    assert wrong == {}, "modules that the docstring leaves out, or that are not there"


@pytest.mark.unit
def test_the_tree_of_errors_is_drawn_as_it_is() -> None:
    """A child stands further to the right than its parent, which is the last one above it that does not."""
    above: list[tuple[int, str]] = []
    drawn: dict[str, str] = {}
    for line in (errors.__doc__ or "").splitlines():
        found = re.match(r"[ |`-]{4,}(\w+)", line)
        if found:
            above = [(column, name) for column, name in above if column < found.start(1)]
            drawn[found[1]] = above[-1][1] if above else "Exception"
            above.append((found.start(1), found[1]))
    classes = [one for one in vars(errors).values() if isinstance(one, type)]
    assert drawn == {one.__name__: one.__bases__[0].__name__ for one in classes}


@pytest.mark.unit
def test_files_and_functions_are_short() -> None:
    long = [
        (name, node.name)
        for name, all_ in nodes().items()
        for node in all_
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno >= MOST_LINES_OF_A_FUNCTION
    ]
    assert long == []
    assert [name for name, text in texts().items() if len(text.splitlines()) > MOST_LINES] == []


@pytest.mark.unit
def test_the_kit_weighs_no_more_than_measured_and_the_ceiling_no_more_than_the_kit() -> None:
    weight = sum(map(len, nodes().values()))
    assert weight <= CEILING, f"take out {weight - CEILING} nodes, as CONTRIBUTING.md says"
    assert weight >= CEILING - SPARE, "lower the ceiling"


# What every command and every program has.
IN_EACH = {"run", "main"}
# The public names that still stand in two modules. The list only shrinks.
STANDING_TWICE = {
    "Cell",
    "Lines",
    "Raised",
    "called",
    "check",
    "describe",
    "load",
    "name_of",
    "nearest",
    "plain",
    "say",
    "words",
}


@pytest.mark.unit
def test_a_public_function_or_class_has_a_name_of_its_own() -> None:
    modules = Counter(
        node.name
        for tree in trees().values()
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    )
    twice = {name for name, count in modules.items() if count > 1 and not name.startswith("_")}
    assert twice - IN_EACH - STANDING_TWICE == set(), "one word, one thing: choose another name"
    assert STANDING_TWICE - twice == set(), "these stand once: take them out of the list"


# A module and an import that it must not have; the contract that forbids this, and what is said of the import.
UPWARDS = (
    (
        "compare.py",
        "autograder.reports.blocks",
        "Imports run downwards only",
        "autograder.compare -> autograder.reports.blocks",
    ),
    (
        "grading/consequences.py",
        "autograder.grading.grader",
        "No module needs one that needs it",
        "No cycles are allowed in autograder.grading.",
    ),
    (
        "sandbox/inside/worker.py",
        "autograder.exam.draw",
        "What is loaded beside a student's code knows no answers",
        "autograder.sandbox.inside.worker -> autograder.exam.draw",
    ),
)


def test_imports_that_run_up_are_found(tmp_path: Path) -> None:
    """On a copy of the kit, which is right but for these lines. import-linter needs a process for its plugins."""
    pytest.importorskip("importlinter")
    shutil.copytree(KIT, tmp_path / "autograder", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for module, name, _, _ in UPWARDS:
        with (tmp_path / "autograder" / module).open("a", encoding="utf-8") as file:
            file.write(f"\nimport {name}\n")
    ran = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1, ran.stdout + ran.stderr
    for _, _, contract, said in UPWARDS:
        _, *sections = re.split(rf"^{contract}\n-+$", ran.stdout, flags=re.MULTILINE)
        assert f"{contract} BROKEN" in ran.stdout, ran.stdout
        assert said in sections[0].partition("\n---")[0], f"{contract}:\n{ran.stdout}"


@pytest.mark.unit
def test_every_package_goes_into_the_wheel() -> None:
    project = tomllib.loads((KIT.parent / "pyproject.toml").read_text(encoding="utf-8"))
    here = {".".join(package.relative_to(KIT.parent).parts) for package in (KIT, *PACKAGES)}
    assert set(project["tool"]["setuptools"]["packages"]) == here
