"""How late a hand-in is, and what that costs: `--deadline`, `--grace`, `--late-penalty` and `--late-most`."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from autograder.results import Late

# The first letters of the months in the languages of Moodle's worksheets.
_MONTHS = (
    "jan ene gen",
    "feb fév fev",
    "mar mär maa",
    "apr avr abr",
    "may mai mag mei",
    "jun juin giu",
    "jul juil lug",
    "aug aoû ago",
    "sep set",
    "oct okt ott out",
    "nov",
    "dec dez déc dic",
)
_ISO = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)? ?(\S+)?")
# Thursday, 1 January 2026, 1:24 PM; Donnerstag, 1. Januar 2026, 13:24; 1 de enero de 2026, 13:24
_IN_WORDS = re.compile(
    r"(\d{1,2})\.?(?: de)? ([^\W\d]+)\.?(?: de)? (\d{4}),? (?:[^\W\d]+ )?(\d{1,2})[:.](\d\d)(?: ?([AaPp])[Mm])?"
)
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

    @property
    def words(self) -> str:
        """The rules in words."""
        cost = f", {self.percent:g} % a day" if self.percent else ""
        most = f", at most {self.most:g} %" if self.percent and self.most is not None else ""
        grace = f", {self.grace:g} minutes of grace" if self.grace else ""
        return f"{self.deadline}{cost}{most}{grace}"

    def over(self, earlier: LatePolicy | None) -> LatePolicy:
        """Return the rules, with those of an earlier run where none is given."""
        own = {one.name: getattr(self, one.name) for one in fields(self)}
        return replace(
            earlier or self, **{name: rule for name, rule in own.items() if rule is not None}
        )

    def late(self, handed_in: str, *, marked: bool) -> Late | None:
        """Return how late a hand-in is; None if it is in time. `marked`: the platform says that it is late.

        A time without a zone is in that of the deadline.
        """
        time = read_time(handed_in)
        if not self.deadline or time is None:
            return Late(handed_in=handed_in) if marked else None
        deadline = datetime.fromisoformat(self.deadline)
        if time.tzinfo is None:
            time = time.replace(tzinfo=deadline.tzinfo)
        after = time - deadline - timedelta(minutes=self.grace or 0.0)
        if after <= timedelta():
            return None
        days = math.ceil(after / timedelta(days=1))
        percent = min(days * (self.percent or 0.0), _ALL if self.most is None else self.most)
        shown = time.astimezone(deadline.tzinfo).strftime(_SHOWN)
        return Late(days, shown, deadline.strftime(_SHOWN), percent)


def read_time(text: str) -> datetime | None:
    """Return the time that a platform wrote, with its zone if it names one; None for any other text."""
    try:
        return _iso(text) or _in_words(text)
    except (ValueError, KeyError, OSError):  # no such day, no such zone
        return None


def _iso(text: str) -> datetime | None:
    found = _ISO.fullmatch(text.strip())
    if found is None:
        return None
    time, zone = datetime.fromisoformat(f"{found[1]} {found[2]}"), found[3]
    if not zone:
        return time
    if zone[0] in "+-":
        return datetime.fromisoformat(f"{found[1]} {found[2]}{zone}")
    return time.replace(tzinfo=ZoneInfo("UTC" if zone == "Z" else zone))


def _in_words(text: str) -> datetime | None:
    found = _IN_WORDS.search(text)
    if found is None:
        return None
    name = found[2].casefold()
    months = [
        number
        for number, names in enumerate(_MONTHS, start=1)
        if any(name.startswith(one) for one in names.split())
    ]
    hour = int(found[4])
    if found[6]:
        hour = hour % 12 + (12 if found[6] in "Pp" else 0)
    day = f"{found[3]}-{months[0]:02}-{int(found[1]):02}" if months else ""
    return datetime.fromisoformat(f"{day} {hour:02}:{found[5]}")


def read_deadline(text: str) -> str:
    """Return a deadline in ISO 8601. A day alone ends at midnight; without a zone it is this machine's.

    Raises ValueError for anything else.
    """
    alone = re.fullmatch(r"\d{4}-\d\d-\d\d", text.strip())
    time = datetime.fromisoformat(f"{text.strip()}T23:59" if alone else text.strip())
    return (time if time.tzinfo else time.astimezone()).isoformat()


def read_percent(text: str) -> float:
    """Return the percentage of `10%/day`. Raises ValueError for anything else."""
    found = re.fullmatch(r"(\d+(?:[.,]\d+)?) ?%?(?: ?/ ?day)?", text.strip())
    percent = float(found[1].replace(",", ".")) if found else math.nan
    if not percent <= _ALL:  # also if it is no number
        raise ValueError(text)
    return percent
