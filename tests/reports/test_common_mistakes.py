"""The class's mistakes by name: how many made them, and who."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from autograder.reasons import Reason
from autograder.reports.common_mistakes import common_mistakes
from autograder.reports.graded_class import load_folders, merged
from autograder.reports.pages.report_page import report_page
from autograder.results import Outcome
from tests.reports.pages.classroom import RAISED, TRANSPOSED, check, result, write_class
from tests.toy import write_toy

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.unit
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


@pytest.mark.unit
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


@pytest.mark.unit
def test_mistakes_with_the_same_effect_are_one() -> None:
    both = replace(TRANSPOSED, mistakes=("axis_zero", "softmax_over_the_queries"))
    made = common_mistakes(
        [result("a", check("weights", 0, both)), result("b", check("weights", 0, TRANSPOSED))]
    )
    assert [(one.name, one.students) for one in made] == [
        (("axis_zero", "softmax_over_the_queries"), ("a", "b"))
    ]
    assert made[0].title == "axis zero, or softmax over the queries"


@pytest.mark.unit
def test_two_mistakes_at_once_are_two() -> None:
    two = replace(
        TRANSPOSED,
        message="Two mistakes at once.",
        mistakes=("not_scaled", "softmax_over_the_queries"),
        reasons=(Reason.TWO_AT_ONCE,),
    )
    made = common_mistakes(
        [result("a", check("weights", 0, two)), result("b", check("weights", 0, TRANSPOSED))]
    )
    assert [(one.name, one.students) for one in made] == [
        (("softmax_over_the_queries",), ("a", "b")),
        (("not_scaled",), ("a",)),
    ]
    assert made[0].example.feedback is TRANSPOSED


@pytest.mark.unit
def test_mistakes_of_further_criteria_count_too() -> None:
    also = replace(RAISED, also=(replace(TRANSPOSED, also=()),))
    made = common_mistakes([result("a", check("weights", 0, also))])
    assert {one.name for one in made} == {("softmax_over_the_queries",), ("sqrt_of_an_int",)}


def test_a_missing_step_tops_no_list_of_mistakes(tmp_path: Path) -> None:
    """Ten students leave a step out that their other one calls, one gave it another name, one misspells a name."""
    from autograder.assignment.source import load_source  # noqa: PLC0415 - to draw an exam takes torch
    from autograder.exam.draw import draw_exam  # noqa: PLC0415
    from tests.graders import result_of  # noqa: PLC0415

    calls = "START = 0.5\n\n\ndef double(x):\n    return shift(x) + shift(x) - 1.0\n"
    files = {f"student{number}": f"{calls}\n\nNUMBER = {number}\n" for number in range(10)}
    files["other"] = f"{calls}\n\ndef shfit(x):\n    return x + START\n"
    files["misspelt"] = f"{calls}\n\ndef shift(x):\n    return x + STRAT\n"
    exam = draw_exam(load_source(write_toy(tmp_path) / "toy"), 1)
    results = [
        replace(result_of(exam, source), student=name, assignment="attention")
        for name, source in files.items()
    ]
    missing = [one.student for one in results if one.checks[1].outcome is Outcome.MISSING]
    assert len(missing) == 11
    assert [one.students for one in common_mistakes(results)] == [("misspelt",)]
    assert "missing" not in [name for one in common_mistakes(results) for name in one.name]
    folders = load_folders([write_class(tmp_path / "out", results)])
    assert b"name misspelt" in report_page(folders, merged(folders, "best"))
