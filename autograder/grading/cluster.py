"""Grade on a Dask cluster: submissions travel as bytes, results come back as records.

A node needs the kit and the assignment in the same place as here; no disk is shared. Each thread of
a Dask worker has a grading process of its own, with its own sandbox and the same budgets as here.
"""

from __future__ import annotations

import multiprocessing
import threading
import time
from concurrent.futures import Executor, Future
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from autograder.assignment.source import load_source
from autograder.errors import GraderFault, KitError, UsageError
from autograder.grading.batch import Engine
from autograder.grading.chunks import MOST, Chunks
from autograder.grading.open_run import find_assignment
from autograder.grading.processes import GradingProcesses
from autograder.grading.run_seed import find_run
from autograder.grading.task import open_here
from autograder.wheel import INSTALL_CLUSTER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from autograder.grading.chunks import Outcome, Work
    from autograder.grading.open_run import RunOutline

_CONNECT = 20.0
# Seconds after which the cluster's threads are counted again.
COUNT_AGAIN = 10.0

T = TypeVar("T")


class DaskExecutor(Executor):
    """Run functions in the grading processes of a cluster's nodes.

    If a worker is lost, Dask runs its functions on another one. A future raises what the function raises, or
    Dask's own error if several workers were lost with it.
    """

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
        self._address = address
        self._executor = self._client.get_executor(pure=False)
        self._chunks = Chunks(partial(self._executor.submit, _all_on_node), slots=1)

    def check(self) -> None:
        """Raise GraderFault if the scheduler is lost. A new one knows nothing of this run."""
        if self._client.status != "running":
            raise self._lost()

    def _lost(self) -> GraderFault:
        return GraderFault(
            f"The Dask scheduler at {self._address} is lost. Results written so far are complete. "
            "Start a scheduler and workers; the same command goes on from here."
        )

    @property
    def threads(self) -> dict[str, int]:
        """Return the number of threads of each worker, by its address."""
        return dict(self._client.nthreads())

    def count_threads(self) -> int:
        """Return the number of all threads; each gets a task, and one ahead. Raises GraderFault as `check` does."""
        try:
            threads = sum(self.threads.values())
        except OSError as error:  # its connection was closed meanwhile
            raise self._lost() from error
        self._chunks.slots = max(1, 2 * threads)
        return threads

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Run a function on any node."""
        return self._chunks.submit((fn, args, kwargs))

    def on_each(self, function: Callable[..., T], *args: Any) -> dict[str, T]:
        """Return what a function returns on each worker, by the worker's address.

        Raises UsageError, which names the worker, if it fails on one.
        """
        submit = self._client.submit
        futures = {
            worker: submit(_on_node, function, args, {}, workers=[worker], pure=False)
            for worker in self.threads
        }
        found: dict[str, T] = {}
        for worker, future in futures.items():
            try:
                found[worker] = future.result()
            except (UsageError, GraderFault) as error:
                raise UsageError(f"The Dask worker {worker} cannot grade: {error}") from None
            except ImportError as error:
                raise UsageError(
                    f"The Dask worker {worker} cannot grade: {error!r}. Install the same version of the kit there."
                ) from None
        return found

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:  # noqa: ARG002
        """Cancel what has not begun, and leave the cluster."""
        self._chunks.cancel()
        self._executor.shutdown(wait=False)
        self._client.close()


class DaskEngine(Engine):
    """Grades on a Dask cluster."""

    executor: DaskExecutor
    _counted = 0.0

    def open(self) -> RunOutline:
        """Open the run on every node. Raises UsageError, which names the node, if one cannot grade it.

        That is a node with other solutions or another version of the kit, and one that lacks
        sandbox layers without `allow_degraded`.
        """
        here = self.setting
        threads = self.executor.count_threads()
        if not threads:
            raise UsageError("The Dask cluster has no worker. Start some with `dask worker`.")
        self._keep_busy(threads)
        # Nothing of the folder of results is on a node, and nothing may be asked of it.
        there = replace(here, home=here.place, private=(here.place,), fresh=True)
        self.setting = there
        found = self.executor.on_each(open_here, there)
        outline = next(iter(found.values()))
        if not here.public:
            source = load_source(find_assignment(here))
            own = find_run(
                here.home, source.assignment, source.digest, seed=here.seed, fresh=here.fresh
            )
            outline = replace(outline, run=own)
        for worker, other in found.items():
            if other.run.id != outline.run.id:
                raise UsageError(
                    f"The Dask worker {worker} cannot grade: it has another version of the kit or of "
                    f"{here.place / here.assignment}. Copy both from here."
                )
        return outline

    def check(self) -> None:
        """Raise GraderFault if the scheduler is lost. Give work to workers that joined since."""
        self.executor.check()
        if time.monotonic() - self._counted > COUNT_AGAIN:
            self._keep_busy(self.executor.count_threads())

    def _keep_busy(self, threads: int) -> None:
        self._counted = time.monotonic()
        self.ahead = 2 * max(1, threads) * MOST


_lock = threading.Lock()
_processes: GradingProcesses | None = None


def _on_node(function: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
    """Run a function in a grading process of this Dask worker, which is in no main thread."""
    return _processes_here().submit(function, *args, **kwargs).result()


def _all_on_node(work: Sequence[Work]) -> list[Outcome]:
    """Run functions in the grading processes of this Dask worker."""
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
