"""The rule of points: each step is judged by itself, so no step's points depend on what stands in another one."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import pytest

from tests.exams import ASSIGNMENTS, exam_of
from tests.graders import points_of
from tests.grading.test_stand_ins import source
from tests.truth.variant import Variant, rows_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    Points = dict[str, float]

# Every so many rows are quick.
SAMPLE = 25


@functools.cache
def points(assignment: str, *changes: str) -> Points:
    """Return the points of each step of a file whose steps call each other, with these changes."""
    return points_of(exam_of(assignment), source(assignment, *changes))


def wrong_rows(assignment: str) -> list[Variant]:
    """Return the rows whose step can be put into the file of another one."""
    return [row for row in rows_of(assignment, "wrong") if "__future__" not in row.source]


def pairs() -> Iterator[tuple[str, Variant, Variant]]:
    """Yield each row beside a row of another step: of each other step in turn."""
    for assignment in ASSIGNMENTS:
        rows = wrong_rows(assignment)
        by_step: dict[str, list[Variant]] = {}
        for row in rows:
            by_step.setdefault(row.step, []).append(row)
        for number, row in enumerate(rows):
            others = [step for step in by_step if step != row.step]
            other = by_step[others[number % len(others)]]
            yield assignment, row, other[number // len(others) % len(other)]


PAIRS = [
    pytest.param(*pair, id=f"{pair[1].name}-{pair[2].name}", marks=[pytest.mark.slow] * (number % SAMPLE > 0))
    for number, pair in enumerate(pairs())
]  # fmt: skip


@pytest.mark.parametrize(("assignment", "row", "other"), PAIRS)
def test_no_step_changes_what_another_earns(assignment: str, row: Variant, other: Variant) -> None:
    """Slow: all rows. So repairing a step never lowers a total."""
    right = points(assignment)
    one, two = points(assignment, row.source), points(assignment, other.source)
    both = points(assignment, row.source, other.source)
    assert both == {**right, row.step: one[row.step], other.step: two[other.step]}
    for alone, step in ((one, row.step), (two, other.step)):
        assert {name for name, earned in alone.items() if earned < right[name]} <= {step}


WRAPPER = "MultiHeadAttentionWrapper"
# A class that others build on, and that cannot be used in several ways.
CLASSES = {
    "raises": "    def __init__(self, *given, **more):\n        raise ValueError\n",
    "has other names": (
        "    def __init__(self, *given, **more):\n        super().__init__(*given, **more)\n"
        "        self.query, self.mask = self.W_query, None\n        del self.W_query\n"
    ),
    "returns nothing": "    def forward(self, x):\n        pass\n",
    "has no gradient": "    def forward(self, x):\n        return super().forward(x).detach()\n",
    "drops nothing": (
        "    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):\n"
        "        super().__init__(d_in, d_out, context_length, 0.0, qkv_bias)\n"
    ),
}


@pytest.mark.parametrize("kind", CLASSES)
def test_a_right_wrapper_around_a_class_that_is_not_right_has_all_its_points(kind: str) -> None:
    """Value, parameters, gradients and dropout are asked around a module with the layers that the class promises."""
    broken = f"class CausalAttention(CausalAttention):\n{CLASSES[kind]}"
    found = points("causal_multihead", broken)
    assert found["CausalAttention"] < 4
    assert found[WRAPPER] == 2


def test_a_wrong_wrapper_around_a_class_that_is_not_right_has_none() -> None:
    broken = f"class CausalAttention(CausalAttention):\n{CLASSES['raises']}"
    forward = "    def forward(self, x):\n        return sum(head(x) for head in self.heads)\n"
    added = f"class {WRAPPER}({WRAPPER}):\n{forward}"
    assert points("causal_multihead", broken, added)[WRAPPER] == 0.5  # its parameters
