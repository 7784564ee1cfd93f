"""Choose the file to grade among a student's files, also in the student's own archives."""

from __future__ import annotations

import os
import shutil
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.errors import Rejected
from autograder.submission.archive import MAX_FILE, STUDENTS, ArchiveLimits, is_archive, unpack
from autograder.submission.copies import MAX_COPIES, sorted_copies
from autograder.submission.found import SUFFIXES, near_names
from autograder.submission.which_file import with_kind

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_NESTED = 2
_MAX_DEPTH = 6
_LISTED = 5
_NOT_SEARCHED = ("__pycache__", "venv", "site-packages", "node_modules")


@dataclass(frozen=True)
class HandedIn:
    """A file that a student handed in.

    Attributes:
        name: the student's name for the file; a platform may have changed it in `path`.
        depth: the number of folders around it.
        upload: orders the uploads of one name; (0, 0) if the platform keeps one only.
    """

    path: Path
    name: str
    depth: int = 0
    upload: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Choice:
    """The files to read, or the reason why there are none."""

    files: tuple[Path, ...] = ()
    problem: str = ""


@dataclass
class Unpacker:
    """Unpacks archives into numbered folders of `scratch`, and copies files there.

    Attributes:
        scratch: the folder; None if no archive may be opened.
        problems: why a file of an archive was left out, by the path that it would have.
    """

    scratch: Path | None
    problems: dict[Path, str] = field(default_factory=dict)
    _number: int = 0

    def opens(self, path: Path) -> bool:
        """Return whether a path is an archive that can be opened here."""
        return self.scratch is not None and is_archive(path) and not path.is_dir()

    def unpack(self, path: Path, limits: ArchiveLimits) -> Path:
        """Unpack an archive; return the folder. Raises Rejected if it cannot be unpacked."""
        unpacked = unpack(path, self._next() / "files", limits)
        self.problems.update(unpacked.problems)
        return unpacked.folder

    def under_own_name(self, file: HandedIn) -> Path:
        """Return the file with the student's own name for it: a copy if the platform changed the name."""
        if file.path.name == file.name or self.scratch is None:
            return file.path
        status = file.path.lstat()
        if not stat.S_ISREG(status.st_mode) or status.st_size >= MAX_FILE:
            return file.path  # the reader says what is wrong with it
        target = self._next() / file.name
        target.parent.mkdir()
        return Path(shutil.copyfile(file.path, target))

    def below(self, folder: Path) -> str:
        """Return why a file below a folder was not unpacked; empty if none was left out."""
        problems = (why for path, why in self.problems.items() if path.is_relative_to(folder))
        return next(problems, "")

    def children(self, folder: Path) -> set[Path]:
        """Return the paths in a folder that were not unpacked."""
        return {path for path in self.problems if path.parent == folder}

    def _next(self) -> Path:
        assert self.scratch is not None
        self._number += 1
        return self.scratch / str(self._number)


def files_below(folder: Path, unpacker: Unpacker) -> list[HandedIn]:
    """Return every file below a folder, with those of an archive that were left out."""
    found = []
    for place, folders, files in os.walk(folder):
        depth = len(Path(place).relative_to(folder).parts)
        folders[:] = sorted(
            name
            for name in folders
            if depth < _MAX_DEPTH and not name.startswith(".") and name not in _NOT_SEARCHED
        )
        found += [HandedIn(Path(place, name), name, depth) for name in sorted(files)]
    found += [
        HandedIn(path, path.name, len(path.relative_to(folder).parts) - 1)
        for path in unpacker.problems
        if path.is_relative_to(folder) and not os.path.lexists(path)
    ]
    return [file for file in found if not file.name.startswith(".")]


def choose_files(
    files: list[HandedIn], assignment: str, unpacker: Unpacker, nested: int = 0
) -> Choice:
    """Return the files that count: those with the assignment's name and copies, or the only source.

    Of several uploads of a name the latest counts, of several folders the outermost. Archives are
    opened only if no file beside them counts.
    """
    names = [f"{assignment}{suffix}" for suffix in SUFFIXES]
    latest = _latest(files)
    fitting = [file for file in latest if file.name in names]
    if fitting:
        depth = min(file.depth for file in fitting)
        beside = [file for file in latest if file.depth == depth]
        order = [*names, *sorted_copies({file.name for file in beside} - {*names}, assignment)]
        return _choice(beside, order[: len(names) + MAX_COPIES], names, unpacker)
    near = near_names([file.name for file in latest], assignment)
    if near:
        return _choice(latest, near, names, unpacker)
    problems = [unpacker.problems[file.path] for file in files if file.path in unpacker.problems]
    if nested < MAX_NESTED:
        inside: list[HandedIn] = []
        for file in (candidate for candidate in latest if unpacker.opens(candidate.path)):
            try:
                inside += files_below(unpacker.unpack(file.path, STUDENTS), unpacker)
            except Rejected as rejected:
                problems.append(str(rejected))
        if inside:
            return choose_files(inside, assignment, unpacker, nested + 1)
    return Choice(problem=problems[0] if problems else _several(files, names))


def _choice(
    files: list[HandedIn], counting: list[str], names: list[str], unpacker: Unpacker
) -> Choice:
    """Return the files with the names that count, in that order."""
    files = sorted(
        (file for file in files if file.name in counting),
        key=lambda file: counting.index(file.name),
    )
    # A copy that was left out does not matter beside a file that was not.
    files = [
        file for file in files if file.name in names or file.path not in unpacker.problems
    ] or files
    left_out = [unpacker.problems[file.path] for file in files if file.path in unpacker.problems]
    if left_out:
        return Choice(problem=left_out[0])
    if len({file.name for file in files}) < len(files):
        return Choice(problem=_several(files, names))
    return Choice(tuple(map(unpacker.under_own_name, files)))


def _several(files: list[HandedIn], names: list[str]) -> str:
    """Say what was handed in, where no file or more than one may be meant."""
    shown = [with_kind(file.name) for file in files]
    more = f" and {len(shown) - _LISTED} more" if len(shown) > _LISTED else ""
    wanted = " or ".join(f"`{name}`" for name in names)
    several = sum(file.name.lower().endswith(SUFFIXES) for file in files) > 1
    says = (
        f"It is not clear which file is your {wanted}"
        if several
        else f"There is no {wanted} in what was handed in"
    )
    return (
        f"{says}; found {', '.join(shown[:_LISTED]) or 'nothing'}{more}. "
        "Hand in one file with one of these names."
    )


def _latest(files: Iterable[HandedIn]) -> list[HandedIn]:
    """Return the latest upload of each name. Files that are no counted uploads all count."""
    latest: dict[tuple[str, Path | None], HandedIn] = {}
    for file in files:
        key = (file.name, None if any(file.upload) else file.path)
        if key not in latest or latest[key].upload < file.upload:
            latest[key] = file
    return list(latest.values())
