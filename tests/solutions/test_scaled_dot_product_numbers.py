"""The reference reaches every number that the document of `scaled_dot_product` prints."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from autograder.assignment.source import load_source

SOLUTION = Path(__file__).parents[2] / "solutions" / "scaled_dot_product"
DOCUMENTED: dict[str, dict[str, Any]] = json.loads(
    (SOLUTION / "documented.json").read_text(encoding="utf-8")
)

FLOAT_NOISE = 1e-6
# The eight products of a score are often larger than the score itself, so float32 rounds scores in
# proportion to the largest ones. Kernels differ: `raw_scores` were seen 3.6e-6 (AVX) to 2.2e-5 (no
# AVX) beyond half a unit, `scaled_scores` 1.1e-6 to 1.1e-5. The last printed digit of 3491.731 is
# finer than float32, whose numbers are 2.4e-4 apart there.
ROUNDED_LIKE_THE_LARGEST = {
    "raw_scores",
    "scaled_scores",
    "variance_raw_scores",
    "variance_scaled_scores",
}


@pytest.fixture(scope="module")
def computed() -> dict[str, np.ndarray]:
    """What the reference computes in the documented run, under the names of documented.json."""
    reference = load_source(SOLUTION).reference()
    torch.manual_seed(reference.seed)
    layers = reference.make_projections(reference.d_model)
    tokens = reference.make_tokens(reference.max_sequence_length, reference.d_model)
    q, k, v = reference.project(tokens, *layers)
    output, weights = reference.scaled_dot_product_attention(q, k, v)
    variances = reference.score_variances(q, k)
    found = {
        "w_query_weight": layers[0].weight,
        "tokens": tokens,
        "raw_scores": reference.raw_scores(q, k),
        "scaled_scores": reference.scaled_scores(q, k),
        "attn_weights": weights,
        "attention_output": output,
    } | {f"variance_{name}": variance for name, variance in variances.items()}
    return {name: tensor.detach().numpy() for name, tensor in found.items()}


def printed_entries(table: np.ndarray, printed: Any) -> tuple[np.ndarray, np.ndarray]:
    """The entries of `table` that were printed, and the print, which may end within a row."""
    if table.ndim == 0:
        return table, np.array(printed)
    seen = [row[: len(part)] for row, part in zip(table, printed, strict=False)]
    return np.concatenate(seen), np.concatenate(printed)


def noise(name: str, printed: np.ndarray) -> float:
    """How far float32 may be off, beyond the rounding of the print."""
    if name not in ROUNDED_LIKE_THE_LARGEST:
        return FLOAT_NOISE
    return FLOAT_NOISE + 2 * float(np.finfo(np.float32).eps * np.abs(printed).max())


@pytest.mark.parametrize("name", DOCUMENTED)
def test_number(name: str, computed: dict[str, np.ndarray]) -> None:
    seen, printed = printed_entries(computed[name], DOCUMENTED[name]["printed"])
    half_unit = 0.5 * 10.0 ** -DOCUMENTED[name]["decimals"]
    np.testing.assert_allclose(seen, printed, rtol=0, atol=half_unit + noise(name, printed))
