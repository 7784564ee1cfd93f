"""Grade on a Dask cluster: submissions travel as bytes, results come back as records.

A node needs the kit and the assignment in the same place as here; no disk is shared. Each thread of
a Dask worker has a grading process of its own, with its own sandbox and the same budgets as here.
"""

from __future__ import annotations

import multiprocessing
import threading
import time
from collections import deque
from concurrent.futures import BrokenExecutor, Future
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from autograder.assignment.source import load_source
from autograder.errors import KitError, UsageError
from autograder.grading.engines import Engine, GradingProcesses
from autograder.grading.open_run import find_assignment
from autograder.grading.run_seed import find_run
from autograder.grading.task import open_here
from autograder.wheel import INSTALL_CLUSTER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from autograder.grading.open_run import RunOutline, Setting

    # A function with its arguments and keywords.
    Work = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]
    # Whether it returned, and what it returned or raised.
    Outcome = tuple[bool, Any]
    Send = Callable[[Sequence[Work]], Future[list[Outcome]]]

_CONNECT = 20.0
# Seconds after which the cluster's threads are counted again.
COUNT_AGAIN = 10.0
# The most calls in one task: a task costs the scheduler, its worker and the command milliseconds.
MOST = 4

T = TypeVar("T")


class DaskEngine(Engine):
    """Run functions in the grading processes of a cluster's nodes.

    If a worker is lost, Dask runs its functions on another one. A future raises what the function raises, Dask's own
    error if several workers were lost with it, and BrokenExecutor if the scheduler is lost: a new one knows nothing of
    this run. Each thread gets a task, and one ahead.
    """

    shares_disk = False

    def __init__(self, address: str) -> None:
        """Connect to the scheduler. Raises UsageError if Dask is not installed or does not answer."""
        try:
            from distributed import Client  # noqa: PLC0415 - the extra `cluster`
        except ModuleNotFoundError as error:
            raise UsageError(
                f"--engine dask needs the module {error.name!r}. In the kit's folder: {INSTALL_CLUSTER}"
            ) from None
        try:
            self._client = Client(address, timeout=_CONNECT, set_as_default=False)
        except (OSError, ValueError) as error:
            raise UsageError(
                f"No Dask scheduler answers at {address} ({error}). Start one with `dask scheduler`."
            ) from None
        self._executor = self._client.get_executor(pure=False)
        self._lost = BrokenExecutor(
            f"The Dask scheduler at {address} is lost. Results written so far are complete. "
            "Start a scheduler and workers; the same command goes on from here."
        )
        self._chunks = Chunks(partial(self._executor.submit, _on_node), self._is_lost, self._lost)
        self._count_threads()

    def _is_lost(self) -> bool:
        return bool(self._client.status != "running")

    def _count_threads(self) -> None:
        """Give work to all threads, also of workers that joined since."""
        self._counted = time.monotonic()
        try:
            threads = sum(self._client.nthreads().values())
        except OSError:  # its connection was closed meanwhile
            threads = 0
        self._chunks.slots = 2 * max(1, threads)
        self.ahead = self._chunks.slots * MOST

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Run a function on any node."""
        if self._is_lost():
            raise self._lost
        if time.monotonic() - self._counted > COUNT_AGAIN:
            self._count_threads()
        return self._chunks.submit((fn, args, kwargs))

    def open(self, setting: Setting) -> tuple[Setting, RunOutline]:
        """Open the run on every node. Raises UsageError, which names the node, if one cannot grade it.

        That is a node with other solutions or another version of the kit, and one that lacks
        sandbox layers without `allow_degraded`.
        """
        # Nothing of the folder of results is on a node, and nothing may be asked of it.
        there = replace(setting, home=setting.place, private=(setting.place,), fresh=True)
        found = self._on_each(open_here, there)
        if not found:
            raise UsageError("The Dask cluster has no worker. Start some with `dask worker`.")
        outline = next(iter(found.values()))
        if not setting.public:
            source = load_source(find_assignment(setting))
            own = find_run(
                setting.home,
                source.assignment,
                source.digest,
                seed=setting.seed,
                fresh=setting.fresh,
            )
            outline = replace(outline, run=own)
        for worker, other in found.items():
            if other.run.id != outline.run.id:
                raise _cannot_grade(
                    worker,
                    f"it has another version of the kit or of {setting.place}. Copy both from here.",
                )
        return there, outline

    def _on_each(self, function: Callable[..., T], *args: Any) -> dict[str, T]:
        """Return what a function returns on each worker, by the worker's address. Raises UsageError, which names it."""
        submit = partial(self._client.submit, _on_node, [(function, args, {})], pure=False)
        futures = {worker: submit(workers=[worker]) for worker in self._client.nthreads()}
        found: dict[str, T] = {}
        for worker, future in futures.items():
            try:
                [(returned, value)] = future.result()
            except UsageError as error:
                raise _cannot_grade(worker, str(error)) from None
            except ImportError as error:
                why = f"{error!r}. Install the same version of the kit there."
                raise _cannot_grade(worker, why) from None
            if not returned:
                raise _cannot_grade(worker, str(value)) from None
            found[worker] = value
        return found

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:  # noqa: ARG002
        """Cancel what has not begun, and leave the cluster."""
        self._chunks.cancel()
        self._executor.shutdown(wait=False)
        self._client.close()


def _cannot_grade(worker: str, why: str) -> UsageError:
    return UsageError(f"The Dask worker {worker} cannot grade: {why}")


@dataclass(eq=False)
class _Waiting:
    """A call that waits or was sent; `single` if it must have a task of its own."""

    work: Work
    future: Future[Any] = field(default_factory=Future)
    single: bool = False


class Chunks:
    """Calls in chunks: the more of them wait, the larger the chunks are, up to MOST.

    A chunk whose task fails as a whole, since its node was lost again and again, is sent once more in single calls:
    one of them may have been the cause. Where the scheduler is lost, all that waits fails.

    Attributes:
        slots: how many chunks are sent before the first of them is done.
    """

    def __init__(
        self, send: Send, is_lost: Callable[[], bool], lost: BrokenExecutor, slots: int = 1
    ) -> None:
        self._send = send
        self._is_lost = is_lost
        self._lost = lost
        self.slots = slots
        self._sent = 0
        self._waiting: deque[_Waiting] = deque()
        self._lock = threading.Lock()

    def submit(self, work: Work) -> Future[Any]:
        """Return the future of a call, which is sent at once or with later ones."""
        call = _Waiting(work)
        with self._lock:
            self._waiting.append(call)
        self._send_some()
        return call.future

    def cancel(self) -> None:
        """Cancel the calls that were not sent."""
        for call in self._take_waiting():
            call.future.cancel()

    def _send_some(self) -> None:
        while chunk := self._next_chunk():
            self._send([call.work for call in chunk]).add_done_callback(partial(self._done, chunk))

    def _next_chunk(self) -> list[_Waiting]:
        with self._lock:
            if self._sent >= self.slots or not self._waiting:
                return []
            self._sent += 1
            chunk = [self._waiting.popleft()]
            share = min(MOST, -(-(1 + len(self._waiting)) // self.slots))
            while len(chunk) < share and not (chunk[0].single or self._waiting[0].single):
                chunk.append(self._waiting.popleft())
            return chunk

    def _done(self, chunk: list[_Waiting], task: Future[list[Outcome]]) -> None:
        with self._lock:
            self._sent -= 1
        failure = self._lost if task.cancelled() else task.exception()
        if failure and (failure is self._lost or self._is_lost()):
            _fail([*chunk, *self._take_waiting()], self._lost)
        elif failure and len(chunk) == 1:
            _fail(chunk, failure)
        elif failure:
            with self._lock:
                for call in reversed(chunk):
                    self._waiting.appendleft(_Waiting(call.work, call.future, single=True))
        else:
            for call, (returned, value) in zip(chunk, task.result(), strict=True):
                settle = call.future.set_result if returned else call.future.set_exception
                settle(value)
        self._send_some()

    def _take_waiting(self) -> deque[_Waiting]:
        with self._lock:
            waiting, self._waiting = self._waiting, deque()
        return waiting


def _fail(calls: list[_Waiting], failure: BaseException) -> None:
    for call in calls:
        call.future.set_exception(failure)


_lock = threading.Lock()
_processes: GradingProcesses | None = None


def _on_node(work: Sequence[Work]) -> list[Outcome]:
    """Run functions in the grading processes of this Dask worker, which is in no main thread."""
    processes = _processes_here()
    futures = [processes.submit(function, *args, **kwargs) for function, args, kwargs in work]
    return [_outcome(future) for future in futures]


def _outcome(future: Future[Any]) -> Outcome:
    try:
        return True, future.result()
    except KitError as error:
        return False, error


def _processes_here() -> GradingProcesses:
    global _processes  # noqa: PLW0603 - a Dask worker keeps its grading processes
    with _lock:
        if _processes is None:
            if multiprocessing.current_process().daemon:
                raise UsageError(
                    "its nanny lets it start no processes. Start it with --no-nanny, or with "
                    "DASK_DISTRIBUTED__WORKER__DAEMON=False in its environment."
                )
            from distributed import get_worker  # noqa: PLC0415 - the extra `cluster`

            _processes = GradingProcesses(get_worker().state.nthreads)
        return _processes
