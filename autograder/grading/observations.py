"""What is seen of one submission: each answer is asked for once, and kept for explanations."""

from __future__ import annotations

import time
from contextlib import nullcontext
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from contextlib import AbstractContextManager

    from autograder.exam.questions import Question
    from autograder.results import Loaded, Observation
    from autograder.values.values import Value


class ProbeSession(Protocol):
    """One submission, loaded in a worker or in this process, on which probes can be run.

    Attributes:
        loaded: what loading the file gave, or None if that ended the worker.
        stopped: the observation that stands for every step then.
    """

    loaded: Loaded | None
    stopped: Observation | None

    def extend(self, seconds: float) -> None:
        """Do not count seconds that the grader itself let pass."""
        ...

    def expect(self, asked: Iterable[tuple[str, str, str, int, Mapping[str, Value]]], /) -> None:
        """Be told what will be observed next: operation, step, aspect, probe and inputs, in this order."""
        ...

    def observe(
        self, step: str, aspect: str, probe: int, inputs: Mapping[str, Value], /
    ) -> Observation:
        """Run one probe."""
        ...

    def gradient_reach(
        self, step: str, aspect: str, probe: int, inputs: Mapping[str, Value], /
    ) -> tuple[object, ...] | None:
        """What gradients reach through what the step returns; None if that cannot be told."""
        ...


class Observations:
    """What the session of one submission showed."""

    def __init__(
        self,
        session: ProbeSession,
        alone: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        self.session = session
        self._alone = alone
        self._seen: dict[tuple[str, str, int, int], Observation] = {}

    def observe(self, question: Question, probe: int) -> Observation:
        """Run one probe; what only the wall clock stopped is run once more, while nobody else grades."""
        seen = self._observe(question, probe)
        self._seen[question.step, question.aspect, probe, id(question)] = seen
        return seen

    def _observe(self, question: Question, probe: int) -> Observation:
        asked = (question.step, question.aspect, probe, question.inputs)
        seen = self.session.observe(*asked)
        if not seen.slow or self.session.stopped is not None:
            return seen
        waiting = time.monotonic()
        with self._alone():
            self.session.extend(time.monotonic() - waiting)
            return self.session.observe(*asked)

    def ask_again(self, question: Question, probe: int) -> Observation:
        """What was seen, or what is seen now, for an explanation."""
        key = (question.step, question.aspect, probe, id(question))
        if key not in self._seen:
            asked = (question.step, question.aspect, probe, question.inputs)
            self._seen[key] = self.session.observe(*asked)
        return self._seen[key]
