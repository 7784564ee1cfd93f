"""Where submissions are graded: in this process, or in processes that can be replaced. Each engine is an Executor.

A grading process that dies or hangs costs one submission at most.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import traceback
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from autograder.errors import GraderFault, KitError
from autograder.grading.capacity import default_jobs
from autograder.grading.run_seed import find_run
from autograder.grading.task import close_here, open_here, too_costly
from autograder.sandbox.layers.prctl import end_with_parent, set_undumpable

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

    from autograder.grading.open_run import RunOutline, Setting

# So many submissions are graded in the command's own process, if that is the only one.
FEW = 20
# A submission during whose grading this many processes died is ungraded.
DEATHS = 3
# Seconds of computing time for one call. A call that uses all of its soft limits stays below half of it.
HARD_SECONDS = 60.0
# The signal of the timer that ends a call at this limit; its default action ends the process. Not on Windows.
_TIMER = getattr(signal, "SIGVTALRM", 0)

T = TypeVar("T")


class Engine(Executor):
    """Runs functions where submissions are graded. It raises BrokenExecutor if it can run no more.

    Attributes:
        ahead: how many submissions it is given before the first result is awaited.
        shares_disk: whether the functions find the folder of results on their disk.
    """

    ahead = 1
    shares_disk = True

    def open(self, setting: Setting) -> tuple[Setting, RunOutline]:
        """Open the run in one of the processes. Raises what `prepare_run` and `find_run` raise.

        Return also the setting, with the run that `home` holds, with which each process opens it.
        """
        run = find_run(setting.home, setting.assignment, seed=setting.seed, fresh=setting.fresh)
        there = replace(setting, run=run)
        if not self.shares_disk:
            there = replace(there, home=setting.place, private=(setting.place,))
        return there, self.outline(there)

    def outline(self, setting: Setting) -> RunOutline:
        """Open the run where it is graded, and return its outline."""
        return self.submit(open_here, setting).result()


class Here(Engine):
    """Run functions in this process, at once."""

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Run a function. Its exceptions are the future's; an interrupt is raised."""
        done: Future[T] = Future()
        try:
            done.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - raised by the future
            done.set_exception(error)
        return done

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002
        """Close the run that is open in this process."""
        close_here()


def local_engine(jobs: int | None, submissions: int) -> Engine:
    """Return `jobs` grading processes on this machine, or this process for a few submissions.

    By default there are as many as grade best.
    """
    number = jobs or default_jobs(submissions)
    if number == 1 and submissions <= FEW:
        return Here()
    return GradingProcesses(number)


class GradingProcesses(Engine):
    """Run functions in new processes, each with its own run and its own sandbox.

    A process is started fresh, never forked from one that has answers or threads. It ignores
    interrupts, and ends with this process however that ends. A function whose process dies is
    called again in a new one; after DEATHS of them its future raises GraderFault. If it computes
    for more than HARD_SECONDS, its process is replaced and its future raises GraderFault.
    """

    def __init__(self, number: int) -> None:
        self.ahead = 2 * number
        self._threads = ThreadPoolExecutor(number, thread_name_prefix="grading")
        self._mine = threading.local()
        self._lock = threading.Lock()
        self._all: set[_GradingProcess] = set()
        self._closed = False

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Run a function of a module; all values must be picklable."""
        return self._threads.submit(self._call, fn, args, kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:
        """Kill all processes."""
        with self._lock:
            self._closed = True
            for process in self._all:
                process.system.kill()
        self._threads.shutdown(wait=wait, cancel_futures=cancel_futures)
        if wait:
            for process in self._all:
                process.system.join()

    def _call(self, function: Callable[..., T], args: Any, kwargs: Any) -> T:
        for _ in range(DEATHS):
            try:
                return self._process().call(function, args, kwargs)  # type: ignore[no-any-return]
            except EOFError:
                continue
        raise GraderFault(
            f"The grading process ended {DEATHS} times while it had this submission. Is there enough memory?"
        )

    def _process(self) -> _GradingProcess:
        """Return the process of this thread; a new one if it has none or if it is dead."""
        process: _GradingProcess | None = getattr(self._mine, "process", None)
        if process is not None and process.system.is_alive():
            return process
        with self._lock:
            if self._closed:
                raise GraderFault("The grading was stopped.")
            if process is not None:
                self._all.discard(process)
            self._mine.process = process = _GradingProcess()
            self._all.add(process)
        return process


class _GradingProcess:
    """A process that calls one function after the other.

    Attributes:
        system: the process of the system.
    """

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._channel, theirs = context.Pipe()
        self.system = context.Process(
            target=_serve, args=(theirs, os.getpid(), HARD_SECONDS), daemon=True
        )
        self.system.start()
        theirs.close()

    def call(self, function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        """Return what the function returns. Raises EOFError if the process dies meanwhile."""
        try:
            self._channel.send((function, args, kwargs))
            returned, value = self._channel.recv()
        except (OSError, EOFError):  # also a broken pipe, or a reset connection
            self.system.kill()
            self.system.join()
            if _TIMER and self.system.exitcode == -_TIMER:
                words = "more computing time than the grader has for one"
                raise GraderFault(too_costly(words)) from None
            raise EOFError from None
        if returned:
            return value
        raise value


def _serve(channel: Connection, parent: int, seconds: float) -> None:
    """Call functions until the process is killed, or until one has computed for so many seconds."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    set_undumpable()
    _end_with(parent)
    while True:
        try:
            function, args, kwargs = channel.recv()
        except (EOFError, OSError):  # the command ended
            return
        if _TIMER:
            signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
        try:
            answer = True, function(*args, **kwargs)
        except Exception as error:  # noqa: BLE001 - raised where the function was submitted
            words = "".join(traceback.format_exception(error))
            answer = False, error if isinstance(error, KitError) else GraderFault(words)
        channel.send(answer)


def _end_with(parent: int) -> None:
    """End this process when its parent ends, even while C code runs. Elsewhere it ends after its call."""
    if sys.platform == "linux":
        end_with_parent()
        if os.getppid() != parent:
            os._exit(1)
