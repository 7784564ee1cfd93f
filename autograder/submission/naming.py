"""Say whose a hand-in is: the roster's name and ids, then a unique name that is fit for a folder.

A hand-in without such a name is rejected under a safe name; the others are graded.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.submission.directory import Person, name_key, student_name
from autograder.text import one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from autograder.submission.directory import Directory
    from autograder.submission.hand_in import HandIn

MAX_BYTES = 255  # of a folder's name, on all common file systems
_UNNAMED = "submission"
_BASE = 60  # characters of a name that a safe name keeps
_LISTED = 3
# The kit's own name for a student whose name others have, too: `Wang Wei (204003)`.
_WITH_ID = re.compile(r"(?P<name>.+) \((?P<id>[^()]+)\)")


def join_roster(
    hand_ins: Iterable[HandIn], roster: Directory
) -> tuple[list[HandIn], tuple[Person, ...]]:
    """Return the hand-ins with their students' names and ids from the roster, and the absent people.

    In a platform's download, the student's name is replaced by the roster's. Another folder or file
    keeps its name, which may be a name, an id or an e-mail address in the roster. A name alone tells
    nobody whom another hand-in claims, too.
    """
    meant = [(hand_in, *_meant(hand_in, roster)) for hand_in in hand_ins]
    claims = Counter(lines[0] for _, lines, _ in meant if len(lines) == 1)
    joined = []
    for hand_in, lines, by_name in meant:
        if len(lines) != 1 or (by_name and claims[lines[0]] > 1):
            joined.append(hand_in)
            continue
        person = roster.people[lines[0]]
        name = hand_in.student
        if hand_in.platform:
            name = student_name(person.name.replace("/", "-"))
        ids = {**person.ids, **hand_in.person.ids}
        person = replace(person, ids=ids, email=person.email or hand_in.person.email)
        known = replace(hand_in, student=name, person=person, from_roster=True, by_name=by_name)
        joined.append(known)
    return joined, roster.without(claims)


def _meant(hand_in: HandIn, roster: Directory) -> tuple[list[int], bool]:
    """Return the lines of all who may be meant, and whether nothing but the name tells it."""
    if hand_in.platform not in ("", "nbgrader"):
        return roster.find(hand_in.person)
    name = hand_in.student
    found = roster.find(Person(name, {**hand_in.person.ids, "folder": name}))
    with_id = _WITH_ID.fullmatch(name)
    if len(found[0]) != 1 and with_id:
        lines, by_name = roster.find(Person(with_id["name"], {"given": with_id["id"]}))
        if not (by_name and roster.has_id(with_id["id"])):  # else it is another person's id
            return lines, by_name
    return found


def tell_apart(
    hand_ins: Iterable[HandIn], *, reserved: Collection[str] = (), utf8: bool = False
) -> list[HandIn]:
    """Return the hand-ins, sorted by student, each with a unique name.

    A hand-in gets a safe name, and in `problem` the reason, if others have the same name, if its
    name is in `reserved` (the files among the results), or if it cannot be the name of a folder.
    In a platform's download, equal names with different ids get the id: `Wang Wei (204003)`.

    Args:
        utf8: also refuse names that are not UTF-8, which a gradebook cannot hold.
    """
    hand_ins = sorted(
        _with_ids(_with_ids([*hand_ins])),  # a name may be another's name with the id
        key=lambda hand_in: (hand_in.student, str(hand_in.path)),
    )
    same = _by_name(hand_ins)
    kept = {name_key(name) for name in reserved}
    taken = {*same, *kept}
    named = []
    for hand_in in hand_ins:
        key = name_key(hand_in.student)
        problem = _unfit(hand_in.student, utf8=utf8)
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


def _with_ids(hand_ins: list[HandIn]) -> list[HandIn]:
    """Return the hand-ins, with the platform's id behind names that several people of it have."""
    named = []
    for others in _by_name(hand_ins).values():
        platforms = {one.platform for one in others}
        ids = {one.person.ids.get(one.platform, "") for one in others} - {""}
        apart = len(platforms) == 1 and len(ids) == len(others) > 1
        for one in others:
            with_id = f" ({one.person.ids.get(one.platform)})"
            more = with_id if apart and not one.student.endswith(with_id) else ""
            named.append(replace(one, student=f"{one.student}{more}"))
    return named


def _unfit(name: str, *, utf8: bool) -> str:
    """Return why a name cannot be the name of a folder; empty if it can."""
    shown = one_line(name)
    if not name_key(name):
        return "The name of this submission has no character that can be shown. Rename it, and grade again."
    if len(name.encode("utf-8", "replace")) > MAX_BYTES:
        return (
            f"The name `{shown}` is too long for a folder of results. Shorten it, and grade again."
        )
    try:
        name.encode()
    except UnicodeEncodeError:
        if utf8:
            return f"The name `{shown}` is not UTF-8, so no gradebook can hold it. Rename it, and grade again."
    return ""


def _equal(hand_in: HandIn, same: list[HandIn]) -> str:
    places = [one_line("/".join(Path(other.where).parts[-2:])) for other in same]
    listed = ", ".join(f"`{place}`" for place in places[:_LISTED])
    more = f" and {len(places) - _LISTED} more" if len(places) > _LISTED else ""
    name = one_line(hand_in.student)
    return (
        f"{len(same)} submissions have the same name, `{name}`: {listed}{more}. None of them is "
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
