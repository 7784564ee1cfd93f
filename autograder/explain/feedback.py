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
from autograder.reasons import Reason
from autograder.results import Feedback, Outcome, Repeats

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograder.assignment.checks import Check
    from autograder.compare import Difference
    from autograder.exam.questions import Exam, Question
    from autograder.explain.properties import Evidence
    from autograder.explain.recognise import Recognition
    from autograder.explain.rules import Explanation
    from autograder.explain.student_code import Submitted

SHOWN_ALTERNATIVES = 2
_FAULTS_OF_NUMBERS = ("values", "shape", "dtype", "not_finite")

_REMARKS = {
    "dtype": "The numbers are right, but their dtype differs from that of the inputs.",
    "cut_graph": "The result is right, but no gradient flows back through it: .item(), .detach(), .data and "
    "NumPy cut the graph. A model with this step could not learn.",
    "changed_input": "The result is right, but your code changed its input in place: after the call, the caller's "
    "input holds other numbers.",
}


def remark_text(exam: Exam, name: str) -> str:
    """Return the text of a remark: the assignment's own, or the general one."""
    return exam.remarks.get(name) or _REMARKS[name]


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
    exam: Exam,
    check: Check,
    question: Question,
    difference: Difference,
    found: Recognition,
    evidence: Evidence,
    repeats: tuple[str, ...] = (),
    *,
    submitted: Submitted,
) -> Feedback:
    """Explain a wrong answer.

    Args:
        exam: the exam; it has the texts of the known mistakes.
        check: the check of the step.
        question: the question with this answer.
        difference: the first difference from the right answer.
        found: the known mistakes that the answer shows.
        evidence: more observations of the step, for an answer that shows no known mistake.
        repeats: the earlier steps whose mistakes the answer repeats.
        submitted: the submission's source.
    """
    cause = cause_of(exam, question, difference, found, evidence, submitted)
    criterion = check.criterion(question.criterion)
    return Feedback(
        Outcome.WRONG,
        message=cause.says,
        hint=cause.look or criterion.look or check.look,
        seen=_seen(check, question, difference, evidence),
        expected=criterion.expects,
        called_with=called_with(criterion, question.inputs),
        numbers=own_numbers(check, question.criterion, difference)
        if difference.fault in _FAULTS_OF_NUMBERS and not repeats
        else None,
        repeats=Repeats(repeats, check.carried) if repeats else None,
        mistakes=cause.names,
        sure=cause.sure,
        reasons=_reasons(question, difference, found, cause, repeats),
    )


def _seen(check: Check, question: Question, difference: Difference, evidence: Evidence) -> str:
    """Say which part of the answer is wrong, and how it differs."""
    if whole := one_for_several(check, evidence.seen, evidence.wanted):
        return sentence(whole)
    path = difference.path[:-1] if difference.fault == "equal" else difference.path
    part = part_of_answer(check, question.criterion, path)
    seen = fault(check, difference)
    return sentence(f"{part}: {seen}" if part else seen)


def _reasons(
    question: Question,
    difference: Difference,
    found: Recognition,
    cause: Explanation,
    repeats: tuple[str, ...],
) -> tuple[Reason, ...]:
    hold = {
        Reason(difference.fault): True,
        Reason.KNOWN_MISTAKE: bool(cause.names),
        Reason.TWO_AT_ONCE: len(cause.names) > 1
        and any(len(alternative) > 1 for alternative in found.alternatives),
        Reason.PROPERTY: bool(cause.says and not cause.names),
        Reason.DOCUMENTED_INPUTS: question.kind == "documented",
        Reason.CARRIED_FORWARD: bool(repeats),
    }
    return tuple(reason for reason, holds in hold.items() if holds)
