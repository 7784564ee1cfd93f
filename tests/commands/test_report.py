"""`autograder report`: the pages, from the results alone."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import pytest

from autograder.reports.gradescope_json import load_results
from tests.command_line import Invoked, invoke
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


def files(folder: Path) -> list[str]:
    return sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    )


def test_one_folder_is_written_in_place(first: Path) -> None:
    kept = {name: (first / name).read_bytes() for name in files(first)}
    ran = report(first)
    assert ran.exit_code == 0
    assert ran.stdout == f"Report: {first / 'report.html'}\n"
    pages = {"report.html", "alice/feedback.html", "bob/feedback.html"}
    assert set(files(first)) - set(kept) == pages
    assert {name: (first / name).read_bytes() for name in kept} == kept
    assert b"Alice Berg" in (first / "alice/feedback.html").read_bytes()


def test_the_same_results_give_the_same_bytes(first: Path) -> None:
    assert report(first).exit_code == 0
    made = {name: (first / name).read_bytes() for name in files(first)}
    assert report(first).exit_code == 0
    assert {name: (first / name).read_bytes() for name in files(first)} == made


@pytest.mark.parametrize("keep", ["best", "last"])
def test_several_folders_are_merged_into_a_new_one(
    keep: str, first: Path, second: Path, tmp_path: Path
) -> None:
    before = {name: (first / name).read_bytes() for name in files(first)}
    out = tmp_path / "term" / "both"
    ran = report(first, second, "--out", out, "--keep", keep)
    assert ran.exit_code == 0, ran.output
    names = ("alice", "bob", "carol")
    assert files(out) == sorted(
        ["grades.csv", "report.html"]
        + [f"{name}/{file}" for name in names for file in ("feedback.html", "results.json")]
    )
    kept = load_results(out / "alice" / "results.json")
    assert kept is not None
    assert kept.score == 6
    wanted = {"best": "softmax_over_the_queries", "last": "sqrt_of_an_int"}[keep]
    assert {name for one in kept.checks for name in one.mistakes} == {wanted}
    rows = list(csv.reader((out / "grades.csv").read_text(encoding="utf-8").splitlines()))
    assert [row[0] for row in rows[1:]] == list(names)
    assert {name: (first / name).read_bytes() for name in files(first)} == before


def test_a_merged_folder_can_be_reported_again(first: Path, second: Path, tmp_path: Path) -> None:
    assert report(first, second, "--out", tmp_path / "both", "--keep", "last").exit_code == 0
    assert report(tmp_path / "both").exit_code == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "add --out DIR and --keep best|last."),
        (("--out", "both"), "add --keep best|last."),
        (("--keep", "last"), "add --out DIR."),
    ],
)
def test_several_folders_need_to_be_told_where_and_what(
    options: tuple[str, ...], words: str, first: Path, second: Path
) -> None:
    ran = report(first, second, *options)
    assert ran.exit_code == 2
    assert words in ran.stderr


def test_no_folder_is_merged_into_itself(first: Path, second: Path) -> None:
    before = {name: (first / name).read_bytes() for name in files(first)}
    ran = report(first, second, "--out", first / "." / "..", "--keep", "best")
    assert ran.exit_code == 0
    ran = report(first, second, "--out", second / ".." / "first", "--keep", "best")
    assert ran.exit_code == 2
    assert "is one of the folders to merge" in ran.stderr
    assert {name: (first / name).read_bytes() for name in files(first)} == before


def test_the_results_of_a_run_are_not_overwritten(
    first: Path, second: Path, tmp_path: Path
) -> None:
    other = write_class(tmp_path / "other", [result("alice", LOW)])
    before = {name: (other / name).read_bytes() for name in files(other)}
    for arguments in ((first, second, "--keep", "best"), (first,)):
        ran = report(*arguments, "--out", other)
        assert ran.exit_code == 2
        assert "holds the results of a run" in ran.stderr
    assert {name: (other / name).read_bytes() for name in files(other)} == before


def test_names_are_kept_in_a_merged_folder(first: Path, tmp_path: Path) -> None:
    students = {"alice": student("Alice Berg"), "carol": student("Carol Ito")}
    again = write_class(tmp_path / "again", [result("alice"), result("carol")], students)
    out = tmp_path / "both"
    assert report(first, again, "--out", out, "--keep", "last").exit_code == 0
    assert report(out).exit_code == 0
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "Alice Berg" in page
    assert "Carol Ito" in page
    assert "<strong>3</strong>" in page or ">3</dd>" in page


def test_an_anonymous_report_writes_no_page_of_a_student(first: Path, tmp_path: Path) -> None:
    ran = report(first, "--out", tmp_path / "lecture", "--anonymous")
    assert ran.exit_code == 0
    assert files(tmp_path / "lecture") == ["report.html"]
    assert b"lice" not in (tmp_path / "lecture" / "report.html").read_bytes()
    assert report(first, "--anonymous").exit_code == 0
    assert b"lice" not in (first / "report.html").read_bytes()


def test_a_folder_without_results_is_wrong_usage(tmp_path: Path) -> None:
    ran = report(tmp_path)
    assert ran.exit_code == 2
    assert "There is no results.json below" in ran.stderr
