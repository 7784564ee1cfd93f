"""The reference of self_attention reaches every number that its documents print."""

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import torch

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
WEIGHTS = ("W_query", "W_key", "W_value")
NUMBERS = sorted(DOCUMENTED.keys() - VARIANCES)


@pytest.fixture(scope="module")
def reference() -> ModuleType:
    return load_source(SOLUTION).reference()


@pytest.fixture(scope="module")
def computed(reference: ModuleType) -> dict[str, torch.Tensor]:
    """What the reference computes, under the names of documented.json."""
    matrices = reference.init_weights(D_IN, D_OUT, 123)
    found = {"inputs": reference.inputs, **dict(zip(WEIGHTS, matrices, strict=True))}
    one = query_2, key_2, _ = reference.project(INPUTS[1], *matrices)
    found |= zip(("query_2", "key_2", "value_2"), one, strict=True)
    every = queries, keys, values = reference.project(INPUTS, *matrices)
    found |= zip(("queries", "keys", "values"), every, strict=True)
    found["attn_score_22"] = reference.attention_score(query_2, key_2)
    for name, rows, context in (
        ("_2", reference.project(INPUTS[1:2], *matrices)[0], "context_vec_2"),
        ("", queries, "context_vectors"),
    ):
        scores = reference.attention_scores(rows, keys)
        scaled = reference.scale_scores(scores, D_OUT)
        weights = reference.attention_weights(scaled)
        vectors = reference.context_vectors(weights, values)
        last = 0 if name else slice(None)
        found[f"attn_scores{name}"], found[f"attn_weights{name}"] = scores[last], weights[last]
        found |= (
            {context: vectors[last]} if name else {context: vectors, "scaled_attn_scores": scaled}
        )
    for key, factor in (("softmax_of_peaky_input", 1), ("softmax_of_peaky_input_times_8", 8)):
        found[key] = reference.attention_weights(factor * printed("peaky_input").unsqueeze(0))[0]
    for version, seed in ((1, 123), (2, 789), (2, 78)):
        torch.manual_seed(seed)
        module = getattr(reference, f"SelfAttention_v{version}")(D_IN, D_OUT)
        found[f"sa_v{version}_seed_{seed}"] = module(INPUTS)
    return {**found, "peaky_input": reference.peaky_input}


def tolerance(key: str) -> float:
    """Half a unit of the last printed digit; given data has no digits that were not printed."""
    if key in GIVEN:
        return FLOAT_NOISE
    return float(0.5 * 10 ** -DOCUMENTED[key]["decimals"]) + FLOAT_NOISE


@pytest.mark.parametrize("key", NUMBERS)
def test_number(computed: dict[str, torch.Tensor], key: str) -> None:
    reached = computed[key].detach()
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
