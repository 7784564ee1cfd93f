"""Run steps in pytest's own process, so that `pytest --pdb` can stop in them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NoReturn

from autograder.sandbox import messages
from autograder.sandbox.inside.worker import Observer
from autograder.values.values import freeze

if TYPE_CHECKING:
    from collections.abc import Iterable

    from autograder.assignment.checks import Probe
    from autograder.assignment.source import Assignment
    from autograder.exam.questions import Request
    from autograder.results import Loaded, Observation


class DebugSession:
    """A session in this process, without limits.

    Exceptions of a step are not caught, so that pytest stops at them.
    """

    def __init__(self, assignment: Assignment, pieces: tuple[tuple[str, str], ...]) -> None:
        self.loaded: Loaded | None = None
        self.stopped: Observation | None = None
        self._name = assignment.name
        self._pieces = pieces
        self._observer = _Recorder()
        # Use the imported checks, not recompiled ones: the debugger then shows the file's lines.
        self._observer.checks = {check.name: check for check in assignment.checks}

    def load(self) -> None:
        """Run the student's file."""
        answer = self._observer.load(self._name, list(self._pieces))
        self.loaded = messages.loaded(freeze(answer), "")

    def close(self) -> None:
        """Do nothing: there is no worker."""

    def extend(self, seconds: float) -> None:
        """Do nothing: there is no deadline."""

    def expect(self, requests: Iterable[Request]) -> None:
        """Do nothing: requests are not sent ahead."""

    def observe(self, request: Request) -> Observation:
        """Run one probe. Raises any exception of the step."""
        fields = request.fields | {"inputs": freeze(request.fields["inputs"])}
        return messages.observation(freeze(self._observer.observe(fields)), "")

    def gradient_reach(self, _: Request) -> None:
        """Do nothing: the debugger would stop at an exception that the step did not raise."""

    def stop(self, error: Exception) -> NoReturn:
        """Raise `error` in a frame that shows the module, the case and the result of the last call."""
        last = self._observer.last
        student, case, returned = last.student, last.case, last.returned  # noqa: F841
        raise error


class _Recorder(Observer):
    """Record the module, the inputs and the result of the last call."""

    def __init__(self) -> None:
        super().__init__()
        self.last = SimpleNamespace(student=None, case=None, returned=None)

    def call(self, probe: Probe, inputs: dict[str, Any]) -> object:
        returned = super().call(probe, inputs)
        assert self.student is not None
        case = SimpleNamespace(**inputs)
        self.last = SimpleNamespace(student=self.student.module, case=case, returned=returned)
        return returned
