"""What a folder of results holds, and which results of several folders count, for exports and pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from autograder.errors import UsageError
from autograder.reports.graded_class import load_class_results, load_folders, merged
from tests.reports.pages.classroom import RAISED, check, rejected, result, student, write_class

if TYPE_CHECKING:
    from pathlib import Path

    from autograder.reports.graded_class import Entry, GradedClass
    from autograder.results import Result

pytestmark = pytest.mark.unit

LOW = check("weights", 0, RAISED)


def folder(place: Path, *results: Result, **others: Any) -> GradedClass:
    (loaded,) = load_folders([write_class(place, results, **others)])
    return loaded


def first(one: GradedClass, two: GradedClass, keep: str) -> Entry:
    return next(merged([one, two], one.folder, keep).entries)


def test_the_best_or_the_last_try_counts_and_of_equal_ones_the_first(tmp_path: Path) -> None:
    one = folder(tmp_path / "one", result("a"), result("b", LOW, run="1"), result("c"))
    two = folder(tmp_path / "two", result("a", LOW), result("b", LOW, run="2"), result("d"))
    best, last = (
        {
            entry.name: (entry.result.score, entry.result.run[:1])
            for entry in merged([one, two], tmp_path, keep).entries
        }
        for keep in ("best", "last")
    )
    assert best == {"a": (8, "c"), "b": (6, "1"), "c": (8, "c"), "d": (8, "c")}
    assert last == {"a": (6, "c"), "b": (6, "2"), "c": (8, "c"), "d": (8, "c")}


@pytest.mark.parametrize("keep", ["best", "last"])
def test_a_try_that_could_not_be_graded_replaces_none_that_was(keep: str, tmp_path: Path) -> None:
    one = folder(tmp_path / "one", result("a", LOW), rejected("b", "first"))
    two = folder(tmp_path / "two", rejected("a", "no file"), rejected("b", "second"))
    kept = [*merged([one, two], tmp_path, keep).entries]
    assert kept[0].is_graded
    assert kept[1].result.output == {"best": "first", "last": "second"}[keep]


def test_the_person_comes_from_the_folder_of_the_try(tmp_path: Path) -> None:
    one = folder(tmp_path / "one", result("a"), students={"a": student("Old Name")})
    two = folder(tmp_path / "two", result("a", LOW), students={"a": student("New Name")})
    assert first(one, two, "best").name == "Old Name"
    assert first(one, two, "last").name == "New Name"


def test_different_assignments_are_not_merged(tmp_path: Path) -> None:
    folder(tmp_path / "one", result("a"))
    folder(tmp_path / "two", result("a", assignment="other"))
    with pytest.raises(UsageError, match="different assignments: attention, other"):
        load_folders([tmp_path / "one", tmp_path / "two"])


def test_a_result_of_somebody_else_is_not_taken(tmp_path: Path) -> None:
    place = write_class(tmp_path / "one", [result("a"), result("b")])
    (place / "b" / "results.json").write_bytes((place / "a" / "results.json").read_bytes())
    assert load_class_results(place).unreadable == ("b",)


def test_students_without_a_readable_result_are_told_apart(tmp_path: Path) -> None:
    students = {name: student() for name in "abd"}
    place = write_class(tmp_path / "out", [result(name) for name in "abc"], students)
    (place / "b" / "results.json").write_text("{", encoding="utf-8")
    found = load_class_results(place)
    assert [one.student for one in found.results] == ["a"]
    assert [entry.name for entry in merged([found], tmp_path).entries] == ["a"]
    assert (found.unreadable, found.missing, found.gone) == (("b",), ("d",), ("c",))
