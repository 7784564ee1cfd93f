"""What `grade` asks for in a folder that is not the project's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.command_line import invoke
from tests.toy import RIGHT, write_toy

if TYPE_CHECKING:
    from pathlib import Path

ALL = ("PATH...", "--assignment NAME", "--out DIR", "--solutions DIR", "--assignments DIR")
URL = "sqlite:///gradebook.db"


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the command is called, without `solutions` and `assignments`."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.unit
@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ([], ["PATH...", "--assignment NAME", "--out DIR", "--solutions DIR"]),
        (["class"], ["--assignment NAME", "--out DIR", "--solutions DIR"]),
        (["class", "--assignment", "toy", "--out", "out"], ["--solutions DIR"]),
        (["class", "--public"], ["--assignment NAME", "--out DIR", "--assignments DIR"]),
        (["class", "--assignment", "toy", "--public"], ["--out DIR", "--assignments DIR"]),
        (["--out", "o", "--gradebook", URL, "c"], ["--assignment NAME", "--solutions DIR", "--assignments DIR"]),
    ],
)  # fmt: skip
def test_everything_that_is_missing_is_named_at_once(given: list[str], missing: list[str]) -> None:
    result = invoke(["grade", *given])
    assert result.exit_code == 2
    assert result.stderr.startswith("autograder: grade needs more:\n")
    assert [name for name in ALL if f"  {name}: " in result.stderr] == missing


@pytest.mark.unit
def test_the_folder_that_was_looked_for_is_named(elsewhere: Path) -> None:
    result = invoke(["grade", "class", "--assignment", "toy", "--out", "out"])
    assert f"there is no folder {elsewhere / 'solutions'}" in result.stderr


def test_with_all_options_any_folder_will_do(tmp_path: Path, elsewhere: Path) -> None:
    solutions = write_toy(tmp_path / "project")
    (elsewhere / "toy.py").write_text(RIGHT)
    options = ["--assignment", "toy", "--out", "out", "--solutions", str(solutions)]
    result = invoke(["grade", "toy.py", *options, "--allow-degraded"])
    assert result.exit_code == 0, result.output
    assert (elsewhere / "out" / "grades.csv").is_file()
