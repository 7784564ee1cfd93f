"""Explain exceptions to beginners, from knowledge of Python and torch and from what the student wrote.

An exception alone is weak evidence. An explanation is sure only if the student's source shows the cause. An entry has
the key of its words, a pattern of the message and a test of the statement that failed.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from autograder.explain import call_rules, name_rules, slips
from autograder.explain.raised import (
    Message,
    Raised,
    all_of,
    asks_yes_or_no,
    calls_without,
    formats_text,
    message,
    shows,
    shows_one,
    stores_on_self,
    unpacks_pairs,
)
from autograder.explain.rules import Finding, Rules, finding, first_of

if TYPE_CHECKING:
    from autograder.explain.raised import LineTest
    from autograder.explain.student_code import Submitted
    from autograder.results import StudentError

MESSAGES = Rules[Raised]()


def entry(key: str, pattern: str, line: LineTest | None = None, *, assigned: bool = False) -> None:
    """Register a message whose words need nothing but its groups."""

    def rule(raised: Raised, **facts: str) -> Finding:
        shown = line is not None and raised.nodes is not None
        # A line that is part of a longer statement cannot be parsed, so it proves nothing.
        perhaps = line is not None and not shown
        return replace(finding(key, **facts), sure=shown, perhaps=perhaps)

    MESSAGES.when(message(pattern, line=line, assigned=assigned))(rule)


_PRODUCT = ("_ @ _", "matmul()", "mm()", "linear()")
_SIZES_DIFFER = (
    r"The size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\)"
    r"|operands could not be broadcast together"
)
_MANY_ANSWERS = (
    r"Boolean value of Tensor with more than one value is ambiguous"
    r"|truth value of an array with more than one element is ambiguous"
)
_KEEPDIM = ("keepdim", "keepdims")

# Of torch and NumPy.
entry("caret_for_power", r"unsupported operand type\(s\) for \^|bitwise_xor", shows("_ ^ _"))

entry(
    "function_of_tensors_on_a_number",
    r"\b(?P<function>\w+)\(\): argument 'input' \(position 1\) must be Tensor, not (?P<kind>int|float|bool)\b",
    shows("_()"),
)
entry(
    "softmax_without_dim",
    # torch 2.4 lists its signatures instead of naming the missing argument.
    r'softmax\(\) (missing 1 required positional arguments?: "?dim|'
    r"received an invalid combination of arguments - got \((Tensor)?\))",
    calls_without(("softmax",), "dim"),
)
entry(
    "no_such_axis",
    r"Dimension out of range \(expected to be in range of \[-?\d+, (?P<last>-?\d+)\], but got (?P<axis>-?\d+)\)",
)
entry(
    "inner_sizes_differ.matrices",
    r"mat1 and mat2 shapes cannot be multiplied \((?P<a>\d+)x(?P<b>\d+) and (?P<c>\d+)x(?P<d>\d+)\)",
    shows(*_PRODUCT),
)
entry(
    "inner_sizes_differ",
    r"matmul: .*\(size (\d+) is different from (\d+)\)|shapes .* not aligned: (\d+) .* != (\d+)",
    shows(*_PRODUCT, "dot()"),
)
entry(
    "dot_of_matrices",
    r"1D tensors expected, but got (?P<one>\d)D and (?P<other>\d)D",
    shows("dot()"),
)
entry(
    "inner_sizes_differ.vector",
    r"size mismatch, got input \(\d+\), mat|inconsistent tensor size, expected tensor \[\d+\] and src",
    shows(*_PRODUCT, "dot()"),
)
entry("product_by_numbers", _SIZES_DIFFER, shows("_ * _"))
entry(
    "sum_lost_its_axis",
    _SIZES_DIFFER,
    all_of(shows("_ / _"), calls_without(("sum",), *_KEEPDIM)),
    assigned=True,
)
entry(
    "maximum_lost_its_axis",
    _SIZES_DIFFER,
    all_of(shows("_ - _"), calls_without(("max", "amax"), *_KEEPDIM)),
    assigned=True,
)
entry("copied_into_another_shape", _SIZES_DIFFER, shows("copy_()"))
entry("shapes_differ", _SIZES_DIFFER, shows_one("_ + _", "_ - _", "_ / _"))
entry(
    "layer_used_as_a_matrix",
    r"unsupported operand type\(s\) for @: '\w+' and 'Linear'|'Linear' object has no attribute '(?:T|shape|t)'",
    shows("_ @ _", "_._"),
)
entry(
    "names_of_parameters_differ",
    r"(?:Missing|Unexpected) key\(s\) in state_dict",
    shows("load_state_dict()"),
)
entry(
    "copied_into_another_shape.state_dict",
    r"size mismatch for \w+: copying a param",
    shows("load_state_dict()"),
)
entry(
    "overwritten_while_recorded",
    r"a (?:view of a )?leaf Variable that requires grad is being used in an in-place operation",
)
entry("numpy_of_a_trained_tensor", r"Can't call numpy\(\) on Tensor that requires grad")
entry(
    "number_function_on_a_tensor",
    r"only one element tensors can be converted|a Tensor with \d+ elements cannot be converted to Scalar"
    r"|only (?:length-1|0-dimensional) arrays can be converted",
    shows("math._()"),
)
entry(
    "dtypes_differ",
    r"expected m1 and m2 to have the same dtype, but got: (?P<one>.+) != (?P<other>.+)",
    shows(*_PRODUCT),
)
entry("no_array_in_a_product", r"does not have enough dimensions \(has 0", shows(*_PRODUCT))
entry(
    "device_not_there",
    r"not compiled with (?:CUDA|XPU)|No CUDA GPUs|Found no NVIDIA|re-initialize CUDA"
    r"|arguments from the '(?:CUDA|MPS|XPU)' backend"
    r"|not linked with support for (?:cuda|mps|xpu)|MPS backend is not|Cannot access accelerator device",
)
entry(
    "indices_not_whole",
    r"Expected tensor for argument #1 'indices' to have one of the following scalar types"
    r"|tensors used as indices must be long",
)

# Of Python: what is called, indexed, taken apart or used before it is there.
entry("super_without_brackets", r"descriptor '__init__' .*'super' object")
entry("no_super_init", r"cannot assign \w+ before Module.__init__\(\) call", stores_on_self)
entry(
    "tensor_for_a_parameter",
    r"cannot assign '.*' (?:as|object to) (?:parameter|child module)",
    stores_on_self,
)
entry("module_without_forward", r'is missing the required "forward" function')
entry(
    "transpose_with_brackets",
    r"'(?:Tensor|Parameter|numpy.ndarray)' object is not callable",
    shows("T()"),
)
entry(
    "shape_with_round_brackets", r"'(?:torch.Size|tuple)' object is not callable", shows("shape()")
)
entry(
    "size_with_square_brackets",
    r"'(?:builtin_function_or_method|method)' object is not subscriptable",
    shows("_.size[_]"),
)
entry(
    "shape_as_a_number",
    r"unsupported operand type\(s\) for .*'torch.Size'|can't multiply sequence by non-int"
    r"|must be real number, not (?:torch.Size|tuple)",
    shows("_.shape"),
    assigned=True,
)
entry("values_left_out.both", r"torch.return_types")
entry(
    "tensor_called",
    r"'(?P<kind>Tensor|Parameter|numpy.ndarray|torch.Size|tuple|float|int)' object is not callable",
)
entry(
    "layer_with_square_brackets",
    r"'(?P<kind>Embedding|Linear|Softmax|SelfAttention\w*|function|type)' object is not subscriptable",
    shows("_[_]"),
)
entry("yes_or_no_of_many_numbers", _MANY_ANSWERS, asks_yes_or_no)
entry("yes_or_no_of_many_numbers.builtin", _MANY_ANSWERS, shows("max()", "min()", "sorted()"))
entry(
    "format_of_many_numbers",
    r"unsupported format string passed to (?:\w+\.)?(?P<kind>\w+)\.__format__",
    formats_text,
)
entry("asks_for_input", r"EOF when reading a line", shows("input()"))
entry(
    "no_list_of_numbers",
    r"Could not infer dtype of "
    r"(?P<kind>generator|map|filter|zip|set|range|dict_\w+|builtin_function_or_method|method)",
    shows("tensor()", "as_tensor()", "LongTensor()"),
)
entry("none_used", r"\bNoneType\b")
entry(
    "dict_without_items",
    r"(?:too many|not enough) values to unpack|cannot unpack non-iterable (?:int|str) object",
    unpacks_pairs,
)
entry("parts_do_not_fit", r"(?P<count>too many|not enough) values to unpack")
entry(
    "index_too_large",
    r"index (?P<index>\d+) is out of bounds for (?:dimension|axis) \d+ with size (?P<size>\d+)",
)
entry(
    "too_many_indices",
    r"too many indices for (?:tensor of dimension|array: array is) (?P<axes>\d+)",
)
entry("calls_itself", r"maximum recursion depth exceeded")
entry(
    "arguments_do_not_fit",
    r"\b(?P<function>\w+)\(\) "
    r"(?:missing \d+ required positional argument|takes (?:from )?\d+ |got an unexpected keyword)",
)
entry("used_before_it_is_made", r"local variable '(?P<name>\w+)'")


@MESSAGES.when(message("", "AssertionError"))
def own_assert(raised: Raised) -> Finding | None:
    shown = any(isinstance(node, ast.Assert) for node in raised.nodes or ())
    return finding("assert_fails") if shown else None


# In this order: what the source shows comes before what a message says.
ORDER = (
    name_rules.HIDDEN,
    slips.RAISED,
    slips.IN_THE_LINE,
    name_rules.RULES,
    call_rules.RULES,
    MESSAGES,
)


def read_error(
    error: StudentError, submitted: Submitted, given: tuple[str, ...] = ()
) -> Finding | None:
    """Explain an exception; return None if its message is clear.

    Args:
        given: the attributes of the objects that the step was called with.
    """
    return first_of(ORDER, Raised(error, submitted, given))


def message_patterns() -> dict[str, str]:
    """Return the patterns of all rules, each under the name of its rule and a number."""
    found = [
        (rule.__name__, condition.pattern.pattern)
        for rules in ORDER
        for conditions, rule in rules.rules
        for condition in conditions
        if isinstance(condition, Message) and condition.pattern.pattern
    ]
    return {f"{name}-{number}": pattern for number, (name, pattern) in enumerate(found)}
