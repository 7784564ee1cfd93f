"""Write files atomically, and read files of others safely."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


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
