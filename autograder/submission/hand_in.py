"""The record of one student's hand-in: as it was found, then with the bytes of its files."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.submission.directory import NOBODY, Person

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class HandIn:
    """What one student handed in. `read_submission` makes pieces of source of it.

    Attributes:
        student: the name in the results.
        path: where it was found: in an archive, the archive's path, then the path in it.
        files: the files to read, best first: a `.py`, an `.ipynb`, or both, then copies of them.
        problem: why it is rejected without being read.
        person: who handed it in, as far as the platform's download tells. Grading processes do not get it.
        platform: the kind of the platform's id in `person`; empty outside of a download.
        late: the platform marked it as late.
        handed_in: when it was handed in, in the platform's words; empty if nobody says so.
        same_as: the name in the results of another member of the group, whose hand-in this is too.
        nameless: nobody can be graded under its own name; `student` is a safe name.
        from_roster: the roster knows this person; with `by_name`, by nothing but the name.
        by_name: without `from_roster`: this may be one of the roster, but not clearly which one.
        given: the absolute PATH through which it was found.
        nested: the folders in it that look like further hand-ins. They are not graded.
        contents: for each of `files` its bytes, or the reason why it cannot be read; none before reading.
        sha256: the digest of all these bytes.
    """

    student: str
    path: Path
    files: tuple[Path, ...]
    problem: str = ""
    person: Person = NOBODY
    platform: str = ""
    late: bool = False
    handed_in: str = ""
    same_as: str = ""
    nameless: bool = False
    from_roster: bool = False
    given: str = ""
    by_name: bool = False
    nested: tuple[str, ...] = ()
    contents: tuple[bytes | str, ...] = ()
    sha256: str = ""

    @property
    def where(self) -> str:
        """Return where it was found, as an absolute path."""
        return absolute(self.path)


def absolute(path: Path) -> str:
    """Return the absolute path, which resolves `..` but no links."""
    return os.path.abspath(path)  # noqa: PTH100
