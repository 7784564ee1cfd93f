"""Memory that was never written is NaN, so that code which uses it gives the same answer in every run.

Whole numbers that nobody wrote are the largest of their dtype, as in torch's own fill.
"""

from __future__ import annotations

import contextlib
import functools
import warnings
from typing import TYPE_CHECKING, Any

from autograder.assignment.libraries import DETERMINISTIC_WARNING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_NUMPY = ("empty", "empty_like")


@contextlib.contextmanager
def filled() -> Iterator[None]:
    """Fill memory that torch and NumPy leave unwritten."""
    import numpy as np  # noqa: PLC0415 - after the streams are moved, as torch
    import torch  # noqa: PLC0415

    kept = [(name, getattr(np, name)) for name in _NUMPY]
    # Not torch.use_deterministic_algorithms: it imports torch's compiler, which takes two seconds.
    state = torch.are_deterministic_algorithms_enabled()
    gentle = torch.is_deterministic_algorithms_warn_only_enabled()
    switch = torch._C._set_deterministic_algorithms  # noqa: SLF001
    switch(True, warn_only=True)
    for name, make in kept:
        setattr(np, name, _filling(make))
    try:
        yield
    finally:
        switch(state, warn_only=gentle)
        for name, make in kept:
            setattr(np, name, make)


def silence() -> None:
    """Keep the warnings of torch's deterministic mode from the student: the kit switched it on."""
    warnings.filterwarnings("ignore", message=DETERMINISTIC_WARNING)


@functools.cache
def _filling(make: Callable[..., Any]) -> Callable[..., Any]:
    """Return a NumPy function whose new array is filled."""
    import numpy as np  # noqa: PLC0415

    @functools.wraps(make)
    def made(*arguments: Any, **options: Any) -> Any:
        array = make(*arguments, **options)
        kind = array.dtype.kind
        if kind in "fc":
            array.fill(np.nan)
        elif kind in "iu":
            array.fill(np.iinfo(array.dtype).max)
        elif kind == "b":
            array.fill(True)
        return array

    return made
