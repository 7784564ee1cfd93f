"""A class as a directory of people: the instructor's list (`--roster FILE`), or the rows of a gradebook.

Any table with a line of titles is a roster, so Canvas's exported gradebook, Moodle's worksheet and
GitHub Classroom's roster work too. Known titles are titles for a name, an e-mail address, and ids;
every other column whose title contains a word such as id, login or user name holds a further id.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from autograder.errors import UsageError
from autograder.submission.table import read_table
from autograder.text import without_invisible

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from pathlib import Path

_NAME = ("name", "full name", "student", "student name", "display name")
_FIRST = ("first name", "firstname", "given name", "forename", "first")
_LAST = ("last name", "lastname", "surname", "family name", "last")
_EMAIL = ("email", "e-mail", "email address", "e-mail address", "mail")
_GROUP = ("group", "group name", "team", "gruppe", "groupe", "grupo", "gruppo", "groep")
# What Moodle's worksheet has in that column for who is in no group.
_NO_GROUP = re.compile(
    r"default group|standardgruppe|groupe par défaut|grupo (?:por defecto|predeterminado)|gruppo predefinito"
    r"|standaardgroep|not a member of any group.*|member of more than one group.*",
    re.IGNORECASE,
)
_SUBMITTED = ("last modified (submission)", "submitted", "handed in")
_ID = ("id", "student id", "sid", "id number", "student number", "matriculation number")
# The kinds of ids that platforms' downloads hold, by the titles that people give them.
PLATFORMS: Mapping[str, tuple[str, ...]] = {
    "moodle": ("moodle", "moodle id", "moodle participant", "participant", "participant id"),
    "canvas": ("canvas", "canvas id", "canvas user id"),
    "gradescope": ("gradescope", "gradescope id"),
    "github": ("github", "github username", "github user", "github login", "github user name"),
    "nbgrader": ("nbgrader", "nbgrader id"),
}
_MORE_IDS = re.compile(r"\b(?:id|ids|sid|login|user ?name|user|identifier|github|lms)\b")
_PARTICIPANT = re.compile(r"\D*?(\d+)")
# The kind of an id that only the name of a folder tells. It counts together with the name.
GIVEN = "given"
# What is an id of any kind, without the name: an e-mail address, and a folder's name, which people choose so.
SURE = ("email", "folder", "nbgrader")
# The first step of `Directory._candidates` that has the name only.
_BY_NAME = 2
_LINE_BREAKS = re.compile(r"[\t\n]+")
_NOT_A_LETTER = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class Person:
    """A student, as the files of the instructor name them.

    Attributes:
        name: the full name; empty if only ids are known.
        ids: the ids by their kind. The kinds of platforms are `moodle` (the participant of one
            Moodle assignment), `canvas` (Canvas's user id), `gradescope` (the student id there),
            `github` (the user name) and `nbgrader`. A roster's columns have their titles as kinds,
            in lower case.
        email: the e-mail address, or empty.
        last: the last name, if a roster has it in a column of its own.
        group: the group with which the student hands in, or empty.
        former: the names of the folders in which earlier runs kept the student's results.
    """

    name: str = ""
    ids: Mapping[str, str] = field(default_factory=dict)
    email: str = ""
    last: str = ""
    group: str = ""
    former: tuple[str, ...] = ()

    @property
    def main_id(self) -> str:
        """Return the id of the roster's column `id`, or else the first id that is known."""
        return self.ids.get("id") or next(iter(self.ids.values()), "")


NOBODY = Person()


class Directory:
    """People by their ids, e-mail addresses and names. Nobody is guessed.

    Attributes:
        people: each with the number of the line in the table.
        submitted: when each handed in, in the words of the table, for those of whom it says so.
    """

    def __init__(
        self,
        people: Mapping[int, Person],
        sortable: Mapping[int, str] | None = None,
        submitted: Mapping[int, str] | None = None,
    ) -> None:
        """Make a directory. `sortable` has last and first name of those who have them in columns."""
        self.people = people
        self.submitted = submitted or {}
        self._sortable = sortable
        self._by_id: dict[tuple[str, str], list[int]] = {}
        self._by_value: dict[str, list[int]] = {}
        self._by_name: dict[tuple[str, ...], list[int]] = {}
        self._by_squashed: dict[str, list[int]] = {}
        for line, person in people.items():
            ids = {kind: _key(value) for kind, value in person.ids.items()}
            for same in ids.items():
                if same[0] != GIVEN:
                    self._by_id.setdefault(same, []).append(line)
            former = map(_key, person.former)
            for value in {*ids.values(), _key(person.email), *former} - {""}:
                self._by_value.setdefault(value, []).append(line)
            if words := _words(person.name):
                self._by_name.setdefault(words, []).append(line)
            names = [sortable[line]] if sortable and line in sortable else _sortable(person)
            for name in {squashed(name) for name in names} - {""}:
                self._by_squashed.setdefault(name, []).append(line)

    def find(self, person: Person, sure: Collection[str] = SURE) -> tuple[list[int], bool]:
        """Return the lines of all who may be meant, and whether nothing but the name tells it.

        An id of the same kind decides, then an e-mail address or an id of another kind, then the name.
        Who contradicts an id of the person is not meant. An id of another kind counts only together
        with the name, unless its own kind is in `sure`.
        """
        for number, lines in enumerate(self._candidates(person, sure)):
            meant = [
                line for line in dict.fromkeys(lines) if not _contradicts(person, self.people[line])
            ]
            if meant:
                return meant, number >= _BY_NAME
        return [], False

    def _candidates(self, person: Person, sure: Collection[str]) -> Iterator[list[int]]:
        """Yield who may be meant by an id, another id or the e-mail address, the name, and Canvas's spelling of it."""
        ids = {kind: _key(value) for kind, value in person.ids.items()}
        by_name = self._by_name.get(_words(person.name), [])
        by_squashed = self._by_squashed.get(squashed(person.name), [])
        yield [line for same in ids.items() for line in self._by_id.get(same, ())]
        yield [
            line
            for kind, value in {**ids, "email": _key(person.email)}.items()
            for line in self._by_value.get(value, ())
            if kind in sure or line in by_name or line in by_squashed
        ]
        yield by_name
        yield by_squashed

    def with_groups(self, groups: Mapping[int, str]) -> Directory:
        """Return the same people, some of them in the group of their line."""
        people = {
            line: replace(person, group=groups.get(line, person.group))
            for line, person in self.people.items()
        }
        return Directory(people, self._sortable, self.submitted)

    def equal_ids(self, kind: str) -> Iterator[tuple[str, list[int]]]:
        """Yield each id of a kind that several people have, with their lines."""
        for (other, value), lines in self._by_id.items():
            if other == kind and len(lines) > 1:
                yield value, lines

    def without(self, lines: Collection[int]) -> tuple[Person, ...]:
        """Return the people who are not in these lines."""
        return tuple(person for line, person in self.people.items() if line not in lines)


def still_absent(absent: Iterable[Person], present: Iterable[Person]) -> tuple[Person, ...]:
    """Return the people in `absent` who are not among the people `present`."""
    directory = Directory(dict(enumerate(absent)))
    found = [directory.find(person)[0] for person in present]
    return directory.without({lines[0] for lines in found if len(lines) == 1})


class Called:
    """Students by the words with which a person may name them."""

    def __init__(self, people: Iterable[tuple[str, Person]]) -> None:
        """Make the index. `people` are the students by the names of their folders."""
        self._indices: tuple[dict[str, list[str]], ...] = ({}, {}, {})
        for student, person in people:
            ids = person.ids.values()
            surely = (
                *ids,
                person.email,
                *person.former,
                *(f"{person.name} ({one})" for one in ids),
            )
            for index, names in zip(
                self._indices, ((student,), surely, (person.name,)), strict=True
            ):
                for key in {*map(name_key, names)} - {""}:
                    index.setdefault(key, []).append(student)

    def find(self, words: str) -> list[str]:
        """Return all who may be meant.

        The name of a folder decides, then an id, an e-mail address or a former folder, then the name alone. A
        spreadsheet may hold it as `grades.csv` shows it.
        """
        key = name_key(words.strip().removeprefix("'"))
        return next(filter(None, (index.get(key) for index in self._indices)), [])


def _contradicts(person: Person, other: Person) -> bool:
    """Return whether both have an id of the same kind, with different values."""
    return any(
        kind in other.ids and _key(other.ids[kind]) != _key(value)
        for kind, value in person.ids.items()
    )


# How names and ids are written and compared.


def student_name(name: str) -> str:
    """Return a file's or folder's name as a student's name: in NFC, in one line, without invisible characters."""
    return _LINE_BREAKS.sub(" ", without_invisible(unicodedata.normalize("NFC", name)))


def name_key(name: str) -> str:
    """Return a key that is equal for names that people or file systems do not distinguish.

    Upper and lower case, spaces, dots at the end and invisible characters make no difference.
    """
    folded = unicodedata.normalize("NFC", student_name(name).casefold())
    return " ".join(folded.split()).rstrip(" .")


def _key(value: str) -> str:
    return unicodedata.normalize("NFC", value).strip().casefold()


def _words(name: str) -> tuple[str, ...]:
    """Return the words of a name, in any order: "Doe, Jane" is "Jane Doe"."""
    return tuple(sorted(_NOT_A_LETTER.sub(" ", _key(name)).split()))


def squashed(name: str) -> str:
    """Return the letters and digits of a name, as Canvas writes it."""
    return _NOT_A_LETTER.sub("", _key(name))


def _sortable(person: Person) -> list[str]:
    """Return a name in Canvas's spellings: the last name, then the first."""
    first = person.name.removesuffix(person.last)
    if person.last and first != person.name:
        return [person.last + first]
    words = person.name.split()
    return [" ".join(words[cut:] + words[:cut]) for cut in range(1, max(2, len(words)))]


# The instructor's list.


def read_roster(path: Path, *, has_groups: bool = False) -> Directory:
    """Read a roster. A column for groups counts in Moodle's worksheet, or if students hand in by it (`has_groups`).

    Raises UsageError if the file cannot be read, has no names, or gives one id to two students.
    """
    table = read_table(path)
    titles = table.titles
    if not any(title in (*_NAME, *_LAST) for title in titles):
        raise UsageError(
            f"{path} has no column with names. Its first line must hold titles, such as: id,name,email"
        )
    people, sortable, submitted = {}, {}, {}
    for row in table.rows[1:]:
        line, cells = row.line, dict(zip(titles, row.cells, strict=False))
        first, last = _cell(cells, _FIRST), _cell(cells, _LAST)
        name = _cell(cells, _NAME) or f"{first} {last}".strip()
        if not name or name.casefold() in ("points possible", "student, test"):
            continue  # such as Canvas's row of maximum points
        if "," in name and not (first or last):
            last, _, first = (part.strip() for part in name.partition(","))
            name = f"{first} {last}".strip()
        name = unicodedata.normalize("NFC", " ".join(name.split()))
        group = _cell(cells, _GROUP) if has_groups or "identifier" in cells else ""
        group = "" if "identifier" in cells and _NO_GROUP.fullmatch(group) else group
        people[line] = Person(name, dict(_ids(cells)), _cell(cells, _EMAIL), last, group)
        if when := _cell(cells, _SUBMITTED):
            submitted[line] = when
        if first and last:
            sortable[line] = last + first
    roster = Directory(people, sortable, submitted)
    for kind in ("id", *PLATFORMS):
        for value, lines in roster.equal_ids(kind):
            raise UsageError(
                f"{path}, lines {' and '.join(map(str, lines))}: {len(lines)} students have the same {kind} "
                f"{value!r}. Correct the roster and run the command again."
            )
    return roster


def read_groups(path: Path, roster: Directory | None) -> tuple[Directory, tuple[str, ...]]:
    """Return the class with the groups of a table, and those in the table who are not exactly one of the roster.

    The table is a roster with a column for the group: `groups.csv` (group, student), where a student may be a name or
    an id; Canvas's export of groups; Moodle's worksheet. Without a roster, it is the class.

    Raises UsageError if the table names no groups, or names a student in two.
    """
    table = read_roster(path, has_groups=True)
    groups = {line: person.group for line, person in table.people.items() if person.group}
    if not groups:
        raise UsageError(
            f"{path} names no groups. Its first line must hold titles, such as: group,student"
        )
    if roster is None:
        return table, ()
    lines: dict[int, tuple[int, str]] = {}
    unknown = []
    for line, group in groups.items():
        person = table.people[line]
        meant, _ = roster.find(replace(person, ids={**person.ids, "folder": person.name}))
        if len(meant) != 1:
            unknown.append(person.name)
            continue
        other = lines.setdefault(meant[0], (line, group))
        if other[1] != group:
            raise UsageError(
                f"{path}, lines {other[0]} and {line}: {person.name} is in two groups, {other[1]!r} and {group!r}. "
                "Correct the table and run the command again."
            )
    return roster.with_groups({line: group for line, (_, group) in lines.items()}), tuple(unknown)


def _ids(cells: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    is_canvas = "sis login id" in cells or "sis user id" in cells
    sis_ids = ("sis user id",) * is_canvas + ("user id",) * ("canvas group id" in cells)
    is_moodle = "identifier" in cells and "full name" in cells
    for title, value in cells.items():
        if not value or title in (*_NAME, *_FIRST, *_LAST, *_EMAIL) or "group" in title.split():
            continue  # a group's id is nobody's
        platform = next((kind for kind, known in PLATFORMS.items() if title in known), None)
        number = _PARTICIPANT.fullmatch(value)
        if platform == "moodle" or (is_moodle and title == "identifier"):
            yield "moodle", number[1] if number else value
        elif platform:
            yield platform, value
        elif is_canvas and title == "id":
            yield "canvas", value
        elif title in (*_ID, *sis_ids):
            yield "id", value
        elif _MORE_IDS.search(title):
            yield title, value


def _cell(cells: Mapping[str, str], titles: Iterable[str]) -> str:
    return next((cells[title] for title in titles if cells.get(title)), "")
