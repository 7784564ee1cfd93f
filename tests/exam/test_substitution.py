"""Single steps of the reference, asked with arguments that a student's code gives."""

from __future__ import annotations

import pytest
import torch

from autograder.exam.substitution import Substitution
from autograder.values.values import Value, freeze, thaw
from tests.exams import source_of

STAND_INS = {
    "self_attention": {
        "attention_score",
        "attention_scores",
        "attention_weights",
        "context_vectors",
        "project",
        "scale_scores",
    },
    "numpy_attention": {"numpy_project", "numpy_scores", "numpy_softmax"},
    "scaled_dot_product": {"attention_output", "attention_weights", "raw_scores", "scaled_scores"},
    "causal_multihead": {
        "CausalAttention",
        "causal_mask",
        "causal_weights",
        "merge_heads",
        "split_heads",
    },
}


@pytest.fixture(scope="module")
def substitution() -> Substitution:
    return Substitution(source_of("self_attention"))


@pytest.mark.parametrize("name", STAND_INS)
def test_steps_that_others_use_have_a_stand_in(name: str) -> None:
    assert Substitution(source_of(name)).stand_ins == STAND_INS[name]


def test_a_step_that_draws_has_none(substitution: Substitution) -> None:
    assert substitution._draws("init_weights")
    assert not substitution._draws("scale_scores")


def test_a_step_answers_and_leaves_the_random_state_alone(substitution: Substitution) -> None:
    before = torch.get_rng_state().tolist()
    inputs: dict[str, Value] = {"scores": freeze(torch.full((2, 2), 3.0)), "d_k": 9}
    answer = substitution.answer("scale_scores", inputs, None)

    assert thaw(answer["value"]).tolist() == [[1, 1], [1, 1]]
    assert torch.get_rng_state().tolist() == before


def test_gradients_are_pulled_back(substitution: Substitution) -> None:
    inputs: dict[str, Value] = {"scores": freeze(torch.ones(2, 2)), "d_k": 4}
    upstream = [freeze(torch.full((2, 2), 3.0))]
    found = thaw(substitution.answer("scale_scores", inputs, upstream)["value"])

    assert found["scores"].tolist() == [[1.5, 1.5], [1.5, 1.5]]
    assert found["d_k"] is None


@pytest.mark.parametrize("d_k", [None, "4", [4], 0])
def test_what_the_reference_raises_is_no_answer(substitution: Substitution, d_k: Value) -> None:
    inputs: dict[str, Value] = {
        "scores": None if d_k == 0 else freeze(torch.ones(2, 2)),
        "d_k": d_k,
    }
    assert substitution.answer("scale_scores", inputs, None) == {}
