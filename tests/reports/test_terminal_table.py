from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console

from autograder.reports.terminal_table import legend, marks_table
from autograder.results import CheckResult, Outcome, Result, Status

pytestmark = pytest.mark.unit

STEPS = ("init", "scale", "blend")


def result(student: str, *outcomes: Outcome, status: Status = Status.GRADED) -> Result:
    checks = tuple(
        CheckResult(step, 1.5 * (outcome is Outcome.PASSED), 1.5, outcome)
        for step, outcome in zip(STEPS, outcomes, strict=True)
    )
    return Result("toy", student, status, checks, (), False, "", "0.1.0", "r")


CLASS = [
    result("[bold]alice[/]", *[Outcome.PASSED] * 3),
    result("bob", Outcome.PASSED, Outcome.TIMED_OUT, Outcome.NOT_STARTED),
    result("carol", Outcome.WRONG, Outcome.RAISED, Outcome.MISSING),
    result("dave", Outcome.EXITED, Outcome.CRASHED, Outcome.TOO_LARGE),
    result("eve", *[Outcome.UNGRADED] * 3, status=Status.UNGRADED),
    result("a name as learning platforms make it (1234)", *[Outcome.PASSED] * 3),
]

TABLE = """\
                   toy

 student             score    1    2    3
 ────────────────────────────────────────
 [bold]alice[/]    4.5/4.5  1.5  1.5  1.5
 bob               1.5/4.5  1.5    T    -
 carol               0/4.5    0    !    ?
 dave                0/4.5    E    C    L
 eve              ungraded
 a name as lear…   4.5/4.5  1.5  1.5  1.5
"""


def printed(results: list[Result], width: int) -> str:
    file = io.StringIO()
    console = Console(file=file, width=width, force_terminal=False)
    console.print(marks_table(results))
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines())


def test_the_class_is_a_table_with_a_sign_for_each_way_to_earn_nothing() -> None:
    assert printed(CLASS, 42) == TABLE
    whole = printed(CLASS, 80)
    assert all(f" {one.student} " in whole for one in CLASS)


def test_the_legend_explains_the_numbers_and_the_signs_that_occur() -> None:
    assert legend(CLASS) == (
        "1 init, 2 scale, 3 blend\n"
        "- not started, ? missing, ! raised, T timed out, E exited, C crashed, L too large"
    )
    assert legend(CLASS[:2]) == "1 init, 2 scale, 3 blend\n- not started, T timed out"
    assert legend(CLASS[:1]) == "1 init, 2 scale, 3 blend"


def test_a_question_with_points_from_a_person_has_a_column_of_its_own() -> None:
    answered = result("fay", *[Outcome.PASSED] * 3)
    question = CheckResult("question-1", 3, 4, Outcome.PASSED)
    marked = replace(answered, checks=(*answered.checks, question))
    bob, fay = printed([CLASS[1], marked], 80).splitlines()[-2:]
    assert bob.split() == ["bob", "1.5/4.5", "1.5", "T", "-"]
    assert fay.split() == ["fay", "7.5/8.5", "1.5", "1.5", "1.5", "3"]
    assert legend([CLASS[1], marked]).startswith("1 init, 2 scale, 3 blend, 4 question-1")
    waiting = replace(
        answered, checks=(*answered.checks, replace(question, score=0, outcome=Outcome.UNGRADED))
    )
    assert printed([waiting], 80).splitlines()[-1].split()[-1] == "."
    assert legend([waiting]).endswith("4 question-1\n. ungraded")
