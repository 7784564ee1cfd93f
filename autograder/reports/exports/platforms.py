"""The formats of course platforms, as formats of `autograder export`."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.reports.exports.format import Format, Into, Rendered
from autograder.reports.formats.all import PLATFORM_FORMATS
from autograder.reports.formats.base import Surroundings

if TYPE_CHECKING:
    from autograder.reports.exports.format import Export
    from autograder.reports.formats.base import PlatformFormat


def _format(platform: PlatformFormat) -> Format:
    def render(export: Export) -> Rendered:
        results = export.graded.results
        about = _surroundings(export)
        added = platform.added(results, about) if platform.added else b""
        return Rendered(platform.dump(results, about), added=added)

    return Format(
        platform.name,
        platform.about,
        Into.WRITTEN,
        render,
        platform.file,
        platform.variable,
        platform.printed,
    )


def _surroundings(export: Export) -> Surroundings:
    """Return the paths of the students' files below the current folder, the environment and the time."""
    results = {result.student: result for result in export.graded.results}
    folder = export.graded.folder.absolute()
    paths = {
        student: _below_here(_file(_at(folder / member.path), results[student].assignment))
        for student, member in export.graded.members.items()
        if student in results
    }
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Surroundings(paths, os.environ, now)


def _at(path: Path) -> Path:
    """Return a path without `..`, and links as they are."""
    return Path(os.path.normpath(path))


def _file(path: Path, assignment: str) -> Path:
    """Return the file with the assignment's name in a submission's folder."""
    names = (f"{assignment}.py", f"{assignment}.ipynb")
    inside = (path / folder / name for folder in ("", assignment) for name in names)
    return next((path for path in inside if path.is_file()), path)


def _below_here(path: Path) -> str:
    here = Path.cwd()
    absolute = here / path
    return absolute.relative_to(here).as_posix() if absolute.is_relative_to(here) else str(path)


FORMATS = tuple(map(_format, PLATFORM_FORMATS))
