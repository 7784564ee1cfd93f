"""Run probes on our own modules: the reference, with or without mistakes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.assignment.probes import run
from autograder.no_warnings import quiet
from autograder.values.numbers import numbers_in
from autograder.values.values import freeze, thaw

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

    import numpy.typing as npt

    from autograder.assignment.checks import Probe
    from autograder.values.values import Value

    Inputs = Mapping[str, Value]
    Numbers = npt.NDArray[np.float64]
    # What a probe returns; None if an exception is raised.
    Answer = tuple[Value] | None


def observe(probe: Probe, module: ModuleType, inputs: Inputs) -> Value:
    """Return the result of a probe on one of our own modules, run in this process."""
    with quiet():  # known mistakes may overflow on purpose
        return freeze(run(probe, module, thawed(inputs)))


def thawed(inputs: Inputs) -> dict[str, Any]:
    """Return the inputs for a probe, as new tensors and arrays."""
    return {name: thaw(value) for name, value in inputs.items()}


def try_to_observe(probe: Probe, module: ModuleType, inputs: Inputs) -> Answer:
    """Like `observe`, but return None if the module raises an exception."""
    try:
        return (observe(probe, module, inputs),)
    except (Exception, SystemExit):  # noqa: BLE001 - many mistakes raise for some shapes; there is no answer then
        return None


def flat(value: Value) -> Numbers:
    """Return all numbers in a value, with 0 for nan and inf."""
    numbers = numbers_in(value)
    return np.where(np.isfinite(numbers), numbers, 0.0)
