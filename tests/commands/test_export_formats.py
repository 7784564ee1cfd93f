"""`autograder export` in the formats of course platforms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from autograder.reports.formats import FORMATS as ALL
from autograder.reports.gradescope_json import write_result
from tests.command_line import invoke
from tests.reports.formats.examples import result

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.unit

FORMATS = [one.name for one in ALL.values() if one.file]


@pytest.fixture(autouse=True)
def no_platform(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    folder = tmp_path / "results"
    for student in ("bjorn-k", "amara-o"):
        write_result(folder, result(student=student))
    (folder / "run.json").write_text("{}", encoding="utf-8")
    return folder


@pytest.mark.parametrize("name", FORMATS)
def test_one_students_result_in_each_format(run: Path, tmp_path: Path, name: str) -> None:
    shown = invoke(["export", name, str(run / "amara-o")])
    written = invoke(["export", name, str(run / "amara-o"), "--into", str(tmp_path / "file")])

    assert (shown.exit_code, written.exit_code) == (0, 0)
    if name != "classroom50":  # it holds the time
        assert (tmp_path / "file").read_text("utf-8") == shown.stdout


def test_a_whole_run_is_ordered_by_student(run: Path) -> None:
    shown = invoke(["export", "markdown", str(run)]).stdout

    assert shown.index("amara-o") < shown.index("bjorn-k")


def test_one_file_can_be_named(run: Path) -> None:
    shown = invoke(["export", "junit", str(run / "amara-o" / "results.json")])

    assert shown.stdout.count("<testsuite ") == 1


def test_on_github_the_file_of_the_step_is_extended(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "of the step"
    file.write_text("before\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(file))
    shown = invoke(["export", "github", str(run / "amara-o")])

    before, added = file.read_text("utf-8").split("\n", 1)
    assert (shown.exit_code, before) == (0, "before")
    assert added.startswith("<h3>amara-o: 3.75 of 8 points</h3>\n")
    assert shown.stdout.startswith("::notice ")


def test_a_result_cut_short_is_no_result(run: Path) -> None:
    path = run / "bjorn-k" / "results.json"
    path.write_bytes(path.read_bytes()[:100])
    done = invoke(["export", "junit", str(run / "bjorn-k")])

    assert (done.exit_code, done.stdout) == (2, "")
    assert f"{path} is no complete result" in done.stderr
