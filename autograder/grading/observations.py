"""The observations of one submission. Each probe runs once; its answer is kept for explanations."""

from __future__ import annotations

import time
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

from autograder.text import without_numbers
from autograder.values.values import Other

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from autograder.exam.questions import Question, Request
    from autograder.results import Observation
    from autograder.sandbox.session import Session


class Observations:
    """Run probes in the session of one submission and keep their observations.

    Args:
        hidden: students must not see the inputs, not even in texts of their own code.
    """

    def __init__(
        self,
        session: Session,
        alone: Callable[[], AbstractContextManager[None]] = nullcontext,
        *,
        hidden: bool = False,
    ) -> None:
        self.session = session
        self._hidden = hidden
        self._alone = alone
        self._seen: dict[Request, Observation] = {}

    def observe(self, question: Question, probe: int) -> Observation:
        """Run one probe. If only the wall clock stopped the probe, run it once more, alone."""
        request = question.requests[probe]
        seen = self._told(self._observe(request))
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

    def _told(self, seen: Observation) -> Observation:
        """Return what is seen without rows of numbers in the student's own texts, if the inputs are hidden."""
        if not self._hidden or not (seen.printed or seen.error):
            return seen
        error = seen.error and replace(seen.error, message=without_numbers(seen.error.message))
        return replace(seen, printed=without_numbers(seen.printed), error=error)

    def seen(self, question: Question, probe: int) -> Observation | None:
        """Return the kept observation; None if the probe did not run."""
        return self._seen.get(question.requests[probe])

    def observe_once(self, question: Question, probe: int) -> Observation:
        """Return the kept observation, for an explanation. Run the probe if there is none.

        An answer that is too large to search for its cause is kept without its value.
        """
        request = question.requests[probe]
        if request not in self._seen:
            self._seen[request] = _kept(question, probe, self._told(self.session.observe(request)))
        return self._seen[request]


TOO_LARGE = Other("an answer that is too large to explain")


def _kept(question: Question, probe: int, seen: Observation) -> Observation:
    return seen if question.admits(probe, seen.value) else replace(seen, value=TOO_LARGE)
