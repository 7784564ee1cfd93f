"""The reference with a student's own step in it, while others use the reference, too."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import torch

from autograder.assignment.checks import VALUE
from autograder.exam.substitution import Substitution
from autograder.values.values import identical
from tests.truth.test_truth import exam_of, source_of

if TYPE_CHECKING:
    from autograder.exam.reference import Inputs
    from autograder.values.values import Value


def _scaled_then_drawn(module: Any, case: Any) -> Any:
    """A probe whose random numbers are drawn after the student's step was asked."""
    return module.scale_scores(case.scores, case.d_k), torch.rand(3)


def _composed(substitution: Substitution, others: Any) -> Value:
    exam = exam_of("self_attention")
    check = next(one for one in exam.assignment.checks if one.name == "scale_scores")
    question = exam.questions_for(check, check.criterion(VALUE))[0]

    def ask(inputs: Inputs) -> Value:
        others()
        return inputs["scores"]

    answer = substitution.with_student_step(
        _scaled_then_drawn, question.inputs, "scale_scores", ask
    )
    assert answer is not None
    return answer[0]


def test_others_may_use_the_reference_while_the_student_is_asked() -> None:
    substitution = Substitution(source_of("self_attention"))
    exam = exam_of("self_attention")
    check = exam.assignment.checks[0]
    question = exam.questions_for(check, check.criterion(VALUE))[0]
    seen = question.answers[0].right[0].value
    one, other = list(exam.mistakes)[:2]
    done = threading.Event()

    def use() -> None:
        substitution.matches_pair(
            (one, other), check.criterion(VALUE).probes[0], question.inputs, seen
        )
        done.set()

    def others() -> None:
        threading.Thread(target=use, daemon=True).start()
        assert done.wait(60)

    _composed(substitution, others)


def test_what_others_draw_meanwhile_changes_nothing() -> None:
    substitution = Substitution(source_of("self_attention"))
    alone = _composed(substitution, lambda: None)
    assert identical(_composed(substitution, lambda: torch.rand(5)), alone)
    assert identical(_composed(substitution, lambda: torch.manual_seed(1)), alone)
