"""The boundary around all that only explains: whatever fails in there costs words, and never points."""

from __future__ import annotations

import traceback
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

from autograder.explain.own_numbers import fault_kinds
from autograder.grading.budget import OverBudget
from autograder.grading.observations import NotAlone
from autograder.results import Feedback, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from autograder.assignment.checks import Check
    from autograder.compare import Difference
    from autograder.exam.recognise import Recognition
    from autograder.grading.budget import Budget
    from autograder.sandbox.session import Session

# Edits of one submission that are run.
MOST_TRIES = 200
# Requests in all explanations of one submission: student code runs in them. One with every step wrong needs 14.
MOST_REQUESTS = 100

T = TypeVar("T")


class TooManyRequestsError(Exception):
    """Explanations have asked a submission as often as they may."""


@dataclass
class Explaining:
    """Explains one submission. No clock decides its words, but far behind all counts the time of the budget.

    Attributes:
        budget: the time and the memory for all explanations of the submission; None if they are not limited.
        bugs: for each failure a line with its place in the kit, then the traceback.
        aside: the names that only cells make which are not part of the submission.
        alone: no other submission is graded at the same time.
        spent: nothing more is explained, since that took too much.
        requests: how often the submission was asked.
        tries: how many edits of it were run.
        repairs: of each repaired step what stands at the places of the edit, and what makes the step right.
    """

    budget: Budget | None = None
    bugs: list[str] = field(default_factory=list)
    aside: frozenset[str] = frozenset()
    alone: bool = True
    spent: bool = False
    requests: int = 0
    tries: int = 0
    repairs: dict[str, list[tuple[str, str]]] = field(default_factory=dict)

    def count_request(self) -> None:
        """Count one request. Raises TooManyRequestsError if there were too many."""
        self.requests += 1
        if self.requests > MOST_REQUESTS:
            raise TooManyRequestsError

    def count_tries(self, most: int) -> int:
        """Count the edits that are tried next, so many or those that are left; return how many."""
        granted = min(most, MOST_TRIES - self.tries)
        self.tries += granted
        return granted

    def end_tries(self) -> None:
        """Try no more edits of this submission: one ended its process."""
        self.tries = MOST_TRIES

    def words(self, explain: Callable[[], T], plain: T, *, ask: Session | None = None) -> T:
        """Return what `explain` returns; `plain` if that fails or takes too much.

        `ask` is the session in which it runs probes: the failure may stand between a request and its answer.

        Raises NotAlone if only a clock stopped it, unless `alone`.
        """
        if self.spent:
            return plain
        try:
            return self.budget.spend(explain) if self.budget else explain()
        except OverBudget as over:
            if over.is_time and not self.alone:
                raise NotAlone from None
            self.spent = True
        except NotAlone:
            raise
        except TooManyRequestsError:
            return plain
        except Exception as bug:  # noqa: BLE001 - it costs its words, and the command reports it
            self.bugs.append(bug_report(bug))
        if ask is not None:
            ask.close()
        return plain

    def beside(self, work: Callable[[], T]) -> T:
        """Return the result of work that is done once for all submissions: it costs this one nothing."""
        return self.budget.beside(work) if self.budget else work()


def plain_words(step: str, outcome: Outcome) -> Feedback:
    """Return the feedback of a step where no explanation could be made."""
    words = {
        Outcome.MISSING: f"Your file does not define `{step}`.",
        Outcome.RAISED: f"`{step}` raised an exception.",
        Outcome.WRONG: f"The answer of `{step}` is not the right one.",
    }
    return Feedback(outcome, seen=words.get(outcome, f"`{step}`: {outcome.words}."))


def plain_wrong(
    check: Check, criterion: str, difference: Difference, found: Recognition
) -> Feedback:
    """Return the feedback for a wrong answer, where no explanation could be made."""
    asked = check.criterion(criterion)
    return replace(
        plain_words(check.name, Outcome.WRONG),
        hint=check.look(asked, *fault_kinds(difference)),
        expected=asked.expects,
        mistakes=found.names,
        sure=found.sure,
    )


def bug_report(bug: BaseException) -> str:
    """Return a line with the place of a failure in the kit, then the traceback."""
    [*_, place] = traceback.extract_tb(bug.__traceback__)
    words = "".join(traceback.format_exception(bug))
    return f"{place.filename}:{place.lineno}\n{words}"


def place_of(bug: str) -> str:
    """Return the line of the kit in which a bug showed itself."""
    return bug.partition("\n")[0]


def bug_words(student: str, bug: str) -> str:
    """Return what the command says of a bug."""
    return (
        "The kit could not explain a result, and shows the plain facts instead, or could not read a submission, and "
        "rejects it. All other points stand. "
        f"Please report this bug (seen with {student}):\n{bug}"
    )
