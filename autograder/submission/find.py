"""Find submissions in files, folders, archives and the downloads of platforms."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.errors import Rejected, UsageError
from autograder.submission.archive import (
    Budget,
    Member,
    Place,
    is_archive,
    open_archive,
    path_of,
)
from autograder.submission.choose import HandedIn, Unpacker, choose_files
from autograder.submission.copies import is_source, stem_of
from autograder.submission.found import (
    SUFFIXES,
    FoundSubmission,
    absolute,
    fitting_files,
    hidden,
    is_folder,
    near_files,
    visible,
)
from autograder.submission.names import student_name
from autograder.submission.person import Person
from autograder.submission.platform_names import (
    METADATA,
    Label,
    github_prefix,
    read_label,
    read_submitters,
)
from autograder.submission.which_file import shown, unreadable, what_instead
from autograder.text import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["SUFFIXES", "FoundSubmission", "find_submissions", "hidden"]

_MAX_WRAPPERS = 3
_MOST_IN_DOWNLOAD = 200_000


def find_submissions(
    paths: Iterable[Path], assignment: str, scratch: Path | None = None
) -> list[FoundSubmission]:
    """Return all submissions in `paths`, sorted by student.

    A file is one submission. A folder is one submission if the folder, or its subfolder with the
    assignment's name, contains a file with the assignment's name. In any other folder each visible
    child is one submission, and in a child copies such as `toy (1).py` count, and the only source or
    notebook of any name. In a platform's download, names and ids come from the platform's pattern.

    A path that may not be read has no files: reading it gives the reason. Whatever is wrong with one
    submission is its `problem`, and the others are found as they are without it.

    Args:
        scratch: where the files that count are unpacked; without it, an archive is not a fitting file.

    Raises UsageError if a path is missing, if a platform's list of people cannot be read, or if
    nothing can be written into `scratch`.
    """
    finder = _Finder(assignment, scratch)
    submissions: dict[tuple[str, str], FoundSubmission] = {}
    for path in paths:
        if not os.path.lexists(path):
            raise UsageError(f"There is no {path}. Give a submission, or a folder of submissions.")
        for submission in finder.in_path(path):
            submissions.setdefault((submission.where, submission.student), submission)
    return sorted(submissions.values(), key=lambda submission: submission.student)


class _Finder:
    """Find the submissions for one assignment."""

    def __init__(self, assignment: str, scratch: Path | None) -> None:
        self._assignment = assignment
        self._scratch = scratch

    def in_path(self, path: Path) -> list[FoundSubmission]:
        """Return the submission at `path`, or all submissions in the folder or archive `path`."""
        try:
            found = self._at(path)
        except Rejected as rejected:
            name = shown(path)
            why = f"{rejected} If `{name}` is the download of a class, nobody in it is graded: download it again."
            found = [replace(self._named(path), problem=why)]
        except OSError as error:
            found = [replace(self._named(path), problem=unreadable(path, error))]
        given = absolute(path)
        return [replace(submission, given=given) for submission in found]

    def _at(self, path: Path) -> list[FoundSubmission]:
        """Raises Rejected for an archive that cannot be read, and OSError for a folder that cannot be listed."""
        if read_label(path.name) is not None:
            return self._labelled([path])
        if self._scratch is not None and is_archive(path) and not path.is_dir():
            return self._download(path)
        if path.is_dir() and not fitting_files(path, self._assignment):
            return self._children(path, Path(absolute(path)).name)
        return [self._within(self._named(path), partial(self._one, path))]

    def _download(self, path: Path) -> list[FoundSubmission]:
        """Return the submissions in an archive, which is like a folder with the archive's name."""
        with ExitStack() as stack:
            archive = open_archive(stack, path, Budget(_MOST_IN_DOWNLOAD, sys.maxsize))
            root = self._unwrapped(archive)
            if fitting_files(root, self._assignment):
                return [self._within(self._named(path), partial(self._one, root))]
            found = self._children(root, root.name if root is not archive else path.stem)
        empty = replace(self._named(path), problem=what_instead(archive, self._assignment))
        return found or [empty]

    def _unwrapped(self, folder: Member) -> Member:
        """Return the folder that holds the submissions: programs often pack one folder around them."""
        for _ in range(_MAX_WRAPPERS):
            children = visible(folder)
            if len(children) != 1 or not children[0].is_dir() or self._is_hand_in(children[0]):
                break
            folder = children[0]
        return folder

    def _is_hand_in(self, folder: Member) -> bool:
        name = self._assignment
        if read_label(folder.name) or fitting_files(folder, name):
            return True
        return bool(near_files(folder, name)) and not any(map(is_folder, visible(folder)))

    def _children(self, folder: Place, name: str) -> list[FoundSubmission]:
        """Return the submissions in a folder. `name` is that of the folder or of its archive."""
        children: list[Place] = [*visible(folder)]
        found = self._labelled([child for child in children if read_label(child.name)])
        others = [child for child in children if not read_label(child.name)]
        lists = [one for one in others if one.name == METADATA and not one.is_dir()]
        submitters = read_submitters(lists[0]) if lists and not lists[0].is_symlink() else {}
        prefix = github_prefix(
            name, [other.name for other in others if other.is_dir()], self._assignment
        )
        for child in others:
            if submitters and child.name == METADATA:
                continue
            one = self._named(child)
            if submitters.get(child.name):
                one = self._within(one, partial(self._searched, child))
                found += _for_each(one, submitters[child.name])
                continue
            if prefix and child.name.startswith(prefix):
                user = child.name.removeprefix(prefix)
                person = Person(ids={"github": user})
                one = replace(one, student=student_name(user), platform="github", person=person)
            elif self._has_inner(child):  # nbgrader's submitted/<student>/<assignment>/
                one = replace(one, platform="nbgrader", person=Person(ids={"nbgrader": child.name}))
            found.append(self._within(one, partial(self._child, child)))
        return found

    def _has_inner(self, place: Place) -> bool:
        if isinstance(place, Member):
            return any(
                child.name == self._assignment and child.is_dir() for child in place.iterdir()
            )
        return not os.path.islink(place) and os.path.isdir(place / self._assignment)  # noqa: PTH112, PTH114 - never raise

    def _named(self, place: Place) -> FoundSubmission:
        """Return a submission without files, named after the folder, the file, or the file's folder."""
        full = Path(absolute(path_of(place)))
        name = full.name
        if not (place.is_dir() if isinstance(place, Member) else os.path.isdir(place)):  # noqa: PTH112 - never raises
            stem = stem_of(name) if is_source(name) else full.stem
            name = stem if stem != self._assignment else full.parent.name or stem
        return FoundSubmission(student_name(name), path_of(place), ())

    def _within(
        self, one: FoundSubmission, look: Callable[[Unpacker], tuple[Path, ...]]
    ) -> FoundSubmission:
        """Return the submission with its files, or with the reason why it has none. No error goes further."""
        try:
            with Unpacker(self._scratch, self._assignment) as unpacker:
                return replace(one, files=look(unpacker))
        except UsageError:  # there is no space to unpack anything
            raise
        except Rejected as rejected:
            return replace(one, problem=str(rejected))
        except Exception as error:  # noqa: BLE001 - nobody's hand-in stops the others
            return replace(one, problem=unreadable(one.path, error))

    def _child(self, place: Place, unpacker: Unpacker) -> tuple[Path, ...]:
        """Return the files of one submission of a folder. A link has none, because it may point anywhere."""
        if place.is_symlink():
            return ()
        if unpacker.opens(place):
            return self._searched(place, unpacker)
        if not place.is_dir():
            return self._one(place, unpacker)
        near: list[Place] = [*visible(place)]
        near += [
            inside
            for child in near
            if child.name == self._assignment and is_folder(child)
            for inside in visible(child)
        ]
        files = fitting_files(place, self._assignment) or near_files(place, self._assignment)
        if not files and any(map(unpacker.opens, near)):
            return self._searched(place, unpacker)
        return self._counting(place, [*files], unpacker)

    def _one(self, place: Place, unpacker: Unpacker) -> tuple[Path, ...]:
        """Return the files of a file, or of a folder with a fitting file."""
        files: list[Place] = [place] if is_source(place.name) else []
        if place.is_dir():
            files = [*fitting_files(place, self._assignment)]
        return self._counting(place, files, unpacker)

    def _counting(self, place: Place, files: list[Place], unpacker: Unpacker) -> tuple[Path, ...]:
        if files or not isinstance(place, Member):
            return unpacker.unpacked(HandedIn(file, file.name) for file in files)
        below = [place.problem, *(file.problem for file in unpacker.files_below(place))]
        raise Rejected(next(filter(None, below), what_instead(place, self._assignment)))

    def _searched(self, place: Place, unpacker: Unpacker) -> tuple[Path, ...]:
        """Return the files in a folder or archive, wherever in it they are."""
        files = unpacker.files_below(place) if is_folder(place) else [HandedIn(place, place.name)]
        return choose_files(files, unpacker, self._assignment)

    def _labelled(self, paths: Iterable[Place]) -> list[FoundSubmission]:
        """Return the submission of each student in a platform's download."""
        students: dict[tuple[str, str], dict[str, list[tuple[Place, Label]]]] = {}
        for path in paths:
            label = read_label(path.name)
            assert label is not None
            names = students.setdefault((label.platform, label.id), {})
            names.setdefault(label.name, []).append((path, label))
        return [
            self._from_platform(uploads, [*names])
            for names in students.values()
            for uploads in names.values()
        ]

    def _from_platform(
        self, uploads: list[tuple[Place, Label]], names: list[str]
    ) -> FoundSubmission:
        """Return the submission of a student. `names` are all that the download gives to the id."""
        place, label = uploads[0]
        found = FoundSubmission(
            student_name(label.name),
            path_of(place),
            (),
            person=label.person,
            platform=label.platform,
            late=any(each.late for _, each in uploads),
        )
        if len(names) > 1:
            people = ", ".join(f"`{one_line(name)}`" for name in sorted(names))
            why = f"The id {label.id} belongs to {len(names)} people in this download: {people}."
            return replace(found, problem=f"{why} None of them is graded. Download it again.")
        return self._within(found, partial(self._uploads, uploads))

    def _uploads(self, uploads: list[tuple[Place, Label]], unpacker: Unpacker) -> tuple[Path, ...]:
        files: list[HandedIn] = []
        for place, each in uploads:
            if not each.is_text:
                one = HandedIn(place, each.file or place.name, upload=each.upload)
                files += unpacker.files_below(place) if is_folder(place) else [one]
        if files:
            return choose_files(files, unpacker, self._assignment)
        typed = any(each.is_text for _, each in uploads)
        words = "a text that was typed on the platform" if typed else "an empty folder"
        wanted = f"`{self._assignment}.py` or `{self._assignment}.ipynb`"
        raise Rejected(f"This submission is {words}. Hand in the file {wanted}.")


def _for_each(found: FoundSubmission, people: Iterable[Person]) -> Iterator[FoundSubmission]:
    """Yield the submission of a group of Gradescope for each of its members."""
    for person in people:
        student = student_name(person.name or person.email or found.student)
        yield replace(found, student=student, person=person, platform="gradescope")
