"""Read a student's submission. Nothing is run here.

Only regular files are read, up to a size limit.
"""

from __future__ import annotations

import errno
import hashlib
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from autograder.assignment.script import without_show_cells
from autograder.errors import Rejected
from autograder.files import read_regular
from autograder.python_source import CELL, names_in
from autograder.submission.cells import exported, timed_cells
from autograder.submission.decode import source_text
from autograder.submission.directory import NOBODY
from autograder.submission.notebook_work import (
    NotebookCell,
    Pieces,
    holds_notebook,
    notebook_cells,
    with_ids,
    work_of,
)
from autograder.submission.outputs import without_outputs
from autograder.submission.unpack import MAX_FILE, MAX_NOTEBOOK, MAX_UNPACKED, most_bytes
from autograder.submission.which_file import (
    is_notebook,
    shown,
    stem_of,
    unreadable,
    why_graded,
)
from autograder.text import clean_text, first_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from autograder.assignment.source import Assignment
    from autograder.submission.hand_in import HandIn

# Of code. Each line may have to be parsed alone, if the file is no Python as a whole.
MAX_LINES = 10_000
# What stands in place of a file, by the error of `read_regular`.
_IRREGULAR = {
    errno.ELOOP: "a link",
    errno.EISDIR: "a folder",
    errno.EINVAL: "not a regular file",
}
# The number of removed lines that the note quotes.
_NAMED = 3


@dataclass(frozen=True)
class Submission:
    """A submission as pieces of source (label, text), in order.

    `note` says which of two files was graded, and which lines were left out. `path` is the file that
    the pieces come from, and `is_notebook` what it holds, whatever its name is. Only cells that are not run make the
    names in `aside`.
    """

    student: str
    pieces: Pieces
    sha256: str
    note: str = ""
    path: Path | None = None
    is_notebook: bool = False
    aside: frozenset[str] = frozenset()


def read_submission(found: HandIn, assignment: Assignment) -> Submission:
    """Read one submission. Raises Rejected, with a message for the student, if nothing can run."""
    return parse_submission(read_files(found), assignment)


@contextmanager
def _rejecting_bugs() -> Iterator[None]:
    """Raise Rejected for a bug of the kit, which is its cause. A lack of memory is none."""
    try:
        yield
    except (Rejected, MemoryError):
        raise
    except Exception as bug:
        raise Rejected(
            "The kit failed to read your submission. Your instructor is told so, to have the kit repaired. Until then, "
            "hand in a `.py` file with nothing but your code."
        ) from bug


@_rejecting_bugs()
def read_files(found: HandIn) -> HandIn:
    """Return a hand-in with the bytes of its files, without the person. Raises Rejected if it has no file."""
    if found.problem:
        raise Rejected(found.problem)
    digest = hashlib.sha256()
    contents: list[bytes | str] = []
    left = MAX_NOTEBOOK + MAX_UNPACKED
    for path in found.files:
        try:
            data = read_bytes(path, left)
        except Rejected as problem:
            contents.append(str(problem))
        else:
            left -= len(data)
            digest.update(data)
            contents.append(data)
    return replace(found, person=NOBODY, contents=tuple(contents), sha256=digest.hexdigest())


@_rejecting_bugs()
def parse_submission(given: HandIn, assignment: Assignment) -> Submission:
    """Cut a submission into pieces. Raises Rejected, with a message for the student, if nothing can run."""
    readable: dict[Path, Submission] = {}
    problems: list[str] = []
    for path, data in zip(given.files, given.contents, strict=True):
        try:
            if isinstance(data, bytes):
                readable[path] = _read(path, source_text(path.name, data), assignment)
            else:
                problems.append(data)
        except Rejected as problem:
            problems.append(str(problem))
    if not readable:
        raise Rejected(" ".join(problems))
    edited = [path for path, one in readable.items() if _differs(one, assignment)]
    chosen = next(iter(edited or readable))
    why = why_graded(chosen, given, readable, edited, assignment.name)
    note = _in_one([*why, *problems, readable[chosen].note])
    return replace(readable[chosen], student=given.student, sha256=given.sha256, note=note)


def _in_one(notes: Iterable[str]) -> str:
    return " ".join(filter(None, notes))


def _left_out(lines: tuple[str, ...]) -> str:
    """Say which lines were removed because they are not Python; empty if none was."""
    if not lines:
        return ""
    named = first_of((f"`{clean_text(line, 60)}`" for line in lines), _NAMED)
    return f"Left out, since only a notebook understands it: {named}."


def is_edited(path: Path, assignment: Assignment) -> bool:
    """Return whether a student edited a released file. Raises Rejected if it cannot be read."""
    return _differs(_read(path, read_text(path), assignment), assignment)


def read_text(path: Path) -> str:
    """Return the text of a regular file, with newlines as line ends.

    Raises Rejected, with a message for the student.
    """
    return source_text(path.name, read_bytes(path))


def cells_of_file(path: Path) -> list[NotebookCell]:
    """Return the cells of a notebook's file; none if it is not there or cannot be read."""
    try:
        return notebook_cells(path.name, read_text(path))
    except Rejected:
        return []


def read_bytes(path: Path, left: int = MAX_NOTEBOOK) -> bytes:
    """Return the bytes of a regular file, at most `left` and what its kind may have. Raises Rejected for others."""
    most = min(left, most_bytes(path.name))
    try:
        return read_regular(path, most)
    except OSError as error:
        raise Rejected(_not_read(path, error, most)) from None


def _not_read(path: Path, error: OSError, most: int) -> str:
    if error.errno in _IRREGULAR:
        return f"`{shown(path)}` is {_IRREGULAR[error.errno]}. Hand in the file itself."
    if error.errno != errno.EFBIG:
        return unreadable(path, error)
    return _too_large(f"`{shown(path)}`", most)


def _too_large(what: str, most: int) -> str:
    return f"{what} is larger than {most / 1024 / 1024:.0f} MB. Remove the data in it, and hand it in again."


def _read(path: Path, text: str, assignment: Assignment) -> Submission:
    """Read one file: a notebook, or Python. Raises Rejected if a notebook's file holds none."""
    named_right = is_notebook(path.name)
    if len(text) > MAX_FILE:
        text = without_outputs(text)
        if len(text) > MAX_FILE:
            raise Rejected(_too_large(f"`{shown(path)}` without outputs", MAX_FILE))
    if not named_right and not holds_notebook(text):
        return _read_source(path, text)
    cells = with_ids(notebook_cells(shown(path), text), assignment.sources("given"))
    _refuse_long(path, sum(cell.source.count("\n") for cell in cells if cell.kind == "code"))
    work = work_of(cells, assignment, shown(path))
    right = f"{stem_of(shown(path))}.ipynb"
    note = "" if named_right else f"`{shown(path)}` holds a notebook: name it `{right}`."
    note = _in_one([note, *work.given, _left_out(work.dropped)])
    return Submission("", work.pieces, "", note, path, True, work.aside)


def _refuse_long(path: Path, lines: int) -> None:
    if lines > MAX_LINES:
        raise Rejected(
            f"`{shown(path)}` has more than {MAX_LINES:,} lines of code. "
            "Remove what you do not need, and hand it in again."
        )


def _read_source(path: Path, text: str) -> Submission:
    _refuse_long(path, text.count("\n"))
    pieces: Pieces = ()
    dropped: tuple[str, ...] = ()
    counting = without_show_cells(text)
    aside = (
        frozenset(names_in(text)).difference(names_in(counting))
        if counting != text
        else frozenset()
    )
    for cell, cut in timed_cells(counting):
        source, magics = exported(cut, text)
        dropped += magics
        label = f"{shown(path)}, {cell}" if cell else shown(path)
        pieces += ((label, source),)
    return Submission("", pieces, "", _left_out(dropped), path, aside=aside)


def _differs(read: Submission, assignment: Assignment) -> bool:
    """Return whether a student edited the file: a cell or a `.py` line is not in the release."""
    pieces = read.pieces
    if read.is_notebook:
        cells = {"", *(_trimmed(cell.source) for cell in assignment.cells)}
        return any(_trimmed(source) not in cells for _, source in pieces)
    released = {line.strip() for cell in assignment.cells for line in cell.source.splitlines()}
    lines = [line.strip() for _, source in pieces for line in source.splitlines()]
    # Lines before the first cell are the heading of the released file.
    markers = [number for number, line in enumerate(lines) if CELL.match(line)]
    lines = [line for line in lines[min(markers, default=0) :] if not CELL.match(line)]
    return not released.issuperset(line for line in lines if line)


def _trimmed(source: str) -> str:
    """Return a cell's source without the whitespace that editors remove."""
    return "\n".join(line.rstrip() for line in source.split("\n")).strip("\n")
