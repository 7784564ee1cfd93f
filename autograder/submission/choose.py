"""Choose the file to grade among a student's files, also in the student's own archives."""

from __future__ import annotations

import hashlib
import stat
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from autograder.errors import Rejected, UsageError
from autograder.submission.archive import (
    Budget,
    Member,
    Place,
    TooMuch,
    is_archive,
    open_archive,
    path_of,
)
from autograder.submission.found import (
    SUFFIXES,
    fitting_names,
    hidden,
    is_folder,
    near_names,
)
from autograder.submission.which_file import with_kind

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

MAX_NESTED = 2
# A file with more bytes is there without them, and the reader refuses it for its size.
MAX_FILE = 5 * 1024 * 1024 + 1
# Bytes of all files of one hand-in that are unpacked.
MAX_UNPACKED = 8 * 1024 * 1024
_LISTED = 5
_NOT_SEARCHED = ("__pycache__", "venv", "site-packages", "node_modules")


@dataclass(frozen=True)
class HandedIn:
    """A file that a student handed in.

    Attributes:
        name: the student's name for the file; a platform may have changed it in `place`.
        depth: the number of folders around it.
        upload: orders the uploads of one name; (0, 0) if the platform keeps one only.
    """

    place: Place
    name: str
    depth: int = 0
    upload: tuple[int, int] = (0, 0)

    @property
    def problem(self) -> str:
        """Return why the file of an archive is left out; empty if it may be read."""
        return self.place.problem if isinstance(self.place, Member) else ""


class Unpacker(ExitStack):
    """Opens the archives of one hand-in, until it is closed, and unpacks the files that count.

    Attributes:
        scratch: the folder for unpacked files; None if no archive may be opened.
        wanted: the names of the assignment's files.
        budget: what may still be looked at.
    """

    def __init__(self, scratch: Path | None, assignment: str) -> None:
        super().__init__()
        self.scratch = scratch
        self.wanted = [f"{assignment}{suffix}" for suffix in SUFFIXES]
        self.budget = Budget()
        self._unpacked = Budget(size=MAX_UNPACKED)

    def opens(self, place: Place) -> bool:
        """Return whether a path is an archive that can be opened here."""
        return self.scratch is not None and is_archive(place) and not place.is_dir()

    def files_below(self, folder: Place) -> list[HandedIn]:
        """Return the files below a folder, but none below the first level that has a wanted one."""
        found: list[HandedIn] = []
        level: list[Place] = [folder]
        depth = 0
        while level:
            children = [child for place in level for child in self._listed(place)]
            found += [HandedIn(one, one.name, depth) for one in children if not is_folder(one)]
            if any(file.name in self.wanted for file in found):
                break
            level = [one for one in children if is_folder(one) and one.name not in _NOT_SEARCHED]
            depth += 1
        return found

    def _listed(self, folder: Place) -> list[Place]:
        children: list[Place] = list(islice(folder.iterdir(), self.budget.files + 1))
        self.budget.spend(files=len(children))
        return sorted((one for one in children if not hidden(one)), key=lambda one: one.name)

    def unpacked(self, files: Iterable[HandedIn]) -> tuple[Path, ...]:
        """Return the paths of these files on disk, under the student's own names.

        A copy that cannot be read does not matter beside a file that can.
        """
        contents: list[tuple[HandedIn, bytes | None]] = []
        problems: list[Rejected] = []
        for file in files:
            try:
                contents.append((file, self._bytes(file)))
            except TooMuch:
                raise
            except Rejected as rejected:
                problems.append(rejected)
                if file.name in self.wanted:
                    raise
        if problems and not contents:
            raise problems[0]
        return tuple(self._on_disk(file, data) for file, data in contents)

    def _bytes(self, file: HandedIn) -> bytes | None:
        """Return the bytes to unpack; None if the file stays where it is, or is too large."""
        place = file.place
        if isinstance(place, Member):
            if place.size >= MAX_FILE and not place.problem:
                return None
            self._unpacked.spend(size=place.size)
            self.budget.spend(size=place.cost)
            return place.read_bytes()
        status = place.lstat()
        regular = stat.S_ISREG(status.st_mode) and status.st_size < MAX_FILE
        if place.name == file.name or self.scratch is None or not regular:
            return None  # the reader says what is wrong with it
        self._unpacked.spend(size=status.st_size)
        return place.read_bytes()

    def _on_disk(self, file: HandedIn, data: bytes | None) -> Path:
        """Write a file into a folder of its own. Raises UsageError if nothing can be written there."""
        if data is None and not isinstance(file.place, Member):
            return file.place
        assert self.scratch is not None
        number = hashlib.sha256(bytes(path_of(file.place))).hexdigest()[:16]
        folder = self.scratch / number
        try:
            folder.mkdir(exist_ok=True)
            with (folder / "file").open("wb") as written:
                written.write(data or b"")
                written.truncate(MAX_FILE if data is None else None)
        except OSError as error:
            raise UsageError(
                f"No file can be unpacked into {self.scratch} ({error.strerror}). Make space there, or set TMPDIR "
                "to another folder, and run the command again."
            ) from None
        return (folder / "file").replace(folder / file.name)


def choose_files(
    files: list[HandedIn], unpacker: Unpacker, assignment: str, nested: int = 0
) -> tuple[Path, ...]:
    """Return the files that count: those with the assignment's name and copies, or the only source.

    Of several uploads of a name the latest counts, of several folders the outermost. Archives are
    opened only if no file beside them counts. Raises Rejected if no file counts.
    """
    latest = _latest(files)
    depth = min((file.depth for file in latest if file.name in unpacker.wanted), default=None)
    beside = [file for file in latest if depth in (None, file.depth)]
    names = [file.name for file in beside]
    counting = fitting_names(names, assignment) or near_names(names, assignment)
    if counting:
        chosen = [file for name in counting for file in beside if file.name == name]
        if len(chosen) > len(counting):
            raise Rejected(_several(chosen, unpacker.wanted))
        return unpacker.unpacked(chosen)
    problems = [file.problem for file in files if file.problem]
    inside: list[HandedIn] = []
    for file in latest if nested < MAX_NESTED else ():
        if unpacker.opens(file.place) and not file.problem:
            try:
                root = open_archive(unpacker, file.place, unpacker.budget)
                inside += unpacker.files_below(root)
            except TooMuch:
                raise
            except Rejected as rejected:
                problems.append(str(rejected))
    if inside:
        return choose_files(inside, unpacker, assignment, nested + 1)
    raise Rejected(problems[0] if problems else _several(files, unpacker.wanted))


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
    latest: dict[tuple[str, Place | None], HandedIn] = {}
    for file in files:
        key = (file.name, None if any(file.upload) else file.place)
        if key not in latest or latest[key].upload < file.upload:
            latest[key] = file
    return list(latest.values())
