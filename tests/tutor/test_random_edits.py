"""What is said about wrong programs that are in no list. The full measurement is `benchmarks.random_edits`."""

from __future__ import annotations

import functools

import pytest

from autograder.results import Outcome
from tests.truth.variant import base_of
from tests.tutor.random_edits import ASSIGNMENTS, Judge, Judgement, Program, random_programs

PROGRAMS = 60
pytestmark = pytest.mark.slow


@functools.cache
def judged() -> tuple[Judgement, ...]:
    judges = {name: Judge(name) for name in ASSIGNMENTS}
    return tuple(judges[one.assignment].judge(one) for one in random_programs(7, PROGRAMS))


def test_the_generator_makes_distinct_programs_again() -> None:
    first = [program.step_source for program in random_programs(3, 200)]
    assert len(set(first)) == 200
    assert first == [program.step_source for program in random_programs(3, 200)]


def test_most_edited_programs_are_wrong() -> None:
    assert sum(not one.equivalent for one in judged()) >= 40


def test_no_wrong_step_gets_full_marks() -> None:
    assert [one.program for one in judged() if one.missed] == []


def test_what_is_right_is_given_no_mistakes_name() -> None:
    assert [one.program for one in judged() if one.equivalent and one.result.mistakes] == []


def test_a_sure_explanation_is_true() -> None:
    """At most one in a hundred; among so few, none."""
    assert [one.program for one in judged() if one.false or one.elsewhere] == []


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_the_judge_notices_a_false_name(assignment: str) -> None:
    """A wrong program is not said to be another one."""
    judge = Judge(assignment)
    wrong = [
        one
        for one in judged()
        if one.program.assignment == assignment and one.sure and one.result.outcome is Outcome.WRONG
    ]
    for one in wrong[:3]:
        others = [
            mistake.name
            for mistake in judge.source.mistakes
            if mistake.step == one.program.step and mistake.name not in one.result.mistakes
        ]
        assert not any(judge.true_of(one.program, (name,)) for name in others[:5])


@pytest.mark.parametrize(
    ("body", "true", "false"),
    [
        ("d_k ** 3", "constant-other", "squared"),
        ("-(d_k ** 0.5)", "sign", "absolute"),
    ],
)
def test_the_judge_notices_a_false_generated_mistake(body: str, true: str, false: str) -> None:
    step = f"def scale_scores(scores, d_k):\n    return scores / ({body})\n"
    program = Program(
        "self_attention", "scale_scores", (), step, f"{base_of('self_attention')}\n{step}"
    )
    judge = Judge("self_attention")
    assert judge.true_of(program, (f"generated:{true}",))
    assert not judge.true_of(program, (f"generated:{false}",))
