"""One check of one student in full, as text. For the instructor only: it contains expected values."""

from __future__ import annotations

from pprint import pformat
from textwrap import indent
from typing import TYPE_CHECKING

import numpy as np

from autograder.assignment.checks import inputs_used, probe_name
from autograder.explain.feedback_text import check_markdown
from autograder.explain.wording import describe, error_words, fault, part_of_answer
from autograder.results import Outcome, points_words
from autograder.text import clean_text, one_line
from autograder.values.values import Array, DictValue, ListValue

if TYPE_CHECKING:
    from collections.abc import Iterable

    from autograder.assignment.checks import Check
    from autograder.grading.appeal import JudgedCase, JudgedCheck, JudgedCriterion
    from autograder.results import CheckResult, Observation, Override
    from autograder.values.values import Value

WARNING = "For the instructor: this text holds expected values. It is not for students."
_MOST_NUMBERS = 1_000
_WIDTH = 110
_LONGEST_TEXT = 2_000


def appeal_text(check: Check, judged: JudgedCheck, kept: CheckResult, *, full: bool = False) -> str:
    """Return the text: points, what lost them, and the student's feedback.

    Args:
        judged: the check, judged again.
        kept: the check's result in the folder of results, with the points that a person gave.
        full: every case of every criterion, and not only those that are wrong.
    """
    parts = [_points(judged.result, kept)]
    for criterion in judged.criteria:
        parts += [_heading(criterion), *_cases(check, criterion, criterion.cases, full=full)]
        if criterion.again:
            steps = ", ".join(criterion.stand_ins)
            name = criterion.criterion.name
            parts.append(f"-- {name}, asked again with right answers for {steps}:")
            parts += _cases(check, criterion, criterion.again, full=full)
    words = check_markdown(judged.result)
    parts.append(f"What the student read:\n\n{indent(words or '(nothing)', '  ')}")
    return "\n\n".join(parts)


def _cases(
    check: Check, judged: JudgedCriterion, cases: Iterable[JudgedCase], *, full: bool
) -> list[str]:
    """Return the wrong cases, or all, each with what was asked, seen and expected."""
    return [
        f"-- {number}: {case.question.kind} case, {probe_name(case.probe)}\n"
        + indent(_dump(_case(check, judged, case)), "  ")
        for number, case in enumerate(cases, start=1)
        if full or case.seen.outcome is not Outcome.PASSED or case.difference is not None
    ]


def _case(check: Check, judged: JudgedCriterion, case: JudgedCase) -> dict[str, object]:
    criterion, inputs = judged.criterion, case.question.inputs
    used = inputs_used(case.probe, inputs) or inputs
    part = part_of_answer(check, criterion.name, case.difference.path) if case.difference else ""
    return {
        "called with": {name: _plain(inputs[name]) for name in used},
        "observed": _seen(case.seen),
        "expected": [_plain(right.value) for right in case.right],
        "decimals": [right.decimals for right in case.right],
        "tolerance times": criterion.slack,
        "difference": case.difference and clean_text(fault(check, case.difference), _LONGEST_TEXT),
        "part": part,
        "known mistakes that fit": list(case.fits),
    }


def _dump(content: object) -> str:
    with np.printoptions(threshold=_MOST_NUMBERS, precision=6, suppress=True, linewidth=_WIDTH):
        return pformat(content, width=_WIDTH, sort_dicts=False)


def _plain(value: Value) -> object:
    """Return a value as arrays, lists, dictionaries and texts."""
    match value:
        case Array():
            return value.data
        case ListValue() if value.kind != "raised":
            return [_plain(item) for item in value.items]
        case DictValue():
            return {str(_plain(key)): _plain(item) for key, item in value.items}
        case str():
            return clean_text(value, _LONGEST_TEXT)
        case bool() | int() | float():
            return value
    return describe(value)


def _seen(seen: Observation) -> object:
    if seen.outcome is Outcome.PASSED:
        found: dict[str, object] = {"is": describe(seen.value), "value": _plain(seen.value)}
        return found | ({"changed in place": list(seen.changed)} if seen.changed else {})
    if seen.error is not None:
        lines = [f"{frame.file}, line {frame.line}: {frame.text}" for frame in seen.error.frames]
        return [clean_text(line, _LONGEST_TEXT) for line in (error_words(seen.error), *lines)]
    obstacle = f": {seen.obstacle.reason} {seen.obstacle.name}" if seen.obstacle else ""
    return clean_text(f"{seen.outcome.words}{obstacle} {seen.detail}".strip(), _LONGEST_TEXT)


def _points(now: CheckResult, kept: CheckResult) -> str:
    before = kept.score if kept.earned is None else kept.earned
    words = f"{now.step}: {points_words(now)}, {now.outcome.words}"
    if (now.score, now.outcome) == (before, kept.outcome):
        words += ", as in results.json"
    else:
        words += (
            f".\nresults.json has {before:g} points, {kept.outcome.words}: judged again, the submission "
            "gave another answer. Code with random numbers or near the time limit does that."
        )
    return (
        f"{words}\noverrides.csv gives {given_by_hand(kept.override)}" if kept.override else words
    )


def given_by_hand(given: Override) -> str:
    """Say which points a person gave, and why."""
    said = (f"{given.points:g} points", given.who, given.reason)
    return one_line(", ".join(filter(None, said)), _LONGEST_TEXT)


def _heading(judged: JudgedCriterion) -> str:
    title = f"== {judged.criterion.name}: {judged.points:g} of {judged.criterion.points:g} points"
    if judged.result is None:
        return f"{title}. It counts only where the value is right."
    mistakes = judged.result.feedback.mistakes if judged.result.feedback else ()
    repetition = judged.result.repetition
    facts = {
        "outcome": judged.result.outcome.words,
        "recognised": list(mistakes),
        "right with right answers for": list(judged.result.called),
        "half, for a known mistake of": list(repetition.steps_of(mistakes)) if repetition else [],
    }
    return f"{title}\n{indent(_dump({name: one for name, one in facts.items() if one}), '  ')}"
