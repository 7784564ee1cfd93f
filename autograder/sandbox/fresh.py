"""Each worker in a new interpreter: works on every system, and takes a second to import torch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.sandbox.interpreter import FreshProcess
from autograder.sandbox.sandbox import Sandbox

if TYPE_CHECKING:
    from autograder.sandbox.client import Worker


class FreshSandbox(Sandbox):
    """Starts each worker in a new interpreter."""

    starts_slowly = True

    def prepare(self) -> None:
        """Start a worker before it is needed."""
        self._spare = self.start()

    def start(self) -> Worker:
        """A worker, the prepared one if there is one. Raises GraderFault if the sandbox is closed."""
        with self._lock:
            self._refuse_closed()
            spare, self._spare = self._spare, None
            return spare or self._worker(FreshProcess(self.limits))
