"""Run an author's code. If it fails, name the place in the author's files."""

from __future__ import annotations

import ast
import traceback
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.errors import AssignmentError

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def authors_file(path: Path) -> Iterator[None]:
    """Run a file of an assignment in this block.

    An exception in it, also of its declarations, becomes an AssignmentError with file and line.
    """
    try:
        with authors_code(path.parent, "while the file is loaded"):
            yield
    except AssignmentError as error:
        place = _line(error, path.parent)
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
    except SyntaxError as error:
        if error.filename is None or Path(error.filename).parent != folder:
            raise AssignmentError(_message(error, folder, doing)) from None
        place = f"{folder.name}/{Path(error.filename).name}, line {error.lineno}"
        raise AssignmentError(f"{place}: this is not Python: {error.msg}.") from None
    except (Exception, SystemExit) as error:  # noqa: BLE001 - an author's code raises anything
        raise AssignmentError(_message(error, folder, doing)) from None


def _message(error: BaseException, folder: Path, doing: str) -> str:
    message = " ".join(str(error).split())
    place = _line(error, folder) or folder.name
    return f"{place}, {doing}: {type(error).__name__}{f': {message}' if message else ''}"


def _line(error: BaseException, folder: Path) -> str:
    """Return the last line of the assignment's own files that the error came through; empty if none."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).parent == folder]
    return f"{folder.name}/{Path(own[-1].filename).name}, line {own[-1].lineno}" if own else ""


class Definitions:
    """The lines of a file's functions and classes, for messages."""

    def __init__(self, path: Path) -> None:
        self._name = f"{path.parent.name}/{path.name}"
        self._lines: dict[str, list[int]] = {}
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                self._lines.setdefault(node.name, []).append(node.lineno)

    def place(self, name: str) -> str:
        """Return the file, and the line where it defines `name` if it does."""
        lines = self._lines.get(name)
        return f"{self._name}, line {lines[-1]}" if lines else self._name

    def refuse_twice(self) -> None:
        """Raise AssignmentError if a name is defined twice: the second one hides the first."""
        for name, lines in self._lines.items():
            if len(lines) > 1:
                raise AssignmentError(
                    f"{self._name}, lines {' and '.join(map(str, lines))}: each is called {name!r}, so only the last "
                    "one is there. Give each a name of its own."
                )
