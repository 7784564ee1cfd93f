"""A notebook, submitted or known from the cells that a kernel has run: the work in it.

Given cells come from the release. Steps, added cells and what a student added to a given cell come from the student,
in the student's order.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from autograder.errors import Rejected
from autograder.python_source import limited, margin_parts, names_bound, names_in, parsed, without
from autograder.submission.cells import without_check_lines, without_magics
from autograder.text import one_line
from autograder.values.values import MAX_ITEMS

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from autograder.assignment.source import Assignment

Pieces = tuple[tuple[str, str], ...]
Statements = Mapping[str, ast.stmt]

# Cells that import the checks, show results or run checks. Grading runs its own checks.
_NOT_GRADED = re.compile(r"setup$|check_|show-")
_SHOW_TAG = "show"
_LARGEST_COUNT = 1_000_000_000
MAX_CELLS = MAX_ITEMS
_LONGEST_LINE = 40
# Characters of all given cells of a submission, and of one statement in them, that are parsed.
MAX_GIVEN = 100_000
MAX_STATEMENT = 20_000
# IPython gives every notebook this function.
_DISPLAYS = re.compile(r"\bdisplay\(")
_DISPLAY = "display = lambda *things, **_: print(*things)"
_PYTHON = re.compile(r"^(?:def|class|import|from) \w", re.MULTILINE)
# Escapes in JSON: a backslash or a pair of surrogates, as the group, or a lone surrogate, which no encoding can hold.
_SURROGATES = re.compile(r"(\\\\|\\u[dD][89abAB]\w\w\\u[dD][c-fC-F]\w\w)|\\u[dD][89a-fA-F]\w\w")
# Jupyter's format since 2015, and the oldest that has worksheets.
_FORMAT, _OLDEST = 4, 2


@dataclass(frozen=True)
class NotebookCell:
    """A cell of a submitted notebook.

    `id` is nbgrader's id if there is one: notebooks before format 4.5 have no other id. `nbgrader`, its metadata, is
    untrusted: check it before you use it. `run` is the number N in Jupyter's `[N]`; None for a cell that was
    not run. `alike` says that it has the id of a released cell only because it is like it.
    """

    number: int
    kind: str
    id: str
    source: str
    tags: tuple[str, ...]
    run: int | None = None
    nbgrader: Any = None
    alike: bool = False

    def place(self, steps: Container[str] = ()) -> str:
        """Return where the student finds the cell: by the number that Jupyter shows beside it.

        A cell that was not run has no such number: then by its step, or by its place in the notebook.
        """
        if self.run is not None:
            return f"[{self.run}]"
        return self.id if self.id in steps else str(self.number)

    @property
    def counts(self) -> bool:
        """Return whether grading runs the cell: it is neither a check nor a show cell."""
        return _SHOW_TAG not in self.tags and not _NOT_GRADED.match(self.id)


@dataclass(frozen=True)
class Work:
    """What a student wrote in a notebook.

    Attributes:
        pieces: the release's given cells, then the student's cells, each with its label.
        dropped: the removed lines that are not Python.
        given: what is to say about given cells that the student changed, in sentences.
        aside: the names that only cells make which grading does not run.
    """

    pieces: Pieces
    dropped: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    aside: frozenset[str] = frozenset()


def work_of(cells: Sequence[NotebookCell], assignment: Assignment, name: str = "") -> Work:
    """Return the work in the cells of a notebook, called `name` in the labels. The same for grading and for `check`.

    Raises Rejected if there are too many cells with code.
    """
    given, steps = assignment.sources("given"), assignment.by_step
    before = f"{name}, cell" if name else "cell"
    pieces = [(f"{before} {_beginning(source)}", source) for source in given.values()]
    numbers = dict.fromkeys((label for label, _ in pieces), 0)
    dropped: list[str] = []
    aside: set[str] = set()
    additions = Additions(given)
    for cell in cells:
        # A step's cell that a student turned into Markdown by accident is still the step.
        if cell.kind != "code" and cell.id not in steps:
            continue
        source, magics = without_magics(cell.source)
        if not cell.counts:
            aside.update(names_in(source))
            continue
        source = additions.only(cell, without_check_lines(source))
        if cell.id in given and not source:
            continue
        label = f"{before} {cell.place(steps)}"
        if numbers.setdefault(label, cell.number) != cell.number:
            label = f"{label} (cell number {cell.number})"
        pieces.append((label, source))
        dropped += magics
    if any(_DISPLAYS.search(source) for _, source in pieces):
        pieces.insert(0, (f"{before} of IPython", _DISPLAY))
    if len(pieces) > MAX_ITEMS:  # limit of a request
        raise Rejected(
            f"`{name}` has more than {MAX_ITEMS:,} cells with code. Remove what you do not need, and hand it in again."
        )
    return Work(tuple(pieces), tuple(dropped), additions.words(), frozenset(aside))


def _beginning(source: str) -> str:
    """Return how a student finds a given cell: by its first line."""
    first = source.strip().partition("\n")[0]
    return f"that begins with `{one_line(first, _LONGEST_LINE)}`"


def with_ids(cells: Sequence[NotebookCell], released: Mapping[str, str]) -> Sequence[NotebookCell]:
    """Return the cells; if none has the id of a released cell, those that are like one get its id.

    Some front ends and tools drop the ids, or have their own.

    Args:
        released: the source of each released cell that is not the student's to write, by its id.
    """
    if any(cell.id in released for cell in cells):
        return cells
    known = {name: texts_of(source) for name, source in released.items()}
    characters = MAX_GIVEN
    found = []
    for cell in cells:
        characters -= len(cell.source)
        name = like(cell.source, known) if characters > 0 and cell.kind == "code" else ""
        found.append(replace(cell, id=name, alike=True) if name else cell)
    return found


def like(source: str, released: Mapping[str, Statements]) -> str:
    """Return the id of the released cell that has more than half of its statements here; empty if none has.

    For a cell that grading does not run they must also be more than half of the statements here. Of any other this one
    must make a name that is not imported: students import the same in cells of their own.
    """
    texts = texts_of(without_magics(source)[0])
    for name, others in released.items():
        aside = bool(_NOT_GRADED.match(name))
        most = max(len(texts), len(others)) if aside else len(others)
        if 2 * len(texts.keys() & others) > most and (aside or _made(texts) & _made(others)):
            return name
    return ""


def texts_of(source: str) -> dict[str, ast.stmt]:
    """Return the statements of a cell by texts that are the same whatever the layout is."""
    return {_text(node): node for node in _statements(source)}


def _made(statements: Statements) -> set[str]:
    """Return the names that these statements make, without those that they import."""
    imports = ast.Import | ast.ImportFrom
    makers = (node for node in statements.values() if not isinstance(node, imports))
    return {name for node in makers for name in names_bound(node)}


def _text(statement: ast.stmt) -> str:
    try:
        return ast.dump(statement)
    except RecursionError:  # nested so deeply that it is like no other
        return ""


class Additions:
    """What a student added to given cells. What they changed there, or left out, counts as it was released.

    A cell is parsed one statement at a time, up to a limit for all cells together: a submission may be anything.

    Args:
        given: the source of each given cell of the release, by its id.
    """

    def __init__(self, given: Mapping[str, str]) -> None:
        self._given = {name: texts_of(source) for name, source in given.items()}
        self._characters = MAX_GIVEN
        self._kept: set[str] = set()
        self._changed: dict[str, set[str]] = {}

    def only(self, cell: NotebookCell, source: str) -> str:
        """Return a given cell's source with `pass` for all that is not the student's own; any other as it is.

        Of a cell that is only alike nothing is said that it lacks, and nothing if it has more of the student than of
        the release.
        """
        released = self._given.get(cell.id)
        if released is None:
            return source
        own = {name for node in released.values() for name in names_bound(node)}
        for _, fits in limited([("", source)], self._characters):
            self._characters -= len(fits)
            nodes = list(_statements(fits))
        texts = list(map(_text, nodes))
        theirs = [node for node, text in zip(nodes, texts, strict=True) if text not in released]
        added: set[int] = set()
        kept: set[str] = set()
        changed: set[str] = set()
        for node in theirs:
            bound = names_bound(node)
            if bound and own.issuperset(bound):
                changed.update(bound)
            else:
                kept.update(bound)
                added.add(id(node))
        if not cell.alike:
            changed.update(*(names_bound(released[text]) for text in released.keys() - set(texts)))
        if changed - kept:
            self._changed.setdefault(cell.place(), set()).update(changed - kept)
        left = without(source, [node for node in nodes if id(node) not in added])
        if not _has_code(left):
            return ""
        if not cell.alike or 2 * len(theirs) < len(nodes):
            self._kept.add(cell.place())
        return left

    def words(self) -> tuple[str, ...]:
        """Return what the student should know, in sentences."""
        changed = (
            f"In the given cell {cell} your change of {_in_quotes(names)} does not count: "
            f"{'it is' if len(names) == 1 else 'they are'} as released."
            for cell, names in self._changed.items()
        )
        added = f"What you added to the given cell {', '.join(sorted(self._kept))} counts."
        return (*changed, *((added,) if self._kept else ()))


def _in_quotes(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names))


def _has_code(source: str) -> bool:
    """Return whether there is more in a source than `pass` and comments."""
    lines = (line.partition("#")[0].replace("pass", "") for line in source.split("\n"))
    return any(line.strip(" \t;") for line in lines)


def _statements(source: str) -> Iterable[ast.stmt]:
    """Yield the statements of a source that can be parsed, with their lines in it."""
    for part in margin_parts(source):
        tree = parsed(part.text) if len(part.text) <= MAX_STATEMENT else None
        if tree is not None:
            yield from ast.increment_lineno(tree, part.first - 1).body


def holds_notebook(text: str) -> bool:
    """Return whether a text is a notebook's, whatever its file is called."""
    return text.lstrip().startswith("{") and '"cells"' in text and '"nbformat"' in text


def notebook_cells(name: str, text: str) -> list[NotebookCell]:
    """Return all cells of a submitted notebook. Raises Rejected if the text is not a notebook."""
    found: list[NotebookCell] = []
    fault = "its text is not JSON, or nested too deeply"
    try:
        # Not nbformat: it validates, which is slow, and it warns and changes duplicate ids.
        content = json.loads(_SURROGATES.sub(lambda one: one[1] or r"\ufffd", text))
        fault = f"it has no cells in one of Jupyter's formats {_OLDEST} to {_FORMAT}"
        for number, cell in enumerate(_cells_of(name, content), start=1):
            fault = f"its cell number {number} has no type, or no text"
            found.append(_cell(number, cell))
    except Rejected:
        raise
    except Exception:  # noqa: BLE001 - a damaged notebook may lack or hold anything
        raise Rejected(_unreadable(name, text, fault)) from None
    return found


def _unreadable(name: str, text: str, fault: str) -> str:
    if _PYTHON.search(text) and not text.lstrip().startswith(("{", "[")):
        source = f"{name.removesuffix('.ipynb')}.py"
        holds = f"`{name}` is not a notebook that can be read (it holds Python text)"
        return f"{holds}. Name it `{source}`, and hand it in again."
    if not text.strip():
        return f"`{name}` is empty. Hand in the notebook that holds your work."
    if "<<<<<<< " in text:
        return (
            f"`{name}` has marks of a merge conflict (`<<<<<<<`). Choose one of the two versions "
            "(`git checkout --ours` or `--theirs`), and hand it in again."
        )
    if text.count("{") > text.count("}"):
        return (
            f"`{name}` is cut off: its text ends in the middle, perhaps because an upload stopped. "
            "Hand in the whole file."
        )
    return (
        f"`{name}` is not a notebook that can be read: {fault}. "
        "Open it in Jupyter, save it, and hand it in again."
    )


def _cells_of(name: str, content: Any) -> Any:
    if _OLDEST <= content["nbformat"] < _FORMAT:
        cells = [cell for sheet in content["worksheets"] for cell in sheet["cells"]]
    elif content["nbformat"] == _FORMAT:
        cells = content["cells"]
    else:
        raise ValueError(content["nbformat"])
    if len(cells) > MAX_CELLS:
        raise Rejected(
            f"`{name}` has more than {MAX_CELLS:,} cells. Remove what you do not need, and hand it in again."
        )
    return cells if content["nbformat"] == _FORMAT else map(_upgraded, cells)


def _upgraded(cell: Any) -> Any:
    """Return a cell of an older format in the present one, by nbformat's own rules.

    Outputs and the levels of headings do not count, and may be without end. Such cells have no ids; nbformat draws one.
    """
    from nbformat import NotebookNode  # noqa: PLC0415 - heavy and rarely needed
    from nbformat.v4.convert import upgrade_cell  # noqa: PLC0415

    # Format 3 has line ends in its lists of lines, format 2 has none.
    texts = {
        key: ("" if "\n" in "".join(cell[key]) else "\n").join(cell[key])
        for key in ("input", "source")
        if isinstance(cell.get(key), list)
    }
    old = NotebookNode({**cell, **texts, "outputs": [], "level": 1})
    return {**upgrade_cell(old), "id": ""}


def _cell(number: int, cell: Any) -> NotebookCell:
    kind = str(cell["cell_type"])
    metadata = cell.get("metadata") or {}
    nbgrader = metadata.get("nbgrader") or {}
    name = nbgrader.get("grade_id") or cell.get("id") or ""
    source = cell.get("source", "")
    if source is None:  # an empty cell, as some tools write it
        source = ""
    if isinstance(source, list):  # a list of lines
        source = "".join(source)
    if not isinstance(source, str):
        raise TypeError("a cell's source is no text")
    tags = tuple(tag for tag in metadata.get("tags") or () if isinstance(tag, str))
    run = _run(cell.get("execution_count"))
    return NotebookCell(number, kind, str(name), source, tags, run, nbgrader)


def _run(count: object) -> int | None:
    return count if type(count) is int and 0 < count < _LARGEST_COUNT else None
