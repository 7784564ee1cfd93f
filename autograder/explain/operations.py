"""One spelling for each operation: `torch.mul(a, b)` is `a * b`, `k.size(0)` and `len(k)` are `k.shape[0]`.

Patterns of code and the rules that read operations see each node in this spelling; its parts stay as they were written.
"""

from __future__ import annotations

import ast
import operator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# Modules: what stands behind the dot is a function of theirs, not a method of a value.
MODULES = frozenset(
    ("torch", "np", "numpy", "math", "nn", "F", "functional", "linalg", "special", "scipy")
)
_OPERATORS: dict[str, type[ast.operator]] = {
    **dict.fromkeys(("mul", "multiply"), ast.Mult),
    **dict.fromkeys(("matmul", "mm", "bmm", "mv", "dot"), ast.MatMult),
    **dict.fromkeys(("div", "divide", "true_divide"), ast.Div),
    **dict.fromkeys(("pow", "power", "float_power"), ast.Pow),
}
_POWERS = {"sqrt": 0.5, "rsqrt": -0.5}
# Functions with an axis, which comes second or has a name.
_ALONG = frozenset(("softmax", "sum", "mean", "max", "min", "amax", "amin", "var", "std"))
_LAYERS = {"Softmax": "softmax"}
_NAMES_OF_OPTIONS = {"axis": "dim", "keepdims": "keepdim"}
_OF_NUMBERS: dict[type, Callable[[float, float], float]] = {
    ast.Div: operator.truediv,
    ast.Mult: operator.mul,
}


def normal(node: ast.AST) -> ast.AST:
    """Return a node in the spelling that patterns use; the node itself if it has no other one."""
    found: ast.AST | None = None
    match node:
        case ast.Call():
            found = _of_a_call(node)
        case ast.BinOp() | ast.UnaryOp():
            number = number_of(node)
            found = None if number is None else ast.Constant(number)
    return node if found is None else ast.copy_location(found, node)


def number_of(node: ast.AST) -> int | float | None:
    """Return the number that is written in a node, such as `-1` or `1 / 2`; None for anything else."""
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
            inner = number_of(node.operand)
            return None if inner is None else -inner
        case ast.BinOp(left=ast.Constant(), right=ast.Constant()) if type(node.op) in _OF_NUMBERS:
            left, right = number_of(node.left), number_of(node.right)
            if left is not None and right:
                return _OF_NUMBERS[type(node.op)](left, right)
    return None


def is_module(node: ast.AST) -> bool:
    """Return whether a node names a module, such as `torch` or `nn.functional`."""
    return getattr(node, "id", getattr(node, "attr", "")) in MODULES


def _of_a_call(call: ast.Call) -> ast.AST | None:
    function = call.func
    if isinstance(function, ast.Call) and not isinstance(function.func, ast.Call):  # a layer
        layer = normal(function)
        if layer is function or not isinstance(layer, ast.Call) or layer.args:
            return None
        return ast.Call(layer.func, call.args, layer.keywords)
    if isinstance(function, ast.Attribute):
        given = call.args if is_module(function.value) else [function.value, *call.args]
        return _operation(function.attr, given, call)
    return _operation(function.id, call.args, call) if isinstance(function, ast.Name) else None


def _operation(name: str, given: Sequence[ast.expr], call: ast.Call) -> ast.AST | None:
    """Return what a function does with what it is given, in the spelling of an operator where there is one."""
    options = {option.arg: option.value for option in call.keywords}
    match name, list(given):
        case _, [left, right] if name in _OPERATORS:
            return ast.BinOp(left, _OPERATORS[name](), right)
        case _, [one] if name in _POWERS:
            return ast.BinOp(one, ast.Pow(), ast.Constant(_POWERS[name]))
        case _, axis if name in _LAYERS:
            return _along(_LAYERS[name], axis, options)
        case _, [one, *axis] if name in _ALONG and len(axis) <= 1:
            return _along(name, axis, options, one)
        case _:
            return _size(name, list(given), options)


def _along(
    name: str, axis: list[ast.expr], options: dict[str | None, ast.expr], *of: ast.expr
) -> ast.Call:
    named = {_NAMES_OF_OPTIONS.get(key or "", key): value for key, value in options.items()}
    named |= {"dim": axis[0]} if axis else {}
    keywords = [ast.keyword(key, value) for key, value in named.items()]
    return ast.Call(ast.Name(name, ast.Load()), list(of), keywords)


def _size(name: str, given: list[ast.expr], options: dict[str | None, ast.expr]) -> ast.expr | None:
    """Return `_.shape`, `_.shape[_]` or `_.ndim` for a call that asks for one of these."""
    if not given:
        return None
    shape = ast.Attribute(given[0], "shape", ast.Load())
    axes = [*given[1:], *options.values()]
    match name, axes:
        case "len", []:
            match given[0]:
                case (
                    ast.Attribute(attr="shape", value=of)
                    | ast.Call(func=ast.Attribute(attr="size", value=of), args=[], keywords=[])
                ):
                    return ast.Attribute(of, "ndim", ast.Load())
            return ast.Subscript(shape, ast.Constant(0), ast.Load())
        case "dim" | "ndim" | "ndimension", []:
            return ast.Attribute(given[0], "ndim", ast.Load())
        case "size", []:
            return shape
        case "size", [axis]:
            return ast.Subscript(shape, axis, ast.Load())
    return None
