"""The reference of self_attention reaches every number that its documents print."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import torch

from autograder.assignment.script import read_cells
from autograder.assignment.source import load_source

SOLUTION = Path(__file__).parents[2] / "solutions" / "self_attention"
DOCUMENTED: dict[str, dict[str, Any]] = json.loads(
    (SOLUTION / "documented.json").read_text(encoding="utf-8")
)
GIVEN = ("inputs", "peaky_input")
VARIANCES = ("variance_dim_5", "variance_dim_100")
TRIALS = 1000
FLOAT_NOISE = 1e-6


def printed(key: str) -> torch.Tensor:
    return torch.tensor(DOCUMENTED[key]["printed"])


INPUTS = printed("inputs")
D_IN, D_OUT = printed("W_query").shape


def weights(reference: ModuleType) -> Any:
    return reference.init_weights(D_IN, D_OUT, 123)


def projected(reference: ModuleType, x: torch.Tensor) -> Any:
    return reference.project(x, *weights(reference))


def score_22(reference: ModuleType) -> torch.Tensor:
    query_2, key_2, _ = projected(reference, INPUTS[1])
    return reference.attention_score(query_2, key_2)


def scores(reference: ModuleType) -> torch.Tensor:
    queries, keys, _ = projected(reference, INPUTS)
    return reference.attention_scores(queries, keys)


def scores_2(reference: ModuleType) -> torch.Tensor:
    query_2 = projected(reference, INPUTS[1:2])[0]
    keys = projected(reference, INPUTS)[1]
    return reference.attention_scores(query_2, keys)


def scaled_scores(reference: ModuleType) -> torch.Tensor:
    return reference.scale_scores(scores(reference), D_OUT)


def weights_2(reference: ModuleType) -> torch.Tensor:
    return reference.attention_weights(reference.scale_scores(scores_2(reference), D_OUT))


def attention_weights(reference: ModuleType) -> torch.Tensor:
    return reference.attention_weights(scaled_scores(reference))


def context_vectors(reference: ModuleType, shares: torch.Tensor) -> torch.Tensor:
    return reference.context_vectors(shares, projected(reference, INPUTS)[2])


def softmax_of_peaky_input(reference: ModuleType, factor: int) -> torch.Tensor:
    return reference.attention_weights(factor * printed("peaky_input").unsqueeze(0))[0]


def seeded_output(reference: ModuleType, name: str, seed: int) -> torch.Tensor:
    torch.manual_seed(seed)
    return getattr(reference, name)(D_IN, D_OUT)(INPUTS)


NUMBERS: dict[str, Callable[[ModuleType], torch.Tensor]] = {
    "inputs": lambda reference: reference.inputs,
    "W_query": lambda reference: weights(reference)[0],
    "W_key": lambda reference: weights(reference)[1],
    "W_value": lambda reference: weights(reference)[2],
    "query_2": lambda reference: projected(reference, INPUTS[1])[0],
    "key_2": lambda reference: projected(reference, INPUTS[1])[1],
    "value_2": lambda reference: projected(reference, INPUTS[1])[2],
    "queries": lambda reference: projected(reference, INPUTS)[0],
    "keys": lambda reference: projected(reference, INPUTS)[1],
    "values": lambda reference: projected(reference, INPUTS)[2],
    "attn_score_22": score_22,
    "attn_scores_2": lambda reference: scores_2(reference)[0],
    "attn_scores": scores,
    "scaled_attn_scores": scaled_scores,
    "attn_weights_2": lambda reference: weights_2(reference)[0],
    "attn_weights": attention_weights,
    "context_vec_2": lambda reference: context_vectors(reference, weights_2(reference))[0],
    "context_vectors": lambda reference: context_vectors(reference, attention_weights(reference)),
    "sa_v1_seed_123": lambda reference: seeded_output(reference, "SelfAttention_v1", 123),
    "sa_v2_seed_789": lambda reference: seeded_output(reference, "SelfAttention_v2", 789),
    "sa_v2_seed_78": lambda reference: seeded_output(reference, "SelfAttention_v2", 78),
    "peaky_input": lambda reference: reference.peaky_input,
    "softmax_of_peaky_input": lambda reference: softmax_of_peaky_input(reference, 1),
    "softmax_of_peaky_input_times_8": lambda reference: softmax_of_peaky_input(reference, 8),
}


@pytest.fixture(scope="module")
def reference() -> ModuleType:
    return load_source(SOLUTION).reference()


def tolerance(key: str) -> float:
    """Half a unit of the last printed digit; given data has no digits that were not printed."""
    if key in GIVEN:
        return FLOAT_NOISE
    return float(0.5 * 10 ** -DOCUMENTED[key]["decimals"]) + FLOAT_NOISE


@pytest.mark.parametrize("key", NUMBERS)
def test_number(reference: ModuleType, key: str) -> None:
    reached = NUMBERS[key](reference).detach()

    torch.testing.assert_close(reached, printed(key), rtol=0, atol=tolerance(key))


def width(key: str) -> int:
    return int(key.removeprefix("variance_dim_"))


def vectors_with_variance(variance: float, d: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Two pairs whose dot products are plus and minus the root of this population variance."""
    queries = torch.zeros(2, d, dtype=torch.float64)
    queries[:, 0] = torch.tensor([variance**0.5, -(variance**0.5)])
    return queries, torch.ones(2, d, dtype=torch.float64)


@pytest.mark.parametrize("key", VARIANCES)
def test_variance(reference: ModuleType, key: str) -> None:
    """The printed trials had no seed; vectors with their variance before must give theirs after."""
    both = DOCUMENTED[key]["printed"]

    before, after = reference.dot_product_variance(
        *vectors_with_variance(both["before"], width(key))
    )

    assert float(before) == pytest.approx(both["before"], rel=FLOAT_NOISE)
    assert float(after) == pytest.approx(both["after"], rel=FLOAT_NOISE)


@pytest.mark.parametrize("origin", ["printed", "reference"])
@pytest.mark.parametrize("key", VARIANCES)
def test_variance_follows_the_law(reference: ModuleType, key: str, origin: str) -> None:
    """Unseeded, so near d and near 1 means within five standard errors of 1000 trials.

    A product of two standard normal numbers has kurtosis 9, so a sum of d of them has 3 + 6 / d.
    """
    d = width(key)
    generator = torch.Generator().manual_seed(0)
    pair = torch.randn(2, TRIALS, d, generator=generator, dtype=torch.float64)
    observed = {
        "printed": DOCUMENTED[key]["printed"].values(),
        "reference": reference.dot_product_variance(pair[0], pair[1]),
    }
    before, after = map(float, observed[origin])
    standard_error = ((2 + 6 / d) / TRIALS) ** 0.5

    assert before == pytest.approx(d, rel=5 * standard_error)
    assert after == pytest.approx(1, rel=5 * standard_error)
    assert before / after == pytest.approx(d, rel=FLOAT_NOISE)


def test_transferred_weights_give_the_same_output(reference: ModuleType) -> None:
    source = reference.SelfAttention_v2(D_IN, D_OUT)
    target = reference.SelfAttention_v1(D_IN, D_OUT)

    reference.transfer_weights(source, target)

    torch.testing.assert_close(target(INPUTS), source(INPUTS), rtol=0, atol=FLOAT_NOISE)


def printed_texts(value: Any, decimals: int | None) -> set[str]:
    """Each number as the documents show it, so 1.544 with four decimals is 1.5440."""
    if isinstance(value, dict):
        return printed_texts(list(value.values()), decimals)
    if isinstance(value, list):
        return set().union(*(printed_texts(part, decimals) for part in value))
    return {repr(value) if decimals is None else f"{value:.{decimals}f}"}


def test_prose_shows_only_printed_numbers() -> None:
    cells = read_cells((SOLUTION / "self_attention.py").read_text(encoding="utf-8"))
    prose = "\n".join(cell.source for cell in cells if cell.kind == "text")
    known = set().union(
        *(printed_texts(row["printed"], row["decimals"]) for row in DOCUMENTED.values())
    )

    shown = set(re.findall(r"-?\d+\.\d{2,}", prose))

    assert shown
    assert shown <= known


def test_every_documented_number_has_a_test() -> None:
    assert {*NUMBERS, *VARIANCES} == set(DOCUMENTED)
