"""List the assignments, and recognise a released one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.errors import UsageError
from autograder.text import nearest

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

EXPECTED = "expected.json"


def names(solutions: Path) -> list[str]:
    """Return the names of the assignments in `solutions`."""
    if not solutions.is_dir():
        raise UsageError(
            f"There is no folder {solutions}. Run this in the project's folder, or give --solutions."
        )
    return sorted(
        folder.name for folder in solutions.iterdir() if (folder / f"{folder.name}.py").is_file()
    )


def unknown_assignment(name: str, folder: Path, known: Sequence[str]) -> UsageError:
    """Return the error for an assignment that does not exist."""
    return UsageError(f"There is no assignment {name!r} in {folder}. {nearest(name, known)}")


def is_release(folder: Path) -> bool:
    """Return whether a folder is a released assignment."""
    return (folder / EXPECTED).is_file()
