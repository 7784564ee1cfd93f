"""What `grade` does in a folder that holds results: nothing is lost, and what changes is said."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest

from autograder.grading import run_seed
from autograder.release.build import plan_build, write_build
from tests.command_line import invoke
from tests.commands.test_grade import (
    arguments,
    broken_worker,
    grade,
    grades,
    hand_in,
    results,
    states,
    timeless,
)
from tests.submission.class_downloads import Student, write_roster
from tests.toy import DOUBLE, RIGHT, UNCHANGED, write_toy

if TYPE_CHECKING:
    from pathlib import Path

    from tests.command_line import Invoked

__all__ = ["broken_worker"]

pytestmark = pytest.mark.slow  # whole runs of the command

LOOPS = f"START = 0.5\n\n\n{DOUBLE}\n\ndef shift(x):\n    while True:\n        pass\n"
QUESTION = (
    '# %% [markdown] tags=["question"] points=4\n# Why?\n# ### BEGIN SOLUTION\n# Because.\n'
    "# ### END SOLUTION\n#\n# === BEGIN MARK SCHEME ===\n# Four.\n# === END MARK SCHEME ===\n\n# %%\nimport numpy"
)
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


def override(project: Path, *rows: str) -> None:
    lines = ["student,step,points,reason,who", *rows]
    (project / "out" / "overrides.csv").write_text("\n".join(lines), encoding="utf-8")


@pytest.mark.usefixtures("broken_worker")
def test_another_version_or_assignment_grades_all_again_and_says_so(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (project / "solutions" / "toy" / "cases.py").open("a") as file:
        file.write("\n# revised\n")
    done = again(project)
    assert "The assignment has changed since the results in" in done.stdout
    assert "(kept)" not in done.stdout.replace("rejected (kept)", "")
    monkeypatch.setattr(run_seed, "__version__", "0.0.9")
    assert "everything is graded again." in again(project).stdout


def refused(project: Path, *paths: Path, **options: Any) -> str:
    """Why nothing is graded; nothing is written either."""
    before = states(project / "out")
    done = again(project, *paths, **options)
    assert done.exit_code == 2
    assert states(project / "out") == before
    return done.stderr


@pytest.mark.usefixtures("broken_worker")
def test_what_does_not_fit_the_results_is_refused(project: Path) -> None:
    """Other limits, and a student who is not there."""
    words = "were graded with --timeout 0.3 --memory 4096. Give the same limits"
    assert words in refused(project, timeout=0.4)
    assert "There is no student 'alcie'. Did you mean 'alice'?" in refused(project, regrade="alcie")
    words = "the submission of 'alice' is not in the paths that were given"
    assert words in refused(project, project / "class" / "bob", regrade="alice")
    override(project, "bob,doubel,1,,")
    assert "line 2: there is no step 'doubel'. Did you mean 'double'?" in refused(project)


def test_regrade_grades_those_again_and_gives_the_same_results(project: Path) -> None:
    before = timeless(project / "out")
    command = arguments(project, project / "class", timeout=0.3, no_pages=True)
    done = invoke([*command, "--regrade", "BOB", "--regrade", "dan"])
    lines = done.stdout.splitlines()
    assert "2 kept, 2 graded" in lines
    assert sorted(line.partition("] ")[2] for line in lines[:4]) == [
        "alice 3/3 (kept)",
        "bob 2/3",
        "carol 0/3 rejected (kept)",
        "dan 1/3",
    ]
    assert timeless(project / "out") == before


def test_who_is_not_in_these_paths_stays_and_is_named_with_the_way_out(project: Path) -> None:
    """Alice's folder is gone, Dan's has another name."""
    shutil.rmtree(project / "class" / "alice")
    (project / "class" / "dan").rename(project / "class" / "dora")
    done = again(project)
    assert done.exit_code == 0
    assert "Not in these paths, so their results stay (2): alice, dan." in done.stdout
    assert f"  To take one out, delete the folder: rm -r {project / 'out' / 'alice'}" in done.stdout
    left = f"No longer in {project / 'out' / 'grades.csv'}, graded under another name (1)"
    assert f"{left}: dan, now dora." in done.stdout
    assert [*grades(project / "out")] == ["alice", "bob", "carol", "dora"]
    shutil.rmtree(project / "out" / "alice")
    assert "stay" not in again(project).stdout
    assert [*grades(project / "out")] == ["bob", "carol", "dora"]


def test_a_fresh_run_names_whose_results_go_for_good(project: Path) -> None:
    shutil.rmtree(project / "class" / "alice")
    override(project, "bob,double,0.5,as agreed,Dr. No")
    done = again(project, fresh=True)
    removed = f"Removed from {project / 'out'}, as --fresh says, and not in these paths (1): alice."
    assert removed in done.stdout
    assert [*grades(project / "out")] == ["bob", "carol", "dan"]
    assert grades(project / "out")["bob"]["double"] == "0.5"


def test_the_exit_code_is_about_the_people_of_this_run(project: Path) -> None:
    assert again(project, project / "class" / "alice", **{"fail-under": 3}).exit_code == 0
    assert again(project, **{"fail-under": 3}).exit_code == 3


@pytest.mark.usefixtures("broken_worker")
def test_an_override_is_in_the_result_and_in_the_table_and_survives(project: Path) -> None:
    rows = ("bob,double,0.5,as agreed,Dr. No", "alice,question-1,3,,Dr. No", "zoe,double,1,,")
    override(project, *rows, "")
    for _ in range(2):
        done = grade(project, project / "class", timeout=0.3)
        assert done.exit_code == 0
        note = "overrides.csv, line 4: there is no student 'zoe'. It is not applied."
        assert note in done.stdout.split("1 double, 2 shift")[-1]
        table = grades(project / "out")
        more = ["id", "group", "late", "overrides"]
        assert [*table["bob"]][5:] == ["double", "shift", "question-1", *more]
        bob, alice = ([*table[name].values()][2:] for name in ("bob", "alice"))
        assert bob == ["2.5", "7", "graded", "0.5", "2", "", "", "", "", "double"]
        assert alice == ["6", "7", "graded", "1", "2", "3", "", "", "", "question-1"]
    bob = results(project / "out")["bob"]["tests"][0]
    assert (bob["score"], bob["status"], bob["extra_data"]["outcome"]) == (0.5, "failed", "wrong")
    assert bob["extra_data"]["override"]["earned"] == 0
    assert "A person gave 0.5 of 1 points for this step (Dr. No): as agreed" in bob["output"]


def test_only_who_is_not_on_the_roster_is_said_not_to_be(project: Path, tmp_path: Path) -> None:
    students = [Student("Wei", "Wang", 1), Student("Wei", "Wang", 2), Student("Ann", "Lee", 3)]
    write_roster(students, tmp_path / "roster.csv")
    hand_in(
        tmp_path / "twins", {f"{name}/toy.py": RIGHT for name in ("Wei Wang", "Ann Lee", "Eve")}
    )
    options = {"out": tmp_path / "new", "roster": tmp_path / "roster.csv"}
    for _ in range(2):
        said = again(project, tmp_path / "twins", **options).stdout
        assert "Not on the roster, so graded as named (1): Eve." in said
        assert "On the roster, but not clear which person" in said
        assert "so graded as named (1): Wei Wang." in said
