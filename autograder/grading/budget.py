"""Limit the computing time and the memory that this process spends on judging one submission.

This is the soft limit: what runs out of it while it is explained loses words. A submission whose points are still open
is ungraded. It cannot stop code that never returns to Python; `engines.py` ends the process of such code.
"""

from __future__ import annotations

import ctypes
import signal
import threading
import time
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import TYPE_CHECKING, TypeVar

from autograder.sandbox.inside.memory import address_space

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

# Seconds of computing time for one submission; an honest one takes 0.05.
SECONDS = 10.0
# The seconds for each further step after these are spent.
LEAST_SECONDS = 1.0
# Megabytes of address space beyond those that the process uses; an honest submission takes 10.
MEGABYTES = 1024
# The megabytes that the process may get anew even if malloc keeps more than that of earlier submissions.
LEAST_MEGABYTES = 64
# A signal that arrives where Python drops exceptions, such as in a finalizer, is sent again.
_AGAIN = 1.0

T = TypeVar("T")


class OverBudget(BaseException):
    """Judging took too much time or memory. Not an Exception, so that no handler in between catches it.

    Attributes:
        what: the exceeded limit, in words.
        is_time: it is the limit of computing time. That decides no points.
    """

    def __init__(self, what: str, *, is_time: bool = False) -> None:
        super().__init__(what)
        self.what = what
        self.is_time = is_time


class Budget:
    """The remaining budget for judging one submission.

    Time is limited in the main thread of systems with signals, memory on Linux.
    """

    def __init__(self) -> None:
        self._left = SECONDS

    def spend(self, work: Callable[[], T]) -> T:
        """Return the result of `work`. Raises OverBudget at a limit."""
        started = time.process_time()
        try:
            with _limited_memory(), _limited_time(max(self._left, LEAST_SECONDS)):
                return work()
        except OverBudget:
            _set_timer(0.0)  # the signal may have arrived before this was done
            raise
        except (MemoryError, RuntimeError) as error:
            if not isinstance(error, MemoryError) and "DefaultCPUAllocator" not in str(error):
                raise
            raise OverBudget(
                f"more memory than one submission may take ({MEGABYTES} MB)"
            ) from error
        finally:
            self._left -= time.process_time() - started

    def beside(self, work: Callable[[], T]) -> T:
        """Return the result of work that is done once for all submissions, and costs this one nothing."""
        started = time.process_time()
        left = signal.getitimer(signal.ITIMER_PROF)[0] if _has_timer() else 0.0
        if left:
            _set_timer(0.0)
        try:
            return work()
        finally:
            if left:
                _set_timer(left)
            self._left += time.process_time() - started


_armed = False


@contextmanager
def _limited_time(seconds: float) -> Iterator[None]:
    if not _has_timer():
        yield
        return
    # The handler stays: a signal that was sent before the timer stopped may arrive after that.
    signal.signal(signal.SIGPROF, _too_long)
    _set_timer(seconds)
    try:
        yield
    finally:
        _set_timer(0.0)


def _has_timer() -> bool:
    """Return whether this thread can be stopped by a timer."""
    main = threading.current_thread() is threading.main_thread()
    return main and hasattr(signal, "setitimer")


def _set_timer(seconds: float) -> None:
    global _armed  # noqa: PLW0603 - a process has one timer
    if not seconds and not _armed:
        return
    _armed = seconds > 0
    signal.setitimer(signal.ITIMER_PROF, seconds, _AGAIN)


def _too_long(_: int, __: FrameType | None) -> None:
    if _armed:
        words = f"more computing time than one submission may take ({SECONDS:g} seconds)"
        raise OverBudget(words, is_time=True)


@contextmanager
def _limited_memory() -> Iterator[None]:
    try:
        import resource  # noqa: PLC0415 - not on Windows

        taken = address_space()
        kept = _kept_by_malloc(taken)
        limit = max(taken - kept + MEGABYTES * 2**20, taken + LEAST_MEGABYTES * 2**20)
    except (ModuleNotFoundError, FileNotFoundError):  # Windows, and systems without /proc
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_AS)
    if before[1] != resource.RLIM_INFINITY:
        limit = min(limit, before[1])
    resource.setrlimit(resource.RLIMIT_AS, (limit, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


class _Mallinfo(ctypes.Structure):
    """The C library's `struct mallinfo2`."""

    _fields_ = (
        ("others", ctypes.c_size_t * 8),
        ("free", ctypes.c_size_t),
        ("top", ctypes.c_size_t),
    )


@lru_cache(maxsize=1)
def _kept_by_malloc(_taken: int) -> int:
    """Return the bytes that were freed and malloc keeps: the next submission gets them again.

    They are counted again, which takes 0.1 ms, when the process has taken more or less from the system. 0 if the C
    library does not tell (before glibc 2.33, and musl).
    """
    mallinfo = _mallinfo()
    return mallinfo().free if mallinfo else 0


@cache
def _mallinfo() -> Callable[[], _Mallinfo] | None:
    function = getattr(ctypes.CDLL(None), "mallinfo2", None)
    if function is not None:
        function.restype = _Mallinfo
    return function
