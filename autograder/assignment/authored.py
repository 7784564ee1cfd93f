"""Run an author's code, and list what must change in the author's files, each with file and line."""

from __future__ import annotations

import ast
import traceback
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from autograder.assignment.checks import PROBES
from autograder.errors import AssignmentError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

# The module that `mistakes.py` can import: it stands beside the assignments' folders.
FAMILIES = "families.py"


@contextmanager
def authors_file(path: Path) -> Iterator[None]:
    """Run a file of an assignment in this block.

    An exception in it, also of its declarations, becomes an AssignmentError with file and line.
    """
    try:
        with authors_code(path.parent, "while the file is loaded"):
            yield
    except AssignmentError as error:
        place = last_line(error, path.parent)
        raise AssignmentError(f"{place}: {error}" if place else str(error)) from error


@contextmanager
def authors_code(folder: Path, doing: str) -> Iterator[None]:
    """Run code of an assignment in this block. Its exceptions become an AssignmentError with file and line.

    Args:
        folder: the assignment's folder.
        doing: what the code does, such as "while drawing for `project`".
    """
    try:
        yield
    except AssignmentError:
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001 - an author's code raises anything
        place = last_line(error, folder) or folder.name
        words = " ".join(f"{type(error).__name__}: {error}".split())
        raise AssignmentError(f"{place}, {doing}: {words}") from None


def last_line(error: BaseException, folder: Path) -> str:
    """Return the last line of the author's own files that the error came through; empty if none."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [(own_file(folder, frame.filename), frame.lineno) for frame in frames]
    return next((f"{file}, line {line}" for file, line in reversed(own) if file), "")


def own_file(folder: Path, filename: str) -> str:
    """Return an author's file as messages name it; empty if it belongs to no assignment."""
    path = Path(filename)
    if filename == f"<{PROBES}>":  # in a worker's module, the same lines
        return f"{folder.name}/test_{folder.name}.py"
    if path.parent == folder:
        return f"{folder.name}/{path.name}"
    return path.name if path == folder.parent / FAMILIES else ""


class Problem(NamedTuple):
    """One thing in an author's file that must change.

    Attributes:
        file: the file's name in the assignment's folder.
        name: the function or class that it is about; empty if it is about the whole file.
        words: what was found, and what is wanted.
        line: the line, where no function or class tells it.
    """

    file: str
    name: str
    words: str
    line: int = 0


def refuse(folder: Path, problems: Iterable[Problem]) -> None:
    """Raise AssignmentError, which lists the problems, if there is one."""
    if found := list(problems):
        raise refusal(folder, found)


def refusal(folder: Path, found: Sequence[Problem]) -> AssignmentError:
    """Return an error with all problems, each with file and line."""
    lines = [f"{_place(folder, problem)}: {problem.words}" for problem in found]
    return AssignmentError("\n  ".join(lines))


def _place(folder: Path, problem: Problem) -> str:
    """Return the file, and the line of the problem if it has one."""
    lines = _definitions(folder / problem.file).get(problem.name) if problem.name else None
    line = problem.line or (lines[-1] if lines else 0)
    return f"{folder.name}/{problem.file}{f', line {line}' if line else ''}"


def refuse_twice(path: Path) -> None:
    """Raise AssignmentError if a file defines a name twice: the second one hides the first."""
    twice = [name for name, lines in _definitions(path).items() if len(lines) > 1]
    refuse(path.parent, [Problem(path.name, name, f"a second {name!r}.") for name in twice])


def _definitions(path: Path) -> dict[str, list[int]]:
    """Return the lines of a file's functions, classes, named calls (`name = call()`) and tables, by their names."""
    text = path.read_text(encoding="utf-8-sig") if path.is_file() else ""
    lines: dict[str, list[int]] = {}
    for number, line in enumerate(text.splitlines() if path.suffix == ".toml" else (), start=1):
        lines.setdefault(line.strip("[] "), []).append(number)
    for node in ast.parse(text).body if path.suffix == ".py" else ():
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                lines.setdefault(name, []).append(node.lineno)
            case ast.Assign(targets=[ast.Name(id="HOLES" | "REMARKS" as name)]):
                lines.setdefault(name, []).append(node.lineno)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call()):
                lines.setdefault(name, []).append(node.lineno)
    return lines
