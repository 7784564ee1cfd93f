"""Say whose a hand-in is, once for all: by platforms' ids, and the roster with its groups.

A student is `Name (id)` wherever both are known. A hand-in whose name cannot be that of a folder is rejected under a
safe name; the others are graded.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.submission.directory import (
    GIVEN,
    NOBODY,
    Directory,
    Person,
    name_key,
    squashed,
    student_name,
)
from autograder.text import first_of, one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from autograder.submission.hand_in import HandIn

    Groups = Mapping[str, Mapping[int, Person]]

LONGEST_NAME = 255  # of a folder's name, on all common file systems
_UNNAMED = "submission"
_BASE = 60  # characters of a name that a safe name keeps
_LISTED = 3
# The kit's own name for a student: `Wang Wei (204003)`.
_WITH_ID = re.compile(r"(?P<name>.+) \((?P<id>[^()\s]+)\)")


@dataclass(frozen=True)
class Identified:
    """Who handed in what.

    Attributes:
        hand_ins: sorted by student, each with a unique name.
        absent: the people on the roster who handed in nothing.
        strangers: who is not on the roster.
        idle: the groups of which nobody handed in anything.
        alone: the people who are in no group, where there are groups.
        teachers: Canvas's test students, as whom teachers look at their course. They are not graded.
    """

    hand_ins: Sequence[HandIn]
    absent: tuple[Person, ...] = ()
    strangers: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()
    alone: tuple[str, ...] = ()
    teachers: tuple[str, ...] = ()


def identify(
    found: Collection[HandIn],
    roster: Directory | None = None,
    *,
    reserved: Collection[str] = (),
    utf8: bool = False,
) -> Identified:
    """Return whose each hand-in is.

    Args:
        roster: the class, with its groups.
        reserved: the files among the results. No student can have one of these names.
        utf8: also refuse names that are not UTF-8, which a gradebook cannot hold.
    """
    roster = roster or Directory({})
    groups = _groups(roster)
    teachers = tuple(one.path.name for one in found if _is_teachers(one))
    spelt: dict[str, list[str]] = {}
    for name in groups:
        spelt.setdefault(squashed(name), []).append(name)
    members = [
        pair
        for one in found
        if not _is_teachers(one)
        for pair in _of_members(one, groups.get(_group_of(one, groups, spelt, roster)))
    ]
    whose, claimed = _joined(members, roster)
    named = _graded_once(tell_apart(map(_filed, whose), reserved=reserved, utf8=utf8))
    strangers = (one for one in named if not (one.from_roster or one.by_name or one.nameless))
    people = roster.people.values()
    return Identified(
        named,
        absent=roster.without(claimed),
        strangers=tuple(one.student for one in strangers),
        idle=tuple(name for name, members in groups.items() if claimed.isdisjoint(members)),
        alone=tuple(one.shown for one in people if groups and not one.group),
        teachers=teachers,
    )


def _is_teachers(one: HandIn) -> bool:
    return one.platform == "canvas" and squashed(one.person.name) == "studenttest"


# Groups.


def _groups(roster: Directory) -> Groups:
    """Return the people of each group, by the lines of the roster."""
    groups: dict[str, dict[int, Person]] = {}
    for line, person in roster.people.items():
        if person.group:
            groups.setdefault(person.group, {})[line] = person
    return groups


def _group_of(
    found: HandIn, groups: Groups, spelt: Mapping[str, Sequence[str]], roster: Directory
) -> str:
    """Return the group that a hand-in is named after; empty if it is not known to be a group's.

    Canvas writes the group's name and the id of one member. An id that is a person's of this name is the person's.

    Args:
        spelt: the groups by the letters and digits of their names.
    """
    name = found.person.name or found.student
    same = spelt.get(squashed(name), ())
    same = [group for group in same if name_key(group) == name_key(name)] or same
    if len(same) != 1:
        return ""
    lines, by_name = roster.find(found.person)
    own = len(lines) == 1 and not by_name
    if own and squashed(roster.people[lines[0]].name) == squashed(name):
        return ""
    ids = {person.ids.get("canvas") for person in groups[same[0]].values()} - {None}
    foreign = found.platform == "canvas" and ids and found.person.ids["canvas"] not in ids
    return "" if foreign else same[0]


def _of_members(
    found: HandIn, members: Mapping[int, Person] | None
) -> list[tuple[HandIn, int | None]]:
    """Return a group's hand-in for each member, with the member's line in the roster."""
    if members is None:
        return [(found, None)]
    shared = replace(found, platform="group")
    return [
        (replace(shared, student=person.name, person=person), line)
        for line, person in members.items()
    ]


def _graded_once(named: list[HandIn]) -> list[HandIn]:
    """Return the hand-ins. All members of a group but the first have the first one's result."""
    first: dict[tuple[str, str], str] = {}
    once = []
    for one in named:
        key = (one.where, one.person.group)
        alike = one.person.group and not one.nameless and not one.problem
        same = first.setdefault(key, one.student) if alike else one.student
        once.append(replace(one, same_as=same) if same != one.student else one)
    return once


# The roster.


def _joined(
    pairs: Sequence[tuple[HandIn, int | None]], roster: Directory
) -> tuple[list[HandIn], set[int]]:
    """Return the hand-ins with the roster's names and ids, and the lines of all whose they may be."""
    asked = [_asked(one.student, one.platform, one.person) for one, _ in pairs]
    found, claims = roster.claimed(asked)
    joined = []
    for (one, given), (meant, guessed) in zip(pairs, found, strict=True):
        line, by_name = (meant, guessed) if given is None else (given, False)
        if line is None:
            joined.append(replace(one, by_name=by_name))
            continue
        claims[line] += given is not None
        when = one.handed_in or roster.submitted.get(line, "")
        known = replace(one, person=_merged(roster.people[line], one.person), handed_in=when)
        joined.append(replace(known, from_roster=True, by_name=by_name))
    return joined, set(claims)


def _asked(student: str, platform: str, person: Person) -> Person:
    """Return the person to look for. Outside of a download, a folder may have a name, an id or both."""
    if platform not in ("", "nbgrader") and (person.ids or person.email):
        return person
    with_id = _WITH_ID.fullmatch(student)
    own = {GIVEN: with_id["id"]} if with_id else {}
    name = with_id["name"] if with_id else student
    return replace(person, name=name, ids={**person.ids, **own, "folder": student})


def _merged(roster: Person, own: Person) -> Person:
    """Return a person with the names of the roster, and all ids."""
    email, group = roster.email or own.email, roster.group or own.group
    return replace(roster, ids={**roster.ids, **own.ids}, email=email, group=group)


# Names in the results.


def _filed(one: HandIn) -> HandIn:
    """Return the hand-in under the name of the folder of its results."""
    person = one.person
    if person == NOBODY and (with_id := _WITH_ID.fullmatch(one.student)):
        person = Person(with_id["name"], {GIVEN: with_id["id"]})
    name = one.student if one.platform == "nbgrader" else filed_under(person, one.student)
    return replace(one, student=name, person=person)


def filed_under(person: Person, student: str) -> str:
    """Return the name of the folder of a person's results: `student` if nothing is known, and for nbgrader's ids."""
    name, number = student_name(person.name.replace("/", "-")), student_name(person.main_id)
    if person.ids.get("nbgrader") == student:
        return student
    if name and number and name_key(name) != name_key(number):
        return f"{name} ({number})"
    return name or number or student


# Names of folders.


def tell_apart(
    hand_ins: Iterable[HandIn], *, reserved: Collection[str] = (), utf8: bool = False
) -> list[HandIn]:
    """Return the hand-ins, sorted by student, each with a unique name.

    A hand-in gets a safe name, and in `problem` the reason, if others have the same name, if its
    name is in `reserved` (the files among the results), or if it cannot be the name of a folder.

    Args:
        utf8: also refuse names that are not UTF-8, which a gradebook cannot hold.
    """
    hand_ins = sorted(hand_ins, key=lambda hand_in: (hand_in.student, str(hand_in.path)))
    same = _by_name(hand_ins)
    kept = {name_key(name) for name in reserved}
    taken = {*same, *kept}
    named = []
    for hand_in in hand_ins:
        key = name_key(hand_in.student)
        problem = _unfit(hand_in.student, utf8=utf8) or _nobodys(hand_in)
        if not problem and key in kept:
            problem = (
                f"`{one_line(hand_in.student)}` is the name of a file among the results. "
                "Rename this submission, and grade again."
            )
        if not problem and len(same[key]) > 1:
            problem = _equal(hand_in, same[key])
        named.append(_renamed(hand_in, problem, taken) if problem else hand_in)
    return sorted(named, key=lambda hand_in: hand_in.student)


def _by_name(hand_ins: Iterable[HandIn]) -> dict[str, list[HandIn]]:
    same: dict[str, list[HandIn]] = {}
    for hand_in in hand_ins:
        same.setdefault(name_key(hand_in.student), []).append(hand_in)
    return same


def _unfit(name: str, *, utf8: bool) -> str:
    """Return why a name cannot be the name of a folder; empty if it can."""
    shown = one_line(name)
    if not name_key(name):
        return "The name of this submission has no character that can be shown. Rename it, and grade again."
    if len(name.encode("utf-8", "replace")) > LONGEST_NAME:
        return (
            f"The name `{shown}` is too long for a folder of results. Shorten it, and grade again."
        )
    try:
        name.encode()
    except UnicodeEncodeError:
        if utf8:
            return f"The name `{shown}` is not UTF-8, so no gradebook can hold it. Rename it, and grade again."
    return ""


def _nobodys(hand_in: HandIn) -> str:
    """Return why nobody can be graded for Moodle's folder of all who are in no group; empty for any other hand-in."""
    if hand_in.platform != "moodle" or hand_in.person.ids:
        return ""
    return (
        f"Moodle puts the files of one student into `{one_line(hand_in.path.name)}`, the folder of all who are in no "
        "group, so files are missing, and nobody can tell whose these are. Put the students into groups, or name them "
        "as a group with --groups, and grade again."
    )


def _equal(hand_in: HandIn, same: list[HandIn]) -> str:
    places = [one_line("/".join(Path(other.where).parts[-2:])) for other in same]
    listed = first_of((f"`{place}`" for place in places), _LISTED)
    name = one_line(hand_in.student)
    return (
        f"{len(same)} submissions have the same name, `{name}`: {listed}. None of them is "
        "graded, so that nobody gets the marks of another person. Rename them, and grade again; upper and lower "
        "case, spaces and invisible characters do not make a difference."
    )


def _renamed(hand_in: HandIn, problem: str, taken: set[str]) -> HandIn:
    """Return the hand-in under a free safe name; add this name to `taken`."""
    base = one_line(hand_in.student, _BASE).replace("/", "_").strip(" .") or _UNNAMED
    number = 1
    while name_key(name := f"{base}-{number}") in taken:
        number += 1
    taken.add(name_key(name))
    return replace(hand_in, student=name, problem=problem, nameless=True)
