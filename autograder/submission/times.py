"""The times that platforms and instructors write, in the languages of Moodle's worksheets."""

from __future__ import annotations

import re
from datetime import datetime
from zoneinfo import ZoneInfo

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
