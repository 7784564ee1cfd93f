"""One check of one student in full, as text. For the instructor only: it contains expected values."""

from __future__ import annotations

from textwrap import indent
from typing import TYPE_CHECKING

import numpy as np

from autograder.assignment.checks import inputs_used, probe_name
from autograder.explain.feedback_text import check_markdown
from autograder.explain.wording import describe, error_words, fault, part_of_answer
from autograder.results import Outcome, points_words
from autograder.text import clean_text, one_line
from autograder.values.numbers import as_array
from autograder.values.values import Array, DictValue, ListValue

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from autograder.assignment.checks import Check
    from autograder.compare import Difference, Right
    from autograder.grading.appeal import JudgedCase, JudgedCheck, JudgedCriterion
    from autograder.results import CheckResult, Observation, Override
    from autograder.values.values import Value

WARNING = "For the instructor: this text holds expected values. It is not for students."
# More numbers of an array are left out in its middle: of a page, and of everything.
_FEW_NUMBERS, _MOST_NUMBERS = 24, 1_000
_WIDTH = 110
_LONGEST_TEXT = 2_000


def appeal_text(check: Check, judged: JudgedCheck, kept: CheckResult, *, full: bool = False) -> str:
    """Return the text: points, what lost them, and the student's feedback.

    Args:
        judged: the check, judged again.
        kept: the check's result in the folder of results, with the points that a person gave.
        full: every case of every criterion, with all numbers, and not only the first wrong one.
    """
    parts = [_points(judged.result, kept), _override(kept)]
    room = None if full else 1
    with np.printoptions(threshold=_MOST_NUMBERS if full else _FEW_NUMBERS, edgeitems=2):
        for criterion in judged.criteria:
            shown = _cases(check, criterion, criterion.cases, room)
            parts += [_heading(criterion), *shown]
            if criterion.again:
                steps = ", ".join(criterion.stand_ins)
                again = _cases(check, criterion, criterion.again, room)
                parts.append(
                    f"-- {criterion.criterion.name}, asked again with right answers for {steps}:"
                )
                parts += again
            room = 0 if room and not all(map(_is_right, criterion.cases)) else room
    words = check_markdown(judged.result)
    parts.append(f"What the student read:\n\n{indent(words or '(nothing)', '  ')}")
    return "\n\n".join(parts)


def _cases(
    check: Check, judged: JudgedCriterion, cases: Sequence[JudgedCase], most: int | None
) -> list[str]:
    """Return the text of all cases, or of at most so many wrong ones, and how many others there are."""
    every = [*enumerate(cases, start=1)]
    wrong = [(number, case) for number, case in every if not _is_right(case)]
    shown = every if most is None else wrong[:most]
    texts = [_case(check, judged, case, number) for number, case in shown]
    if len(shown) == len(every):
        return texts
    right = len(every) - len(wrong)
    return [*texts, f"  more: {len(wrong) - len(shown)} wrong, {right} right (--all shows them)"]


def _is_right(case: JudgedCase) -> bool:
    return case.seen.outcome is Outcome.PASSED and case.difference is None


def _points(now: CheckResult, kept: CheckResult) -> str:
    before = kept.score if kept.earned is None else kept.earned
    words = f"{now.step}: {points_words(now)}, {now.outcome.words}"
    if (now.score, now.outcome) == (before, kept.outcome):
        return f"{words}, as in results.json"
    return (
        f"{words}.\nresults.json has {before:g} points, {kept.outcome.words}: judged again, the submission "
        "gave another answer. Code with random numbers or near the time limit does that."
    )


def _override(kept: CheckResult) -> str:
    if kept.override is None:
        return "No person changed these points."
    return f"overrides.csv changes them to {given_by_hand(kept.override)}"


def given_by_hand(given: Override) -> str:
    """Say which points a person gave, and why."""
    who = f", {one_line(given.who)}" if given.who else ""
    why = f": {one_line(given.reason, _LONGEST_TEXT)}" if given.reason else ""
    return f"{given.points:g} points{who}{why}"


def _heading(judged: JudgedCriterion) -> str:
    name, most = judged.criterion.name, judged.criterion.points
    title = (
        f"remark {name}"
        if judged.criterion.remark
        else f"{name}: {judged.points:g} of {most:g} points"
    )
    if judged.result is None:
        return f"== {title}. It counts only where the value is right."
    words = f"== {title}, {judged.result.outcome.words}"
    if judged.result.called:
        words += f". Right with right answers for {', '.join(judged.result.called)}"
    mistakes = judged.result.feedback.mistakes if judged.result.feedback else ()
    if repetition := judged.result.repetition:
        words += f". Half: a known mistake of {', '.join(repetition.steps_of(mistakes))}"
    if mistakes:
        words += f". Recognised: {', '.join(mistakes)}"
    return f"{words}."


def _case(check: Check, judged: JudgedCriterion, case: JudgedCase, number: int) -> str:
    criterion, inputs = judged.criterion, case.question.inputs
    slack = f" The tolerance is multiplied by {criterion.slack:g}." * (criterion.slack != 1)
    used = inputs_used(case.probe, inputs) or inputs
    fits = sorted(case.looked_at, key=lambda name: name not in case.fits)
    names = [f"{name} (fits)" if name in case.fits else name for name in fits]
    parts = [
        f"-- {number}: {case.question.kind} case, {probe_name(case.probe)}.{slack}",
        _with_parts("called with:", (f"{name} = {_shown(inputs[name])}" for name in used)),
        f"observed: {_seen(case.seen)}",
        *(f"expected: {_right(right)}" for right in case.right),
        f"difference: {_difference(check, criterion.name, case)}",
        f"known mistakes that were compared: {', '.join(names) or 'none'}",
    ]
    return indent("\n".join(parts), "  ")


def _seen(seen: Observation) -> str:
    if seen.outcome is Outcome.PASSED:
        changed = f" (changed in place: {', '.join(seen.changed)})" if seen.changed else ""
        return _shown(seen.value) + changed
    if seen.error is not None:
        lines = [f"  {frame.file}, line {frame.line}: {frame.text}" for frame in seen.error.frames]
        return clean_text("\n".join([error_words(seen.error), *lines]), _LONGEST_TEXT)
    obstacle = f": {seen.obstacle.reason} {seen.obstacle.name}" if seen.obstacle else ""
    return clean_text(f"{seen.outcome.words}{obstacle} {seen.detail}".strip(), _LONGEST_TEXT)


def _right(right: Right) -> str:
    places = "" if right.decimals is None else f" (printed with {right.decimals} decimals)"
    return _shown(right.value) + places


def _difference(check: Check, criterion: str, case: JudgedCase) -> str:
    if case.seen.outcome is not Outcome.PASSED:
        return "there is no answer to compare"
    if case.difference is None:
        return "none, the answer is right"
    part = part_of_answer(check, criterion, case.difference.path)
    words = clean_text(fault(check, case.difference), _LONGEST_TEXT)
    words += worst_number(case.difference)
    return f"{part}: {words}" if part else words


def worst_number(difference: Difference) -> str:
    """Name the number with the largest difference; empty if it is no difference of numbers."""
    seen, wanted = as_array(difference.seen), as_array(difference.wanted)
    if difference.fault != "values" or seen is None or wanted is None or not seen.size:
        return ""
    place = difference.worst
    where = f" at [{', '.join(map(str, place))}]" if place else ""
    return f" The largest{where}: {seen[place]:g}, expected {wanted[place]:g}."


def _shown(value: Value) -> str:
    """Return a value with its numbers, which can be copied into Python."""
    match value:
        case Array():
            with np.printoptions(nanstr="nan", infstr="inf"):
                numbers = np.array2string(
                    value.data,
                    separator=", ",
                    precision=6,
                    suppress_small=True,
                    max_line_width=_WIDTH,
                )
            return _with_parts(describe(value), [numbers])
        case ListValue(kind="raised"):
            return describe(value)
        case ListValue():
            different = f"{len(value.items)} values that must differ"
            title = different if value.kind == "different" else describe(value)
            items = [f"[{number}] {_shown(item)}" for number, item in enumerate(value.items)]
            return _with_parts(title, items)
        case DictValue():
            items = [f"{_shown(key)}: {_shown(item)}" for key, item in value.items]
            return _with_parts(describe(value), items)
        case str():
            return clean_text(repr(value), _LONGEST_TEXT)
        case bool() | int() | float():
            return repr(value)
    return describe(value)


def _with_parts(title: str, parts: Iterable[str]) -> str:
    return "\n".join([title, *(indent(part, "  ") for part in parts)])
