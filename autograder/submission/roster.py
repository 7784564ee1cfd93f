"""The instructor's list of the class: `--roster FILE` joins names and ids.

Any table with a line of titles is a roster, so Canvas's exported gradebook, Moodle's worksheet and
GitHub Classroom's roster work too. Known titles are titles for a name, an e-mail address, and ids;
every other column whose title contains a word such as id, login or user name holds a further id.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from autograder.errors import UsageError
from autograder.submission.names import student_name
from autograder.submission.person import Person
from autograder.submission.table import column_titles, read_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from autograder.submission.found import FoundSubmission

_NAME = ("name", "full name", "student", "student name", "display name")
_FIRST = ("first name", "firstname", "given name", "forename", "first")
_LAST = ("last name", "lastname", "surname", "family name", "last")
_EMAIL = ("email", "e-mail", "email address", "e-mail address", "mail")
_ID = ("id", "student id", "sid", "id number", "student number", "matriculation number")
# The kinds of ids that platforms' downloads hold, by the titles that people give them.
_PLATFORMS = {
    "moodle": ("moodle", "moodle id", "moodle participant", "participant", "participant id"),
    "canvas": ("canvas", "canvas id", "canvas user id"),
    "gradescope": ("gradescope", "gradescope id"),
    "github": ("github", "github username", "github user", "github login", "github user name"),
    "nbgrader": ("nbgrader", "nbgrader id"),
}
_MORE_IDS = re.compile(r"\b(?:id|ids|sid|login|user ?name|user|identifier|github|lms)\b")
_PARTICIPANT = re.compile(r"\D*?(\d+)")
_NOT_A_LETTER = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class RosterEntry:
    """One student of the roster. `first` is the first name, if the roster has it in a column of its own."""

    person: Person
    first: str = ""


@dataclass(frozen=True)
class Roster:
    """The students of a class, in the order of the file."""

    entries: tuple[RosterEntry, ...] = ()

    def find(self, person: Person) -> RosterEntry | None:
        """Return the entry of a person; None if no entry, or more than one, may be meant.

        Ids decide, then the e-mail address, then the name. An entry that contradicts an id of the
        person is not meant. An id of another kind counts only if the names do not contradict it.
        """
        for candidates in self._candidates(person):
            meant = [
                candidate for candidate in candidates if not _contradicts(person, candidate.person)
            ]
            if meant:
                return meant[0] if len(meant) == 1 else None
        return None

    def _candidates(self, person: Person) -> Iterator[list[RosterEntry]]:
        entries = self.entries
        ids = {kind: _id_key(value) for kind, value in person.ids.items()}
        yield [
            entry
            for entry in entries
            if any(_id_of(entry, kind) == value for kind, value in ids.items())
        ]
        yield [
            entry
            for value in ids.values()
            for entry in self._by_id.get(value, ())
            if not person.name or _names_agree(person.name, entry) or _is_lms_id(entry, value)
        ]
        if person.email:
            yield [
                entry
                for entry in entries
                if entry.person.email.casefold() == person.email.casefold()
            ]
        if person.name:
            yield self._by_name.get(_words(person.name), [])
            yield [entry for entry in entries if _squashed(person.name) in _squashed_names(entry)]

    @cached_property
    def _by_id(self) -> dict[str, list[RosterEntry]]:
        by_id: dict[str, list[RosterEntry]] = {}
        for entry in self.entries:
            for value in {_id_key(value) for value in entry.person.ids.values()}:
                by_id.setdefault(value, []).append(entry)
        return by_id

    @cached_property
    def _by_name(self) -> dict[tuple[str, ...], list[RosterEntry]]:
        by_name: dict[tuple[str, ...], list[RosterEntry]] = {}
        for entry in self.entries:
            by_name.setdefault(_words(entry.person.name), []).append(entry)
        return by_name

    def absent(self, present: Iterable[RosterEntry]) -> tuple[Person, ...]:
        """Return the people of the roster who are not among these entries."""
        present_ids = {id(entry) for entry in present}
        return tuple(entry.person for entry in self.entries if id(entry) not in present_ids)


def join_roster(
    submissions: Iterable[FoundSubmission], roster: Roster
) -> tuple[list[FoundSubmission], tuple[Person, ...]]:
    """Return the submissions with their students' names and ids from the roster, and the absent people.

    In a platform's download, the student's name is replaced by the roster's. Another folder or file
    keeps its name, which may be a name, an id or an e-mail address in the roster.
    """
    joined, present = [], []
    for submission in submissions:
        entry = _entry_of(submission, roster)
        if entry is None:
            joined.append(submission)
            continue
        present.append(entry)
        ids = {**entry.person.ids, **submission.person.ids}
        email = entry.person.email or submission.person.email
        person = Person(entry.person.name, ids, email, entry.person.last)
        name = (
            student_name(entry.person.name.replace("/", "-"))
            if submission.platform
            else submission.student
        )
        joined.append(replace(submission, student=name, person=person, from_roster=True))
    return joined, roster.absent(present)


def still_absent(absent: Iterable[Person], present: Iterable[Person]) -> tuple[Person, ...]:
    """Return the people in `absent` who are not among the people `present`."""
    roster = Roster(tuple(RosterEntry(person) for person in absent))
    return roster.absent(entry for person in present if (entry := roster.find(person)))


def _entry_of(submission: FoundSubmission, roster: Roster) -> RosterEntry | None:
    if submission.platform:
        return roster.find(submission.person)
    email = submission.student if "@" in submission.student else ""
    return roster.find(Person("", {"folder": submission.student}, email)) or roster.find(
        Person(submission.student)
    )


def _id_of(entry: RosterEntry, kind: str) -> str | None:
    value = entry.person.ids.get(kind)
    return None if value is None else _id_key(value)


def _id_key(value: str) -> str:
    return unicodedata.normalize("NFC", value).strip().casefold()


def _is_lms_id(entry: RosterEntry, value: str) -> bool:
    """Return whether this is the id of a learning management system that the roster does not name."""
    return any(
        "lms" in kind and _id_key(other) == value for kind, other in entry.person.ids.items()
    )


def _contradicts(person: Person, other: Person) -> bool:
    """Return whether both have an id of the same kind, with different values."""
    return any(
        kind in other.ids and _id_key(other.ids[kind]) != _id_key(value)
        for kind, value in person.ids.items()
    )


def _names_agree(name: str, entry: RosterEntry) -> bool:
    return _words(name) == _words(entry.person.name) or _squashed(name) in _squashed_names(entry)


def _words(name: str) -> tuple[str, ...]:
    """Return the words of a name, in any order: "Doe, Jane" is "Jane Doe"."""
    folded = unicodedata.normalize("NFC", name).casefold()
    return tuple(sorted(_NOT_A_LETTER.sub(" ", folded).split()))


def _squashed(name: str) -> str:
    return _NOT_A_LETTER.sub("", unicodedata.normalize("NFC", name).casefold())


def _squashed_names(entry: RosterEntry) -> set[str]:
    """Return a name in Canvas's spellings: the last name, then the first, without a separator."""
    if entry.first and entry.person.last:
        return {_squashed(entry.person.last + entry.first)}
    words = entry.person.name.split()
    return {_squashed("".join(words[cut:] + words[:cut])) for cut in range(1, max(2, len(words)))}


def read_roster(path: Path) -> Roster:
    """Read a roster.

    Raises UsageError if the file cannot be read, has no names, or gives one id to two students.
    """
    rows = read_rows(path)
    titles = column_titles(rows[0][1]) if rows else []
    named = [title for title in titles if title in (*_NAME, *_LAST)]
    if not named:
        raise UsageError(
            f"{path} has no column with names. Its first line must hold titles, such as: id,name,email"
        )
    entries, lines = [], []
    for line, row in rows[1:]:
        cells = dict(zip(titles, row, strict=False))
        entry = _entry(cells)
        if entry is not None:
            entries.append(entry)
            lines.append(line)
    _refuse_equal_ids(path, entries, lines)
    return Roster(tuple(entries))


def _entry(cells: Mapping[str, str]) -> RosterEntry | None:
    """Return the student in a row; None if the row has no name, as in Canvas's row of maximum points."""
    first, last = _cell(cells, _FIRST), _cell(cells, _LAST)
    name = _cell(cells, _NAME) or f"{first} {last}".strip()
    if not name or name.casefold() in ("points possible", "student, test"):
        return None
    if "," in name and not (first or last):
        last, _, first = (part.strip() for part in name.partition(","))
        name = f"{first} {last}".strip()
    name = unicodedata.normalize("NFC", " ".join(name.split()))
    return RosterEntry(Person(name, dict(_ids(cells)), _cell(cells, _EMAIL), last), first)


def _ids(cells: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    is_canvas = "sis login id" in cells or "sis user id" in cells
    is_moodle = "identifier" in cells and "full name" in cells
    for title, value in cells.items():
        if not value or title in (*_NAME, *_FIRST, *_LAST, *_EMAIL):
            continue
        platform = next((kind for kind, known in _PLATFORMS.items() if title in known), None)
        number = _PARTICIPANT.fullmatch(value)
        if platform == "moodle" or (is_moodle and title == "identifier"):
            yield "moodle", number[1] if number else value
        elif platform:
            yield platform, value
        elif is_canvas and title == "id":
            yield "canvas", value
        elif title in _ID or (is_canvas and title == "sis user id"):
            yield "id", value
        elif _MORE_IDS.search(title):
            yield title, value


def _cell(cells: Mapping[str, str], titles: Iterable[str]) -> str:
    return next((cells[title] for title in titles if cells.get(title)), "")


def _refuse_equal_ids(path: Path, entries: list[RosterEntry], lines: list[int]) -> None:
    for kind in ("id", *_PLATFORMS):
        count = Counter(_id_of(entry, kind) for entry in entries)
        count.pop(None, None)
        twice = [value for value, times in count.items() if times > 1]
        if twice:
            where = [
                str(line)
                for entry, line in zip(entries, lines, strict=True)
                if _id_of(entry, kind) == twice[0]
            ]
            raise UsageError(
                f"{path}, lines {' and '.join(where)}: {len(where)} students have the same {kind} {twice[0]!r}. "
                "Correct the roster and run the command again."
            )
