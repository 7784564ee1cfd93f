"""Sizes of what a function computes with, from the shapes of the inputs that its step was called with."""

from __future__ import annotations

import ast
import operator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from autograder.explain.operations import normal, number_of
from autograder.explain.syntax import arguments_of, assignments, called, name_of, nodes, path_of
from autograder.values.numbers import as_array

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from autograder.explain.syntax import Function
    from autograder.results import Held
    from autograder.values.values import Value

    Shape = tuple[int | None, ...]

# What makes a tensor of given sizes.
MAKERS = ("zeros", "ones", "empty", "full", "rand", "randn")
_LIKE = ("zeros_like", "ones_like", "empty_like", "softmax", "exp", "clone", "detach")
_DEEPEST = 8
_SIGNS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
}


@dataclass(frozen=True)
class Sizes:
    """The shapes and sizes in a function, where the inputs and its code show them.

    Attributes:
        shapes: of the arguments.
        numbers: the arguments that are whole numbers.
        held: what variables and attributes held where the function stopped, each under its name.
    """

    function: Function
    shapes: Mapping[str, Shape]
    numbers: Mapping[str, int]
    held: Mapping[str, Held] = field(default_factory=dict)

    @staticmethod
    def of(function: Function, inputs: Mapping[str, Value], held: Iterable[Held] = ()) -> Sizes:
        """Return the sizes in a function. Arguments of other names are those of the inputs, in order."""
        given = [name for name in arguments_of(function) if name != "self"]
        there = dict(inputs)
        if not {*given} & {*inputs} and len(given) == len(inputs):
            there = dict(zip(given, inputs.values(), strict=True))
        arrays = {name: as_array(there.get(name)) for name in given}
        shapes = {name: array.shape for name, array in arrays.items() if array is not None}
        numbers = {name: size for name in given if isinstance(size := there.get(name), int)}
        return Sizes(function, shapes, numbers, {one.name: one for one in held})

    def shape(self, node: ast.AST, deep: int = 0) -> Shape | None:
        """Return the shape of an expression; None if unknown. An unknown size in it is None."""
        plain, known = normal(node), self.held.get(path_of(node))
        if deep > _DEEPEST or known is not None:
            return known.sizes if known and not known.is_number else None
        match plain:
            case ast.Name(id=name):
                return self._of_a_variable(name, deep + 1)
            case ast.Attribute(attr="T", value=value):
                turned = self.shape(value, deep + 1)
                if turned is None or isinstance(node, ast.Attribute):  # `.T` turns all axes round
                    return turned[::-1] if turned else None
                return (*turned[:-2], *turned[:-3:-1])
            case ast.Subscript(value=value, slice=index) if not isinstance(
                index, ast.Slice | ast.Tuple
            ):
                whole = self.shape(value, deep + 1)
                return whole[1:] if whole else None
            case ast.BinOp(op=ast.MatMult(), left=left, right=right):
                first, second = self.shape(left, deep + 1), self.shape(right, deep + 1)
                return first[:-1] + second[-1:] * (len(second) > 1) if first and second else None
            case ast.Call() if called(plain) in MAKERS:
                return tuple(self.size(size, deep + 1) for size in made_with(plain))
            case ast.Call(args=[value, *_]) if called(plain) in _LIKE:
                return self.shape(value, deep + 1)
        return None

    def size(self, node: ast.AST, deep: int = 0) -> int | None:
        """Return the whole number that an expression is; None if unknown."""
        plain, known = normal(node), self.held.get(path_of(node))
        number = known.sizes[0] if known and known.is_number else number_of(plain)
        if isinstance(number, int) or deep > _DEEPEST:
            return number if isinstance(number, int) else None
        match plain:
            case ast.Subscript(value=of, slice=axis):
                whole, which = normal(of), number_of(axis)
                if isinstance(whole, ast.Attribute) and whole.attr == "shape":
                    return self._along(whole.value, which, deep + 1)
            case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _SIGNS:
                first, second = self.size(left, deep + 1), self.size(right, deep + 1)
                if (
                    first is None
                    or second is None
                    or (isinstance(sign, ast.FloorDiv) and not second)
                ):
                    return None
                return _SIGNS[type(sign)](first, second)
            case ast.Name(id=name) if name in self.numbers and not self._made(name):
                return self.numbers[name]
            case ast.Name(id=name):
                return self._taken_apart(name, deep + 1)
        return None

    def counted(self, node: ast.AST) -> int | None:
        """Return how many rounds a loop has that counts this: a number, or the rows of something."""
        size = self.size(node)
        shape = self.shape(node) if size is None else None
        return shape[0] if shape else size

    def maker(self, node: ast.AST, axis: int) -> ast.expr | None:
        """Return the size with which a variable was made along an axis; None if it was made in another way."""
        made = self._made(name_of(node)) if isinstance(node, ast.Name) else []
        call = made[0].value if len(made) == 1 else None
        if not isinstance(call, ast.Call) or called(call) not in MAKERS:
            return None
        sizes = made_with(call)
        return sizes[axis] if axis < len(sizes) else None

    def _made(self, name: str) -> list[ast.Assign]:
        return assignments(self.function, name, ast.Name)

    def _along(self, value: ast.AST, axis: float | None, deep: int) -> int | None:
        shape = self.shape(value, deep)
        if shape is None or not isinstance(axis, int) or not -len(shape) <= axis < len(shape):
            return None
        return shape[axis]

    def _of_a_variable(self, name: str, deep: int) -> Shape | None:
        made = self._made(name)
        if not made and name in self.shapes:
            return self.shapes[name]
        if len(made) == 1 and name not in self.shapes:
            return self.shape(made[0].value, deep)
        return self._of_a_round(name, deep) if not made else None

    def _of_a_round(self, name: str, deep: int) -> Shape | None:
        """Return the shape of what a loop takes out of something in each round."""
        loops: list[ast.For | ast.comprehension] = [*nodes(self.function, ast.For)]
        for node in [*loops, *nodes(self.function, ast.comprehension)]:
            over, target = node.iter, node.target
            if called(over) == "enumerate" and isinstance(over, ast.Call) and over.args:
                target = target.elts[-1] if isinstance(target, ast.Tuple) else target
                over = over.args[0]
            if (
                isinstance(target, ast.Name)
                and target.id == name
                and not isinstance(over, ast.Call)
            ):
                whole = self.shape(over, deep)
                return whole[1:] if whole else None
        return None

    def _taken_apart(self, name: str, deep: int) -> int | None:
        """Return a size that a variable got by itself, or as a part of `n, d = x.shape`."""
        if len(made := self._made(name)) == 1:
            return self.size(made[0].value, deep)
        for node in nodes(self.function, ast.Assign):
            target, value = node.targets[0], normal(node.value)
            names = [name_of(part) for part in target.elts] if isinstance(target, ast.Tuple) else []
            if name in names and isinstance(value, ast.Attribute) and value.attr == "shape":
                return self._along(value.value, names.index(name), deep)
            if name in names and isinstance(value, ast.Tuple) and len(value.elts) == len(names):
                return self.size(value.elts[names.index(name)], deep)
        return None


def made_with(call: ast.Call) -> list[ast.expr]:
    """Return the sizes with which a function such as `torch.zeros` was called."""
    first = call.args[0] if call.args else None
    return first.elts if isinstance(first, ast.Tuple | ast.List) else call.args
