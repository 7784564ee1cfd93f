"""Write files atomically and into zips, and read files of others safely."""

from __future__ import annotations

import errno
import io
import os
import secrets
import stat
import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Iterable
    from pathlib import Path

# The zip format's earliest date, so that the same content gives the same bytes.
_DATE = (1980, 1, 1, 0, 0, 0)


def write_whole(path: Path, data: bytes, *, secret: bool = False) -> None:
    """Write a file with its folders, atomically. A file with the same bytes stays untouched.

    The umask decides who may read the file; a secret one is for its owner alone.
    """
    if holds(path, data):
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with open(part, "xb", opener=_for_the_owner if secret else None) as file:
            file.write(data)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _for_the_owner(path: str, flags: int) -> int:
    return os.open(path, flags, mode=0o600)


def holds(path: Path, data: bytes) -> bool:
    """Return whether this is a file with these bytes."""
    return path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data


def zip_files(entries: Iterable[tuple[str, bytes]], executable: Container[str] = ()) -> bytes:
    """Return a zip with these files, the same bytes each time. `executable` has the paths of programs."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for path, data in entries:
            info = zipfile.ZipInfo(path, _DATE)
            info.create_system = 3  # Unix, on every system
            info.external_attr = (0o755 if path in executable else 0o644) << 16
            archive.writestr(info, data, compress_type=zipfile.ZIP_DEFLATED)
    return content.getvalue()


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
