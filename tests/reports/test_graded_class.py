"""What a folder of results holds, for exports and pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.reports.graded_class import load_class_results
from tests.reports.pages.classroom import result, student, write_class

if TYPE_CHECKING:
    from pathlib import Path


def test_students_without_a_readable_result_are_told_apart(tmp_path: Path) -> None:
    students = {name: student() for name in "abd"}
    place = write_class(tmp_path / "out", [result(name) for name in "abc"], students)
    (place / "b" / "results.json").write_text("{", encoding="utf-8")
    found = load_class_results(place)
    assert [one.student for one in found.results] == ["a"]
    assert (found.unreadable, found.missing, found.gone) == (("b",), ("d",), ("c",))


def test_without_the_class_every_result_counts(tmp_path: Path) -> None:
    place = write_class(tmp_path / "out", [result("a"), result("b")])
    found = load_class_results(place)
    assert [one.student for one in found.results] == ["a", "b"]
    assert (found.missing, found.gone, dict(found.members)) == ((), (), {})
    assert "seed" not in found.facts
