"""The small assignment in docs/authoring.md: built from the page's own text, and graded."""

from __future__ import annotations

import ast
import csv
import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from autograder.assignment.cases import Draw
from tests.command_line import Invoked, invoke
from tests.commands.test_grade import hand_in

if TYPE_CHECKING:
    from pathlib import Path

FILES = ("causal.py", "test_causal.py", "cases.py", "hints.toml", "documented.json", "mistakes.py")


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    return (root / "docs" / "authoring.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def files(page: str) -> dict[str, str]:
    """The assignment's files: each is the block of code behind its name."""
    found = re.findall(
        r"^`solutions/causal/([\w.]+)`:\n\n```\w+\n(.*?)^```$", page, re.MULTILINE | re.DOTALL
    )
    return dict(found)


@pytest.fixture(scope="module")
def project(files: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with only this assignment, built by the command of the page."""
    folder = tmp_path_factory.mktemp("causal")
    hand_in(folder / "solutions" / "causal", files)
    done = invoke(["build", "causal", *places(folder, "solutions", "assignments", "course")])
    assert done.exit_code == 0, done.output
    assert f"{folder / 'assignments' / 'causal'}: written" in done.stdout
    return folder


def places(folder: Path, *names: str) -> list[str]:
    return [part for name in names for part in (f"--{name}", str(folder / name))]


def mistakes(text: str) -> dict[str, tuple[str, str]]:
    """Each mistake of the page: its step, and its code as a student would write it."""
    found = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            declared = node.decorator_list[0]
            assert isinstance(declared, ast.Call)
            assert isinstance(declared.args[0], ast.Constant)
            step = str(declared.args[0].value)
            name, node.name, node.decorator_list = node.name, step, []
            found[name] = (step, ast.unparse(node))
    return found


@pytest.fixture(scope="module")
def graded(project: Path, files: dict[str, str]) -> tuple[Invoked, Path]:
    """A class: a right solution, the stub, and one student for each mistake."""
    right = files["causal.py"]
    stub = (project / "assignments" / "causal" / "causal.py").read_text(encoding="utf-8")
    made = {"right/causal.py": right, "stub/causal.py": stub}
    for name, (_, code) in mistakes(files["mistakes.py"]).items():
        made[f"{name}/causal.py"] = f"{right}\n\n{code}\n"
    hand_in(project / "class", made)
    command = ["grade", str(project / "class"), "--assignment", "causal"]
    command += ["--out", str(project / "results"), "--no-pages", "--allow-degraded"]
    done = invoke([*command, *places(project, "solutions")])
    assert done.exit_code == 0, done.output
    return done, project / "results"


def checks(out: Path, student: str) -> dict[str, Any]:
    content = json.loads((out / student / "results.json").read_text(encoding="utf-8"))
    return {test["name"]: test for test in content["tests"]}


def test_the_page_has_all_files(files: dict[str, str]) -> None:
    assert tuple(files) == FILES


def test_a_right_solution_gets_all_points_and_the_stub_none(graded: tuple[Invoked, Path]) -> None:
    with (graded[1] / "grades.csv").open(encoding="utf-8") as file:
        marks = {row["student"]: float(row["score"]) for row in csv.DictReader(file)}
    assert marks["right"] == 3
    assert marks["stub"] == 0
    assert {test["extra_data"]["outcome"] for test in checks(graded[1], "stub").values()} == {
        "not_started"
    }


def test_each_mistake_of_the_page_is_told_by_its_name(
    graded: tuple[Invoked, Path], files: dict[str, str]
) -> None:
    found = mistakes(files["mistakes.py"])
    assert len(found) == 5
    for name, (step, _) in found.items():
        test = checks(graded[1], name)[step]
        assert test["score"] == 0, name
        assert test["extra_data"]["mistakes"] == [name]
        assert test["extra_data"]["sure"]


def test_a_mask_that_is_wrong_costs_the_weights_only_a_part(graded: tuple[Invoked, Path]) -> None:
    for name in ("not_masked", "past_hidden", "zero_in_place_of_infinity"):
        weights = checks(graded[1], name)["causal_weights"]
        assert weights["extra_data"]["carried_forward"] == "causal_mask", name
        assert weights["extra_data"]["mistakes"] == [name]


def test_the_page_lists_every_member_of_draw(page: str) -> None:
    draw = Draw("page")
    kept = {"sizes", "integers"}  # for the second case, which must differ
    members = {name for name in dir(draw) if not name.startswith("_")} - kept
    assert members == set(re.findall(r"`draw\.(\w+)", page.partition("## The mistakes")[0]))


def test_the_messages_of_the_page_are_those_of_the_kit(
    page: str, project: Path, tmp_path: Path
) -> None:
    text = (project / "solutions" / "causal" / "cases.py").read_text(encoding="utf-8")
    files = {path.name: path.read_text() for path in (project / "solutions" / "causal").iterdir()}
    wrong = text.replace("draw.tensor(draw.tokens, draw.tokens)", "draw.tensor(draw.width)", 1)
    hand_in(tmp_path / "solutions" / "causal", files | {"cases.py": wrong})
    done = invoke(["build", "causal", *places(tmp_path, "solutions", "assignments", "course")])
    assert done.exit_code == 2
    assert f"    {done.stderr}" in page
