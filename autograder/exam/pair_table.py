"""The answers of all pairs of mistakes to one question."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from autograder.exam.reference import flat
from autograder.values.numbers import numbers_in

if TYPE_CHECKING:
    from autograder.exam.reference import Inputs, Numbers
    from autograder.values.values import Value

    Pair = tuple[str, str]


@dataclass
class PairTable:
    """The computed answers of all pairs, for a fast search among thousands.

    Attributes:
        inputs: the inputs of these answers.
        rows: maps a count of numbers to the pairs whose answers have that count, with the answers.
        stacked: the numbers of the same answers, one row per answer.
    """

    inputs: Inputs
    rows: dict[int, list[tuple[Pair, Value]]] = field(default_factory=dict)
    stacked: dict[int, Numbers] = field(default_factory=dict)

    def add(self, names: Pair, value: Value) -> None:
        self.rows.setdefault(numbers_in(value).size, []).append((names, value))

    def near(self, seen: Value) -> list[tuple[Pair, Value]]:
        """Return the pairs with nearly these numbers, and their answers, to compare exactly."""
        numbers = flat(seen)
        rows = self.rows.get(numbers.size, [])
        if not rows:
            return []
        if numbers.size not in self.stacked:
            self.stacked[numbers.size] = np.stack([flat(value) for _, value in rows])
        close = np.isclose(self.stacked[numbers.size], numbers, rtol=1e-2, atol=1e-3).all(axis=1)
        return [rows[place] for place in np.flatnonzero(close).tolist()]
