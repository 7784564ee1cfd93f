"""Why the shapes of an operation do not fit, decided from what it does and from the shapes that it got."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from autograder.explain.syntax import called
from autograder.explain.trace import Described
from autograder.values.values import Array

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from autograder.explain.raised import Raised

    Shape = tuple[int, ...]
    # A key of the words, and the sizes that it names.
    Reason = tuple[str, Mapping[str, int]]

# The axes that each operand must have, at least and at most.
_AXES = {"dot": (1, 1), "mm": (2, 2), "bmm": (3, 3), "t": (0, 2)}
_PRODUCTS = ("@", "matmul", "dot", "mm", "bmm")


def why_not(raised: Raised) -> tuple[str, dict[str, str]] | None:
    """Return why the shapes of the operation that raised do not fit: a key of the words, and its facts.

    None if the shapes are not known, if they fit, or if it is an operation of another kind.
    """
    node = raised.node
    operation = (
        "@" if isinstance(getattr(node, "op", None), ast.MatMult) else called(node or ast.Pass())
    )
    parts = _operands(node, raised)
    shapes = [_shape(raised, one) for one in parts]
    if operation == "einsum":
        return _einsum(node, raised)
    if not shapes or None in shapes:
        return None
    known = [one for one in shapes if one is not None]
    reason = _reason(operation, known)
    if reason is None:
        return None
    key, sizes = reason
    shown = all(size in raised.sizes for size in sizes.values())
    facts = (
        {"inner": ", and {one} is not {other}".format(**sizes)}
        if sizes and shown
        else {"inner": ""}
    )
    facts["turned"] = _turned(parts, known)
    return key, facts


def _reason(operation: str, shapes: Sequence[Shape]) -> Reason | None:
    least, most = _AXES.get(operation, (0, 99))
    if not all(least <= len(one) <= most for one in shapes):
        return f"axes_of_{operation}", {}
    if len(shapes) < 2 or not all(shapes):  # noqa: PLR2004 - of two
        return None
    first, second = shapes[:2]
    if operation == "linear" and first[-1] != second[-1]:
        return "inner_sizes_differ.linear", {"one": first[-1], "other": second[-1]}
    if operation not in _PRODUCTS:
        return None
    if first[-1] != (inner := second[-2:][0]):
        return "inner_sizes_differ", {"one": first[-1], "other": inner}
    pairs = zip(reversed(first[:-2]), reversed(second[:-2]), strict=False)
    batch = any(one != other and 1 not in (one, other) for one, other in pairs)
    return ("inner_sizes_differ.batch", {}) if batch else None


def _operands(node: ast.AST | None, raised: Raised) -> list[ast.expr]:
    """Return what an operator, a function or a method of an array computes with."""
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if not isinstance(node, ast.Call):
        return []
    of = [node.func.value] if isinstance(node.func, ast.Attribute) else []
    return [one for one in of if _shape(raised, one) is not None] + node.args


def _shape(raised: Raised, node: ast.expr) -> Shape | None:
    for value in raised.seen(node):
        if isinstance(value, Array):
            return value.data.shape
        if isinstance(value, Described) and value.dtype:
            return value.shape
    return None


def _turned(parts: Sequence[ast.expr], shapes: Sequence[Shape]) -> str:
    """Return what stands behind a product of an array whose axes were all turned round; else nothing."""
    for part, shape in zip(parts, shapes, strict=True):
        if isinstance(part, ast.Attribute) and part.attr == "T" and len(shape) > 2:  # noqa: PLR2004
            return " `.T` turns the order of all axes round, not of the last two alone."
    return ""


def _einsum(node: ast.AST | None, raised: Raised) -> tuple[str, dict[str, str]] | None:
    """Compare the letters of an einsum with the axes of what it gets."""
    arguments = node.args if isinstance(node, ast.Call) else []
    match arguments:
        case [ast.Constant(value=str(equation)), *operands]:
            letters = equation.partition("->")[0].replace(" ", "").split(",")
        case _:
            return None
    sizes: dict[str, int] = {}
    for names, part in zip(letters, operands, strict=False):
        shape = _shape(raised, part)
        if shape is None or "..." in names:
            return None
        if len(names) != len(shape):
            return "axes_of_einsum", {"letters": names, "operand": raised.quote(part)}
        for name, size in zip(names, shape, strict=True):
            if sizes.setdefault(name, size) != size:
                return "axes_of_einsum.letter", {"letter": name}
    return None
