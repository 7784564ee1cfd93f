"""The trace: what the expressions of a file's functions computed, in the order in which they did.

Functions are rewritten before they are compiled, so that each recorded expression (a site) tells the recorder its
value. The grader finds the sites in the same source by itself, in the same order: a record has the number of its site.
Nothing is recorded outside of `recording`, and only explanations depend on it.
"""

from __future__ import annotations

import ast
import contextlib
import sys
from collections import deque
from dataclasses import dataclass, field, replace
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any, Literal

from autograder.python_source import MOST_AT_ONCE
from autograder.values.values import Array, ListValue, Value, freeze_answer, parts_in, with_arrays

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Role = Literal["value", "called", "note"]

# The recorder's name in a module.
RECORDER = "__trace__"
# What stands before a value that is sent whole.
RECORDED_VALUE = "value"
LAYER = "layer"
MOST_RECORDS = 400
# The rounds of a site that are kept.
FIRST, LAST = 8, 2
# Expressions of a submission that are recorded, and the characters that they stand in: later ones are not.
MOST_SITES = 20_000
MOST_TRACED = MOST_AT_ONCE
# The values that are looked at; then nothing is recorded any more.
MOST_EVENTS = 20_000
# Numbers of an array that is sent whole, and values in all records together.
MOST_NUMBERS, MOST_VALUES = 2_000, 8_000
_MOST_ELEMENTS, _MOST_TEXT = 50, 60
_get_name = type.__dict__["__name__"].__get__

_RECORDED = (
    ast.Attribute, ast.BinOp, ast.BoolOp, ast.Call, ast.Compare, ast.IfExp, ast.ListComp, ast.Name, ast.Subscript,
    ast.UnaryOp,
)  # fmt: skip
# The statements that may change an object in place.
Changing = ast.Assign | ast.AugAssign | ast.Expr
# What is never rewritten: what is stored to, and what runs when a function is made.
_LEFT_NODES = (ast.arguments, ast.AsyncFunctionDef, ast.JoinedStr, ast.pattern)
_LEFT_FIELDS = {
    "decorator_list", "returns", "annotation", "targets", "target", "optional_vars", "type",
}  # fmt: skip


@dataclass(frozen=True)
class RecordedSite:
    """An expression whose value is recorded.

    Attributes:
        role: `called` stands before the brackets of a call: of what is called only layers are recorded. A `note` is a
            name whose object was changed by the statement.
        function: the innermost function.
        by: of a note, the statement that changes the object.
    """

    node: ast.expr
    role: Role
    function: ast.FunctionDef
    by: Changing | None = None


def sites(statement: ast.stmt) -> list[RecordedSite]:
    """Return the sites in the functions that a statement at the left margin defines, in the order of the source."""
    found: list[RecordedSite] = []
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        _collect(statement, None, found)
    return found


def _collect(
    node: ast.AST, function: ast.FunctionDef | None, found: list[RecordedSite], role: Role = "value"
) -> None:
    if isinstance(node, _LEFT_NODES):
        return
    if isinstance(node, ast.FunctionDef):
        function = node
    if isinstance(node, ast.ClassDef) or function is None:
        for part in getattr(node, "body", ()):
            if isinstance(part, ast.FunctionDef):
                _collect(part, function, found)
        return
    if isinstance(node, _RECORDED) and not isinstance(getattr(node, "operand", None), ast.Constant):
        found.append(RecordedSite(node, role, function))
    for name, child in ast.iter_fields(node):
        parts = child if isinstance(child, list) else [child]
        for part in parts if name not in _LEFT_FIELDS else ():
            if isinstance(part, ast.AST):
                _collect(part, function, found, "called" if name == "func" else "value")
    if isinstance(node, Changing):
        found += [RecordedSite(name, "note", function, node) for name in changed_names(node)]


def changed_names(node: ast.AST) -> Iterator[ast.Name]:
    """Yield the names of the objects that a statement changes in place, or may."""
    targets = node.targets if isinstance(node, ast.Assign) else []
    if isinstance(node, ast.AugAssign):
        targets = [node.target]
    match node:  # such as rows.append(row)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name() as name))):
            yield name
    for target in targets:
        if isinstance(target, ast.Name) and not isinstance(node, ast.AugAssign):
            continue
        names = [one for one in ast.walk(target) if isinstance(one, ast.Name)]
        read = [one for one in names if one is target or isinstance(one.ctx, ast.Load)]
        # The object stands before its indices.
        yield from sorted(read, key=lambda one: (one.lineno, one.col_offset))[:1]


class _Rewriter(ast.NodeTransformer):
    """Let each site tell its value to the recorder. The nodes keep their places."""

    def __init__(self, numbered: Iterable[tuple[int, RecordedSite]]) -> None:
        self._sites: dict[int, int] = {}
        self._notes: dict[int, int] = {}
        for number, site in numbered:
            (self._notes if site.role == "note" else self._sites)[id(site.node)] = number

    def visit(self, node: ast.AST) -> Any:
        """Rewrite a node and what stands in it."""
        notes = [
            ast.copy_location(ast.Expr(self._told(self._notes[id(name)], name)), node)
            for name in changed_names(node)
            if id(name) in self._notes
        ]
        number = self._sites.get(id(node))
        node = super().generic_visit(node)
        if number is not None:
            return self._told(number, node)
        return [node, *notes] if notes else node

    def _told(self, number: int, node: Any) -> ast.expr:
        value = ast.Name(node.id, ast.Load()) if isinstance(node, ast.Name) else node
        tell, parts = ast.Name(RECORDER, ast.Load()), [ast.Constant(number), value]
        for new in (tell, *parts):
            ast.copy_location(new, node)
        return ast.copy_location(ast.Call(tell, parts, []), node)


@dataclass
class _Record:
    number: int
    round: int
    thing: int
    elements: tuple[int, ...]
    value: Value | tuple[Value, ...]


@dataclass
class Recorder:
    """Records the values of sites while it is on."""

    _roles: list[Role] = field(default_factory=list)
    _on: bool = False
    _names: dict[str, object] = field(default_factory=dict)

    def prepare(self, module: ModuleType, statements: Iterable[ast.stmt]) -> None:
        """Rewrite the functions of these statements of a module, and number their sites from 0."""
        self._names = vars(module)
        self._names[RECORDER] = self
        for statement in statements:
            found = sites(statement)
            if found and len(self._roles) + len(found) <= MOST_SITES:
                _Rewriter(enumerate(found, len(self._roles))).visit(statement)
                self._roles += [site.role for site in found]

    @contextlib.contextmanager
    def recording(self) -> Iterator[None]:
        """Record in this block, and forget what was recorded before."""
        self._names[RECORDER] = self  # the module may have bound the name to something else
        self._events = 0
        self._first: list[tuple[int, _Record]] = []
        self._later: dict[int, deque[tuple[int, _Record]]] = {}
        self._rounds: dict[int, int] = {}
        # Objects are kept, so that no other one gets the same id.
        self._things: dict[int, tuple[int, object]] = {}
        self._on = True
        try:
            yield
        finally:
            self._on = False

    def __call__(self, number: int, value: Any) -> Any:
        """Record the value of a site, and return it."""
        if self._on:
            self._on = False  # a student's object may run code of the student's
            try:
                self._record(number, value)
            except Exception:  # noqa: BLE001 - then this value is not known
                pass
            finally:
                self._on = self._events < MOST_EVENTS
        return value

    def _record(self, number: int, value: object) -> None:
        self._events += 1
        if self._roles[number] == "called":
            if callable(value) and _described(value)[:1] != (LAYER,):
                return
        elif type(value) is ModuleType:
            return
        count = self._rounds.get(number, 0)
        self._rounds[number] = count + 1
        record = _Record(number, count, *self._linked(value), self._frozen(value))
        if count < FIRST:
            self._first.append((self._events, record))
        else:
            later = self._later.setdefault(number, deque(maxlen=LAST))
            later.append((self._events, record))

    def _linked(self, value: object) -> tuple[int, tuple[int, ...]]:
        """Return the numbers of an object and of its elements. Plain values have none: 0."""
        elements: list[object] = []
        if type(value) in (list, tuple):
            elements = list(value)[:_MOST_ELEMENTS]  # type: ignore[call-overload]
        elif type(value) is dict:
            elements = list(value.values())[:_MOST_ELEMENTS]
        return self._thing(value), tuple(map(self._thing, elements))

    def _thing(self, value: object) -> int:
        if value is None or type(value) in (bool, int, str):
            return 0
        number, _ = self._things.setdefault(id(value), (len(self._things) + 1, value))
        return number

    def _frozen(self, value: object) -> Value | tuple[Value, ...]:
        """Return a copy of a value; or what it is, with its name and sizes, if it is not plain or too large."""
        if described := _described(value):
            return described
        frozen = with_arrays(freeze_answer(value), _own_copy)
        if frozen is None and value is not None:
            return ("large", _name_of(type(value)))
        return frozen

    def records(self) -> ListValue:
        """Return the records in order: site, round, object, its elements, then what it is."""
        every = [*self._first, *(one for later in self._later.values() for one in later)]
        every.sort(key=lambda one: one[0])
        half = MOST_RECORDS // 2
        kept = every if len(every) <= MOST_RECORDS else [*every[:half], *every[-half:]]
        left, found = MOST_VALUES, []
        for _, one in kept:
            value = one.value if isinstance(one.value, tuple) else (RECORDED_VALUE, one.value)
            left -= sum(1 for _ in parts_in(ListValue("tuple", value)))
            if left < 0:
                break
            found.append(
                ListValue(
                    "list",
                    (one.number, one.round, one.thing, ListValue("list", one.elements), *value),
                )
            )
        return ListValue("list", tuple(found))


def _described(value: object) -> tuple[Value, ...]:
    """Return what a function, class, layer or large array is; nothing for others."""
    torch, numpy = sys.modules["torch"], sys.modules["numpy"]
    kind = type(value)
    if kind in (torch.Tensor, torch.nn.Parameter, numpy.ndarray):
        sizes = [int(size) for size in value.shape]  # type: ignore[attr-defined]
        count = 1
        for size in sizes:
            count *= size
        if count > MOST_NUMBERS:
            return ("large", _name_of(kind), str(value.dtype)[:_MOST_TEXT], *sizes)  # type: ignore[attr-defined]
        return ()
    if kind is ModuleType:
        return ("module", _text(vars(value).get("__name__")))
    if issubclass(kind, type):
        return ("class", _name_of(value))
    if issubclass(kind, torch.nn.Module):
        return (LAYER, _name_of(kind))
    if not callable(value):
        return ()
    # No attribute of another object is read: that may run code of the student's.
    named = kind in (FunctionType, BuiltinFunctionType, MethodType)
    return ("function", _text(value.__name__) if named else _name_of(kind))  # type: ignore[attr-defined]


def _name_of(kind: Any) -> str:
    """Return the name of a class, whatever its own class says."""
    return _text(_get_name(kind))


def _text(name: object) -> str:
    return name[:_MOST_TEXT] if type(name) is str else ""


def _own_copy(array: Array) -> Value:
    """Return an array with numbers of its own; None for more than a record holds."""
    return replace(array, data=array.data.copy()) if array.data.size <= MOST_NUMBERS else None
