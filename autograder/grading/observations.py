"""The observations of one submission. Each probe runs once; its answer is kept for explanations."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from autograder.text import numbers_written, without_numbers, without_own_numbers
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
        answers: stand-ins answer in the session, and nobody must see what.
    """

    def __init__(
        self,
        session: Session,
        *,
        alone: bool = True,
        hidden: bool = False,
        answers: bool = False,
    ) -> None:
        self.session = session
        self._answers = answers
        self._alone = alone
        self._hidden = hidden
        self._seen: dict[Request, Observation] = {}

    def ask(self, request: Request, session: Session | None = None) -> Observation:
        """Send a request, in another session if one is given.

        If only the wall clock stopped it, or the loading before it, do that once more; raise NotAlone if others are
        graded.
        """
        session = session or self.session
        seen = session.observe(request)
        if not seen.slow:
            return seen
        if not self._alone:
            raise NotAlone
        if session.stopped is not None:
            session.load()
        return session.observe(request)

    def observe(self, question: Question, probe: int) -> Observation:
        """Run one probe."""
        request = question.requests[probe]
        seen = self._told(self.ask(request))
        self._seen[request] = _kept(question, probe, seen)
        return seen

    def observe_once(self, question: Question, probe: int) -> Observation:
        """Return the kept observation, for an explanation. Run the probe if there is none.

        An answer that is too large to search for its cause is kept without its value.
        """
        request = question.requests[probe]
        if request not in self._seen:
            self.observe(question, probe)
        return self._seen[request]

    def seen(self, question: Question, probe: int) -> Observation | None:
        """Return the kept observation; None if the probe did not run."""
        return self._seen.get(question.requests[probe])

    def _told(self, seen: Observation) -> Observation:
        """Return what is seen without numbers in the student's own texts, if the inputs are hidden.

        Of the texts of Python and the libraries, which a student's code can make quote a number, the sizes stay.
        """
        if not self._hidden:
            return seen
        value, error = seen.value, seen.error
        if isinstance(value, Other):
            value = Other(self._own(value.type_name))
        if error is not None:
            itself = bool(error.frames) and error.frames[-1].text.startswith(("raise", "assert"))
            sizes = not (itself or self._answers)
            message = self._own(without_numbers(error.message), sizes=sizes)
            error = replace(error, type=self._own(error.type), message=message)
        printed = self._own(without_numbers(seen.printed), sizes=not self._answers)
        return replace(seen, value=value, error=error, printed=printed)

    @cached_property
    def _written(self) -> frozenset[str]:
        return numbers_written("\n".join(text for _, text in self.session.pieces))

    def _own(self, text: str, *, sizes: bool = False) -> str:
        return without_own_numbers(text, self._written, sizes=sizes)


def _kept(question: Question, probe: int, seen: Observation) -> Observation:
    return seen if question.admits(probe, seen.value) else replace(seen, value=TOO_LARGE)
