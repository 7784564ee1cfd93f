"""Unpack zip files of platforms and of students. A dangerous entry costs its own submission only.

Nothing is written outside of the given folder. Links, encrypted files and paths that lead elsewhere
are left out, each with the reason. Only sources, notebooks and archives are unpacked, up to the size
that a submission may have; other files become empty files, so that a message can name them.
"""

from __future__ import annotations

import contextlib
import re
import stat
import zipfile
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from autograder.errors import Rejected
from autograder.submission.platform_names import MAX_METADATA, METADATA
from autograder.text import clean_text

if TYPE_CHECKING:
    from pathlib import Path

SUFFIX = ".zip"
# A file with more bytes is cut behind them, and the reader refuses it for its size.
MAX_FILE = 5 * 1024 * 1024 + 1
MAX_ARCHIVE = 50 * 1024 * 1024
MAX_DEPTH = 16
MAX_NAME = 255  # bytes, on all common file systems
_END, _END_SIZE, _MAX_COMMENT = b"PK\x05\x06", 22, 65_535
_LOCATOR_64, _LOCATOR_SIZE = b"PK\x06\x07", 20
_UTF8 = 0x800
_ENCRYPTED = 0x1
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_UNPACKED = (".py", ".ipynb", SUFFIX)
_SKIPPED = "__MACOSX"
_CHUNK = 64 * 1024


@dataclass(frozen=True)
class ArchiveLimits:
    """How much may be unpacked from one archive.

    Attributes:
        directory: bytes of the archive's list of files.
        entries: the number of files.
        group: bytes that are unpacked below one folder at the top, or in all if `grouped` is False.
        grouped: each folder or file at the top is another student's.
        also: names of further files to unpack, up to `most_also` bytes.
    """

    directory: int
    entries: int
    group: int
    grouped: bool
    also: tuple[str, ...] = ()
    most_also: int = 0


# A download of a platform: made by the platform, of files that students chose.
DOWNLOAD = ArchiveLimits(
    256 * 1024**2,
    200_000,
    50 * 1024**2,
    grouped=True,
    also=(METADATA,),
    most_also=MAX_METADATA,
)
# A student's own archive.
STUDENTS = ArchiveLimits(1024**2, 2_000, 50 * 1024**2, grouped=False)


@dataclass
class Unpacked:
    """An unpacked archive.

    Attributes:
        folder: where its files are.
        problems: why a file was left out, by the path that it would have.
    """

    folder: Path
    problems: dict[Path, str] = field(default_factory=dict)


def is_archive(path: Path) -> bool:
    """Return whether a path is named like an archive."""
    return path.suffix.lower() == SUFFIX


def unpack(archive: Path, folder: Path, limits: ArchiveLimits) -> Unpacked:
    """Unpack an archive into a new folder.

    Raises Rejected, with a message for the archive's author, if it cannot be read at all.
    """
    name = _shown(archive.name)
    try:
        if archive.is_symlink() or not archive.is_file():
            raise Rejected(f"`{name}` is not a regular file. Hand in the file itself.")
        _refuse_large_directory(archive, name, limits)
        folder.mkdir(parents=True)
        with zipfile.ZipFile(archive) as opened:
            entries = opened.infolist()
            if len(entries) > limits.entries:
                raise Rejected(f"`{name}` has more than {limits.entries:,} files. {_AGAIN}")
            return _Unpacking(opened, folder, limits).unpack(entries)
    except (zipfile.BadZipFile, NotImplementedError, ValueError, EOFError) as error:
        raise Rejected(f"`{name}` is not a zip file that can be read ({error}). {_AGAIN}") from None


_AGAIN = "Hand in the `.py` file or the notebook itself."


def _refuse_large_directory(archive: Path, name: str, limits: ArchiveLimits) -> None:
    """Raise Rejected if the archive lists too many files, before its list is read into memory."""
    size = archive.stat().st_size
    if not limits.grouped and size > MAX_ARCHIVE:
        raise Rejected(f"`{name}` is larger than {MAX_ARCHIVE // 1024**2} MB. {_AGAIN}")
    with archive.open("rb") as file:
        file.seek(max(0, size - _MAX_COMMENT - _END_SIZE - _LOCATOR_SIZE))
        tail = file.read()
    end = tail.rfind(_END)
    if end < 0 or limits.grouped:
        return
    listed = int.from_bytes(tail[end + 12 : end + 16], "little")
    if listed > limits.directory or tail[:end][-_LOCATOR_SIZE:].startswith(_LOCATOR_64):
        raise Rejected(f"`{name}` has more than {limits.entries:,} files. {_AGAIN}")


class _Unpacking:
    """Unpack the entries of one archive."""

    def __init__(self, archive: zipfile.ZipFile, folder: Path, limits: ArchiveLimits) -> None:
        self._archive = archive
        self._limits = limits
        self._result = Unpacked(folder)
        self._left: dict[str, int] = {}

    def unpack(self, entries: list[zipfile.ZipInfo]) -> Unpacked:
        for entry in entries:
            parts = entry_parts(entry)
            if any(part.startswith(".") and part.strip(".") for part in parts) or _SKIPPED in parts:
                continue
            problem = _unsafe(entry, parts)
            if problem:
                self._leave_out(parts, problem)
            elif not entry.is_dir():
                self._write(entry, parts)
        return self._result

    def _leave_out(self, parts: tuple[str, ...], problem: str) -> None:
        """Note a problem for the path that the entry would have inside of the folder."""
        names = [
            part.encode("utf-8", "replace")[:MAX_NAME].decode("utf-8", "ignore") for part in parts
        ]
        safe = [name for name in names if name.strip(". :")][:MAX_DEPTH] or ["archive"]
        path = self._result.folder.joinpath(*safe)
        with contextlib.suppress(OSError):  # a file is in the way: the submission is there anyhow
            path.parent.mkdir(parents=True, exist_ok=True)
        self._result.problems[path] = problem

    def _write(self, entry: zipfile.ZipInfo, parts: tuple[str, ...]) -> None:
        path = self._result.folder.joinpath(*parts)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if parts[-1] in self._limits.also:
                self._copy(entry, path, self._limits.most_also)
            elif path.suffix.lower() in _UNPACKED:
                self._copy(entry, path, self._allowed(parts, path))
            else:
                path.touch()
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
            path.unlink(missing_ok=True)
            self._result.problems[path] = (
                f"`{_shown(parts[-1])}` is damaged in its archive ({error})."
            )
        except (FileExistsError, NotADirectoryError, IsADirectoryError):
            self._result.problems[path] = f"`{_shown(parts[-1])}` is in its archive twice."

    def _allowed(self, parts: tuple[str, ...], path: Path) -> int:
        group = parts[0] if self._limits.grouped else ""
        left = self._left.get(group, self._limits.group)
        most = MAX_ARCHIVE if is_archive(path) else MAX_FILE
        return min(left, most)

    def _copy(self, entry: zipfile.ZipInfo, path: Path, most: int) -> None:
        """Write at most `most` bytes of an entry. A larger file is refused when it is read."""
        group = entry_parts(entry)[0] if self._limits.grouped else ""
        written = 0
        with self._archive.open(entry) as source, path.open("wb") as target:
            while written < most and (chunk := source.read(min(_CHUNK, most - written))):
                target.write(chunk)
                written += len(chunk)
            complete = written == entry.file_size or not source.read(1)
        self._left[group] = self._left.get(group, self._limits.group) - written
        if not complete and not (written == MAX_FILE and not is_archive(path)):
            path.unlink()
            self._result.problems[path] = (
                f"`{_shown(path.name)}` is too large when unpacked. {_AGAIN}"
            )


def entry_parts(entry: zipfile.ZipInfo) -> tuple[str, ...]:
    """Return the parts of an entry's path. Windows' separators count, as do bytes of UTF-8.

    Some programs write UTF-8 and do not say so.
    """
    name = entry.filename
    if not entry.flag_bits & _UTF8:
        with contextlib.suppress(UnicodeError):  # another encoding: the name stays as it was read
            name = name.encode("cp437").decode("utf-8")
    return tuple(part for part in re.split(r"[/\\]", name) if part not in ("", "."))


def _unsafe(entry: zipfile.ZipInfo, parts: tuple[str, ...]) -> str:
    """Return why an entry is not unpacked; empty if it may be."""
    shown = _shown("/".join(parts)) or "a file without a name"
    mode = entry.external_attr >> 16
    reasons = {
        "leads out of its archive": not parts
        or ".." in parts
        or entry.filename.startswith(("/", "\\"))
        or re.match(r"[A-Za-z]:$", parts[0]) is not None,
        "is a link": stat.S_ISLNK(mode),
        "is no regular file": stat.S_IFMT(mode)
        not in (0, stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK),
        "is protected by a password": bool(entry.flag_bits & _ENCRYPTED),
        "is compressed in an unusual way": entry.compress_type not in _METHODS,
        "is in too many folders": len(parts) > MAX_DEPTH,
        "has a name that is too long": any(
            len(part.encode("utf-8", "replace")) > MAX_NAME for part in parts
        ),
    }
    why = next((words for words, holds in reasons.items() if holds), "")
    return f"`{shown}` {why}. {_AGAIN}" if why else ""


def _shown(name: str) -> str:
    return clean_text(" ".join(name.split()), 100)
