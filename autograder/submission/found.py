"""The records of a found submission and of its files, and the rules for names of files."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, Self, TypeVar

from autograder.submission.copies import (
    MAX_COPIES,
    contains_name,
    is_copy,
    is_source,
    sorted_copies,
)
from autograder.submission.person import NOBODY, Person

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

SUFFIXES = (".py", ".ipynb")
SKIPPED = "__MACOSX"


class _Place(Protocol):
    """A path on disk, or in an archive."""

    @property
    def name(self) -> str: ...
    def is_dir(self) -> bool: ...
    def is_symlink(self) -> bool: ...
    def iterdir(self) -> Iterable[Self]: ...


P = TypeVar("P", bound=_Place)


@dataclass(frozen=True, slots=True)
class FoundSubmission:
    """One submission: the student, the path, and the files with the assignment's name.

    Attributes:
        path: where it was found: in an archive, the archive's path, then the path in it.
        files: the files to read: none, a `.py`, an `.ipynb`, or both, then copies of them.
        problem: why the submission is rejected without being read.
        person: who handed it in, as far as the platform's download tells.
        platform: the kind of the platform's id in `person`; empty outside of a download.
        late: the platform marked it as late.
        nameless: nobody can be graded under the submission's own name; `student` is a safe name.
        from_roster: the roster knows this person; with `by_name`, by nothing but the name.
        given: the absolute PATH through which it was found.
    """

    student: str
    path: Path
    files: tuple[Path, ...]
    problem: str = ""
    person: Person = field(default=NOBODY, compare=False)
    platform: str = field(default="", compare=False)
    late: bool = field(default=False, compare=False)
    nameless: bool = field(default=False, compare=False)
    from_roster: bool = field(default=False, compare=False)
    given: str = field(default="", compare=False)
    by_name: bool = field(default=False, compare=False)

    @property
    def where(self) -> str:
        """Return where the submission was found, as an absolute path."""
        return absolute(self.path)


@dataclass(frozen=True)
class SubmittedFiles:
    """The files of a submission as bytes that were not parsed yet.

    Attributes:
        student, path, files, platform: as in `FoundSubmission`. The person is not sent along.
        contents: for each of `files` its bytes, or the reason why it cannot be read.
        sha256: the digest of all bytes.
    """

    student: str
    path: Path
    files: tuple[Path, ...]
    contents: tuple[bytes | str, ...]
    sha256: str
    platform: str = ""


def absolute(path: Path) -> str:
    """Return the absolute path, which resolves `..` but no links."""
    return os.path.abspath(path)  # noqa: PTH100


def hidden(path: _Place) -> bool:
    """Return whether a path is a system file, not a submission."""
    return path.name.startswith(".") or path.name == SKIPPED


def is_folder(path: _Place) -> bool:
    """Return whether a path is a folder, and no link to one."""
    return path.is_dir() and not path.is_symlink()


def visible(folder: P) -> list[P]:
    """Return the children of a folder that are no system files, sorted."""
    children = (child for child in folder.iterdir() if not hidden(child))
    return sorted(children, key=lambda child: child.name)


def fitting_files(folder: P, assignment: str) -> list[P]:
    """Return the files with the assignment's name in a folder or its folder of that name, then copies beside."""
    return _counting(folder, assignment, fitting_names)


def near_files(folder: P, assignment: str) -> list[P]:
    """Return the files that count in a folder without a fitting one, or in its folder of the assignment's name."""
    return _counting(folder, assignment, near_names)


def _counting(folder: P, assignment: str, rule: Callable[[list[str], str], list[str]]) -> list[P]:
    children = visible(folder)
    inner = [child for child in children if child.name == assignment and is_folder(child)]
    exact = [f"{assignment}{suffix}" for suffix in SUFFIXES]
    for place in (children, *map(visible, inner)):
        files = {one.name: one for one in place if one.name in exact or not is_folder(one)}
        if counting := rule([*files], assignment):
            return [files[name] for name in counting]
    return []


def copies_in(folder: Path, assignment: str) -> list[Path]:
    """Return the copies of the assignment's file in a folder: `toy (1).py` and the like.

    None is one of `fitting_files`: a file system that ignores case may find that under another name.
    """
    exact = [folder / f"{assignment}{suffix}" for suffix in SUFFIXES]
    exact = [file for file in exact if os.path.lexists(file)]
    found = {
        child.name: child
        for child in visible(folder)
        if is_copy(child.name, assignment)
        and (child.is_symlink() or not child.is_dir())
        and not any(os.path.samestat(child.lstat(), file.lstat()) for file in exact)
    }
    return [found[name] for name in sorted_copies(found, assignment)[:MAX_COPIES]]


def with_copies(files: list[Path], assignment: str) -> list[Path]:
    """Return these files of one folder, then the copies beside them."""
    return [*files, *copies_in(files[0].parent, assignment)] if files else []


def fitting_names(names: Iterable[str], assignment: str) -> list[str]:
    """Return the assignment's names among these, then copies; nothing if there is none of the former."""
    names, exact = {*names}, [f"{assignment}{suffix}" for suffix in SUFFIXES]
    present = [name for name in exact if name in names]
    return present and [*present, *sorted_copies(names - {*exact}, assignment)[:MAX_COPIES]]


def near_names(names: Iterable[str], assignment: str) -> list[str]:
    """Return the names of the files to read if none has the assignment's name: copies, else the only fitting one.

    The fitting one is the only name that contains the assignment's name, else the only source or
    notebook. The released tests do not count. A file without an ending may be a source, too; files
    with other endings are not.
    """
    names = list(names)
    released = (f"test_{assignment}.py", "conftest.py")
    sources = [name for name in names if is_source(name) and name not in released]
    if copies := sorted_copies(sources, assignment):
        return copies[:MAX_COPIES]
    containing = [name for name in sources if contains_name(name, assignment)]
    if len(containing) == 1:
        return containing
    other = any("." not in name for name in names)
    return sources if len(sources) == 1 and not other else []
