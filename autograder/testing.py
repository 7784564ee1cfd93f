"""What the worker does, without its process: for code of our own, in tests and measurements. It keeps nothing in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.no_warnings import quiet
from autograder.sandbox import messages
from autograder.sandbox.inside.worker import Observer
from autograder.values.values import Mapping, Sequence, Value, freeze
from autograder.values.wire import decode, encode

if TYPE_CHECKING:
    from collections.abc import Mapping as AbstractMapping
    from types import ModuleType

    from autograder.exam.questions import Exam
    from autograder.results import Loaded, Observation


class InProcessSession:
    """Observes in this process, for code that neither hangs nor ends the interpreter."""

    def __init__(self, exam: Exam, pieces: tuple[tuple[str, str], ...]) -> None:
        self.stopped: Observation | None = None
        self._observer = Observer()
        assignment = exam.assignment
        answer = self._ask(
            op="load",
            name=assignment.name,
            probes=assignment.probes,
            pieces=[list(piece) for piece in pieces],
        )
        self.loaded: Loaded | None = messages.loaded(answer, "")

    @property
    def module(self) -> ModuleType:
        """What was loaded; measurements put wrong steps into it."""
        assert self._observer.student is not None
        return self._observer.student.module

    def _ask(self, **request: object) -> Value:
        """Everything goes through the protocol's bytes, both ways."""
        received = decode(encode(freeze(request)))
        with quiet():
            answer = decode(self._observer.reply("", received))
        assert isinstance(answer, Mapping)
        return dict(answer.items)["answer"]

    def load(self) -> None:
        """Done already."""

    def extend(self, seconds: float) -> None:
        """Nothing is counted here."""

    def expect(self, asked: object) -> None:
        """Nothing is sent ahead here."""

    def observe(
        self, step: str, aspect: str, probe: int, inputs: AbstractMapping[str, Value]
    ) -> Observation:
        """Run one probe."""
        answer = self._ask(
            op="observe", check=step, aspect=aspect, probe=probe, inputs=dict(inputs)
        )
        return messages.observation(answer, "")

    def gradient_reach(
        self, step: str, aspect: str, probe: int, inputs: AbstractMapping[str, Value]
    ) -> tuple[object, ...] | None:
        """What gradients reach through what a probe returns."""
        answer = self._ask(op="graph", check=step, aspect=aspect, probe=probe, inputs=dict(inputs))
        value = messages.observation(answer, "").value
        return value.items if isinstance(value, Sequence) else None


def open_in_process(exam: Exam, source: str) -> InProcessSession:
    """This source, loaded in this process."""
    return InProcessSession(exam, ((f"{exam.assignment.name}.py", source),))
