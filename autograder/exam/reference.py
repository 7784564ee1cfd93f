"""Run probes on our own modules: the reference, with or without mistakes. Tell a known answer from another.

Another processor computes other last digits. For most known wrong answers the normal tolerance is enough. A few need
more, for example after a division by a sum close to zero.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.assignment.probes import run
from autograder.compare import ABSOLUTE, RELATIVE, agrees
from autograder.no_warnings import quiet
from autograder.values.numbers import numbers_in
from autograder.values.values import freeze, thaw

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import ModuleType

    import numpy.typing as npt

    from autograder.assignment.checks import Probe
    from autograder.values.values import Value

    Inputs = Mapping[str, Value]
    Numbers = npt.NDArray[np.float64]
    # What a probe returns; None if an exception is raised.
    Answer = tuple[Value] | None

# An answer may be off by this factor times its observed change.
_MARGIN = 4.0
# A larger relative change is a jump (the number was rounded or selected), not a rounding error.
_JUMP = 1e-2


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
    except Exception:  # noqa: BLE001 - many mistakes raise for some shapes; there is no answer then
        return None


def flat(value: Value) -> Numbers:
    """Return all numbers in a value, with 0 for nan and inf."""
    numbers = numbers_in(value)
    return np.where(np.isfinite(numbers), numbers, 0.0)


def is_of_many_numbers(value: Value) -> bool:
    """Return whether a value has at least two different numbers."""
    numbers = flat(value)
    return numbers.size > 0 and not bool(np.all(numbers == numbers[0]))


def relative_tolerance(answer: Value, moved: Value) -> float:
    """Return the relative tolerance for an answer.

    Args:
        answer: the answer to the original inputs.
        moved: the answer to the shaken inputs.
    """
    numbers, moved_numbers = numbers_in(answer), numbers_in(moved)
    if numbers.shape != moved_numbers.shape:
        return RELATIVE
    both = np.isfinite(numbers) & np.isfinite(moved_numbers)
    size = np.abs(numbers[both])
    off = np.abs(numbers[both] - moved_numbers[both])
    far = off * _MARGIN > ABSOLUTE + RELATIVE * size
    with np.errstate(divide="ignore"):
        moves = off[far] / size[far]
    moves = moves[moves < _JUMP]
    return max(RELATIVE, _MARGIN * float(moves.max())) if moves.size else RELATIVE


def agrees_up_to_rounding(answer: Value, seen: Value, move: Callable[[], Answer]) -> bool:
    """Return whether the observed answer equals a known answer, up to rounding.

    Args:
        answer: the answer of the reference with something replaced.
        seen: the observed answer.
        move: returns the answer to the shaken inputs, or None if there is none. Called only if the
            two answers are close but not equal within the normal tolerance.
    """
    if agrees(answer, seen):
        return True
    if not agrees(answer, seen, _JUMP):
        return False
    moved = move()
    return moved is not None and agrees(answer, seen, relative_tolerance(answer, moved[0]))
