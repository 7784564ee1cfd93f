"""Feedback for a step without a usable answer: raised, stopped, missing, or unsuitable object."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from autograder.assignment.checks import VALUE
from autograder.explain.definitions import defined_inside, under_another_name
from autograder.explain.exceptions import read_error
from autograder.explain.obstacles import obstacle_words, read_obstacle
from autograder.explain.rules import explained
from autograder.explain.slips import leftover_raise
from autograder.explain.wording import (
    called_with,
    capital,
    describe,
    error_words,
    line_words,
    listed,
)
from autograder.reasons import Reason
from autograder.results import Feedback, Frame, Outcome, StudentError
from autograder.values.values import DictValue

if TYPE_CHECKING:
    from collections.abc import Mapping

    from autograder.assignment.checks import Check
    from autograder.exam.questions import Exam, Question
    from autograder.explain.student_code import Submitted
    from autograder.results import LoadReport, Observation
    from autograder.values.values import Value

SHOWN_LINES = 3

_NOT_DEFINED = re.compile(r"name '(\w+)' is not defined")
NOT_STARTED = Feedback(
    Outcome.NOT_STARTED, message="Not started yet.", reasons=(Reason.NOT_STARTED,)
)


def explain_unsuitable(
    check: Check, question: Question, seen: Observation, submitted: Submitted
) -> Feedback:
    """Explain an object that a probe could not use."""
    assert seen.obstacle is not None
    definition = submitted.code.definition(check.name)
    cause = explained(read_obstacle(seen.obstacle, definition, _attributes(question)))
    return Feedback(
        Outcome.WRONG,
        message=cause.says,
        hint=cause.look or check.look,
        seen=obstacle_words(seen.obstacle),
        expected=check.criterion(question.criterion).expects,
        mistakes=cause.names,
        sure=cause.sure,
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


def explain_error(
    check: Check, question: Question, seen: Observation, submitted: Submitted
) -> Feedback:
    """Explain an exception in the student's code."""
    error = seen.error
    assert error is not None
    steps = set(submitted.stubs)
    waits = waits_for(check.name, error, steps)
    if waits:
        words = f"`{check.name}` calls your `{waits}`, which is not started yet."
        return _needs(waits, f"{words} Finish `{waits}` first, then this step can be judged.")
    missing = name_not_defined(error)
    if missing in steps - {check.name, *submitted.names}:
        words = f"`{check.name}` calls `{missing}`, and your step `{missing}` is missing."
        return _needs(missing, f"{words} Write it first.")
    criterion = check.criterion(question.criterion)
    given = _attributes(question)
    cause = explained(read_error(error, submitted.names, submitted.code, submitted.stubs, given))
    inner = other_step(check, error, steps)
    reasons = {
        Reason.KNOWN_ERROR: bool(cause.names),
        Reason.IN_ANOTHER_STEP: bool(inner),
        Reason.FORBIDDEN: was_forbidden(error),
        Reason.OUT_OF_MEMORY: _lacked_memory(error),
    }
    return Feedback(
        Outcome.RAISED,
        message=cause.says,
        hint=cause.look or criterion.look or check.look,
        seen=_raised(check, error, cause.names),
        expected=criterion.expects,
        called_with=called_with(criterion, question.inputs),
        lines=_lines(error),
        other_step=inner,
        mistakes=cause.names,
        sure=cause.sure,
        reasons=tuple(reason for reason, holds in reasons.items() if holds),
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
    place = capital(line_words(callers[-1].file, callers[-1].line)) if callers else "Your call"
    arguments = _arguments(given)
    other = next(other for other in exam.assignment.checks if other.name == step)
    criterion = other.criterion(VALUE)
    question = exam.questions_for(other, criterion)[0]
    takes = _arguments(
        {name: question.inputs[name] for name, _ in called_with(criterion, question.inputs)}
    )
    is_right = ", which is right," if right else ""
    words = f"{place} calls your `{step}`{is_right} with {arguments or 'something that it does not take'}."
    return Feedback(
        Outcome.RAISED,
        message=f"{words} It takes, for example, {takes}.",
        seen=_raised(check, error) if right else f"`{check.name}` stopped at a call of `{step}`.",
        lines=tuple(callers[-SHOWN_LINES:]),
        reasons=(Reason.MISUSED_STEP,),
    )


def _arguments(given: Mapping[str, Value]) -> str:
    return listed(f"`{name}` = {describe(value)}" for name, value in given.items())


def explain_leftover(check: Check, error: StudentError, submitted: Submitted) -> Feedback:
    """Explain a step whose own stub line raised: not started, or the line was left beside the code."""
    definition = submitted.code.definition(check.name)
    stub = submitted.stubs.get(check.name, "")
    cause = explained(leftover_raise(definition, stub) if definition else None)
    if not cause.names:
        return NOT_STARTED
    return Feedback(
        Outcome.RAISED,
        message=cause.says,
        hint=cause.look,
        seen=_raised(check, error),
        lines=_lines(error),
        mistakes=cause.names,
        sure=True,
        reasons=(Reason.KNOWN_ERROR,),
    )


def _needs(step: str, words: str) -> Feedback:
    """Say that another step comes first."""
    reasons = (Reason.WAITS_FOR_A_STEP,)
    return Feedback(Outcome.RAISED, message=words, other_step=step, reasons=reasons)


def name_not_defined(error: StudentError) -> str:
    """Return the name that an exception misses; else an empty text."""
    missed = _NOT_DEFINED.search(error.message) if error.type == "NameError" else None
    return missed[1] if missed else ""


def _raised(check: Check, error: StudentError, names: tuple[str, ...] = ()) -> str:
    if error.frames:
        return f"`{check.name}` raised {error_words(error)}"
    if "arguments_do_not_fit" in names:
        return f"`{check.name}` could not be called: {error_words(error)}"
    return f"What `{check.name}` gave back could not be used: {error_words(error)}"


def _lines(error: StudentError) -> tuple[Frame, ...]:
    return error.frames[-SHOWN_LINES:]


def other_step(check: Check, error: StudentError, steps: set[str]) -> str:
    """Return the name of the other step that raised the exception; empty if this step did."""
    inner = error.frames[-1].function.split(".")[0] if error.frames else check.name
    return inner if inner != check.name and inner in steps else ""


def was_forbidden(error: StudentError) -> bool:
    """Return whether access was denied. Torch's own file functions raise a RuntimeError that says so."""
    return error.type == "PermissionError" or "Permission denied" in error.message


def _lacked_memory(error: StudentError) -> bool:
    """Return whether memory ran out. Torch raises a RuntimeError that says so."""
    return error.type.endswith("MemoryError") or "can't allocate memory" in error.message


def explain_ended(check: Check, question: Question | None, seen: Observation) -> Feedback:
    """Explain a step that did not return: stopped, exited, crashed, or its answer was too large."""
    called_exit = seen.outcome is Outcome.EXITED and seen.error is not None
    words = seen.detail
    if seen.obstacle is not None:
        words = f"What `{check.name}` returned is too large to be looked at: {seen.obstacle.seen}."
    if called_exit:
        words = f"`{check.name}` called exit() instead of returning."
    advice = {
        Outcome.TIMED_OUT: "Is there a loop whose condition never becomes false?",
        Outcome.EXITED: "Remove exit() and os._exit(): a step ends with `return`, and a file ends by itself.",
    }.get(seen.outcome, "")
    reasons = {
        Reason.ANSWER_TOO_LARGE: seen.obstacle is not None,
        Reason.CALLED_EXIT: called_exit,
    }
    return Feedback(
        seen.outcome,
        message=advice,
        seen=words,
        called_with=called_with(check.criterion(question.criterion), question.inputs)
        if question
        else (),
        lines=_lines(seen.error) if called_exit and seen.error else (),
        reasons=tuple(reason for reason, holds in reasons.items() if holds),
    )


def explain_missing(check: Check, loaded: LoadReport | None, submitted: Submitted) -> Feedback:
    """Explain a name that the file does not define, and suggest a similar one."""
    names = loaded.names if loaded else ()
    known = _why_not_defined(check, loaded) if loaded else None
    if known is not None:
        return known
    if inside := defined_inside(check.name, submitted.code):
        return Feedback(Outcome.MISSING, seen=inside, reasons=(Reason.NOT_DEFINED,))
    close = under_another_name(check.name, names, submitted)
    reasons: tuple[Reason, ...] = ()
    if close:
        words = f"It defines `{close}`: did you mean `{check.name}`? Rename it."
        reasons = (Reason.MISSPELT,)
    elif names or submitted.code.headers:
        words = "Names must be as in the release; copy the step's first line from there."
    else:
        words = ""  # said of the file
    return Feedback(
        Outcome.MISSING,
        message=words,
        seen=f"Your file does not define `{check.name}`.",
        reasons=(Reason.NOT_DEFINED, *reasons),
    )


def _why_not_defined(check: Check, loaded: LoadReport) -> Feedback | None:
    """Explain a step whose definition failed, or whose name is bound to something else."""
    for rebinding in loaded.unfit:
        if rebinding.name == check.name:
            return Feedback(
                Outcome.MISSING,
                seen=f"`{rebinding.name}` is something of type {rebinding.type} here, not the step.",
                message="Write the step with the first line of the release, and return the result.",
                lines=(rebinding.frame,),
                reasons=(Reason.NOT_DEFINED, Reason.NOT_A_STEP),
            )
    for failure in loaded.failures:
        if check.name in failure.defines:
            return Feedback(
                Outcome.MISSING,
                seen=f"`{check.name}` is not defined, because its lines could not be read or run.",
                message="Fix these lines first; the note about your file says what is wrong there.",
                lines=failure.frames[:1],
                reasons=(
                    Reason.NOT_DEFINED,
                    Reason.FILE_STOPPED,
                    *([Reason.OUT_OF_MEMORY] if _lacked_memory(failure) else []),
                ),
            )
    return None


def waits_for(step: str, error: StudentError, steps: set[str]) -> str | None:
    """Return the other step, still a stub, that ended a call of `step`; None if no stub did."""
    inner = _stub_of(error)
    return inner if inner != step and inner in steps else None


def _stub_of(error: StudentError) -> str | None:
    """Return the function whose stub line raised.

    Torch raises NotImplementedError too, for example for an unsupported dtype.
    """
    if error.type != "NotImplementedError" or not error.frames:
        return None
    inner = error.frames[-1]
    return (
        inner.function.split(".")[0] if inner.text.startswith("raise NotImplementedError") else None
    )


def is_not_started(step: str, error: StudentError) -> bool:
    """Return whether the step's own stub raised the exception."""
    return _stub_of(error) == step
