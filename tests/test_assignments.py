"""Each assignment from end to end by the real command: its solution, its stub, an empty file."""

from __future__ import annotations

import json
import shutil
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.forking import client

if TYPE_CHECKING:
    from pathlib import Path

POINTS = {
    "self_attention": 20,
    "numpy_attention": 14,
    "scaled_dot_product": 12,
    "causal_multihead": 18,
}


@pytest.fixture(scope="module", params=POINTS, ids=str)
def graded(
    request: pytest.FixtureRequest, root: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, dict[str, Any]]:
    """An assignment's name, and the results of its solution, its stub and an empty file."""
    name: str = request.param
    folder = tmp_path_factory.mktemp(name)
    sources = {"solution": root / "solutions", "stub": root / "assignments"}
    for student, place in sources.items():
        (folder / student).mkdir()
        shutil.copy(place / name / f"{name}.py", folder / student)
    (folder / "empty").mkdir()
    (folder / "empty" / f"{name}.py").touch()
    out = tmp_path_factory.mktemp("results")
    command = [sys.executable, "-m", "autograder.cli", "grade", str(folder), "--assignment", name]
    done = client.run([*command, "--out", str(out)], cwd=root, capture_output=True)
    assert done.returncode == 0, done.stdout + done.stderr
    files = out.glob("*/results.json")
    return name, {path.parent.name: json.loads(path.read_text("utf-8")) for path in files}


def outcomes(content: dict[str, Any]) -> set[str]:
    return {test["extra_data"]["outcome"] for test in content["tests"]}


@pytest.mark.slow
def test_the_solution_earns_all_points(graded: tuple[str, dict[str, Any]]) -> None:
    name, results = graded
    assert results["solution"]["score"] == POINTS[name]
    assert results["solution"]["extra_data"]["max_score"] == POINTS[name]
    assert outcomes(results["solution"]) == {"passed"}


@pytest.mark.slow
def test_the_stub_earns_nothing_and_is_not_started(graded: tuple[str, dict[str, Any]]) -> None:
    _, results = graded
    assert results["stub"]["score"] == 0
    assert outcomes(results["stub"]) == {"not_started"}


@pytest.mark.slow
def test_an_empty_file_earns_nothing_and_misses_everything(
    graded: tuple[str, dict[str, Any]],
) -> None:
    _, results = graded
    assert results["empty"]["score"] == 0
    assert outcomes(results["empty"]) == {"missing"}
