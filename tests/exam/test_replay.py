"""The calls of one run, made again with other functions: the same answers as the whole run would give."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any

import pytest

from autograder.assignment import mistakes
from autograder.assignment.checks import VALUE
from autograder.exam import substitution
from autograder.exam.replay import Replay
from autograder.values.values import identical
from tests.exams import ASSIGNMENTS, exam_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from autograder.assignment.mistakes import Mistake
    from autograder.exam.questions import Exam
    from autograder.values.values import Value

CHAIN = """
def doubled(x):
    return x + x

def split(x):
    return x, -x

def joined(x, y):
    return x - y

def noted(x):
    notes.append(x)

def glued(x, *, by):
    return x * by

def whole(x):
    one, other = split(doubled(x))
    noted(one)
    return joined(one, other)

notes = []
"""
PARTS = ("doubled", "split", "joined", "noted", "glued")


def made(step: str, wrong: Callable[..., Any]) -> Mistake:
    mistakes.mistake(step, says="", look="")(wrong)
    return mistakes.mistakes_of({wrong.__name__: wrong})[0]


def tripled(x: Any) -> Any:
    return 3 * x


def not_split(x: Any) -> Any:
    return (x,)


def added(x: Any, y: Any) -> Any:
    return x + y + 1


def replayed(probe: Callable[..., Any], x: float = 1.5) -> tuple[Replay, types.ModuleType]:
    module = types.ModuleType("chain")
    exec(CHAIN, module.__dict__)
    return Replay(probe, module, PARTS, {"x": x}), module


def whole(student: Any, case: Any) -> Any:
    return {"twice": (student.whole(case.x), student.whole(case.x))}


@pytest.mark.unit
def test_a_run_is_made_again_with_one_function_and_with_two() -> None:
    replay, _ = replayed(whole)
    one, other = made("doubled", tripled), made("joined", added)
    assert replay.alone(one) == {"twice": (9.0, 9.0)}
    assert replay.alone(other) == {"twice": (1.0, 1.0)}
    assert replay.together(one, other) == replay.together(other, one) == {"twice": (1.0, 1.0)}


@pytest.mark.unit
def test_the_module_is_as_before_and_its_functions_are_called_no_more() -> None:
    replay, module = replayed(whole)
    functions = {name: vars(module)[name] for name in PARTS}
    assert all(function.__module__ == "chain" for function in functions.values())
    calls = len(module.notes)
    replay.alone(made("doubled", tripled))
    assert len(module.notes) == calls


@pytest.mark.unit
def test_what_raises_raises_again() -> None:
    replay, _ = replayed(whole)
    one, other = made("split", not_split), made("joined", added)
    replay.alone(other)
    with pytest.raises(ValueError, match="shorter"):
        replay.alone(one)
    with pytest.raises(IndexError):
        replay.together(one, other)


@pytest.mark.unit
def test_only_what_was_called_is_reached() -> None:
    replay, _ = replayed(lambda student, case: student.glued(student.doubled(case.x), by=2))
    assert replay.reaches(made("doubled", tripled))
    assert not replay.reaches(made("joined", added))
    assert not replay.reaches(made("glued", tripled))


@pytest.mark.unit
def test_what_a_caller_computes_itself_stays() -> None:
    """This is why each exchanged function is looked at alone before a run with two is believed."""
    replay, _ = replayed(lambda student, case: student.doubled(case.x) * 10)
    assert replay.alone(made("doubled", tripled)) == 30.0


@pytest.mark.slow
@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_every_pair_answers_as_in_the_reference(
    assignment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bit by bit: no known mistake changes what it is given, and nothing between two calls is lost."""
    exam = exam_of(assignment)
    found = tables(exam)
    monkeypatch.setattr(Replay, "reaches", lambda *_: False)
    whole_runs = tables(exam)
    assert found.keys() == whole_runs.keys()
    assert [row for row in found if not identical(found[row], whole_runs[row])] == []


def tables(exam: Exam) -> dict[object, Value]:
    assert exam.substitution is not None
    found: dict[object, Value] = {}
    for check in exam.assignment.checks:
        criterion = check.criterion(VALUE)
        for probe in criterion.probes:
            table = exam.substitution._table(
                check.name, probe, exam.questions_for(check, criterion)[0].inputs, None
            )
            found |= {
                (check.name, probe.__name__, names): answer
                for rows in table.rows.values()
                for names, answer in rows
            }
    return found


def test_most_pairs_of_a_class_do_without_the_whole_run(
    exam: Exam, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole_runs = []
    run = substitution.Substitution._answer_with

    def counted(self: Any, made: Any, *rest: Any) -> Any:
        whole_runs.append(made)
        return run(self, made, *rest)

    monkeypatch.setattr(substitution.Substitution, "_answer_with", counted)
    check = next(one for one in exam.assignment.checks if one.name == "SelfAttention_v2")
    criterion = check.criterion(VALUE)
    assert exam.substitution is not None
    table = exam.substitution._table(
        check.name, criterion.probes[0], exam.questions_for(check, criterion)[0].inputs, None
    )
    assert sum(len(rows) for rows in table.rows.values()) > 10 * len(whole_runs)
