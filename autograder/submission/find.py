"""Find the hand-ins in files, folders, archives and the downloads of platforms."""

from __future__ import annotations

import os
import re
import sys
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.errors import Rejected, UsageError
from autograder.submission.archive import Place, SizeBudget, open_archive
from autograder.submission.directory import Person, student_name
from autograder.submission.hand_in import HandIn, absolute
from autograder.submission.platform_names import (
    METADATA,
    Label,
    github_prefix,
    read_label,
    read_submitters,
)
from autograder.submission.unpack import Candidate, Unpacker, most_bytes
from autograder.submission.which_file import (
    NOTHING_COUNTS,
    is_copy,
    is_hand_in,
    is_source,
    no_clear_file,
    ranked,
    stem_of,
    unreadable,
    wanted_names,
    what_instead,
)
from autograder.text import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

_MAX_WRAPPERS = 3
_FEWEST = 2
_TIMESTAMP, _LONGEST_TIME = "timestamp.txt", 100
_MOST_IN_DOWNLOAD = 200_000


def find_hand_ins(
    paths: Iterable[Path],
    assignment: str,
    scratch: Path | None = None,
    *,
    steps: Collection[str] = (),
    is_one: bool = False,
) -> list[HandIn]:
    """Return all hand-ins in `paths`, sorted by student.

    A file is one hand-in. A folder is one if the folder, or its subfolder with the assignment's
    name, contains a file with the assignment's name, unless other children contain one, or at least two other files
    beside it define steps. In any other folder each visible child is one. A hand-in is searched in all its folders:
    copies such as `toy (1).py` count, and the only source or notebook of any name. In a platform's download, names
    and ids come from the platform's pattern.

    A path that may not be read has no files: reading it gives the reason. Whatever is wrong with one
    hand-in is its `problem`, and the others are found as they are without it.

    Args:
        scratch: where the files that count are unpacked; without it, an archive is not a fitting file.
        steps: the assignment's steps.
        is_one: each path is one hand-in, whatever is beside its file.

    Raises UsageError if a path is missing, if a platform's list of people cannot be read, or if
    nothing can be written into `scratch`.
    """
    finder = _Finder(assignment, scratch, steps, is_one)
    found: dict[tuple[str, ...], HandIn] = {}
    for path in paths:
        if not os.path.lexists(path):
            raise UsageError(f"There is no {path}. Give a submission, or a folder of submissions.")
        for one in finder.in_path(path):
            found.setdefault((one.where, one.student, *one.person.ids.values()), one)
    return sorted(found.values(), key=lambda one: one.student)


def hand_in_of(student: str, folder: Path, assignment: str, scratch: Path) -> HandIn:
    """Return the hand-in of a student whose folder is known, such as nbgrader's."""
    finder = _Finder(assignment, scratch)
    return finder.within(HandIn(student, folder, ()), partial(finder.child, Place(folder)))


@dataclass(frozen=True)
class _Finder:
    """Find the hand-ins for one assignment. The attributes are the arguments of `find_hand_ins`."""

    assignment: str
    scratch: Path | None
    steps: Collection[str] = ()
    is_one: bool = False

    def in_path(self, path: Path) -> list[HandIn]:
        """Return the hand-in at `path`, or all hand-ins in the folder or archive `path`."""
        try:
            found = self._at(path)
        except (Rejected, OSError) as error:
            name = one_line(path.name)
            why = f"{error} If `{name}` is the download of a class, nobody in it is graded: download it again."
            if isinstance(error, OSError):
                why = unreadable(path, error)
            found = [replace(self._named(Place(path)), problem=why)]
        given = absolute(path)
        return [replace(one, given=given) for one in found]

    def _at(self, path: Path) -> list[HandIn]:
        """Raises Rejected for an archive that cannot be read, and OSError for a folder that cannot be listed."""
        place = Place(path)
        if read_label(path.name) is not None:
            return self._labelled([place])
        one = self._named(place)
        if self.is_one:
            return [self.within(one, partial(self._looked_at, place))]
        if path.is_dir():  # also a link to a folder, if it was given
            return self._folder(self._collected(one, place), place, Path(absolute(path)).name)
        if self.scratch is None or not place.is_archive:
            return [self.within(one, partial(self._one_file, place))]
        with ExitStack() as stack:
            archive = open_archive(stack, place, SizeBudget(_MOST_IN_DOWNLOAD, sys.maxsize))
            root = self._unwrapped(archive)
            found = self._folder(one, root, root.name if root is not archive else path.stem)
        return found or [replace(one, problem=no_clear_file([], self.assignment))]

    def _folder(self, one: HandIn, folder: Place, name: str) -> list[HandIn]:
        """Return the hand-in `one` that a folder is, or those in it if it is a class's."""
        found = self._children(folder, name)
        if is_hand_in(folder, self.assignment) and not (
            any(map(self._is_of_class, found)) or self._is_flat_class(folder)
        ):
            return [self.within(one, partial(self._searched, folder))]
        return found

    def _is_flat_class(self, folder: Place) -> bool:
        """Return whether files of several students lie beside each other: two further ones define steps."""
        others = (
            child
            for child in folder.visible()
            if is_source(child.name) and not is_copy(child.name, self.assignment)
        )
        return sum(islice(filter(None, map(self._defines_step, others)), _FEWEST)) == _FEWEST

    def _defines_step(self, file: Place) -> bool:
        """Return whether a step is defined in a Python file, or in the text of a notebook. Never raises."""
        names = "|".join(map(re.escape, self.steps))
        defined = re.compile(rf'(?:^|"|\\n)(?:def|class)\s+(?:{names})\b'.encode(), re.MULTILINE)
        with suppress(OSError, Rejected):
            data = file.read_bytes(most_bytes(file.name))
            return bool(self.steps) and defined.search(data) is not None
        return False

    def _is_of_class(self, child: HandIn) -> bool:
        """Return whether a child shows that its folder is a class's: it has a label, or holds a file of the right name.

        What is named like a copy of the file may be the same student's, and what lies deeper in a folder an old one.
        """
        folders = (child.path, child.path / self.assignment)
        return read_label(child.path.name) is not None or (
            not is_copy(f"{child.path.stem}.py", self.assignment)
            and any(
                is_copy(file.name, self.assignment)
                and (file.parent in folders or self.scratch in file.parents)
                for file in child.files
            )
        )

    def _unwrapped(self, folder: Place) -> Place:
        """Return the folder that holds the hand-ins: programs often pack one folder around them."""
        for _ in range(_MAX_WRAPPERS):
            children = folder.visible()
            if len(children) != 1 or not children[0].is_folder or self._is_child(children[0]):
                break
            folder = children[0]
        return folder

    def _is_child(self, folder: Place) -> bool:
        """Return whether a folder is one student's, not one of a class."""
        own = is_hand_in(folder, self.assignment) and not self._nested(folder)
        if own or read_label(folder.name):
            return True
        children = folder.visible()
        names = [child.name for child in children]
        alone = not any(child.is_folder for child in children)
        return alone and bool(ranked(names, self.assignment))

    def _children(self, folder: Place, name: str) -> list[HandIn]:
        """Return the hand-ins in a folder. `name` is that of the folder or of its archive."""
        children = folder.visible()
        found = self._labelled([child for child in children if read_label(child.name)])
        others = [child for child in children if not read_label(child.name)]
        lists = [one for one in others if one.name == METADATA and not one.is_folder]
        submitters = read_submitters(lists[0]) if lists and not lists[0].is_link else {}
        folders = [one.name for one in others if one.leads_to_folder]
        prefix = github_prefix(name, folders, self.assignment)
        for child in others:
            if submitters and child.name == METADATA:
                continue
            one = self._named(child)
            if stem_of(child.name) == self.assignment:
                one = replace(one, student=self.assignment)
            if submitters.get(child.name, ((), ""))[0]:
                people, when = submitters[child.name]
                one = self.within(replace(one, handed_in=when), partial(self._searched, child))
                found += [_of_member(one, person) for person in people]
                continue
            if prefix and child.name.startswith(prefix):
                user = child.name.removeprefix(prefix)
                person = Person(ids={"github": user})
                one = replace(one, student=student_name(user), platform="github", person=person)
            else:
                one = self._collected(one, child)
            one = self.within(one, partial(self.child, child))
            found.append(replace(one, nested=self._nested(child, one.files)))
        return found

    def _nested(self, folder: Place, files: Collection[Path] = ()) -> tuple[str, ...]:
        """Return the folders in a student's folder that look like hand-ins beside the student's files. Never raises."""
        with suppress(OSError):
            return tuple(
                f"{folder.name}/{one.name}"
                for one in folder.visible()
                if one.is_folder
                and one.name != self.assignment
                and is_hand_in(one, self.assignment)
                and not any(one.path in file.parents for file in files)
            )
        return ()

    def _collected(self, one: HandIn, place: Place) -> HandIn:
        """Return the hand-in with id and time of nbgrader's submitted/<student>/<assignment>/, if it is one."""
        inner = place.inner(self.assignment)
        if inner is None:
            return one
        person = Person(ids={"nbgrader": one.student})
        return replace(one, platform="nbgrader", person=person, handed_in=_timestamp(inner))

    def _named(self, place: Place) -> HandIn:
        """Return a hand-in without files, named after the folder, the file, or the file's folder."""
        full = Path(absolute(place.path))
        name = full.name
        if not place.leads_to_folder:
            stem = stem_of(name) if is_source(name) else full.stem
            name = stem if stem != self.assignment else full.parent.name or stem
        return HandIn(student_name(name), place.path, ())

    def within(self, one: HandIn, look: Callable[[Unpacker], tuple[Path, ...]]) -> HandIn:
        """Return the hand-in with its files, or with the reason why it has none. No error goes further."""
        try:
            with Unpacker(self.scratch, self.assignment) as unpacker:
                return replace(one, files=look(unpacker))
        except UsageError:  # there is no space to unpack anything
            raise
        except Rejected as rejected:
            return replace(one, problem=str(rejected))
        except Exception as error:  # noqa: BLE001 - nobody's hand-in stops the others
            return replace(one, problem=unreadable(one.path, error))

    def child(self, place: Place, unpacker: Unpacker) -> tuple[Path, ...]:
        """Return the files of one child of a class's folder. A link is never followed."""
        if place.is_link:
            raise Rejected(what_instead(place, self.assignment))
        return self._looked_at(place, unpacker)

    def _looked_at(self, place: Place, unpacker: Unpacker) -> tuple[Path, ...]:
        is_searched = place.leads_to_folder or unpacker.opens(place)
        return (self._searched if is_searched else self._one_file)(place, unpacker)

    def _one_file(self, place: Place, unpacker: Unpacker) -> tuple[Path, ...]:
        if is_source(place.name):
            return unpacker.unpacked([Candidate(place, place.name)])
        raise Rejected(place.problem or what_instead(place, self.assignment))

    def _searched(self, place: Place, unpacker: Unpacker) -> tuple[Path, ...]:
        """Return the files in a folder or archive, wherever in it they are."""
        alone = [Candidate(place, place.name)]
        return unpacker.chosen(unpacker.files_below(place) if place.leads_to_folder else alone)

    def _labelled(self, places: Iterable[Place]) -> list[HandIn]:
        """Return the hand-in of each student in a platform's download."""
        students: dict[tuple[str, str], dict[str, list[tuple[Place, Label]]]] = {}
        for place in places:
            label = read_label(place.name)
            assert label is not None
            names = students.setdefault((label.platform, label.id or label.name), {})
            names.setdefault(label.name, []).append((place, label))
        return [
            self._from_platform(uploads, [*names])
            for names in students.values()
            for uploads in names.values()
        ]

    def _from_platform(self, uploads: list[tuple[Place, Label]], names: list[str]) -> HandIn:
        """Return the hand-in of a student. `names` are all that the download gives to the id."""
        place, label = uploads[0]
        found = HandIn(
            student_name(label.name),
            place.path,
            (),
            person=label.person,
            platform=label.platform,
            late=any(each.late for _, each in uploads),
        )
        if len(names) > 1:
            people = ", ".join(f"`{one_line(name)}`" for name in sorted(names))
            why = f"The id {label.id} belongs to {len(names)} people in this download: {people}."
            return replace(found, problem=f"{why} None of them is graded. Download it again.")
        return self.within(found, partial(self._uploads, uploads))

    def _uploads(self, uploads: list[tuple[Place, Label]], unpacker: Unpacker) -> tuple[Path, ...]:
        files: list[Candidate] = []
        for place, each in uploads:
            if not each.is_text:
                one = Candidate(place, each.file or place.name, upload=each.upload)
                files += unpacker.files_below(place) if place.is_folder else [one]
        if files:
            return unpacker.chosen(files)
        typed = any(each.is_text for _, each in uploads)
        words = (
            "a text that was typed on the platform" if typed else f"a folder with {NOTHING_COUNTS}"
        )
        wanted = wanted_names(self.assignment)
        raise Rejected(f"This submission is {words}. Hand in the file {wanted}.")


def _of_member(found: HandIn, person: Person) -> HandIn:
    """Return the hand-in of a group of Gradescope for one of its members."""
    student = student_name(person.name or person.email or found.student)
    return replace(found, student=student, person=person, platform="gradescope")


def _timestamp(folder: Place) -> str:
    """Return the time that nbgrader wrote into a folder; empty if there is none that can be read."""
    try:
        for file in folder.visible():
            if file.name == _TIMESTAMP:
                return file.read_bytes(_LONGEST_TIME).decode().strip()
    except (OSError, ValueError, Rejected):  # a student's own file, which tells no time
        return ""
    return ""
