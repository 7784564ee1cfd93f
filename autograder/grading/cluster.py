"""Grade on a Dask cluster: submissions travel as bytes, results come back as records; no disk is shared."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future
from functools import partial
from typing import Any, TypeVar

from distributed import Client  # the extra `cluster`

from autograder.assignment.source import load_source
from autograder.errors import UsageError
from autograder.grading.engines import Engine, GradingProcesses
from autograder.grading.open_run import RunOutline, Setting, find_assignment
from autograder.grading.task import open_here

T = TypeVar("T")
_thread = threading.local()


class DaskEngine(Engine):
    """Run functions on a cluster's workers. Dask gives what a lost worker had to another one."""

    shares_disk = False

    def __init__(self, address: str) -> None:
        """Connect to the scheduler. Raises UsageError if it does not answer."""
        try:
            self._client = Client(address, set_as_default=False)
        except (OSError, ValueError) as error:
            words = f"No Dask scheduler answers at {address} ({error}). Start one with `dask scheduler`."
            raise UsageError(words) from None
        self._executor = self._client.get_executor(pure=False, retries=1)
        words = f"The Dask scheduler at {address} is lost. With a new one, the same command goes on from here."
        self._lost = BrokenExecutor(words)

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Run a function on any worker. If the scheduler is lost, this or the future raises BrokenExecutor."""
        if self._client.status != "running":
            raise self._lost
        self.ahead = 2 * max(1, self._client.scheduler_info(n_workers=0)["total_threads"])
        found: Future[T] = Future()
        task = self._executor.submit(_on_worker, partial(fn, *args, **kwargs))
        task.add_done_callback(partial(self._done, found))
        return found

    def _done(self, found: Future[T], task: Future[T]) -> None:
        """Pass an outcome on. Dask cancels its futures when the scheduler is lost."""
        if failure := self._lost if task.cancelled() else task.exception():
            found.set_exception(failure)
        else:
            found.set_result(task.result())

    def outline(self, setting: Setting) -> RunOutline:
        """Open the run on every worker. Raises UsageError, which names the worker, if one cannot grade it."""
        ask = partial(self._client.submit, _on_worker, partial(open_here, setting), pure=False)
        tasks = {worker: ask(workers=[worker]) for worker in self._client.nthreads()}
        if not tasks:
            raise UsageError("The Dask cluster has no worker. Start some with `dask worker`.")
        source = None if setting.public else load_source(find_assignment(setting))
        for worker, task in tasks.items():
            why: object = task.exception()
            if source and not why:
                run = task.result().run
                other = run != run.of_source(source.digest)
                why = other and "another version of the kit or the assignment."
            if why:
                words = f"The Dask worker {worker} cannot grade: {why}\ndocs/instructors.md says what it needs."
                raise UsageError(words)
        outline: RunOutline = task.result()
        return outline

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:  # noqa: ARG002
        """Leave the cluster, which drops what has not begun."""
        self._client.close()


def _on_worker(work: Callable[[], T]) -> T:
    """Run a function in the grading process of this thread of a Dask worker."""
    if not hasattr(_thread, "processes"):
        _thread.processes = GradingProcesses(1)
    return _thread.processes.submit(work).result()  # type: ignore[no-any-return]
