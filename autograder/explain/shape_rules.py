"""Exceptions about shapes: which of the shapes and sizes in the line that failed does not fit."""

from __future__ import annotations

import ast
import math
import re
from itertools import islice
from typing import TYPE_CHECKING

from autograder.explain.messages import SIZES_DIFFER
from autograder.explain.operations import normal, number_of
from autograder.explain.raised import Raised, message
from autograder.explain.rules import Finding, Rules, finding, guess
from autograder.explain.syntax import assignments, called, nodes, path_of, walk
from autograder.explain.wording import listed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from autograder.results import StudentError

RULES = Rules[Raised]()
# Asked before loops: an axis without an index says more than the index that is too large.
FIRST = Rules[Raised]()
# Asked last: where nothing else is known, the shapes in the line are said.
SHOWN = Rules[Raised]()

_MATRIX = 2  # axes
_MOST_SHOWN = 3
_OF_SHAPES = re.compile(
    rf"{SIZES_DIFFER}|Expected size for first two dimensions of batch2|t\(\) expects a tensor with <= 2 dimensions"
    r"|shapes cannot be multiplied|matmul: |not aligned|is invalid for input of size|cannot reshape array"
)


def is_of_shapes(error: StudentError) -> bool:
    """Return whether an exception says that shapes do not fit."""
    return _OF_SHAPES.search(error.message) is not None


def _of_shapes(raised: Raised) -> bool:
    return is_of_shapes(raised.error)


@RULES.when(
    message(
        r"shape '\[(?P<sizes>[\d, ]{1,60})\]' is invalid for input of size (?P<count>\d{1,12})$"
    )
)
def size_in_view(raised: Raised, sizes: str, count: str) -> Finding | None:
    """Show the sizes of a `view` or `reshape`: its last one, the width, if another one would fit, else all."""
    numbers, there = [int(size) for size in sizes.split(",")], int(count)
    written = next(filter(None, map(_sizes_of_a_view, raised.nodes or ())), [])
    if len(written) != len(numbers) or raised.definition is None:
        return None
    code, others = raised.definition.quote(written[-1]), math.prod(numbers[:-1])
    facts = {"size": numbers[-1], "product": math.prod(numbers), "count": there}
    if not others or there % others or isinstance(written[-1], ast.Starred):
        named = zip(written, numbers, strict=True)
        shown = listed(f"`{ast.unparse(one)[:40]}` is {size}" for one, size in named)
        return finding("sizes_in_view.all", shown=shown, **facts)
    if isinstance(written[-1], ast.Constant):
        return finding("sizes_in_view.number", **facts)
    origin = _origin(written[-1], raised)
    made = f" It is made in line {origin}." if origin else ""
    return finding("sizes_in_view.one", written=code, made=made, fits=there // others, **facts)


def _sizes_of_a_view(node: ast.AST) -> list[ast.expr]:
    if not isinstance(node, ast.Call) or called(node) not in ("view", "reshape"):
        return []
    first = node.args[0] if node.args else None
    return first.elts if isinstance(first, ast.Tuple | ast.List) else node.args


def _origin(node: ast.expr, raised: Raised) -> int:
    """Return the line in which a variable or an attribute is made; 0 if unknown."""
    if path_of(node).startswith("self.") and isinstance(node, ast.Attribute):
        stored = raised.stored.get(node.attr)
        return stored.lineno if stored else 0
    stores = [
        part
        for part in (nodes(raised.function, ast.Name) if raised.function else ())
        if part.id == path_of(node) and isinstance(part.ctx, ast.Store)
    ]
    return stores[0].lineno if stores else 0


@RULES.when(message(r"(?:too many|not enough) values to unpack \(expected (?P<count>\d+)"))
def axes_of_a_shape(raised: Raised, count: str) -> Finding | None:
    """Say how many axes there are where a shape is taken apart into another number of names."""
    for node in raised.nodes or ():
        value = normal(node.value) if isinstance(node, ast.Assign) else None
        if isinstance(value, ast.Attribute) and value.attr == "shape" and raised.sizes:
            shape = raised.sizes.shape(value.value)
            if shape is None or len(shape) == _MATRIX or len(shape) == int(count):
                return None
            facts = {"axes": len(shape), "shape": _shown(shape), "count": count}
            return finding("axes_of_a_shape", written=ast.unparse(value.value)[:40], **facts)
    return None


@FIRST.when(message(r"^index \d+ is out of bounds for dimension \d+ with size \d+"))
def axes_without_an_index(raised: Raised) -> Finding | None:
    """Notice square brackets that name some axes of a tensor, and not the last ones."""
    for node in raised.nodes or ():
        if isinstance(node, ast.Subscript) and raised.sizes and raised.definition:
            places = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            shape = raised.sizes.shape(node.value)
            plain = not any(isinstance(one, ast.Slice | ast.Constant) for one in places)
            if shape and plain and 1 < len(places) < len(shape):
                base, written = ast.unparse(node.value)[:40], raised.definition.quote(node)
                facts = {"axes": len(shape), "shape": _shown(shape), "given": len(places)}
                return finding("too_few_indices", base=base, written=written, **facts)
    return None


@RULES.when(_of_shapes)
def turned_another_way(raised: Raised) -> Finding | None:
    """Notice `.T`, or an exchange of the first two axes, where there are three axes or more."""
    for node in [*(raised.nodes or ()), *raised.assigned]:
        owner = _turned(node)
        shape = raised.sizes.shape(owner) if owner and raised.sizes else None
        if isinstance(node, ast.expr) and shape and len(shape) > _MATRIX:
            key = "turned_another_way" + ".first_two" * bool(getattr(node, "args", ()))
            facts = {"axes": len(shape), "shape": _shown(shape), "written": ast.unparse(node)[:60]}
            return finding(key, **facts)
    return None


def _turned(node: ast.AST) -> ast.expr | None:
    """Return what is turned by `.T`, `.t()` or `transpose(0, 1)`; None for anything else."""
    match node:
        case ast.Attribute(attr="T", value=owner):
            return owner
        case ast.Call(func=ast.Attribute(attr="t", value=owner), args=[]):
            return owner
        case ast.Call(func=ast.Attribute(attr="transpose" | "swapaxes", value=owner), args=axes):
            return owner if {*map(number_of, axes)} == {0, 1} else None
    return None


@RULES.when(message(SIZES_DIFFER))
def no_matrix_product(raised: Raised) -> Finding | None:
    """Show two shapes that are multiplied number by number, where no matrix product would fit, turned or not."""
    for node in raised.nodes or ():
        plain = normal(node)
        if isinstance(plain, ast.BinOp) and isinstance(plain.op, ast.Mult) and raised.sizes:
            left, right = (raised.sizes.shape(side) for side in (plain.left, plain.right))
            if left and right and left[-1] not in right[-_MATRIX:]:
                return _of_both(raised, plain, "shapes_differ.product")
    return None


def _of_both(raised: Raised, node: ast.BinOp, key: str) -> Finding | None:
    shown = _with_shapes(raised, (node.left, node.right))
    return finding(key, shown=shown) if shown else None


@SHOWN.when(_of_shapes)
def shapes_in_the_line(raised: Raised) -> Finding | None:
    """Show the shapes of the variables in a statement, but for those of which it takes a part."""
    there = raised.nodes or []
    cut = {id(part) for node in there if isinstance(node, ast.Subscript) for part in walk(node)}
    named = (one for one in there if isinstance(one, ast.Name | ast.Attribute))
    whole = sorted((one for one in named if id(one) not in cut), key=_place)
    shown = _with_shapes(raised, whole)
    return guess("shapes_in_the_line", shown=shown) if shown else None


def _place(node: ast.expr) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _with_shapes(raised: Raised, parts: Iterable[ast.AST]) -> str:
    """Return expressions with their shapes, in words; empty if none is known."""
    known = {
        ast.unparse(part)[:40]: shape
        for part in parts
        if raised.sizes and (shape := raised.sizes.shape(part)) is not None
    }
    shown = [f"`{name}` {_shown(shape)}" for name, shape in known.items()]
    for name, shape in islice(known.items(), 1):
        shown[0] = f"`{name}` has the shape {_shown(shape)}"
    return listed(shown[:_MOST_SHOWN])


def _shown(shape: tuple[int | None, ...]) -> str:
    sizes = ", ".join("?" if size is None else str(size) for size in shape)
    return f"({sizes}{',' * (len(shape) == 1)})"


@RULES.when(message(r"Dimension out of range .{1,60}, but got (?P<axis>-?\d+)\)"))
def axis_elsewhere(raised: Raised, axis: str) -> Finding | None:
    """Find the axis where the line that failed does not name it: where a layer was made."""
    if raised.definition is None or raised.nodes is None or _axes(raised.nodes, axis):
        return None
    called_here = {path_of(node.func) for node in raised.nodes if isinstance(node, ast.Call)}
    made = [
        statement
        for path in called_here
        for kind in (ast.Name, ast.Attribute)
        for statement in assignments(raised.definition.node, path.rpartition(".")[2], kind)
    ]
    for statement in made:
        if _axes(walk(statement.value), axis):
            written = raised.definition.quote(statement.value)
            line = statement.lineno
            return finding("no_such_axis.elsewhere", axis=axis, written=written, line=line)
    return None


def _axes(there: Iterable[ast.AST], axis: str) -> bool:
    return any(number_of(node) == int(axis) for node in there)
