"""The class's mistakes by name: how many made them, and who."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from autograder.reports.common_mistakes import CommonMistake, common_mistakes
from autograder.reports.graded_class import Entry
from tests.reports.pages.classroom import RAISED, TRANSPOSED, check, result

if TYPE_CHECKING:
    from autograder.results import Result

pytestmark = pytest.mark.unit


def mistakes(*results: Result) -> list[CommonMistake]:
    return common_mistakes([*map(Entry, results)])


def students(one: CommonMistake) -> tuple[str, ...]:
    return tuple(case.entry.result.student for case in one.cases)


def test_a_student_counts_once_for_a_mistake() -> None:
    made = mistakes(
        result("a", check("weights", 0, TRANSPOSED), check("context", 2, TRANSPOSED)),
        result("b", check("context", 2, TRANSPOSED)),
        result("c", check("scores", 0, RAISED)),
        result("d"),
    )
    assert [(one.name, students(one), one.steps) for one in made] == [
        (("softmax_over_the_queries",), ("a", "b"), ("weights", "context")),
        (("sqrt_of_an_int",), ("c",), ("scores",)),
    ]


def test_a_guess_is_told_from_what_is_certain() -> None:
    guess = replace(TRANSPOSED, sure=False)
    made = mistakes(
        result("a", check("weights", 0, guess)),
        result("b", check("weights", 0, guess), check("context", 2, TRANSPOSED)),
    )
    assert students(made[0]) == ("a", "b")
    assert made[0].perhaps == {"a"}


def test_mistakes_with_the_same_effect_are_one() -> None:
    other = result("b", check("weights", 0, TRANSPOSED))
    both = replace(TRANSPOSED, mistakes=("axis_zero", "softmax_over_the_queries"))
    [one] = mistakes(result("a", check("weights", 0, both)), other)
    assert (one.name, students(one)) == (("axis_zero", "softmax_over_the_queries"), ("a", "b"))
    assert one.title == "axis zero, or softmax over the queries"


def test_mistakes_of_further_criteria_count_too() -> None:
    also = replace(RAISED, also=(replace(TRANSPOSED, also=()),))
    made = mistakes(result("a", check("weights", 0, also)))
    assert {one.name for one in made} == {("softmax_over_the_queries",), ("sqrt_of_an_int",)}
