"""Exceptions that a beginner may not understand, with meaning, hint and a test of the failing line."""

from __future__ import annotations

import ast

from autograder.explain.known_error import KnownError
from autograder.explain.line_evidence import (
    all_of,
    calls,
    calls_library,
    calls_of,
    calls_without,
    either,
    has,
    has_one,
)
from autograder.explain.python_errors import PYTHON_ERRORS

_PRODUCT = either(has(ast.MatMult), calls("matmul", "mm", "linear"))
_SIZES_DIFFER = (
    r"The size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\)"
    r"|operands could not be broadcast together"
)
_KEEPDIM = ("keepdim", "keepdims")

TENSOR_ERRORS = (
    KnownError(
        "caret_for_power",
        r"unsupported operand type\(s\) for \^|bitwise_xor",
        "In Python `^` is not a power: it compares bits.",
        "The `^` in this line: a power is written with two asterisks.",
        has(ast.BitXor),
    ),
    KnownError(
        "function_of_tensors_on_a_number",
        r"\b(\w+)\(\): argument 'input' \(position 1\) must be Tensor, not (int|float|bool)\b",
        "`torch.{0}` takes a tensor; here it got a plain number of type {1}.",
        "For a plain number use Python's own arithmetic: the module math, or the operator `**` for powers.",
        calls_library,
    ),
    KnownError(
        "softmax_without_dim",
        # torch 2.4 lists its signatures instead of naming the missing argument.
        r'softmax\(\) (missing 1 required positional arguments?: "?dim|'
        r"received an invalid combination of arguments - got \((Tensor)?\))",
        "The softmax needs an axis: its argument `dim` is missing.",
        "The argument `dim` of the softmax: along which axis do the weights of one query lie?",
        calls_without("softmax", "dim"),
    ),
    KnownError(
        "no_such_axis",
        r"Dimension out of range \(expected to be in range of \[(-?\d+), (-?\d+)\], but got (-?\d+)\)",
        "There is no axis {2} here. Axes count from 0, so the last one is {1}, or -1.",
        "The axis (dim) in this line, and the shape of what it is applied to.",
    ),
    KnownError(
        "inner_sizes_differ",
        r"mat1 and mat2 shapes cannot be multiplied \((\d+)x(\d+) and (\d+)x(\d+)\)",
        "In a matrix product the inner sizes must be equal. Here ({0}, {1}) meets ({2}, {3}), and {1} is not {2}.",
        "The shapes on both sides of the product. Must one of the two be transposed?",
        _PRODUCT,
    ),
    KnownError(
        "inner_sizes_differ",
        r"matmul: .*\(size (\d+) is different from (\d+)\)|shapes .* not aligned: (\d+) .* != (\d+)",
        "In a matrix product the inner sizes must be equal, and these are not.",
        "The shapes on both sides of the product. Must one of the two be transposed?",
        either(_PRODUCT, calls("dot")),
    ),
    KnownError(
        "dot_of_matrices",
        r"1D tensors expected, but got (\d)D and (\d)D",
        "`torch.dot` is for two vectors; these have {0} and {1} axes.",
        "A matrix product takes all rows at once.",
        calls("dot"),
    ),
    KnownError(
        "inner_sizes_differ",
        r"size mismatch, got input \(\d+\), mat|inconsistent tensor size, expected tensor \[\d+\] and src",
        "In a matrix product the inner sizes must be equal, and these are not. One of the two is a vector here.",
        "The shapes on both sides of the product. Should both have rows and columns?",
        either(_PRODUCT, calls("dot")),
    ),
    KnownError(
        "product_by_numbers",
        _SIZES_DIFFER,
        "The sign `*` multiplies number by number, so both sides need the same shape. These two differ.",
        "Is a matrix product meant? That is another operator.",
        has(ast.Mult),
    ),
    KnownError(
        "sum_lost_its_axis",
        _SIZES_DIFFER,
        "A sum drops the axis that it runs over. So the sums of the rows lie in a row, not in a column beside "
        "the rows.",
        "The sum: `keepdim=True` (in NumPy `keepdims=True`) keeps the axis, with size 1.",
        all_of(has(ast.Div), calls_without("sum", *_KEEPDIM)),
        assigned=True,
    ),
    KnownError(
        "maximum_lost_its_axis",
        _SIZES_DIFFER,
        "A maximum drops the axis that it runs over. So the maxima of the rows lie in a row, not in a column beside "
        "the rows.",
        "The maximum: `keepdim=True` (in NumPy `keepdims=True`) keeps the axis, with size 1.",
        all_of(
            has(ast.Sub), either(calls_without("max", *_KEEPDIM), calls_without("amax", *_KEEPDIM))
        ),
        assigned=True,
    ),
    KnownError(
        "copied_into_another_shape",
        _SIZES_DIFFER,
        "`copy_` puts each number in its place, and these two do not have the same shape.",
        "The shapes of both. Must one of them be transposed?",
        calls("copy_"),
    ),
    KnownError(
        "shapes_differ",
        _SIZES_DIFFER,
        "The signs `+`, `-` and `/` work number by number, and these two shapes do not fit.",
        "The shapes on both sides of the sign. Do these two belong together?",
        has_one(ast.Add, ast.Sub, ast.Div),
    ),
    KnownError(
        "layer_used_as_a_matrix",
        r"unsupported operand type\(s\) for @: '\w+' and 'Linear'|'Linear' object has no attribute '(?:T|shape|t)'",
        "A layer (nn.Linear) is not a matrix. It holds one, and is called with its input like a function.",
        "The line where the layer is multiplied: call the layer instead.",
        either(has(ast.MatMult), has(ast.Attribute)),
    ),
    KnownError(
        "names_of_parameters_differ",
        r"(?:Missing|Unexpected) key\(s\) in state_dict",
        "The two modules keep their parameters under different names (the message lists them), so none was copied.",
        "`load_state_dict` copies between modules that use the same names. Each matrix can be copied by itself.",
        calls("load_state_dict"),
    ),
    KnownError(
        "copied_into_another_shape",
        r"size mismatch for \w+: copying a param",
        "`load_state_dict` puts each number in its place, and these shapes differ.",
        "The shapes in the message. Must one of the matrices be transposed?",
        calls("load_state_dict"),
    ),
    KnownError(
        "overwritten_while_recorded",
        r"a (?:view of a )?leaf Variable that requires grad is being used in an in-place operation",
        "PyTorch records what happens to trainable parameters. While it records, they cannot be overwritten.",
        "Copying numbers is not a part of the computation: do it under torch.no_grad().",
    ),
    KnownError(
        "numpy_of_a_trained_tensor",
        r"Can't call numpy\(\) on Tensor that requires grad",
        "NumPy cannot follow gradients, so a tensor with gradients does not become an array.",
        "Stay with torch in this line: nothing here needs NumPy.",
    ),
    KnownError(
        "number_function_on_a_tensor",
        r"only one element tensors can be converted|a Tensor with \d+ elements cannot be converted to Scalar"
        r"|only (?:length-1|0-dimensional) arrays can be converted",
        "The functions of the module math take one number, and this holds many.",
        "What the function gets here. If it should be one number, such as a size, pass that; if it should be all, use "
        "the function of the same name in torch or NumPy.",
        calls_of("math"),
    ),
    KnownError(
        "dtypes_differ",
        r"expected m1 and m2 to have the same dtype, but got: (.+) != (.+)",
        "A matrix product needs one dtype on both sides; here they are {0} and {1}.",
        "Where was one of them turned into another dtype?",
        _PRODUCT,
    ),
    KnownError(
        "no_array_in_a_product",
        r"does not have enough dimensions \(has 0",
        "A matrix product needs a matrix or a vector on each side. Here one side is a number, None or a function.",
        "What stands on both sides of the product, and the line that made it.",
        _PRODUCT,
    ),
    KnownError(
        "device_not_there",
        r"not compiled with (?:CUDA|XPU)|No CUDA GPUs|Found no NVIDIA|re-initialize CUDA"
        r"|arguments from the '(?:CUDA|MPS|XPU)' backend"
        r"|not linked with support for (?:cuda|mps|xpu)|MPS backend is not|Cannot access accelerator device",
        "This line asks for a graphics processor, and none is there. The steps are checked on the CPU.",
        "`.cuda()`, `.to(...)` or `device=` in this line, and where its device is chosen: leave it out.",
    ),
    KnownError(
        "indices_not_whole",
        r"Expected tensor for argument #1 'indices' to have one of the following scalar types"
        r"|tensors used as indices must be long",
        "Only whole numbers can point at a row, and these indices are of another dtype.",
        "Where the indices are made: their dtype.",
    ),
)  # fmt: skip

KNOWN_ERRORS = TENSOR_ERRORS + PYTHON_ERRORS
