"""Feedback for a step without a usable answer: it raised, stopped, is not started, or made an unsuitable object."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from autograder.assignment.checks import VALUE
from autograder.explain.class_rules import obstacle_words, read_obstacle
from autograder.explain.exceptions import read_error
from autograder.explain.feedback import holding, said, told
from autograder.explain.raised import (
    inner_function,
    lacked_memory,
    name_missed,
    stub_that_raised,
    was_forbidden,
)
from autograder.explain.rules import explained, finding, say
from autograder.explain.slips import leftover_raise
from autograder.explain.wording import called_with, capital, describe, error_words, listed, place
from autograder.explain.words_of_files import ADVICE
from autograder.reasons import Reason
from autograder.results import Feedback, Outcome
from autograder.values.values import DictValue

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from autograder.assignment.checks import Check
    from autograder.exam.questions import Asked, Exam, Question
    from autograder.explain.student_code import Submitted
    from autograder.results import Frame, Observation, StudentError
    from autograder.values.values import Value

SHOWN_LINES = 3
NOT_STARTED = Feedback(
    Outcome.NOT_STARTED, message="Not started yet.", reasons=(Reason.NOT_STARTED,)
)


def explain_unsuitable(asked: Asked, seen: Observation, submitted: Submitted) -> Feedback:
    """Explain an object that a probe could not use."""
    assert seen.obstacle is not None
    definition = submitted.code.definition(asked.check.name)
    cause = explained(read_obstacle(seen.obstacle, definition, _attributes(asked.question)))
    return replace(
        told(Outcome.WRONG, cause, asked.check.look),
        seen=obstacle_words(seen.obstacle),
        expected=asked.criterion.expects,
        reasons=(seen.obstacle.reason,),
    )


def _attributes(question: Question) -> tuple[str, ...]:
    """Return the names of the matrices that the objects of a question hold."""
    names = (
        key
        for value in question.inputs.values()
        if isinstance(value, DictValue)
        for key, _ in value.items
        if isinstance(key, str)
    )
    return tuple(dict.fromkeys(names))


def explain_error(asked: Asked, seen: Observation, submitted: Submitted) -> Feedback:
    """Explain an exception in the student's code."""
    error, step, steps = seen.error, asked.check.name, submitted.stubs.keys()
    assert error is not None
    if stub := other_stub(step, error, steps):
        return _comes_first("calls_a_stub", step, stub)
    missing = name_missed(error)
    if missing in steps - {step, *submitted.names}:
        return _comes_first("calls_a_missing_step", step, missing)
    cause = explained(read_error(error, submitted, _attributes(asked.question)))
    inner = other_step(step, error, steps)
    reasons = {
        Reason.KNOWN_ERROR: bool(cause.names),
        Reason.IN_ANOTHER_STEP: bool(inner),
        Reason.FORBIDDEN: was_forbidden(error),
        Reason.OUT_OF_MEMORY: lacked_memory(error),
    }
    return replace(
        told(Outcome.RAISED, cause, asked.criterion.look or asked.check.look),
        seen=_raised(step, error, cause.names),
        expected=asked.criterion.expects,
        called_with=called_with(asked.criterion, asked.question.inputs),
        lines=_lines(error),
        other_step=inner,
        reasons=holding(reasons),
    )


def _comes_first(key: str, step: str, other: str) -> Feedback:
    """Say that another step comes first."""
    return Feedback(
        Outcome.RAISED,
        message=say(key, step=step, other=other),
        other_step=other,
        reasons=(Reason.WAITS_FOR_A_STEP,),
    )


def explain_misuse(
    exam: Exam,
    check: Check,
    error: StudentError,
    step: str,
    given: Mapping[str, Value],
    *,
    right: bool,
) -> Feedback:
    """Explain a call of another step with arguments that it does not take; `right` says that this step is right."""
    callers = [frame for frame in error.frames if frame.function.split(".")[0] != step]
    other = next(other for other in exam.assignment.checks if other.name == step)
    criterion = other.criterion(VALUE)
    inputs = exam.questions_for(other, criterion)[0].inputs
    found = finding(
        "misused.right" if right else "misused",
        step=check.name,
        other=step,
        place=capital(place(callers[-1])) if callers else "Your call",
        given=_arguments(given) or "something that it does not take",
        takes=_arguments({name: inputs[name] for name, _ in called_with(criterion, inputs)}),
    )
    feedback = said(Outcome.RAISED, found, Reason.MISUSED_STEP, lines=tuple(callers[-SHOWN_LINES:]))
    return replace(feedback, seen=_raised(check.name, error)) if right else feedback


def _arguments(given: Mapping[str, Value]) -> str:
    return listed(f"`{name}` = {describe(value)}" for name, value in given.items())


def explain_leftover(step: str, error: StudentError, submitted: Submitted) -> Feedback:
    """Explain a step whose own stub line raised: not started, or the line was left beside the code."""
    definition = submitted.code.definition(step)
    found = leftover_raise(definition, submitted.stubs.get(step, "")) if definition else None
    if found is None:
        return NOT_STARTED
    return replace(
        told(Outcome.RAISED, explained(found)),
        seen=_raised(step, error),
        lines=_lines(error),
        reasons=(Reason.KNOWN_ERROR,),
    )


def _raised(step: str, error: StudentError, names: tuple[str, ...] = ()) -> str:
    key = "raised" if error.frames else "raised.afterwards"
    if not error.frames and "arguments_do_not_fit" in names:
        key = "raised.not_called"
    return say(key, step=step, error=error_words(error))


def _lines(error: StudentError) -> tuple[Frame, ...]:
    return error.frames[-SHOWN_LINES:]


def explain_ended(check: Check, question: Question | None, seen: Observation) -> Feedback:
    """Explain a step that did not return: stopped, exited, crashed, or its answer was too large."""
    called_exit = seen.outcome is Outcome.EXITED and seen.error is not None
    words = seen.detail
    if seen.obstacle is not None:
        words = say("too_large", step=check.name, size=seen.obstacle.seen)
    if called_exit:
        words = say("called_exit", step=check.name)
    reasons = {
        Reason.ANSWER_TOO_LARGE: seen.obstacle is not None,
        Reason.CALLED_EXIT: called_exit,
    }
    return Feedback(
        seen.outcome,
        message=ADVICE.get(seen.outcome, ""),
        seen=words,
        called_with=called_with(check.criterion(question.criterion), question.inputs)
        if question
        else (),
        lines=_lines(seen.error) if called_exit and seen.error else (),
        reasons=holding(reasons),
    )


def is_not_started(step: str, error: StudentError) -> bool:
    """Return whether the step's own stub raised the exception."""
    return stub_that_raised(error) == step


def other_stub(step: str, error: StudentError, steps: Collection[str]) -> str:
    """Return the other step, still a stub, that ended a call of `step`; empty if no stub did."""
    return other_step(step, error, steps) if stub_that_raised(error) else ""


def other_step(step: str, error: StudentError, steps: Collection[str]) -> str:
    """Return the name of the other step that raised the exception; empty if this step did."""
    inner = inner_function(error)
    return inner if inner != step and inner in steps else ""
