"""Exceptions about objects: what is called, indexed, taken apart or used before it is there."""

from __future__ import annotations

import ast

from autograder.explain.known_error import KnownError
from autograder.explain.line_evidence import (
    asks_yes_or_no,
    brackets_after,
    calls,
    formats_text,
    has,
    stores_on_self,
    unpacks_pairs,
)

_MANY_ANSWERS = (
    r"Boolean value of Tensor with more than one value is ambiguous"
    r"|truth value of an array with more than one element is ambiguous"
)

PYTHON_ERRORS = (
    KnownError(
        "super_without_brackets",
        r"descriptor '__init__' .*'super' object",
        "`super` without brackets is not the parent class.",
        "The line with `super`: write `super().__init__()`.",
    ),
    KnownError(
        "no_super_init",
        r"cannot assign \w+ before Module.__init__\(\) call",
        "A module can hold parameters and layers only after `super().__init__()` has run, and it has not run yet.",
        "The first line of `__init__`: is `super().__init__()` there, with both pairs of brackets?",
        stores_on_self,
    ),
    KnownError(
        "tensor_for_a_parameter",
        r"cannot assign '.*' (?:as|object to) (?:parameter|child module)",
        "Under this name the module holds a Parameter or a layer, and only another one may take its place.",
        "Put an nn.Parameter there, or copy the numbers into the one that is there.",
        stores_on_self,
    ),
    KnownError(
        "module_without_forward",
        r'is missing the required "forward" function',
        "A module without `forward` was called: it holds parameters and computes nothing.",
        "The module that is called in this line. Perhaps only its parameters are needed.",
    ),
    KnownError(
        "transpose_with_brackets",
        r"'(?:Tensor|Parameter|numpy.ndarray)' object is not callable",
        "`.T` is not a function, so no brackets follow it.",
        "The brackets after `.T`.",
        calls("T"),
    ),
    KnownError(
        "shape_with_round_brackets",
        r"'(?:torch.Size|tuple)' object is not callable",
        "`shape` is not a function: one of its sizes is taken with square brackets.",
        "The brackets after `shape`: `shape[-1]`, or the function `size(-1)`.",
        calls("shape"),
    ),
    KnownError(
        "size_with_square_brackets",
        r"'(?:builtin_function_or_method|method)' object is not subscriptable",
        "`size` is a function: it takes round brackets.",
        "The brackets after `size`: `size(-1)`, or `shape[-1]` with square ones.",
        brackets_after("size"),
    ),
    KnownError(
        "shape_as_a_number",
        r"unsupported operand type\(s\) for .*'torch.Size'|can't multiply sequence by non-int"
        r"|must be real number, not (?:torch.Size|tuple)",
        "`shape` holds the sizes of all axes; one number is needed here.",
        "Take one size out of `shape`, with square brackets.",
        lambda nodes: any(isinstance(node, ast.Attribute) and node.attr == "shape" for node in nodes),
        assigned=True,
    ),
    KnownError(
        "values_left_out",
        r"torch.return_types",
        "With a dim, torch.max and torch.min give two things back: the numbers (`.values`) and their places.",
        "The maximum in this line: `.values` after it takes the numbers alone, and torch.amax gives only these.",
    ),
    KnownError(
        "tensor_called",
        r"'(Tensor|Parameter|numpy.ndarray|torch.Size|tuple|float|int)' object is not callable",
        "Something of type {0} was called like a function.",
        "The round brackets in this line: is an operator missing before them, or is a pair too many?",
    ),
    KnownError(
        "layer_with_square_brackets",
        r"'(Embedding|Linear|Softmax|SelfAttention\w*|function|type)' object is not subscriptable",
        "Square brackets take an entry out of a tensor or a list; this is something of type {0}.",
        "The brackets in this line: a function or a layer is called with round ones.",
        has(ast.Subscript),
    ),
    KnownError(
        "yes_or_no_of_many_numbers",
        _MANY_ANSWERS,
        "`and`, `or`, `not`, `if`, `while` and `assert` need one yes or no, and a tensor or an array with many numbers "
        "has many.",
        "One of these words in this line: is it too many, or is one single number meant?",
        asks_yes_or_no,
    ),
    KnownError(
        "yes_or_no_of_many_numbers",
        _MANY_ANSWERS,
        "Python's own `max`, `min` and `sorted` compare element with element, and each element is a whole row here.",
        "The function in this line: torch and NumPy have one of the same name for all numbers at once.",
        calls("max", "min", "sorted"),
    ),
    KnownError(
        "format_of_many_numbers",
        r"unsupported format string passed to (?:\w+\.)?(\w+)\.__format__",
        "A format such as `:.2f` writes one single number, and this is something of type {0}.",
        "The text with the format: leave out what follows the `:`, or print one entry.",
        formats_text,
    ),
    KnownError(
        "asks_for_input",
        r"EOF when reading a line",
        "`input()` waits for somebody to type, and nobody does while a step is checked.",
        "The line with `input()`: a step gets what it needs as arguments.",
        calls("input"),
    ),
    KnownError(
        "no_list_of_numbers",
        r"Could not infer dtype of (generator|map|filter|zip|set|range|dict_\w+|builtin_function_or_method|method)",
        "A tensor is made from a list of numbers; this is something of type {0}.",
        "The brackets in this line: square brackets, `[...]`, make a list.",
        calls("tensor", "as_tensor", "LongTensor"),
    ),
    KnownError(
        "none_used",
        r"\bNoneType\b",
        "Something in this line is None. Perhaps it comes from a function that prints its result and does not "
        "return it.",
        "Which name in this line is None? Has the function that made it a `return`?",
    ),
    KnownError(
        "dict_without_items",
        r"(?:too many|not enough) values to unpack|cannot unpack non-iterable (?:int|str) object",
        "A loop over a dictionary gives its keys only, and each key was taken apart here.",
        "The loop in this line: `.items()` gives pairs of key and value.",
        unpacks_pairs,
    ),
    KnownError(
        "parts_do_not_fit",
        r"(too many|not enough) values to unpack",
        "There are {0} values for the names on the left.",
        "How many parts does the right-hand side have?",
    ),
    KnownError(
        "index_too_large",
        r"index (\d+) is out of bounds for (?:dimension|axis) \d+ with size (\d+)",
        "There is no entry {0} here: there are {1}, counted from 0.",
        "Where the index comes from, and where the size comes from: do both belong to the same axis?",
    ),
    KnownError(
        "too_many_indices",
        r"too many indices for (?:tensor of dimension|array: array is) (\d+)",
        "The square brackets name more axes than there are: only {0}.",
        "The square brackets in this line, and the shape of what stands before them.",
    ),
    KnownError(
        "calls_itself",
        r"maximum recursion depth exceeded",
        "A function calls itself, without an end.",
        "The name that is called in this line: is it the function's own name?",
    ),
    KnownError(
        "arguments_do_not_fit",
        r"\b(\w+)\(\) (?:missing \d+ required positional argument|takes (?:from )?\d+ |got an unexpected keyword)",
        "`{0}` was called with other arguments than it has.",
        "The call of `{0}` in this line: the number of its arguments, and their names.",
    ),
    KnownError(
        "used_before_it_is_made",
        r"local variable '(\w+)'",
        "`{0}` is used before it gets a value. A function that assigns to a name never uses the file's variable of "
        "that name.",
        "Is `{0}` made further down, or only in a branch that was not taken? Is a name missing among the arguments?",
    ),
)  # fmt: skip
