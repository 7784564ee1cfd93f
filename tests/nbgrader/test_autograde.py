"""One `nbgrader autograde`, without nbgrader: a submission is started, then graded."""

from __future__ import annotations

import zipfile
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from autograder.errors import GraderFault
from autograder.explain.feedback_text import check_markdown
from autograder.grading import open_run, task
from autograder.grading.open_run import Setting
from autograder.nbgrader.autograde import Grading
from autograder.results import Outcome, Status
from autograder.sandbox.limits import Limits
from tests.exams import exam_of
from tests.forking import kept
from tests.forking.client import CAN_FORK
from tests.nbgrader.course import NAME, ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PARTS = {
    "ada": "def dot_product_variance(queries, keys):\n    return (queries * keys).sum(dim=-1).var()\n",
    "bo": "def attention_scores(queries, keys):\n    return queries @ keys.T\n",
    "cy": "def attention_scores(queries, keys):\n    while True:\n        pass\n",
    "di": "import os\nos._exit(3)\n",
}


@pytest.fixture(scope="module")
def grading(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Grading]:
    setting = Setting(
        assignment=NAME,
        place=ROOT / "solutions",
        home=tmp_path_factory.mktemp("home"),
        limits=Limits(cpu=1),
        private=(),
        allow_degraded=True,
        switch="",
    )
    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        patch.setattr(open_run, "draw_exam", lambda source, _: exam_of(source.assignment.name))
        if CAN_FORK:
            stack.enter_context(kept.shared())
        yield stack.enter_context(Grading(setting))


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    made = {}
    for student, source in PARTS.items():
        made[student] = tmp_path_factory.mktemp(student)
        (made[student] / f"{NAME}.py").write_text(source)
    made["nobody"] = tmp_path_factory.mktemp("nobody")
    return made


def told(grading: Grading, student: str, folder: Path) -> list[tuple[str, float, Outcome, str]]:
    result = grading.grade(student, folder)
    assert result.student == student
    return [
        (check.step, check.score, check.outcome, check_markdown(check)) for check in result.checks
    ]


def test_a_file_counts_wherever_it_lies_as_in_grade(
    grading: Grading, folders: dict[str, Path], tmp_path: Path
) -> None:
    (tmp_path / "deep" / "a" / NAME).mkdir(parents=True)
    (tmp_path / "deep" / "a" / NAME / f"{NAME}.py").write_text(PARTS["bo"])
    (tmp_path / "packed").mkdir()
    with zipfile.ZipFile(tmp_path / "packed" / "my work.zip", "w") as archive:
        archive.writestr(f"work/{NAME}.py", PARTS["bo"])
    wanted = told(grading, "bo", folders["bo"])
    for folder in ("deep", "packed"):
        grading.started("somebody else", folders["nobody"])
        assert told(grading, "bo", tmp_path / folder) == wanted


def test_what_was_started_earns_the_same_and_is_nobody_elses(
    grading: Grading, folders: dict[str, Path]
) -> None:
    alone = {student: told(grading, student, folders[student]) for student in PARTS}
    for student in PARTS:
        grading.started(student, folders[student])
        assert told(grading, student, folders[student]) == alone[student], student
    grading.started("ada", folders["ada"])
    assert told(grading, "bo", folders["bo"]) == alone["bo"] != alone["ada"]
    assert told(grading, "ada", folders["ada"]) == alone["ada"]
    grading.started("nobody", folders["nobody"])
    assert grading.grade("nobody", folders["nobody"]).status is Status.REJECTED


def test_a_worker_that_did_not_start_is_told_of_its_own_submission(
    grading: Grading, folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = {student: told(grading, student, folders[student]) for student in ("ada", "bo")}

    def start() -> None:
        raise GraderFault("no worker")

    def start_in_vain() -> None:
        with monkeypatch.context() as broken:
            assert task._opened is not None
            broken.setattr(task._opened.rounds[0].sandbox, "start", start)
            grading.started("ada", folders["ada"])

    start_in_vain()
    with pytest.raises(GraderFault, match="no worker"):
        grading.grade("ada", folders["ada"])
    start_in_vain()
    assert told(grading, "bo", folders["bo"]) == alone["bo"]
    assert told(grading, "ada", folders["ada"]) == alone["ada"]
