"""The observations of one submission. Each probe runs once; its answer is kept for explanations."""

from __future__ import annotations

import time
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

from autograder.values.values import Other

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from autograder.exam.questions import Question, Request
    from autograder.results import Observation
    from autograder.sandbox.session import Session


class Observations:
    """Run probes in the session of one submission and keep their observations."""

    def __init__(
        self,
        session: Session,
        alone: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        self.session = session
        self._alone = alone
        self._seen: dict[Request, Observation] = {}

    def observe(self, question: Question, probe: int) -> Observation:
        """Run one probe. If only the wall clock stopped the probe, run it once more, alone."""
        request = question.requests[probe]
        seen = self._observe(request)
        self._seen[request] = _kept(question, probe, seen)
        return seen

    def _observe(self, request: Request) -> Observation:
        seen = self.session.observe(request)
        if not seen.slow or self.session.stopped is not None:
            return seen
        waiting = time.monotonic()
        with self._alone():
            self.session.extend(time.monotonic() - waiting)
            return self.session.observe(request)

    def seen(self, question: Question, probe: int) -> Observation | None:
        """Return the kept observation; None if the probe did not run."""
        return self._seen.get(question.requests[probe])

    def observe_once(self, question: Question, probe: int) -> Observation:
        """Return the kept observation, for an explanation. Run the probe if there is none.

        An answer that is too large to search for its cause is kept without its value.
        """
        request = question.requests[probe]
        if request not in self._seen:
            self._seen[request] = _kept(question, probe, self.session.observe(request))
        return self._seen[request]


TOO_LARGE = Other("an answer that is too large to explain")


def _kept(question: Question, probe: int, seen: Observation) -> Observation:
    return seen if question.admits(probe, seen.value) else replace(seen, value=TOO_LARGE)
