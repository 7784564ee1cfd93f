"""The parts that a reference has are read from its lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from autograder.assignment.source import load_source
from autograder.exam.parts import parts_of
from tests.toy import write_toy

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("np.multiply(x, 2.0)", []),
        ("torch.relu(x)", ["activation"]),
        ("nn.GELU()(x)", ["activation"]),
        ("np.where(x > 0, x, 0)", ["mask", "activation"]),
        ("scores.softmax(-1).max()", []),
        ("scores.masked_fill(later, -torch.inf)", ["mask"]),
        ("np.triu(x)", ["mask"]),
        ("F.scaled_dot_product_attention(x, x, x, is_causal=True)", ["mask"]),
        ("functional.dropout(x, training=False)", ["dropout"]),
        ("shift(x).relu()", ["dropout", "activation"]),
        ("x\n    # relu", ["activation"]),
    ],
)
def test_the_parts_of_a_reference(tmp_path: Path, line: str, parts: list[str]) -> None:
    """`shift`, which the step may call, has dropout."""
    changes = (("np.multiply(x, 2.0)", line), ("np.add(x, START)", "F.dropout(x)"))
    assert parts_of(load_source(write_toy(tmp_path, *changes) / "toy"))["double"] == parts
