"""A format of `autograder export`: what it gets and what it returns.

A new format is a module of this package with a FORMAT, and an entry in `all.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from autograder.reports.graded_class import GradedClass


class Into(Enum):
    """The meaning of `--into FILE` for a format."""

    WRITTEN = "FILE is written; without --into, the format goes to the standard output"
    FILLED = "FILE exists, and the format changes parts of it"
    CREATED = "FILE is written, and must be given: the format is no text"


@dataclass(frozen=True)
class Export:
    """The input of a format.

    Attributes:
        graded: the results of the folder.
        into: the path of `--into`; None if it was not given.
        column: the title of the column to fill, for formats that fill one; None if it was not given.
        scale: convert points to the maximum that the filled file gives.
    """

    graded: GradedClass
    into: Path | None = None
    column: str | None = None
    scale: bool = False


@dataclass(frozen=True)
class Rendered:
    """The output of a format.

    Attributes:
        data: the bytes of the file.
        notes: messages for the user: marks that were left out, students that were not found.
        added: bytes to append to the file that the platform names in the format's `variable`.
    """

    data: bytes
    notes: tuple[str, ...] = ()
    added: bytes = b""


@dataclass(frozen=True)
class Format:
    """One format of `autograder export`.

    Attributes:
        name: the word on the command line.
        about: what the format is for, in a few words.
        into: what `--into FILE` means.
        render: makes the file. Raises UsageError if the file cannot be made.
        file: the usual name of the file.
        variable: the environment variable in which the platform gives the path of a file of its own.
        printed: the platform reads the format from the standard output.
    """

    name: str
    about: str
    into: Into
    render: Callable[[Export], Rendered]
    file: str = ""
    variable: str = ""
    printed: bool = False
