"""Single edits of right submissions of another style: none gets full marks, and nothing false is said of one.

More of them: `benchmarks.random_edits --single`.
"""

from __future__ import annotations

import functools

import pytest

from tests.tutor.random_edits import ASSIGNMENTS, Judge, Judgement
from tests.tutor.single_edits import single_edits

PROGRAMS = 60
pytestmark = pytest.mark.slow


@functools.cache
def judged() -> tuple[Judgement, ...]:
    judges = {name: Judge(name) for name in ASSIGNMENTS}
    return tuple(judges[one.assignment].judge(one) for one in single_edits(42, PROGRAMS))


def test_the_same_seed_makes_the_same_distinct_programs() -> None:
    first = [program.source for program in single_edits(3, 60)]
    assert len(set(first)) == 60
    assert first == [program.source for program in single_edits(3, 60)]


def test_no_wrong_step_gets_full_marks() -> None:
    assert [one.program for one in judged() if one.missed] == []


def test_a_sure_explanation_is_true() -> None:
    assert [one.program for one in judged() if one.false or one.elsewhere] == []


def test_most_wrong_answers_are_explained() -> None:
    wrong = [one for one in judged() if not one.equivalent]
    assert len(wrong) > PROGRAMS / 2
    assert sum(one.words.value == "no words" for one in wrong) < len(wrong) / 10
