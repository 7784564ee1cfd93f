"""What a student handed in: found, read, and never run here.

Regular files only, capped, decoded as UTF-8. A notebook becomes pieces of source by its cells' ids: what is
given comes from the release, the steps from the student, and so do the cells that the student added, in their order.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.cell_source import exported, without_check_lines, without_magics
from autograder.errors import Rejected, UsageError
from autograder.sandbox.messages import clean_text
from autograder.script import without_show_cells
from autograder.values import MAX_ITEMS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from autograder.assignment import Assignment

MAX_BYTES = 5 * 1024 * 1024
SUFFIXES = (".py", ".ipynb")
SKIPPED = "__MACOSX"

# Notebook cells that import the checks, use the steps or check them; grading runs its own checks.
_NOT_GRADED = re.compile(r"setup$|check_|show-")
_SHOW_TAG = "show"
_EXPORTED_CELL = re.compile(r"^# In\[[\d ]*\]:$", re.MULTILINE)
_CELL_MARKER = "# %%"
_FORMAT = 4
# How many lines that were left out are named.
_NAMED = 3

Pieces = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Found:
    """One submission's place: whose it is, and its files of the assignment's name (none, `.py`, `.ipynb` or both)."""

    student: str
    path: Path
    files: tuple[Path, ...]


@dataclass(frozen=True)
class Submission:
    """A submission as pieces of source (label, text), in order; `note`: which of two files, and what was left out."""

    student: str
    pieces: Pieces
    sha256: str
    note: str = ""


def find_submissions(paths: Iterable[Path], assignment: str) -> list[Found]:
    """All submissions below `paths`, in the order of their names.

    A folder with a fitting file in it, or in its subfolder of the assignment's name, is one submission, and so is
    a file. Every other folder holds submissions: each visible child is one.

    Raises UsageError for a missing path and for equal names.
    """
    found: list[Found] = []
    for path in paths:
        if not path.exists() and not path.is_symlink():
            raise UsageError(f"There is no {path}. Give a submission, or a folder of submissions.")
        if not path.is_dir() or _fitting(path, assignment):
            found.append(_one(path, assignment))
        else:
            children = [child for child in path.iterdir() if not _hidden(child)]
            found += [_child(child, assignment) for child in children]
    found.sort(key=lambda one: one.student)
    _refuse_equal_names(found)
    return found


def _hidden(path: Path) -> bool:
    return path.name.startswith(".") or path.name == SKIPPED


def _child(path: Path, assignment: str) -> Found:
    """One submission among others; a link may lead anywhere, so it has no files."""
    return Found(_normal(path.name), path, ()) if path.is_symlink() else _one(path, assignment)


def _one(path: Path, assignment: str) -> Found:
    absolute = Path(os.path.abspath(path))  # noqa: PTH100 - resolves `..` but no links
    if path.is_dir():
        return Found(_normal(absolute.name), path, tuple(_fitting(path, assignment)))
    student = path.stem if path.stem != assignment else absolute.parent.name or path.stem
    files = (path,) if path.suffix in SUFFIXES else ()
    return Found(_normal(student), path, files)


def _fitting(folder: Path, assignment: str) -> list[Path]:
    for place in (folder, folder / assignment):
        if place.is_symlink() and place != folder:
            continue
        files = [place / f"{assignment}{suffix}" for suffix in SUFFIXES]
        if present := [file for file in files if os.path.lexists(file)]:
            return present
    return []


def _normal(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def _refuse_equal_names(found: list[Found]) -> None:
    seen: dict[str, Found] = {}
    for one in found:
        other = seen.setdefault(one.student.casefold(), one)
        if other is not one:
            raise UsageError(
                f"Two submissions have the same name, {one.student!r}:\n  {other.path}\n  {one.path}\n"
                "Rename one of them; nothing has been graded."
            )


def read_submission(found: Found, assignment: Assignment) -> Submission:
    """Read one submission. Raises Rejected, with words for the student, if nothing in it can be run."""
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
    """One file's source, and the lines that are no Python and were dropped."""

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
        children = sorted(child for child in found.path.iterdir() if not _hidden(child))
        names = [f"`{_shown(child)}`{' (a link)' * child.is_symlink()}" for child in children[:5]]
        return (
            f"There is no {wanted} in what was handed in; found {', '.join(names) or 'nothing'}. "
            f"Name your file {wanted}, no link, and hand it in again."
        )
    return f"`{_shown(found.path)}` is not a Python file or a notebook. Hand in {wanted}."


def _shown(path: Path) -> str:
    """A file's name as it may be shown: a student chose it."""
    return clean_text(" ".join(path.name.split()), 100)


def read_text(path: Path) -> str:
    """The text of a regular file, its lines ended by newlines. Raises Rejected, with words for the student."""
    return _decode(path, read_bytes(path))


def read_bytes(path: Path) -> bytes:
    """The bytes of a regular file of at most MAX_BYTES; opening never waits and never follows a link."""
    try:
        _refuse_irregular(path, path.lstat())
        with open(path, "rb", opener=_open_as_it_is) as file:
            _refuse_irregular(path, os.fstat(file.fileno()))  # it may be another one by now
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
    """A notebook's source is the release's given cells, then the student's cells in their order."""
    name = _shown(path)
    if path.suffix != ".ipynb":
        source, magics = exported(without_show_cells(text))
        return _Read(path, _few_enough(name, _exported_cells(name, source)), magics)
    given = {cell.id: cell for cell in assignment.cells if cell.kind == "given"}
    steps = {check.name for check in assignment.checks}
    pieces = {f"{name}, cell {cell.id}": cell.source for cell in given.values()}
    dropped: list[str] = []
    for cell in notebook_cells(name, text):
        # A step's cell that was turned into text by a slip is still the step.
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
    if len(pieces) > MAX_ITEMS:  # no request holds more
        raise Rejected(
            f"`{name}` has more than {MAX_ITEMS:,} cells with code. Remove what you do not need, and hand it in again."
        )
    return pieces


def _exported_cells(name: str, source: str) -> Pieces:
    """A file as one piece; what Jupyter exported, as its cells, so that one that fails costs only what it defines."""
    first, *cells = _EXPORTED_CELL.split(source)
    labelled = [(f"{name}, cell {number}", cell) for number, cell in enumerate(cells, start=1)]
    return ((name, first), *labelled)


@dataclass(frozen=True)
class NotebookCell:
    """A cell of a submitted notebook; `id` is nbgrader's, where it has one: old formats know no other.

    Its pictures are as they were handed in: whoever shows them must look at them first.
    """

    number: int
    kind: str
    id: str
    source: str
    tags: tuple[str, ...]
    attachments: Any = None

    @property
    def counts(self) -> bool:
        """Whether it is run in grading: neither a check nor one that only shows something."""
        return _SHOW_TAG not in self.tags and not _NOT_GRADED.match(self.id)


def notebook_cells(name: str, text: str) -> list[NotebookCell]:
    """The cells of a submitted notebook, of whatever kind. Raises Rejected for what is not a notebook."""
    try:
        # Not nbformat.reads: it validates, which takes long, warns on the terminal and changes duplicate ids.
        content = json.loads(text)
        if content["nbformat"] != _FORMAT:
            content = _converted(content)
        return [_cell(number, cell) for number, cell in enumerate(content["cells"], start=1)]
    except Exception as error:  # noqa: BLE001 - nbformat raises many kinds for what is no notebook
        raise Rejected(
            f"`{name}` is not a notebook that can be read ({type(error).__name__}). "
            "Open it in Jupyter, save it, and hand it in again."
        ) from None


def _converted(content: Any) -> Any:
    """A notebook of an older format in today's."""
    import nbformat.reader  # noqa: PLC0415 - a second, for few

    content.setdefault("metadata", {})  # nothing in it counts
    return nbformat.convert(nbformat.reader.reads(json.dumps(content)), _FORMAT)


def _cell(number: int, cell: Any) -> NotebookCell:
    kind = cell["cell_type"]
    metadata = cell.get("metadata") or {}
    name = (metadata.get("nbgrader") or {}).get("grade_id") or cell.get("id") or ""
    source = cell.get("source", "")
    if isinstance(source, list):  # of lines
        source = "".join(source)
    if not isinstance(source, str):
        raise TypeError("a cell's source is no text")
    tags = tuple(map(str, metadata.get("tags") or ()))
    return NotebookCell(number, str(kind), str(name), source, tags, cell.get("attachments"))


def _differs(path: Path, pieces: Pieces, assignment: Assignment) -> bool:
    """Whether somebody worked in it: some cell of a notebook, some line of a `.py`, is not in the release."""
    if path.suffix == ".ipynb":
        cells = {"", *(_trimmed(cell.source) for cell in assignment.cells)}
        return any(_trimmed(source) not in cells for _, source in pieces)
    released = {line.strip() for cell in assignment.cells for line in cell.source.splitlines()}
    lines = [line.strip() for _, source in pieces for line in source.splitlines()]
    # What stands before the first cell is the released file's own heading.
    markers = [number for number, line in enumerate(lines) if line.startswith(_CELL_MARKER)]
    lines = [line for line in lines[min(markers, default=0) :] if not line.startswith(_CELL_MARKER)]
    return not released.issuperset(line for line in lines if line)


def _trimmed(source: str) -> str:
    """A cell's source without the spaces that editors remove."""
    return "\n".join(line.rstrip() for line in source.split("\n")).strip("\n")
