"""The words for an answer of the reference with a small edit."""

from __future__ import annotations

import pytest

from autograder.exam.edit_kinds import CODES
from autograder.explain.edit_words import explain_edits
from autograder.explain.recognise import RecognisedEdits
from autograder.explain.rules import finding
from autograder.explain.student_code import Definition, StudentCode
from autograder.explain.words_of_edits import EDITS, SEEN_IN_THE_NUMBERS

pytestmark = pytest.mark.unit


def step(body: str) -> list[Definition]:
    found = StudentCode([("file.py", f"def step(x):\n    {body}\n")]).definition("step")
    assert found is not None
    return [found]


def said(code: str, body: str = "return x", *more: tuple[str, str]) -> str:
    return explain_edits("step", RecognisedEdits((("step", code), *more)), step(body)).message


def test_each_kind_of_edit_has_words() -> None:
    assert set(EDITS) == set(CODES)
    assert set(CODES) >= SEEN_IN_THE_NUMBERS


def test_the_code_that_shows_the_edit_is_quoted() -> None:
    assert said("absolute", "return x / abs(3.5)").endswith("You wrote `abs(3.5)`.")


def test_nothing_is_quoted_where_several_places_may_be_meant() -> None:
    assert "You wrote" not in said("rounded", "return x.round() - x.round(2)")
    assert "You wrote `x.round()`" in said("rounded", "return x.round() - x.round()")


def test_an_edit_that_the_code_shows_comes_first() -> None:
    assert "absolute value" in said("constant-other", "return abs(x)", ("step", "absolute"))


@pytest.mark.parametrize(
    ("steps", "named"),
    [(["other"], "in its step `other`"), (["step"], ""), (["other", "third"], "")],
)
def test_an_earlier_step_is_named_if_the_edit_can_only_be_there(
    steps: list[str], named: str
) -> None:
    edits = RecognisedEdits(tuple((name, "call-left-out") for name in steps))
    message = explain_edits("step", edits, []).message
    assert named in message
    assert ("in its step" in message) == bool(named)


def test_a_property_of_the_numbers_is_said_first() -> None:
    edits = RecognisedEdits((("step", "axis-first"),))
    message = explain_edits("step", edits, [], finding("columns_sum_to_one")).message
    assert message.startswith("Each column sums to 1, but each row should. Your answer is that of")


def test_a_property_that_says_all_is_said_alone() -> None:
    edits = RecognisedEdits((("step", "sign"),), sure=True)
    found = explain_edits("step", edits, [], finding("wrong_sign"))
    assert found.message == "Every number has the wrong sign. Otherwise they are right."
    assert (found.mistakes, found.sure) == (("generated:sign",), True)
