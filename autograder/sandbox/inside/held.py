"""The sizes that a function held where it raised: shapes of tensors and arrays, and whole numbers.

Only explanations depend on them. A student's objects may make any of this fail: then no size is known.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet
    from types import FrameType

MOST = 30
LARGEST = 10**9
_MOST_AXES = 8


def held_sizes(error: BaseException, labels: AbstractSet[str]) -> list[dict[str, object]]:
    """Return the sizes of the variables in the student's innermost function, and of what its `self` stores."""
    try:
        return list(_held(error, labels))[:MOST]
    except BaseException:  # noqa: BLE001 - a student may have replaced any of this
        return []


def _held(error: BaseException, labels: AbstractSet[str]) -> Iterator[dict[str, object]]:
    frame, trace = None, error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        frame = trace.tb_frame if code.co_filename in labels else frame
        trace = trace.tb_next
    for name, value in _variables(frame) if frame else ():
        sizes = _sizes(value)
        if sizes is not None and all(0 <= size < LARGEST for size in sizes):
            yield {"name": name, "sizes": sizes, "is_number": type(value) is int}


def _variables(frame: FrameType) -> Iterator[tuple[str, object]]:
    """Yield the variables of a function, but for those of the file."""
    if frame.f_code.co_name == "<module>":
        return
    yield from frame.f_locals.items()
    own = frame.f_locals.get("self")
    if isinstance(own, sys.modules["torch"].nn.Module):
        for kept in (vars(own), vars(own)["_parameters"], vars(own)["_buffers"]):
            yield from ((f"self.{name}", value) for name, value in kept.items() if name[:1] != "_")


def _sizes(value: object) -> list[int] | None:
    """Return the shape of a tensor or an array, or a whole number; None for anything else."""
    torch = sys.modules["torch"]
    if type(value) is int:
        return [value]
    if type(value) not in (torch.Tensor, torch.nn.Parameter, sys.modules["numpy"].ndarray):
        return None
    shape = [int(size) for size in value.shape]  # type: ignore[attr-defined]
    return shape if len(shape) <= _MOST_AXES else None
