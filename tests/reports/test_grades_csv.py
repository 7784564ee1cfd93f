from __future__ import annotations

import csv
import io
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from autograder.reports.grades_csv import GradesTable
from autograder.results import CheckResult, Late, Outcome, Override, Result, Status
from autograder.submission.directory import NOBODY, Person

if TYPE_CHECKING:
    from collections.abc import Iterable

pytestmark = pytest.mark.unit


def dump_grades(graded: Iterable[tuple[Result, Person]], steps: Iterable[str]) -> bytes:
    table = GradesTable(steps)
    for one, person in graded:
        table.add(one, person)
    return table.dump()


STEPS = ("init", "scale")


def result(
    student: str,
    *scores: float,
    status: Status = Status.GRADED,
    outcome: Outcome = Outcome.PASSED,
) -> Result:
    checks = tuple(
        CheckResult(step, score, 2.0, outcome if score == 0 else Outcome.PASSED)
        for step, score in zip(STEPS, scores, strict=True)
    )
    return Result("toy", student, status, checks, (), False, "", "0.1.0", "r")


def rows(*results: Result) -> list[list[str]]:
    return list(csv.reader(io.StringIO(dump_grades(people(*results), STEPS).decode(), newline="")))


def people(*results: Result) -> list[tuple[Result, Person]]:
    return [(result, NOBODY) for result in results]


def test_the_class_is_a_table_in_the_order_of_names() -> None:
    results = [
        result("zoe", 1.25, 0, outcome=Outcome.WRONG),
        result("alice", 2, 2),
        result("bob", 0, 0, status=Status.REJECTED, outcome=Outcome.MISSING),
        result("carol", 2, 0, status=Status.UNGRADED, outcome=Outcome.UNGRADED),
    ]
    assert dump_grades(people(*results), STEPS).decode() == (
        "student,assignment,score,max_score,status,init,scale,id,group,late\n"
        "alice,toy,4,4,graded,2,2,,,\n"
        "bob,toy,0,4,rejected,0,0,,,\n"
        "carol,toy,2,4,ungraded,2,,,,\n"
        "zoe,toy,1.25,4,graded,1.25,0,,,\n"
    )


def test_id_group_and_lateness_have_columns() -> None:
    late = replace(result("Zoë (17)", 2, 1), late=Late(2, "3 May", "1 May", 20, -0.6))
    zoe = Person("Zoë", {"moodle": "9", "id": "17"}, group="=Team A")
    table = dump_grades([(late, zoe)], STEPS).decode().splitlines()
    assert table[1] == "Zoë (17),toy,2.4,4,graded,2,1,17,'=Team A,2"
    marked = replace(late, late=Late())
    assert dump_grades([(marked, zoe)], STEPS).decode().splitlines()[1].endswith(",yes")
    given = replace(late, late=Late(override=Override("Zoë (17)", "late", -1, "", ""), points=-1))
    assert dump_grades([(given, zoe)], STEPS).decode().splitlines()[1].endswith(",'=Team A,")


def test_a_name_is_no_formula() -> None:
    name = '=HYPERLINK("http://example.org","x")'
    assert rows(result(name, 2, 2))[1][0] == f"'{name}"


def test_a_name_that_is_no_utf8_is_spelt_out() -> None:
    assert rows(result("m\udcfcller", 2, 2))[1][0] == "m\\udcfcller"
