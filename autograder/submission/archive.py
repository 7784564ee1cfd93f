"""Read zip files of platforms and of students as folders. Nothing is unpacked here.

A file that is dangerous or damaged is there with the reason, which costs its own submission only.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import re
import stat
import sys
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from autograder.errors import KitError, Rejected
from autograder.files import read_regular
from autograder.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SUFFIX = ".zip"
MAX_FOLDERS = 16
MAX_NAME = 255  # bytes, on all common file systems
AGAIN = "Hand in the `.py` file or the notebook itself."
# Bytes of an archive's list of files, at least and for each file more; and what reading a file's entry costs.
_LIST, _PER_FILE, _COST_OF_ENTRY = 2**17, 320, 1024
_UTF8 = 0x800
_ENCRYPTED = 0x1
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_SKIPPED = "__MACOSX"


class TooMuch(Rejected):
    """A hand-in goes beyond its budget: nothing more of it is read."""


class SizeBudget:
    """How much of one hand-in, with all archives in it, may be looked at.

    Attributes:
        files: how many files and folders.
        size: bytes to read from archives, packed or unpacked, whichever is more. They stand for the time, too.
    """

    def __init__(self, files: int = 2_000, size: int = 50 * 1024**2) -> None:
        self.files, self.size = files, size
        self._most = files, size

    def spend(self, files: int = 0, size: int = 0) -> None:
        """Spend a part of the budget. Raises TooMuch if less is left."""
        self.files, self.size = self.files - files, self.size - size
        if self.files < 0:
            raise TooMuch(f"What was handed in has more than {self._most[0]:,} files. {AGAIN}")
        if self.size < 0:
            most = self._most[1] // 1024**2
            raise TooMuch(f"What was handed in has more than {most} MB when unpacked. {AGAIN}")


@dataclass(frozen=True)
class _Entry:
    """An entry of an archive: its place, and why it is left out; empty if it may be read."""

    parts: tuple[str, ...]
    info: zipfile.ZipInfo
    problem: str

    @property
    def is_file(self) -> bool:
        return not self.info.filename.endswith(("/", "\\"))


class Place:
    """A file or folder of a hand-in: here one on disk. A link is no folder, because it may lead anywhere.

    Attributes:
        path: in an archive, where it would be if the archive were a folder.
        problem: why the file is left out; empty if it may be read.
    """

    problem = ""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = path.name

    @property
    def is_link(self) -> bool:
        return self.path.is_symlink()

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder. Raises OSError if nobody can tell."""
        return stat.S_ISDIR(self.path.lstat().st_mode)

    @property
    def leads_to_folder(self) -> bool:
        """Whether it is a folder or a link to one. Never raises."""
        return os.path.isdir(self.path)  # noqa: PTH112

    @property
    def is_hidden(self) -> bool:
        """Whether it is a file of the system, nothing that was handed in."""
        return self.name.startswith(".") or self.name == _SKIPPED

    @property
    def is_archive(self) -> bool:
        """Whether it is named like an archive."""
        return self.name.lower().endswith(SUFFIX)

    @property
    def size(self) -> int:
        return self.path.stat().st_size

    def iterdir(self) -> Iterator[Place]:
        return map(Place, self.path.iterdir())

    def visible(self) -> list[Place]:
        """Return the children that are not hidden, sorted."""
        children = (child for child in self.iterdir() if not child.is_hidden)
        return sorted(children, key=lambda child: child.name)

    def inner(self, name: str) -> Place | None:
        """Return the folder of this name in it. Never raises."""
        inner = Place(self.path / name)
        found = inner.leads_to_folder and not (self.is_link or inner.is_link)
        return inner if found else None

    def read_bytes(self, most: int) -> bytes:
        """Return the file's bytes. Raises OSError if it is no regular file or has more than `most`."""
        return read_regular(self.path, most)


class PackedPlace(Place):
    """A file or folder in an open archive. A link in it is a file with a problem."""

    is_link = False

    def __init__(
        self, path: Path, archive: zipfile.ZipFile, entries: list[_Entry], depth: int = 0
    ) -> None:
        super().__init__(path)
        self._archive = archive
        self._entries = entries
        self._depth = depth
        # The last of its name, as in other programs; None for a folder.
        self._file = None
        if all(len(entry.parts) <= depth for entry in entries):
            self._file = next((entry for entry in reversed(entries) if entry.is_file), None)
        if self._file:
            self.problem = self._file.problem

    @property
    def is_folder(self) -> bool:
        return self._file is None

    leads_to_folder = is_folder

    def iterdir(self) -> Iterator[PackedPlace]:
        children: dict[str, list[_Entry]] = {}
        for entry in self._entries:
            if len(entry.parts) > self._depth:
                children.setdefault(entry.parts[self._depth], []).append(entry)
        for name, entries in children.items():
            yield PackedPlace(self.path / name, self._archive, entries, self._depth + 1)

    def inner(self, name: str) -> Place | None:
        return next((one for one in self.iterdir() if one.name == name and one.is_folder), None)

    @property
    def size(self) -> int:
        return self._file.info.file_size if self._file else 0

    @property
    def cost(self) -> int:
        """Return the bytes that reading the file takes, packed or unpacked."""
        return max(self.size, self._file.info.compress_size) if self._file else 0

    def read_bytes(self, most: int) -> bytes:
        """Return the file's bytes. Raises Rejected, with a message for its author, if they cannot be had."""
        assert self._file is not None
        if self.problem:
            raise Rejected(self.problem)
        if self.size > most:
            raise OSError(errno.EFBIG, f"it has more than {most:,} bytes")
        try:
            with self._archive.open(self._file.info) as file:
                return file.read(self.size + 1)  # `read()` may unpack more than the size at once
        except Exception as error:  # noqa: BLE001 - no damage of one file may cost another
            raise Rejected(
                f"`{one_line(self.name)}` is damaged in its archive ({_why(error)}). {AGAIN}"
            ) from None


def open_archive(stack: contextlib.ExitStack, place: Place, budget: SizeBudget) -> PackedPlace:
    """Open an archive until the stack is closed; return it as a folder.

    Raises Rejected, with a message for the archive's author, if it cannot be read or is too large.
    """
    name = one_line(place.name)
    try:
        if isinstance(place, PackedPlace):
            budget.spend(size=place.cost)
            file: BinaryIO = io.BytesIO(place.read_bytes(place.size))
        else:
            _refuse_irregular(place.path)
            budget.spend(size=place.size)
            file = stack.enter_context(place.path.open("rb"))
        listed = _ListedFile(file, budget)
        archive = stack.enter_context(zipfile.ZipFile(listed))
        listed.most = sys.maxsize - 1
        entries = archive.infolist()
        if len(entries) > budget.files:
            budget.spend(files=len(entries))
        budget.spend(size=len(entries) * _COST_OF_ENTRY)
        return PackedPlace(place.path, archive, list(_entries(entries)))
    except KitError:
        raise
    except Exception as error:  # noqa: BLE001 - no damage of one archive may cost another
        raise Rejected(
            f"`{name}` is not a zip file that can be read ({_why(error)}). {AGAIN}"
        ) from None


def _refuse_irregular(path: Path) -> None:
    if path.is_symlink() or not path.is_file():
        raise Rejected(f"`{one_line(path.name)}` is not a regular file. Hand in the file itself.")


class _ListedFile:
    """An archive's file, of which no more than `most` bytes are read at once: its list of files may be endless."""

    def __init__(self, file: BinaryIO, budget: SizeBudget) -> None:
        self._file, self._budget = file, budget
        self.most = _LIST + budget.files * _PER_FILE
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(self.most + 1 if size < 0 else min(size, self.most + 1))
        if len(data) > self.most:
            self._budget.spend(files=self._budget.files + 1)
        return data


def _entries(infos: list[zipfile.ZipInfo]) -> Iterator[_Entry]:
    for info in infos:
        parts = entry_parts(info)
        hidden = any(part.startswith(".") and part.strip(".") for part in parts)
        if parts and not hidden and _SKIPPED not in parts:
            problem = _unsafe(info, parts)
            entry = _Entry(_inside(parts) if problem else parts, info, problem)
            if entry.is_file or not problem:
                yield entry


def entry_parts(entry: zipfile.ZipInfo) -> tuple[str, ...]:
    """Return the parts of an entry's path. Windows' separators count, as do bytes of UTF-8.

    Some programs write UTF-8 and do not say so.
    """
    name = entry.filename
    if not entry.flag_bits & _UTF8:
        with contextlib.suppress(UnicodeError):  # another encoding: the name stays as it was read
            name = name.encode("cp437").decode("utf-8")
    return tuple(part for part in re.split(r"[/\\]", name) if part not in ("", "."))


def _inside(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Return where an unsafe entry is listed in its archive."""
    *folders, name = [part for part in parts if part != ".."] or ["outside"]
    return (*folders[: MAX_FOLDERS - 1], name)


def _unsafe(entry: zipfile.ZipInfo, parts: tuple[str, ...]) -> str:
    """Return why an entry is not read; empty if it may be."""
    shown = one_line("/".join(parts))
    mode = entry.external_attr >> 16
    reasons = {
        "leads out of its archive": ".." in parts
        or entry.filename.startswith(("/", "\\"))
        or bool(re.match(r"[A-Za-z]:$", parts[0])),
        "is a link": stat.S_ISLNK(mode),
        "is no regular file": stat.S_IFMT(mode)
        not in (0, stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK),
        "is protected by a password": bool(entry.flag_bits & _ENCRYPTED),
        "is compressed in an unusual way": entry.compress_type not in _METHODS,
        "is in too many folders": len(parts) > MAX_FOLDERS,
        "has a name that is too long": any(
            len(part.encode("utf-8", "replace")) > MAX_NAME for part in parts
        ),
    }
    why = next((words for words, holds in reasons.items() if holds), "")
    return f"`{shown}` {why}. {AGAIN}" if why else ""


def _why(error: Exception) -> str:
    return one_line(str(error)) or "a part of it is missing"
