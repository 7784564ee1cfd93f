"""Run an author's code, and list what must change in the author's files, each with file and line."""

from __future__ import annotations

import re
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
def authors_code(folder: Path, doing: str) -> Iterator[None]:
    """Run code of an assignment in this block. Its exceptions become an AssignmentError with file and line.

    Args:
        folder: the assignment's folder.
        doing: what the code does, such as "while drawing for `project`".
    """
    try:
        yield
    except AssignmentError as error:
        place = _last_line(error, folder)
        raise AssignmentError(f"{place}: {error}" if place else str(error)) from error
    except (Exception, SystemExit) as error:  # noqa: BLE001 - an author's code raises anything
        place = _last_line(error, folder) or folder.name
        words = " ".join(f"{type(error).__name__}: {error}".split())
        raise AssignmentError(f"{place}, {doing}: {words}") from None


def _last_line(error: BaseException, folder: Path) -> str:
    """Return the last line of the author's own files that the error came through; empty if none."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path, name = Path(frame.filename), ""
        if path.parent == folder:
            name = f"{folder.name}/{path.name}"
        elif frame.filename == f"<{PROBES}>":  # in a worker's module, the same lines
            name = f"{folder.name}/test_{folder.name}.py"
        elif path == folder.parent / FAMILIES:
            name = path.name
        if name:
            return f"{name}, line {frame.lineno}"
    return ""


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
    """Return the file, and the line of the problem if it has one: where its function, class or table begins."""
    path, line = folder / problem.file, problem.line
    if problem.name:
        text = path.read_text(encoding="utf-8-sig") if path.is_file() else ""
        begin = rf"^(def |class |\[)?{re.escape(problem.name)}\b"
        found = re.search(begin, text, re.MULTILINE)
        line = text.count("\n", 0, found.start()) + 1 if found else 0
    return f"{folder.name}/{problem.file}{f', line {line}' if line else ''}"
