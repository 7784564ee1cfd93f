from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from autograder.errors import UsageError
from autograder.grading.overrides import (
    OVERRIDES_FILE,
    AppliedOverrides,
    override_result,
    read_overrides,
    without_overrides,
)
from autograder.results import CheckResult, Late, Outcome, Override, Result, Status
from autograder.submission.directory import Person

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.unit

STEPS = {"double": 1.0, "shift": 2.0}
QUESTIONS = {"question-1": 4.0}
PEOPLE = {
    "Bob": Person("Bob", {"id": "s2"}, "bob@example.org"),
    "Ann (1)": Person("Ann", {"moodle": "1", "id": "s1"}),
    "Ann (3)": Person("Ann", {"moodle": "3", "id": "s3"}),
    "Zoë": Person("Zoë", {"id": "0007"}),
}
CHECKS = (
    CheckResult("double", 0.0, 1.0, Outcome.WRONG),
    CheckResult("shift", 2.0, 2.0, Outcome.PASSED),
)
RESULT = Result("toy", "Bob", Status.GRADED, CHECKS, (), False, "", "0.1.0", "run")
HEAD = "student,step,points,reason,who"


def read(folder: Path, *rows: str, head: str = HEAD) -> AppliedOverrides:
    (folder / OVERRIDES_FILE).write_text("\n".join([head, *rows]), encoding="utf-8")
    return read_overrides(folder, STEPS, QUESTIONS).for_students(PEOPLE)


@pytest.mark.parametrize("name", ["Bob", " bob ", "s2", "BOB@example.org", "'Bob"])
def test_a_student_is_meant_by_name_id_or_address(tmp_path: Path, name: str) -> None:
    applied = read(tmp_path, f"{name},double,0.5,,")
    assert applied.by_student == {"Bob": (Override("Bob", "double", 0.5, "", ""),)}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Ann", "'Ann' may be Ann (1) or Ann (3). Write the id."),
        ("Bo", "there is no student 'Bo'."),
        ("7", "there is no student '7'. Did you mean Zoë?"),
        ("07", "there is no student '07'. Did you mean Zoë?"),
        ("s02", "there is no student 's02'."),
    ],
)
def test_nobody_is_guessed(tmp_path: Path, name: str, words: str) -> None:
    applied = read(tmp_path, f"{name},double,0.5,,")
    assert not applied.by_student
    assert applied.notes == (f"overrides.csv, line 2: {words} It is not applied.",)


def test_points_above_the_maximum_are_a_bonus(tmp_path: Path) -> None:
    applied = read(tmp_path, "Bob,double,1.5,,", "Bob,shift,2,,", "Bob,question-1,4.5,,")
    assert applied.notes == (
        "overrides.csv, line 2: 1.5 points for 'double', which has 1: the rest is a bonus.",
        "overrides.csv, line 4: 4.5 points for 'question-1', which has 4: the rest is a bonus.",
    )
    changed = applied.apply(RESULT)
    assert (changed.score, changed.max_score) == (8.0, 7.0)
    assert [check.is_full for check in changed.checks] == [True, True, True]
    assert changed.checks[-1].outcome is Outcome.PASSED


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("Bob,doubel,1,,", "line 2: there is no step 'doubel'. Did you mean 'double'?"),
        ("Bob,x,1,,", "There is: double, shift, question-1, late."),
        ("Bob,double,-1,,", "line 2: '-1' must be a number of points, 0 or more."),
        ("Bob,double,nan,,", "'nan' must be a number"),
        (",double,1,,", "line 2: the student is missing."),
        ("Bob,late,1,,", "'1' must be a number of points, 0 or less."),
        ("Bob,double,0,5,,", "it may have been cut at a decimal comma, after '0'. Write 0.5"),
        ('Bob,double,1,"a",b,c', "it may have been cut at a decimal comma"),
        ("Bob,double,1,,\n\ns2,double,0,,", "lines 2 and 4: both change 'double' of 'Bob'"),
    ],
)
def test_what_cannot_be_meant_is_said_with_its_line(tmp_path: Path, row: str, words: str) -> None:
    with pytest.raises(UsageError) as error:
        read(tmp_path, row)
    assert words in str(error.value)


def test_every_bad_line_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as error:
        read(tmp_path, "Bob,doubel,1,,", "Bob,double,1,,", "Bob,shift,-7,,", "", ",shift,1,,")
    lines = [line.partition(":")[0] for line in str(error.value).splitlines()]
    assert [line.rpartition(", ")[2] for line in lines] == ["line 2", "line 4", "line 6"]


@pytest.mark.parametrize(
    ("head", "row"),
    [
        ("student;step;points;reason;who", "Bob;double;0,5;;"),
        (HEAD, 'Bob,double,"0,5",1 of 2,'),
        ("student\tstep\tpoints", "Bob\tdouble\t0,5"),
    ],
)
def test_a_decimal_comma_is_read_where_it_ends_no_cell(tmp_path: Path, head: str, row: str) -> None:
    assert read(tmp_path, row, head=head).by_student["Bob"][0].points == 0.5


def test_a_missing_column_is_said_with_the_right_titles(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no column 'points'.*student,step,points,reason,who"):
        read(tmp_path, head="student,step,reason")


def test_the_grader_s_points_are_kept_and_come_back() -> None:
    given = (
        Override("Bob", "double", 1.0, "right after all", "me"),
        Override("Bob", "question-1", 2.5, "", "me"),
    )
    changed = override_result(RESULT, given, QUESTIONS)
    assert (changed.score, changed.max_score) == (5.5, 7.0)
    double, shift, question = changed.checks
    assert (double.score, double.earned, double.outcome) == (1.0, 0.0, Outcome.WRONG)
    assert shift == RESULT.checks[1]
    assert (question.step, question.score, question.max_score) == ("question-1", 2.5, 4.0)
    assert without_overrides(changed) == RESULT


def test_a_marked_question_counts_for_everybody(tmp_path: Path) -> None:
    applied = read(tmp_path, "s1,question-1,3,,")
    bob, ann = applied.apply(RESULT), applied.apply(replace(RESULT, student="Ann (1)"))
    assert (bob.max_score, ann.max_score, bob.unmarked, ann.unmarked) == (7, 7, ["question-1"], [])
    assert (bob.score, ann.score) == (2, 5)
    assert read(tmp_path, "Bob,double,1,,").apply(RESULT).max_score == 3


def test_lateness_is_a_line_of_its_own_that_a_person_can_replace(tmp_path: Path) -> None:
    late = Late(2, "3 May", "1 May", percent=30)
    full = read(tmp_path, "Bob,double,1,,").apply(RESULT, late)
    assert full.late == replace(late, points=-0.9)  # of what was earned after overrides
    assert (full.score, full.max_score) == (2.1, 3)
    assert [check.score for check in full.checks] == [1, 2]
    ill = read(tmp_path, "Bob,late,0,ill,me").apply(RESULT, late)
    assert ill.late is not None
    assert (ill.score, ill.late.text) == (
        2,
        f"{late.text[:-1]}. A person gave 0 points for this (me): ill",
    )
    harsh = read(tmp_path, "Bob,late,-7,,").apply(RESULT, late)
    assert harsh.score == 0  # never less
    assert without_overrides(harsh) == RESULT
