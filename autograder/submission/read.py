"""Read a student's submission. Nothing is run here.

Only regular files are read, up to a size limit, decoded as UTF-8. A notebook is split into pieces
of source by its cells' ids. Given cells come from the release. Steps and added cells come from the
student, in the student's order.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.assignment.script import without_show_cells
from autograder.errors import Rejected
from autograder.submission.cells import exported, without_check_lines, without_magics
from autograder.submission.find import Found, hidden
from autograder.submission.notebook import notebook_cells
from autograder.text import clean_text
from autograder.values.values import MAX_ITEMS

if TYPE_CHECKING:
    from pathlib import Path

    from autograder.assignment.source import Assignment

MAX_BYTES = 5 * 1024 * 1024
_EXPORTED_CELL = re.compile(r"^# In\[[\d ]*\]:$", re.MULTILINE)
_CELL_MARKER = "# %%"
# The number of removed lines that the note quotes.
_NAMED = 3

Pieces = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Submission:
    """A submission as pieces of source (label, text), in order.

    `note` says which of two files was graded, and which lines were left out.
    """

    student: str
    pieces: Pieces
    sha256: str
    note: str = ""


def read_submission(found: Found, assignment: Assignment) -> Submission:
    """Read one submission. Raises Rejected, with a message for the student, if nothing can run."""
    if not found.files:
        raise Rejected(_no_file(found, assignment.name))
    digest = hashlib.sha256()
    readable: list[_Read] = []
    problems: list[str] = []
    for path in found.files:
        try:
            data = read_bytes(path)
            digest.update(data)
            readable.append(_read(path, _decode(path, data), assignment))
        except Rejected as problem:
            problems.append(str(problem))
    if not readable:
        raise Rejected(" ".join(problems))
    worked = [one for one in readable if _differs(one.path, one.pieces, assignment)]
    chosen = (worked or readable)[0]
    notes = []
    if len(found.files) > 1:
        why = _why(len(readable), len(worked))
        notes = [f"Two files were handed in; `{_shown(chosen.path)}` was graded: {why}.", *problems]
    if chosen.dropped:
        notes.append(_left_out(chosen.dropped))
    return Submission(found.student, chosen.pieces, digest.hexdigest(), " ".join(notes))


@dataclass(frozen=True)
class _Read:
    """One file's source, and the removed lines that are not Python."""

    path: Path
    pieces: Pieces
    dropped: tuple[str, ...] = ()


def _left_out(lines: tuple[str, ...]) -> str:
    named = ", ".join(f"`{clean_text(line, 60)}`" for line in lines[:_NAMED])
    more = f" and {len(lines) - _NAMED} more" if len(lines) > _NAMED else ""
    return f"Left out, since only a notebook understands it: {named}{more}."


def _why(readable: int, worked: int) -> str:
    if readable == 1:
        return "the other cannot be used"
    if worked == 1:
        return "it is the one you worked in"
    return "you worked in both, and it goes first" if worked else "you worked in neither"


def _no_file(found: Found, assignment: str) -> str:
    wanted = f"`{assignment}.py` or `{assignment}.ipynb`"
    if found.path.is_symlink():
        return f"`{_shown(found.path)}` is a link. Hand in the file itself, named {wanted}."
    if found.path.is_dir():
        children = sorted(child for child in found.path.iterdir() if not hidden(child))
        names = [f"`{_shown(child)}`{' (a link)' * child.is_symlink()}" for child in children[:5]]
        return (
            f"There is no {wanted} in what was handed in; found {', '.join(names) or 'nothing'}. "
            f"Name your file {wanted}, no link, and hand it in again."
        )
    return f"`{_shown(found.path)}` is not a Python file or a notebook. Hand in {wanted}."


def _shown(path: Path) -> str:
    """Return a file's name, safe to show: a student chose the name."""
    return clean_text(" ".join(path.name.split()), 100)


def read_text(path: Path) -> str:
    """Return the text of a regular file, with newlines as line ends.

    Raises Rejected, with a message for the student.
    """
    return _decode(path, read_bytes(path))


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a regular file of at most MAX_BYTES.

    Opening the file never blocks and never follows a link.
    """
    try:
        _refuse_irregular(path, path.lstat())
        with open(path, "rb", opener=_open_as_it_is) as file:
            _refuse_irregular(path, os.fstat(file.fileno()))  # replaced meanwhile?
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise Rejected(
            f"`{_shown(path)}` could not be read ({error.strerror}). Hand it in again."
        ) from None
    if len(data) > MAX_BYTES:
        raise Rejected(
            f"`{_shown(path)}` is larger than {MAX_BYTES // 1024 // 1024} MB. "
            "Clear the notebook's outputs or remove the data in it, and hand it in again."
        )
    return data


def _open_as_it_is(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))


def _refuse_irregular(path: Path, status: os.stat_result) -> None:
    if stat.S_ISREG(status.st_mode):
        return
    kinds = {stat.S_IFLNK: "a link", stat.S_IFDIR: "a folder"}
    kind = kinds.get(stat.S_IFMT(status.st_mode), "not a regular file")
    raise Rejected(f"`{_shown(path)}` is {kind}. Hand in the file itself.")


def _decode(path: Path, data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Rejected(
            f"`{_shown(path)}` is not UTF-8 text (byte {error.start}). Save it as UTF-8 and hand it in again."
        ) from None
    if "\0" in text:
        raise Rejected(
            f"`{_shown(path)}` has null bytes, so it is no Python text. Save it again as text."
        )
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _read(path: Path, text: str, assignment: Assignment) -> _Read:
    """Read one file. A notebook becomes the release's given cells, then the student's cells."""
    name = _shown(path)
    if path.suffix != ".ipynb":
        source, magics = exported(without_show_cells(text))
        return _Read(path, _few_enough(name, _exported_cells(name, source)), magics)
    given = {cell.id: cell for cell in assignment.cells if cell.kind == "given"}
    steps = {check.name for check in assignment.checks}
    pieces = {f"{name}, cell {cell.id}": cell.source for cell in given.values()}
    dropped: list[str] = []
    for cell in notebook_cells(name, text):
        # A step's cell that a student turned into Markdown by accident is still the step.
        runs = cell.kind == "code" or cell.id in steps
        if cell.id in given or not runs or not cell.counts:
            continue
        label = f"{name}, cell {cell.id if cell.id in steps else cell.number}"
        if label in pieces:
            label = f"{label} (cell number {cell.number})"
        source, magics = without_magics(cell.source)
        pieces[label] = without_check_lines(source)
        dropped += magics
    return _Read(path, _few_enough(name, tuple(pieces.items())), tuple(dropped))


def _few_enough(name: str, pieces: Pieces) -> Pieces:
    if len(pieces) > MAX_ITEMS:  # limit of a request
        raise Rejected(
            f"`{name}` has more than {MAX_ITEMS:,} cells with code. Remove what you do not need, and hand it in again."
        )
    return pieces


def _exported_cells(name: str, source: str) -> Pieces:
    """Return a file as one piece, or as its cells if Jupyter exported the file.

    With separate cells, a cell that fails loses only its own definitions.
    """
    first, *cells = _EXPORTED_CELL.split(source)
    labelled = [(f"{name}, cell {number}", cell) for number, cell in enumerate(cells, start=1)]
    return ((name, first), *labelled)


def _differs(path: Path, pieces: Pieces, assignment: Assignment) -> bool:
    """Return whether a student edited the file: a cell or a `.py` line is not in the release."""
    if path.suffix == ".ipynb":
        cells = {"", *(_trimmed(cell.source) for cell in assignment.cells)}
        return any(_trimmed(source) not in cells for _, source in pieces)
    released = {line.strip() for cell in assignment.cells for line in cell.source.splitlines()}
    lines = [line.strip() for _, source in pieces for line in source.splitlines()]
    # Lines before the first cell are the heading of the released file.
    markers = [number for number, line in enumerate(lines) if line.startswith(_CELL_MARKER)]
    lines = [line for line in lines[min(markers, default=0) :] if not line.startswith(_CELL_MARKER)]
    return not released.issuperset(line for line in lines if line)


def _trimmed(source: str) -> str:
    """Return a cell's source without the whitespace that editors remove."""
    return "\n".join(line.rstrip() for line in source.split("\n")).strip("\n")
