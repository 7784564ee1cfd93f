"""What `grade` does in a folder that holds results: nothing is lost, and what changes is said."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from autograder.grading import run_seed
from autograder.release.build import plan_build, write_build
from tests.command_line import class_file
from tests.commands.test_grade import (
    arguments,
    broken_worker,
    grade,
    grades,
    hand_in,
    results,
    states,
)
from tests.submission.class_downloads import Student, moodle, write_roster, zipped
from tests.toy import DOUBLE, RIGHT, SHIFT, write_toy

if TYPE_CHECKING:
    from tests.command_line import Invoked

__all__ = ["broken_worker"]

pytestmark = pytest.mark.slow  # thirty whole runs of the command

UNCHANGED = f"START = 0.5\n\n\ndef double(x):\n    return x\n\n\n{SHIFT}"
LOOPS = f"START = 0.5\n\n\n{DOUBLE}\n\ndef shift(x):\n    while True:\n        pass\n"
QUESTION = (
    '# %% [markdown] tags=["question"] points=4\n# Why?\n# ### BEGIN SOLUTION\n# Because.\n'
    "# ### END SOLUTION\n#\n# === BEGIN MARK SCHEME ===\n# Four.\n# === END MARK SCHEME ===\n\n# %%\nimport numpy"
)
NO_PAGES: dict[str, Any] = {"no-pages": True}
CLASS = {"alice/toy.py": RIGHT, "bob/toy.py": UNCHANGED, "carol/notes.txt": "", "dan/toy.py": LOOPS}


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with an open question, and a class that was graded with a short limit."""
    folder = tmp_path_factory.mktemp("first")
    change = ("# %%\nimport numpy", QUESTION)
    write_build(plan_build(write_toy(folder, change), folder / "assignments", "toy"))
    hand_in(folder / "class", CLASS)
    options = {"seed": 1, "timeout": 0.3, "no-pages": True}
    assert grade(folder, folder / "class", **options).exit_code == 0
    return folder


@pytest.fixture
def project(first: Path, tmp_path: Path) -> Path:
    for name in ("solutions", "assignments", "class", "out"):
        shutil.copytree(first / name, tmp_path / name)
    return tmp_path


def again(project: Path, *paths: Path, **options: Any) -> Invoked:
    return grade(
        project, *(paths or [project / "class"]), **({"timeout": 0.3, "no-pages": True} | options)
    )


def override(project: Path, *rows: str, head: str = "student,step,points,reason,who") -> None:
    (project / "out" / "overrides.csv").write_text("\n".join([head, *rows]), encoding="utf-8")


# Kept and graded.


@pytest.mark.usefixtures("broken_worker")
def test_kept_results_are_told_from_graded_ones(project: Path) -> None:
    done = again(project)
    lines = done.stdout.splitlines()
    assert done.exit_code == 0
    assert "4 kept" in lines
    assert sorted(line.partition("] ")[2] for line in lines[:4]) == [
        "alice 3/3 (kept)",
        "bob 2/3 (kept)",
        "carol 0/3 rejected (kept)",
        "dan 1/3 (kept)",
    ]


def test_the_source_and_the_place_of_each_student_are_noted(project: Path) -> None:
    students = class_file(project / "out")["students"]
    assert [*students] == ["alice", "bob", "carol", "dan"]
    alice = students["alice"]
    assert (alice["path"], alice["given"]) == ("../class/alice", "../class")
    assert alice["pieces"][0][1] == RIGHT
    assert [*alice["steps"]] == ["double", "shift"]
    assert class_file(project / "out")["limits"] == {"timeout": 0.3, "memory": 4096}
    assert students["carol"]["pieces"] == []
    assert class_file(project / "out")["complete"] is True


@pytest.mark.usefixtures("broken_worker")
def test_another_version_of_the_kit_grades_all_again_and_says_so(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_seed, "__version__", "0.0.9")
    before = again(project)
    monkeypatch.undo()
    assert "everything is graded again." in before.stdout


@pytest.mark.usefixtures("broken_worker")
def test_another_assignment_source_says_so(project: Path) -> None:
    with (project / "solutions" / "toy" / "cases.py").open("a") as file:
        file.write("\n# revised\n")
    done = again(project)
    assert "The assignment has changed since the results in" in done.stdout
    assert "(kept)" not in done.stdout.replace("rejected (kept)", "")


# Limits.


@pytest.mark.usefixtures("broken_worker")
def test_other_limits_than_those_of_the_results_are_refused(project: Path) -> None:
    before = states(project / "out")
    done = again(project, timeout=0.4)
    assert done.exit_code == 2
    assert "were graded with --timeout 0.3 --memory 4096. Give the same limits" in done.stderr
    assert states(project / "out") == before


# --regrade.


def graded_again(project: Path, *values: str) -> set[str]:
    """Who was graded again, on a machine whose workers do not start."""
    options = [part for value in values for part in ("--regrade", value)]
    before = states(project / "out")
    done = grade_with(project, *options)
    assert done.exit_code == 1
    after = states(project / "out")
    return {
        Path(name).parent.name
        for name in before
        if name.endswith("results.json") and after[name] != before[name]
    }


def grade_with(project: Path, *more: str) -> Invoked:
    from tests.command_line import invoke  # noqa: PLC0415

    return invoke([*arguments(project, project / "class", timeout=0.3, **NO_PAGES), *more])


@pytest.mark.usefixtures("broken_worker")
@pytest.mark.parametrize(
    ("values", "students"),
    [(["alice"], {"alice"}), (["ALICE", "dan"], {"alice", "dan"})],
)
def test_students_are_graded_again(project: Path, values: list[str], students: set[str]) -> None:
    assert graded_again(project, *values) == students


def test_graded_again_gives_the_same_result(project: Path) -> None:
    before = results(project / "out")["bob"]
    done = grade_with(project, "--regrade", "bob")
    after = results(project / "out")["bob"]
    assert "3 kept, 1 graded" in done.stdout.splitlines()
    for one in (before, after):
        del one["execution_time"]
    assert before == after


@pytest.mark.usefixtures("broken_worker")
def test_a_name_that_nobody_has_is_refused(project: Path) -> None:
    before = states(project / "out")
    done = grade_with(project, "--regrade", "alcie")
    assert done.exit_code == 2
    assert "There is no student 'alcie'. Did you mean 'alice'?" in done.stderr
    elsewhere = again(project, project / "class" / "bob", regrade="alice")
    assert elsewhere.exit_code == 2
    assert "the submission of 'alice' is not in the paths that were given" in elsewhere.stderr
    assert states(project / "out") == before


# Who is in the table.


@pytest.mark.usefixtures("broken_worker")
def test_a_withdrawn_students_result_is_named_and_stays_in_its_folder(project: Path) -> None:
    shutil.rmtree(project / "class" / "bob")
    for _ in range(2):
        done = again(project)
        assert "the submission is gone or has another name (1): bob." in done.stdout
        assert [*grades(project / "out")] == ["alice", "carol", "dan"]
        assert (project / "out" / "bob" / "results.json").exists()


@pytest.mark.usefixtures("broken_worker")
@pytest.mark.parametrize("fresh", [{}, {"fresh": True, "seed": 2}])
def test_more_rows_leave_the_table_only_if_that_is_said(
    project: Path, fresh: dict[str, Any]
) -> None:
    shutil.rmtree(project / "class" / "alice")
    (project / "class" / "dan").rename(project / "class" / "dora")
    before = states(project / "out")
    done = again(project, **fresh)
    assert done.exit_code == 2
    assert "2 of 4 rows would leave grades.csv" in done.stderr
    assert done.stderr.rstrip().endswith("--forget to take these rows out: alice, dan.")
    assert states(project / "out") == before
    assert [*grades(project / "out")] == ["alice", "bob", "carol", "dan"]
    again(project, forget=True, **fresh)
    assert [*grades(project / "out")] == ["bob", "carol", "dora"]


def test_a_single_submission_leaves_the_others_in_the_table(project: Path) -> None:
    hand_in(project / "late", {"eve/toy.py": RIGHT})
    done = again(project, project / "late")
    assert "Results of other paths are kept (4): alice, bob, carol, dan." in done.stdout
    assert [*grades(project / "out")] == ["alice", "bob", "carol", "dan", "eve"]
    hand_in(project / "resubmitted", {"bob/toy.py": RIGHT})
    again(project, project / "resubmitted" / "bob")
    assert grades(project / "out")["bob"]["score"] == "3"
    assert len(grades(project / "out")) == 5
    shutil.rmtree(project / "late")
    again(project)
    assert "eve" not in grades(project / "out")


# Results that were changed by hand, and overrides.


@pytest.mark.usefixtures("broken_worker")
def test_a_result_that_was_changed_by_hand_is_refused(project: Path) -> None:
    path = project / "out" / "bob" / "results.json"
    path.write_text(path.read_text().replace('"score": 2', '"score": 3', 1))
    before = states(project / "out")
    done = again(project)
    assert done.exit_code == 2
    assert f"{path} was changed after it was written." in done.stderr
    assert "overrides.csv" in done.stderr
    assert states(project / "out") == before


@pytest.mark.usefixtures("broken_worker")
def test_an_override_is_in_the_result_and_in_the_table_and_survives(project: Path) -> None:
    override(project, "bob,double,0.5,as agreed,Dr. No", "alice,question-1,3,,Dr. No", "")
    for _ in range(2):
        assert again(project).exit_code == 0
        table = grades(project / "out")
        more = ["id", "group", "late", "overrides"]
        assert [*table["bob"]][5:] == ["double", "shift", "question-1", *more]
        bob, alice = ([*table[name].values()][2:] for name in ("bob", "alice"))
        assert bob == ["2.5", "7", "graded", "0.5", "2", "", "", "", "", "double"]
        assert alice == ["6", "7", "graded", "1", "2", "3", "", "", "", "question-1"]
    bob = results(project / "out")["bob"]["tests"][0]
    assert (bob["score"], bob["status"], bob["extra_data"]["outcome"]) == (0.5, "failed", "wrong")
    assert bob["extra_data"]["override"] == {
        "student": "bob",
        "step": "double",
        "points": 0.5,
        "reason": "as agreed",
        "who": "Dr. No",
        "earned": 0,
    }
    assert "A person gave 0.5 of 1 points for this step (Dr. No): as agreed" in bob["output"]
    alice = results(project / "out")["alice"]["tests"]
    assert [test["name"] for test in alice] == ["double", "shift", "question-1"]


@pytest.mark.usefixtures("broken_worker")
def test_without_its_line_a_mark_is_the_graders_again(project: Path) -> None:
    before = states(project / "out")
    override(project, "bob,double,0.5,as agreed,Dr. No", "alice,question-1,3,,Dr. No")
    again(project)
    (project / "out" / "overrides.csv").unlink()
    again(project)
    assert grades(project / "out")["alice"]["score"] == "3"
    again(project)
    after = states(project / "out")
    assert {name: data for name, (data, _) in after.items()} == {
        name: data for name, (data, _) in before.items()
    }


@pytest.mark.usefixtures("broken_worker")
def test_an_override_that_cannot_be_meant_stops_the_run_before_anything_changes(
    project: Path,
) -> None:
    override(project, "bob,doubel,1,,")
    before = states(project / "out")
    done = again(project)
    assert done.exit_code == 2
    assert "line 2: there is no step 'doubel'. Did you mean 'double'?" in done.stderr
    assert states(project / "out") == before


@pytest.mark.usefixtures("broken_worker")
def test_unusual_overrides_are_said_at_the_end(project: Path) -> None:
    override(project, "zoe,double,1,,", "bob,double,5,,")
    done = grade(project, project / "class", timeout=0.3)
    assert done.exit_code == 0, done.output
    assert done.stderr == ""  # the pages hold more than all points, too
    assert grades(project / "out")["bob"]["score"] == "7"
    end = done.stdout.split("1 double, 2 shift")[-1]
    assert "overrides.csv, line 2: there is no student 'zoe'. It is not applied." in end
    assert "overrides.csv, line 3: 5 points for 'double', which has 1: the rest is a bonus." in end


def test_only_who_is_not_on_the_roster_is_said_not_to_be(project: Path, tmp_path: Path) -> None:
    students = [Student("Wei", "Wang", 1), Student("Wei", "Wang", 2), Student("Ann", "Lee", 3)]
    write_roster(students, tmp_path / "roster.csv")
    hand_in(
        tmp_path / "twins", {f"{name}/toy.py": RIGHT for name in ("Wei Wang", "Ann Lee", "Eve")}
    )
    options = {"out": tmp_path / "new", "roster": tmp_path / "roster.csv"}
    for _ in range(2):
        said = again(project, tmp_path / "twins", **options).stdout
        assert "Not on the roster, so each is graded as one person (1): Eve." in said
        assert "On the roster, but not clear which person" in said
        assert "so graded as named (1): Wei Wang." in said


# The roster and archives.


def test_a_download_with_a_roster_names_who_is_absent(project: Path, tmp_path: Path) -> None:
    students = [
        Student("Wei", "Wang", 1, {"toy.py": RIGHT.encode()}),
        Student("Wei", "Wang", 2, {"any name.py": UNCHANGED.encode()}),
    ]
    moodle(students, tmp_path / "download")
    path = zipped(tmp_path / "download", tmp_path / "download.zip")
    write_roster([*students, Student("Ann", "Other", 3)], tmp_path / "roster.csv")
    options = {"out": tmp_path / "new", "roster": tmp_path / "roster.csv"}
    for words in ("2 graded", "2 kept"):
        done = again(project, path, **options)
        assert done.exit_code == 0, done.stderr
        assert words in done.stdout.splitlines()
        assert "Handed in nothing (1): Ann Other" in done.stdout
        scores = {name: row["score"] for name, row in grades(tmp_path / "new").items()}
        assert scores == {"Wei Wang (00001)": "3", "Wei Wang (00002)": "2"}
    content = class_file(tmp_path / "new")
    assert [one["name"] for one in content["absent"]] == ["Ann Other"]
    student = content["students"]["Wei Wang (00002)"]
    assert student["person"]["email"] == "s2@example.org"
    assert student["path"] == "../download.zip/Wei Wang_204002_assignsubmission_file_"


def test_a_resubmission_of_one_leaves_the_others_present_and_gets_its_overrides(
    project: Path, tmp_path: Path
) -> None:
    students = [
        Student("Wei", "Wang", 1, {"toy.py": RIGHT.encode()}),
        Student("Wei", "Wang", 2, {"toy.py": UNCHANGED.encode()}),
        Student("Zoë", "Doe", 3, {"toy.py": UNCHANGED.encode()}),
    ]
    moodle(students, tmp_path / "download")
    write_roster([*students, Student("Ann", "Other", 4)], tmp_path / "roster.csv")
    out = tmp_path / "new"
    options = {"out": out, "roster": tmp_path / "roster.csv", "seed": 1}
    assert again(project, tmp_path / "download", **options).exit_code == 0

    hand_in(tmp_path / "late", {"Zoë Doe/toy.py": RIGHT})
    rows = "student,step,points\nWei Wang (204002),double,1\n00003,shift,0.5\n"
    (out / "overrides.csv").write_text(rows, encoding="utf-8")
    done = again(project, tmp_path / "late", **options)
    assert done.exit_code == 0, done.stderr
    assert "Handed in nothing (1): Ann Other" in done.stdout
    assert "Results of other paths are kept (2): Wei Wang (00001), Wei Wang (00002)." in done.stdout
    assert "Zoë Doe (00003): overrides.csv gives 0.5 for shift, the grader 2." in done.stdout
    scores = {name: row["score"] for name, row in grades(out).items()}
    names = ["Wei Wang (00001)", "Wei Wang (00002)", "Zoë Doe (00003)"]
    assert scores == dict(zip(names, ("3", "3", "1.5"), strict=True))
    assert results(out)["Wei Wang (00002)"]["score"] == 3
    content = class_file(out)
    assert [one["name"] for one in content["absent"]] == ["Ann Other"]

    (out / "overrides.csv").unlink()
    done = again(project, tmp_path / "download", **options)
    assert done.exit_code == 0, done.stderr
    scores = {name: row["score"] for name, row in grades(out).items()}
    assert scores == dict(zip(names, ("3", "2", "2"), strict=True))
