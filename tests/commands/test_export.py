"""`autograder export`: a run or one student's result, to the standard output or into a file."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest

from autograder.files import write_whole
from autograder.reports.class_record import ClassRecord, Member
from autograder.reports.formats import FORMATS
from autograder.reports.gradescope_json import dump_results
from autograder.results import CheckResult, Outcome, Result, Status, paragraphs
from autograder.submission.directory import Person
from tests.command_line import invoke

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.unit


def result(
    student: str, *scores: float, status: Status = Status.GRADED, about: tuple[str, ...] = ()
) -> Result:
    outcome = Outcome.UNGRADED if status is Status.UNGRADED else Outcome.PASSED
    checks = tuple(
        CheckResult(f"step_{number}", score, 2.0, outcome) for number, score in enumerate(scores)
    )
    return Result("toy", student, status, checks, paragraphs(*about), False, "", "0.1.0", "run")


@pytest.fixture
def out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of results: two graded, one rejected, one ungraded, one absent."""
    for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "out"
    results = [
        result("=Alice", 2, 1.5),
        result("Bob", 0, 0),
        result("Carol", 0, 0, status=Status.REJECTED, about=("No file.", "More.")),
        result("Dave", 0, 0, status=Status.UNGRADED, about=("The grader itself failed.",)),
    ]
    for one in results:
        write_whole(folder / one.student / "results.json", dump_results(one))
    alice = Person("=Alice", {"canvas": "7", "id": "s1"}, "alice@example.org")
    members = [
        Member("=Alice", alice, "/class/a", "/class", late=True),
        *(
            Member(name, Person(name), f"/class/{name}", "/class")
            for name in ("Bob", "Carol", "Dave")
        ),
    ]
    absent = (Person("Zoë", {"id": "s9"}, "zoe@example.org"),)
    by_student = {member.student: member for member in members}
    ClassRecord("toy", "run", by_student, absent).write(folder)
    run = {"assignment": "toy", "kit_version": "0.1.0", "seed": "1", "run": "run"}
    (folder / "run.json").write_text(json.dumps(run))
    return folder


CSV = """\
student,id,email,score,max_score,percentage,status,late,note
'=Alice,s1,alice@example.org,3.5,4,87.5,graded,yes,This submission is late.
Bob,,,0,4,0,graded,no,
Carol,,,,4,,rejected,no,rejected: No file.
Dave,,,,4,,ungraded,no,ungraded: The grader itself failed.
Zoë,s9,zoe@example.org,,,,absent,,handed in nothing
"""


def test_the_plain_table_goes_to_the_standard_output_or_into_a_file(
    out: Path, tmp_path: Path
) -> None:
    shown = invoke(["export", "csv", str(out)])
    assert (shown.exit_code, shown.stdout, shown.stderr) == (0, CSV, "")
    written = invoke(["export", "csv", str(out), "--into", str(tmp_path / "marks.csv")])
    assert (written.exit_code, written.stdout, written.stderr) == (0, "", "")
    assert (tmp_path / "marks.csv").read_text(encoding="utf-8") == CSV


def test_changed_marks_count_at_once_and_lines_that_do_not_are_said(out: Path) -> None:
    lines = ["student,step,points,reason,who", "Bob,step_1,1.5,,", "07,step_0,0,,"]
    (out / "overrides.csv").write_text("\n".join(lines), encoding="utf-8")
    for folder in (out, out / "Bob", out / "Bob" / "results.json"):
        shown = invoke(["export", "csv", str(folder)])
        marks = {row["student"]: row["score"] for row in csv.DictReader(io.StringIO(shown.stdout))}
        assert marks["Bob"] == "1.5"
        words = "overrides.csv, line 3: there is no student '07'. Did you mean =Alice?"
        assert shown.stderr == f"{out / words} It is not applied.\n"
    lines = lines[:1]
    (out / "overrides.csv").write_text("\n".join(lines), encoding="utf-8")
    assert "\nBob,,,0,4," in invoke(["export", "csv", str(out)]).stdout


def test_a_lost_result_is_named(out: Path) -> None:
    (out / "Bob" / "results.json").write_text("{")
    shown = invoke(["export", "csv", str(out)])
    assert "Bob" not in [row["student"] for row in csv.DictReader(io.StringIO(shown.stdout))]
    assert "Without a readable results.json: Bob." in shown.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["cvs", "{out}"], "There is no format 'cvs'. Did you mean 'csv'?"),
        (["pdf", "{out}"], f"There is no format 'pdf'. There is: {', '.join(FORMATS)}."),
        (["csv", "{out}/.."], "holds no results: there is no run.json"),
        (["csv", "{out}", "--into", "{out}"], "is a directory"),
        (["csv", "{out}", "--keep"], "the column of a file that is filled; csv fills none."),
        (["junit", "{out}", "--keep"], "junit fills none."),
        (["canvas", "{out}", "--into", "{out}/run.json", "--anyway"], "goes with --column TITLE"),
    ],
)
def test_wrong_usage_is_said(out: Path, arguments: list[str], words: str) -> None:
    done = invoke(["export", *(one.format(out=out) for one in arguments)])
    assert done.exit_code == 2
    assert words in done.stderr


@pytest.mark.parametrize("name", [one.name for one in FORMATS.values() if one.file])
def test_one_students_result_in_each_format(out: Path, tmp_path: Path, name: str) -> None:
    shown = invoke(["export", name, str(out / "Bob")])
    written = invoke(["export", name, str(out / "Bob"), "--into", str(tmp_path / "file")])
    assert (shown.exit_code, written.exit_code) == (0, 0)
    if name != "classroom50":  # it holds the time
        assert (tmp_path / "file").read_text("utf-8") == shown.stdout


def test_a_whole_run_is_ordered_by_student_and_one_file_can_be_named(out: Path) -> None:
    shown = invoke(["export", "markdown", str(out)]).stdout
    assert shown.index("Alice") < shown.index("Bob") < shown.index("Carol")
    shown = invoke(["export", "junit", str(out / "Bob" / "results.json")]).stdout
    assert shown.count("<testsuite ") == 1


def test_on_github_the_file_of_the_step_is_extended(
    out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "of the step"
    file.write_text("before\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(file))
    shown = invoke(["export", "github", str(out / "Bob")])
    before, added = file.read_text("utf-8").split("\n", 1)
    assert (shown.exit_code, before) == (0, "before")
    assert added.startswith("<h3>Bob: 0 of 4 points</h3>\n")
    assert shown.stdout.startswith("::notice ")


def test_a_result_cut_short_is_no_result(out: Path) -> None:
    path = out / "Bob" / "results.json"
    path.write_bytes(path.read_bytes()[:100])
    done = invoke(["export", "junit", str(out / "Bob")])
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"{path} is no complete result" in done.stderr
