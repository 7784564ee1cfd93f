"""A class as a directory of people: those of the instructor's list, or of the rows of a gradebook."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from autograder.text import without_invisible

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

# The kinds of ids that platforms' downloads hold, by the titles that people give them.
PLATFORMS: Mapping[str, tuple[str, ...]] = {
    "moodle": ("moodle", "moodle id", "moodle participant", "participant", "participant id"),
    "canvas": ("canvas", "canvas id", "canvas user id"),
    "gradescope": ("gradescope", "gradescope id"),
    "github": ("github", "github username", "github user", "github login", "github user name"),
    "nbgrader": ("nbgrader", "nbgrader id"),
}
# The kind of an id that only the name of a folder tells. It counts together with the name.
GIVEN = "given"
# What is an id of any kind, without the name: an e-mail address, and a folder's name, which people choose so.
SURE = ("email", "folder", "nbgrader")
_CALLED = "called"  # the kind of what a person writes for a student, whatever it is
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
        deadline: the student's own deadline in ISO 8601, such as an extension; empty if there is none.
    """

    name: str = ""
    ids: Mapping[str, str] = field(default_factory=dict)
    email: str = ""
    last: str = ""
    group: str = ""
    deadline: str = ""

    @property
    def main_id(self) -> str:
        """Return the id of the roster's column `id`, or else the first id that is known."""
        return self.ids.get("id") or next(iter(self.ids.values()), "")

    @property
    def shown(self) -> str:
        """Return the name, or else the main id."""
        return self.name or self.main_id

    def contradicts(self, other: Person) -> bool:
        """Return whether both have an id of the same kind, with different values. The class's own kind, `id`, decides.

        A login may change, and Moodle's participant has another number in each assignment.
        """
        kinds = self.ids.keys() & other.ids
        kinds = {"id"} if "id" in kinds else kinds
        return any(_key(self.ids[kind]) != _key(other.ids[kind]) for kind in kinds)


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
        submitted: Mapping[int, str] | None = None,
    ) -> None:
        self.people = people
        self.submitted = submitted or {}
        self._by_id: dict[tuple[str, str], list[int]] = {}
        self._by_value: dict[str, list[int]] = {}
        self._by_name: dict[tuple[str, ...], list[int]] = {}
        self._by_squashed: dict[str, list[int]] = {}
        for line, person in people.items():
            ids = {kind: _key(value) for kind, value in person.ids.items()}
            for same in ids.items():
                if same[0] != GIVEN:
                    self._by_id.setdefault(same, []).append(line)
            for value in {*ids.values(), _key(person.email)} - {""}:
                self._by_value.setdefault(value, []).append(line)
            if words := _words(person.name):
                self._by_name.setdefault(words, []).append(line)
            for name in {*map(squashed, _sortable(person))} - {""}:
                self._by_squashed.setdefault(name, []).append(line)

    def find(self, person: Person, sure: Collection[str] = SURE) -> tuple[list[int], bool]:
        """Return the lines of all who may be meant, and whether nothing but the name tells it.

        An id of the same kind decides, then an e-mail address or an id of another kind, then the name.
        Who contradicts an id of the person is not meant. An id of another kind counts only together
        with the name, unless its own kind is in `sure`.
        """
        for number, lines in enumerate(self._candidates(person, sure)):
            meant = [
                line for line in dict.fromkeys(lines) if not person.contradicts(self.people[line])
            ]
            if meant:
                return meant, number >= _BY_NAME
        return [], False

    def claimed(
        self, asked: Sequence[Person]
    ) -> tuple[list[tuple[int | None, bool]], Counter[int]]:
        """Return the line of each person, if exactly one is meant, and whether only the name tells it.

        Without a line, the latter says whether the person may be one of these. Also count how many may be in each
        line. A name alone tells nobody whom another one claims, too, and nobody if an id was given that is not known.
        """
        meant = [self.find(person) for person in asked]
        claims = Counter(lines[0] for lines, _ in meant if len(lines) == 1)
        found: list[tuple[int | None, bool]] = []
        for person, (lines, by_name) in zip(asked, meant, strict=True):
            unknown = by_name and GIVEN in person.ids
            clear = len(lines) == 1 and not unknown and not (by_name and claims[lines[0]] > 1)
            found.append((lines[0], by_name) if clear else (None, bool(lines) and not unknown))
        return found, claims

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
        return Directory(people, self.submitted)

    def equal_ids(self, kind: str) -> Iterator[tuple[str, list[int]]]:
        """Yield each id of a kind that several people have, with their lines."""
        for (other, value), lines in self._by_id.items():
            if other == kind and len(lines) > 1:
                yield value, lines

    def without(self, lines: Collection[int]) -> tuple[Person, ...]:
        """Return the people who are not in these lines."""
        return tuple(person for line, person in self.people.items() if line not in lines)


def known_as(person: Person, student: str) -> Person:
    """Return who a student with a folder of results is: of whom no id is known, the folder's name may be one."""
    known = person.ids or person.email
    ids = person.ids if known else {"folder": student}
    return replace(person, name=person.name or student, ids=ids)


def still_absent(absent: Iterable[Person], present: Iterable[Person]) -> tuple[Person, ...]:
    """Return the people in `absent` who are not among the people `present`."""
    directory = Directory(dict(enumerate(absent)))
    found = [directory.find(person)[0] for person in present]
    return directory.without({lines[0] for lines in found if len(lines) == 1})


class Called:
    """Students by the words with which a person may name them."""

    def __init__(self, people: Iterable[tuple[str, Person]]) -> None:
        """Make the index. `people` are the students by the names of their folders."""
        self._students = dict(people)
        self._directory = Directory(
            {
                number: replace(person, ids={**_with_names(person), "folder": student})
                for number, (student, person) in enumerate(self._students.items())
            }
        )

    def find(self, words: str) -> list[str]:
        """Return all who may be meant.

        The name of a folder, an id or an e-mail address decides, then the name alone. A spreadsheet may hold it as
        `grades.csv` shows it.
        """
        words = words.strip().removeprefix("'")
        if words in self._students:
            return [words]
        lines, _ = self._directory.find(Person(words, {_CALLED: words}), (_CALLED,))
        return [[*self._students][line] for line in lines]

    def near(self, words: str) -> list[str]:
        """Return the students with an id that differs from these words only by zeros before it."""
        number = words.strip().lstrip("0")
        return [
            student
            for student, person in self._students.items()
            if number and number in (one.lstrip("0") for one in (student, *person.ids.values()))
        ]


def _with_names(person: Person) -> dict[str, str]:
    """Return a person's ids, and each with the name before it."""
    named = {f"name, {kind}": f"{person.name} ({one})" for kind, one in person.ids.items()}
    return {**person.ids, **named}


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
