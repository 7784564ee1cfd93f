"""Silence about what is bound to warn, for all threads of the process together.

`warnings.catch_warnings` puts back the filters that it found. Where two threads use it side by side, the one puts them
back while the other still relies on its own, and a warning gets out that concerns nobody.
"""

from __future__ import annotations

import threading
import warnings
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class _Silence:
    """The first who asks for it begins it, the last one ends it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked_for = 0
        self._filters = ExitStack()

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Ignore warnings in this block."""
        with self._lock:
            self._asked_for += 1
            if self._asked_for == 1:
                self._filters.enter_context(warnings.catch_warnings())
                warnings.simplefilter("ignore")
        try:
            yield
        finally:
            with self._lock:
                self._asked_for -= 1
                if self._asked_for == 0:
                    self._filters.close()


quiet = _Silence().kept
