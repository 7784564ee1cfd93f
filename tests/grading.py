"""Grading inside tests: the engine's own grader, with the worker's observer in this process or in a real one."""

from __future__ import annotations

import hashlib
import warnings
from typing import TYPE_CHECKING

from autograder import __version__
from autograder.grade import Grader, grade
from autograder.records import Result, Status
from autograder.sandbox import messages
from autograder.sandbox.process import Limits, Sandbox
from autograder.sandbox.protocol import decode, encode
from autograder.sandbox.worker import Observer
from autograder.submission import Submission
from autograder.values import Mapping, Sequence, Value, freeze

if TYPE_CHECKING:
    from collections.abc import Mapping as AbstractMapping

    from autograder.exam import Exam
    from autograder.records import CheckResult, Loaded, Observation


class InProcessSession:
    """What the worker does, without its process: for code that neither hangs nor ends the interpreter."""

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

    def _ask(self, **request: object) -> Value:
        """Everything goes through the protocol's bytes, both ways."""
        received = decode(encode(freeze(request)))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
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
        answer = self._ask(
            op="observe", check=step, aspect=aspect, probe=probe, inputs=dict(inputs)
        )
        return messages.observation(answer, "")

    def gradient_reach(
        self, step: str, aspect: str, probe: int, inputs: AbstractMapping[str, Value]
    ) -> tuple[object, ...] | None:
        answer = self._ask(op="graph", check=step, aspect=aspect, probe=probe, inputs=dict(inputs))
        value = messages.observation(answer, "").value
        return value.items if isinstance(value, Sequence) else None


def open_session(exam: Exam, source: str) -> InProcessSession:
    """This source, loaded in this process."""
    return InProcessSession(exam, ((f"{exam.assignment.name}.py", source),))


def check_step(exam: Exam, session: InProcessSession, step: str) -> CheckResult:
    """What one check gives in a session; the session may have been opened for another draw of the exam."""
    check = next(check for check in exam.assignment.checks if check.name == step)
    return Grader(exam, session).check(check)  # type: ignore[arg-type]


def check_all(exam: Exam, source: str) -> dict[str, CheckResult]:
    """What each check of `exam` gives for this source, observed in this process."""
    session = open_session(exam, source)
    return {check.name: check_step(exam, session, check.name) for check in exam.assignment.checks}


def grade_for_real(
    exam: Exam, source: str, *, cpu: float = 10.0, sandbox: Sandbox | None = None
) -> Result:
    """Grade this source in a worker process of its own."""
    pieces = ((f"{exam.assignment.name}.py", source),)
    sandbox = sandbox or Sandbox(Limits(cpu=cpu))
    try:
        return grade(exam, Submission("student", pieces, "0" * 64), sandbox)
    finally:
        sandbox.close()


def result_of(exam: Exam, source: str) -> Result:
    """A whole result, observed in this process."""
    return Result(
        assignment=exam.assignment.name,
        student="student",
        status=Status.GRADED,
        checks=tuple(check_all(exam, source).values()),
        output="",
        public=exam.public,
        submission_sha256=hashlib.sha256(source.encode()).hexdigest(),
        kit_version=__version__,
        run="",
    )
