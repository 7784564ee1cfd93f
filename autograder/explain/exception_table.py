"""Exceptions that a beginner may not understand, with meaning, hint and a test of the failing line."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    Evidence = Callable[[list[ast.AST]], bool]


# Functions of torch, its modules and NumPy.
COMMON_FUNCTIONS = (
    "softmax", "matmul", "sqrt", "exp", "sum", "mean", "max", "tensor", "rand", "randn", "manual_seed", "stack", "dot",
    "transpose", "einsum", "no_grad", "zeros", "ones", "empty", "var", "log", "Parameter", "Linear", "Module",
    "Softmax", "Embedding", "array", "long", "functional",
)  # fmt: skip


@dataclass(frozen=True)
class KnownError:
    """An exception that a beginner may not understand. {0}, {1}, ... are the groups of `message`."""

    name: str
    message: str
    says: str
    look: str
    line: Evidence | None = None


def _has(*kinds: type[ast.AST]) -> Evidence:
    return lambda nodes: any(isinstance(node, kinds) for node in nodes)


def _has_one(*kinds: type[ast.AST]) -> Evidence:
    return lambda nodes: sum(isinstance(node, kinds) for node in nodes) == 1


def _calls(*names: str) -> Evidence:
    return lambda nodes: any(_called(node) in names for node in nodes)


def _called(node: ast.AST) -> str | None:
    if not isinstance(node, ast.Call):
        return None
    function = node.func
    return getattr(function, "attr", None) or getattr(function, "id", None)


def _calls_without(name: str, *keywords: str) -> Evidence:
    """Match a call of the function `name`, from any module, without any of these keywords."""

    def shows(nodes: list[ast.AST]) -> bool:
        calls = [node for node in nodes if isinstance(node, ast.Call) and _called(node) == name]
        return any({one.arg for one in call.keywords}.isdisjoint(keywords) for call in calls)

    return shows


def _either(*ways: Evidence) -> Evidence:
    return lambda nodes: any(way(nodes) for way in ways)


def _all_of(*ways: Evidence) -> Evidence:
    return lambda nodes: all(way(nodes) for way in ways)


def _stores_on_self(nodes: list[ast.AST]) -> bool:
    return any(isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store) for one in nodes)


_PRODUCT = _either(_has(ast.MatMult), _calls("matmul", "mm", "linear"))
_SIZES_DIFFER = (
    r"The size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\)"
    r"|operands could not be broadcast together"
)

KNOWN_ERRORS = (
    KnownError(
        "caret_for_power",
        r"unsupported operand type\(s\) for \^|bitwise_xor",
        "In Python ^ is no power, it compares bits.",
        "The ^ in this line: a power is written with two asterisks.",
        _has(ast.BitXor),
    ),
    KnownError(
        "function_of_tensors_on_a_number",
        r"(\w+)\(\): argument 'input' \(position 1\) must be Tensor, not (\w+)",
        "torch.{0} wants a tensor, and what it got is of type {1}.",
        "For a plain number Python's own arithmetic will do: the module math, or the operator ** for powers.",
        lambda nodes: any(_called(node) in COMMON_FUNCTIONS for node in nodes),
    ),
    KnownError(
        "no_super_init",
        r"cannot assign \w+ before Module.__init__\(\) call",
        "A module must be set up before it can hold parameters or layers, and super().__init__() has not run yet.",
        "The first line of __init__.",
        _stores_on_self,
    ),
    KnownError(
        "softmax_without_dim",
        # torch 2.4 lists its signatures instead of naming the missing argument.
        r'softmax\(\) (missing 1 required positional arguments?: "?dim|'
        r"received an invalid combination of arguments - got \((Tensor)?\))",
        "The softmax was not told along which axis it should run.",
        "Its argument dim: which axis holds what has to sum to 1?",
        _calls_without("softmax", "dim"),
    ),
    KnownError(
        "no_such_axis",
        r"Dimension out of range \(expected to be in range of \[(-?\d+), (-?\d+)\], but got (-?\d+)\)",
        "There is no axis {2} here: axes count from 0, so the last one is {1}, or -1.",
        "The axis (dim) in this line, and the shape of what it is applied to.",
    ),
    KnownError(
        "inner_sizes_differ",
        r"mat1 and mat2 shapes cannot be multiplied \((\d+)x(\d+) and (\d+)x(\d+)\)",
        "A matrix product wants the inner sizes to agree; here ({0}, {1}) meets ({2}, {3}), and {1} is not {2}.",
        "Which shape stands on which side? Is one of the two to be transposed?",
        _PRODUCT,
    ),
    KnownError(
        "inner_sizes_differ",
        r"matmul: .*\(size (\d+) is different from (\d+)\)|shapes .* not aligned: (\d+) .* != (\d+)",
        "A matrix product wants the inner sizes to agree, and these do not.",
        "Which shape stands on which side? Is one of the two to be transposed?",
        _either(_PRODUCT, _calls("dot")),
    ),
    KnownError(
        "dot_of_matrices",
        r"1D tensors expected, but got (\d)D and (\d)D",
        "torch.dot is for two vectors; these have {0} and {1} axes.",
        "A matrix product takes all rows at once.",
        _calls("dot"),
    ),
    KnownError(
        "inner_sizes_differ",
        r"size mismatch, got input \(\d+\), mat|inconsistent tensor size, expected tensor \[\d+\] and src",
        "A matrix product wants the inner sizes to agree, and these do not. One of the two is a vector here.",
        "Which shape stands on which side? Should both have rows and columns?",
        _either(_PRODUCT, _calls("dot")),
    ),
    KnownError(
        "product_by_numbers",
        _SIZES_DIFFER,
        "The sign * goes number by number, and these two do not have the same shape.",
        "Is a matrix product meant? That is another operator.",
        _has(ast.Mult),
    ),
    KnownError(
        "sum_lost_its_axis",
        _SIZES_DIFFER,
        "A sum drops the axis that it runs over: the sums of the rows lie as a row, and do not fit beside the rows.",
        "The sum in this line: keepdim=True (in NumPy keepdims=True) keeps the axis, with size 1.",
        _all_of(_has(ast.Div), _calls_without("sum", "keepdim", "keepdims")),
    ),
    KnownError(
        "copied_into_another_shape",
        _SIZES_DIFFER,
        "copy_ puts each number in its place, and these two do not have the same shape.",
        "Which shape does each of the two have? Does one lie on its side?",
        _calls("copy_"),
    ),
    KnownError(
        "shapes_differ",
        _SIZES_DIFFER,
        "The signs +, - and / go number by number, and these two shapes do not fit.",
        "The shapes on both sides of the sign. Do the two belong together at all?",
        _has_one(ast.Add, ast.Sub, ast.Div),
    ),
    KnownError(
        "layer_used_as_a_matrix",
        r"unsupported operand type\(s\) for @: '\w+' and 'Linear'",
        "A layer (nn.Linear) is no matrix; it holds one, and is called with its input like a function.",
        "The line where the layer is multiplied.",
        _has(ast.MatMult),
    ),
    KnownError(
        "tensor_for_a_parameter",
        r"cannot assign '.*' (?:as|object to) (?:parameter|child module)",
        "Under this name the module holds a Parameter or a layer, and only another one may take its place.",
        "Put an nn.Parameter there, or copy the numbers into the one that is there.",
        _stores_on_self,
    ),
    KnownError(
        "names_of_parameters_differ",
        r"(?:Missing|Unexpected) key\(s\) in state_dict",
        "The two modules keep their parameters under other names (the message lists them), so none was copied.",
        "load_state_dict copies between modules that use the same names. Each matrix can be copied by itself.",
        _calls("load_state_dict"),
    ),
    KnownError(
        "copied_into_another_shape",
        r"size mismatch for \w+: copying a param",
        "load_state_dict puts each number in its place, and these shapes differ.",
        "Which shapes does the message name? Does one matrix lie on its side?",
        _calls("load_state_dict"),
    ),
    KnownError(
        "module_without_forward",
        r'is missing the required "forward" function',
        "A module was called that has no forward: it holds parameters and computes nothing.",
        "Which module is called in this line? Perhaps only the parameters that it holds are needed.",
    ),
    KnownError(
        "overwritten_while_recorded",
        r"a (?:view of a )?leaf Variable that requires grad is being used in an in-place operation",
        "PyTorch records what happens to trainable parameters, and refuses to have one overwritten meanwhile.",
        "Copying numbers is no step of the computation: do it where nothing is recorded (torch.no_grad).",
    ),
    KnownError(
        "numpy_of_a_trained_tensor",
        r"Can't call numpy\(\) on Tensor that requires grad",
        "NumPy cannot follow gradients, so a tensor that has them does not become an array.",
        "Stay with torch in this line: nothing here needs NumPy.",
    ),
    KnownError(
        "transpose_with_brackets",
        r"'(?:Tensor|Parameter|numpy.ndarray)' object is not callable",
        "The transpose .T is no function: it has no brackets behind it.",
        "The brackets behind .T.",
        _calls("T"),
    ),
    KnownError(
        "tensor_called",
        r"'(Tensor|Parameter|numpy.ndarray|torch.Size|tuple|float|int)' object is not callable",
        "Something of type {0} was called like a function.",
        "The brackets in this line: is an operator missing before them, or are there too many?",
    ),
    KnownError(
        "none_used",
        r"'NoneType'",
        "Something in this line is None. Perhaps it comes from a function that prints its result and does not "
        "return it.",
        "Which name in this line is None? Has the function that made it a `return`?",
    ),
    KnownError(
        "dtypes_differ",
        r"expected m1 and m2 to have the same dtype, but got: (.+) != (.+)",
        "A matrix product wants one dtype on both sides; here they are {0} and {1}.",
        "Where was one of them turned into another dtype?",
        _PRODUCT,
    ),
    KnownError(
        "parts_do_not_fit",
        r"(too many|not enough) values to unpack",
        "There are {0} values for the names on the left.",
        "How many parts does the right-hand side have?",
    ),
    KnownError(
        "arguments_do_not_fit",
        r"(\w+)\(\) (?:missing \d+ required positional argument|takes (?:from )?\d+ |got an unexpected keyword)",
        "`{0}` was called with other arguments than its first line has.",
        "The first line of `{0}`, and the line that calls it. (It must be as in the release.)",
    ),
    KnownError(
        "used_before_it_is_made",
        r"local variable '(\w+)'",
        "`{0}` is used before it gets a value.",
        "Is it made further down, or only in a branch that was not taken?",
    ),
)
