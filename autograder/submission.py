"""What a student handed in: found, read, and never run here.

Regular files only, capped, decoded as UTF-8. A notebook becomes pieces of source by its cells' ids: what is
given comes from the release, the steps from the student, and so do the cells that the student added, in their order.
"""

from __future__ import annotations

import hashlib
import os
import stat
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.errors import Rejected, UsageError
from autograder.script import without_show_cells

if TYPE_CHECKING:
    from collections.abc import Iterable

    from autograder.assignment import Assignment

MAX_BYTES = 5 * 1024 * 1024
SUFFIXES = (".py", ".ipynb")
SKIPPED = "__MACOSX"

# Notebook cells that use the steps or check them; grading runs its own checks.
_CHECK_PREFIX = "check_"
_SHOW_TAG = "show"


@dataclass(frozen=True)
class Found:
    """One submission's place: whose it is, and its files of the assignment's name (none, `.py`, `.ipynb` or both)."""

    student: str
    path: Path
    files: tuple[Path, ...]


@dataclass(frozen=True)
class Submission:
    """A submission as pieces of source (label, text), in order; `note` says which of two files they come from."""

    student: str
    pieces: tuple[tuple[str, str], ...]
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
    readable: list[tuple[Path, str, bytes]] = []
    problems: list[str] = []
    for path in found.files:
        try:
            data = read_bytes(path)
            readable.append((path, _decode(path, data), data))
        except Rejected as problem:
            problems.append(str(problem))
    if not readable:
        raise Rejected(" ".join(problems))
    texts = [(path, text, data, _pieces(path, text, assignment)) for path, text, data in readable]
    worked = [entry for entry in texts if _differs(entry[3], assignment)]
    path, _, data, pieces = (worked or texts)[0]
    note = " ".join(problems)
    if len(found.files) > 1:
        why = "it is the one you worked in" if len(worked) == 1 else "it goes before the other"
        note = f"{note} Two files were handed in; `{path.name}` was graded: {why}.".strip()
    return Submission(found.student, pieces, hashlib.sha256(data).hexdigest(), note)


def _no_file(found: Found, assignment: str) -> str:
    wanted = f"`{assignment}.py` or `{assignment}.ipynb`"
    if found.path.is_symlink():
        return f"`{found.path.name}` is a link. Hand in the file itself, named {wanted}."
    if found.path.is_dir():
        names = sorted(child.name for child in found.path.iterdir() if not _hidden(child))
        shown = ", ".join(f"`{name}`" for name in names[:5]) or "nothing"
        return f"There is no {wanted} in what was handed in; found {shown}. Rename your file and hand it in again."
    return f"`{found.path.name}` is not a Python file or a notebook. Hand in {wanted}."


def read_bytes(path: Path) -> bytes:
    """The bytes of a regular file of at most MAX_BYTES; opening never waits and never follows a link."""
    flags = (
        os.O_RDONLY
        | getattr(os, "O_NOFOLLOW", 0)
        | getattr(os, "O_NONBLOCK", 0)
        | getattr(os, "O_BINARY", 0)
    )
    if path.is_symlink():
        raise Rejected(f"`{path.name}` is a link. Hand in the file itself.")
    try:
        descriptor = os.open(path, flags)
    except OSError as error:
        raise Rejected(
            f"`{path.name}` could not be read ({error.strerror}). Hand it in again."
        ) from None
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise Rejected(f"`{path.name}` is not a regular file. Hand in the file itself.")
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise Rejected(
            f"`{path.name}` is larger than {MAX_BYTES // 1024 // 1024} MB. "
            "Clear the notebook's outputs or remove the data in it, and hand it in again."
        )
    return data


def _decode(path: Path, data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Rejected(
            f"`{path.name}` is not UTF-8 text (byte {error.start}). Save it as UTF-8 and hand it in again."
        ) from None
    if "\0" in text:
        raise Rejected(
            f"`{path.name}` has null bytes, so it is no Python text. Save it again as text."
        )
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _pieces(path: Path, text: str, assignment: Assignment) -> tuple[tuple[str, str], ...]:
    if path.suffix == ".ipynb":
        return notebook_pieces(path.name, text, assignment)
    return ((path.name, without_show_cells(text)),)


def notebook_pieces(name: str, text: str, assignment: Assignment) -> tuple[tuple[str, str], ...]:
    """A notebook's source: the release's given cells, then the student's cells in their order.

    Raises Rejected for what is not a notebook.
    """
    given = {cell.id: cell for cell in assignment.cells if cell.kind == "given"}
    pieces = [(f"{name}, cell {cell.id}", cell.source) for cell in given.values()]
    for number, cell in enumerate(_notebook_cells(name, text), start=1):
        if cell.get("cell_type") != "code" or _cell_id(cell) in given or not _counts(cell):
            continue
        step = _step_of(cell, assignment)
        label = f"{name}, cell {step or number}"
        if any(label == earlier for earlier, _ in pieces):
            label = f"{label} (cell number {number})"
        pieces.append((label, _without_magics(str(cell.get("source", "")))))
    return tuple(pieces)


def _notebook_cells(name: str, text: str) -> list[Any]:
    import nbformat  # noqa: PLC0415 - only those who hand in notebooks pay for it

    try:
        notebook = nbformat.reads(text, as_version=4)
    except Exception as error:  # noqa: BLE001 - nbformat raises many kinds for what is no notebook
        raise Rejected(
            f"`{name}` is not a notebook that can be read ({type(error).__name__}). "
            "Open it in Jupyter, save it, and hand it in again."
        ) from None
    return list(notebook.cells)


def _cell_id(cell: Any) -> str:
    nbgrader = cell.get("metadata", {}).get("nbgrader", {})
    return str(nbgrader.get("grade_id") or cell.get("id") or "")


def _step_of(cell: Any, assignment: Assignment) -> str | None:
    name = _cell_id(cell)
    return name if any(name == check.name for check in assignment.checks) else None


def _counts(cell: Any) -> bool:
    tags = cell.get("metadata", {}).get("tags", [])
    return _SHOW_TAG not in tags and not _cell_id(cell).startswith(_CHECK_PREFIX)


def _without_magics(source: str) -> str:
    """The source with `%magic` and `!shell` lines emptied, so that line numbers stay."""
    lines = source.replace("\r\n", "\n").split("\n")
    return "\n".join("" if line.lstrip().startswith(("%", "!")) else line for line in lines)


def _differs(pieces: tuple[tuple[str, str], ...], assignment: Assignment) -> bool:
    """Whether somebody worked in it: some line is not in the release."""
    released = {line.strip() for cell in assignment.cells for line in cell.source.splitlines()} | {
        ""
    }
    return any(
        line.strip() not in released
        for _, source in pieces
        for line in source.splitlines()
        if not line.lstrip().startswith("# %%")
    )
