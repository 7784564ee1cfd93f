"""The operands of the operation that raised: what each one is, by the trace, and which line made it."""

from __future__ import annotations

import ast
import itertools
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from autograder.explain.operations import normal, number_of
from autograder.explain.raised import first_line, stores
from autograder.explain.syntax import (
    arguments_of,
    called,
    name_of,
    names_read,
    path_of,
    returned,
    walk,
)
from autograder.explain.trace import Described
from autograder.explain.wording import a, line_words
from autograder.text import clean_text, one_line, without_numbers
from autograder.values.values import Array, DictValue, ListValue, Other

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autograder.explain.raised import Raised, Seen
    from autograder.values.values import Value

_MOST = 6
_MOST_TEXT = 20
_MOST_CODE = 40
_KINDS = {ast.For: "loop", ast.comprehension: "loop"}
_MADE = {"line": "made in", "loop": "from the loop of", "change": "changed in"}
# A decimal number with a comma.
_COMMA = re.compile(r"\b\d, ?\d+\b")
_MOST_KEYS = 3
# The dtypes that are not said.
_PLAIN_DTYPES = {"tensor": "float32", "parameter": "float32", "ndarray": "float64"}
_NAMES = {"tensor": "tensor", "parameter": "Parameter", "ndarray": "NumPy array"}
# Methods that change the object before them and give back None.
_IN_PLACE = frozenset([
    "append", "extend", "insert", "sort", "reverse", "update", "add", "remove", "clear", "register_buffer",
    "register_parameter", "add_module", "backward", "copy_",
])  # fmt: skip


@dataclass(frozen=True)
class Made:
    """The place that gave a name its value.

    Attributes:
        kind: the statement is a `line` of a function, the head of a `loop`, a `change` such as `i += 1`, or a line of
            the `file` outside of functions.
        where: such as `line 4`.
        value: what was assigned, what the loop runs over, or how it was changed.
        attribute: the name on self; empty for a variable.
    """

    kind: str
    where: str
    value: ast.expr | ast.stmt
    attribute: str = ""


@dataclass(frozen=True)
class Operand:
    """A part of an operation."""

    node: ast.expr
    raised: Raised

    @cached_property
    def source(self) -> str:
        """What the student wrote."""
        return self.raised.quote(self.node)

    @cached_property
    def seen(self) -> Seen:
        """Its value alone; nothing if that is not known."""
        return self.raised.seen(self.node)

    @property
    def is_none(self) -> bool:
        """Whether it is surely None."""
        return self.seen == (None,) or (not self.seen and bool(why_none(self)))

    @property
    def shape(self) -> tuple[int, ...] | None:
        """The shape of a tensor or an array; None for anything else."""
        return shape_of(self.seen)

    @cached_property
    def made(self) -> Made | None:
        """The place that made it, or that of which it is a part."""
        return _made(self.node, self.raised)

    @property
    def written(self) -> str:
        """What the student wrote for its value."""
        named = self.made is not None and isinstance(self.node, ast.Name)
        return self.raised.quote(self.made.value) if self.made and named else self.source

    @property
    def words(self) -> str:
        """What it is, and which line made it."""
        return f"`{self.source}` is {self.kind}{made_words(self)}{_turned(self)}"

    @property
    def kind(self) -> str:
        """What it is."""
        own = self.raised.code.defined.get(path_of(self.node))
        if (
            own is not None
            and isinstance(self.seen[0], Described)
            and self.seen[0].what == "function"
        ):
            return f"your function of line {own.line} itself, not a result of it"
        return value_words(self.seen[0], self)


def operands_of(raised: Raised) -> list[Operand]:
    """Return the operands whose values are known, each once, without what is written as a constant."""
    found: dict[str, Operand] = {}
    for part in parts_of(raised.node, raised):
        one = Operand(part, raised)
        if not one.seen and isinstance(part, ast.Subscript):
            one = Operand(part.value, raised)
        plain = isinstance(part, ast.Constant | ast.Slice | ast.UnaryOp) or one.source == "self"
        module = any(isinstance(value, Described) and value.what == "module" for value in one.seen)
        if one.seen and not plain and not module:
            found.setdefault(one.source, one)
    return list(found.values())[:_MOST]


def got(operands: list[Operand]) -> str:
    """Say what operands are, in a sentence of its own; nothing if there are none."""
    words = without_numbers("; ".join(one.words for one in operands))
    return f" Here {words}." if words else ""


def product_of(node: ast.AST | None) -> ast.BinOp | None:
    """Return an operation on two sides, in the spelling of an operator; None for anything else."""
    plain = normal(node) if node is not None else None
    if isinstance(node, ast.AugAssign):
        plain = ast.BinOp(node.target, node.op, node.value)
    if not isinstance(plain, ast.BinOp):
        return None
    return plain if all(hasattr(side, "lineno") for side in (plain.left, plain.right)) else None


def parts_of(node: ast.AST | None, raised: Raised) -> list[ast.expr]:
    """Return what an expression or a statement computes with: the nearest expressions in it, and what is stored."""
    if both := product_of(node):
        return [both.left, both.right]
    parts: list[ast.expr] = []
    for child in ast.iter_child_nodes(node) if node else ():
        function = child is getattr(node, "func", None) and not raised.seen(child)
        part = getattr(child, "value", child) if function else child
        if isinstance(part, ast.expr) and not isinstance(part, ast.Tuple | ast.Starred):
            stored = isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
            parts += [] if stored else [part]
        elif not isinstance(part, ast.stmt):
            parts += parts_of(part, raised)
    if isinstance(getattr(node, "ctx", None), ast.Store):
        value = getattr(raised.statement, "value", None) or getattr(raised.statement, "iter", None)
        parts += [value] if value else []
    return parts or ([node] if isinstance(node, ast.Name) else [])


def shape_of(seen: Seen) -> tuple[int, ...] | None:
    """Return the shape of a value that is known; None if it has none."""
    for value in seen:
        if isinstance(value, Array):
            return tuple(value.data.shape)
        if isinstance(value, Described) and value.dtype:
            return value.shape
    return None


# What a value is, in words.


def value_words(value: Value | Described, of: Operand) -> str:
    """Say what a value is. Sizes are those that the question has, or that stand in the message."""
    match value:
        case Described(what="large", dtype=str(dtype)) if dtype:
            kind = {"ndarray": "NumPy array", "Parameter": "Parameter"}.get(value.name, "tensor")
            return f"a {kind} of shape {shape_words(value.shape, of.raised)}"
        case Described(what="function") if isinstance(of.node, ast.Attribute):
            return "a function that was not called"
        case Described(what=what, name=name):
            itself = {"class": "itself, not an object of it"}.get(what, "")
            if what == "layer":
                again = ", which is called with round brackets like a function"
                return f"a layer ({name})" + again * (
                    of.node is not getattr(of.raised.node, "func", None)
                )
            return f"the {what} {name} {itself}".rstrip()
        case Array():
            dtype = f", dtype {value.dtype}" * (value.dtype != _PLAIN_DTYPES.get(value.kind))
            shape = shape_words(value.data.shape, of.raised)
            alone = not value.data.shape
            return f"a {_NAMES.get(value.kind, 'tensor')} {'with one number' if alone else f'of shape {shape}'}{dtype}"
        case bool() | None:
            return str(value)
        case int():
            return (
                f"the number {size_word(value, of.raised)}"
                if value in of.raised.sizes
                else "a whole number (int)"
            )
        case float():
            return "a number (float)"
        case str():
            return f"the text {value!r}" if len(value) <= _MOST_TEXT else "a text (str)"
    return _collection_words(value, of)


def _collection_words(value: Value | Described, of: Operand) -> str:
    match value:
        case ListValue(items=items) if name_of(of.node) == "shape" or called(of.node) == "size":
            return f"the sizes of all axes, {shape_words([one for one in items if type(one) is int], of.raised)}"
        case ListValue(kind=kind, items=items):
            if len(items) == 1 and kind == "tuple":
                return "a tuple of one entry" + ", made by the comma at the end" * _is_written(of)
            if kind == "tuple" and _is_written(of) and _COMMA.search(of.written):
                return "two values: a comma separates values, and decimal numbers are written with a point"
            count = f"a {kind} of {size_word(len(items), of.raised)}"
            if None in items:
                return f"{count}, in which an entry is None"
            return f"{count}, beginning with {value_words(items[0], of)}" if items else count
        case DictValue(items=items):
            short = (key for key, _ in items if isinstance(key, str) and len(key) <= _MOST_TEXT)
            keys = ", ".join(map(repr, itertools.islice(short, _MOST_KEYS)))
            count = f"a dictionary of {size_word(len(items), of.raised)}"
            return f"{count}, with the keys {keys}, ..." if keys else count
        case Other(type_name=name):
            return a(one_line(clean_text(name), _MOST_TEXT))
    return "something else"


def _is_written(of: Operand) -> bool:
    """Return whether a tuple was written with its commas."""
    named = of.made is not None and isinstance(of.node, ast.Name)
    return isinstance(of.made.value if of.made and named else of.node, ast.Tuple)


def size_word(number: int, raised: Raised) -> str:
    """Return a size; `?` if the question has none of this size."""
    return str(number) if number in raised.sizes else "?"


def shape_words(shape: tuple[int, ...] | list[int], raised: Raised) -> str:
    """Return a shape in brackets."""
    sizes = ", ".join(size_word(size, raised) for size in shape)
    return f"({sizes}{',' * (len(shape) == 1)})"


def _turned(of: Operand) -> str:
    """Say what a transpose in an operand, or in the line that made it, does to the axes."""
    for node in walk(of.made.value if of.made and isinstance(of.node, ast.Name) else of.node):
        plain = normal(node)
        if not isinstance(plain, ast.Attribute) or plain.attr != "T":
            continue
        owner, after = Operand(plain.value, of.raised), of.raised.seen(node)
        if owner.shape and owner.shape == shape_of(after) and len(set(owner.shape)) > 1:
            return f" (`{of.raised.quote(node)}` leaves the axes in their order)"  # type: ignore[arg-type]
        first_two = {0, 1} == {*map(number_of, getattr(node, "args", ()))}
        if len(owner.shape or ()) > 2 and (first_two or getattr(node, "attr", "") == "T"):  # noqa: PLR2004
            axes = "the first two axes" if first_two else "the order of all axes"
            return f" (`{of.raised.quote(node)}` turns {axes} round, not only the last two)"  # type: ignore[arg-type]
    return ""


# Which line made it.


def _made(node: ast.AST, raised: Raised) -> Made | None:
    """Return what gave a name its value, or the name of which an expression is a part."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        if isinstance(node, ast.Attribute) and name_of(node.value) == "self":
            return next(_kept(node.attr, raised), None)
        node = node.func if isinstance(node, ast.Call) else node.value
    if not isinstance(node, ast.Name) or raised.function is None:
        return None
    found = stores(node.id, raised.function, raised.line)
    if found:
        last = found[-1]
        value = last.iter if isinstance(last, ast.For | ast.comprehension) else last.value
        assert value is not None
        if isinstance(last, ast.AugAssign):
            return Made("change", _place(last.lineno, raised), last)
        kind = _KINDS.get(type(last), "line")
        return Made(kind, _place(first_line(last), raised), _part(node.id, last, value))
    value = raised.code.value_of(node.id)
    if value is None or node.id in arguments_of(raised.function):
        return None
    return Made("file", line_words(*raised.code.variables[node.id]), value)


def _place(line: int, raised: Raised) -> str:
    return line_words(raised.frame.file if raised.frame else "", line)


def _kept(attribute: str, raised: Raised) -> Iterator[Made]:
    """Yield what a class stores on self, or registers, under this name."""
    for part in walk(raised.definition.node) if raised.definition else ():
        match part:
            case ast.Assign(targets=[ast.Attribute(attr=name)], value=value) if name == attribute:
                yield Made("line", _place(part.lineno, raised), value, attribute)
            case ast.Call(args=[ast.Constant(value=name), value]) if name == attribute:
                yield Made("line", _place(part.lineno, raised), value, attribute)


def _part(name: str, statement: ast.AST, value: ast.expr) -> ast.expr:
    """Return the part of `q, k = f(x), g(x)` that a name gets."""
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        pairs = zip(target.elts, value.elts, strict=False)
        return next((one for to, one in pairs if path_of(to) == name), value)
    return value


def made_words(of: Operand) -> str:
    """Say which line made an operand, or what else it is by its name; nothing for an argument."""
    made, raised, name = of.made, of.raised, path_of(of.node)
    if made is None or not (name or made.attribute):
        return ""
    if name in raised.code.imported:
        return (
            f": {made.where} gives the name `{name}` to a variable, so it is no longer the module"
        )
    if made.kind == "file":
        stored = f"; the module's own is `self.{name}`" * (name in raised.stored)
        return f", a variable of your file ({made.where}), not one of this step{stored}"
    code = one_line(raised.quote(made.value), _MOST_CODE)
    if is_overwritten(of):
        return f": {made.where} (`{name} = {code}`) gave this argument another value"
    if not name.endswith(made.attribute) or not name:
        return f", with `self.{made.attribute}` of {made.where}"
    same = made.where == _place(raised.line, raised)
    return "" if same else f", {_MADE[made.kind]} {made.where} (`{code}`)"


def is_overwritten(of: Operand) -> bool:
    """Return whether an operand is an argument that got another value, which does not depend on what it was."""
    function, name, made = of.raised.function, path_of(of.node), of.made
    given = function is not None and name in arguments_of(function)
    return given and made is not None and made.kind == "line" and name not in names_read(made.value)


def why_none(of: Operand) -> str:
    """Say why an operand is None: what made it gives nothing back; empty if that is not known."""
    node = of.made.value if of.made and isinstance(of.node, ast.Name | ast.Attribute) else of.node
    if isinstance(node, ast.ListComp):
        node = node.elt
    helper = of.raised.code.definition(path_of(node.func)) if isinstance(node, ast.Call) else None
    if helper is not None and helper.function is not None and not any(returned(helper.node)):
        return f"Your function `{helper.node.name}` (line {helper.line}) has no `return`, so it gives back None."
    if called(node) in _IN_PLACE and isinstance(getattr(node, "func", None), ast.Attribute):
        changes = f"`.{called(node)}(...)` changes the object before it and gives back None"
        return f"{changes}: it stands on a line of its own."
    if called(node) == "print":
        return "`print` shows something and gives back None."
    return ""
