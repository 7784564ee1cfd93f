"""The observations of one submission. Each probe runs once; its answer is kept for explanations."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from autograder.text import without_numbers
from autograder.values.values import Other

if TYPE_CHECKING:
    from autograder.exam.questions import Question, Request
    from autograder.results import Observation
    from autograder.sandbox.session import Session

TOO_LARGE = Other("an answer that is too large to explain")


class NotAlone(Exception):
    """Only the wall clock stopped a step, and other submissions are graded at the same time."""


class Observations:
    """Run probes in the session of one submission and keep their observations.

    Args:
        alone: no other submission is graded at the same time.
        hidden: students must not see the inputs, not even in texts of their own code.
    """

    def __init__(self, session: Session, *, alone: bool = True, hidden: bool = False) -> None:
        self.session = session
        self._alone = alone
        self._hidden = hidden
        self._seen: dict[Request, Observation] = {}

    def observe(self, question: Question, probe: int) -> Observation:
        """Run one probe. If only the wall clock stopped it, run it once more; raise NotAlone if others are graded."""
        request = question.requests[probe]
        seen = self.session.observe(request)
        if seen.slow and self.session.stopped is None:
            if not self._alone:
                raise NotAlone
            seen = self.session.observe(request)
        seen = self._told(seen)
        self._seen[request] = _kept(question, probe, seen)
        return seen

    def observe_once(self, question: Question, probe: int) -> Observation:
        """Return the kept observation, for an explanation. Run the probe if there is none.

        An answer that is too large to search for its cause is kept without its value.
        """
        request = question.requests[probe]
        if request not in self._seen:
            self._seen[request] = _kept(question, probe, self._told(self.session.observe(request)))
        return self._seen[request]

    def seen(self, question: Question, probe: int) -> Observation | None:
        """Return the kept observation; None if the probe did not run."""
        return self._seen.get(question.requests[probe])

    def _told(self, seen: Observation) -> Observation:
        """Return what is seen without rows of numbers in the student's own texts, if the inputs are hidden."""
        if not self._hidden or not (seen.printed or seen.error):
            return seen
        error = seen.error and replace(seen.error, message=without_numbers(seen.error.message))
        return replace(seen, printed=without_numbers(seen.printed), error=error)


def _kept(question: Question, probe: int, seen: Observation) -> Observation:
    return seen if question.admits(probe, seen.value) else replace(seen, value=TOO_LARGE)
