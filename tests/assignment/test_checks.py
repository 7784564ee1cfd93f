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


def test_the_words_of_a_check_are_those_of_its_docstring() -> None:
    found = declared(step_check())

    assert found.expects == "What comes back, in two lines."
    assert found.looks["values"] == "Where to look, in two lines. And one more."


def test_each_kind_of_fault_is_a_reason_and_stands_on_the_page_for_authors(root: Path) -> None:
    page = (root / "docs" / "authoring.md").read_text(encoding="utf-8")

    assert {*get_args(Fault)} <= {*Reason}
    assert [kind for kind in KINDS if f"`{kind}`" not in page] == []


def test_further_criteria_are_taken_from_the_value_and_remarks_cost_nothing() -> None:
    test = step_check(documented=0.5)

    @criterion(test, "parameters", points=1, alone=True)
    def parameters(student: Any, case: Any) -> None:
        """Three parameters."""

    @criterion(test, "gradients", points=0.5, slack=5)
    def gradients(student: Any, case: Any) -> None:
        """A gradient for each."""

    @alternative(test)
    def other(student: Any, case: Any) -> None:
        """The same in another way."""

    @remark(test, "rounded", says="Your numbers are rounded.")
    def rounded(student: Any, case: Any) -> bool:
        return True

    found = declared(test)
    points = {one.name: one.points for one in found.criteria}
    further = {"parameters": 1, "gradients": 0.5, "rounded": 0}
    assert (points, found.points) == ({VALUE: 2, DOCUMENTED: 0.5, **further}, 4)
    assert {one.name: one.probes for one in found.criteria} == {
        VALUE: (test, other),
        DOCUMENTED: (test,),
        "parameters": (parameters,),
        "gradients": (gradients,),
        "rounded": (rounded,),
    }
    assert [one.alone for one in found.criteria][2:4] == [True, False]
    assert [one.slack for one in found.criteria] == [1, 1, 1, 5, 1]
    assert {one.remark for one in found.criteria} == {"", "Your numbers are rounded."}


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


def observed(error: BaseException | None, **options: Any) -> object:
    def step(word: str) -> object:
        if error is not None:
            raise error
        return word

    [probe] = raising(**options).criterion("unknown").probes
    return probe(SimpleNamespace(step=step), SimpleNamespace(word="Life"))


def test_an_exception_may_be_what_is_asked_for() -> None:
    found = raising().criterion("unknown")
    [probe] = found.probes
    assert (found.points, found.raises, found.expects) == (1, "KeyError", "KeyError.")
    assert isinstance(probe, RaisingProbe)
    assert probe_name(probe) == "unknown_word"
    assert inputs_used(probe, ("word", "words")) == ("word",)
    for error in (KeyError("Life"), KeyError(), UnknownWordError("Life")):
        seen = observed(error)
        assert (type(seen), seen) == (Raised, ("KeyError",))
    assert observed(None) == "Life", "what comes back in its place is the answer too"


@pytest.mark.parametrize(
    ("error", "wanted"),
    [
        (ValueError("Life"), KeyError),
        (LookupError("Life"), KeyError),
        (NotOurs("Life"), KeyError),
        (SystemExit(1), KeyError),
        (NotImplementedError(), RuntimeError),  # a stub
        (NoAnswerError("no such call"), RuntimeError),  # of the kit
    ],
)
def test_every_other_exception_stays_one(error: BaseException, wanted: type[Exception]) -> None:
    with pytest.raises(type(error)):
        observed(error, raises=wanted)


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


def test_an_error_in_a_source_names_it() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        run_source(b"\n1 / 0", "probes")
    assert (caught.traceback[-1].path, caught.traceback[-1].lineno) == ("<probes>", 1)
