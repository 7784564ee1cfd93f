"""The same thirty hand-ins in each platform's download: the same marks, for the same people."""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import pytest

from autograder.commands import grade as grade_command
from autograder.grading import engines, task
from autograder.grading.grade import grade as grade_one
from tests.command_line import Invoked, class_file, invoke
from tests.commands.examples import graded_examples
from tests.commands.thirty_hand_ins import (
    ABSENT,
    ASSIGNMENT,
    ROOT,
    HandIn,
    thirty,
    written,
)
from tests.submission.class_downloads import PLATFORMS, Student, nbgrader, put, write_roster, zipped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from autograder.exam.questions import Exam
    from autograder.results import Result
    from autograder.sandbox.sandbox import Sandbox
    from autograder.submission.read import Submission

pytestmark = pytest.mark.slow  # a dozen runs of thirty submissions


@cache
def same_names() -> set[str]:
    """The names that two students have."""
    counts = Counter(hand_in.student.name for hand_in in thirty())
    return {name for name, count in counts.items() if count > 1}


def plain(students: Iterable[Student], folder: Path) -> None:
    """Folders that a person made: a student's name, or the id where two have the same name."""
    for one in students:
        name = f"{one.number:05}" if one.name in same_names() else one.name
        for file, data in one.files.items():
            put(folder / name / file, data)


LAYOUTS: dict[str, Callable[[Iterable[Student], Path], None]] = {
    **PLATFORMS,
    "nbgrader": partial(nbgrader, assignment=ASSIGNMENT),
    "plain": plain,
}


def name_in(layout: str, hand_in: HandIn) -> str:
    """The name that the results of a layout give to a student of the roster."""
    number = f"{hand_in.student.number:05}"
    return number if layout == "nbgrader" else written(f"{hand_in.student.name} ({number})")


def grade(path: Path, out: Path, *options: str) -> Invoked:
    places = ["--out", str(out), "--solutions", str(ROOT / "solutions")]
    how = ["--seed", "1", "--timeout", "2", "--no-pages", "--allow-degraded"]
    done = invoke(["grade", str(path), "--assignment", ASSIGNMENT, *places, *how, *options])
    assert done.exit_code == 0, done.output
    return done


def rows(out: Path) -> dict[str, dict[str, str]]:
    with (out / "grades.csv").open(encoding="utf-8", newline="") as file:
        found = {row.pop("student"): row for row in csv.DictReader(file)}
    for row in found.values():
        for who in ("id", "group", "late"):
            del row[who]
    return found


@pytest.fixture(scope="module")
def examples(once: Callable[[str, Callable[[Path], object]], Path]) -> dict[str, dict[str, str]]:
    """The rows of the ten examples."""
    return rows(graded_examples(once))


@pytest.fixture(scope="module", autouse=True)
def graded_once() -> Iterator[None]:
    """Grade here, and what is the same but for the student's name only once: downloads differ in who is who."""
    known: dict[str, Result] = {}

    def grade_new(exam: Exam, given: Submission, sandbox: Sandbox, **options: Any) -> Result:
        same = repr(replace(given, student="", sha256="", path=None))
        if same not in known:
            known[same] = grade_one(exam, given, sandbox, **options)
        return replace(known[same], student=given.student, submission_sha256=given.sha256)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(task, "grade", grade_new)
        patch.setattr(grade_command, "local_engine", lambda *_: engines.Here())
        yield


@pytest.mark.parametrize(
    ("layout", "packed"),
    [*((layout, False) for layout in LAYOUTS), ("canvas", True)],
)
def test_each_download_gives_the_same_marks_to_the_same_people(
    tmp_path: Path, examples: dict[str, dict[str, str]], layout: str, packed: bool
) -> None:
    LAYOUTS[layout]([one.student for one in thirty()], tmp_path / "class")
    write_roster([*(one.student for one in thirty()), *ABSENT], tmp_path / "roster.csv")
    path = zipped(tmp_path / "class", tmp_path / "class.zip") if packed else tmp_path / "class"
    if layout in ("gradescope", "github") and not packed:
        [path] = path.iterdir()
    done = grade(path, tmp_path / "out", "--roster", str(tmp_path / "roster.csv"))

    nothing = {**examples["dmitri-v"], "status": "rejected"}
    expected = {name_in(layout, one): examples.get(one.same_as, nothing) for one in thirty()}
    assert rows(tmp_path / "out") == expected
    assert "Handed in nothing (2): Gone Girl, Never There" in done.stdout
    assert ("Matched by name alone" in done.stdout) == (layout == "plain")
    students = class_file(tmp_path / "out")["students"]
    assert {name: one["person"]["email"] for name, one in students.items()} == {
        name_in(layout, one): one.student.email for one in thirty()
    }
    if layout == "canvas":
        late = {name for name, one in students.items() if one["late"]}
        assert late == {name_in(layout, one) for one in thirty() if one.student.late}
