"""Feedback for a wrong answer: what was seen, what it means, where to look.

An answer that equals the answer of a known mistake gets that mistake's name. Otherwise its
properties explain it: its type, its shape, the sums of its rows, whether it is the transpose of the
right answer or one of the inputs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from autograder.explain.markdown import is_unsuitable
from autograder.explain.properties import Evidence, property_of
from autograder.explain.recognise import Named, effect
from autograder.explain.wording import called_with, fault, first_numbers, part_of_answer, sentence
from autograder.reasons import Reason
from autograder.results import Feedback, Outcome, Repeats

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograder.assignment.checks import Check
    from autograder.compare import Difference
    from autograder.exam.questions import Exam, Question

SHOWN_ALTERNATIVES = 2

_REMARKS = {
    "dtype": "The numbers are right; their dtype is not the one of the inputs.",
    "cut_graph": "The result is right, but no gradient flows back through it (.item(), .detach(), .data and "
    "NumPy cut the graph); in a model this step could not learn.",
    "changed_input": "The result is right, but your code changed its input in place: what the caller passed "
    "is different now.",
}


def remark_text(exam: Exam, name: str) -> str:
    """Return the text of a remark: the assignment's own, or the general one."""
    return exam.remarks.get(name) or _REMARKS[name]


def summed_up(criteria: Sequence[Feedback], remarks: Sequence[str]) -> Feedback | None:
    """Combine the feedback of one check; None if there is none.

    The first criterion with a known mistake, else the first one, is explained in full; the others in
    brief.

    Args:
        criteria: the feedback of the failed criteria, in order.
        remarks: the texts of the remarks.
    """
    words = tuple(dict.fromkeys(remarks))
    if not criteria:
        return Feedback(Outcome.PASSED, remarks=words) if words else None
    main, *others = sorted(criteria, key=lambda one: not one.mistakes)
    shown = [main]
    for other in others:
        if all(_adds_to(one, other) for one in shown):
            shown.append(other)
    return replace(main, also=tuple(shown[1:]), remarks=words)


def _adds_to(shown: Feedback, other: Feedback) -> bool:
    """Whether another criterion adds something new. A step that stops does so in all criteria."""
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
    found: Named,
    evidence: Evidence,
    repeats: tuple[str, ...] = (),
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
    """
    meaning, look = _meaning(exam, found, question, difference, evidence)
    criterion = check.criterion(question.criterion)
    path = difference.path[:-1] if difference.fault == "equal" else difference.path
    part = part_of_answer(check, question.criterion, path)
    seen = fault(check, difference)
    return Feedback(
        Outcome.WRONG,
        message=meaning,
        hint=look or criterion.look or check.look,
        seen=sentence(f"{part}: {seen}" if part else seen),
        expected=criterion.expects,
        called_with=called_with(criterion, question.inputs),
        numbers=first_numbers(difference.seen) if _numbers_help(difference, found) else None,
        repeats=Repeats(repeats, check.carried) if repeats else None,
        mistakes=found.names,
        sure=found.sure,
        reasons=_reasons(question, difference, found, meaning, repeats),
    )


def _reasons(
    question: Question,
    difference: Difference,
    found: Named,
    meaning: str,
    repeats: tuple[str, ...],
) -> tuple[Reason, ...]:
    hold = {
        Reason(difference.fault): True,
        Reason.KNOWN_MISTAKE: bool(found.alternatives),
        Reason.PROPERTY: bool(meaning and not found.alternatives),
        Reason.DOCUMENTED_INPUTS: question.kind == "documented",
        Reason.CARRIED_FORWARD: bool(repeats),
    }
    return tuple(reason for reason, holds in hold.items() if holds)


def _numbers_help(difference: Difference, found: Named) -> bool:
    """Whether numbers help. They do not for two mistakes at once: that text is long already."""
    shows = difference.fault in ("values", "shape", "dtype", "not_finite")
    return shows and all(len(one) == 1 for one in found.alternatives)


def _mistakes_words(exam: Exam, found: Named) -> tuple[str, str]:
    """Return the message and the hint of known mistakes."""
    words = exam.mistakes
    if not found.sure:
        return _guess_words(exam, found)
    if len(found.alternatives[0]) == 1:
        shown = found.alternatives[:SHOWN_ALTERNATIVES]
        says, looks = zip(*(words[one] for (one,) in shown), strict=True)
        return " Or, which comes to the same: ".join(says), " Or: ".join(dict.fromkeys(looks))
    says, looks = zip(*(words[name] for name in found.alternatives[0]), strict=True)
    return f"Two mistakes at once. First: {says[0]} Second: {says[1]}", " And: ".join(looks)


def _guess_words(exam: Exam, found: Named) -> tuple[str, str]:
    """Return the message and the hint of uncertain alternatives. Their common mistakes are certain."""
    words = exam.mistakes
    reverse = found.alternatives[::-1]
    by_effect = {frozenset(effect(exam, name) for name in one): one for one in reverse}
    alternatives = list(by_effect.values())[::-1]
    common = [name for name in alternatives[0] if all(name in one for one in alternatives)]
    if len(common) == len(alternatives[0]) == 1:
        only = words[common[0]]
        return f"{only[0]} Something else is wrong, too.", only[1]
    if len(alternatives[0]) > 1 and not common:
        says, looks = zip(*(words[name] for name in alternatives[0]), strict=True)
        guess = f"{says[0]} And: {says[1]} Or something else that looks the same."
        return f"Perhaps two mistakes at once: {guess}", " And: ".join(looks)
    others = [next(name for name in one if name not in common) for one in alternatives]
    says, looks = zip(*(words[name] for name in others[:SHOWN_ALTERNATIVES]), strict=True)
    more = " Or something else like it." if len(others) > len(says) else ""
    guess, look = " Or: ".join(says) + more, " Or: ".join(dict.fromkeys(looks))
    if not common:
        return f"One of these: {guess}", look
    first = words[common[0]]
    return (
        f"Two mistakes at once. First: {first[0]} Second, one of these: {guess}",
        f"{first[1]} And: {look}",
    )


def _meaning(
    exam: Exam, found: Named, question: Question, difference: Difference, evidence: Evidence
) -> tuple[str, str]:
    """Return the message and the hint, from known mistakes or from the answer's properties."""
    if found.alternatives:
        return _mistakes_words(exam, found)
    if difference.fault in ("dtype", "frozen", "equal", "keys"):
        return "", ""
    return property_of(evidence, question.inputs), ""
