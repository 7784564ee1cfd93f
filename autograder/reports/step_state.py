"""How a step's result is displayed in every view: one table of the outcomes, with all that a view says of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.results import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable

    from autograder.results import CheckResult

_RIGHT_SIGN, _WRONG_SIGN, _OPEN_SIGN = "\N{CHECK MARK}", "\N{BALLOT X}", "\N{WHITE CIRCLE}"
# Colours for a notebook. White text has enough contrast on each, and a background goes with it in every theme.
_GREEN, _RED, _GREY = "#1a7f37", "#b00020", "#57606a"


@dataclass(frozen=True)
class State:
    """The display of a step's result.

    Attributes:
        name: the CSS class.
        sign: a character for readers who do not see colours.
        words: the state in words.
        letter: the sign in the table of a class, in place of no points.
        mark: the sign beside the outcome's own word: right, wrong or open.
        severity: how bad it is, as code checkers say it: `info`, `minor` or `major`.
        junit: what JUnit calls it, if the step has not all its points.
        is_stopped: the kit ended it, or it ended its process.
    """

    name: str
    sign: str
    words: str
    letter: str = ""
    mark: str = _WRONG_SIGN
    severity: str = "major"
    junit: str = "failure"
    is_stopped: bool = False

    @property
    def is_right(self) -> bool:
        """Whether the step earned all its points."""
        return self.name == "right"

    @property
    def is_open(self) -> bool:
        """Whether the step has no work yet."""
        return self.name in ("open", "missing")

    @property
    def mark_colour(self) -> str:
        """The colour behind `mark` and the outcome's own word."""
        return {_RIGHT_SIGN: _GREEN, _WRONG_SIGN: _RED}.get(self.mark, _GREY)


_RIGHT = State("right", _RIGHT_SIGN, "right", mark=_RIGHT_SIGN)
_PARTLY = State("partly", "\N{CIRCLE WITH LEFT HALF BLACK}", "partly right", severity="minor")
_WRONG = State("wrong", "\N{MULTIPLICATION X}", "not right yet")
# The states of steps without points, in the order in which a table explains its letters.
OUTCOMES = {
    Outcome.NOT_STARTED: State(
        "open", _OPEN_SIGN, "not started", "-", _OPEN_SIGN, "info", "skipped"
    ),
    Outcome.MISSING: State("missing", _OPEN_SIGN, "not found in the file", "?"),
    Outcome.RAISED: State("wrong", "!", "stopped with an error", "!"),
    Outcome.TIMED_OUT: State("wrong", "T", "took too long", "T", is_stopped=True),
    Outcome.EXITED: State("wrong", "!", "ended the program", "E", is_stopped=True),
    Outcome.CRASHED: State("wrong", "!", "crashed", "C", is_stopped=True),
    Outcome.TOO_LARGE: State("wrong", "!", "returned too much", "L", is_stopped=True),
    Outcome.UNGRADED: State("ungraded", "?", "not graded yet", ".", _OPEN_SIGN, junit="error"),
    Outcome.WRONG: _WRONG,
    Outcome.PASSED: _WRONG,
}


def state_of(check: CheckResult) -> State:
    """Return the state of a step from its outcome and its points."""
    if check.is_full:
        return _RIGHT
    if check.score > 0 and not check.is_ungraded:
        return _PARTLY
    by_hand = check.outcome is Outcome.UNGRADED and check.override
    return _WRONG if by_hand else OUTCOMES[check.outcome]


def where_to_begin(checks: Iterable[CheckResult]) -> CheckResult | None:
    """Return the first step that is wrong; if there is none, the first that is not started."""
    left = [check for check in checks if not (check.is_question or state_of(check).is_right)]
    started = (check for check in left if not state_of(check).is_open)
    return next(started, left[0] if left else None)
