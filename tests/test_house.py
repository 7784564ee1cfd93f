"""The layout of the code: what each folder says of itself is there, imports run downwards, and files stay short."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from autograder import errors

ROOT = Path(__file__).parents[1]
KIT = ROOT / "autograder"
PACKAGES = sorted(path.parent for path in KIT.rglob("__init__.py") if path.parent != KIT)
MODULES = sorted(KIT.rglob("*.py"))
MOST_LINES = 600
MOST_LINES_OF_A_FUNCTION = 40
# The nodes of all syntax trees of the kit, as measured: lowered by what takes code out. Only a wrong mark or a hole in
# the sandbox raises it, with the reason in the commit.
CEILING = 282_449
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


@pytest.mark.parametrize("package", PACKAGES, ids=name_of)
def test_a_package_explains_what_is_in_it(package: Path) -> None:
    modules = {path.stem for path in package.glob("*.py")} - {"__init__"}
    folders = {f"{path.parent.name}/" for path in package.glob("*/__init__.py")}
    assert listed(package) == modules | folders


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


def test_files_and_functions_are_short() -> None:
    texts = {name_of(path): path.read_text(encoding="utf-8") for path in MODULES}
    long = [
        (name, node.name)
        for name, text in texts.items()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno >= MOST_LINES_OF_A_FUNCTION
    ]
    assert long == []
    assert [name for name, text in texts.items() if len(text.splitlines()) > MOST_LINES] == []


def test_the_kit_weighs_no_more_than_measured_and_the_ceiling_no_more_than_the_kit() -> None:
    nodes = sum(1 for path in MODULES for _ in ast.walk(ast.parse(path.read_text("utf-8"))))
    assert CEILING - SPARE <= nodes <= CEILING


@pytest.mark.parametrize(
    ("module", "line", "broken"),
    [
        ("compare.py", "import autograder.reports.blocks", "Imports run downwards only"),
        ("grading/consequences.py", "import autograder.grading.grader", "No module needs one"),
        ("sandbox/inside/worker.py", "import autograder.exam.draw", "beside a student's code"),
    ],
)
def test_an_import_that_runs_up_is_found(
    module: str, line: str, broken: str, tmp_path: Path
) -> None:
    """On a copy of the kit, which is right but for this line."""
    pytest.importorskip("importlinter")
    shutil.copytree(KIT, tmp_path / "autograder", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    with (tmp_path / "autograder" / module).open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")
    ran = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert any(broken in said and "BROKEN" in said for said in ran.stdout.splitlines())


def test_every_package_goes_into_the_wheel() -> None:
    project = tomllib.loads((KIT.parent / "pyproject.toml").read_text(encoding="utf-8"))
    here = {".".join(package.relative_to(KIT.parent).parts) for package in (KIT, *PACKAGES)}
    assert set(project["tool"]["setuptools"]["packages"]) == here
