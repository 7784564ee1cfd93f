"""Patterns of the exception messages of Python, torch and NumPy."""

from __future__ import annotations

import re

_TEXTS = {
    "not_defined": r"name '(\w+)' is not defined",
    "not_in_module": r"module '([\w.]+)' has no attribute '(\w+)'",
    "not_in_object": r"'([\w.]+)' object has no attribute '(\w+)'",
    "not_in_class": r"type object '([\w.]+)' has no attribute '(\w+)'",
    "module_called": r"'module' object is not callable",
    "unknown_keyword": r"(?<![\w.])([\w.]+)\(\) got an unexpected keyword argument '(\w+)'",
    "count": r"(?<![\w.])([\w.]+)\(\) (?:missing \d+ required positional argument|takes )",
    "given_twice": r"(?<![\w.])([\w.]+)\(\) got multiple values for argument '(\w+)'",
    # torch's own functions: what they got, then all signatures that they have.
    "combination": r"\b(\w+)\(\) received an invalid combination of arguments - got \((.{0,300}?)\), but expected(.*)",
    "wrong_kind": r"\b(\w+)\(\): argument '(\w+)' \(position \d+\) must be ([\w ]+), not ([\w.]+)",
    "operands": r"unsupported operand type\(s\) for \S+ '([\w.]+)' and '([\w.]+)'",
    "not_called": r"'(?:builtin_function_or_method|method)' object is not (?:iterable|subscriptable)",
    "no_forward": r'Module \[(\w+)\] is missing the required "forward" function',
    "none": r"\bNoneType\b",
    # An axis that is not there, or another number of axes than a function needs.
    "axes": r"Dimension out of range|\bout of bounds for array of dimension|\baxes don't match array"
    r"|\btoo many indices for|\bdoes not match the (?:length of the desired ordering of|number of) dimensions"
    r"|\bmust be a 3D tensor",
    "no_array": r"does not have enough dimensions \(has 0",
    "index_too_large": r"index (\d+) is out of bounds for (?:dimension|axis) (\d+) with size (\d+)",
    "not_callable": r"'[\w.]+' object is not callable",
}
# Names of types that these messages have.
NONE_TYPE = "NoneType"
SOFTMAX_TYPE = frozenset(["Softmax"])
MODULE_TYPE = frozenset(["Module"])
TWO_RESULTS = "torch.return_types"
UNCALLED = frozenset(["builtin_function_or_method", "method", "function"])
TENSORS = frozenset(["Tensor", "Parameter"])
PLAIN_NUMBERS = frozenset(["int", "float", "bool", NONE_TYPE])

PATTERNS = {name: re.compile(text, re.DOTALL) for name, text in _TEXTS.items()}


def match_message(name: str, message: str) -> re.Match[str] | None:
    """Return the match of a pattern in an exception's message; None if it says something else."""
    return PATTERNS[name].search(message)
