"""What the variables of a traced function hold, and which elements its loops leave out."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from autograder.exam.right_values import names_assigned
from autograder.explain.syntax import names_made, names_read, nodes, walk
from autograder.explain.trace import Described
from autograder.values.values import Array, ListValue

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from autograder.explain.trace import Event
    from autograder.values.values import Value


class Variables:
    """The variables of the functions in a trace."""

    def __init__(self, events: Sequence[Event]) -> None:
        self._events = events

    @cached_property
    def _bound(self) -> dict[ast.expr, tuple[str, ...]]:
        functions = {event.site.function: None for event in self._events}
        return {node: names for one in functions for node, names in names_assigned(one).items()}

    def bound(self, number: int) -> tuple[str, ...]:
        """Return the variable that the value of an event is bound to, or those of its parts."""
        return self._bound.get(self._events[number].site.node, ())

    def named(self, number: int) -> tuple[str, ...]:
        """Return the names that an event has the values of: variables that are bound in one place, or a key.

        What is read may have got its value where the trace knows none.
        """
        site = self._events[number].site
        names = self.bound(number)
        match site.node:
            case ast.Subscript(slice=ast.Constant(str(key))):
                return (key,)
            case ast.Name(name):
                names = (name,)
        once = variables_once(site.function)
        return tuple(name if name in once else "" for name in names)

    @cached_property
    def kinds(self) -> dict[str, str]:
        """What the names and attributes hold: an array, a number, or something else."""
        found: dict[str, str] = {}
        for number, event in enumerate(self._events):
            names = self.bound(number)
            items = event.value.items if isinstance(event.value, ListValue) else ()
            values = items if len(items) == len(names) > 1 else (event.value,)
            found.update(zip(names, map(_kind_of, values), strict=False))
            if isinstance(event.site.node, ast.Name | ast.Attribute):
                found[event.site.source] = _kind_of(event.value)
        return found

    def made(self, number: int) -> int | None:
        """Return the event that gave a variable its value, perhaps among others; None if none is read or known."""
        event = self._events[number]
        name = getattr(event.site.node, "id", "")
        for at in range(number - 1, -1, -1) if name else ():
            if name in self.bound(at) and self._events[at].site.function is event.site.function:
                return at
        return None


def _kind_of(value: Value | Described) -> str:
    if isinstance(value, Described):
        return "array" if value.what == "large" else value.what
    if isinstance(value, Array):
        return "array" if value.data.ndim else "number"
    return "number" if isinstance(value, int | float) else type(value).__name__


def variables_once(function: ast.FunctionDef) -> set[str]:
    """Return the variables of a function that are bound in one place."""
    stored = [one.id for one in nodes(function, ast.Name) if isinstance(one.ctx, ast.Store)]
    return {one for one in stored if stored.count(one) == 1}


def names_held(function: ast.FunctionDef) -> set[str]:
    """Return the names that a function binds, and the keys under which it reads."""
    keys = (getattr(one.slice, "value", "") for one in nodes(function, ast.Subscript))
    return names_made(function) | {one for one in keys if isinstance(one, str)}


def left_out(events: Sequence[Event], number: int) -> tuple[int, str] | None:
    """Return what a loop around an event runs over, and which indices it leaves out; None if it leaves out none."""
    site = events[number].site
    for loop in reversed([*nodes(site.function, ast.For)]):
        inside = any(site.by is one or site.node is one for body in loop.body for one in walk(body))
        header = [at for at, event in enumerate(events) if event.site.node is loop.iter]
        missing = _missing(events, loop, site.function) if inside and header else []
        if missing:
            name = getattr(loop.target, "id", "")
            return header[-1], f"{name} = {', '.join(map(str, missing))}"
    return None


def _missing(events: Sequence[Event], loop: ast.For, function: ast.FunctionDef) -> list[int]:
    """Return the indices that a loop's variable never is, of the axes that it is an index of."""
    reads = {one for one in nodes(loop, ast.Name) if one.id == getattr(loop.target, "id", "")}
    seen = [event for event in events if event.site.node in reads]
    values = [event.plain for event in seen]
    if any(type(one) is not int for one in values):
        return []  # it is no index
    if len(visited := {*values}) != rounds_of(events, loop, function):
        return []  # not all rounds are known
    places = [*_indices(events, function)]
    axes = {axis: size for axis, size, index in places if index in reads}
    size = min(axes.values(), default=0)
    visited |= {
        index.value % size
        for axis, _, index in places
        if axis in axes and isinstance(index, ast.Constant) and type(index.value) is int and size
    }
    return [one for one in range(size) if one not in visited]


def rounds_of(events: Sequence[Event], loop: ast.For, function: ast.FunctionDef) -> int:
    """Return how many rounds a loop of a function has each time; 0 if that is not known, or differs."""
    varying = {name for one in nodes(function, ast.For) for name in names_made(one.target)}
    inside = (node for one in loop.body for node in walk(one))
    runs = 0 if varying & names_read(loop.iter).keys() else _values(events, loop.iter)
    begun = ((_values(events, one), is_unfinished(events, one, function)) for one in inside)
    every = next((values + more for values, more in begun if values), 0)
    return every // runs if runs and not every % runs else 0


def is_unfinished(events: Sequence[Event], node: ast.AST, function: ast.FunctionDef) -> bool:
    """Return whether a function ended inside an expression, as it raised there."""
    own = (event.site for event in reversed(events) if event.site.function is function)
    last = next(own, None)
    return last is not None and not last.by and last.node is not node and last.node in {*walk(node)}


def _values(events: Sequence[Event], node: ast.AST) -> int:
    """Return how many values an expression had."""
    return max((event.round + 1 for event in events if event.site.node is node), default=0)


def _indices(
    events: Sequence[Event], function: ast.FunctionDef
) -> Iterator[tuple[tuple[str, int], int, ast.expr]]:
    """Yield each index in a function's source: the text of what it stands behind with the axis, the size, itself."""
    shapes = {
        ast.unparse(event.site.node): _shape(event)
        for event in events
        if event.site.function is function
    }
    for node in nodes(function, ast.Subscript):
        text = ast.unparse(node.value)
        indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        for axis, (size, index) in enumerate(zip(shapes.get(text, ()), indices, strict=False)):
            if isinstance(index, ast.Constant) and type(index.value) is not int:
                break  # an ellipsis, or a new axis
            yield (text, axis), size, index


def _shape(event: Event) -> tuple[int, ...]:
    value = event.value
    if isinstance(value, ListValue):
        return (len(value.items),)
    return value.data.shape if isinstance(value, Array) else getattr(value, "shape", ())
