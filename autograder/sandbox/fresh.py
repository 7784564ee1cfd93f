"""Each worker in a new interpreter: works on every system, and takes a second to import torch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.errors import GraderFault
from autograder.sandbox.client import Worker
from autograder.sandbox.interpreter import FreshProcess
from autograder.sandbox.sandbox import Sandbox

if TYPE_CHECKING:
    from autograder.sandbox.limits import Limits


class FreshSandbox(Sandbox):
    """Starts each worker in a new interpreter."""

    starts_slowly = True

    def __init__(self, limits: Limits) -> None:
        super().__init__(limits)
        self._spare: Worker | None = None

    def prepare(self) -> None:
        """Start a worker before it is needed."""
        self._spare = self.start()

    def start(self) -> Worker:
        """A worker, the prepared one if there is one. Raises GraderFault if the sandbox is closed."""
        with self._lock:
            if self._closed:
                raise GraderFault("The sandbox has been closed.")
            if self._spare is not None:
                spare, self._spare = self._spare, None
                return spare
            worker = Worker(FreshProcess(self.limits), self.limits)
            self._workers.add(worker)
            return worker
