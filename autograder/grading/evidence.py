"""Run a wrong step on further inputs, to describe an answer that shows no known mistake."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.assignment.checks import DOCUMENTED, VALUE
from autograder.compare import compare
from autograder.exam.questions import Request
from autograder.values.numbers import numbers_in

if TYPE_CHECKING:
    from autograder.assignment.checks import Check
    from autograder.exam.questions import Exam, Question
    from autograder.grading.observations import Observations
    from autograder.values.values import Value


def more_evidence(
    exam: Exam, check: Check, question: Question, probe: int, observations: Observations
) -> dict[str, Any]:
    """Return fields of `Evidence`: the answers for the other drawn inputs and for the documents' inputs.

    For an answer with NaN, also the answer if memory that was never written is zero.
    """
    questions = exam.questions_for(check, check.criterion(VALUE))
    others = tuple(
        observations.observe_once(other, probe).value
        for other in questions
        if other is not question
    )
    zeros = {"with_zeros": _with_zeros(question, probe, observations)}
    documented = next(
        (criterion for criterion in check.criteria if criterion.name == DOCUMENTED), None
    )
    if documented is None or documented.probes != check.criterion(VALUE).probes:
        return {"others": others, **zeros}
    is_right = []
    for case in exam.questions_for(check, documented):
        seen, right = observations.observe_once(case, probe), case.answers[probe].right
        is_right.append(any(compare(answer, seen.value).difference is None for answer in right))
    rights = tuple(
        right.value
        for case in exam.questions_for(check, documented)
        for right in case.answers[probe].right
    )
    return {"others": others, "right_on_documents": all(is_right), "documents": rights, **zeros}


def _with_zeros(question: Question, probe: int, observations: Observations) -> Value:
    if not np.isnan(numbers_in(observations.observe_once(question, probe).value)).any():
        return None
    request = Request("zeros", question.step, question.criterion, probe, question.inputs)
    return observations.session.observe(request).value
