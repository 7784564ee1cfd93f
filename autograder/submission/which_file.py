"""Say which of a student's files was graded and which was not, or what was handed in instead of one."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.submission.copies import copy_number
from autograder.submission.found import SUFFIXES, visible
from autograder.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from autograder.submission.archive import Place
    from autograder.submission.found import FoundSubmission, SubmittedFiles

_LISTED = 5
# What to do with a file of another kind, by its ending.
_KINDS = {
    (".docx", ".doc", ".odt", ".rtf", ".pages"): "a document of a word processor",
    (".pdf",): "a PDF file, perhaps a printed notebook",
    (".html", ".htm"): "a web page, perhaps an exported notebook",
    (".txt", ".md"): "a text file",
    (".png", ".jpg", ".jpeg", ".heic"): "a picture",
    (".pyc",): "a file that Python made for itself",
}


@dataclass(frozen=True)
class ReadFiles:
    """The files of a submission that could be read.

    Attributes:
        chosen: the file that is graded.
        readable, edited: the files that could be read, and those that the student worked in.
        assignment: the assignment's name.
    """

    chosen: Path
    readable: Sequence[Path]
    edited: Sequence[Path]
    assignment: str

    def notes(self, given: SubmittedFiles) -> Iterator[str]:
        """Yield what the student should know about the choice of the file."""
        name, others = shown(self.chosen), [file for file in given.files if file != self.chosen]
        wanted = [f"{self.assignment}{suffix}" for suffix in SUFFIXES]
        by_name = {file.name for file in given.files} <= {*wanted}
        if others:
            count = "Two" if len(others) == 1 else f"{len(given.files)}"
            yield f"{count} files were handed in; `{name}` was graded: {self._why(by_name, wanted)}."
        if others and not by_name:
            yield f"Not graded: {', '.join(f'`{shown(other)}`' for other in others)}."
        if self.chosen.name not in wanted and (
            self.chosen.name != given.path.name or given.platform
        ):
            only = "" if others else f"There is no `{wanted[0]}`, so `{name}` was graded. "
            yield f"{only}Name your file `{self.assignment}{_ending(self.chosen)}`."

    def _why(self, by_name: bool, wanted: Sequence[str]) -> str:
        if len(self.readable) == 1:
            return "the other cannot be used" if by_name else "no other can be used"
        if len(self.edited) == 1:
            return "it is the one you worked in"
        if by_name:
            both = "you worked in both, and it goes first"
            return both if self.edited else "you worked in neither"
        several = "you worked in more than one" if self.edited else "you worked in none"
        if self.chosen.name in wanted:
            return f"{several}, and it has the right name"
        highest = copy_number(self.chosen.name, self.assignment) > 0
        return f"{several}, and {'its number is the highest' if highest else 'it goes first'}"


def no_file(found: FoundSubmission, assignment: str) -> str:
    """Say what was handed in, where no file can be graded."""
    try:
        return what_instead(found.path, assignment)
    except OSError as error:
        return unreadable(found.path, error)


def unreadable(path: Path, error: Exception) -> str:
    """Say that a file, or a whole submission, could not be read."""
    if not isinstance(error, OSError):
        return f"`{shown(path)}` could not be read ({type(error).__name__}: {one_line(str(error))}). Hand it in again."
    if error.filename and os.path.isdir(error.filename):  # noqa: PTH112 - never raises
        name = shown(Path(os.fsdecode(error.filename)))
        return f"The folder `{name}` cannot be listed ({error.strerror}). Make it readable, and grade again."
    return f"`{shown(path)}` could not be read ({error.strerror}). Hand it in again."


def shown(path: Place) -> str:
    """Return a file's name, safe to show: a student chose the name."""
    return one_line(path.name)


def _ending(path: Path) -> str:
    return SUFFIXES[1] if ".ipynb" in path.name.lower() else SUFFIXES[0]


def what_instead(path: Place, assignment: str) -> str:
    """Say what was handed in, where a file with the assignment's name is missing."""
    wanted = f"`{assignment}.py` or `{assignment}.ipynb`"
    if path.is_symlink():
        return f"`{shown(path)}` is a link. Hand in the file itself, named {wanted}."
    if not path.is_dir():
        kind = _kind(path.name)
        what = f"{kind}, not a Python file" if kind else "not a Python file"
        return f"`{shown(path)}` is {what} or a notebook. Hand in {wanted}."
    children = visible(path)
    names = [with_kind(child.name, is_link=child.is_symlink()) for child in children[:_LISTED]]
    return (
        f"There is no {wanted} in what was handed in; found {', '.join(names) or 'nothing'}. "
        f"Name your file {wanted}, no link, and hand it in again."
    )


def with_kind(name: str, *, is_link: bool = False) -> str:
    """Return a file's name, with what the file is if students hand in that kind by mistake."""
    kind = "a link" if is_link else _kind(name)
    return f"`{one_line(name)}`{f' ({kind})' if kind else ''}"


def _kind(name: str) -> str:
    return next((kind for ends, kind in _KINDS.items() if name.lower().endswith(ends)), "")
