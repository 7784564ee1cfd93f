"""Checks: how points are shared out, what is read from a probe, and that nothing of it is run."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, get_args

import pytest

from autograder.assignment.checks import (
    DOCUMENTED,
    KINDS,
    VALUE,
    Check,
    RaisingProbe,
    alternative,
    check,
    criterion,
    declared,
    inputs_used,
    probe_name,
    remark,
    run_source,
)
from autograder.errors import AssignmentError
from autograder.reasons import Fault, Reason
from autograder.sandbox.inside.stand_ins import NoAnswerError
from autograder.values.values import Raised

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.unit


def step_check(**options: Any) -> Any:
    @check(**{"points": 4, **options})
    def test_step(student: Any, case: Any) -> object:
        """What comes back, in
        two lines.

        Where to look,
        in two lines.

        And one more.
        """
        return student.step(case.x)

    return test_step


def points_of(found: Check) -> dict[str, float]:
    return {criterion.name: criterion.points for criterion in found.criteria}


def test_the_words_of_a_check_are_those_of_its_docstring() -> None:
    found = declared(step_check())

    assert found.expects == "What comes back, in two lines."
    assert found.looks["values"] == "Where to look, in two lines. And one more."


def test_each_kind_of_fault_is_a_reason_and_stands_on_the_page_for_authors(root: Path) -> None:
    page = (root / "docs" / "authoring.md").read_text(encoding="utf-8")

    assert {*get_args(Fault)} <= {*Reason}
    assert [kind for kind in KINDS if f"`{kind}`" not in page] == []


def test_further_criteria_are_taken_from_the_value() -> None:
    test = step_check(documented=0.5)

    @criterion(test, "parameters", points=1, alone=True)
    def parameters(student: Any, case: Any) -> None:
        """Three parameters."""

    @criterion(test, "gradients", points=0.5, slack=5)
    def gradients(student: Any, case: Any) -> None:
        """A gradient for each."""

    found = declared(test)
    assert points_of(found) == {VALUE: 2, DOCUMENTED: 0.5, "parameters": 1, "gradients": 0.5}
    assert found.points == 4
    assert found.criterion("parameters").probes == (parameters,)
    assert [one.alone for one in found.criteria] == [False, False, True, False]
    assert [one.slack for one in found.criteria] == [1, 1, 1, 5]


def test_an_alternative_is_asked_after_the_check_itself() -> None:
    test = step_check(documented=0.5)

    @alternative(test)
    def other(student: Any, case: Any) -> None:
        """The same in another way."""

    found = declared(test)
    assert found.criterion(VALUE).probes == (test, other)
    assert found.criterion(DOCUMENTED).probes == (test,)
    assert found.points == 4


def test_a_remark_costs_nothing_and_has_its_own_words() -> None:
    test = step_check(documented=0.5)

    @remark(test, "rounded", says="Your numbers are rounded.")
    def rounded(student: Any, case: Any) -> bool:
        return True

    found = declared(test)
    assert points_of(found) == {VALUE: 3.5, DOCUMENTED: 0.5, "rounded": 0}
    assert found.criterion("rounded").remark == "Your numbers are rounded."
    assert found.criterion("rounded").probes == (rounded,)
    assert not found.criterion(VALUE).remark


class UnknownWordError(KeyError):
    """A student's own kind of KeyError."""


class NotOurs(Exception):
    """What a student may have called KeyError."""


NotOurs.__name__ = "KeyError"


def raising(**options: Any) -> Check:
    test = step_check()

    @criterion(test, "unknown", points=1, **{"raises": KeyError, **options})
    def unknown_word(student: Any, case: Any) -> object:
        """KeyError."""
        return student.step(case.word)

    return declared(test)


def observed(error: BaseException | None) -> object:
    def step(word: str) -> object:
        if error is not None:
            raise error
        return word

    [probe] = raising().criterion("unknown").probes
    return probe(SimpleNamespace(step=step), SimpleNamespace(word="Life"))


def test_an_exception_may_be_what_is_asked_for() -> None:
    found = raising().criterion("unknown")
    [probe] = found.probes

    assert points_of(raising()) == {VALUE: 3, "unknown": 1}
    assert (found.raises, found.expects) == ("KeyError", "KeyError.")
    assert isinstance(probe, RaisingProbe)
    assert probe_name(probe) == "unknown_word"
    assert inputs_used(probe, ("word", "words")) == ("word",)


@pytest.mark.parametrize("error", [KeyError("Life"), KeyError(), UnknownWordError("Life")])
def test_the_exception_that_is_asked_for_is_the_answer(error: Exception) -> None:
    seen = observed(error)
    assert (type(seen), seen) == (Raised, ("KeyError",))


def test_what_comes_back_in_its_place_is_the_answer_too() -> None:
    assert observed(None) == "Life"


@pytest.mark.parametrize(
    "error", [ValueError("Life"), LookupError("Life"), NotOurs("Life"), SystemExit(1)]
)
def test_every_other_exception_stays_one(error: BaseException) -> None:
    with pytest.raises(type(error)):
        observed(error)


@pytest.mark.parametrize("error", [NotImplementedError(), NoAnswerError("no such call")])
def test_no_stub_and_nothing_of_the_kit_counts_as_a_steps_exception(error: RuntimeError) -> None:
    def step(word: str) -> object:
        raise error

    [probe] = raising(raises=RuntimeError).criterion("unknown").probes
    with pytest.raises(type(error)):
        probe(SimpleNamespace(step=step), SimpleNamespace(word="Life"))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"raises": Exception}, "one kind of exception, such as KeyError"),
        ({"raises": NotImplementedError}, "one kind of exception, such as KeyError"),
        ({"raises": SystemExit}, "one kind of exception, such as KeyError"),
        ({"raises": "KeyError"}, "one kind of exception, such as KeyError"),
        (
            {"raises": UnknownWordError},
            "raises=UnknownWordError: it must be an exception of Python",
        ),
        ({"raises": NotOurs}, "raises=KeyError: it must be an exception of Python"),
        ({"alone": True}, "counts only where the step's value is right"),
    ],
)
def test_what_cannot_be_asked_for_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(AssignmentError, match=f"The criterion 'unknown': .*{words}"):
        raising(**options)


def test_a_check_without_words_is_the_assignments_mistake() -> None:
    def test_step(student: Any, case: Any) -> None: ...

    with pytest.raises(AssignmentError, match="test_step"):
        check(points=1)(test_step)


def test_an_error_in_a_source_names_it() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        run_source(b"\n1 / 0", "probes")
    assert caught.traceback[-1].path == "<probes>"
    assert caught.traceback[-1].lineno == 1
