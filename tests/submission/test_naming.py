from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from autograder.submission.directory import name_key, student_name
from autograder.submission.hand_in import HandIn
from autograder.submission.naming import LONGEST_NAME, tell_apart

pytestmark = pytest.mark.unit

ZOE = unicodedata.normalize("NFD", "Zoë")
RENAMED = "Rename it, and grade again."


def found(*names: str) -> list[HandIn]:
    return [
        HandIn(student_name(name), Path("class", str(number)), ())
        for number, name in enumerate(names)
    ]


def problems(*names: str, **options: object) -> dict[str, str]:
    return {one.student: one.problem for one in tell_apart(found(*names), **options)}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (ZOE, "Zoë"),
        ("one\ntwo\tthree", "one two three"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("an\u061cn\u180ea\ufff9\U000e0041", "anna"),
        ("m\udcfcller", "m\udcfcller"),  # a folder of this name can be made
    ],
)
def test_a_students_name_is_one_line(name: str, shown: str) -> None:
    assert student_name(name) == shown


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Zoë", ZOE),
        ("Straße", "STRASSE"),
        ("anna", "an\u200bna"),
        ("anna.", "anna"),
        ("anna  b ", "anna b"),
    ],
)
def test_names_that_are_equal_to_a_person_are_both_rejected(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)
    named = problems(one, other, "bob")
    assert named.pop("bob") == ""
    assert [bool(problem) for problem in named.values()] == [True, True]


def test_the_problem_says_which_submissions_have_the_name() -> None:
    named = problems("anna", "Anna", "ANNA", "bob", "anna", "anna")
    assert named["bob"] == ""
    assert named["anna-3"] == (
        "5 submissions have the same name, `anna`: `class/2`, `class/1`, `class/0` and 2 more. None of them is "
        "graded, so that nobody gets the marks of another person. Rename them, and grade again; upper and lower "
        "case, spaces and invisible characters do not make a difference."
    )


def test_a_safe_name_is_nobody_elses() -> None:
    named = problems("anna", "ANNA", "Anna-1", "run.json", reserved=["run.json", "anna-3"])
    assert set(named) == {"ANNA-2", "anna-4", "Anna-1", "run.json-1"}
    assert named["Anna-1"] == ""


@pytest.mark.parametrize(
    ("name", "called", "words"),
    [
        ("Grades.CSV ", "Grades.CSV-1", "is the name of a file among the results"),
        ("grades\u200b.csv", "grades.csv-1", "is the name of a file among the results"),
        ("", "submission-1", RENAMED),
        ("..", "submission-1", RENAMED),
        ("\ufeff \x00", "submission-1", RENAMED),
    ],
)
def test_a_name_that_no_folder_can_have_is_rejected(name: str, called: str, words: str) -> None:
    [(safe, problem)] = problems(name, reserved=["grades.csv"]).items()
    assert safe == called
    assert words in problem


def test_a_name_is_as_long_as_a_folders_name_can_be() -> None:
    assert problems("x" * LONGEST_NAME) == {"x" * LONGEST_NAME: ""}
    assert problems("\udcfc" * LONGEST_NAME) == {"\udcfc" * LONGEST_NAME: ""}  # a byte each
    grows = "\u0958" * 60  # 180 bytes, and 360 in its normal form
    [(safe, problem)] = problems(grows).items()
    assert len(safe.encode()) <= LONGEST_NAME
    assert "is too long for a folder of results" in problem


def test_a_gradebook_refuses_a_name_that_is_not_utf8() -> None:
    assert problems("m\udcfcller") == {"m\udcfcller": ""}
    assert problems("m\udcfcller", "bob", utf8=True) == {
        "bob": "",
        "m\\udcfcller-1": f"The name `m\\udcfcller` is not UTF-8, so no gradebook can hold it. {RENAMED}",
    }
