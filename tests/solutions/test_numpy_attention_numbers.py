"""The reference of `numpy_attention` reaches every number that the document prints."""

import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch

from autograder.assignment.source import load_source

FOLDER = Path(__file__).parents[2] / "solutions" / "numpy_attention"
DOCUMENTED: dict[str, dict[str, Any]] = json.loads(
    (FOLDER / "documented.json").read_text(encoding="utf-8")
)
NOISE = 1e-6


def array(key: str) -> npt.NDArray[np.float64]:
    return np.array(DOCUMENTED[key]["printed"], dtype=np.float64)


def tensor(key: str) -> torch.Tensor:
    return torch.tensor(DOCUMENTED[key]["printed"])


def numpy_projections(reference: ModuleType) -> Any:
    return reference.numpy_project(array("x"), array("w_query"), reference.w_key, reference.w_value)


def numpy_scores(reference: ModuleType) -> Any:
    queries, keys, _ = numpy_projections(reference)
    return reference.numpy_scores(queries, keys)


def numpy_output(reference: ModuleType) -> Any:
    return reference.numpy_self_attention(
        array("x"), array("w_query"), reference.w_key, reference.w_value, scaled=False
    )


def embedded_sentence(reference: ModuleType) -> Any:
    sentence = DOCUMENTED["sentence"]["printed"]
    vocabulary = reference.reverse_dict(reference.index_words(sentence))
    indices = reference.token_indices(sentence, vocabulary)
    return reference.embed(indices, reference.embedding).detach()


def torch_projections(reference: ModuleType) -> Any:
    return reference.project(tensor("X"), reference.W_Q, reference.W_K, reference.W_V)


def unscaled_torch_scores(reference: ModuleType) -> Any:
    scaled = reference.scaled_scores(tensor("Q"), tensor("K"))
    return scaled * tensor("K").shape[-1] ** 0.5


COMPUTED: dict[str, Callable[[ModuleType], Any]] = {
    "x": lambda reference: reference.x,
    "w_query": lambda reference: reference.w_query,
    "queries": lambda reference: numpy_projections(reference)[0],
    "keys": lambda reference: numpy_projections(reference)[1],
    "values": lambda reference: numpy_projections(reference)[2],
    "attention_scores": numpy_scores,
    "attention_weights": lambda reference: reference.numpy_softmax(numpy_scores(reference)),
    "output": numpy_output,
    "sentence": lambda reference: reference.sentence,
    "index_to_word": lambda reference: reference.index_words(reference.sentence),
    "word_to_index": lambda reference: reference.reverse_dict(
        reference.index_words(reference.sentence)
    ),
    "X": embedded_sentence,
    "Q": lambda reference: torch_projections(reference)[0],
    "K": lambda reference: torch_projections(reference)[1],
    "V": lambda reference: torch_projections(reference)[2],
    "torch_attention_scores": unscaled_torch_scores,
    "scaled_scores": lambda reference: reference.scaled_scores(tensor("Q"), tensor("K")),
    "torch_attention_weights": lambda reference: reference.attention_weights(
        tensor("scaled_scores")
    ),
    "torch_output": lambda reference: reference.attention_output(
        tensor("torch_attention_weights"), tensor("V")
    ),
}

# W_Q, W_K and W_V are not printed: least squares from the rounded X and the rounded product.
# Rounding moves a product by at most half a unit times (1 + the largest column sum of |W|); that
# sum is 5.4 for W_V.
FITTED = 3.2e-4

# made_by: computed from rounded numbers, so these agree only so far.
TOLERANCES = {
    "x": 0.0,  # stands in the script as printed
    "w_query": 0.0,  # likewise
    "Q": FITTED,
    "K": FITTED,
    "V": FITTED,
    "torch_attention_scores": 5e-4,
    "scaled_scores": 2.5e-4,  # half of the scores' 5e-4, because d is 4
    "torch_attention_weights": 1e-5,
    "torch_output": 1e-4,
}


def printed_words(key: str) -> Any:
    printed = DOCUMENTED[key]["printed"]
    if key == "index_to_word":  # JSON knows no numbers as keys
        return {int(index): word for index, word in printed.items()}
    return printed


@pytest.fixture(scope="module")
def reference() -> ModuleType:
    return load_source(FOLDER).reference()


def tolerance(key: str) -> float:
    if key in TOLERANCES:
        return TOLERANCES[key]
    decimals: int = DOCUMENTED[key]["decimals"]
    return float(0.5 * 10.0**-decimals) + NOISE


def largest_difference(computed: Any, key: str) -> float:
    assert tuple(computed.shape) == array(key).shape
    return float(np.abs(np.asarray(computed, dtype=np.float64) - array(key)).max())


@pytest.mark.parametrize("key", COMPUTED)
def test_number(key: str, reference: ModuleType) -> None:
    computed = COMPUTED[key](reference)
    if isinstance(computed, str | dict):
        assert computed == printed_words(key)
    else:
        assert largest_difference(computed, key) <= tolerance(key)


def test_every_printed_number_has_a_test() -> None:
    assert set(COMPUTED) == set(DOCUMENTED)
