"""How a step's result is displayed: by a sign, by words and by a CSS class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.results import Outcome, Status

if TYPE_CHECKING:
    from autograder.results import CheckResult, Result


@dataclass(frozen=True)
class State:
    """The display of a step's result.

    Attributes:
        name: the CSS class.
        sign: a character for readers who do not see colours.
        words: the state in words.
    """

    name: str
    sign: str
    words: str

    @property
    def is_right(self) -> bool:
        """Whether the step earned all its points."""
        return self.name == "right"


_RIGHT = State("right", "\N{CHECK MARK}", "right")
_PARTLY = State("partly", "\N{CIRCLE WITH LEFT HALF BLACK}", "partly right")
_UNGRADED = State("ungraded", "?", "not graded yet")
_BY_OUTCOME = {
    Outcome.NOT_STARTED: State("open", "\N{WHITE CIRCLE}", "not started"),
    Outcome.MISSING: State("missing", "\N{WHITE CIRCLE}", "not found in the file"),
    Outcome.RAISED: State("wrong", "!", "stopped with an error"),
    Outcome.TIMED_OUT: State("wrong", "T", "took too long"),
    Outcome.EXITED: State("wrong", "!", "ended the program"),
    Outcome.CRASHED: State("wrong", "!", "crashed"),
    Outcome.TOO_LARGE: State("wrong", "!", "returned too much"),
    Outcome.UNGRADED: _UNGRADED,
}
_WRONG = State("wrong", "\N{MULTIPLICATION X}", "not right yet")
# The states of steps that have no work yet.
OPEN = ("open", "missing")


def state_of(check: CheckResult) -> State:
    """Return the state of a step from its outcome and its points."""
    if check.outcome is Outcome.UNGRADED:
        return _UNGRADED
    if check.score == check.max_score:
        return _RIGHT
    if check.score > 0:
        return _PARTLY
    return _BY_OUTCOME.get(check.outcome, _WRONG)


def first_to_fix(result: Result) -> CheckResult | None:
    """Return the first step that is wrong; if there is none, the first that is not started."""
    if result.status is not Status.GRADED:
        return None
    left = [check for check in result.checks if not state_of(check).is_right]
    started = (check for check in left if state_of(check).name not in OPEN)
    return next(started, left[0] if left else None)
