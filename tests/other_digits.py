"""Another processor, without one: what our own modules compute gets other last digits.

Two computations of one number are moved apart as well, as two ways of computing it are on another processor.
"""

from __future__ import annotations

import functools
import math
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from autograder.assignment import recorder
from autograder.assignment.checks import probe_name
from autograder.assignment.probes import run
from autograder.exam import reference, substitution
from autograder.values.values import Array, DictValue, ListValue, freeze, freeze_answer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy.typing as npt

    from autograder.assignment.source import Source
    from autograder.values.values import Value

    Numbers = npt.NDArray[np.float64]

# The largest difference between processors that was measured for the assignments' inputs, and for gradients; of large
# numbers two units of the last digit of a float32.
NOISE, NOISE_OF_GRADIENTS, OF_LARGE = 4e-6, 4e-5, 2.0**-22


def _drawn(seed: int) -> Callable[[int], Numbers]:
    generator = np.random.default_rng(seed)
    return lambda count: generator.uniform(-1, 1, count)


def _in_turn() -> Callable[[int], Numbers]:
    sign = 1.0

    def signs(count: int) -> Numbers:
        nonlocal sign
        sign = -sign
        return sign * np.where(np.arange(count) % 2, -1.0, 1.0)

    return signs


# Each returns for a count of numbers how far each one is moved, in parts of the noise.
PATTERNS: dict[str, Callable[[], Callable[[int], Numbers]]] = {
    "up and down": _in_turn,
    "drawn": functools.partial(_drawn, 0),
    "drawn again": functools.partial(_drawn, 1),
}


@contextmanager
def other_digits(pattern: str, source: Source) -> Iterator[None]:
    """Move each real number that the reference of an assignment computes in this block."""
    pattern_of = PATTERNS[pattern]()
    loose = {
        probe_name(probe)
        for check in source.assignment.checks
        for criterion in check.criteria
        if criterion.slack > 1
        for probe in criterion.all_probes
    }
    of_answer = NOISE

    def run_probe(probe: Callable[..., object], *given: object) -> object:
        nonlocal of_answer
        of_answer = NOISE_OF_GRADIENTS if getattr(probe, "__name__", "") in loose else NOISE
        return run(probe, *given)  # type: ignore[arg-type]

    def answer(first: Callable[[object], Value], value: object) -> Value:
        return _moved(first(value), of_answer, pattern_of)

    def other(first: Callable[[object], Value], value: object) -> Value:
        return _moved(first(value), NOISE, pattern_of)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reference, "run", run_probe)
        patch.setattr(reference, "freeze", functools.partial(answer, freeze))
        patch.setattr(substitution, "freeze", functools.partial(other, freeze))
        patch.setattr(recorder, "freeze_answer", functools.partial(other, freeze_answer))
        yield


def _moved(value: Value, noise: float, pattern_of: Callable[[int], Numbers]) -> Value:
    if isinstance(value, Array) and value.data.dtype.kind == "f":
        finite = np.where(np.isfinite(value.data), value.data, 0.0)
        by = pattern_of(finite.size).reshape(finite.shape)
        by = by * np.maximum(noise, OF_LARGE * np.abs(finite))
        return replace(value, data=(value.data + by).astype(value.data.dtype))
    if isinstance(value, float) and math.isfinite(value):
        return value + max(noise, OF_LARGE * abs(value)) * float(pattern_of(1)[0])
    if isinstance(value, ListValue):
        return replace(value, items=tuple(_moved(one, noise, pattern_of) for one in value.items))
    if isinstance(value, DictValue):
        moved = tuple((key, _moved(one, noise, pattern_of)) for key, one in value.items)
        return DictValue(moved)
    return value
