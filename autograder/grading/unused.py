"""Find the inputs on which a wrong answer does not depend, by drawing each of them anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from autograder.exam.questions import Request
from autograder.exam.redraw import drawn_anew
from autograder.results import Outcome
from autograder.values.numbers import numbers_in
from autograder.values.values import identical

if TYPE_CHECKING:
    from autograder.exam.questions import Question
    from autograder.results import Observation
    from autograder.sandbox.session import Session


def unused_inputs(
    question: Question, probe: int, seen: Observation, session: Session
) -> tuple[tuple[str, ...], ...] | None:
    """Return the inputs that matter for the right answer but do not change a bit of this answer.

    Returns None if unknown: where all numbers are nan or inf, they stay so.
    """
    numbers = numbers_in(seen.value)
    if numbers.size and not np.isfinite(numbers).any():
        return None
    unused = []
    for path in question.matters:
        inputs = drawn_anew(question.inputs, path)
        request = Request("observe", question.step, question.criterion, probe, inputs)
        answer = session.observe(request)
        if answer.outcome is Outcome.PASSED and identical(answer.value, seen.value):
            unused.append(path)
    return tuple(unused)
