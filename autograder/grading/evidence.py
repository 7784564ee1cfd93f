"""Run a wrong step on further inputs, to describe an answer that shows no known mistake."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.assignment.checks import DOCUMENTED
from autograder.compare import closest
from autograder.exam.changed_inputs import drawn_anew, far_off
from autograder.exam.questions import Request
from autograder.explain.evidence import Evidence, OtherCase
from autograder.explain.own_numbers import own_numbers
from autograder.explain.recognise import recognise_edits
from autograder.grading.observations import TOO_LARGE
from autograder.grading.surplus import surplus_evidence
from autograder.results import Outcome
from autograder.values.kinds import is_raised
from autograder.values.numbers import numbers_in
from autograder.values.values import identical

if TYPE_CHECKING:
    from collections.abc import Mapping

    from autograder.exam.questions import Asked, Operation
    from autograder.explain.recognise import Once, Recognition
    from autograder.grading.observations import Observations
    from autograder.results import Numbers, Observation
    from autograder.values.values import Value


def evidence_of(
    asked: Asked,
    kept: Observation,
    found: Recognition,
    observations: Observations,
    beside: Once,
    *,
    fully: bool,
    surplus: bool,
) -> Evidence:
    """Return what the explanation of a wrong answer rests on.

    Args:
        kept: the answer, without a value that is too large.
        found: the known mistakes that it shows. If one explains all, no more is asked.
        beside: does what is done once for all submissions.
        fully: whether the step may be run on further inputs.
        surplus: whether to look at the parts of an answer with too many.
    """
    right = asked.right[0].value
    more: dict[str, Any] = {}
    single = found.sure and all(len(alternative) == 1 for alternative in found.alternatives)
    if asked.is_value and fully and not single and kept.value is not TOO_LARGE:
        more = _further_answers(asked, kept, observations)
    if surplus and not found.alternatives and not is_raised(right):
        more |= surplus_evidence(asked, kept, observations, beside)
    if not found.alternatives and kept.value is not TOO_LARGE:
        once = observations.observe_once
        more["edits"] = recognise_edits(asked, kept, once, beside)
    facts = {"changed": kept.changed, "returns": asked.check.returns, **more}
    return Evidence(kept.value, right, asked.question.inputs, **facts)


def _further_answers(
    asked: Asked, kept: Observation, observations: Observations
) -> dict[str, object]:
    """Return the answers for the other drawn inputs, for the documents' inputs, and for changed ones."""
    others = (
        OtherCase(
            observations.observe_once(other, asked.probe).value,
            other.answers[asked.probe].right[0].value,
            other.inputs,
        )
        for other in asked.others
    )
    more: dict[str, object] = {"others": tuple(others), "with_zeros": None}
    if np.isnan(numbers_in(kept.value)).any():
        more["with_zeros"] = _ask("zeros", asked, asked.question.inputs, observations).value
    if documented := asked.documented:
        seen = [observations.observe_once(case.question, case.probe).value for case in documented]
        more["right_on_documents"] = all(
            closest(case.right, answer).difference is None
            for case, answer in zip(documented, seen, strict=True)
        )
        more["documents"] = tuple(right.value for case in documented for right in case.right)
    more["unused"] = unused_inputs(asked, kept, observations)
    return more


def unused_inputs(
    asked: Asked, seen: Observation, observations: Observations
) -> tuple[tuple[str, ...], ...] | None:
    """Return the inputs that matter for the right answer but do not change a bit of this answer.

    Returns None if unknown: where all numbers are nan or inf, they stay so.
    """
    numbers = numbers_in(seen.value)
    if numbers.size and not np.isfinite(numbers).any():
        return None
    unused = []
    for path in asked.question.matters:
        changes = (change(asked.question.inputs, path) for change in (drawn_anew, far_off))
        answers = (_ask("observe", asked, inputs, observations) for inputs in changes)
        if all(
            answer.outcome is Outcome.PASSED and identical(answer.value, seen.value)
            for answer in answers
        ):
            unused.append(path)
    return tuple(unused)


def numbers_on_documents(asked: Asked, observations: Observations) -> Numbers | None:
    """Return the wrong numbers of a step's answer for the documents' inputs, whose tokens have words: for a picture.

    These inputs are public, so a student can compute the same numbers again. Return None if the check
    has no words or no documented case, or if the step's answer is missing or right.
    """
    documented = asked.documented if asked.check.words else ()
    if not documented:
        return None
    case = documented[0]
    seen = observations.observe_once(case.question, case.probe)
    if seen.outcome is not Outcome.PASSED:
        return None
    difference = closest(case.right, seen.value).difference
    decimals = case.right[0].decimals
    return (
        own_numbers(asked.check, DOCUMENTED, difference, decimals=decimals) if difference else None
    )


def _ask(
    operation: Operation, asked: Asked, inputs: Mapping[str, Value], observations: Observations
) -> Observation:
    question = asked.question
    request = Request(operation, question.step, question.criterion, asked.probe, inputs)
    return observations.session.observe(request)
