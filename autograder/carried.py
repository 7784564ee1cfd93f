"""A mistake that an earlier step already paid for: it costs only a part again.

The proof is by value. Either the same mistake is named in both, or the step's answer is that of the reference if it
calls the student's own wrong step. A class that calls this step cannot be told from one that repeats its mistake.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from autograder.checks import VALUE
from autograder.naming import Named, effect, named, only_paid
from autograder.records import Outcome
from autograder.rounding import agrees_up_to_rounding, shaken
from autograder.substitution import Unanswered, is_of_many_numbers

if TYPE_CHECKING:
    from autograder.checks import Check
    from autograder.grade import Grader
    from autograder.substitution import Inputs
    from autograder.values import Value


def carried_forward(
    grader: Grader, check: Check, probe: int, seen: Value, found: Named
) -> tuple[Named, tuple[str, ...]]:
    """What a wrong answer shows, and the earlier steps that paid for it, if they did.

    Of several mistakes that look the same, those are meant that were paid for.
    """
    if not is_of_many_numbers(
        seen
    ):  # None, or one number everywhere, does not show where it comes from
        return found, ()
    paid = _paid(grader, check, found)
    repeated = only_paid(grader.exam, found, paid)
    if repeated.alternatives:
        steps = {paid[effect(grader.exam, name)] for name in repeated.alternatives[0]}
        earlier = [one for one in grader.exam.assignment.checks if one.name in steps]
        read = {name for one in earlier for name in grader.value(one).found.names}
        same_words = [one for one in repeated.alternatives if read.issuperset(one)]
        if same_words:  # not a synonym that says it in other words
            repeated = named(grader.exam, same_words)
        return repeated, tuple(one.name for one in earlier)
    step = _only_wrong_step(grader, check)
    if step is not None and _calls_it(grader, check, probe, step):
        return found, (step.name,)
    return found, ()


def _paid(grader: Grader, check: Check, found: Named) -> dict[str, str]:
    """For each of these mistakes that an earlier step's value shows, the first such step."""
    exam = grader.exam
    wanted = {effect(exam, name) for name in found.names}
    paid: dict[str, str] = {}
    for earlier in _earlier(grader, check):
        known = {
            effect(exam, wrong.mistake)
            for question in exam.about(earlier, earlier.aspect(VALUE))
            for answers in question.answers
            for wrong in answers.wrong
        }
        if wanted & known:
            for name in grader.value(earlier).found.names:
                paid.setdefault(effect(exam, name), earlier.name)
    return paid


def _earlier(grader: Grader, check: Check) -> list[Check]:
    """The steps before this one; where nothing more may be asked, those that were judged already."""
    checks = grader.exam.assignment.checks
    before = checks[: checks.index(check)]
    return [one for one in before if grader.curious or grader.has_judged(one)]


def _only_wrong_step(grader: Grader, check: Check) -> Check | None:
    """The one step among those that this one is made of which is wrong; None if there is none, or more."""
    substitution = grader.exam.substitution
    if substitution is None:
        return None
    used = substitution.uses[check.name]
    parts = [one for one in _earlier(grader, check) if one.name in used]
    wrong = [one for one in parts if grader.value(one).outcome is not Outcome.PASSED]
    if len(wrong) != 1 or grader.value(wrong[0]).outcome is not Outcome.WRONG:
        return None
    return wrong[0]


def _calls_it(grader: Grader, check: Check, probe: int, step: Check) -> bool:
    """Whether the answers are those of the reference if it calls the student's own `step`."""
    exam, substitution = grader.exam, grader.exam.substitution
    assert substitution is not None
    aspect = check.aspect(VALUE)
    asked = exam.about(step, step.aspect(VALUE))[0]

    def ask(inputs: Inputs) -> Value:
        if (
            inputs.keys() != asked.inputs.keys()
        ):  # its probe wants something else than the step's arguments
            raise Unanswered(step.name)
        seen = grader.session.observe(step.name, VALUE, 0, inputs)
        if seen.outcome is not Outcome.PASSED:
            raise Unanswered(step.name)
        return seen.value

    def compose(inputs: Inputs) -> tuple[Value] | None:
        return substitution.composed(aspect.probes[probe], inputs, step.name, ask)

    for case in exam.about(check, aspect):
        seen = grader.ask_again(case, probe)
        composed = compose(case.inputs)
        if seen.outcome is not Outcome.PASSED or composed is None:
            return False
        moved = functools.partial(compose, shaken(case.inputs))
        if not agrees_up_to_rounding(composed[0], seen.value, moved):
            return False
    return True
