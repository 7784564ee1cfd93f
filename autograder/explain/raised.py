"""An exception with its place in the student's source: what raised it, and what the trace says of the values there."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from autograder.explain.messages import PRODUCT, RESHAPED, SIZES_DIFFER
from autograder.explain.syntax import (
    is_on,
    method_at,
    names_made,
    nodes,
    statement_at,
    walk,
)
from autograder.explain.wording import line_words
from autograder.python_source import parsed, path_of
from autograder.values.values import Array, DictValue, ListValue

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from autograder.explain.student_code import Definition, StudentCode, Submitted
    from autograder.explain.trace import Described, Event, Trace
    from autograder.results import Frame, StudentError
    from autograder.values.values import Value

    # What an expression was, alone; nothing if that is not known.
    Seen = tuple["Value | Described", ...]

# What messages call a function that was not called.
FUNCTION_TYPES = ("builtin_function_or_method", "method", "function")


class Made(NamedTuple):
    """What gave a name its value.

    Attributes:
        verb: how a line did that.
        line: the number of the line.
        node: what was assigned, what a loop runs over, or the change, such as `i += 1`.
        is_value: the node is the value as a whole.
    """

    verb: str
    line: int
    node: ast.expr | ast.stmt
    is_value: bool = False


@dataclass(frozen=True, eq=False)
class Raised:
    """An exception, with the place in the student's source where it was raised.

    Attributes:
        given: the attributes of the objects that the step was called with.
        inputs: what the function was called with that raised it, if that is known.
        wanted: the type of the exception that was asked for in place of it; empty if none was.
        trace: what the expressions computed before, in a run that raised the same; None if there is none.
        sizes: the sizes and whole numbers that may be shown.
    """

    error: StudentError
    submitted: Submitted
    given: tuple[str, ...] = ()
    inputs: Mapping[str, Value] = field(default_factory=dict)
    wanted: str = ""
    trace: Trace | None = None
    sizes: frozenset[int] = frozenset()

    @property
    def code(self) -> StudentCode:
        """The source of the submission."""
        return self.submitted.code

    @property
    def frame(self) -> Frame | None:
        """The line that raised it; None if that is not the student's."""
        return self.error.frames[-1] if self.error.frames else None

    @property
    def line(self) -> int:
        """The number of this line; 0 if there is none."""
        return self.frame.line if self.frame else 0

    @cached_property
    def definition(self) -> Definition | None:
        """The function or class at the left margin in which the line stands."""
        return self.code.around(self.frame) if self.frame else None

    @cached_property
    def function(self) -> ast.FunctionDef | None:
        """The innermost function in which the line stands."""
        return method_at(self.definition.node, self.line) if self.definition else None

    @cached_property
    def stored(self) -> dict[str, ast.Attribute]:
        """The attributes that the class stores on self outside of `forward`."""
        return self.definition.stored if self.definition else {}

    @cached_property
    def statement(self) -> ast.stmt | None:
        """The statement on this line; None if it could not be read."""
        if self.definition is not None:
            column = self.error.span[1] if self.error.span else 0
            return statement_at(self.definition.node, self.line, column)
        text = self.frame.text if self.frame else ""
        tree = parsed(f"{text} pass" if text.endswith(":") else text)
        if tree is None or len(tree.body) != 1:
            return None
        return ast.increment_lineno(tree.body[0], self.line - 1)

    @cached_property
    def node(self) -> ast.AST | None:
        """The expression or statement that raised it."""
        around: ast.AST | None = self.statement
        around = around.value if isinstance(around, ast.Expr) else around
        place = self.error.place
        if around is None or not place or place == _place(around):
            return around
        there = [*nodes(around, ast.expr)]
        exact = [one for one in there if _place(one) == place]
        # A method that stands on a line of its own begins there, says Python.
        ends = [one for one in there if _place(one)[1::2] == place[1::2]]
        calls = [one for one in ends if isinstance(one, ast.Call | ast.Attribute)]
        return (exact or calls or [around])[0]

    def quote(self, node: ast.expr | ast.stmt) -> str:
        """Return what the student wrote for a node, in one line."""
        return self.definition.quote(node) if self.definition else ast.unparse(node)

    def place_of(self, line: int) -> str:
        """Return where a line of the same file or cell stands."""
        return line_words(self.frame.file if self.frame else "", line)

    def seen(self, node: ast.AST) -> Seen:
        """Return the value of an expression: of the trace, or of the question's inputs."""
        if (found := self._at(node)) or not isinstance(node, ast.Name):
            return found
        made = self.maker(node.id)
        if made is None:
            return (self.inputs[node.id],) if node.id in self.inputs else ()
        return self._at(made.node) if made.is_value else ()

    def _at(self, node: ast.AST) -> Seen:
        if event := self._events.get((type(node), *_place(node))):
            return (event.value,)
        value = node.value if isinstance(node, ast.Constant) else ...
        return (value,) if value is None or isinstance(value, bool | int | float | str) else ()

    @cached_property
    def _events(self) -> dict[tuple[object, ...], Event]:
        """The last event of each expression in the piece, by its kind and place."""
        label = self.frame.file if self.frame else ""
        events = self.trace.events if self.trace else ()
        return {
            (type(one.site.node), *_place(one.site.node)): one
            for one in events
            if one.site.label == label and not one.site.by
        }

    def maker(self, path: str) -> Made | None:
        """Return what gave a variable its value before the line, or stored it on self; None if nothing did."""
        kept = path.startswith("self.") and self.definition is not None
        tree = self.definition.node if kept and self.definition else self.function
        parts = [*walk(tree)] if tree and path else []
        loops = [part for part in parts if isinstance(part, ast.For | ast.While)]
        again = {id(part) for loop in loops if is_on(loop, self.line) for part in walk(loop)}
        found = [
            made
            for part in parts
            for made in _made(part, path)
            if kept
            or (made.line <= self.line and (part is not self.statement or id(part) in again))
            or (part is made.node and id(part) in again)
        ]
        return max(found, key=lambda made: made.line, default=None)


def _made(part: ast.AST, path: str) -> Iterator[Made]:
    """Yield what a node of the source does with a variable or an attribute."""
    match part:
        case ast.Assign(targets=[target, *_], value=value):
            if path_of(target) == path:
                yield Made("made in", part.lineno, value, is_value=True)
            elif path in map(path_of, getattr(target, "elts", ())):
                yield Made("taken from", part.lineno, value)
        case ast.AugAssign(target=target) if path_of(target) == path:
            yield Made("changed in", part.lineno, part)
        case ast.For(target=target, iter=over) | ast.comprehension(target=target, iter=over):
            if path in names_made(target):
                yield Made("from the loop of", over.lineno, over)
        case ast.Call(args=[ast.Constant(value=str(name)), value]) if path == f"self.{name}":
            yield Made("made in", part.lineno, value, is_value=True)


def _place(node: ast.AST) -> tuple[int, ...]:
    parts = ("lineno", "end_lineno", "col_offset", "end_col_offset")
    return tuple(getattr(node, part, 0) for part in parts)


# What may be shown, and what an exception says of itself.

_NUMBER = re.compile(r"\d{1,9}")
_SMALL = 8


def shown_sizes(inputs: Iterable[Value], error: StudentError) -> frozenset[int]:
    """Return the sizes and whole numbers that may be shown: those of a question, small ones, and what is shown anyway.

    A head's width is a quotient of two of them, the number of all entries a product.
    """
    said = [error.message, *(frame.text for frame in error.frames)]
    found = {int(number) for text in said for number in _NUMBER.findall(text)}
    asked = {size for value in inputs for size in _sizes(value)}
    both = {one * other for one in asked for other in asked}
    parts = {one // other for one in asked for other in asked if other > 0}
    return frozenset({*range(_SMALL + 1), *found, *asked, *both, *parts})


def _sizes(value: Value) -> Iterator[int]:
    """Yield the sizes that an input has, or is."""
    match value:
        case Array():
            yield from value.data.shape
        case int():
            yield value
        case ListValue(items=items):
            yield len(items)
        case DictValue(items=items):
            yield len(items)
            for _, one in items:
                yield from _sizes(one) if isinstance(one, Array) else ()
        case str():
            yield len(value.split())


_NOT_DEFINED = re.compile(r"name '(\w+)' is not defined")
_OF_SHAPES = re.compile(f"{SIZES_DIFFER}|{PRODUCT}|{RESHAPED}")


def is_of_shapes(error: StudentError) -> bool:
    """Return whether an exception says that shapes do not fit."""
    return _OF_SHAPES.search(error.message) is not None


def name_missed(error: StudentError) -> str:
    """Return the name that an exception misses; else an empty text."""
    missed = _NOT_DEFINED.search(error.message) if error.type == "NameError" else None
    return missed[1] if missed else ""


def was_forbidden(error: StudentError) -> bool:
    """Return whether access was denied. Torch's own file functions raise a RuntimeError that says so."""
    return error.type == "PermissionError" or "Permission denied" in error.message


def lacked_memory(error: StudentError) -> bool:
    """Return whether memory ran out. Torch raises a RuntimeError that says so."""
    return error.type.endswith("MemoryError") or "can't allocate memory" in error.message
