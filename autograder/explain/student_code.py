"""The source of a submission, read for explanations and never run.

A submission may be anything. So only one definition at a time is parsed, up to a limit, and what cannot be read is
None. All line numbers are those of the student's file or cell.
"""

from __future__ import annotations

import ast
import bisect
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from autograder.explain.syntax import called, names_read, nodes, stored_on_self, unused_arguments
from autograder.explain.wording import line_words
from autograder.python_source import excerpt, limited, margin_parts, named_lines, parsed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from autograder.explain.syntax import Function
    from autograder.python_source import Lines, NamedLine
    from autograder.results import Frame

MOST_CHARACTERS = 1_000_000  # of all pieces together
MOST_OF_A_DEFINITION = 20_000
MOST_DEFINITIONS = 2_000
MOST_CALLED = 10
QUOTED = 80
_DEBUGGERS = ("breakpoint", "set_trace")


@dataclass(frozen=True, eq=False)
class Definition:
    """One function or class at the left margin, parsed.

    Attributes:
        code: the submission that it stands in.
        label: the name of the file or cell.
        line: the line of its first line.
        text: its source, without decorators.
        node: its syntax tree, with the line numbers of the file or cell.
        is_decorated: whether it has any.
    """

    code: StudentCode
    label: str
    line: int
    text: str
    node: Function | ast.ClassDef
    is_decorated: bool = False

    def quote(self, node: ast.expr | ast.stmt) -> str:
        """Return what the student wrote for a node, on one line and cut if it is long."""
        first, last = node.lineno - self.line, (node.end_lineno or node.lineno) - self.line
        rows = [f"{row}\n" for row in self.text.split("\n")[first : last + 1]]
        words = " ".join(excerpt(rows, node.col_offset, node.end_col_offset).split())
        return words if len(words) <= QUOTED else words[:QUOTED] + "..."

    @cached_property
    def methods(self) -> dict[str, ast.FunctionDef]:
        """The functions directly in a class, by name."""
        body = self.node.body if self.function is None else []
        return {node.name: node for node in body if isinstance(node, ast.FunctionDef)}

    @property
    def function(self) -> Function | None:
        """The function; None if it is a class."""
        return None if isinstance(self.node, ast.ClassDef) else self.node

    @property
    def functions(self) -> list[Function]:
        """The function itself, or the methods of a class."""
        return [self.function] if self.function else [*self.methods.values()]

    @cached_property
    def stored(self) -> dict[str, ast.Attribute]:
        """What `__init__`, and the methods that it may call, store on self, each with its place."""
        found: dict[str, ast.Attribute] = {}
        for name, method in self.methods.items():
            if name != "forward":
                found = stored_on_self(method) | found
        return found


def never_read(definition: Definition | None) -> str:
    """Return the only argument that a function never reads; empty if there is none, or more than one."""
    function = definition.function if definition else None
    unused = unused_arguments(function, method=False) if function else []
    return unused[0] if len(unused) == 1 else ""


@dataclass(frozen=True)
class Submitted:
    """A submission as explanations see it.

    Attributes:
        code: its source.
        stubs: the released source of each step, by name.
        names: the functions and classes that the file defined when it ran.
        aside: the names that only cells make which are not part of it.
    """

    code: StudentCode
    stubs: Mapping[str, str]
    names: tuple[str, ...] = ()
    aside: frozenset[str] = frozenset()

    def released(self, step: str) -> Definition | None:
        """Return the definition of a step in the release; None if it is no step."""
        return StudentCode([("", self.stubs.get(step, ""))]).definition(step)


class StudentCode:
    """The pieces of a submission, in which definitions are looked up by name."""

    def __init__(self, pieces: Iterable[tuple[str, str]]) -> None:
        self._pieces = list(limited(pieces, MOST_CHARACTERS))
        self._parsed: dict[NamedLine, Definition | None] = {}

    @cached_property
    def _named(self) -> list[NamedLine]:
        """The lines that give something a name."""
        return [
            one
            for piece, (label, text) in enumerate(self._pieces)
            for one in named_lines(text, piece, label)
        ]

    @cached_property
    def headers(self) -> list[NamedLine]:
        """The first lines of all functions and classes, at any indentation."""
        return [one for one in self._named if one.kind == "defined"][:MOST_DEFINITIONS]

    @cached_property
    def variables(self) -> dict[str, tuple[str, int]]:
        """The variables that the file assigns at the left margin, with the label and line of each."""
        return {one.name: (one.label, one.line) for one in self._named if one.kind == "assigned"}

    @cached_property
    def imported(self) -> set[str]:
        """The names that the file imports at the left margin."""
        return {one.name for one in self._named if one.kind == "imported"}

    @cached_property
    def defined(self) -> dict[str, NamedLine]:
        """The last definition at the left margin for each name."""
        return {header.name: header for header in self.headers if header.indent == 0}

    def definition(self, name: str) -> Definition | None:
        """Return the last definition of a function or class at the left margin; None if there is none."""
        header = self.defined.get(name)
        return self._read(header) if header else None

    def around(self, frame: Frame) -> Definition | None:
        """Return the definition in which a line of a traceback stands."""
        before = [
            header
            for header in self.headers
            if header.label == frame.file and header.indent == 0 and header.line <= frame.line
        ]
        found = self._read(before[-1]) if before else None
        end = (found.node.end_lineno or 0) if found else 0
        return found if frame.line <= end else None

    def called_by(self, definition: Definition) -> Iterator[Definition]:
        """Yield a definition, and the student's own functions that it calls, directly or indirectly."""
        waiting, seen = [definition], {definition.node.name}
        while waiting:
            caller = waiting.pop(0)
            yield caller
            for name in names_read(caller.node):
                if name in self.defined and name not in seen and len(seen) <= MOST_CALLED:
                    seen.add(name)
                    called = self.definition(name)
                    waiting += [called] if called else []

    def debugger_in(self, step: str) -> str:
        """Return the call of a debugger in a step or what it calls, and its line; empty if there is none."""
        named = any(name in text for name in _DEBUGGERS for _, text in self._pieces)
        definition = self.definition(step) if named else None
        for one in self.called_by(definition) if definition else ():
            for node in nodes(one.node, ast.Call):
                if called(node) in _DEBUGGERS:
                    return f"`{one.quote(node)}` in {line_words(one.label, node.lineno)}"
        return ""

    def _read(self, header: NamedLine) -> Definition | None:
        if header not in self._parsed:
            self._parsed[header] = self._parse(header)
        return self._parsed[header]

    def _parse(self, header: NamedLine) -> Definition | None:
        node = self._statement(header)
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            return None
        ast.increment_lineno(node, header.line - 1)
        decorated = self._part(header).first < header.line
        return Definition(self, header.label, header.line, self._text(header), node, decorated)

    def _statement(self, named: NamedLine) -> ast.stmt | None:
        """Return the statement at the left margin that gives a name; None if it cannot be read."""
        text = self._text(named)
        tree = parsed(text) if len(text) <= MOST_OF_A_DEFINITION else None
        return tree.body[0] if tree is not None and len(tree.body) == 1 else None

    def _text(self, named: NamedLine) -> str:
        part = self._part(named)
        return part.text.split("\n", named.line - part.first)[-1]  # without decorators

    def _part(self, named: NamedLine) -> Lines:
        """Return the lines of the statement at the left margin that gives a name."""
        parts = self._parts[named.piece]
        return parts[bisect.bisect_right(parts, named.line, key=lambda part: part.first) - 1]

    @cached_property
    def _parts(self) -> list[list[Lines]]:
        return [list(margin_parts(text)) for _, text in self._pieces]
