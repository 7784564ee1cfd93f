"""Write feedback as Markdown. Only this module turns the record into paragraphs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.reasons import UNSUITABLE, Reason
from autograder.results import Outcome

if TYPE_CHECKING:
    from autograder.results import CheckResult, Feedback, Frame, Numbers, Repeats

SHOWN_CHARACTERS = 100
LONG_NUMBER = 1e5

_PRINTED = "With the documents' inputs the printed numbers were expected."
_REASON_WORDS = {
    Reason.NO_INPUT: "Nobody answers input() while your work is looked at: remove it.",
    Reason.FORBIDDEN: "Code that is graded can only compute: it reads nothing but Python and its libraries, "
    "writes no file, starts no program and opens no connection.",
    Reason.REST_OF_FILE_RAN: "What was defined before that line was looked at all the same.",
}


def check_markdown(check: CheckResult) -> str:
    """Return the feedback of one check as Markdown; empty if there is none."""
    return markdown(check.feedback) if check.feedback else ""


def markdown(feedback: Feedback) -> str:
    """Return the whole feedback as Markdown."""
    return "\n\n".join(paragraphs(feedback))


def paragraphs(feedback: Feedback) -> list[str]:
    """Return the paragraphs of the feedback. Blocks of code and numbers are indented."""
    parts = _in_full(feedback)
    parts += [f"Also: {brief(one)}" for one in feedback.also]
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
    """Whether a probe could not use the object that the student's class made."""
    return not UNSUITABLE.isdisjoint(feedback.reasons)


def _in_full(feedback: Feedback) -> list[str]:
    if is_unsuitable(feedback) or feedback.outcome is Outcome.MISSING:
        return [
            _side_by_side(feedback.seen, feedback.message),
            _lines(feedback.lines),
            *_reasons(feedback),
            _hint(feedback),
            _expected(feedback),
        ]
    if feedback.outcome is Outcome.WRONG:
        return [
            _repeated(feedback.repeats),
            _with_fault(feedback.message or _documented(feedback), feedback.seen),
            _hint(feedback),
            "" if feedback.repeats else _expected(feedback),
            _called(feedback),
            *_numbers(feedback.numbers),
        ]
    return [
        feedback.seen,
        _lines(feedback.lines),
        _other_step(feedback),
        feedback.message,
        *_reasons(feedback),
        _hint(feedback),
        _called(feedback),
        _expected(feedback),
    ]


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


def _reasons(feedback: Feedback) -> list[str]:
    return [_REASON_WORDS[reason] for reason in feedback.reasons if reason in _REASON_WORDS]


def _other_step(feedback: Feedback) -> str:
    if Reason.IN_ANOTHER_STEP not in feedback.reasons:
        return ""
    return f"It stopped inside your `{feedback.other_step}`, which is a step of its own: fix that first."


def _repeated(repeats: Repeats | None) -> str:
    """Say what a mistake costs that earlier steps already lost points for."""
    if repeats is None:
        return ""
    named = " and ".join(f"`{step}`" for step in repeats.steps)
    words = f"This step repeats what is wrong in {named}: fix that first."
    if repeats.cost == 0:
        return f"{words} It costs nothing here."
    share = {0.5: "half", 1.0: "all"}.get(repeats.cost, f"{repeats.cost:.0%}")
    return f"{words} You lose {share} of what it costs here." if repeats.cost < 1 else words


def _lines(frames: tuple[Frame, ...]) -> str:
    """Return the student's own lines of the traceback, the innermost last."""
    lines = []
    for frame in frames:
        lines.append(f"{frame.file}, line {frame.line}, in {frame.function}")
        if frame.text:
            lines.append(f"    {frame.text[:SHOWN_CHARACTERS]}")
    return _block("\n".join(lines))


def _numbers(numbers: Numbers | None) -> list[str]:
    if numbers is None:
        return []
    lines = [
        " ".join(_number(number, numbers.decimals) for number in row)
        + (" ..." if numbers.more_columns else "")
        for row in numbers.rows
    ]
    if numbers.more_rows:
        lines.append("...")
    return [f"What came back, {numbers.description}:", _block("\n".join(lines))]


def _number(number: float | str, decimals: int) -> str:
    if not isinstance(number, float):
        return f"{number!s:>9}"
    return f"{number:9.{decimals}f}" if abs(number) < LONG_NUMBER else f"{number:9.3g}"


def _block(text: str) -> str:
    return "\n".join("    " + line for line in text.splitlines())
