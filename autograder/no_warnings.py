"""Suppress expected warnings."""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def quiet() -> Iterator[None]:
    """Ignore warnings in this block."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
