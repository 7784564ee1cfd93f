"""The interface of a worker, and that of every sandbox: start and stop workers."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Protocol

from autograder.sandbox.layers.status import ACTIVE
from autograder.sandbox.loading import NOTHING, Before

if TYPE_CHECKING:
    from collections.abc import Iterable

    from autograder.exam.questions import Batch
    from autograder.sandbox.layers.status import LayerStatus
    from autograder.sandbox.limits import Limits
    from autograder.values.values import Value


class Worker(Protocol):
    """A running worker of any kind."""

    @property
    def pid(self) -> int:
        """The process id."""
        ...

    def ask(self, body: bytes, before: Before = NOTHING) -> tuple[Value, str]:
        """Send a message of one request; return the answer and the output of the request.

        `before` receives what the worker sends before it answers.
        Raises Stopped if no answer came, GraderFault if the worker did not start.
        """
        ...

    def expect(self, batches: Iterable[Batch]) -> None:
        """Announce the next requests, in order, so that they can be sent ahead. Others follow if one fails."""
        ...

    def close(self) -> None:
        """Stop the worker and everything that it started."""
        ...


class Sandbox(ABC):
    """Starts workers, and stops all that are left when it is closed.

    Attributes:
        limits: what one check may use.
        layers: the names of the active layers; every result lists them.
    """

    layers: tuple[str, ...] = ("process",)

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._lock = threading.Lock()
        self._workers: set[Worker] = set()
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
