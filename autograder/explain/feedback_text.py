"""Feedback as blocks: paragraphs, and lines that are shown as they are. Every view of feedback renders these blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.explain.wording import listed
from autograder.reasons import UNSUITABLE, Reason
from autograder.results import Block, Outcome, TracedLine, as_markdown, paragraphs, points_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from autograder.results import CheckResult, Feedback, Numbers

RULE = (
    "Each step is judged by itself: where it calls a step of yours that is not right, a right one takes its place, and "
    "what it answers then counts. If this answer shows a known mistake of a step that it is built from, made again in "
    "its own lines, it keeps half of the points that rest on the answer; any other wrong answer costs all of them."
)
SHOWN_ROWS = 2
SHOWN_COLUMNS = 6
SHOWN_CHARACTERS = 100
LONG_NUMBER = 1e5

# The columns of a traced line's source, shape and mark together, and the least for its source.
MOST_WIDTH, LEAST_TEXT = 66, 28
MARK_WORDS = {
    "": "",
    "right": "right",
    "first": "first wrong value",
    "unjudged": "wrong here or before",
    "not_finite": "first nan or inf",
    "crossed": "crossed names",
    "reordered": "in another order",
    "unused": "nothing uses this",
    "rounds": "leaves some out",
    "here": "the fault is here",
    "stopped": "stopped here",
}

_PRINTED = "With the documents' inputs the printed numbers were expected."
_REASON_WORDS = {
    Reason.FORBIDDEN: "Code that is graded can only compute: it reads nothing but Python and its libraries, "
    "writes no file, starts no program and opens no connection.",
    Reason.RIGHT_CALLS: "This is what happens when the steps that it calls give right answers.",
}


def check_markdown(check: CheckResult) -> str:
    """Return the feedback of one check as Markdown; empty if there is none."""
    return as_markdown(check_blocks(check))


def check_blocks(check: CheckResult) -> list[Block]:
    """Return the feedback of one check. An override stands first: the points that a person gave, and why."""
    blocks = feedback_blocks(check.words)
    blocks += paragraphs(cost_words(check))
    if check.override is None:
        return blocks
    given = f"{points_words(check)} for this step{check.override.ending}"
    return [Block(f"A person gave {given}"), *blocks]


def feedback_blocks(feedback: Feedback) -> list[Block]:
    """Return the blocks of the whole feedback."""
    also = []
    for further in feedback.also:
        first, *rest = brief(further)
        also += [f"Also: {first}", *rest]
    remarks = (f"Remark: {words}" for words in feedback.remarks)
    return [*_in_full(feedback), *paragraphs(*also, *remarks)]


def brief(feedback: Feedback) -> tuple[str, ...]:
    """Return the main parts of the feedback of a further criterion, as paragraphs."""
    if is_unsuitable(feedback):
        return (_side_by_side(feedback.seen, feedback.message),)
    if feedback.outcome is Outcome.RAISED:
        return (feedback.seen,)
    if feedback.mistakes:
        return tuple(filter(None, (feedback.message, _hint(feedback)))) or ("",)
    return (_with_fault(_documented(feedback), feedback.seen),)


def is_unsuitable(feedback: Feedback) -> bool:
    """Return whether a probe could not use the object that the student's class made."""
    return not UNSUITABLE.isdisjoint(feedback.reasons)


def _in_full(feedback: Feedback) -> list[Block]:
    """Return the blocks of one criterion."""
    reasons, hint = reason_words(feedback), _hint(feedback)
    expected = f"Expected: {feedback.expected}" if feedback.expected else ""
    if is_unsuitable(feedback) or feedback.outcome is Outcome.MISSING:
        first = [repeated(feedback), _side_by_side(feedback.seen, feedback.message)]
        rest = [*reasons, hint, expected]
    elif feedback.outcome is Outcome.WRONG:
        first = [repeated(feedback), _with_fault(meaning(feedback), feedback.seen)]
        rest = [*reasons, hint, expected, _called(feedback)]
    else:
        first = [repeated(feedback), feedback.seen]
        other = other_step_words(feedback)
        rest = [other, feedback.message, *reasons, hint, _called(feedback), expected]
    after = [*paragraphs(*rest), *numbers_blocks(feedback.numbers)]
    return [*paragraphs(*first), *_lines(feedback), *after]


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


def _called(feedback: Feedback) -> str:
    return f"Inputs of this check: {inputs_words(feedback)}." if feedback.called_with else ""


def inputs_words(feedback: Feedback) -> str:
    """Return the name of each input, with its shape or value."""
    return ", ".join(f"`{name}` {words}" for name, words in feedback.called_with)


def reason_words(feedback: Feedback) -> list[str]:
    """Return what the reasons of the feedback mean, where the other parts do not say it."""
    return [_REASON_WORDS[reason] for reason in feedback.reasons if reason in _REASON_WORDS]


def total_words(checks: Iterable[CheckResult]) -> str:
    """Say that the grade can be higher than these public checks, if a step fails with another one; else nothing."""
    if any(check.words.repeats or check.words.other_step for check in checks):
        return "The grade can be higher: there a right step stands in for a wrong one that another step calls."
    return ""


def other_step_words(feedback: Feedback) -> str:
    """Say in which other step of the student the call stopped; empty if in none."""
    if Reason.IN_ANOTHER_STEP not in feedback.reasons:
        return ""
    return f"It stopped inside your `{feedback.other_step}`, which is a step of its own: fix that first."


def cost_words(check: CheckResult) -> str:
    """Say what a step lost, if that is a part of its points and final; else empty."""
    if Reason.JUDGED_ALONE in check.words.reasons:
        repeats = check.words.repeats
        if repeats and not repeats.called:
            return "The grade judges this step by itself."
        steps = repeats.steps if repeats else (check.words.other_step,)
        named = listed(f"`{step}`" for step in steps)
        return f"The grade judges this step by itself: there a right {named} answers its calls."
    earned = check.judged_score
    if not check.feedback or not 0 < earned < check.max_score:
        return ""
    words = f"Costs {check.max_score - earned:g} of {check.max_score:g} points."
    if check.feedback.half_of:
        named = listed(f"`{step}`" for step in check.feedback.half_of)
        words += (
            f" A known mistake of {named} gives the same answer. Made here, in the step's own lines, "
            "it costs half of what rests on the answer."
        )
    return words


def repeated(feedback: Feedback) -> str:
    """Say which earlier steps to fix first."""
    repeats = feedback.repeats
    if repeats is None:
        return ""
    named = listed(f"`{step}`" for step in repeats.steps)
    one = len(repeats.steps) == 1
    remarked = {*repeats.called} == {Outcome.PASSED}
    do = "read" if remarked else "fix"  # a remark costs nothing
    first = f"{do} that first" if one else f"{do} these first"
    if not repeats.called:
        return f"This step repeats what is wrong in {named}: {first}."
    words = f"This step calls your {named}, {_state(repeats.called)}: {first}."
    if Reason.CARRIED_FORWARD not in feedback.reasons or Reason.JUDGED_ALONE in feedback.reasons:
        return words
    if remarked:
        place = "one without it in its place" if one else "ones without them in their place"
    else:
        place = "a right one in its place" if one else "right ones in their place"
    return f"{words} With {place} the answer of this step is right, so it costs nothing here."


def _state(called: tuple[Outcome, ...]) -> str:
    """Return what is wrong with the called steps."""
    if len(called) > 1:
        if {*called} == {Outcome.PASSED}:
            return "which have a remark"
        return "which are not right yet" + " or have a remark" * (Outcome.PASSED in called)
    states = {
        Outcome.MISSING: "which is missing",
        Outcome.NOT_STARTED: "which is not started yet",
        Outcome.PASSED: "which has a remark",
    }
    return states.get(called[0], "which is not right yet")


def shown_lines(feedback: Feedback) -> tuple[TracedLine, ...]:
    """Return the lines of the trace, or else of the traceback."""
    frames = (TracedLine(one.file, one.line, one.function, one.text) for one in feedback.lines)
    return feedback.traced or tuple(frames)


def _lines(feedback: Feedback) -> list[Block]:
    """Return a table: each line beside the shape and the mark of what it computed."""
    lines = shown_lines(feedback)
    if not lines:
        return []
    marks = [mark_words(line) for line in lines]
    marked = (line.shape for line, mark in zip(lines, marks, strict=True) if mark)
    end = max(map(len, marked), default=0)  # a shape without a mark may be longer
    ends = (
        len(line.shape) if not mark else end + len(mark)
        for line, mark in zip(lines, marks, strict=True)
    )
    widest = max(MOST_WIDTH - max(ends), LEAST_TEXT)
    rows = []
    width = max(len(cut(line.text, widest)) for line in lines)
    for (place, line), mark in zip(with_places(lines), marks, strict=True):
        rows += [f"{place}:"] if place else []
        text, number = cut(line.text, widest), f"{line.line:>4}"
        under = []
        if is_place(line):  # it is shown whole, or around what is blamed
            text = _around(line.text, line.blamed, SHOWN_CHARACTERS - 12)
            left = text.find(line.blamed or text.lstrip())
            under = [" " * (6 + left) + f"{'^' * len(line.blamed)} {line.numbers}".strip()]
        if len(text) > width:
            rows += [f"{number}  {text}", *filter(str.strip, under)]
            text, number, under = "", "", []
        rows.append(f"{number:>4}  {text:<{width}}  {line.shape:<{end}}  {mark}".rstrip())
        rows += filter(str.strip, under)
    return [Block("\n".join(rows), is_code=True)]


def with_places(lines: Iterable[TracedLine]) -> Iterator[tuple[str, TracedLine]]:
    """Yield each line after its file and function, which is empty if it is that of the line before."""
    before = ""
    for line in lines:
        place = f"{line.file}, in {line.function}"
        yield place * (place != before), line
        before = place


def cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 4]} ..."


def _around(text: str, part: str, most: int) -> str:
    """Return a text cut at its ends, with a part of it whole if that has room."""
    end = text.find(part) + len(part)
    return cut(text, most) if end <= most - 4 else f"... {cut(text[end - most + 8 :], most - 4)}"


def is_place(line: TracedLine) -> bool:
    """Return whether a line is the one to look at."""
    return line.mark not in ("", "right")


def mark_words(line: TracedLine) -> str:
    """Return the mark of a line in words; empty if it has none."""
    if line.wrong_from:
        return f"right until {line.right_until}, wrong from {line.wrong_from}"
    return f"the same as line {line.same_as}" if line.same_as else MARK_WORDS[line.mark]


def numbers_blocks(numbers: Numbers | None, what: str = "What came back") -> list[Block]:
    """Return the first numbers of an answer, and `what` they are."""
    if numbers is None:
        return []
    lines = [
        " ".join(f"{number_words(number, numbers.decimals):>9}" for number in row[:SHOWN_COLUMNS])
        + (" ..." if numbers.more_columns or len(row) > SHOWN_COLUMNS else "")
        for row in numbers.rows[:SHOWN_ROWS]
    ]
    if numbers.more_rows or len(numbers.rows) > SHOWN_ROWS:
        lines.append("...")
    caption = f"{what}, {numbers.description}"
    place = f"; {numbers.place}" if numbers.place else ""
    return [Block(f"{caption}{place}:"), Block("\n".join(lines), is_code=True)]


def number_words(number: float | str, decimals: int) -> str:
    """Return a number with these decimals; a large one with three digits."""
    if not isinstance(number, float):
        return str(number)
    return f"{number:.{decimals}f}" if abs(number) < LONG_NUMBER else f"{number:.3g}"
