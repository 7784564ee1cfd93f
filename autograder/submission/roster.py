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
# The kit's own name for a student whose name others have, too: `Wang Wei (204003)`.
_WITH_ID = re.compile(r"(?P<name>.+) \((?P<id>[^()]+)\)")
# Kinds of ids that are names of folders, and the first step of `Roster._candidates` that has the name only.
_FOLDERS = ("folder", "nbgrader")
_BY_NAME = 3
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
        """Return the entry of a person; None if no entry, or more than one, may be meant."""
        return self.match(person)[0]

    def match(self, person: Person) -> tuple[RosterEntry | None, bool]:
        """Return the entry of a person, and whether nothing but the name tells it.

        Ids decide, then the e-mail address, then the name. An entry that contradicts an id of the
        person is not meant. An id of another kind counts only together with the name, but for the
        names of folders, to which people give ids of any kind.
        """
        for number, candidates in enumerate(self._candidates(person)):
            meant = [
                candidate for candidate in candidates if not _contradicts(person, candidate.person)
            ]
            if meant:
                return (meant[0] if len(meant) == 1 else None), number >= _BY_NAME
        return None, False

    def _candidates(self, person: Person) -> Iterator[list[RosterEntry]]:
        """Yield who may be meant by an id, an id of another kind, the e-mail address, and the name as it is written."""
        entries, name, email = self.entries, person.name, person.email.casefold()
        ids = {kind: _id_key(value) for kind, value in person.ids.items()}
        yield [
            entry
            for entry in entries
            if any(_id_of(entry, kind) == value for kind, value in ids.items())
        ]
        by_any_id = {
            id(entry): entry
            for kind, value in ids.items()
            for entry in self._by_id.get(value, ())
            if kind in _FOLDERS or (name and _names_agree(name, entry))
        }
        yield list(by_any_id.values())
        yield [entry for entry in entries if email and entry.person.email.casefold() == email]
        yield self._by_name.get(_words(name), []) if name else []
        yield [entry for entry in entries if name and _squashed(name) in _squashed_names(entry)]

    def has_id(self, value: str) -> bool:
        """Return whether this is an id of anybody, of any kind."""
        return _id_key(value) in self._by_id

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
    keeps its name, which may be a name, an id or an e-mail address in the roster. A name alone tells
    nobody whom another submission claims, too.
    """
    matches = [(submission, *_match(submission, roster)) for submission in submissions]
    present = [entry for _, entry, _ in matches if entry is not None]
    claims = Counter(map(id, present))
    joined = []
    for submission, entry, by_name in matches:
        if entry is None or (by_name and claims[id(entry)] > 1):
            joined.append(submission)
            continue
        ids = {**entry.person.ids, **submission.person.ids}
        email = entry.person.email or submission.person.email
        person = Person(entry.person.name, ids, email, entry.person.last)
        name = (
            student_name(entry.person.name.replace("/", "-"))
            if submission.platform
            else submission.student
        )
        known = replace(submission, student=name, person=person, from_roster=True)
        joined.append(replace(known, by_name=by_name))
    return joined, roster.absent(present)


def still_absent(absent: Iterable[Person], present: Iterable[Person]) -> tuple[Person, ...]:
    """Return the people in `absent` who are not among the people `present`."""
    roster = Roster(tuple(RosterEntry(person) for person in absent))
    return roster.absent(entry for person in present if (entry := roster.find(person)))


def _match(submission: FoundSubmission, roster: Roster) -> tuple[RosterEntry | None, bool]:
    if submission.platform not in ("", "nbgrader"):
        return roster.match(submission.person)
    name = submission.student
    ids = {**submission.person.ids, "folder": name}
    found = roster.match(Person(name, ids, name if "@" in name else ""))
    with_id = _WITH_ID.fullmatch(name)
    if found[0] is None and with_id:
        entry, by_name = roster.match(Person(with_id["name"], {"given": with_id["id"]}))
        if not (by_name and roster.has_id(with_id["id"])):  # else it is another person's id
            return entry, by_name
    return found


def _id_of(entry: RosterEntry, kind: str) -> str | None:
    value = entry.person.ids.get(kind)
    return None if value is None else _id_key(value)


def _id_key(value: str) -> str:
    return unicodedata.normalize("NFC", value).strip().casefold()


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
