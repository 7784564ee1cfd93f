"""The kinds of small edits: what somebody may write who knows nearly how it goes.

Most kinds are patterns. A rule says what no pattern can: it reads one kind of node, and yields what may stand there
instead. No kind knows an assignment.
"""

from __future__ import annotations

import ast
import functools
import re
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    Rule = Callable[["Site"], Iterator["Change"]]

# The code of a kind, a pattern, and what may stand in its place. A, B and C are any expressions.
PATTERNS = (
    ("axis-none", "torch.softmax(A, dim=B)", "A.reshape(-1).softmax(0).reshape(A.shape)"),
    ("transpose-left-out", "A.T", "A"),
    ("power-without-brackets", "A ** 0.5", "A ** 1 / 2"),
    ("power-without-brackets", "A / B ** 0.5", "A / B ** 1 / 2"),
    ("operands-exchanged", "A @ B", "B @ A"),
    ("operands-exchanged", "A - B", "B - A"),
    ("operands-exchanged", "A / B", "B / A"),
    ("operation-left-out", "A @ B", "A", "B"),
    ("operation-left-out", "A * B", "A", "B"),
    ("operation-left-out", "A / B", "A", "B"),
    ("operation-left-out", "A + B", "A", "B"),
    ("operation-left-out", "A - B", "A", "B"),
    ("operation-left-out", "A ** B", "A"),
    ("constant-for-a-size", "A.shape[B]", "2", "3", "64"),
    ("operator-other", "A @ B", "A * B"),
    ("operator-other", "A * B", "A / B", "A @ B"),
    ("operator-other", "A / B", "A * B", "A // B"),
    ("operator-other", "A + B", "A - B", "A * B"),
    ("operator-other", "A - B", "A + B"),
    ("operator-other", "A ** B", "A * B"),
    ("transpose-added", "A", "A.T"),
    ("reshaped", "A.T", "A.reshape(A.shape[::-1])"),
    ("squared", "A", "A ** 2"),
    ("softmax-added", "A", "A.softmax(-1)", "np.exp(A) / np.exp(A).sum(-1, keepdims=True)"),
    ("one-more", "A", "A + 1"),
    ("sign", "A", "-A"),
    ("absolute", "A", "abs(A)"),
    ("rounded", "A", "A.round()", "A.round(decimals=4)"),
    ("unit-length", "A", "A / (A ** 2).sum(-1, keepdims=True) ** 0.5"),
    ("one-only", "A", "A[0]", "A[-1]", "A[:1]"),
    ("axis-of-length-one", "A", "A[None]"),
    ("masked", "A", "A.tril()", "A.masked_fill(torch.ones(A.shape).triu(1) > 0, -torch.inf)"),
    ("scaled-again", "A", "A / A.shape[-1] ** 0.5", "A / A.shape[-1]"),
    ("cut", "A", "A.detach()"),
)
AXES = {
    "0": "axis-first",
    "1": "axis-second",
    "-2": "axis-before-last",
    "-1": "axis-last",
    "None": "axis-none",
}
# Functions that are taken for another one.
FUNCTIONS = {
    "rand": ("randn",),
    "randn": ("rand",),
    "softmax": ("sigmoid", "exp"),
    "sum": ("mean",),
    "var": ("std",),
    "triu": ("tril",),
}
CONSTANTS = (0, 1, 2, 3, 0.5)
# What stands for a statement that is left out.
NOTHING = "pass"
_AXIS_OPTIONS = ("dim", "axis")
_REDUCTIONS = ("sum", "mean", "max", "var")
_METAVARIABLE = re.compile(r"\b[A-E]\b")


@dataclass(frozen=True)
class Change:
    """What could stand in the place of one node.

    Attributes:
        variant: what tells it from others with the same code.
        without: a statement that is left out then.
    """

    code: str
    source: str
    variant: str = ""
    without: ast.stmt | None = None


@dataclass(frozen=True)
class Site:
    """One node of a definition.

    Attributes:
        parent, field: the node that holds it, and under which name.
        names: the arguments and variables that have a value here.
        attributes: for `self`, and for each argument, the attributes that the definition reads or sets.
    """

    node: ast.AST
    parent: ast.AST
    field: str
    names: tuple[str, ...]
    attributes: Mapping[str, tuple[str, ...]]

    @property
    def is_value(self) -> bool:
        """Whether it is an expression whose value another expression could have."""
        node, parent = self.node, self.parent
        is_part = isinstance(parent, ast.Expr) or self.field == "func"
        is_part |= isinstance(parent, ast.Attribute) and parent.attr in ("T", "shape")
        kinds = ast.Name | ast.Attribute | ast.Call | ast.BinOp | ast.Subscript
        known = not isinstance(node, ast.Name) or node.id in self.names
        return isinstance(node, kinds) and is_read(node) and known and not is_part


def called(node: ast.AST) -> str:
    """Return the last part of the name of the function that a call calls; empty if it has none."""
    match node:
        case ast.Call(ast.Name(id=name) | ast.Attribute(attr=name)):
            return name
    return ""


def is_read(node: ast.AST) -> bool:
    """Return whether a node is no target of an assignment."""
    return isinstance(getattr(node, "ctx", ast.Load()), ast.Load)


def changes(site: Site) -> Iterator[Change]:
    """Yield all that could stand in the place of a node."""
    if site.is_value:
        yield from _by_patterns(site.node)
    for kinds, rule in _RULES:
        if isinstance(site.node, kinds):
            yield from rule(site)


def _by_patterns(node: ast.AST) -> Iterator[Change]:
    for code, pattern, *new in PATTERNS:
        if (found := matched(pattern_of(pattern), node)) is not None:
            yield from (Change(code, pattern_filled(text, found), text) for text in new)


def matched(pattern: ast.expr, node: ast.AST) -> dict[str, str] | None:
    """Return the texts of a pattern's expressions in a node; None if it does not fit."""
    found: dict[str, str] = {}
    return found if _fits(pattern, node, found) else None


def pattern_filled(text: str, found: Mapping[str, str]) -> str:
    """Return a pattern with these expressions."""
    return _METAVARIABLE.sub(lambda name: found[name[0]], text)


@functools.cache
def pattern_of(text: str) -> ast.expr:
    """Return a pattern as a syntax tree."""
    return ast.parse(text, mode="eval").body


def _fits(pattern: object, node: object, found: dict[str, str]) -> bool:
    """Return whether a node is what a pattern says, and note the texts of its expressions."""
    if isinstance(pattern, ast.Name) and _METAVARIABLE.fullmatch(pattern.id):
        if not isinstance(node, ast.AST):
            return False
        text = ast.unparse(node)
        text = text if isinstance(node, ast.Slice) else f"({text})"
        return found.setdefault(pattern.id, text) == text
    if isinstance(pattern, list) and isinstance(node, list):
        return len(pattern) == len(node) and all(
            _fits(*pair, found) for pair in zip(pattern, node, strict=True)
        )
    if isinstance(pattern, ast.AST):
        return type(pattern) is type(node) and all(
            _fits(value, getattr(node, name), found) for name, value in ast.iter_fields(pattern)
        )
    return pattern == node


def _another_name(site: Site) -> Iterator[Change]:
    node = site.node
    assert isinstance(node, ast.Name)
    if is_read(node) and node.id in site.names:
        code = "option-other" if isinstance(site.parent, ast.keyword) else "input-for-another"
        for name in site.names:
            if name != node.id:
                yield Change(code, name, f"{node.id} {name}")


def _another_attribute(site: Site) -> Iterator[Change]:
    match site.node:
        case ast.Attribute(ast.Name(id=owner), name, ast.Load()):
            for other in site.attributes.get(owner, ()):
                if other != name:
                    yield Change("matrix-for-another", f"{owner}.{other}", other)


def _another_constant(site: Site) -> Iterator[Change]:
    node = site.node
    assert isinstance(node, ast.Constant)
    code = "option-other" if isinstance(site.parent, ast.keyword) else "constant-other"
    if isinstance(node.value, bool):
        yield Change(code, repr(not node.value))
    elif isinstance(node.value, int | float):
        for value in CONSTANTS:
            if value != node.value:
                yield Change(code, repr(value), repr(value))


def _another_option(site: Site) -> Iterator[Change]:
    node = site.node
    assert isinstance(node, ast.keyword)
    if node.arg in _AXIS_OPTIONS:
        for value, code in AXES.items():
            if value != ast.unparse(node.value):
                yield Change(code, f"{node.arg}={value}", value)
    elif isinstance(node.value, ast.Name):
        for value in ("True", "False", "None"):
            yield Change("option-other", f"{node.arg}={value}", value)


def _another_call(site: Site) -> Iterator[Change]:
    node = site.node
    assert isinstance(node, ast.Call)
    for number, keyword in enumerate(node.keywords):
        rest = node.keywords[:number] + node.keywords[number + 1 :]
        code = "axis-none" if keyword.arg in _AXIS_OPTIONS else "option-left-out"
        yield Change(code, call_text(node.func, node.args, rest), str(keyword.arg))
    for first, second in combinations(range(len(node.args)), 2):
        args = exchanged(node.args, first, second)
        yield Change(
            "arguments-exchanged", call_text(node.func, args, node.keywords), f"{first} {second}"
        )
    if called(node) in _REDUCTIONS and not {one.arg for one in node.keywords} & {*_AXIS_OPTIONS}:
        for axis, code in AXES.items():
            keywords = [*node.keywords, ast.keyword("axis", pattern_of(axis))]
            yield Change(code, call_text(node.func, node.args, keywords), axis)
    for other in FUNCTIONS.get(called(node), ()):
        for keywords in (node.keywords, []):
            text = call_text(with_name(node.func, other), node.args, keywords)
            yield Change(f"function-{other}", text, f"{other} {len(keywords)}")


def call_text(func: ast.expr, args: list[ast.expr], keywords: list[ast.keyword]) -> str:
    """Return the source of a call."""
    return ast.unparse(ast.Call(func, args, keywords))


def with_name(func: ast.expr, name: str) -> ast.expr:
    """Return a function with another name, of the same module or object."""
    return ast.Attribute(func.value, name) if isinstance(func, ast.Attribute) else ast.Name(name)


def exchanged(parts: Iterable[Any], first: int, second: int) -> list[Any]:
    """Return a list of parts, of which two are exchanged."""
    changed = list(parts)
    changed[first], changed[second] = changed[second], changed[first]
    return changed


def _call_left_out(site: Site) -> Iterator[Change]:
    node = site.node
    assert isinstance(node, ast.Call)
    if isinstance(site.parent, ast.Expr):
        return
    name = called(node)
    for number, argument in enumerate(node.args):
        if not isinstance(argument, ast.Starred):
            yield Change("call-left-out", ast.unparse(argument), f"{name} {number}")
    if isinstance(node.func, ast.Attribute):
        yield Change("call-left-out", ast.unparse(node.func.value), f"{name} method")
    if node.args:
        again = call_text(node.func, [node, *node.args[1:]], node.keywords)
        yield Change("done-twice", again, name)
    elif isinstance(node.func, ast.Attribute):
        yield Change("done-twice", call_text(ast.Attribute(node, name), [], node.keywords), name)


def _other_order(site: Site) -> Iterator[Change]:
    """The parts are computed in their own order: where they draw, they draw the same numbers."""
    node = site.node
    assert isinstance(node, ast.Tuple)
    if is_read(node) and site.field != "slice" and len(node.elts) <= 3:  # noqa: PLR2004 - longer ones have too many orders
        for order in permutations(range(len(node.elts))):
            if list(order) != sorted(order):
                text = f"tuple(map({ast.unparse(node)}.__getitem__, {order}))"
                yield Change("parts-exchanged", text)


def _without_statement(site: Site) -> Iterator[Change]:
    assert isinstance(site.node, ast.stmt)
    text = ast.unparse(site.node)
    yield Change("statement-left-out", NOTHING)
    yield Change("done-twice", f"{text}\n{' ' * site.node.col_offset}{text}")


def _another_return(site: Site) -> Iterator[Change]:
    """What is returned is a value from before the end, one of the arguments, more, or nothing."""
    node = site.node
    assert isinstance(node, ast.Return)
    if node.value is not None:
        right = ast.unparse(node.value)
        inner = [part for part in ast.walk(node.value) if isinstance(part, ast.Call | ast.BinOp)]
        for text in dict.fromkeys([*map(ast.unparse, inner), *site.names]):
            if text != right:
                yield Change("returned-earlier", f"return {text}", text)
                yield Change("more-returned", f"return {right}, {text}", text)
    yield Change("nothing-returned", NOTHING)


_RULES: tuple[tuple[type[ast.AST] | tuple[type[ast.AST], ...], Rule], ...] = (
    (ast.Name, _another_name),
    (ast.Attribute, _another_attribute),
    (ast.Constant, _another_constant),
    (ast.keyword, _another_option),
    (ast.Call, _another_call),
    (ast.Call, _call_left_out),
    (ast.Tuple, _other_order),
    ((ast.Expr, ast.Assign, ast.AugAssign), _without_statement),
    (ast.Return, _another_return),
)
