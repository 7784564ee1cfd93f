"""Stop an author's code that never ends or that ends the process, and name it.

A timer of computing time looks at the stack. The outermost frame of the author's files is one call: of a probe, a
function of `cases.py`, a mistake, or a file that is loaded. A call that is still there after SECONDS is stopped.
"""

from __future__ import annotations

import inspect
import os
import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING

from autograder.assignment.authored import last_line, own_file
from autograder.errors import AssignmentError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from types import FrameType

SECONDS = 30.0
TICK = 1.0  # how often the timer looks, in computing time
HAS_TIMER = hasattr(signal, "setitimer")  # not on Windows
NO_TIMER = "On this system, code that never ends is not stopped by itself. Ctrl-C stops it."
_MOST_STOPS = 20  # of code that catches everything; then the process ends
_REFUSED = 2


class EndlessCall(BaseException):
    """A call of an author's code does not end. Not an Exception, so that few handlers catch it."""


@contextmanager
def watched(folder: Path, tell: Callable[[str], object]) -> Iterator[None]:
    """Run an assignment's code as `stopped_if_endless` and `exits_refused` do."""
    with stopped_if_endless(folder, tell), exits_refused(folder):
        yield


@contextmanager
def exits_refused(folder: Path) -> Iterator[None]:
    """Run an assignment's code in this block. Raises AssignmentError if it calls `os._exit`.

    That would end the command without a word, as if it had done its work.
    """
    leave, words = os._exit, ""

    def refuse(code: int) -> None:
        nonlocal words
        own = _frames_of(folder, inspect.currentframe())
        if not own:
            leave(code)
        words = f"{_place(folder, own[0])}: this ends the process. Leave it out."
        raise EndlessCall

    os._exit = refuse  # type: ignore[assignment]
    try:
        yield
    except (EndlessCall, Exception):
        if not words:
            raise
    finally:
        os._exit = leave
    if words:
        raise AssignmentError(words)


@contextmanager
def stopped_if_endless(folder: Path, tell: Callable[[str], object]) -> Iterator[None]:
    """Run an assignment's code in this block, in the main thread. Raises AssignmentError if a call does not end.

    Args:
        folder: the assignment's folder.
        tell: prints a line: that this system cannot stop anything, or where Ctrl-C stopped the code.
    """
    watch = _Watch(folder)
    if HAS_TIMER:
        before = signal.signal(signal.SIGPROF, watch.look)
        signal.setitimer(signal.ITIMER_PROF, TICK, TICK)
    else:
        tell(NO_TIMER)
    try:
        yield
    except KeyboardInterrupt as error:
        tell(f"{last_line(error, folder) or folder}: this was running.")
        raise
    except (EndlessCall, Exception):
        if not watch.words:  # once a call was stopped, all else follows from that
            raise
    finally:
        if HAS_TIMER:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, before)
    if watch.words:
        raise AssignmentError(watch.words)


class _Watch:
    """Looks at the stack from time to time; `words` say what does not end."""

    def __init__(self, folder: Path) -> None:
        self.words = ""
        self._folder = folder
        self._call: FrameType | None = None
        self._ticks = self._stops = 0
        self._leave = os._exit

    def look(self, _number: int, frame: FrameType | None) -> None:
        """Raise EndlessCall if a call of the author's code takes too long. Once one did, no other gets any time."""
        own = _frames_of(self._folder, frame)
        call = own[-1] if own else None
        self._ticks = self._ticks + 1 if call is self._call else 1
        self._call = call
        if call is None or (not self.words and self._ticks * TICK < SECONDS):
            return
        self.words = self.words or self._of(own)
        self._stops += 1
        if self._stops > _MOST_STOPS:
            os.write(2, f"autograder: {self.words}\n".encode())
            self._leave(_REFUSED)
        raise EndlessCall

    def _of(self, own: list[FrameType]) -> str:
        """Name the line that runs, and the functions that called it, the innermost first."""
        names = dict.fromkeys(one.f_code.co_name for one in own)
        first, *callers = (f"`{name}`" if name.isidentifier() else "the file" for name in names)
        called = f", called by {', '.join(callers)}," if callers else ""
        seconds = f"stopped after {SECONDS:g} seconds of computing time"
        return f"{_place(self._folder, own[0])}: {first}{called} does not end: {seconds}. Make it end sooner."


def _frames_of(folder: Path, frame: FrameType | None) -> list[FrameType]:
    """Return the frames of the author's files, the innermost first."""
    own = []
    while frame is not None:
        own += [frame] if own_file(folder, frame.f_code.co_filename) else []
        frame = frame.f_back
    return own


def _place(folder: Path, frame: FrameType) -> str:
    return f"{own_file(folder, frame.f_code.co_filename)}, line {frame.f_lineno}"
