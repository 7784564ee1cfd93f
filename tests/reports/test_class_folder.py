"""What is kept and what counts as graded, also where grading again gives the same bytes."""

from __future__ import annotations

import csv
import inspect
import itertools
import json
import shutil
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from autograder import files
from autograder.errors import UsageError
from autograder.grading.overrides import Overrides
from autograder.grading.run_seed import RUN_FILE, Run
from autograder.grading.task import Graded
from autograder.reports.class_folder import Beginning, ClassFolder
from autograder.reports.class_record import GradedUnder, load_class
from autograder.reports.gradescope_json import RESULTS_FILE, dump_results, results_in
from autograder.results import CheckResult, Outcome, Override, Result, Status
from autograder.submission.directory import Person
from autograder.submission.hand_in import HandIn
from autograder.submission.naming import Identified, identify

if TYPE_CHECKING:
    from pathlib import Path
    from types import FrameType

pytestmark = pytest.mark.unit

CHECKS = (CheckResult("double", 0, 1, Outcome.TIMED_OUT),)
STOPPED = Result("toy", "bob", Status.GRADED, CHECKS, (), False, "", "0.1.0", "r")


def class_folder(project: Path, overrides: Overrides = Overrides()) -> ClassFolder:  # noqa: B008
    (project / RUN_FILE).touch()
    return ClassFolder(project, Run("toy", 1, "r"), ("double",), GradedUnder(5, 4096), overrides)


def test_who_is_graded_again_is_not_kept_whatever_comes_out(tmp_path: Path) -> None:
    """Bob is always stopped after the same time."""
    (tmp_path / "bob.py").touch()
    for again, kept in (([], set()), ([], {"bob"}), (["bob"], set())):
        folder = class_folder(tmp_path)
        folder.begin(Identified(()), found=[HandIn("bob", tmp_path / "bob.py", ())])
        folder.grade_again(again)
        folder.write(Graded(STOPPED))
        folder.finish()
        assert folder.kept == kept


def run(
    project: Path, *students: str, earlier: dict[str, Person] | None = None, late: bool = False
) -> Beginning:
    """Grade these students of a download, whose ids are the numbers behind their names."""
    found = []
    for student in students:
        path = project / "class" / f"{student.replace(' (', '_')[:-1]}_assignsubmission_file"
        path.mkdir(parents=True, exist_ok=True)
        name, _, number = student[:-1].rpartition(" (")
        person = Person(name, {"moodle": number})
        found.append(HandIn(name, path, (), person=person, platform="moodle", late=late))
    record = load_class(project)
    known = {one.student: one.person for one in record.members} if record else {}
    who = identify(found, None, earlier or known)
    folder = class_folder(project)
    beginning = folder.begin(who, found=who.hand_ins)
    for one in who.hand_ins:
        folder.write(Graded(replace(STOPPED, student=one.student)))
    folder.finish()
    return beginning


@pytest.mark.parametrize(
    ("before", "after", "refused"),
    [(20, 18, False), (20, 17, True), (11, 10, False), (11, 9, True), (2, 1, False), (1, 0, False)],
)
def test_one_row_or_a_tenth_of_the_rows_may_leave_the_table(
    tmp_path: Path, before: int, after: int, refused: bool
) -> None:
    students = [f"S ({number})" for number in range(10, 10 + before)]
    run(tmp_path, *students)
    shutil.rmtree(tmp_path / "class")
    if refused:
        with pytest.raises(UsageError, match=f"^{before - after} of {before} rows would leave"):
            run(tmp_path, *students[:after])
    else:
        run(tmp_path, *students[:after])
    assert len(rows(tmp_path)) - 1 == (before if refused else after)


def filed(project: Path) -> dict[str, str]:
    found = project.glob("*/results.json")
    return {
        path.parent.name: json.loads(path.read_text())["extra_data"]["student"] for path in found
    }


def test_a_student_of_another_path_keeps_the_name_of_the_folder_and_a_renamed_one_is_left_out(
    tmp_path: Path,
) -> None:
    run(tmp_path, "Jane Doe (6)", "Wei Wang (4)")
    jane, wei = Person("Jane Roe", {"moodle": "6"}), Person("Wei Wang", {"moodle": "4"})
    earlier = {"Jane Doe (6)": jane, "Wei Wang (4)": wei}
    begun = run(tmp_path, "Wei Wang (4)", earlier=earlier)
    assert begun.elsewhere == ["Jane Doe (6)"]
    assert rows(tmp_path) == ["student", "Jane Doe (6)", "Wei Wang (4)"]
    begun = run(tmp_path, "Jane Roe (6)", "Wei Wang (4)")
    assert begun.withdrawn == ["Jane Doe (6)"]
    names = ("Jane Doe (6)", "Jane Roe (6)", "Wei Wang (4)")
    assert filed(tmp_path) == {name: name for name in names}
    assert rows(tmp_path) == ["student", "Jane Roe (6)", "Wei Wang (4)"]


def test_late_without_a_time_is_noted_and_costs_nothing(tmp_path: Path) -> None:
    (tmp_path / RUN_FILE).touch()
    run(tmp_path, "Jane Doe (6)", late=True)
    content = json.loads((tmp_path / "Jane Doe (6)" / "results.json").read_text())
    assert [test["name"] for test in content["tests"]] == ["double"]
    assert content["extra_data"]["late"] == {}
    assert (tmp_path / "grades.csv").read_text().splitlines()[1].endswith(",6,,yes")


def opened(project: Path, students: list[str], overrides: Overrides) -> ClassFolder:
    found = [HandIn(name, project / f"{name}.py", ()) for name in students]
    folder = class_folder(project, overrides)
    folder.begin(Identified(()), found=found)
    return folder


def rows(project: Path) -> list[str]:
    lines = (project / "grades.csv").read_text().splitlines()
    return [line.partition(",")[0] for line in lines]


def test_the_table_is_there_only_while_it_holds_all_results(tmp_path: Path) -> None:
    students = ["carol", "alice", "bob"]
    run(tmp_path, "dan (1)")
    folder = opened(tmp_path, students, Overrides())
    assert (tmp_path / "grades.csv").is_file()
    for student in students:
        result = replace(STOPPED, student=student)
        folder.write(Graded(result, file=dump_results(result)))
        assert not (tmp_path / "grades.csv").exists()
        assert [*(tmp_path / student).iterdir()] == [tmp_path / student / RESULTS_FILE]
    folder.finish()
    assert rows(tmp_path) == ["student", "alice", "bob", "carol"]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # an unclosed file
@pytest.mark.parametrize("error", [KeyboardInterrupt, PermissionError])
def test_an_interrupt_at_any_line_leaves_files_that_agree(
    tmp_path: Path, error: type[BaseException]
) -> None:
    """Bob's result takes the place of another, Ann has none."""
    students, passed = ["ann", "bob (1)"], CheckResult("double", 1, 1, Outcome.PASSED)
    for number in itertools.count(1):
        project = tmp_path / str(number)
        run(project, "bob (1)")
        folder = opened(project, students, Overrides())
        lines = itertools.count(1)

        def interrupt(frame: FrameType, event: str, _: object) -> Any:
            watched = frame.f_code.co_filename in (files.__file__, inspect.getfile(ClassFolder))
            if watched and event == "line" and next(lines) == number:  # noqa: B023 - in this round only
                raise error
            return interrupt

        interrupted, before = False, sys.gettrace()
        sys.settrace(interrupt)
        try:
            for student in students:
                folder.write(Graded(replace(STOPPED, student=student, checks=(passed,))))
        except error:
            interrupted = True
        finally:
            sys.settrace(before)
        folder.finish()
        results = {name: f"{one.score:g}" for name, _, one in results_in(project) if one}
        with (project / "grades.csv").open(encoding="utf-8", newline="") as table:
            assert {row["student"]: row["score"] for row in csv.DictReader(table)} == results
        assert not [*project.rglob("*.part")]
        opened(project, students, Overrides())  # no file differs from what was noted
        if not interrupted:
            break
    assert results == dict.fromkeys(students, "1")
    assert number > 50


def test_a_mark_of_a_person_takes_the_place_of_what_was_stored(tmp_path: Path) -> None:
    override = Override("bob", "double", 1.0, "", "")
    folder = opened(tmp_path, ["bob"], Overrides(((2, override),)))
    written = folder.write(Graded(STOPPED, file=dump_results(STOPPED)))
    assert written.score == 1
    assert [one.read_bytes() for one in (tmp_path / "bob").iterdir()] == [dump_results(written)]
