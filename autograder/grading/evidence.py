"""What the explanation of a wrong answer rests on, beside the answer itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from autograder.assignment.checks import DOCUMENTED
from autograder.compare import closest
from autograder.explain.evidence import Evidence
from autograder.explain.own_numbers import own_numbers
from autograder.explain.recognise import NO_EDITS, recognise_edits
from autograder.grading.observations import TOO_LARGE
from autograder.results import Outcome
from autograder.values.numbers import numbers_in

if TYPE_CHECKING:
    from autograder.exam.questions import Asked
    from autograder.explain.recognise import Once, Recognition
    from autograder.grading.observations import Observations
    from autograder.results import Numbers, Observation


def evidence_of(
    asked: Asked, kept: Observation, found: Recognition, observations: Observations, beside: Once
) -> Evidence:
    """Return what the explanation of a wrong answer rests on.

    Args:
        kept: the answer, without a value that is too large.
        found: the known mistakes that it shows. If there are any, no edits are looked for.
        beside: does what is done once for all submissions.
    """
    edits = NO_EDITS
    numbers = numbers_in(kept.value)
    says_something = bool(np.isfinite(numbers).any() or not numbers.size)
    if not found.alternatives and kept.value is not TOO_LARGE and says_something:
        edits = recognise_edits(asked, kept, observations.observe_once, beside)
    return Evidence(
        kept.value,
        asked.right[0].value,
        asked.question.inputs,
        documents=tuple(right.value for case in asked.documented for right in case.right),
        changed=kept.changed,
        edits=edits,
    )


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
