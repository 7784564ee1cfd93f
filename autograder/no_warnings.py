"""Suppress expected warnings, safely for all threads of the process.

`warnings.catch_warnings` restores the filters that it found. If two threads use it in parallel, one
thread restores the filters while the other still needs its own, and an irrelevant warning appears.
"""

from __future__ import annotations

import threading
import warnings
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class _Silence:
    """The first thread to enter suppresses warnings; the last to leave restores the filters."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._filters = ExitStack()

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Ignore warnings in this block."""
        with self._lock:
            self._users += 1
            if self._users == 1:
                self._filters.enter_context(warnings.catch_warnings())
                warnings.simplefilter("ignore")
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1
                if self._users == 0:
                    self._filters.close()


quiet = _Silence().kept
