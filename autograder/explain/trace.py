"""What the expressions of a submission computed, read from a worker's records beside the same source.

The worker says numbers of sites and values; what is quoted comes from the source. Records that do not fit are left out:
a worker may say anything.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Literal

from autograder.assignment.recorder import (
    MOST_NUMBERS,
    MOST_RECORDS,
    MOST_SITES,
    MOST_TRACED,
    RECORDED_VALUE,
    sites,
)
from autograder.explain.syntax import called, names_made
from autograder.no_warnings import quiet
from autograder.python_source import excerpt, statements_of
from autograder.text import clean_text, numbers_written, one_line, without_own_numbers
from autograder.values.numbers import arrays_in
from autograder.values.values import ListValue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from autograder.assignment.recorder import Changing
    from autograder.explain.syntax import Function
    from autograder.values.values import Value

_HEAD = 5
_DESCRIBED = ("large", "module", "class", "layer", "function")
_MOST_NAME = 60


@dataclass(frozen=True)
class SourceSite:
    """A site in its source.

    Attributes:
        label: the name of the file or cell.
        text: the source of the piece.
        function: the innermost function.
        top: the name of the function or class at the left margin in which it stands.
        numbers: of each node of its statement that is a site but no note, the number, and whether it is `called`.
        by: of a note, the statement that changes the object; None for what is no note.
    """

    node: ast.expr
    label: str
    text: str
    function: ast.FunctionDef
    top: str
    numbers: dict[int, tuple[int, bool]]
    by: Changing | None

    @property
    def line(self) -> int:
        """The number of its first line."""
        return self.node.lineno

    @cached_property
    def children(self) -> tuple[int, ...]:
        """The numbers of the nearest sites in it; of a note, those in the value that is stored."""
        below: Iterable[ast.AST] = [self.by.value] if self.by else ast.iter_child_nodes(self.node)
        return tuple(_nearest(below, self.numbers))

    @cached_property
    def source(self) -> str:
        """The text of the expression, in one line."""
        return self.quote(self.node)

    def quote(self, node: ast.expr | ast.stmt) -> str:
        """Return the text of a node of the same source, in one line."""
        lines = _lines(self.text)[node.lineno - 1 : node.end_lineno]
        return " ".join(excerpt(lines, node.col_offset, node.end_col_offset).split())


@lru_cache(maxsize=4)  # a hand-in may be large
def _lines(text: str) -> list[str]:
    """Return the lines of a source, as Python counts them."""
    return re.split(r"(?<=\n)|(?<=\r)(?!\n)", text)


@dataclass(frozen=True)
class Described:
    """A value that was not sent: a function, a module, a class, a layer, or a large array with its dtype and shape."""

    what: str
    name: str
    dtype: str = ""
    shape: tuple[int, ...] = ()


@dataclass(frozen=True)
class Event:
    """One value of one site.

    Attributes:
        round: how often the site had a value before.
        operands: the events that made it: of the expressions in it, and of the same object before.
        thing: the number of the object; 0 for a plain value.
    """

    site: SourceSite
    number: int
    round: int
    value: Value | Described
    operands: tuple[int, ...]
    thing: int

    @property
    def is_read(self) -> bool:
        """Whether a variable is read, and nothing is computed."""
        return isinstance(self.site.node, ast.Name)

    @property
    def plain(self) -> Value:
        """The value; None if it was not sent."""
        return None if isinstance(self.value, Described) else self.value


class SiteTable:
    """The sites of a submission's pieces, in order."""

    def __init__(self, pieces: Sequence[tuple[str, str]]) -> None:
        self._pieces = pieces

    @cached_property
    def written(self) -> frozenset[str]:
        """The numbers in the source."""
        return numbers_written("\n".join(text for _, text in self._pieces))

    @cached_property
    def statements(self) -> tuple[tuple[str, str, ast.stmt], ...]:
        """The statements that are traced, each with the label and the source of its piece."""
        with quiet():  # the worker gives the warnings
            return tuple(
                (label, source, one.tree)
                for label, source, one in statements_of(self._pieces, MOST_TRACED)
                if one.tree is not None
            )

    @cached_property
    def sites(self) -> tuple[SourceSite, ...]:
        """All sites; the worker counts them in this order."""
        found: list[SourceSite] = []
        for label, source, statement in self.statements:
            own = sites(statement)
            top = str(getattr(statement, "name", ""))
            numbers = {
                id(one.node): (n, one.role == "called")
                for n, one in enumerate(own, len(found))
                if one.role != "note"
            }
            if len(found) + len(own) <= MOST_SITES:
                found += [
                    SourceSite(one.node, label, source, one.function, top, numbers, one.by)
                    for one in own
                ]
        return tuple(found)


def _nearest(nodes: Iterable[ast.AST], numbers: dict[int, tuple[int, bool]]) -> Iterator[int]:
    for node in nodes:
        number, goes_on = numbers.get(id(node), (None, True))
        if number is not None:
            yield number
        # A method stands in brackets of its own, and has no value on the way.
        if goes_on:
            yield from _nearest(ast.iter_child_nodes(node), numbers)


@dataclass(frozen=True)
class Origin:
    """Where a name has its value from, if that is worth a word.

    Attributes:
        kind: a variable of the `file`, or one that is `called`.
        label, line: the place that gives it the value.
    """

    kind: Literal["file", "called"]
    label: str
    line: int


@dataclass(frozen=True)
class Trace:
    """The events of one run, in order."""

    table: SiteTable
    events: tuple[Event, ...]

    def origins(self, site: SourceSite) -> Iterator[tuple[str, Origin]]:
        """Yield the names in an expression that are not the function's own, and where from."""
        read = [one.id for one in ast.walk(site.node) if isinstance(one, ast.Name)]
        for name in dict.fromkeys(read):
            origin = self._origin(name, site)
            if origin is not None:
                yield name, origin

    def calls(self) -> Iterator[tuple[str, tuple[Value, ...], Value]]:
        """Yield the calls of traced functions: the name, the arguments and the result; None for what was not sent."""
        own = {event.site.top for event in self.events}
        for event in self.events:
            node = event.site.node
            if isinstance(node, ast.Call) and (name := called(node)) in own and not node.keywords:
                made = {self.events[one].site.node: self.events[one] for one in event.operands}
                given = (made[one].plain if one in made else None for one in node.args)
                yield name, tuple(given), event.plain

    def given_to(self, function: Function) -> dict[str, Value]:
        """Return the arguments of the last call of a function, by its parameters; without those that were not sent."""
        last: dict[ast.AST, int] = {}
        for at, event in enumerate(self.events):
            last |= {} if event.site.by else {event.site.node: at}
        calls = [site.node for site in self.table.sites if called(site.node) == function.name]
        places = (
            (max((last.get(one, -1) for one in ast.walk(call)), default=-1), call)
            for call in calls
            if isinstance(call, ast.Call)
        )
        _, call = max(places, key=itemgetter(0), default=(-1, None))
        if call is None:
            return {}
        names = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
        given = dict(zip(names, call.args, strict=False))
        given |= {one.arg: one.value for one in call.keywords if one.arg}
        values = {
            name: self.events[last[one]].value if one in last else getattr(one, "value", None)
            for name, one in given.items()
            if one in last or isinstance(one, ast.Constant)
        }
        return {name: one for name, one in values.items() if not isinstance(one, Described)}

    def _origin(self, name: str, site: SourceSite) -> Origin | None:
        function = site.function
        if name in names_made(function):
            return None
        for label, _, one in self.table.statements:
            if isinstance(one, ast.Assign) and name in names_made(one):
                return Origin("called" if called(site.node) == name else "file", label, one.lineno)
        return None


def read_trace(
    records: Value, table: SiteTable, is_closed: Callable[[str], bool] = lambda _: False
) -> Trace:
    """Return the trace that a worker's records tell.

    `is_closed` says of a function or class at the left margin whether only what it returns is of interest.
    """
    every = table.sites
    found: list[Event] = []
    newest: dict[int, int] = {}
    made: dict[int, int] = {}
    items = records.items if isinstance(records, ListValue) else ()
    for item in items[:MOST_RECORDS]:
        read = _record(item, len(every), table.written)
        if read is None:
            continue
        number, count, thing, elements, value = read
        site = every[number]
        if is_closed(site.top):
            continue
        operands = [newest[child] for child in site.children if child in newest]
        operands += [made[one] for one in (thing, *elements) if one in made]
        event = Event(site, number, count, value, tuple(dict.fromkeys(operands)), thing)
        for one in (thing, *elements):
            if one:
                made[one] = len(found)
        newest[number] = len(found)
        found.append(event)
    return Trace(table, tuple(found))


def _record(
    item: Value, count: int, written: frozenset[str]
) -> tuple[int, int, int, list[int], Value | Described] | None:
    """Return the site, the round, the object, its elements and the value of a record; None if it has another form."""
    parts = item.items if isinstance(item, ListValue) else ()
    match parts[:_HEAD]:
        case (int(number), int(rounds), int(thing), ListValue(items=elements), str(what)):
            known = [one for one in elements if type(one) is int]
        case _:
            return None
    if not 0 <= number < count:
        return None
    rest = parts[_HEAD:]
    if what == RECORDED_VALUE and len(rest) == 1:
        few = all(one.size <= MOST_NUMBERS for one in arrays_in(rest[0]))
        return (number, rounds, thing, known, rest[0]) if few else None
    if what not in _DESCRIBED or not rest or not isinstance(rest[0], str):
        return None
    name = without_own_numbers(one_line(clean_text(rest[0]), _MOST_NAME), written)
    dtype = next((one for one in rest[1:2] if isinstance(one, str)), "")
    shape = tuple(one for one in rest[2:] if type(one) is int)
    described = Described(what, name, one_line(clean_text(dtype), _MOST_NAME), shape)
    return number, rounds, thing, known, described
