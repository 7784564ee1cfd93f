"""Look through one student's hand-in, also in archives, and unpack the files that count."""

from __future__ import annotations

import hashlib
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from autograder.errors import Rejected, UsageError
from autograder.submission.archive import PackedPlace, Place, SizeBudget, TooMuch, open_archive
from autograder.submission.which_file import (
    exact_names,
    is_copy,
    is_notebook,
    no_clear_file,
    ranked,
    sources,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

MAX_NESTED = 2
# Bytes of a file. A notebook may have more: its outputs are dropped before it is read.
MAX_FILE = 5 * 1024 * 1024
MAX_NOTEBOOK = 16 * 1024 * 1024
# Bytes of all files of one hand-in that are unpacked. Outputs of a notebook do not count, so one fits with them.
MAX_UNPACKED = 8 * 1024 * 1024
_NOT_SEARCHED = ("__pycache__", "venv", "site-packages", "node_modules")


def most_bytes(name: str) -> int:
    """Return the size of the largest file of this name that is read."""
    return MAX_NOTEBOOK if is_notebook(name) else MAX_FILE


@dataclass(frozen=True)
class Candidate:
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


class Unpacker(ExitStack):
    """Opens the archives of one hand-in, until it is closed, and unpacks the files that count.

    Attributes:
        scratch: the folder for unpacked files; None if no archive may be opened.
        assignment: the assignment's name.
        budget: what may still be looked at.
    """

    def __init__(self, scratch: Path | None, assignment: str) -> None:
        super().__init__()
        self.scratch = scratch
        self.assignment = assignment
        self.budget = SizeBudget()
        self._exact = exact_names(assignment)
        self._unpacked = SizeBudget(size=MAX_UNPACKED)

    def opens(self, place: Place) -> bool:
        """Return whether a path is an archive that can be opened here."""
        return self.scratch is not None and place.is_archive and not place.is_folder

    def files_below(self, folder: Place) -> list[Candidate]:
        """Return the files below a folder, but none below the first level that has one of the right name.

        What lies deeper and is too much, or cannot be listed, does not matter to a file that may count.
        """
        found: list[Candidate] = []
        level: list[Place] = [folder]
        depth = 0
        while level:
            try:
                children = [child for place in level for child in self._listed(place, depth)]
            except (TooMuch, OSError):
                if any(self._is_source(file.name) for file in found):
                    break
                raise
            found += [Candidate(one, one.name, depth) for one in children if not one.is_folder]
            if any(file.name in self._exact for file in found):
                break
            level = [one for one in children if one.is_folder and one.name not in _NOT_SEARCHED]
            depth += 1
        return found

    def _listed(self, folder: Place, depth: int) -> list[Place]:
        if not depth and not isinstance(folder, PackedPlace):
            return folder.visible()
        children = list(islice(folder.iterdir(), self.budget.files + 1))
        self.budget.spend(files=len(children))
        return sorted((one for one in children if not one.is_hidden), key=lambda one: one.name)

    def chosen(self, files: list[Candidate], nested: int = 0) -> tuple[Path, ...]:
        """Return the files that count, unpacked, best first.

        Of several uploads of a name the latest counts, of several folders the outermost that has a file of the right
        name, or else a copy of it, or else any source; of equal ones that with the assignment's name. Archives are
        opened only if no file beside them counts. Raises Rejected if no file counts.
        """
        latest = _latest(files)
        beside = self._outermost(latest)
        if names := ranked([file.name for file in beside], self.assignment):
            counting = [file for name in names for file in beside if file.name == name]
            if len(counting) > len(names):
                raise Rejected(no_clear_file(map(_shown, counting), self.assignment))
            return self.unpacked(counting)
        problems = [file.place.problem for file in files if file.place.problem]
        inside: list[Candidate] = []
        for file in latest if nested < MAX_NESTED else ():
            if self.opens(file.place) and not file.place.problem:
                try:
                    inside += self.files_below(open_archive(self, file.place, self.budget))
                except TooMuch:
                    raise
                except Rejected as rejected:
                    problems.append(str(rejected))
        if inside:
            return self.chosen(inside, nested + 1)
        why = no_clear_file(map(_shown, files), self.assignment)
        raise Rejected(problems[0] if problems else why)

    def _outermost(self, files: Sequence[Candidate]) -> Sequence[Candidate]:
        """Return the files on the first level that has a fitting one; without any, all files."""
        for fits in (self._exact.__contains__, self._is_copy, self._is_source):
            if fitting := [file for file in files if fits(file.name)]:
                depth = min(file.depth for file in fitting)
                level = [file for file in files if file.depth == depth]
                own = [file for file in level if file.place.path.parent.name == self.assignment]
                return own if any(fits(file.name) for file in own) else level
        return files

    def _is_copy(self, name: str) -> bool:
        return is_copy(name, self.assignment)

    def _is_source(self, name: str) -> bool:
        return bool(sources([name], self.assignment))

    def unpacked(self, files: Iterable[Candidate]) -> tuple[Path, ...]:
        """Return the paths of these files on disk, under the student's own names.

        A copy that cannot be read does not matter beside a file that can.
        """
        contents: list[tuple[Candidate, bytes | None]] = []
        problems: list[Rejected] = []
        for file in files:
            try:
                contents.append((file, self._bytes(file)))
            except TooMuch:
                raise
            except Rejected as rejected:
                problems.append(rejected)
                if file.name in self._exact:
                    raise
        if problems and not contents:
            raise problems[0]
        return tuple(self._on_disk(file, data) for file, data in contents)

    def _bytes(self, file: Candidate) -> bytes | None:
        """Return the bytes to unpack; None if the file stays where it is, or is too large."""
        place, most = file.place, most_bytes(file.name)
        if isinstance(place, PackedPlace):
            if place.size > most and not place.problem:
                return None
            self._unpacked.spend(size=min(place.size, MAX_FILE))
            self.budget.spend(size=place.cost)
            return place.read_bytes(place.size)
        if place.name == file.name or self.scratch is None:
            return None
        try:
            data = place.read_bytes(most)
        except OSError:  # the reader says what is wrong with it
            return None
        self._unpacked.spend(size=min(len(data), MAX_FILE))
        return data

    def _on_disk(self, file: Candidate, data: bytes | None) -> Path:
        """Write a file into a folder of its own. Raises UsageError if nothing can be written there."""
        if data is None and not isinstance(file.place, PackedPlace):
            return file.place.path
        assert self.scratch is not None
        number = hashlib.sha256(bytes(file.place.path)).hexdigest()[:16]
        folder = self.scratch / number
        try:
            folder.mkdir(exist_ok=True)
            with (folder / "file").open("wb") as written:
                written.write(data or b"")
                written.truncate(most_bytes(file.name) + 1 if data is None else None)
        except OSError as error:
            raise UsageError(
                f"No file can be unpacked into {self.scratch} ({error.strerror}). Make space there, or set TMPDIR "
                "to another folder, and run the command again."
            ) from None
        return (folder / "file").replace(folder / file.name)


def _shown(file: Candidate) -> tuple[str, bool]:
    """Return a file's path in what was handed in, and whether it is a link."""
    return "/".join([*file.place.path.parts[-file.depth - 1 : -1], file.name]), file.place.is_link


def _latest(files: Iterable[Candidate]) -> list[Candidate]:
    """Return the latest upload of each name. Files that are no counted uploads all count."""
    latest: dict[tuple[str, Place | None], Candidate] = {}
    for file in files:
        key = (file.name, None if any(file.upload) else file.place)
        if key not in latest or latest[key].upload < file.upload:
            latest[key] = file
    return list(latest.values())
