"""Each assignment from end to end by the command: its solution, its stub, an empty file."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from tests.command_line import invoke

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow  # a run and a fork server for each assignment

POINTS = {
    "self_attention": 20,
    "numpy_attention": 14,
    "scaled_dot_product": 12,
    "causal_multihead": 18,
}


def graded(root: Path, folder: Path, name: str) -> dict[str, Any]:
    """The results of an assignment's solution, of its stub and of an empty file."""
    for student, place in {"solution": "solutions", "stub": "assignments"}.items():
        (folder / "class" / student).mkdir(parents=True)
        shutil.copy(root / place / name / f"{name}.py", folder / "class" / student)
    (folder / "class" / "empty").mkdir()
    (folder / "class" / "empty" / f"{name}.py").touch()
    options = ["--assignment", name, "--seed", "1", "--out", str(folder / "out"), "--no-pages"]
    options += ["--solutions", str(root / "solutions"), "--allow-degraded"]
    done = invoke(["grade", str(folder / "class"), *options])
    assert done.exit_code == 0, done.output
    files = (folder / "out").glob("*/results.json")
    return {path.parent.name: json.loads(path.read_text("utf-8")) for path in files}


def outcomes(content: dict[str, Any]) -> set[str]:
    return {test["extra_data"]["outcome"] for test in content["tests"]}


@pytest.mark.parametrize("name", POINTS)
def test_the_solution_earns_all_points_and_what_is_not_there_earns_none(
    root: Path, tmp_path: Path, name: str
) -> None:
    results = graded(root, tmp_path, name)
    assert results["solution"]["extra_data"]["max_score"] == POINTS[name]
    scores = {student: content["score"] for student, content in results.items()}
    assert scores == {"solution": POINTS[name], "stub": 0, "empty": 0}
    assert {student: outcomes(content) for student, content in results.items()} == {
        "solution": {"passed"},
        "stub": {"not_started"},
        "empty": {"missing"},
    }
