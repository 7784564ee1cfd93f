"""Let one run at a time write into a folder."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from autograder.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_LOCK = ".lock"


@contextmanager
def held_lock(path: Path, problem: str) -> Iterator[None]:
    """Hold a lock, which also ends with its process. Raises UsageError if another process holds it."""
    lock = FileLock(path)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise UsageError(f"{problem} Wait until that has ended; {path} is held by it.") from None
    try:
        yield
    finally:
        lock.release()


@contextmanager
def only_run(folder: Path) -> Iterator[None]:
    """Keep other runs out of a folder of results, which is made if it is missing and removed if it stays empty.

    Raises UsageError if another run is writing into it, or if it is no folder.
    """
    new = [place for place in (folder, *folder.parents) if not place.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise UsageError(f"{folder} is no folder. Give another --out.") from None
    path = folder / _LOCK
    try:
        with held_lock(path, f"Another run is writing into {folder}."):
            try:
                yield
            finally:
                if os.name == "posix":  # elsewhere nobody can remove an open file
                    path.unlink(missing_ok=True)
    finally:
        for place in new:
            if not place.is_dir() or any(place.iterdir()):
                break
            place.rmdir()
