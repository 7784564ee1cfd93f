"""The interface of every sandbox: start and stop workers."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from autograder.errors import GraderFault
from autograder.sandbox.client import Worker
from autograder.sandbox.layers.status import ACTIVE

if TYPE_CHECKING:
    from autograder.sandbox.forked import ForkedProcess
    from autograder.sandbox.interpreter import FreshProcess
    from autograder.sandbox.layers.status import LayerStatus
    from autograder.sandbox.limits import Limits


class Sandbox(ABC):
    """Starts workers, and stops all that are left when it is closed.

    Attributes:
        limits: what one check may use.
        layers: the names of the active layers; every result lists them.
        starts_slowly: whether a new worker takes a second.
    """

    layers: tuple[str, ...] = ("process",)
    starts_slowly = False

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._lock = threading.Lock()
        self._workers: set[Worker] = set()
        self._spare: Worker | None = None
        self._closed = False

    @abstractmethod
    def prepare(self) -> None:
        """Begin to import torch, which takes a second, before a worker is needed."""

    @abstractmethod
    def start(self) -> Worker:
        """A worker, perhaps one that was prepared. Raises GraderFault if the sandbox is closed."""

    def status(self) -> dict[str, LayerStatus]:
        """The status of each layer."""
        return dict.fromkeys(self.layers, ACTIVE)

    def fallback(self) -> Sandbox | None:
        """A simpler sandbox with the same layers, for a system on which this one cannot start a worker."""
        return None

    def _refuse_closed(self) -> None:
        if self._closed:
            raise GraderFault("The sandbox has been closed.")

    def _worker(self, process: ForkedProcess | FreshProcess) -> Worker:
        """Return the worker of a process; it is stopped with the sandbox."""
        worker = Worker(process, self.limits)
        self._workers.add(worker)
        return worker

    def stop(self, worker: Worker) -> None:
        """Stop a worker and everything that it started."""
        with self._lock:
            self._workers.discard(worker)
        worker.close()

    def close(self) -> None:
        """Stop all workers. A thread that waits for one of them gets Stopped."""
        with self._lock:
            self._closed = True
            workers, self._workers = self._workers, set()
        for worker in workers:
            worker.close()
