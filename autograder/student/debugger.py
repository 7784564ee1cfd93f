"""Call a step once more in pytest's own process, so that `pytest --pdb` can stop in it.

The worker has judged the step already: here only the call that decided it is repeated.
"""

from __future__ import annotations

import linecache
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NoReturn

from autograder.assignment.source import load_checks
from autograder.sandbox.inside.worker import Observer
from autograder.values.values import freeze

if TYPE_CHECKING:
    from types import ModuleType

    from autograder.assignment.checks import Probe
    from autograder.exam.questions import Request
    from autograder.student.practice import Practice

_FRAME_NAME = "<after the call>"
# The lines that the debugger lists.
_FRAME = """\
# {step} has returned, and the answer is not right.
#     what came back:  returned
#     the inputs:      {names}
raise error
"""


@dataclass(frozen=True)
class Call:
    """One call of a step: the student's module, the inputs as the step left them, and the result."""

    step: str
    student: ModuleType
    inputs: dict[str, Any]
    returned: object

    @property
    def words(self) -> str:
        """What the debugger can show after the call."""
        return (
            "The debugger stops after this call. `returned` is what came back; the inputs are "
            f"{', '.join(self.inputs)}. "
            "For example, `p returned` prints what came back, and `q` ends the debugger."
        )

    def stop(self, error: Exception) -> NoReturn:
        """Raise `error` in a frame that has the result, each input by its name, and all of them as `case`."""
        source = _FRAME.format(step=self.step, names=", ".join(self.inputs))
        linecache.cache[_FRAME_NAME] = (len(source), None, source.splitlines(True), _FRAME_NAME)
        case = SimpleNamespace(**self.inputs)
        known = {"case": case, "student": self.student, "returned": self.returned, "error": error}
        exec(compile(source, _FRAME_NAME, "exec"), {**self.inputs, **known})
        raise error


def call_again(practice: Practice, request: Request) -> Call | None:
    """Load the work in this process and repeat a request; None if it does not come to the call.

    Nothing is limited here. An exception of the step is not caught, so that pytest stops at it.
    """
    assignment, loaded = practice.exam.assignment, practice.loaded
    pieces, path = list(practice.pieces or ()), practice.file
    if path is not None and path.suffix == ".py":  # a debugger lists the file's lines by its path
        pieces = [(str(path) if label == path.name else label, text) for label, text in pieces]
    observer = _Recorder(request.step)
    # Loaded from their file, so that the debugger shows its lines.
    checks = load_checks(assignment.folder / f"test_{assignment.name}.py")
    observer.checks = {check.name: check for check in checks}
    skipped = {"numbers": [one.number for one in loaded.skipped]}
    about = {"name": assignment.name, "classes": assignment.classes, "skips": skipped}
    observer.load(about | {"pieces": pieces})
    observer.observe(request.fields | {"inputs": freeze(request.fields["inputs"])})
    return observer.last


class _Recorder(Observer):
    """Record the latest call."""

    def __init__(self, step: str) -> None:
        super().__init__()
        self.step = step
        self.last: Call | None = None

    def call(self, probe: Probe, inputs: dict[str, Any]) -> object:
        returned = super().call(probe, inputs)
        assert self.student is not None
        self.last = Call(self.step, self.student.module, inputs, returned)
        return returned
