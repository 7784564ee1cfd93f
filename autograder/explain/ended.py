"""Feedback for a step without a usable answer: it raised, stopped, is missing, or made an unsuitable object."""

from __future__ import annotations

import ast
from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING

from autograder.assignment.checks import VALUE
from autograder.explain.class_rules import obstacle_words, read_obstacle
from autograder.explain.exceptions import read_error
from autograder.explain.feedback_text import cut
from autograder.explain.raised import (
    Raised,
    is_of_shapes,
    lacked_memory,
    name_missed,
    shown_sizes,
    was_forbidden,
)
from autograder.explain.rules import Finding, explained, finding, holding, said, say
from autograder.explain.signatures import another_order
from autograder.explain.slips import leftover_raise
from autograder.explain.syntax import is_on, nodes
from autograder.explain.wording import (
    called_with,
    capital,
    describe,
    error_words,
    line_words,
    listed,
    place,
)
from autograder.explain.words_of_files import ADVICE
from autograder.near_names import nearest
from autograder.reasons import Reason
from autograder.results import Feedback, LoadReport, Outcome
from autograder.sandbox.inside.few_lines import MOST_LINES_RUN
from autograder.values.values import DictValue

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from autograder.assignment.checks import Check
    from autograder.exam.questions import Asked, Question
    from autograder.explain.student_code import StudentCode, Submitted
    from autograder.explain.trace import Trace
    from autograder.results import Frame, Observation, StudentError
    from autograder.values.values import Value

SHOWN_LINES = 3
_SHOWN_PLACES = 3
NOT_STARTED = Feedback(
    Outcome.NOT_STARTED, message="Not started yet.", reasons=(Reason.NOT_STARTED,)
)


def explain_unsuitable(asked: Asked, seen: Observation, submitted: Submitted) -> Feedback:
    """Explain an object that a probe could not use."""
    assert seen.obstacle is not None
    definition = submitted.code.definition(asked.check.name)
    line = another_order(definition, submitted.released(asked.check.name))
    attributes = _attributes(asked.question)
    cause = explained(line or read_obstacle(seen.obstacle, definition, attributes))
    return replace(
        cause,
        hint=cause.hint or asked.check.look(asked.criterion, "unsuitable"),
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


def explain_error(
    asked: Asked,
    seen: Observation,
    submitted: Submitted,
    trace: Callable[[], Trace | None] = lambda: None,
) -> Feedback:
    """Explain an exception in the student's code.

    Args:
        trace: returns what the expressions computed in a run that raised the same; None if it is not known.
    """
    error, step, steps = seen.error, asked.check.name, submitted.stubs.keys()
    assert error is not None
    if stub := other_stub(step, error, steps):
        return _comes_first("calls_a_stub", step, stub)
    missing = name_missed(error)
    if missing in steps - {step, *submitted.names}:
        return _comes_first("calls_a_missing_step", step, missing)
    cause = explained(read_error(_case(asked, error, submitted, trace())), Outcome.RAISED)
    inner = other_step(step, error, steps)
    reasons = {
        Reason.KNOWN_ERROR: bool(cause.mistakes),
        Reason.IN_ANOTHER_STEP: bool(inner),
        Reason.FORBIDDEN: was_forbidden(error),
        Reason.OUT_OF_MEMORY: lacked_memory(error),
    }
    return replace(
        cause,
        message=" ".join(filter(None, [_wanted_exception(asked, error), cause.message])),
        hint=cause.hint or asked.check.look(asked.criterion, *_kinds(error, step)),
        seen=_raised(step, error, cause.mistakes),
        expected=asked.criterion.expects,
        called_with=called_with(asked.criterion, asked.question.inputs),
        lines=_lines(error),
        other_step=inner,
        reasons=holding(reasons),
    )


def _case(asked: Asked, error: StudentError, submitted: Submitted, trace: Trace | None) -> Raised:
    """Return an exception of a question as rules read it."""
    given = asked.question.inputs
    inputs = given if error.inner_function == asked.check.name else {}
    attributes, sizes = _attributes(asked.question), shown_sizes(given.values(), error)
    return Raised(error, submitted, attributes, inputs, asked.criterion.raises, trace, sizes)


def _kinds(error: StudentError, step: str) -> tuple[str, ...]:
    """Return the kinds of fault that an exception in a step's own lines shows."""
    own = error.inner_function == step
    return ("raised", "shape") if own and is_of_shapes(error) else ("raised",)


def _wanted_exception(asked: Asked, error: StudentError) -> str:
    """Say which exception must be raised in place of this one; empty if none was asked for."""
    if not asked.criterion.raises:
        return ""
    key = "other_exception.same_name" if error.type == asked.criterion.raises else "other_exception"
    return say(key, wanted=asked.criterion.raises, raised=error.type)


def _comes_first(key: str, step: str, other: str) -> Feedback:
    """Say that another step comes first."""
    return Feedback(
        Outcome.RAISED,
        message=say(key, step=step, other=other),
        other_step=other,
        reasons=(Reason.WAITS_FOR_A_STEP,),
    )


def explain_misuse(
    asked: Asked,
    error: StudentError,
    step: str,
    given: Mapping[str, Value],
    submitted: Submitted,
    *,
    right: bool,
) -> Feedback:
    """Explain a call of another step with arguments that it does not take; `right` says that this step is right."""
    callers = tuple(takewhile(lambda frame: frame.outer != step, error.frames))
    lines = callers[-SHOWN_LINES:]
    caller = callers[-1].outer if callers else ""
    if caller in submitted.stubs and caller != asked.check.name:
        reasons = (Reason.IN_ANOTHER_STEP,)
        seen = _raised(asked.check.name, error)
        return Feedback(Outcome.RAISED, seen=seen, lines=lines, other_step=caller, reasons=reasons)
    other = next(other for other in asked.exam.assignment.checks if other.name == step)
    criterion = other.criterion(VALUE)
    inputs = asked.exam.questions_for(other, criterion)[0].inputs
    takes = _arguments({name: inputs[name] for name, _ in called_with(criterion, inputs)})
    found = finding(
        "misused" + ".right" * right,
        step=asked.check.name,
        other=step,
        place=capital(place(callers[-1])) if callers else "Your call",
        given=_arguments(given) or "something that it does not take",
        takes=f" It takes, for example, {takes}." * bool(given or not right),
        error=error_words(error),
    )
    hint = asked.check.look(asked.criterion, "shape") if given and is_of_shapes(error) else ""
    return replace(said(Outcome.RAISED, found, Reason.MISUSED_STEP, lines=lines), hint=hint)


def _arguments(given: Mapping[str, Value]) -> str:
    return listed(f"`{name}` = {describe(value)}" for name, value in given.items())


def explain_leftover(step: str, error: StudentError, submitted: Submitted) -> Feedback:
    """Explain a step whose own stub line raised: not started, or the line was left beside the code."""
    definition = submitted.code.definition(step)
    found = leftover_raise(definition, submitted.stubs.get(step, "")) if definition else None
    if found is None:
        return NOT_STARTED
    return replace(
        explained(found, Outcome.RAISED),
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
    """Return the last lines of a traceback, each once."""
    every = {(one.file, one.line): one for one in reversed(error.frames)}
    return tuple(reversed(every.values()))[-SHOWN_LINES:]


def explain_ended(check: Check, question: Question | None, seen: Observation) -> Feedback:
    """Explain a step that did not return: stopped, exited, crashed, or its answer was too large."""
    called_exit = seen.outcome is Outcome.EXITED and seen.error is not None
    ended = seen.detail
    if seen.obstacle is not None:
        ended = say("too_large", step=check.name, size=seen.obstacle.seen)
    if called_exit:
        ended = say("called_exit", step=check.name)
    reasons = {Reason.ANSWER_TOO_LARGE: seen.obstacle is not None, Reason.CALLED_EXIT: called_exit}
    return Feedback(
        seen.outcome,
        message=ADVICE.get(seen.outcome, ""),
        seen=ended,
        called_with=called_with(check.criterion(question.criterion), question.inputs)
        if question
        else (),
        lines=_lines(seen.error) if called_exit and seen.error else (),
        reasons=holding(reasons),
    )


def explain_running(ended: Feedback, error: StudentError, code: StudentCode) -> Feedback:
    """Add the loop in which a step is that does not end: `error` says in which line it is after many lines."""
    frame = error.frames[-1]
    definition = code.around(frame)
    loops = [
        one
        for one in nodes(definition.node if definition else ast.Pass(), ast.stmt)
        if isinstance(one, ast.For | ast.While) and is_on(one, frame.line)
    ]
    if definition is None or not loops:
        return ended
    loop = max(loops, key=lambda one: (isinstance(one, ast.While), one.lineno))
    head = definition.text.split("\n")[loop.lineno - definition.line].strip()
    found = finding("still_in_a_loop", count=MOST_LINES_RUN, line=loop.lineno, loop=cut(head, 64))
    place = replace(frame, line=loop.lineno, text=head)
    return replace(ended, message=found.says, hint=found.look, lines=(place,))


# A step that the file does not define.


def explain_missing(step: str, loaded: LoadReport, submitted: Submitted) -> Feedback:
    """Explain a name that the file does not define, and suggest a similar one."""
    if known := _failed_or_unfit(step, loaded):
        return known
    if step in submitted.aside:
        return said(Outcome.MISSING, finding("missing.aside", step=step), Reason.NOT_DEFINED)
    if inside := defined_inside(step, submitted.code):
        return said(Outcome.MISSING, inside, Reason.NOT_DEFINED)
    if near := nearest(step, {*loaded.names} - {*submitted.stubs}):
        found = finding("missing.near", step=step, near=near)
        return said(Outcome.MISSING, found, Reason.NOT_DEFINED, Reason.MISSPELT)
    # Of a file without any definition it was said already.
    key = "missing.others" if loaded.names or submitted.code.headers else "missing"
    return said(Outcome.MISSING, finding(key, step=step), Reason.NOT_DEFINED)


def _failed_or_unfit(step: str, loaded: LoadReport) -> Feedback | None:
    """Explain a step whose definition failed, or whose name is bound to something else."""
    for rebinding in loaded.unfit:
        if rebinding.name == step:
            found = finding("not_the_step", step=step, kind=rebinding.type)
            lines, reasons = (rebinding.frame,), (Reason.NOT_DEFINED, Reason.NOT_A_STEP)
            return said(Outcome.MISSING, found, *reasons, lines=lines)
    for failure in loaded.failures:
        if step in failure.defines:
            found = finding("lines_failed", step=step)
            memory = (Reason.OUT_OF_MEMORY,) * lacked_memory(failure)
            why = (Reason.NOT_DEFINED, Reason.FILE_STOPPED, *memory)
            return said(Outcome.MISSING, found, *why, lines=failure.frames[:1])
    return None


def defined_again(name: str, code: StudentCode) -> str:
    """Say so if a function or class is defined more than once; else return an empty text."""
    found = [header for header in code.headers if header.name == name and header.indent == 0]
    if len(found) < 2:  # noqa: PLR2004 - more than once
        return ""
    shown = [
        line_words(header.label, header.line) for header in (*found[: _SHOWN_PLACES - 1], found[-1])
    ]
    *first, last = dict.fromkeys(shown)
    return say("defined_again", step=name, places=", ".join(first), last=last)


def defined_inside(name: str, code: StudentCode) -> Finding | None:
    """Notice a function or class that is indented, so that the file itself does not define it."""
    for number, header in enumerate(code.headers):
        if header.name != name or header.indent == 0:
            continue
        around = next(
            (
                outer.name
                for outer in reversed(code.headers[:number])
                if outer.piece == header.piece and outer.indent < header.indent
            ),
            "",
        )
        inside = f"it stands inside `{around}`" if around else "it belongs to the lines above it"
        where = line_words(header.label, header.line)
        return finding("defined_inside", step=name, place=where, inside=inside)
    return None


# Where an exception comes from.


def other_stub(step: str, error: StudentError, steps: Collection[str]) -> str:
    """Return the other step, still a stub, that ended a call of `step`; empty if no stub did."""
    return other_step(step, error, steps) if error.is_of_a_stub else ""


def called_step(step: str, error: StudentError, steps: Collection[str]) -> str:
    """Return the other step that a step called when an exception was raised; empty if it called none."""
    names = (frame.outer for frame in error.frames)
    return next((name for name in names if name != step and name in steps), "")


def other_step(step: str, error: StudentError, steps: Collection[str]) -> str:
    """Return the name of the other step that raised the exception; empty if this step did."""
    inner = error.inner_function
    return inner if inner != step and inner in steps else ""
