"""What a probe sees of our own modules, the right one and those with a mistake, and the numbers in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.assignment.probes import run
from autograder.no_warnings import quiet
from autograder.values.numbers import numbers_in
from autograder.values.values import freeze, thaw

if TYPE_CHECKING:
    from collections.abc import Mapping as AbstractMapping
    from types import ModuleType

    import numpy.typing as npt

    from autograder.assignment.checks import Probe
    from autograder.values.values import Value

    Inputs = AbstractMapping[str, Value]
    Numbers = npt.NDArray[np.float64]


def observe(probe: Probe, module: ModuleType, inputs: Inputs) -> Value:
    """What a probe sees of one of our own modules, in this process."""
    with quiet():  # a known mistake may overflow, and that is its point
        return freeze(run(probe, module, thawed(inputs)))


def thawed(inputs: Inputs) -> dict[str, Any]:
    """Inputs as a probe gets them: tensors and arrays of its own."""
    return {name: thaw(value) for name, value in inputs.items()}


def try_to_observe(probe: Probe, module: ModuleType, inputs: Inputs) -> tuple[Value] | None:
    """The same of a module with a mistake; None where that raises instead of answering."""
    try:
        return (observe(probe, module, inputs),)
    except Exception:  # noqa: BLE001 - many mistakes raise for some shapes; that is no answer to recognise
        return None


def flat(value: Value) -> Numbers:
    """All numbers in a value; 0 for what is not finite."""
    numbers = numbers_in(value)
    return np.where(np.isfinite(numbers), numbers, 0.0)


def is_of_many_numbers(value: Value) -> bool:
    """Whether there are numbers in a value that are not all the same."""
    numbers = flat(value)
    return numbers.size > 0 and not bool(np.all(numbers == numbers[0]))
