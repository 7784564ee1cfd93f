"""Run steps in pytest's own process, so that `pytest --pdb` can stop in them."""

from __future__ import annotations

import linecache
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NoReturn

from autograder.assignment.source import load_checks
from autograder.results import Observation, Outcome
from autograder.sandbox import worker_answers
from autograder.sandbox.inside.worker import Observer
from autograder.sandbox.session import Session
from autograder.values.values import freeze

if TYPE_CHECKING:
    from types import ModuleType

    from autograder.assignment.checks import Probe
    from autograder.assignment.source import Assignment
    from autograder.exam.questions import Request

_FRAME_NAME = "<after the call>"
# The lines that the debugger lists.
_FRAME = """\
# {step} has returned, and the answer is not right.
#     what came back:  returned
#     the inputs:      {names}
raise error
"""


class DebugSession(Session):
    """A session in this process, without limits.

    Exceptions of a step are not caught, so that pytest stops at them.

    Attributes:
        at_hand: what the debugger can show after a wrong answer, in words.
    """

    def __init__(self, assignment: Assignment, pieces: tuple[tuple[str, str], ...]) -> None:
        self._name = assignment.name
        self.pieces = pieces
        self.at_hand = ""
        self._observations: dict[Request, Observation] = {}
        self._calls: dict[Request, _Call | None] = {}
        self._classes = assignment.classes
        self._observer = _Recorder()
        # Loaded from their file, so that the debugger shows its lines.
        checks = load_checks(assignment.folder / f"test_{assignment.name}.py")
        self._observer.checks = {check.name: check for check in checks}

    def load(self) -> None:
        """Run the student's file."""
        answer = self._observer.load(self._name, list(self.pieces), self._classes)
        self.loaded = worker_answers.loaded(freeze(answer), "")

    def observe(self, request: Request) -> Observation:
        """Run one probe, or return its earlier observation. Raises any exception of the step.

        What gradients reach is not asked: the debugger would stop at an exception that the step did not raise.
        """
        if request.operation == "graph":
            return Observation(Outcome.PASSED)
        if request not in self._observations:
            fields = request.fields | {"inputs": freeze(request.fields["inputs"])}
            seen = worker_answers.observation(freeze(self._observer.observe(fields)), "")
            self._observations[request] = seen
            self._calls[request] = self._observer.last
        return self._observations[request]

    def stop(self, request: Request | None, error: Exception) -> NoReturn:
        """Raise `error` in a frame whose variables are the call's inputs and result.

        Args:
            request: the call whose answer is wrong; None if there is none.
            error: the error to raise.
        """
        if request is None or (call := self._calls.get(request)) is None:
            raise error
        names = ", ".join(call.inputs)
        self.at_hand = (
            f"The debugger stops after this call. `returned` is what came back; the inputs are {names}. "
            "For example, `p returned` prints what came back, and `q` ends the debugger."
        )
        source = _FRAME.format(step=request.step, names=names)
        linecache.cache[_FRAME_NAME] = (len(source), None, source.splitlines(True), _FRAME_NAME)
        exec(compile(source, _FRAME_NAME, "exec"), call.variables() | {"error": error})
        raise error


@dataclass(frozen=True)
class _Call:
    """One call of a step: the student's module, the inputs as the step left them, and the result."""

    student: ModuleType
    inputs: dict[str, Any]
    returned: object

    def variables(self) -> dict[str, Any]:
        """Return the variables for the debugger: each input by its name, and all of them as `case`."""
        case = SimpleNamespace(**self.inputs)
        return {**self.inputs, "case": case, "student": self.student, "returned": self.returned}


class _Recorder(Observer):
    """Record the latest call."""

    def __init__(self) -> None:
        super().__init__()
        self.last: _Call | None = None

    def call(self, probe: Probe, inputs: dict[str, Any]) -> object:
        self.last = None
        returned = super().call(probe, inputs)
        assert self.student is not None
        self.last = _Call(self.student.module, inputs, returned)
        return returned
