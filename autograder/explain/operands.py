"""The operands of the operation that raised: what each one is, by the trace, and which line made it."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from autograder.edits.own_kinds import KEEPING
from autograder.explain.syntax import called, name_of, names_made, returned, walk
from autograder.explain.trace import Described
from autograder.explain.wording import describe, line_words
from autograder.python_source import path_of
from autograder.text import one_line, without_numbers
from autograder.values.values import Array, ListValue

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autograder.explain.raised import Raised, Seen

_MOST = 6
_MOST_TEXT = 20
_MOST_CODE = 40
_ARRAYS = {"ndarray": "NumPy array", "Parameter": "Parameter"}
_SIZE = re.compile(r"\b\d+\b")
# Expressions whose parts count, not they themselves.
_OPEN = (ast.Tuple, ast.Starred, ast.JoinedStr, ast.FormattedValue)
# Functions that give back None; `get` does for what a dictionary does not have.
_GIVE_NONE = (
    "append", "extend", "insert", "sort", "reverse", "update", "remove", "clear", "register_buffer", "backward",
    "print", "get",
)  # fmt: skip


@dataclass(frozen=True)
class Operand:
    """A part of an operation."""

    node: ast.expr
    raised: Raised

    @property
    def source(self) -> str:
        """What the student wrote."""
        return self.raised.quote(self.node)

    @cached_property
    def seen(self) -> Seen:
        """Its value alone; nothing if that is not known."""
        return self.raised.seen(self.node)

    @cached_property
    def facts(self) -> list[str]:
        """What it is, and which line made it. Of the sizes, those that may be shown."""
        shown = self.raised.sizes
        what = self._value_words() if self.seen else ""
        what = _SIZE.sub(lambda one: one[0] if int(one[0]) in shown else "?", what)
        return [fact for fact in (what, *self._made()) if fact]

    def _value_words(self) -> str:
        """Say what it is. Its numbers are not said."""
        match self.seen[0]:
            case Described(what="large", dtype=str(dtype)) as large if dtype:
                return f"a {_ARRAYS.get(large.name, 'tensor')} of shape {large.shape}"
            case Described(what="function"):
                own = self.raised.code.defined.get(path_of(self.node))
                return "a function that was not called" if own is None else "your function itself"
            case Described(what="layer", name=name):
                called_here = self.node is getattr(self.raised.node, "func", None)
                return f"a layer ({name})" + " itself, not what it computes" * (not called_here)
            case Described(what=what, name=name):
                return f"the {what} {name}"
            case ListValue(kind=kind, items=items) if None in items:
                return f"a {kind} of {len(items)}, in which an entry is None"
            case ListValue(kind="tuple", items=items) if all(map(self._is_shown, items)):
                return f"the tuple {items}"
            case bool() | None as value:
                return str(value)
            case int() as number:
                return f"the number {number}" if self._is_shown(number) else "a whole number"
            case float():
                return "a number (float)"
            case str() as text:
                return f"the text {text!r}" if len(text) <= _MOST_TEXT else "a text (str)"
            case Array() as array:
                usual = ", float64" if array.kind == "ndarray" else ", float32"
                return describe(array).removesuffix(usual)
            case value:
                return describe(value)

    def _is_shown(self, value: object) -> bool:
        return type(value) is int and value in self.raised.sizes

    def _made(self) -> Iterator[str]:
        """Say which line made it, or what else it is by its name; nothing for an argument."""
        raised, path = self.raised, self._path()
        made = raised.maker(path)
        own = names_made(raised.function) if raised.function else set()
        whole = path == self.source
        own_place = whole or path.startswith("self.")
        if made is not None and made.line != raised.line and own_place:
            place = raised.place_of(made.line)
            code = one_line(raised.quote(made.node), _MOST_CODE)
            yield f"{made.verb} {place} (`{code}`)" if whole else f"with `{path}` of {place}"
        elif made is None and path in raised.code.variables and path not in own:
            where = line_words(*raised.code.variables[path])
            yield f"a variable of your file ({where})" + ", not one of this step" * bool(own)
        node = made.node if made and whole else self.node
        if any(one is None or None in getattr(one, "items", ()) for one in self.seen):
            yield _why_none(node, raised)
        elif self.seen and _drops(node):
            yield "without the axis that it runs over (`keepdim=True`, in NumPy `keepdims=True`, keeps it)"

    def _path(self) -> str:
        """Return the variable, or the attribute of self, of which it is a part."""
        node = self.node
        while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
            if isinstance(node, ast.Attribute) and name_of(node.value) == "self":
                break
            node = node.func if isinstance(node, ast.Call) else node.value
        return path_of(node)


def _drops(made: ast.AST) -> bool:
    """Return whether a sum or a maximum along an axis does not keep it; torch gives the places of a maximum, too."""
    whole = getattr(made, "value", made)
    made = whole if called(whole) in ("max", "min") else made
    if not isinstance(made, ast.Call) or called(made) not in KEEPING:
        return False
    options = {option.arg for option in made.keywords}
    along = options & {"dim", "axis"} or isinstance(
        (made, *made.args)[-1], ast.Constant | ast.UnaryOp
    )
    return bool(along) and options.isdisjoint({"keepdim", "keepdims"})


def _why_none(made: ast.AST, raised: Raised) -> str:
    """Say why an expression is None, or holds one; empty if that is not known."""
    for name in map(called, walk(made)):
        helper = raised.code.definition(name)
        if helper is not None and helper.function is not None and not any(returned(helper.node)):
            return f"since your function `{name}` (line {helper.line}) has no `return`"
        if name in _GIVE_NONE:
            return f"since `{name}` gives back None"
    return ""


def operands_words(raised: Raised) -> str:
    """Say what the operands are, each once, in a sentence of its own; nothing if nothing is known of them."""
    found: dict[str, Operand] = {}
    for part in _parts_of(raised.node, raised):
        one = Operand(part, raised)
        if not one.seen and isinstance(part, ast.Subscript):
            one = Operand(part.value, raised)
        plain = isinstance(part, ast.Constant | ast.Slice | ast.UnaryOp) or one.source == "self"
        module = any(isinstance(value, Described) and value.what == "module" for value in one.seen)
        if one.facts and not plain and not module:
            found.setdefault(one.source, one)
    known = [f"`{name}` is {', '.join(one.facts)}" for name, one in found.items()]
    words = without_numbers("; ".join(known[:_MOST]))
    return f" Here {words}." if words else ""


def _parts_of(node: ast.AST | None, raised: Raised) -> list[ast.expr]:
    """Return what an expression or a statement computes with: the nearest expressions in it, and what is stored."""
    parts: list[ast.expr] = []
    for child in ast.iter_child_nodes(node) if node else ():
        function = child is getattr(node, "func", None) and not raised.seen(child)
        part = getattr(child, "value", child) if function else child
        if isinstance(part, ast.expr) and not isinstance(part, _OPEN):
            stored = isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
            parts += [] if stored and not isinstance(node, ast.AugAssign) else [part]
        elif not isinstance(part, ast.stmt):
            parts += _parts_of(part, raised)
    if isinstance(getattr(node, "ctx", None), ast.Store):
        value = getattr(raised.statement, "value", None) or getattr(raised.statement, "iter", None)
        parts += [value] if value else []
    return parts or ([node] if isinstance(node, ast.Name) else [])
