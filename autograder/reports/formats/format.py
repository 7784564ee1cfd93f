"""A format of `autograder export`: what it is called, what it gets and what it writes."""

from __future__ import annotations

import os
import pkgutil
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from autograder.reports.graded_class import GradedClass
    from autograder.results import Result


@dataclass(frozen=True)
class Export:
    """The input of a format.

    Attributes:
        graded: the results of the folder.
        into: the path of `--into`; None if it was not given.
        column: the title of the column to fill, for formats that fill one; None if it was not given.
        anyway: fill the column even if it looks like that of another assignment.
        keep: leave every mark that is in the filled file, also where it is not known what was exported before.
        environment: the environment variables that the platform sets.
        now: the time in UTC, as in 2026-06-01T14:32:01Z.
    """

    graded: GradedClass
    into: Path | None = None
    column: str | None = None
    anyway: bool = False
    keep: bool = False
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    now: str = field(default_factory=lambda: f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}")

    @property
    def results(self) -> Sequence[Result]:
        """Return the results of all students."""
        return self.graded.results

    def path_of(self, result: Result) -> str:
        """Return the path of the student's file; empty if it is unknown.

        In a folder that is the file with the assignment's name. Below the current folder the path is relative to it.
        """
        member = self.graded.record.by_student.get(result.student)
        if member is None:
            return ""
        # Without `..`, and links as they are.
        path = Path(os.path.normpath(self.graded.folder.absolute() / member.path))
        names = [f"{result.assignment}{suffix}" for suffix in (".py", ".ipynb")]
        inside = (path / folder / name for folder in ("", result.assignment) for name in names)
        path = next((file for file in inside if file.is_file()), path)
        here = Path.cwd()
        return path.relative_to(here).as_posix() if path.is_relative_to(here) else str(path)


@dataclass(frozen=True)
class Rendered:
    """The output of a format.

    Attributes:
        data: the bytes of the file.
        notes: messages for the user: marks that were left out, students that were not found.
        added: bytes to append to the file that the platform names in the format's `variable`.
        exported: the marks that are in the filled file now, to be remembered beside it.
    """

    data: bytes
    notes: tuple[str, ...] = ()
    added: bytes = b""
    exported: bytes = b""


def exported_file(filled: Path) -> Path:
    """Return the file that remembers which marks were exported into a filled one."""
    return filled.with_name(f"{filled.name}.exported.csv")


@dataclass(frozen=True)
class Format:
    """One format of `autograder export`.

    Attributes:
        name: the word on the command line.
        write: the module and the function that make the file, imported when they are needed.
        file: the usual name of the file, for `grade --format`; empty where `--into` names it.
        fills: the format fills a column of the existing file of `--into`.
        packs: the format is a zip, which `--into` must name.
        variable: the environment variable in which the platform gives the path of a file of its own. Such a platform
            reads the format from the standard output.
    """

    name: str
    write: str
    file: str = ""
    fills: bool = False
    packs: bool = False
    variable: str = ""

    def render(self, export: Export) -> Rendered:
        """Return the file. Raises UsageError if the format cannot hold the results."""
        made: Rendered = pkgutil.resolve_name(f"{__package__}.{self.write}")(export)
        return made
