"""What a wrong step means for the words of other steps: whose fault it is, and which step to fix first. No points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.exam.recognise import effect, named

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from autograder.assignment.checks import Check
    from autograder.exam.questions import Exam
    from autograder.exam.recognise import Recognition
    from autograder.results import CheckResult


def callable_steps(exam: Exam, check: Check) -> list[Check]:
    """Return the steps that this step may call, and that can have a stand-in, in order."""
    assert exam.substitution is not None
    steps = exam.assignment.by_step
    names = [check.name]
    for name in names:  # which grows meanwhile
        built_on = steps[name].builds_on if name in steps else ()
        names += {*exam.substitution.uses[name], *built_on}.difference(names)
    called = exam.substitution.stand_ins.intersection(names[1:])
    return [step for name, step in steps.items() if name in called]


def repeated_steps(
    exam: Exam, found: Recognition, earlier: Mapping[str, Recognition]
) -> tuple[Recognition, tuple[str, ...]]:
    """Return the known mistakes of a wrong value, and the earlier steps whose mistakes it repeats.

    If several mistakes look the same, keep those that an earlier step shows too.

    Args:
        found: the known mistakes that the answer shows.
        earlier: the known mistakes that the values of earlier wrong steps show, by step.
    """
    shown: dict[str, str] = {}
    for step, recognition in earlier.items():
        for name in recognition.names:
            shown.setdefault(effect(exam, name), step)
    repeated = [name for name in found.names if effect(exam, name) in shown]
    if not repeated:
        return found, ()
    step = shown[effect(exam, repeated[0])]
    same_words = [name for name in repeated if name in earlier[step].names]
    return named(exam, same_words or repeated), (step,)  # no synonym with other words


def first_to_fix(wrong: Sequence[CheckResult], called: Collection[str]) -> list[CheckResult]:
    """Return the called steps, or the earlier ones whose mistakes they repeat."""
    names = {result.step for result in wrong}
    first = {
        result.carried_forward if result.carried_forward in names else result.step
        for result in wrong
        if result.step in called
    }
    return [result for result in wrong if result.step in first]
