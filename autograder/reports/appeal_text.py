"""One check of one student in full, as text. For the instructor only: it contains expected values."""

from __future__ import annotations

from pprint import pformat
from textwrap import indent
from typing import TYPE_CHECKING

import numpy as np

from autograder.assignment.checks import inputs_used, probe_name
from autograder.compare import closest
from autograder.exam.recognise import known_mistakes
from autograder.explain.feedback_text import check_markdown
from autograder.explain.wording import describe, error_words, fault, part_of_answer
from autograder.results import Outcome, points_words
from autograder.text import clean_text, one_line
from autograder.values.values import Array, DictValue, ListValue

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autograder.assignment.checks import Check, Criterion
    from autograder.exam.questions import Question
    from autograder.grading.grader import Grader
    from autograder.grading.observations import Observations
    from autograder.grading.points import CriterionResult
    from autograder.results import CheckResult, Observation, Override
    from autograder.values.values import Value

WARNING = "For the instructor: this text holds expected values. It is not for students."
_MOST_NUMBERS = 1_000
_WIDTH = 110
_LONGEST_TEXT = 2_000


def appeal_text(
    grader: Grader, check: Check, kept: CheckResult | None, *, full: bool = False
) -> str:
    """Return the text: points, what lost them, and the student's feedback.

    Args:
        grader: judges the check again, unless it has.
        kept: the check's stored result, with the points that a person gave; None if the questions were others, or if
            nothing is stored.
        full: every case of every criterion, and not only those that are wrong.
    """
    result = grader.check(check)
    settled = grader.settled[check.name]
    parts = [_points(result, kept)]
    for criterion in check.criteria:
        judged = settled.results.get(criterion.name)
        parts.append(_heading(criterion, judged))
        if judged is not None:
            parts += _cases(grader, check, criterion, grader.observations, full=full)
        if judged is not None and settled.again is not None:
            steps = ", ".join(sorted(settled.called))
            parts.append(f"-- {criterion.name}, asked again with right answers for {steps}:")
            parts += _cases(grader, check, criterion, settled.again.observations, full=full)
    for old, new in grader.explaining.repairs.get(check.name, ()):
        parts.append(clean_text(f"Right with: {new}   in place of: {old}", _LONGEST_TEXT))
    words = check_markdown(result)
    parts.append(f"What the student read:\n\n{indent(words or '(nothing)', '  ')}")
    return "\n\n".join(parts)


def _cases(
    grader: Grader, check: Check, criterion: Criterion, observations: Observations, *, full: bool
) -> Iterator[str]:
    """Yield the wrong cases, or all, each with what was asked, seen and expected."""
    number = 0
    for question in grader.exam.questions_for(check, criterion):
        for at, probe in enumerate(criterion.all_probes):
            if (seen := observations.seen(question, at)) is None:
                continue
            number += 1
            case = _case(check, criterion, question, at, seen)
            if full or seen.outcome is not Outcome.PASSED or case["difference"] is not None:
                title = f"-- {number}: {question.kind} case, {probe_name(probe)}"
                yield f"{title}\n{indent(_dump(case), '  ')}"


def _case(
    check: Check, criterion: Criterion, question: Question, probe: int, seen: Observation
) -> dict[str, object]:
    answers, inputs = question.answers[probe], question.inputs
    difference, fits = None, list[str]()
    if seen.outcome is Outcome.PASSED:
        difference = closest(answers.right, seen.value, criterion.slack).difference
        fits = known_mistakes(answers, seen)
    used = inputs_used(criterion.all_probes[probe], inputs) or inputs
    return {
        "called with": {name: _plain(inputs[name]) for name in used},
        "observed": _seen(seen),
        "expected": [_plain(right.value) for right in answers.right],
        "decimals": [right.decimals for right in answers.right],
        "tolerance times": criterion.slack,
        "difference": difference and clean_text(fault(check, difference), _LONGEST_TEXT),
        "part": part_of_answer(check, criterion.name, difference.path) if difference else "",
        "known mistakes that fit": fits,
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


def _points(now: CheckResult, kept: CheckResult | None) -> str:
    words = f"{now.step}: {points_words(now)}, {now.outcome.words}"
    if kept is None:
        return words
    before = kept.judged_score
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


def _heading(criterion: Criterion, judged: CriterionResult | None) -> str:
    points = judged.points if judged else 0.0
    title = f"== {criterion.name}: {points:g} of {criterion.points:g} points"
    if judged is None:
        return f"{title}. It counts only where the value is right."
    mistakes = judged.feedback.mistakes if judged.feedback else ()
    repetition = judged.repetition
    facts = {
        "outcome": judged.outcome.words,
        "recognised": list(mistakes),
        "right with right answers for": list(judged.called),
        "half, for a known mistake of": list(repetition.steps_of(mistakes)) if repetition else [],
    }
    return f"{title}\n{indent(_dump({name: one for name, one in facts.items() if one}), '  ')}"
