"""Find submissions in files, folders, archives and the downloads of platforms."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.errors import Rejected, UsageError
from autograder.submission.archive import DOWNLOAD
from autograder.submission.choose import Choice, HandedIn, Unpacker, choose_files, files_below
from autograder.submission.copies import is_source
from autograder.submission.found import (
    SUFFIXES,
    FoundSubmission,
    absolute,
    fitting_files,
    hidden,
    named_after,
    near_files,
    visible,
    with_copies,
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

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["SUFFIXES", "FoundSubmission", "find_submissions", "hidden"]

_MAX_WRAPPERS = 3


def find_submissions(
    paths: Iterable[Path], assignment: str, scratch: Path | None = None
) -> list[FoundSubmission]:
    """Return all submissions in `paths`, sorted by student.

    A file is one submission. A folder is one submission if the folder, or its subfolder with the
    assignment's name, contains a file with the assignment's name. In any other folder each visible
    child is one submission, and in a child copies such as `toy (1).py` count, and the only source or
    notebook of any name. In a platform's download, names and ids come from the platform's pattern.

    A path that may not be read has no files: reading it gives the reason.

    Args:
        scratch: where archives may be unpacked; without it, an archive is not a fitting file.

    Raises UsageError if a path is missing, or if a platform's list of people cannot be read.
    """
    finder = _Finder(assignment, scratch)
    submissions: dict[tuple[str, str], FoundSubmission] = {}
    for path in paths:
        if not os.path.lexists(path):
            raise UsageError(f"There is no {path}. Give a submission, or a folder of submissions.")
        for submission in finder.in_path(path):
            submissions.setdefault((submission.where, submission.student), submission)
    return sorted(submissions.values(), key=lambda submission: submission.student)


@dataclass
class _Labelled:
    """One student's labelled folders and files in a platform's download."""

    paths: list[Path] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)


class _Finder:
    """Find the submissions for one assignment."""

    def __init__(self, assignment: str, scratch: Path | None) -> None:
        self._assignment = assignment
        self._unpacker = Unpacker(scratch)

    def in_path(self, path: Path) -> list[FoundSubmission]:
        """Return the submission at `path`, or all submissions in the folder or archive `path`."""
        try:
            found = self._at(path)
        except (
            OSError
        ):  # a folder that may not be listed, such as one of a class given by a pattern
            found = [_without_files(path)]
        given = absolute(path)
        return [replace(submission, given=given) for submission in found]

    def _at(self, path: Path) -> list[FoundSubmission]:
        if read_label(path.name) is not None:
            return self._labelled([path])
        if self._unpacker.opens(path):
            return self._download(path)
        if path.is_dir() and not fitting_files(path, self._assignment):
            return self._children(path, Path(absolute(path)).name)
        return [self._one(path)]

    def _download(self, path: Path) -> list[FoundSubmission]:
        """Return the submissions in an archive, which is like a folder with the archive's name."""
        name = student_name(path.stem)
        try:
            folder = self._unpacker.unpack(path, DOWNLOAD)
        except Rejected as rejected:
            return [FoundSubmission(name, path, (), str(rejected))]
        root = self._unwrapped(folder)
        if fitting_files(root, self._assignment):
            return [replace(self._one(root), student=name, place=absolute(path))]
        found = self._children(root, root.name if root != folder else path.stem)
        return [
            replace(submission, place=f"{absolute(path)}/{submission.path.relative_to(folder)}")
            for submission in found or [FoundSubmission(name, folder, ())]
        ]

    def _unwrapped(self, folder: Path) -> Path:
        """Return the folder that holds the submissions: programs often pack one folder around them."""
        for _ in range(_MAX_WRAPPERS):
            children = self._visible(folder)
            if len(children) != 1 or not children[0].is_dir() or self._is_hand_in(children[0]):
                break
            folder = children[0]
        return folder

    def _is_hand_in(self, folder: Path) -> bool:
        name = self._assignment
        if read_label(folder.name) or fitting_files(folder, name):
            return True
        return bool(near_files(folder, name)) and not any(map(Path.is_dir, visible(folder)))

    def _visible(self, folder: Path) -> list[Path]:
        return sorted({*visible(folder), *self._unpacker.children(folder)})

    def _children(self, folder: Path, name: str) -> list[FoundSubmission]:
        """Return the submissions in a folder. `name` is that of the folder or of its archive."""
        children = self._visible(folder)
        found = self._labelled([child for child in children if read_label(child.name) is not None])
        others = [child for child in children if read_label(child.name) is None]
        metadata = folder / METADATA
        submitters = {}
        if metadata.is_file() and not metadata.is_symlink():
            submitters = read_submitters(metadata)
        prefix = github_prefix(
            name, [other.name for other in others if other.is_dir()], self._assignment
        )
        for child in others:
            if submitters and child == metadata:
                continue
            if submitters.get(child.name):
                found += self._for_each(child, submitters[child.name])
            elif prefix and child.name.startswith(prefix):
                found.append(self._checkout(child, child.name.removeprefix(prefix)))
            else:
                found.append(self._child(child))
        return found

    def _for_each(self, folder: Path, people: Iterable[Person]) -> Iterator[FoundSubmission]:
        """Yield the submission of a group of Gradescope for each of its members."""
        found = self._searched(folder)
        for person in people:
            student = student_name(person.name or person.email or folder.name)
            yield replace(found, student=student, person=person, platform="gradescope")

    def _checkout(self, folder: Path, user: str) -> FoundSubmission:
        """Return the submission in a checkout of GitHub Classroom."""
        person = Person(ids={"github": user})
        found = self._child(folder)
        return replace(found, student=student_name(user), platform="github", person=person)

    def _child(self, path: Path) -> FoundSubmission:
        """Return one submission of a folder. A link has no files, because it may point anywhere."""
        try:
            if path in self._unpacker.problems:
                problem = self._unpacker.problems[path]
                return FoundSubmission(student_name(path.stem), path, (), problem)
            if path.is_symlink():
                return _without_files(path)
            if self._unpacker.opens(path):
                return self._searched(path)
            return self._folder(path) if path.is_dir() else self._one(path)
        except OSError:
            return _without_files(path)

    def _one(self, path: Path) -> FoundSubmission:
        """Return the submission for a file, or for a folder with a fitting file."""
        student = named_after(path, self._assignment)
        if path.is_dir():
            fitting = fitting_files(path, self._assignment)
            return FoundSubmission(student, path, tuple(with_copies(fitting, self._assignment)))
        return FoundSubmission(student, path, (path,) if is_source(path.name) else ())

    def _folder(self, path: Path) -> FoundSubmission:
        """Return the submission in a student's folder. Its only file may have any name."""
        name = self._assignment
        one = FoundSubmission(named_after(path, name), path, ())
        files = with_copies(fitting_files(path, name), name) or near_files(path, name)
        if files:
            one = replace(one, files=tuple(files))
        elif any(map(self._unpacker.opens, self._near(path))):
            one = self._searched(path)
        else:
            one = replace(one, problem=self._unpacker.below(path))
        if (path / name).is_dir():  # nbgrader's submitted/<student>/<assignment>/
            return replace(one, platform="nbgrader", person=Person(ids={"nbgrader": path.name}))
        return one

    def _near(self, folder: Path) -> list[Path]:
        """Return the paths in a student's folder, and in its folder of the assignment's name."""
        inner = folder / self._assignment
        has_inner = inner.is_dir() and not inner.is_symlink()
        return self._visible(folder) + (self._visible(inner) if has_inner else [])

    def _searched(self, path: Path) -> FoundSubmission:
        """Return the submission in a folder or archive, wherever in it the file is."""
        files = files_below(path, self._unpacker) if path.is_dir() else [HandedIn(path, path.name)]
        one = FoundSubmission(named_after(path, self._assignment), path, ())
        return self._with_choice(one, files)

    def _with_choice(self, found: FoundSubmission, files: list[HandedIn]) -> FoundSubmission:
        choice: Choice = choose_files(files, self._assignment, self._unpacker)
        return replace(found, files=choice.files, problem=choice.problem)

    def _labelled(self, paths: Iterable[Path]) -> list[FoundSubmission]:
        """Return the submission of each student in a platform's download."""
        students: dict[tuple[str, str], _Labelled] = {}
        for path in paths:
            label = read_label(path.name)
            assert label is not None
            one = students.setdefault((label.platform, label.id), _Labelled())
            one.paths.append(path)
            one.labels.append(label)
        return [self._from_platform(student) for student in students.values()]

    def _from_platform(self, labelled: _Labelled) -> FoundSubmission:
        label, path = labelled.labels[0], labelled.paths[0]
        found = FoundSubmission(
            student_name(label.name),
            path,
            (),
            person=label.person,
            platform=label.platform,
            late=any(each.late for each in labelled.labels),
        )
        files: list[HandedIn] = []
        for place, each in zip(labelled.paths, labelled.labels, strict=True):
            if each.is_text:
                continue
            if place.is_dir() and not place.is_symlink():
                files += files_below(place, self._unpacker)
            else:
                files.append(HandedIn(place, each.file or place.name, upload=each.upload))
        if files:
            return self._with_choice(found, files)
        typed = any(each.is_text for each in labelled.labels)
        words = "a text that was typed on the platform" if typed else "an empty folder"
        wanted = f"`{self._assignment}.py` or `{self._assignment}.ipynb`"
        why = f"This submission is {words}. Hand in the file {wanted}."
        return replace(found, problem=self._unpacker.below(path) or why)


def _without_files(path: Path) -> FoundSubmission:
    return FoundSubmission(student_name(path.absolute().name), path, ())
