"""Write feedback as Markdown. Only this module turns the record into paragraphs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.explain.wording import listed
from autograder.reasons import UNSUITABLE, Reason
from autograder.results import Outcome

if TYPE_CHECKING:
    from autograder.results import CheckResult, Feedback, Frame, Numbers, Repeats

SHOWN_ROWS = 2
SHOWN_COLUMNS = 6
SHOWN_CHARACTERS = 100
LONG_NUMBER = 1e5

_PRINTED = "With the documents' inputs the printed numbers were expected."
_REASON_WORDS = {
    Reason.FORBIDDEN: "Code that is graded can only compute: it reads nothing but Python and its libraries, "
    "writes no file, starts no program and opens no connection.",
    Reason.RIGHT_CALLS: "This is what happens when the steps that it calls give right answers.",
}


def check_markdown(check: CheckResult) -> str:
    """Return the feedback of one check as Markdown; empty if there is none.

    An override stands first: the points that a person gave, and why.
    """
    text = markdown(check.feedback) if check.feedback else ""
    return "\n\n".join(part for part in (_override(check), text) if part)


def _override(check: CheckResult) -> str:
    if check.override is None:
        return ""
    who = f" ({check.override.who})" if check.override.who else ""
    why = f": {check.override.reason}" if check.override.reason else "."
    return f"A person gave {check.score:g} of {check.max_score:g} points for this step{who}{why}"


def markdown(feedback: Feedback) -> str:
    """Return the whole feedback as Markdown."""
    return "\n\n".join(paragraphs(feedback))


def paragraphs(feedback: Feedback) -> list[str]:
    """Return the paragraphs of the feedback. Blocks of code and numbers are indented."""
    parts = _in_full(feedback)
    parts += [f"Also: {brief(further)}" for further in feedback.also]
    parts += [f"Remark: {words}" for words in feedback.remarks]
    return [part for part in parts if part]


def brief(feedback: Feedback) -> str:
    """Return the main parts of the feedback of a further criterion."""
    if is_unsuitable(feedback):
        return _side_by_side(feedback.seen, feedback.message)
    if feedback.outcome is Outcome.RAISED:
        return feedback.seen
    if feedback.mistakes:
        return "\n\n".join(filter(None, (feedback.message, _hint(feedback))))
    return _with_fault(_documented(feedback), feedback.seen)


def is_unsuitable(feedback: Feedback) -> bool:
    """Return whether a probe could not use the object that the student's class made."""
    return not UNSUITABLE.isdisjoint(feedback.reasons)


def _in_full(feedback: Feedback) -> list[str]:
    if is_unsuitable(feedback) or feedback.outcome is Outcome.MISSING:
        return [
            _side_by_side(feedback.seen, feedback.message),
            _lines(feedback.lines),
            *reason_words(feedback),
            _hint(feedback),
            _expected(feedback),
        ]
    if feedback.outcome is Outcome.WRONG:
        return [
            repeated(feedback.repeats),
            _with_fault(meaning(feedback), feedback.seen),
            *reason_words(feedback),
            _hint(feedback),
            "" if feedback.repeats else _expected(feedback),
            _called(feedback),
            *_numbers(feedback.numbers, two_at_once=Reason.TWO_AT_ONCE in feedback.reasons),
        ]
    return [
        repeated(feedback.repeats),
        feedback.seen,
        _lines(feedback.lines),
        other_step_words(feedback),
        feedback.message,
        *reason_words(feedback),
        _hint(feedback),
        _called(feedback),
        _expected(feedback),
    ]


def meaning(feedback: Feedback) -> str:
    """Return what a wrong answer means; empty if unknown."""
    if feedback.outcome is Outcome.WRONG and not is_unsuitable(feedback):
        return feedback.message or _documented(feedback)
    return feedback.message


def _side_by_side(*sentences: str) -> str:
    return " ".join(filter(None, sentences))


def _with_fault(meaning: str, fault: str) -> str:
    return f"{meaning} ({fault})" if meaning and fault else meaning or fault


def _documented(feedback: Feedback) -> str:
    return _PRINTED if Reason.DOCUMENTED_INPUTS in feedback.reasons else ""


def _hint(feedback: Feedback) -> str:
    return f"Where to look: {feedback.hint}" if feedback.hint else ""


def _expected(feedback: Feedback) -> str:
    return f"Expected: {feedback.expected}" if feedback.expected else ""


def _called(feedback: Feedback) -> str:
    inputs = ", ".join(f"`{name}` {words}" for name, words in feedback.called_with)
    return f"Called with {inputs}." if inputs else ""


def reason_words(feedback: Feedback) -> list[str]:
    """Return what the reasons of the feedback mean, where the other parts do not say it."""
    return [_REASON_WORDS[reason] for reason in feedback.reasons if reason in _REASON_WORDS]


def other_step_words(feedback: Feedback) -> str:
    """Say in which other step of the student the call stopped; empty if in none."""
    if Reason.IN_ANOTHER_STEP not in feedback.reasons:
        return ""
    return f"It stopped inside your `{feedback.other_step}`, which is a step of its own: fix that first."


def repeated(repeats: Repeats | None) -> str:
    """Say what a mistake costs that earlier steps already lost points for."""
    if repeats is None:
        return ""
    named = listed(f"`{step}`" for step in repeats.steps)
    first = "fix that first" if len(repeats.steps) == 1 else "fix these first"
    share = {0.0: "nothing", 0.5: "only half"}.get(repeats.cost, f"only {repeats.cost:.0%}")
    if repeats.called:
        words = f"This step calls your {named}, {_state(repeats.called)}: {first}."
        why = f"Then the answer of this step is right too, so it costs {share} here."
    else:
        words = f"This step repeats what is wrong in {named}: {first}."
        why = f"It costs {share} here, because the same mistake already cost points there."
    return words if repeats.cost == 1 else f"{words} {why}"


def _state(called: tuple[Outcome, ...]) -> str:
    """Return what is wrong with the called steps."""
    if len(called) > 1:
        return "which are not right yet"
    states = {
        Outcome.MISSING: "which is missing",
        Outcome.NOT_STARTED: "which is not started yet",
        Outcome.PASSED: "which has a remark",
    }
    return states.get(called[0], "which is not right yet")


def _lines(frames: tuple[Frame, ...]) -> str:
    """Return the student's own lines of the traceback, the innermost last."""
    lines = []
    for frame in frames:
        lines.append(f"{frame.file}, line {frame.line}, in {frame.function}")
        if frame.text:
            lines.append(f"    {frame.text[:SHOWN_CHARACTERS]}")
    return _block("\n".join(lines))


def _numbers(numbers: Numbers | None, *, two_at_once: bool) -> list[str]:
    """Return the first numbers. Feedback about two mistakes at once is long without them."""
    if numbers is None or two_at_once:
        return []
    lines = [
        " ".join(_number(number, numbers.decimals) for number in row[:SHOWN_COLUMNS])
        + (" ..." if numbers.more_columns or len(row) > SHOWN_COLUMNS else "")
        for row in numbers.rows[:SHOWN_ROWS]
    ]
    if numbers.more_rows or len(numbers.rows) > SHOWN_ROWS:
        lines.append("...")
    return [f"What came back, {numbers.description}:", _block("\n".join(lines))]


def _number(number: float | str, decimals: int) -> str:
    if not isinstance(number, float):
        return f"{number!s:>9}"
    return f"{number:9.{decimals}f}" if abs(number) < LONG_NUMBER else f"{number:9.3g}"


def _block(text: str) -> str:
    return "\n".join("    " + line for line in text.splitlines())
