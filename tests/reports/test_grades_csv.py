from __future__ import annotations

import csv
from dataclasses import replace

import pytest

from autograder.reports import grades_csv
from autograder.reports.class_record import Member
from autograder.reports.graded_class import Entry
from autograder.results import CheckResult, Late, Outcome, Override, Result, Status
from autograder.submission.directory import NOBODY, Person

pytestmark = pytest.mark.unit


STEPS = ("init", "scale")


def dump_grades(*results: Result, person: Person = NOBODY) -> str:
    entries = [Entry(one, Member(one.student, person, "", "")) for one in results]
    return grades_csv.dump_grades(entries).decode()


def result(
    student: str, *scores: float, status: Status = Status.GRADED, outcome: Outcome = Outcome.PASSED
) -> Result:
    checks = tuple(
        CheckResult(step, score, 2.0, outcome if score == 0 else Outcome.PASSED)
        for step, score in zip(STEPS, scores, strict=True)
    )
    return Result("toy", student, status, checks, (), False, "", "0.1.0", "r")


def test_the_class_is_a_table_in_the_order_of_names() -> None:
    results = [
        result("zoe", 1.25, 0, outcome=Outcome.WRONG),
        result("alice", 2, 2),
        result("bob", 0, 0, status=Status.REJECTED, outcome=Outcome.MISSING),
        result("carol", 2, 0, status=Status.UNGRADED, outcome=Outcome.UNGRADED),
    ]
    assert dump_grades(*results) == (
        "student,assignment,score,max_score,status,init,scale,id,group,late\n"
        "alice,toy,4,4,graded,2,2,,,\n"
        "bob,toy,0,4,rejected,0,0,,,\n"
        "carol,toy,2,4,ungraded,2,,,,\n"
        "zoe,toy,1.25,4,graded,1.25,0,,,\n"
    )


def test_id_group_and_lateness_have_columns() -> None:
    late = replace(result("Zoë (17)", 2, 1), late=Late(2, "3 May", "1 May", 20, -0.6))
    zoe = Person("Zoë", {"moodle": "9", "id": "17"}, group="=Team A")
    for made, end in (
        (late, ",17,'=Team A,2"),
        (replace(late, late=Late()), ",yes"),
        (
            replace(late, late=Late(override=Override("Zoë (17)", "late", -1, "", ""), points=-1)),
            ",,late",
        ),
    ):
        assert dump_grades(made, person=zoe).splitlines()[1].endswith(end)
    assert (
        dump_grades(late, person=zoe).splitlines()[1].startswith("Zoë (17),toy,2.4,4,graded,2,1,")
    )


def test_a_name_is_no_formula_and_spelt_out_if_it_is_no_utf8() -> None:
    name = '=HYPERLINK("http://example.org","x")'
    table = csv.reader(dump_grades(result(name, 2, 2), result("m\udcfcller", 2, 2)).splitlines())
    assert [row[0] for row in table] == ["student", f"'{name}", "m\\udcfcller"]
