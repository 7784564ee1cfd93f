"""`autograder report`: the pages, from the results alone."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock

import pytest

from autograder.reports.graded_class import load_class_results
from autograder.reports.gradescope_json import load_results
from autograder.reports.pages import write
from tests.command_line import Invoked, files, invoke
from tests.reports.pages.classroom import RAISED, TRANSPOSED, check, result, student, write_class

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.unit

LOW = check("weights", 0, TRANSPOSED)


def report(*arguments: object) -> Invoked:
    return invoke(["report", *map(str, arguments)])


@pytest.fixture
def first(tmp_path: Path) -> Path:
    students = {"alice": student("Alice Berg"), "bob": student()}
    return write_class(tmp_path / "first", [result("alice", LOW), result("bob")], students)


@pytest.fixture
def second(tmp_path: Path) -> Path:
    results = [result("alice", check("scores", 0, RAISED)), result("carol")]
    return write_class(tmp_path / "second", results)


def test_one_folder_is_written_in_place(first: Path) -> None:
    kept = files(first)
    ran = report(first)
    assert ran.exit_code == 0
    assert ran.stdout == f"Report: {first / 'report.html'}\n"
    made = files(first)
    pages = {"report.html", "alice/feedback.html", "bob/feedback.html"}
    assert made.keys() - kept.keys() == {"grades.csv", *pages}
    assert made | kept == made
    assert b"Alice Berg" in made["alice/feedback.html"]
    assert report(first).exit_code == 0
    assert files(first) == made


@pytest.mark.parametrize("keep", ["best", "last"])
def test_several_folders_are_merged_into_a_new_one(
    keep: str, first: Path, second: Path, tmp_path: Path
) -> None:
    before = files(first)
    out = tmp_path / "term" / "both"
    ran = report(first, second, "--out", out, "--keep", keep)
    assert ran.exit_code == 0, ran.output
    names = ("alice", "bob", "carol")
    theirs = {f"{name}/{file}" for name in names for file in ("feedback.html", "results.json")}
    assert files(out).keys() == theirs | {"class.jsonl", "grades.csv", "report.html"}
    kept = load_results(out / "alice" / "results.json")
    assert kept is not None
    assert kept.score == 6
    wanted = {"best": "softmax_over_the_queries", "last": "sqrt_of_an_int"}[keep]
    assert {name for one in kept.checks for name in one.mistakes} == {wanted}
    rows = list(csv.reader((out / "grades.csv").read_text(encoding="utf-8").splitlines()))
    assert [row[0] for row in rows[1:]] == list(names)
    assert files(first) == before


def test_a_merged_folder_is_exported_like_any_other(tmp_path: Path) -> None:
    """Two graders share a class with two of one name; the second has one try more, and one hands in nothing."""

    def wei(number: int) -> dict[str, Any]:
        return student("Wei Wang", ids={"id": str(number)}, path="../class/wei.py")

    def absent(*numbers: int) -> list[dict[str, Any]]:
        return [{"name": "Wei Wang", "ids": {"id": str(number)}} for number in numbers]

    one, two, out = tmp_path / "one", tmp_path / "two", tmp_path / "deep" / "both"
    write_class(one, [result("Wei (4)", LOW)], {"Wei (4)": wei(4)}, absent=absent(5, 6, 7))
    write_class(
        two,
        [result("Wang (4)"), result("Wei (5)", LOW)],
        {"Wang (4)": wei(4), "Wei (5)": wei(5)},
        absent=absent(6, 7),
    )
    assert report(one, two, "--out", out, "--keep", "best").exit_code == 0
    done = invoke(["export", "csv", str(out)])
    assert done.exit_code == 0, done.output
    lines = csv.DictReader(done.stdout.splitlines())
    rows = sorted((row["id"], row["score"], row["status"]) for row in lines)
    assert rows[:2] == [("4", "8", "graded"), ("5", "6", "graded")]
    assert rows[2:] == [("6", "", "absent"), ("7", "", "absent")]
    paths = {one.path for one in load_class_results(out).record.members}
    assert paths == {"../../class/wei.py"}


def test_changed_marks_in_a_merged_folder_are_in_every_view_and_outlive_the_next_merge(
    first: Path, second: Path, tmp_path: Path
) -> None:
    """Bob's try has two changed marks; in the merged folder he gets a bonus, and Carol loses points."""
    out, head = tmp_path / "both", "student,step,points,reason,who\n"
    (first / "overrides.csv").write_text(f"{head}bob,weights,1,,\nbob,scores,0,,\n")
    words = (first, second, "--out", out, "--keep", "best")
    assert report(*words).exit_code == 0
    assert marks(out) == {"alice": "6", "bob": "5", "carol": "8"}
    (out / "overrides.csv").write_text(f"{head}carol,scores,0,copied,Dr. No\nbob,weights,2.5,,\n")
    for again in ((out,), words, (out,)):
        assert report(*again).exit_code == 0
        assert marks(out) == {"alice": "6", "bob": "6.5", "carol": "6"}
        assert "Dr. No" in (out / "carol" / "feedback.html").read_text(encoding="utf-8")
    table = (out / "grades.csv").read_text(encoding="utf-8").splitlines()
    assert [row.rpartition(",")[2] for row in table[1:]] == ["", "scores weights", "scores"]
    shown = csv.DictReader(invoke(["export", "csv", str(out)]).stdout.splitlines())
    assert [row["score"] for row in shown] == ["6", "6.5", "6"]
    before = files(out)
    graded = invoke(["grade", str(first), "--assignment", "attention", "--out", str(out)])
    assert (graded.exit_code, files(out)) == (2, before)
    assert "was merged by `autograder report`. Grade into the folder of a try" in graded.stderr


def marks(out: Path) -> dict[str, str]:
    rows = csv.DictReader((out / "grades.csv").read_text(encoding="utf-8").splitlines())
    return {row["student"]: row["score"] for row in rows}


def test_two_of_a_browsers_second_downloads_stay_two_and_equal_names_are_said(
    tmp_path: Path,
) -> None:
    """Moodle counts participants anew in each assignment; the number behind a file is nobody's id."""

    def both(moodle: str) -> dict[str, Any]:
        return {
            "anna (1)": student("anna", ids={"given": "1"}),
            "ben (1)": student("ben", ids={"given": "1"}),
            "Cid (1003)": student("Cid", ids={"moodle": moodle, "id": "1003"}),
            f"Dan ({moodle})": student("Dan", ids={"moodle": moodle}),
        }

    one, two, three = both("204001"), both("309001"), {"Dan": student("Dan")}
    folders = [
        write_class(tmp_path / name, [result(student) for student in people], people)
        for name, people in (("one", one), ("two", two), ("three", three | {"eve": student()}))
    ]
    out = tmp_path / "both"
    done = report(*folders[:2], "--out", out, "--keep", "last")
    assert done.exit_code == 0
    dans = ["Dan (204001)", "Dan (309001)"]
    assert [*marks(out)] == ["Cid (1003)", *dans, "anna (1)", "ben (1)"]
    assert "name" not in done.stdout
    done = report(folders[0], folders[2], "--out", tmp_path / "more", "--keep", "last")
    assert [*marks(tmp_path / "more")] == ["Cid (1003)", "Dan", "anna (1)", "ben (1)", "eve"]
    assert "The same person by the name alone (1): Dan." in done.stdout
    done = report(*folders, "--out", tmp_path / "all", "--keep", "last")
    assert "Perhaps another try of somebody, so left apart (1): Dan." in done.stdout
    assert {*dans, "Dan"} < {*marks(tmp_path / "all")}


@pytest.mark.parametrize("options", [(), ("--out", "both"), ("--keep", "last")])
def test_several_folders_need_to_be_told_where_and_what(
    options: tuple[str, ...], first: Path, second: Path, tmp_path: Path
) -> None:
    ran = report(first, second, *options)
    assert ran.exit_code == 2
    assert "add --out DIR and --keep best|last." in ran.stderr
    nothing = report(tmp_path / "nothing")
    assert nothing.exit_code == 2
    assert "There is no results.json below" in nothing.stderr


def test_the_results_of_a_run_are_not_overwritten(
    first: Path, second: Path, tmp_path: Path
) -> None:
    other = write_class(tmp_path / "other", [result("alice", LOW)])
    before = files(tmp_path)
    for *arguments, out in (
        (first, second, "--keep", "best", other),
        (first, other),
        (first, second, "--keep", "best", second / ".." / "first"),
    ):
        ran = report(*arguments, "--out", out)
        assert ran.exit_code == 2
        assert "holds the results of a run" in ran.stderr
    assert files(tmp_path) == before
    assert report(first, second, "--out", first / "..", "--keep", "best").exit_code == 0


def test_an_anonymous_report_writes_no_page_of_a_student(first: Path, tmp_path: Path) -> None:
    ran = report(first, "--out", tmp_path / "lecture", "--anonymous")
    assert ran.exit_code == 0
    assert [*files(tmp_path / "lecture")] == ["report.html"]
    assert b"lice" not in (tmp_path / "lecture" / "report.html").read_bytes()
    assert report(first, "--anonymous").exit_code == 0
    assert b"lice" not in (first / "report.html").read_bytes()


@pytest.mark.parametrize("error", [ValueError, MemoryError])
def test_a_page_that_cannot_be_made_is_left_out(
    first: Path, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    assert report(first).exit_code == 0
    for page in ("feedback_page", "report_page"):
        monkeypatch.setattr(write, page, Mock(side_effect=error))
    for options, pages in (((), 3), (("--anonymous",), 1)):
        ran = report(first, *options)
        assert ran.exit_code == 0
        assert f"{pages} pages could not be made" in ran.stderr
    assert list(first.rglob("*.html")) == []
