"""How `autograder grade` ends for a CI: exit codes, --quiet and --format."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from autograder.commands.grade import exit_code
from autograder.results import Status
from tests.commands.test_grade import CLASS, grade, hand_in
from tests.reports.formats.examples import CHECKS, NOT_STARTED, UNGRADED, result
from tests.toy import write_toy

if TYPE_CHECKING:
    from pathlib import Path

    from autograder.results import Result
    from tests.command_line import Invoked


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    write_toy(folder)
    hand_in(folder / "class", CLASS)
    graded = grade(folder, folder / "class", seed=1)
    assert graded.exit_code == 0
    return folder


def again(project: Path, **options: object) -> Invoked:
    """Grade the same class again: every result is kept, so this takes no worker's time."""
    return grade(project, project / "class", **options)


FULL = result(CHECKS[0], CHECKS[0])


@pytest.mark.unit
@pytest.mark.parametrize(
    ("results", "fail_under", "code"),
    [
        ([result()], None, 0),
        ([result()], 3.75, 0),
        ([result()], 4, 3),
        ([FULL, result()], 2, 0),
        ([FULL, result()], 3, 3),
        ([result(status=Status.REJECTED)], None, 0),
        ([result(status=Status.REJECTED)], 4, 3),
        ([result(UNGRADED, status=Status.UNGRADED), result()], 4, 1),
        ([], 4, 0),
        ([replace(result(NOT_STARTED), public=True)], 4, 0),
        ([replace(result(NOT_STARTED), public=True), result()], 4, 3),
        ([result(NOT_STARTED)], 4, 3),
    ],
)
def test_an_exit_code(results: list[Result], fail_under: float | None, code: int) -> None:
    assert exit_code(results, fail_under) == code


def test_quiet_prints_what_was_not_graded_and_where_the_format_is(project: Path) -> None:
    done = again(project, quiet=True, format="junit", **{"fail-under": 1})
    path = project / "out" / "junit.xml"

    assert (done.exit_code, done.stderr) == (3, "")
    assert [line.split(" (", 1)[0] for line in done.stdout.splitlines()] == [
        "dave 日本",
        f"junit: {path}",
    ]
    assert "frank" in path.read_text("utf-8")


@pytest.mark.slow
def test_an_annotation_names_the_students_file(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)

    shown = again(project, format="github").stdout

    assert "file=class/frank/toy.py,line=" in shown
    assert (project / "out" / "annotations.txt").read_text("utf-8") in shown
