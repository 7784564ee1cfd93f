"""Feedback for a step without a usable answer: raised, stopped, missing, or unsuitable object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.explain.exceptions import read_error
from autograder.explain.obstacles import obstacle_words, read_obstacle
from autograder.explain.wording import called_with, error_words
from autograder.reasons import Reason
from autograder.results import Feedback, Frame, Outcome, StudentError

if TYPE_CHECKING:
    from autograder.assignment.checks import Check
    from autograder.exam.questions import Question
    from autograder.explain.exceptions import Reading
    from autograder.results import Loaded, Observation

SHOWN_LINES = 3

NOT_STARTED = Feedback(
    Outcome.NOT_STARTED, message="Not started yet.", reasons=(Reason.NOT_STARTED,)
)


def explain_unsuitable(check: Check, seen: Observation) -> Feedback:
    """Explain an object that a probe could not use."""
    assert seen.obstacle is not None
    known = read_obstacle(seen.obstacle)
    name = seen.obstacle.name
    return Feedback(
        Outcome.WRONG,
        message=known.says if known else "",
        hint=known.look.format(name=name) if known else check.look,
        seen=obstacle_words(seen.obstacle),
        expected=check.expects,
        mistakes=(known.name,) if known else (),
        sure=known is not None and known.sure,
        reasons=(seen.obstacle.reason,),
    )


def explain_error(
    check: Check,
    question: Question,
    seen: Observation,
    steps: set[str],
    loaded: Loaded | None = None,
) -> Feedback:
    """Explain an exception in the student's code."""
    error = seen.error
    assert error is not None
    waits = waits_for(check.name, error, steps)
    if waits:
        return _waiting(check, waits)
    criterion = check.criterion(question.criterion)
    reading = read_error(error, loaded.names if loaded else ())
    inner = _other_step(check, error, steps)
    reasons = {
        Reason.KNOWN_ERROR: reading is not None,
        Reason.IN_ANOTHER_STEP: bool(inner),
        Reason.FORBIDDEN: _was_forbidden(error),
    }
    return Feedback(
        Outcome.RAISED,
        message=reading.says if reading else "",
        hint=(reading and reading.look) or criterion.look or check.look,
        seen=_raised(check, error, reading),
        expected=criterion.expects,
        called_with=called_with(criterion, question.inputs),
        lines=_lines(error),
        other_step=inner,
        mistakes=(reading.name,) if reading else (),
        sure=reading is not None and reading.sure,
        reasons=tuple(reason for reason, holds in reasons.items() if holds),
    )


def _waiting(check: Check, step: str) -> Feedback:
    words = (
        f"`{check.name}` calls your `{step}`, which is not started yet. "
        f"Finish `{step}` first, then this step can be judged."
    )
    reasons = (Reason.WAITS_FOR_A_STEP,)
    return Feedback(Outcome.RAISED, message=words, other_step=step, reasons=reasons)


def _raised(check: Check, error: StudentError, reading: Reading | None) -> str:
    if error.frames:
        return f"`{check.name}` raised {error_words(error)}"
    if reading and reading.name == "arguments_do_not_fit":
        return f"`{check.name}` could not be called: {error_words(error)}"
    return f"What `{check.name}` gave back could not be used: {error_words(error)}"


def _lines(error: StudentError) -> tuple[Frame, ...]:
    return error.frames[-SHOWN_LINES:]


def _other_step(check: Check, error: StudentError, steps: set[str]) -> str:
    """Return the name of the other step that raised the exception; empty if this step did."""
    inner = error.frames[-1].function.split(".")[0] if error.frames else check.name
    return inner if inner != check.name and inner in steps else ""


def _was_forbidden(error: StudentError) -> bool:
    """Whether access was denied. Torch's own file functions raise a RuntimeError that says so."""
    return error.type == "PermissionError" or "Permission denied" in error.message


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
        Outcome.EXITED: "Remove exit() and os._exit(): a step returns, and a file just ends.",
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


def explain_missing(check: Check, loaded: Loaded | None, steps: set[str]) -> Feedback:
    """Explain a name that the file does not define, and suggest a similar one."""
    import difflib  # noqa: PLC0415 - only needed for a missing name

    names = loaded.names if loaded else ()
    failures = loaded.failures if loaded else ()
    others = [name for name in names if name not in steps]
    close = difflib.get_close_matches(check.name, others, n=1, cutoff=0.6)
    lines: tuple[Frame, ...] = ()
    reasons: tuple[Reason, ...] = ()
    if close:
        words = f"It defines `{close[0]}`: did you mean `{check.name}`? Rename it."
        reasons = (Reason.MISSPELT,)
    elif failures:
        failed = explain_failure(failures[0])
        words, lines, reasons = failed.seen, failed.lines, failed.reasons
    elif not names:
        words = "It defines no function at all: is it the right file, and did you save it?"
    else:
        words = "Names must be as in the release; copy the step's first line from there."
    return Feedback(
        Outcome.MISSING,
        message=words,
        seen=f"Your file does not define `{check.name}`.",
        lines=lines,
        reasons=(Reason.NOT_DEFINED, *reasons),
    )


def explain_failure(error: StudentError) -> Feedback:
    """Explain why a part of the file stopped with an exception."""
    no_rest = ("EOFError", "SyntaxError", "IndentationError", "TabError")
    reasons = {
        Reason.FILE_STOPPED: True,
        Reason.NO_INPUT: error.type == "EOFError",
        Reason.FORBIDDEN: _was_forbidden(error),
        Reason.REST_OF_FILE_RAN: error.type not in no_rest,
    }
    return Feedback(
        Outcome.RAISED,
        seen=f"Running your file stopped with {error_words(error)}",
        lines=_lines(error),
        reasons=tuple(reason for reason, holds in reasons.items() if holds),
    )


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
    """Whether the step's own stub raised the exception."""
    return _stub_of(error) == step
