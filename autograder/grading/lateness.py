"""How late a hand-in is, and what that costs: `--deadline`, `--grace`, `--late-penalty` and `--late-most`."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta

from autograder.results import Late
from autograder.submission.times import read_time

_ALL = 100.0  # percent
_SHOWN = "%Y-%m-%d %H:%M"


@dataclass(frozen=True)
class LatePolicy:
    """The rules of lateness. A field that is None is not given.

    Attributes:
        deadline: ISO 8601 with a time zone.
        percent: the percentage of the earned points that each begun day costs.
        most: the highest percentage.
        grace: the minutes after the deadline that count as in time.
    """

    deadline: str | None = None
    percent: float | None = None
    most: float | None = None
    grace: float | None = None

    def over(self, earlier: LatePolicy | None) -> LatePolicy:
        """Return the rules, with those of an earlier run where none is given."""
        own = {one.name: getattr(self, one.name) for one in fields(self)}
        return replace(
            earlier or self, **{name: rule for name, rule in own.items() if rule is not None}
        )

    def late(self, handed_in: str, *, marked: bool, own: str = "") -> Late | None:
        """Return how late a hand-in is; None if it is in time.

        A time without a zone is in that of the deadline.

        Args:
            marked: the platform says that it is late.
            own: the student's own deadline, which replaces that of the class.
        """
        time = read_time(handed_in)
        if not self.deadline or time is None:
            return Late(handed_in=handed_in) if marked else None
        zone = datetime.fromisoformat(self.deadline).tzinfo
        time, deadline = (
            one if one.tzinfo else one.replace(tzinfo=zone)
            for one in (time, datetime.fromisoformat(own or self.deadline))
        )
        after = time - deadline - timedelta(minutes=self.grace or 0.0)
        if after <= timedelta():
            return None
        days = math.ceil(after / timedelta(days=1))
        percent = min(days * (self.percent or 0.0), _ALL if self.most is None else self.most)
        shown = time.astimezone(deadline.tzinfo).strftime(_SHOWN)
        return Late(days, shown, deadline.strftime(_SHOWN), percent)


def read_deadline(text: str) -> str:
    """Return a deadline in ISO 8601. A day alone ends at midnight; without a zone it is this machine's.

    Raises ValueError for anything else.
    """
    day = text.strip()
    time = datetime.fromisoformat(f"{day}T23:59" if len(day) == len("2026-12-31") else day)
    return (time if time.tzinfo else time.astimezone()).isoformat()


def read_percent(text: str) -> float:
    """Return the percentage of `10%/day`. Raises ValueError for anything else."""
    percent = float(re.sub(r" ?%?(?: ?/ ?day)?$", "", text.strip()).replace(",", "."))
    if not 0 <= percent <= _ALL:  # also if it is no number
        raise ValueError(text)
    return percent
