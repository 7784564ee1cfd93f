"""`pytest --pdb`: the step runs in pytest's own process, so that a debugger can stand in it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, NoReturn

from autograder.assignment.probes import run
from autograder.reasons import Unsuitable
from autograder.results import Observation, Obstacle, Outcome
from autograder.sandbox import messages
from autograder.sandbox.inside.student import load
from autograder.values.values import freeze, thaw

if TYPE_CHECKING:
    from collections.abc import Mapping

    from autograder.assignment.source import Assignment
    from autograder.results import Loaded
    from autograder.values.values import Value


class DebugSession:
    """Observes in this process, without limits. What a step raises passes through: pytest stops there."""

    def __init__(self, assignment: Assignment, pieces: tuple[tuple[str, str], ...]) -> None:
        self.loaded: Loaded | None = None
        self.stopped: Observation | None = None
        self.last = SimpleNamespace(student=None, case=None, returned=None)
        self._assignment = assignment
        self._pieces = pieces

    def load(self) -> None:
        """Run the student's file."""
        self._student = load(self._assignment.name, list(self._pieces))
        answer = {"names": list(vars(self._student.module)), "failures": self._student.failures}
        self.loaded = messages.loaded(freeze(answer), "")

    def extend(self, seconds: float) -> None:
        """Nothing is counted here."""

    def expect(self, asked: object) -> None:
        """Nothing is asked ahead here."""

    def observe(
        self, step: str, aspect: str, probe: int, inputs: Mapping[str, Value]
    ) -> Observation:
        """Run one probe."""
        if not hasattr(self._student.module, step):
            return Observation(Outcome.MISSING)
        check = next(check for check in self._assignment.checks if check.name == step)
        function = check.aspect(aspect).probes[probe]
        arguments = {name: thaw(value) for name, value in inputs.items()}
        case = SimpleNamespace(**arguments)
        try:
            returned = run(function, self._student.module, arguments)
        except Unsuitable as error:
            obstacle = Obstacle(error.reason, error.name, error.seen, error.wanted)
            return Observation(Outcome.WRONG, obstacle=obstacle)
        self.last = SimpleNamespace(student=self._student.module, case=case, returned=returned)
        return Observation(Outcome.PASSED, value=freeze(returned))

    def gradient_reach(self, *_: object) -> None:
        """Not asked here: it would stop at an exception that is none of the step's."""

    def stop(self, error: Exception) -> NoReturn:
        """Raise `error` where a debugger finds what was called, with what, and what came back."""
        student, case, returned = self.last.student, self.last.case, self.last.returned  # noqa: F841
        raise error
