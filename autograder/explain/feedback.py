"""Feedback for a wrong answer: what was seen, what it means, where to look.

An answer that equals the answer of a known mistake gets that mistake's name. Otherwise its
properties explain it: its type, its shape, the sums of its rows, whether it is the transpose of the
right answer or one of the inputs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from autograder.explain.causes import cause_of
from autograder.explain.feedback_text import is_unsuitable
from autograder.explain.own_numbers import own_numbers
from autograder.explain.wording import (
    called_with,
    fault,
    one_for_several,
    part_of_answer,
    sentence,
)
from autograder.explain.words_of_answers import REMARKS
from autograder.reasons import Reason
from autograder.results import Feedback, Outcome, Repeats

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from autograder.compare import Difference
    from autograder.exam.questions import Asked, Exam
    from autograder.explain.evidence import Evidence
    from autograder.explain.recognise import Recognition
    from autograder.explain.rules import Explanation, Finding
    from autograder.explain.student_code import Submitted
    from autograder.results import Frame

_FAULTS_OF_NUMBERS = ("values", "shape", "dtype", "not_finite")


def said(
    outcome: Outcome, found: Finding, *reasons: Reason, lines: tuple[Frame, ...] = ()
) -> Feedback:
    """Return feedback whose words are those of a finding: what was seen, and what to do."""
    return Feedback(outcome, seen=found.says, message=found.look, lines=lines, reasons=reasons)


def told(outcome: Outcome, cause: Explanation, hint: str = "") -> Feedback:
    """Return feedback with a cause; `hint` says where to look if the cause does not."""
    return Feedback(
        outcome,
        message=cause.says,
        hint=cause.look or hint,
        mistakes=cause.names,
        sure=cause.sure,
    )


def holding(reasons: Mapping[Reason, bool]) -> tuple[Reason, ...]:
    """Return the reasons that hold."""
    return tuple(reason for reason, holds in reasons.items() if holds)


def remark_text(exam: Exam, name: str) -> str:
    """Return the text of a remark: the assignment's own, or the general one."""
    return exam.remarks.get(name) or REMARKS[name]


def summed_up(criteria: Sequence[Feedback], remarks: Sequence[str]) -> Feedback | None:
    """Combine the feedback of one check; None if there is none.

    The first criterion with a known mistake or with an earlier step to fix, else the first one, is explained in full;
    the others in brief.

    Args:
        criteria: the feedback of the failed criteria, in order.
        remarks: the texts of the remarks.
    """
    words = tuple(dict.fromkeys(remarks))
    if not criteria:
        return Feedback(Outcome.PASSED, remarks=words) if words else None
    main, *others = sorted(criteria, key=lambda one: not (one.mistakes or one.repeats))
    shown = [main]
    for other in others:
        if all(_adds_to(earlier, other) for earlier in shown):
            shown.append(other)
    return replace(main, also=tuple(shown[1:]), remarks=words)


def _adds_to(shown: Feedback, other: Feedback) -> bool:
    """Return whether another criterion adds something new. A step that stops does so in all criteria."""
    if is_unsuitable(other):
        return (other.seen, other.message) != (shown.seen, shown.message)
    if other.outcome is Outcome.WRONG and other.mistakes:
        return (other.message, other.hint) != (shown.message, shown.hint)
    return other.outcome in (Outcome.WRONG, Outcome.RAISED) and other.seen not in ("", shown.seen)


def explain_wrong(
    asked: Asked,
    difference: Difference,
    found: Recognition,
    evidence: Evidence,
    repeats: tuple[str, ...] = (),
    *,
    submitted: Submitted,
) -> Feedback:
    """Explain a wrong answer.

    Args:
        difference: the first difference from the right answer.
        found: the known mistakes that the answer shows.
        evidence: more observations of the step, for an answer that shows no known mistake.
        repeats: the earlier steps whose mistakes the answer repeats.
        submitted: the submission's source.
    """
    cause = cause_of(asked, difference, found, evidence, submitted)
    check, criterion = asked.check, asked.criterion
    has_numbers = difference.fault in _FAULTS_OF_NUMBERS and not repeats
    reasons = {
        Reason(difference.fault): True,
        Reason.KNOWN_MISTAKE: bool(cause.names),
        Reason.TWO_AT_ONCE: len(cause.names) > 1
        and any(len(alternative) > 1 for alternative in found.alternatives),
        Reason.PROPERTY: bool(cause.says and not cause.names),
        Reason.DOCUMENTED_INPUTS: asked.question.kind == "documented",
        Reason.CARRIED_FORWARD: bool(repeats),
    }
    return replace(
        told(Outcome.WRONG, cause, criterion.look or check.look),
        seen=_seen(asked, difference, evidence),
        expected=criterion.expects,
        called_with=called_with(criterion, asked.question.inputs),
        numbers=own_numbers(check, criterion.name, difference) if has_numbers else None,
        repeats=Repeats(repeats, check.carried) if repeats else None,
        reasons=holding(reasons),
    )


def _seen(asked: Asked, difference: Difference, evidence: Evidence) -> str:
    """Say which part of the answer is wrong, and how it differs."""
    if whole := one_for_several(asked.check, evidence.seen, evidence.wanted):
        return sentence(whole)
    path = difference.path[:-1] if difference.fault == "equal" else difference.path
    part = part_of_answer(asked.check, asked.criterion.name, path)
    seen = fault(asked.check, difference)
    return sentence(f"{part}: {seen}" if part else seen)
