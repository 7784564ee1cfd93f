"""Match the students of a class with the rows of a gradebook. Nobody is guessed.

An id of the same kind decides, then any id or e-mail address, then the name. A number that is an id
of another kind counts only if the names agree. Who fits no row, or more than one, is left out.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from autograder.submission.person import NOBODY, Person

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from autograder.reports.graded_class import GradedClass

_NOT_A_LETTER = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class Row:
    """A student's row: its number in the table, and who it is."""

    number: int
    person: Person


@dataclass(frozen=True)
class Matches:
    """Which row belongs to which student.

    Attributes:
        rows: the number of the row of each student.
        by_name: those of them for whom only the name agreed.
        missing: students without a row.
        ambiguous: students for whom several rows could be meant, or whose row another student has.
    """

    rows: Mapping[str, int] = field(default_factory=dict)
    by_name: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    ambiguous: tuple[str, ...] = ()


def match_rows(graded: GradedClass, rows: Iterable[Row]) -> Matches:
    """Return the row of each student who has a result."""
    people = _People(rows)
    found: dict[str, int] = {}
    by_name, missing, ambiguous = [], [], []
    for result in graded.results:
        member = graded.members.get(result.student)
        person = member.person if member else NOBODY
        meant, only_name = people.find(result.student, person)
        if not meant:
            missing.append(result.student)
        elif len(meant) > 1:
            ambiguous.append(result.student)
        else:
            found[result.student] = meant[0].number
            by_name += [result.student] * only_name
    twice = {row for row, times in Counter(found.values()).items() if times > 1}
    ambiguous += [student for student, row in found.items() if row in twice]
    kept = {student: row for student, row in found.items() if row not in twice}
    by_name = [student for student in by_name if student in kept]
    return Matches(kept, tuple(by_name), tuple(missing), tuple(sorted(ambiguous)))


class _People:
    """The rows of a gradebook by every id, e-mail address and name."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._by_kind: dict[tuple[str, str], list[Row]] = {}
        self._by_value: dict[str, list[Row]] = {}
        self._by_name: dict[tuple[str, ...], list[Row]] = {}
        for row in rows:
            person = row.person
            for kind, value in person.ids.items():
                self._by_kind.setdefault((kind, _key(value)), []).append(row)
            for value in {_key(name) for name in (*person.ids.values(), person.email) if name}:
                self._by_value.setdefault(value, []).append(row)
            self._by_name.setdefault(_words(person.name), []).append(row)

    def find(self, student: str, person: Person) -> tuple[list[Row], bool]:
        """Return the rows that may be meant, and whether only the name says so."""
        name = person.name or student
        for candidates in self._by_id(student, person, name):
            meant = {row.number: row for row in candidates if not _contradicts(person, row.person)}
            if meant:
                return [*meant.values()], False
        named = self._by_name.get(_words(name), []) if _words(name) else []
        return [row for row in named if not _contradicts(person, row.person)], True

    def _by_id(self, student: str, person: Person, name: str) -> Iterator[list[Row]]:
        yield [
            row
            for kind, value in person.ids.items()
            for row in self._by_kind.get((kind, _key(value)), ())
        ]
        # A folder may have the name of an id.
        values = [*person.ids.values(), person.email, student]
        yield [
            row
            for value in values
            if value
            for row in self._by_value.get(_key(value), ())
            if not _key(value).isdecimal()
            or value == student
            or _words(name) == _words(row.person.name)
        ]


def _contradicts(person: Person, other: Person) -> bool:
    """Return whether both have an id of one kind, and not the same."""
    return any(
        kind in other.ids and _key(other.ids[kind]) != _key(value)
        for kind, value in person.ids.items()
    )


def _key(value: str) -> str:
    return unicodedata.normalize("NFC", value).strip().casefold()


def _words(name: str) -> tuple[str, ...]:
    """Return the words of a name, in any order: "Doe, Jane" is "Jane Doe"."""
    return tuple(sorted(_NOT_A_LETTER.sub(" ", _key(name)).split()))
