"""Calls of stand-ins, as they come from a worker: answered, refused, or no calls at all."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch

from autograder.errors import ProtocolError
from autograder.exam.stand_ins import (
    MOST_CALLS,
    MOST_CALLS_IN_ALL,
    CallsLeft,
    StandIns,
    TooManyCallsError,
)
from autograder.exam.substitution import Substitution
from autograder.values.values import freeze, thaw
from autograder.values.wire import encode, read_frame
from tests.exams import source_of

if TYPE_CHECKING:
    from autograder.values.values import Value

QUESTION: dict[str, Value] = {"scores": freeze(torch.ones(3, 4)), "d_k": 5}


@pytest.fixture(scope="module")
def substitution() -> Substitution:
    return Substitution(source_of("self_attention"))


STAND_INS = {
    "self_attention": "attention_score attention_scores attention_weights context_vectors project scale_scores",
    "numpy_attention": "numpy_project numpy_scores numpy_softmax",
    "scaled_dot_product": "attention_output attention_weights raw_scores scaled_scores",
    "causal_multihead": "CausalAttention causal_mask causal_weights merge_heads split_heads",
}


@pytest.mark.parametrize("name", STAND_INS)
def test_steps_that_others_use_and_that_draw_nothing_have_a_stand_in(name: str) -> None:
    assert Substitution(source_of(name)).stand_ins == set(STAND_INS[name].split())


@pytest.fixture
def stand_ins(substitution: Substitution) -> StandIns:
    found = StandIns(substitution, ["scale_scores"])
    found.begin(QUESTION)
    return found


def ask(stand_ins: StandIns, **fields: object) -> dict[str, Any]:
    call = {"number": 7, "step": "scale_scores", "inputs": {}, **fields}
    answer = thaw(read_frame(io.BytesIO(stand_ins.reply(encode(freeze(call))))))
    return dict(answer)


def test_a_call_is_answered_with_its_number(stand_ins: StandIns) -> None:
    before = torch.get_rng_state().tolist()
    assert stand_ins.parameters == {"scale_scores": ["scores", "d_k"]}
    weights = torch.nn.Parameter(torch.full((2, 2), 6.0))
    answer = ask(stand_ins, inputs={"scores": weights, "d_k": 4})
    assert (answer["number"], answer["value"].tolist()) == (7, [[3, 3], [3, 3]])
    assert type(answer["value"]) is torch.Tensor, "without the parameter's graph"
    assert not answer["value"].requires_grad
    assert (stand_ins.called, stand_ins.refused) == ({"scale_scores"}, None)
    assert torch.get_rng_state().tolist() == before


REFUSED = {
    "nothing": {},
    "too wide": {"scores": torch.ones(2, 5), "d_k": 4},
    "an empty one that is long": {"scores": torch.ones(10_000, 0), "d_k": 4},
    "a huge integer": {"scores": torch.ones(2, 2), "d_k": 10**6},
    "a huge integer in a list": {"scores": [10**6], "d_k": 4},
    "a huge integer in an array": {"scores": torch.ones(2, 2), "d_k": torch.tensor(-(2**63))},
    "more axes": {"scores": torch.ones(2, 1, 2), "d_k": torch.ones(1, 2, 1)},
    "a batch of batches": {"scores": torch.ones(1, 1, 2, 2), "d_k": 4},
    "many parts": {"scores": [[0]] * 60, "d_k": 4},
    "a long text": {"scores": "x" * 2_000, "d_k": 4},
    "another name": {"scores": torch.ones(2, 2), "d_k": 4, "more": 1},
    "what raises": {"scores": torch.ones(2, 2), "d_k": "4"},
}


@pytest.mark.parametrize("inputs", REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_answered_is_refused_and_noted(
    stand_ins: StandIns, inputs: dict[str, object]
) -> None:
    assert ask(stand_ins, inputs=inputs).keys() == {"op", "number"}
    assert stand_ins.refused is not None
    assert stand_ins.refused[0] == "scale_scores"
    assert stand_ins.refused[1].keys() <= {"scores", "d_k"}


def test_upstream_gradients_are_bounded_too(stand_ins: StandIns) -> None:
    inputs = {"scores": torch.ones(2, 2), "d_k": 4}
    answer = ask(stand_ins, inputs=inputs, upstream=[torch.ones(2, 2)])
    assert answer["value"]["scores"].tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert "value" not in ask(stand_ins, inputs=inputs, upstream=[torch.ones(9, 9)])
    assert "value" not in ask(stand_ins, inputs=inputs, upstream=[torch.ones(2, 2)] * 2)
    assert "value" not in ask(stand_ins, inputs=inputs, upstream=["x"])
    assert "value" not in ask(stand_ins, inputs=inputs, upstream=[torch.ones(2, 1)])


def test_a_batch_is_answered_if_it_is_of_one_or_the_question_has_as_many_axes(
    stand_ins: StandIns,
) -> None:
    assert "value" in ask(stand_ins, inputs={"scores": torch.ones(1, 2, 2), "d_k": 4})
    stand_ins.begin({"scores": freeze(torch.ones(2, 1, 2))})
    assert "value" in ask(stand_ins, inputs={"scores": torch.ones(2, 1, 2), "d_k": 4})


def test_an_answer_that_fits_no_frame_is_refused() -> None:
    rows = np.ones((1_500, 1))
    found = StandIns(Substitution(source_of("numpy_attention")), ["numpy_scores"])
    found.begin({"queries": freeze(rows), "keys": freeze(rows)})
    answer = ask(found, step="numpy_scores", inputs={"queries": rows, "keys": rows})
    assert answer.keys() == {"op", "number"}
    assert found.refused is not None


def test_what_is_not_in_a_question_has_its_limits_too(stand_ins: StandIns) -> None:
    stand_ins.begin(None)
    assert "value" in ask(stand_ins, inputs={"scores": torch.ones(100, 100), "d_k": 200})
    large = {"scores": torch.ones(100, 1, 100, 1), "d_k": torch.ones(1, 100, 1, 100)}
    assert "value" not in ask(stand_ins, inputs=large)


NO_CALLS: dict[str, object] = {
    "a step without a stand-in": {"number": 1, "step": "attention_weights", "inputs": {}},
    "a class": {"number": 1, "step": "SelfAttention_v1", "inputs": {}},
    "no text": {"number": 1, "step": 3, "inputs": {}},
    "no number": {"number": "1", "step": "scale_scores", "inputs": {}},
    "no arguments": {"number": 1, "step": "scale_scores", "inputs": [1]},
    "no call": [1, 2],
}


def test_what_is_no_call_ends_the_worker(stand_ins: StandIns) -> None:
    messages = {what: encode(freeze(call)) for what, call in NO_CALLS.items()}
    for what, message in {**messages, "no frame": b"\xff" * 9}.items():
        with pytest.raises(ProtocolError):
            stand_ins.reply(message)
        assert stand_ins.called == set(), what


def test_a_question_has_a_number_of_calls(stand_ins: StandIns) -> None:
    for _ in range(MOST_CALLS):
        ask(stand_ins)
    with pytest.raises(TooManyCallsError):
        ask(stand_ins)
    stand_ins.begin(QUESTION)
    ask(stand_ins)


def test_all_questions_of_a_submission_share_their_calls(substitution: Substitution) -> None:
    left = CallsLeft()
    both = [StandIns(substitution, [step], left) for step in ("scale_scores", "attention_weights")]
    for number in range(MOST_CALLS_IN_ALL):
        both[number % 2].begin(QUESTION)
        ask(both[number % 2], step=next(iter(both[number % 2].parameters)))
    with pytest.raises(TooManyCallsError):
        ask(both[0])


def test_loadings_share_their_calls_and_a_question_has_its_bytes(stand_ins: StandIns) -> None:
    large = encode(freeze({"scores": torch.zeros(1_000, 1_000, dtype=torch.int8)}))
    for inputs, most in ((None, 8), (QUESTION, 8)):
        for _ in range(most):
            if inputs is None:
                stand_ins.begin(None)  # each new worker loads the file again
            with pytest.raises(ProtocolError):
                stand_ins.reply(large)
        with pytest.raises(TooManyCallsError):
            stand_ins.reply(large)
        stand_ins.begin(QUESTION)
