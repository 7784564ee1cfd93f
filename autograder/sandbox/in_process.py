"""Run probes in this process, without isolation. For an author's code, and in tests and benchmarks."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from autograder.no_warnings import quiet
from autograder.sandbox.client import Answer, Worker
from autograder.sandbox.inside.settings import Settings, all_settings
from autograder.sandbox.inside.stand_ins import Asking
from autograder.sandbox.inside.worker import Observer, fields_of
from autograder.sandbox.limits import Limits
from autograder.sandbox.sandbox import Sandbox
from autograder.sandbox.session import Session
from autograder.values.values import freeze
from autograder.values.wire import decode, encode, read_frame

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import ModuleType

    from autograder.exam.questions import Ahead, Exam
    from autograder.sandbox.usage import Loading


class InProcessWorker(Worker):
    """The worker's own code in this process. It must not hang or end the interpreter, and nothing is sent ahead."""

    idle = True

    def __init__(self) -> None:
        self.observer = Observer(asking=Asking(self._reply_to))

    def send(self, requests: Iterable[Ahead]) -> None:
        """Wait until the requests are asked."""

    def ask(self, request: bytes, _loading: Loading | None = None) -> Answer:
        """Return the answer of the worker's own code, encoded and decoded as in a worker. Nothing printed is kept."""
        with quiet():
            fields = fields_of(decode(request))
            fields.pop("imports", None)  # they would be refused in this whole process
            settings = Settings(all_settings())
            answer = decode(self.observer.reply("", fields))
            settings.put_back()
        return Answer(answer, "")

    def _reply_to(self, fields: dict[str, object]) -> dict[str, Any]:
        assert self.reply is not None
        message = self.reply(encode(freeze(fields)))
        return fields_of(read_frame(io.BytesIO(message)))

    def close(self) -> None:
        """End nothing."""


class InProcessSandbox(Sandbox):
    """Starts workers in this process."""

    def prepare(self) -> None:
        """Prepare nothing."""

    def start(self) -> InProcessWorker:
        """Return a new worker."""
        return InProcessWorker()


class InProcessSession(Session):
    """A loaded session in this process."""

    def __init__(
        self, exam: Exam, pieces: tuple[tuple[str, str], ...], *, traced: bool = False
    ) -> None:
        about, sandbox = exam.assignment, InProcessSandbox(Limits())
        super().__init__(
            about.name, about.probes, pieces, sandbox, classes=about.classes, traced=traced
        )
        self.load()

    @property
    def module(self) -> ModuleType:
        """Return the student's module, in which benchmarks replace steps with wrong ones."""
        assert isinstance(self._worker, InProcessWorker)
        assert self._worker.observer.student is not None
        return self._worker.observer.student.module
