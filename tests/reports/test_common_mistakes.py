"""The class's mistakes by name: how many made them, and who."""

from __future__ import annotations

from dataclasses import replace

import pytest

from autograder.reports.common_mistakes import common_mistakes
from tests.reports.pages.classroom import RAISED, TRANSPOSED, check, result

pytestmark = pytest.mark.unit


def test_a_student_counts_once_for_a_mistake() -> None:
    made = common_mistakes(
        [
            result("a", check("weights", 0, TRANSPOSED), check("context", 2, TRANSPOSED)),
            result("b", check("context", 2, TRANSPOSED)),
            result("c", check("scores", 0, RAISED)),
            result("d"),
        ]
    )
    assert [(one.name, one.students, one.steps) for one in made] == [
        (("softmax_over_the_queries",), ("a", "b"), ("weights", "context")),
        (("sqrt_of_an_int",), ("c",), ("scores",)),
    ]


def test_a_guess_is_told_from_what_is_certain() -> None:
    guess = replace(TRANSPOSED, sure=False)
    made = common_mistakes(
        [
            result("a", check("weights", 0, guess)),
            result("b", check("weights", 0, guess), check("context", 2, TRANSPOSED)),
        ]
    )
    assert made[0].students == ("a", "b")
    assert made[0].perhaps == {"a"}


def test_mistakes_with_the_same_effect_are_one() -> None:
    other = result("b", check("weights", 0, TRANSPOSED))
    both = replace(TRANSPOSED, mistakes=("axis_zero", "softmax_over_the_queries"))
    [one] = common_mistakes([result("a", check("weights", 0, both)), other])
    assert (one.name, one.students) == (("axis_zero", "softmax_over_the_queries"), ("a", "b"))
    assert one.title == "axis zero, or softmax over the queries"


def test_mistakes_of_further_criteria_count_too() -> None:
    also = replace(RAISED, also=(replace(TRANSPOSED, also=()),))
    made = common_mistakes([result("a", check("weights", 0, also))])
    assert {one.name for one in made} == {("softmax_over_the_queries",), ("sqrt_of_an_int",)}
