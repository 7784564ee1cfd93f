"""What is remembered in the student's folder: what the last check of each step found, and which hints were shown.

A folder that cannot be written, as Kaggle's and a course's shared one, has its memory in the user's cache folder.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from autograder.files import read_regular, write_whole
from autograder.records import load_json, read, to_json
from autograder.results import Block, CheckResult  # noqa: TC001 - `records` reads the annotations

if TYPE_CHECKING:
    from pathlib import Path

_MAX_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True)
class LastCheck:
    """The last check of a step.

    Attributes:
        at: when the work was read, in seconds since 1970.
        about: what was said of the work as a whole.
        look: where the check says to look for such a fault; empty if it does not say, or said it to the student.
    """

    at: float
    result: CheckResult
    about: tuple[Block, ...] = ()
    look: str = ""


# The last check by the step, and the level that was shown last by the first hint.
LAST_CHECKS, SHOWN_HINTS = ".checks.json", ".hints.json"
_KINDS: dict[str, Any] = {LAST_CHECKS: dict[str, LastCheck], SHOWN_HINTS: dict[str, int]}


def recall(folder: Path, file: str) -> dict[str, Any]:
    """Return what a file of the folder remembers; nothing if it is not there, or somebody damaged it."""
    for place in (_in_cache(folder), folder):
        with suppress(OSError, ValueError):
            data: dict[str, Any] = read(
                _KINDS[file], load_json(read_regular(place / file, _MAX_BYTES))
            )
            return data
    return {}


def _in_cache(folder: Path) -> Path:
    """Return the place of a folder in the user's cache folder."""
    from platformdirs import user_cache_path  # noqa: PLC0415 - while the worker starts

    name = hashlib.sha256(os.fsencode(folder.resolve())).hexdigest()[:32]
    return user_cache_path("self-attention-kit") / name


def remember(folder: Path, file: str, key: str, value: LastCheck | int) -> None:
    """Remember this too, in the folder if it can be written."""
    data = to_json(recall(folder, file) | {key: value})
    kept = _in_cache(folder) / file
    try:
        write_whole(folder / file, data)
    except OSError:
        with suppress(OSError):  # neither can be written
            write_whole(kept, data)
    else:
        kept.unlink(missing_ok=True)
