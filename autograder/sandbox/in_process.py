"""Run probes in this process, without isolation. For an author's code, and in tests and benchmarks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.no_warnings import quiet
from autograder.sandbox import worker_answers
from autograder.sandbox.inside.worker import Observer, requests_in
from autograder.values.values import DictValue, ListValue, Value, freeze
from autograder.values.wire import decode, encode

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import ModuleType

    from autograder.exam.questions import Batch, Exam, Request
    from autograder.results import LoadReport, Observation


class InProcessSession:
    """A session in this process. The code must not hang or end the interpreter."""

    def __init__(self, exam: Exam, pieces: tuple[tuple[str, str], ...]) -> None:
        self.pieces = pieces
        self.stopped: Observation | None = None
        self._observer = Observer()
        assignment = exam.assignment
        request = {
            "op": "load",
            "name": assignment.name,
            "probes": assignment.probes,
            "pieces": [list(piece) for piece in pieces],
            "classes": sorted(assignment.classes),
        }
        self.loaded: LoadReport | None = worker_answers.loaded(
            self._ask(encode(freeze([request]))), ""
        )

    @property
    def module(self) -> ModuleType:
        """Return the student's module, in which benchmarks replace steps with wrong ones."""
        assert self._observer.student is not None
        return self._observer.student.module

    def _ask(self, message: bytes) -> Value:
        """Return the answer of the worker's own code, encoded and decoded as in a worker."""
        with quiet():
            [fields] = requests_in(decode(message))
            answer = decode(self._observer.reply("", fields))
        assert isinstance(answer, DictValue)
        return dict(answer.items)["answer"]

    def load(self) -> None:
        """Do nothing: the submission is already loaded."""

    def close(self) -> None:
        """Do nothing: there is no worker."""

    def extend(self, seconds: float) -> None:
        """Do nothing: there is no deadline."""

    def expect(self, batches: Iterable[Batch]) -> None:
        """Do nothing: requests are not sent ahead."""

    def observe(self, request: Request) -> Observation:
        """Run one probe."""
        return worker_answers.observation(self._ask(request.encoded), "")

    def gradient_reach(self, request: Request) -> tuple[object, ...] | None:
        """Return what the gradients of a probe's result reach; None if unknown."""
        value = self.observe(request).value
        return value.items if isinstance(value, ListValue) else None
