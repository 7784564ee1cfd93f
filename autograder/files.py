"""Write files atomically, and read files of others safely."""

from __future__ import annotations

import errno
import filecmp
import hashlib
import os
import re
import secrets
import stat
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

_TEMPORARY = re.compile(r"\.(\d{1,9})-[0-9a-f]{16}\.part")


def write_whole(path: Path, data: bytes) -> None:
    """Write a file atomically. A file with the same bytes stays untouched.

    The umask decides who may read the file: results and seeds are not public.
    """
    write_together({path: data})


def write_together(files: Mapping[Path, bytes | NewFile]) -> None:
    """Write several files, each atomically: all of them, or none if one cannot be written.

    Every file is complete on the disk before the first one takes its place, so a full disk changes
    nothing. A process that is killed between two of them leaves the first ones written.
    """
    new = {
        path: one if isinstance(one, NewFile) else NewFile("", one) for path, one in files.items()
    }
    changed = {path: one for path, one in new.items() if not one.is_in(path)}
    temporary = {path: one.part or _temporary(path) for path, one in changed.items()}
    try:
        for path, part in temporary.items():
            if (data := changed[path].data) is not None:
                with open(part, "xb") as file:  # noqa: PTH123 - a path takes longer to make
                    file.write(data)
        for path, part in temporary.items():
            os.replace(part, path)  # noqa: PTH105
    except BaseException:
        for part in temporary.values():
            with suppress(FileNotFoundError):
                os.unlink(part)  # noqa: PTH108
        raise


@dataclass(frozen=True)
class NewFile:
    """The content that a file is to have, which another process may have written already.

    Attributes:
        sha256: the digest of the content.
        data: the content; None if it is on the disk.
        part: the temporary file beside the file that holds it; empty if the file itself does.
    """

    sha256: str
    data: bytes | None = None
    part: str = ""

    @classmethod
    def of(cls, data: bytes) -> NewFile:
        """Return content that is written nowhere yet."""
        return cls(hashlib.sha256(data).hexdigest(), data)

    def is_in(self, path: Path) -> bool:
        """Return whether the file has this content."""
        return not self.part if self.data is None else holds(path, self.data)

    def discard(self) -> None:
        """Remove the temporary file."""
        if self.part:
            os.unlink(self.part)  # noqa: PTH108 - no path is needed


def write_beside(path: Path, data: bytes, owner: int) -> NewFile:
    """Write the content that a file is to have into a temporary file beside it; make its folder if it is missing.

    What cannot be written is returned, so that the process `owner`, which puts it in its place, meets the error. A
    second try for the same file takes the place of the first.
    """
    new = NewFile.of(data)
    folder, part = path.parent, path.with_name(f".{owner}-{0:016}.part")
    made = False
    try:
        with suppress(FileExistsError):
            folder.mkdir()
            made = True
        if not made and holds(path, data):
            return NewFile(new.sha256)
        part.write_bytes(data)
    except OSError:
        with suppress(OSError):
            part.unlink(missing_ok=True)
            if made:
                folder.rmdir()
        return new
    return NewFile(new.sha256, None, str(part))


@contextmanager
def appended(path: Path, data: bytes) -> Iterator[None]:
    """Append to a file. If that or what happens within fails, the file is as before."""
    with path.open("ab", buffering=0) as file:
        size = file.tell()
        try:
            while data:
                data = data[file.write(data) :]
            yield
        except BaseException:
            file.truncate(size)
            raise


def write_parts(path: Path, parts: Iterable[bytes]) -> None:
    """Write a file atomically, part by part. A file with the same bytes stays untouched."""
    temporary = _temporary(path)
    try:
        with temporary.open("xb") as file:
            file.writelines(parts)
        if path.is_file() and filecmp.cmp(path, temporary, shallow=False):
            temporary.unlink()
        else:
            temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def remove_leftovers(folder: Path) -> None:
    """Remove what killed processes had begun to write in a folder and in its folders.

    Files of a process that runs stay, and so do this process's: it may be writing in another thread.
    """
    try:
        import psutil  # noqa: PLC0415 - few commands need it
    except ImportError:  # nobody can tell which processes run: the files stay
        return
    for path in [*folder.glob(".*.part"), *folder.glob("*/.*.part")]:
        found = _TEMPORARY.fullmatch(path.name)
        if found and not psutil.pid_exists(int(found[1])):
            path.unlink(missing_ok=True)


def _temporary(path: Path) -> Path:
    """Return a new name beside a file. It says which process writes, for `remove_leftovers`."""
    return path.with_name(f".{os.getpid()}-{secrets.token_hex(8)}.part")


def holds(path: Path, data: bytes) -> bool:
    """Return whether this is a file with these bytes."""
    return path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data


def read_regular(path: Path, limit: int) -> bytes:
    """Return the bytes of a regular file. Opening it never blocks and never follows a link.

    Raises OSError if it is a link (ELOOP), a folder (EISDIR) or anything else (EINVAL), or larger than `limit` (EFBIG).
    """
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    flags |= getattr(os, "O_BINARY", 0)
    _refuse_irregular(path, path.lstat())
    with os.fdopen(os.open(path, flags), "rb") as file:
        _refuse_irregular(path, os.fstat(file.fileno()))  # replaced meanwhile?
        data = file.read(limit + 1)
    if len(data) > limit:
        raise OSError(errno.EFBIG, f"it has more than {limit:,} bytes", str(path))
    return data


def _refuse_irregular(path: Path, status: os.stat_result) -> None:
    kinds = {
        stat.S_IFREG: (0, ""),
        stat.S_IFLNK: (errno.ELOOP, "it is a link"),
        stat.S_IFDIR: (errno.EISDIR, "it is a folder"),
    }
    number, words = kinds.get(
        stat.S_IFMT(status.st_mode), (errno.EINVAL, "it is not a regular file")
    )
    if number:
        raise OSError(number, words, str(path))
