"""What is said about wrong programs that are in no list. The full measurement is `benchmarks.random_edits`."""

from __future__ import annotations

import functools

import pytest

from autograder.results import Outcome
from tests.exams import ASSIGNMENTS
from tests.tutor.random_edits import Judge, Judgement, random_programs, single_edits

PROGRAMS = 60
MAKERS = {
    "random": functools.partial(random_programs, 7),
    "single": functools.partial(single_edits, 42),
}
pytestmark = pytest.mark.slow
of_each_kind = pytest.mark.parametrize("kind", MAKERS)


@functools.cache
def judged(kind: str) -> tuple[Judgement, ...]:
    judges = {name: Judge(name) for name in ASSIGNMENTS}
    return tuple(judges[one.assignment].judge(one) for one in MAKERS[kind](PROGRAMS))


@of_each_kind
def test_the_generator_makes_distinct_programs_again(kind: str) -> None:
    first = [program.source for program in MAKERS[kind](PROGRAMS)]
    assert len(set(first)) == PROGRAMS
    assert first == [program.source for program in MAKERS[kind](PROGRAMS)]


@of_each_kind
def test_no_wrong_step_gets_full_marks(kind: str) -> None:
    assert [one.program for one in judged(kind) if one.missed] == []


@of_each_kind
def test_a_sure_explanation_is_true(kind: str) -> None:
    """At most one in a hundred; among so few, none."""
    assert [one.program for one in judged(kind) if one.false or one.elsewhere] == []


@of_each_kind
def test_no_line_above_the_edit_is_marked(kind: str) -> None:
    """Up to there the program is right."""
    assert sum(one.marked for one in judged(kind)) > PROGRAMS / 10
    assert [one.program for one in judged(kind) if one.above] == []


def test_what_is_right_is_given_no_mistakes_name() -> None:
    assert [one.program for one in judged("random") if one.equivalent and one.result.mistakes] == []


@of_each_kind
def test_most_edited_programs_are_wrong_and_most_wrong_answers_explained(kind: str) -> None:
    wrong = [one for one in judged(kind) if not one.equivalent]
    assert len(wrong) > PROGRAMS / 2
    assert kind == "random" or sum(one.words == "no words" for one in wrong) < len(wrong) / 10


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_the_judge_notices_a_false_name(assignment: str) -> None:
    """A wrong program is not said to be another one."""
    judge = Judge(assignment)
    wrong = [
        one
        for one in judged("random")
        if one.program.assignment == assignment and one.sure and one.result.outcome is Outcome.WRONG
    ]
    for one in wrong[:3]:
        others = [
            mistake.name
            for mistake in judge.source.mistakes
            if mistake.step == one.program.step and mistake.name not in one.result.mistakes
        ]
        assert not any(judge.true_of(one.program, (name,)) for name in others[:5])
