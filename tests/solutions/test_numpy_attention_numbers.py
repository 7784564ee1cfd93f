"""The reference of `numpy_attention` reaches every number that the document prints."""

import json
from pathlib import Path
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


@pytest.fixture(scope="module")
def computed() -> dict[str, Any]:
    """What the reference computes, under the names of documented.json."""
    reference = load_source(FOLDER).reference()
    matrices = array("w_query"), reference.w_key, reference.w_value
    queries, keys, values = reference.numpy_project(array("x"), *matrices)
    scores = reference.numpy_scores(queries, keys)
    numbers = reference.index_words(DOCUMENTED["sentence"]["printed"])
    vocabulary = reference.reverse_dict(numbers)
    indices = reference.token_indices(DOCUMENTED["sentence"]["printed"], vocabulary)
    projected = reference.project(tensor("X"), reference.W_Q, reference.W_K, reference.W_V)
    scaled = reference.scaled_scores(tensor("Q"), tensor("K"))
    printed = tensor("torch_attention_weights"), tensor("V")
    return {
        "x": reference.x,
        "w_query": reference.w_query,
        "queries": queries,
        "keys": keys,
        "values": values,
        "attention_scores": scores,
        "attention_weights": reference.numpy_softmax(scores),
        "output": reference.numpy_self_attention(array("x"), *matrices, scaled=False),
        "sentence": reference.sentence,
        "index_to_word": numbers,
        "word_to_index": vocabulary,
        "X": reference.embed(indices, reference.embedding).detach(),
        **dict(zip("QKV", projected, strict=True)),
        "torch_attention_scores": scaled * tensor("K").shape[-1] ** 0.5,
        "scaled_scores": scaled,
        "torch_attention_weights": reference.attention_weights(tensor("scaled_scores")),
        "torch_output": reference.attention_output(*printed),
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


def tolerance(key: str) -> float:
    if key in TOLERANCES:
        return TOLERANCES[key]
    decimals: int = DOCUMENTED[key]["decimals"]
    return float(0.5 * 10.0**-decimals) + NOISE


def largest_difference(computed: Any, key: str) -> float:
    assert tuple(computed.shape) == array(key).shape
    return float(np.abs(np.asarray(computed, dtype=np.float64) - array(key)).max())


@pytest.mark.parametrize("key", DOCUMENTED)
def test_number(key: str, computed: dict[str, Any]) -> None:
    if isinstance(computed[key], str | dict):
        assert computed[key] == printed_words(key)
    else:
        assert largest_difference(computed[key], key) <= tolerance(key)
