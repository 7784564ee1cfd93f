"""Feedback for a wrong answer: what was seen, what it means, where to look.

The cause comes from recognised mistakes, from the student's source, or from the numbers. A known mistake that the
numbers prove comes first. Of several with one effect, the one comes first that the source shows. An answer without a
known mistake is explained by the first value that is not right, and by what it looks like.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING

from autograder.assignment.checks import DOCUMENTED, VALUE
from autograder.explain.divergence import divergence_finding, line_finding, with_zeros
from autograder.explain.feedback_text import is_place, is_unsuitable
from autograder.explain.join_mistakes import explain_mistakes
from autograder.explain.own_numbers import coarse, fault_kinds, own_numbers
from autograder.explain.properties import WrongAnswer, another_kind, wrong_numbers
from autograder.explain.rules import explained, finding, holding, say
from autograder.explain.signatures import another_default, another_order
from autograder.explain.slips import slip_of
from autograder.explain.student_code import never_read
from autograder.explain.wording import called_with, fault, one_for_several, part_of_answer, sentence
from autograder.explain.words_of_answers import REMARKS
from autograder.reasons import Reason
from autograder.results import Feedback, Outcome, Repeats

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from autograder.compare import Difference
    from autograder.exam.questions import Asked, Exam
    from autograder.exam.recognise import Recognition
    from autograder.explain.divergence import Divergence
    from autograder.explain.repair import Repair
    from autograder.explain.student_code import Definition, Submitted
    from autograder.results import CheckResult, Numbers, Observation, TracedLine

_SEEN = "{seen}"
# Where another answer is not the fault, or all is said by what it is.
_PLAIN_FAULTS = ("dtype", "frozen", "equal", "no_exception")
_SAID_BY_THE_TRACE = ("crossed", "copied", "reordered", "rounds", "unused")
_FAULTS_OF_NUMBERS = ("values", "shape", "dtype", "not_finite")


def remark_text(exam: Exam, step: str, name: str, quoted: str) -> str:
    """Return the text of a remark: the assignment's own, or the general one. It may quote what its probe saw."""
    text = exam.remarks.get(name) or REMARKS[name].replace("{step}", step)
    return text.replace(_SEEN, quoted)


def told_once(results: Iterable[CheckResult]) -> tuple[CheckResult, ...]:
    """Tell each cause and each remark in full where a submission shows it first; later name that step."""
    first: dict[object, str] = {}
    return tuple(
        replace(one, feedback=_told_once(one.feedback, one.step, first)) if one.feedback else one
        for one in results
    )


def _told_once(feedback: Feedback, step: str, first: dict[object, str]) -> Feedback:
    """Return feedback without what was said of an earlier step; `first` maps what was said to its step."""
    also = tuple(_told_once(one, step, first) for one in feedback.also)
    where = [first.setdefault(remark, step) for remark in feedback.remarks]
    remarks = tuple(
        remark if place == step else say("as_before", step=place)
        for remark, place in zip(feedback.remarks, where, strict=True)
    )
    told = replace(feedback, also=also, remarks=remarks)
    if feedback.repeats and feedback.message in first:  # the remark of a step that it calls
        return replace(told, message="")
    if not feedback.mistakes or not feedback.message:
        return told
    place = first.setdefault((feedback.message, feedback.hint), step)
    if place == step:
        return told
    return replace(told, message="" if told.repeats else say("as_before", step=place), hint="")


def summed_up(criteria: Sequence[Feedback], remarks: Sequence[str]) -> Feedback | None:
    """Combine the feedback of one check; None if there is none.

    The first criterion with a known mistake or an earlier step to fix, else the first, is explained in full; the
    others in brief.

    Args:
        criteria: the feedback of the failed criteria, in order.
        remarks: the texts of the remarks.
    """
    words = tuple(dict.fromkeys(remarks))
    if not criteria:
        return Feedback(Outcome.PASSED, remarks=words) if words else None
    less = map(_without_another_step, criteria)
    main, *others = sorted(less, key=lambda one: not (one.mistakes or one.repeats))
    shown = [main]
    for other in others:
        if all(_adds_to(earlier, other) for earlier in shown):
            shown.append(other)
    return replace(main, also=tuple(shown[1:]), remarks=words)


def _without_another_step(feedback: Feedback) -> Feedback:
    """Return feedback on a step that fails with another one without what the other one says itself."""
    if not (feedback.repeats or feedback.other_step):
        return feedback
    message = feedback.message * (Reason.IN_ANOTHER_STEP not in feedback.reasons)
    lines = (*feedback.lines[:1], *feedback.lines[1:][-1:])  # the call, and where it stopped
    less = replace(feedback, message=message, hint="", expected="", called_with=(), lines=lines)
    return replace(less, traced=(), numbers=None)


def _adds_to(shown: Feedback, other: Feedback) -> bool:
    """Return whether another criterion adds something new. A step that stops does so in all criteria.

    What is frozen gets no gradient.
    """
    if Reason.NOT_TRAINABLE in shown.reasons and Reason.TYPE in other.reasons:
        return False
    if is_unsuitable(other):
        return (other.seen, other.message) != (shown.seen, shown.message)
    if other.outcome is Outcome.WRONG and other.mistakes:
        return (other.message, other.hint) != (shown.message, shown.hint)
    return other.outcome in (Outcome.WRONG, Outcome.RAISED) and other.seen not in ("", shown.seen)


def explain_wrong(
    asked: Asked,
    kept: Observation,
    difference: Difference,
    found: Recognition,
    repeats: tuple[str, ...] = (),
    *,
    submitted: Submitted,
    left: Divergence | None = None,
    find_repair: Callable[[], Repair | None] = lambda: None,
) -> Feedback:
    """Explain a wrong answer.

    Args:
        kept: the answer, without a value that is too large.
        difference: the first difference from the right answer.
        found: the known mistakes that the answer shows.
        repeats: the earlier steps whose mistakes the answer repeats.
        left: where the student's computation leaves the right one, if that is known.
        find_repair: looks for the edit of the student's own code that makes the check right.
    """
    left = _about(difference, left)
    step, wanted = asked.question.step, asked.right[0].value
    answer = WrongAnswer(kept.value, wanted, submitted.code.definition(step), kept.changed)
    released = submitted.released(step)
    cause, repair = _cause(asked, difference, answer, found, released, left, find_repair)
    has_numbers = difference.fault in _FAULTS_OF_NUMBERS and not repeats
    lines = _shown_lines(cause, left, repair)
    look = "" if repair else _hint_of_the_step(asked, difference, left, lines)
    return replace(
        cause,
        hint=cause.hint or look,
        seen=_seen(asked, difference, answer),
        expected=asked.criterion.expects,
        called_with=called_with(asked.criterion, asked.question.inputs),
        traced=lines,
        numbers=_numbers(asked, difference) if has_numbers else None,
        repeats=Repeats(repeats) if repeats else None,
        reasons=_reasons(asked, difference, cause, repeats, repair),
    )


def _shown_lines(
    cause: Feedback, left: Divergence | None, repair: Repair | None
) -> tuple[TracedLine, ...]:
    """Return the lines around a repair or the first wrong value; of a known mistake its words say in which way."""
    if repair:
        return repair.shown
    return left.lines if left and not (cause.mistakes and left.kind == "another_way") else ()


def _is_repairable(difference: Difference, answer: WrongAnswer, left: Divergence | None) -> bool:
    """Return whether an edit of the source could say more than the answer and the trace do."""
    if difference.fault in _PLAIN_FAULTS or another_kind(answer):
        return False
    return left is None or not (left.kind in _SAID_BY_THE_TRACE or with_zeros(left))


def _about(difference: Difference, left: Divergence | None) -> Divergence | None:
    """Return where a computation leaves the right one, if that says something about this difference."""
    of_numbers = difference.fault in ("values", "shape", "not_finite", "count")
    return left if left and (of_numbers or left.kind in ("first", "not_finite")) else None


def _hint_of_the_step(
    asked: Asked, difference: Difference, left: Divergence | None, lines: Sequence[TracedLine]
) -> str:
    """Return the own hint of a step; none after right lines, or where a line is named as the fault, or for a shape."""
    kinds = fault_kinds(difference)
    kind = left.kind if left else ""
    named = kind in ("reordered", "unused", "rounds", "another_part", "on_the_way") or (
        kind == "first" and kinds[0] in ("shape", "sums")
    )
    before = takewhile(lambda line: not is_place(line), lines)
    if named or (
        kind not in ("crossed", "copied") and any(line.mark == "right" for line in before)
    ):
        return ""
    return asked.check.look(asked.criterion, *kinds)


def _reasons(
    asked: Asked,
    difference: Difference,
    cause: Feedback,
    repeats: tuple[str, ...],
    repair: Repair | None,
) -> tuple[Reason, ...]:
    reasons = {
        Reason(difference.fault): True,
        Reason.KNOWN_MISTAKE: bool(cause.mistakes) and not repair,
        Reason.PROPERTY: bool(cause.message and not cause.mistakes),
        Reason.DOCUMENTED_INPUTS: asked.question.kind == "documented",
        Reason.CARRIED_FORWARD: bool(repeats),
        Reason.NOT_TRAINABLE: difference.seen == Reason.NOT_TRAINABLE,
    }
    return holding(reasons)


def _numbers(asked: Asked, difference: Difference) -> Numbers | None:
    decimals, slack = asked.right[0].decimals, asked.criterion.slack
    name = asked.criterion.name
    numbers = own_numbers(asked.check, name, difference, decimals=decimals, slack=slack)
    return numbers if asked.exam.public or numbers is None else coarse(numbers)


def in_a_corner(feedback: Feedback, special: str) -> Feedback:
    """Add to what was seen that the general cases are right, and what is special about this one."""
    words = f"Right in the other cases, but not {special}."
    return replace(feedback, seen=f"{words} {feedback.seen}".strip())


def _seen(asked: Asked, difference: Difference, answer: WrongAnswer) -> str:
    """Say which part of the answer is wrong, and how it differs."""
    if whole := one_for_several(asked.check, answer.seen, answer.wanted):
        return sentence(whole)
    path = difference.path[:-1] if difference.fault == "equal" else difference.path
    part = part_of_answer(asked.check, asked.criterion.name, path)
    is_value = asked.criterion.name in (VALUE, DOCUMENTED)
    seen = fault(asked.check, difference, asked.check.axes.get(part, ()) if is_value else ())
    return sentence(f"{part}: {seen}" if part else seen)


def _cause(
    asked: Asked,
    difference: Difference,
    answer: WrongAnswer,
    found: Recognition,
    released: Definition | None,
    left: Divergence | None,
    find_repair: Callable[[], Repair | None],
) -> tuple[Feedback, Repair | None]:
    """Return feedback with the cause of a wrong answer alone, and the repair if it is the cause.

    A default that is not that of the release comes first.
    """
    definition, repair = answer.definition, None
    cause = _proven(asked, difference, answer, found, released, left)
    if not cause.message:
        repair = find_repair() if _is_repairable(difference, answer, left) else None
        cause = _described(asked, difference, answer, left, repair)
    elif left is not None and (where := line_finding(left)):
        order = another_order(definition, released)
        look = cause.hint if order else where.look or cause.hint
        cause = replace(cause, message=_joined(cause.message, where.says), hint=look)
    line = another_default(definition, released)
    if line is None:
        return cause, repair
    first, message = explained(line), _joined(line.says, cause.message)
    hint = " And: ".join(filter(None, (line.look, cause.hint)))
    names = cause.mistakes or first.mistakes
    return replace(first, message=message, hint=hint, mistakes=names), repair


def _proven(
    asked: Asked,
    difference: Difference,
    answer: WrongAnswer,
    found: Recognition,
    released: Definition | None,
    left: Divergence | None,
) -> Feedback:
    """Return feedback with the cause that a known mistake or the source proves; without a message if none does."""
    if line := another_order(answer.definition, released):
        return replace(explained(line), mistakes=found.names or (line.name,))
    slip = slip_of(answer)
    if not found.sure:
        return explained(None if difference.fault == "no_exception" else slip)
    right_steps = left.right_steps if left else frozenset[str]()
    cause = explain_mistakes(asked.exam, asked.question.step, found, right_steps)
    if slip is None:
        return cause
    look = slip.look or cause.hint
    return replace(cause, message=_joined(cause.message, slip.says), hint=look)


def _described(
    asked: Asked,
    difference: Difference,
    answer: WrongAnswer,
    left: Divergence | None,
    repair: Repair | None,
) -> Feedback:
    """Say where the computation leaves the right one, what the answer looks like, and which argument is never read."""
    plain = difference.fault in _PLAIN_FAULTS
    kind = None if plain else another_kind(answer)
    cause = explained(kind or (None if plain else wrong_numbers(answer)))
    if repair:
        cause = explained(repair.found)
        numbers = wrong_numbers(answer)
        return replace(cause, message=_joined(cause.message, numbers.says if numbers else ""))
    if kind:
        line = line_finding(left) if left else None
        message = _joined(cause.message, line.says if line else "")
    else:
        line = divergence_finding(left) if left else None
        message = _joined(line.says if line else "", cause.message)
    if argument := never_read(answer.definition):
        facts = {"step": asked.question.step, "argument": argument}
        cause = explained(finding("argument_not_used.never_read", **facts))
        message = _joined(message, cause.message)
    return replace(cause, message=message, hint=cause.hint or (line.look if line else ""))


def _joined(*sentences: str) -> str:
    return " ".join(filter(None, map(str.strip, sentences)))
