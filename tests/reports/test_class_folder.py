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
from autograder.grading.run_seed import Run
from autograder.grading.task import Graded
from autograder.reports.class_folder import ClassFolder
from autograder.reports.class_record import CLASS_FILE, ClassRecord, GradedUnder, load_class
from autograder.reports.graded_class import load_class_results
from autograder.reports.gradescope_json import RESULTS_FILE, dump_results, results_in
from autograder.results import CheckResult, Outcome, Result, Status
from autograder.submission.directory import NOBODY, Person
from autograder.submission.hand_in import HandIn
from autograder.submission.naming import identify
from autograder.submission.read import Submission

if TYPE_CHECKING:
    from pathlib import Path
    from types import FrameType

pytestmark = pytest.mark.unit

CHECKS = (CheckResult("double", 0, 1, Outcome.TIMED_OUT),)
STOPPED = Result("toy", "bob", Status.GRADED, CHECKS, (), False, "", "0.1.0", "r")


def class_folder(project: Path) -> ClassFolder:
    limits = GradedUnder(5, 4096)
    record = ClassRecord("toy", "r", limits=limits, questions={"question-1": 2.0})
    return ClassFolder(project, Run("toy", 1, "r"), record, {"double": 1.0})


def opened(project: Path, *found: HandIn) -> ClassFolder:
    folder = class_folder(project)
    folder.begin(found)
    folder.start()
    return folder


def alone(project: Path, *students: str) -> list[HandIn]:
    return [HandIn(name, project / f"{name}.py", ()) for name in students]


def test_who_is_graded_again_is_not_kept_whatever_comes_out(tmp_path: Path) -> None:
    """Bob is always stopped after the same time."""
    for again, kept in (([], set()), ([], {"bob"}), (["bob"], set())):
        folder = opened(tmp_path, *alone(tmp_path, "bob"))
        folder.grade_again(again)
        folder.write(Graded(STOPPED))
        folder.finish()
        assert folder.kept == kept


def run(
    project: Path, *students: str, place: str = "class", late: bool = False, sha: str = ""
) -> ClassFolder:
    """Grade these students of a download, whose ids are the numbers behind their names."""
    found = []
    for student in students:
        name, _, number = student.removesuffix(")").partition(" (")
        path = project / place / f"{name}_{number}"
        person = Person(name, {"moodle": number}) if number else NOBODY
        given, platform = str(project / place), "moodle" if number else ""
        one = HandIn(name, path, (), late=late, given=given, person=person, platform=platform)
        found.append(one)
    folder = opened(project, *identify(found).hand_ins)
    for member in folder.members:
        if member.student not in folder.others:
            result = replace(STOPPED, student=member.student, submission_sha256=sha)
            folder.write(Graded(result, Submission(member.student, (), sha) if sha else None))
    folder.finish()
    return folder


def test_each_run_adds_people_and_a_deleted_folder_takes_one_out(tmp_path: Path) -> None:
    run(tmp_path, "Ann (1)", "Bob (2)", "Cid (3)")
    begun = run(tmp_path, "Bob (2)", "Dan (4)", place="next week")
    assert begun.others == ["Ann (1)", "Cid (3)"]
    assert rows(tmp_path) == ["student", "Ann (1)", "Bob (2)", "Cid (3)", "Dan (4)"]
    shutil.rmtree(tmp_path / "Cid (3)")
    assert load_class_results(tmp_path).missing == ()
    assert run(tmp_path, "Dan (4)").others == ["Ann (1)", "Bob (2)"]
    assert rows(tmp_path) == ["student", "Ann (1)", "Bob (2)", "Dan (4)"]


def test_a_row_leaves_when_its_person_or_its_file_is_graded_under_another_name(
    tmp_path: Path,
) -> None:
    """Ann has another name, Bob's file now belongs to Eve's id; the two whose name alone is equal are two."""
    run(tmp_path, "Ann (1)", "Bob (2)", "Cid", "Dan (4)", "Flo")
    folder = class_folder(tmp_path)
    bobs = HandIn("Eve", tmp_path / "class" / "Bob_2", (), person=Person("Eve", {"moodle": "5"}))
    again = [
        HandIn("Ann", tmp_path / "x", (), person=Person("Ann Lee", {"moodle": "1"}), platform="m"),
        replace(bobs, platform="moodle"),
        HandIn("Cid", tmp_path / "y", (), person=Person("Cid", {"moodle": "6"}), platform="m"),
    ]
    folder.begin(identify(again).hand_ins)
    assert folder.renamed == {"Ann (1)": "Ann Lee (1)", "Bob (2)": "Eve (5)"}
    assert folder.others == ["Cid", "Dan (4)", "Flo"]


def test_a_folder_with_a_new_name_takes_the_row_of_the_old_one(tmp_path: Path) -> None:
    """Hal's is in another folder. Two with one file, or with ids that differ, are not taken for one."""
    run(tmp_path, "Hal", place="elsewhere", sha="a" * 64)
    run(tmp_path, "Flo", sha="a" * 64)
    assert run(tmp_path, "Flora", sha="a" * 64).renamed == {"Flo": "Flora"}
    assert rows(tmp_path) == ["student", "Flora", "Hal"]
    assert run(tmp_path, "Gus", "Ina", sha="a" * 64).renamed == {}
    run(tmp_path, "Kim (1)", place="third", sha="b" * 64)
    assert run(tmp_path, "Lea (2)", place="third", sha="b" * 64).renamed == {}
    assert rows(tmp_path)[1:] == ["Flora", "Gus", "Hal", "Ina", "Kim (1)", "Lea (2)"]


def test_a_fresh_run_removes_what_was_there_and_names_it(tmp_path: Path) -> None:
    run(tmp_path, "Ann (1)", "Bob (2)")
    for name, text in (("Ann (1)/feedback.html", ""), ("Ann (1)/mine.txt", "note")):
        (tmp_path / name).write_text(text)
    (tmp_path / "overrides.csv").write_text("student,step,points\n")
    folder = class_folder(tmp_path)
    folder.begin(alone(tmp_path, "Cid"), fresh=True)
    assert folder.emptied == ["Ann (1)", "Bob (2)"]
    assert len([*results_in(tmp_path)]) == 2
    folder.start()
    left = [path.relative_to(tmp_path).as_posix() for path in sorted(tmp_path.rglob("*"))]
    assert "Ann (1)/mine.txt" in left
    assert {"Ann (1)/results.json", "Ann (1)/feedback.html", "Bob (2)"}.isdisjoint(left)
    folder.finish()
    assert rows(tmp_path) == ["student"]
    assert (tmp_path / "overrides.csv").exists()


def test_a_run_that_is_stopped_before_its_first_result_ends_well(tmp_path: Path) -> None:
    (tmp_path / "overrides.csv").write_text("student,step,points\nbob,double,1\n")
    graded = opened(tmp_path, *alone(tmp_path, "bob")).finish()
    assert (graded.results, graded.missing) == ((), ("bob",))
    assert rows(tmp_path) == ["student"]


def test_without_the_list_of_the_class_all_results_count(tmp_path: Path) -> None:
    run(tmp_path, "Ann (1)", "Bob")
    (tmp_path / CLASS_FILE).unlink()
    folder = opened(tmp_path, *alone(tmp_path, "Bob"))
    assert folder.others == ["Ann (1)"]
    (bob,) = alone(tmp_path, "Bob")
    assert folder.earlier(bob) is not None
    folder.finish()
    assert rows(tmp_path) == ["student", "Ann (1)", "Bob"]


def test_a_run_that_was_killed_goes_on_with_what_is_written(tmp_path: Path) -> None:
    """The run was killed after Bob's result."""
    students = ["ann", "bob", "cid"]
    folder = opened(tmp_path, *alone(tmp_path, *students))
    for name in students[:2]:
        folder.write(Graded(replace(STOPPED, student=name, submission_sha256="f")))
    record = load_class(tmp_path)
    assert record is not None
    assert not record.ended
    assert load_class_results(tmp_path).missing == ("cid",)
    again = class_folder(tmp_path)
    found = [replace(one, sha256="f") for one in alone(tmp_path, *students)]
    again.begin(found)
    assert [again.earlier(one) is not None for one in found] == [True, True, False]
    assert not any(map(again.has_source, found))
    assert {again.round_of(one) for one in found} == {0}


def test_late_without_a_time_is_noted_and_costs_nothing(tmp_path: Path) -> None:
    run(tmp_path, "Jane Doe (6)", late=True)
    content = json.loads((tmp_path / "Jane Doe (6)" / "results.json").read_text())
    assert [test["name"] for test in content["tests"]] == ["double"]
    assert content["extra_data"]["late"] == {}
    assert (tmp_path / "grades.csv").read_text().splitlines()[1].endswith(",6,,yes")


def rows(project: Path) -> list[str]:
    lines = (project / "grades.csv").read_text().splitlines()
    return [line.partition(",")[0] for line in lines]


def test_the_table_is_there_only_while_it_holds_all_results(tmp_path: Path) -> None:
    students = ["carol", "alice", "bob"]
    run(tmp_path, "dan (1)")
    folder = opened(tmp_path, *alone(tmp_path, *students))
    assert (tmp_path / "grades.csv").is_file()
    for student in students:
        result = replace(STOPPED, student=student)
        folder.write(Graded(result, file=dump_results(result)))
        assert not (tmp_path / "grades.csv").exists()
        assert [*(tmp_path / student).iterdir()] == [tmp_path / student / RESULTS_FILE]
    folder.finish()
    assert rows(tmp_path) == ["student", "alice", "bob", "carol", "dan (1)"]


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
        folder = opened(project, *alone(project, *students))
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
        results = {name: f"{one.score:g}" for name, one in results_in(project) if one}
        with (project / "grades.csv").open(encoding="utf-8", newline="") as table:
            assert {row["student"]: row["score"] for row in csv.DictReader(table)} == results
        assert not [*project.rglob("*.part")]
        if not interrupted:
            break
    assert results == dict.fromkeys(students, "1")
    assert number > 50


def test_a_mark_of_a_person_takes_the_place_of_what_was_stored(tmp_path: Path) -> None:
    (tmp_path / "overrides.csv").write_text("student,step,points\nbob,double,1\n")
    for kept in (set(), {"bob"}):
        folder = opened(tmp_path, *alone(tmp_path, "bob"))
        folder.write(Graded(STOPPED, file=dump_results(STOPPED)))
        (result,) = folder.finish().results
        assert (result.score, folder.kept) == (1, kept)
        assert [one.read_bytes() for one in (tmp_path / "bob").iterdir()] == [dump_results(result)]
    (tmp_path / "overrides.csv").unlink()
    assert [one.score for one in opened(tmp_path, *alone(tmp_path, "bob")).finish().results] == [0]
