"""Run probes in this process, without isolation. For an author's code, and in tests and benchmarks."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from autograder.errors import ProtocolError
from autograder.no_warnings import quiet
from autograder.results import Observation, Outcome
from autograder.sandbox import worker_answers
from autograder.sandbox.inside.settings import Settings, all_settings
from autograder.sandbox.inside.stand_ins import Asking
from autograder.sandbox.inside.worker import Observer, requests_in
from autograder.sandbox.own_lines import OwnLines
from autograder.sandbox.session import Session
from autograder.values.values import DictValue, Value, freeze
from autograder.values.wire import decode, encode, read_frame

if TYPE_CHECKING:
    from types import ModuleType

    from autograder.exam.questions import Exam, Request
    from autograder.exam.stand_ins import StandIns
    from autograder.sandbox.session import Imports


class InProcessSession(Session):
    """A session in this process. The code must not hang or end the interpreter."""

    def __init__(
        self,
        exam: Exam,
        pieces: tuple[tuple[str, str], ...],
        stand_ins: StandIns | None = None,
        *,
        traced: bool = False,
    ) -> None:
        self.pieces, self._lines = pieces, OwnLines(pieces)
        self._exam, self._stand_ins = exam, stand_ins
        self._observer = Observer(asking=Asking(self._reply))
        assignment = exam.assignment
        request = {
            "op": "load",
            "name": assignment.name,
            "probes": assignment.probes,
            "pieces": [list(piece) for piece in pieces],
            "classes": sorted(assignment.classes),
            "stand_ins": stand_ins.parameters if stand_ins else {},
            "traced": traced,
        }
        if stand_ins is not None:
            stand_ins.begin(None)
        answer = self._ask(encode(freeze([request])))
        try:
            self.loaded = self._lines.quoted(worker_answers.loaded(answer, ""))
        except ProtocolError:
            if not traced:
                raise
            self.stopped = Observation(Outcome.CRASHED)  # its expressions cannot be recorded

    @property
    def module(self) -> ModuleType:
        """Return the student's module, in which benchmarks replace steps with wrong ones."""
        assert self._observer.student is not None
        return self._observer.student.module

    def _ask(self, message: bytes) -> Value:
        """Return the answer of the worker's own code, encoded and decoded as in a worker."""
        with quiet():
            [fields] = requests_in(decode(message))
            settings = Settings(all_settings())
            answer = decode(self._observer.reply("", fields))
            settings.put_back()
        assert isinstance(answer, DictValue)
        return dict(answer.items)["answer"]

    def _reply(self, fields: dict[str, object]) -> dict[str, Any]:
        assert self._stand_ins is not None
        message = self._stand_ins.reply(encode(freeze(fields)))
        [answer] = requests_in(read_frame(io.BytesIO(message)))
        return answer

    def standing_in(
        self,
        stand_ins: StandIns | None,
        *,
        traced: bool = False,
        imports: Imports = None,  # noqa: ARG002 - it would be refused in this whole process
    ) -> InProcessSession:
        """Return a session of the same submission with right answers for some steps. It may import anything."""
        return InProcessSession(self._exam, self.pieces, stand_ins, traced=traced)

    def observe(self, request: Request) -> Observation:
        """Run one probe."""
        if self.stopped is not None:
            return self.stopped
        if self._stand_ins is not None:
            self._stand_ins.begin(request.inputs)
        return self._lines.error(worker_answers.observation(self._ask(request.encoded), ""))
