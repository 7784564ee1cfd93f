"""What an exception means, for whoever meets it for the first time: knowledge of Python and torch, of no assignment.

An exception alone is weak evidence. What is said of it is sure only where the failing line shows the cause, by its
operators and names.
"""

from __future__ import annotations

import ast
import difflib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from autograder.records import StudentError

    Evidence = Callable[[list[ast.AST]], bool]

# What a misspelt name may have been meant to be, besides what the file itself defines.
COMMON_NAMES = (
    "torch",
    "nn",
    "np",
    "math",
    "F",
    "numpy",
    "self",
    "range",
    "len",
    "print",
    "return",
    "float",
)
COMMON_FUNCTIONS = (
    "softmax", "matmul", "sqrt", "exp", "sum", "mean", "max", "tensor", "rand", "randn", "manual_seed", "stack", "dot",
    "transpose", "einsum", "no_grad", "zeros", "ones", "empty", "var", "log", "Parameter", "Linear", "Module",
    "Softmax", "Embedding", "array", "long", "functional",
)  # fmt: skip


@dataclass(frozen=True)
class Reading:
    """What an exception means.

    Attributes:
        name: stands for it in results.
        sure: the failing line shows it.
    """

    name: str
    says: str
    look: str
    sure: bool


@dataclass(frozen=True)
class _Known:
    """An exception that says little to a beginner. {0}, {1}, ... are the groups of `message`."""

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
    """Whether a function is called without the keyword that it wants, whatever it is called here."""

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

_KNOWN = (
    _Known(
        "caret_for_power",
        r"unsupported operand type\(s\) for \^|bitwise_xor",
        "In Python ^ is no power, it compares bits.",
        "The ^ in this line: a power is written with two asterisks.",
        _has(ast.BitXor),
    ),
    _Known(
        "function_of_tensors_on_a_number",
        r"(\w+)\(\): argument 'input' \(position 1\) must be Tensor, not (\w+)",
        "torch.{0} wants a tensor, and what it got is of type {1}.",
        "For a plain number Python's own arithmetic will do: the module math, or the operator ** for powers.",
        lambda nodes: any(_called(node) in COMMON_FUNCTIONS for node in nodes),
    ),
    _Known(
        "no_super_init",
        r"cannot assign \w+ before Module.__init__\(\) call",
        "A module must be set up before it can hold parameters or layers, and super().__init__() has not run yet.",
        "The first line of __init__.",
        _stores_on_self,
    ),
    _Known(
        "softmax_without_dim",
        r'softmax\(\) missing 1 required positional arguments?: "?dim',
        "The softmax was not told along which axis it should run.",
        "Its argument dim: which axis holds what has to sum to 1?",
        _calls_without("softmax", "dim"),
    ),
    _Known(
        "no_such_axis",
        r"Dimension out of range \(expected to be in range of \[(-?\d+), (-?\d+)\], but got (-?\d+)\)",
        "There is no axis {2} here: axes count from 0, so the last one is {1}, or -1.",
        "The axis (dim) in this line, and the shape of what it is applied to.",
    ),
    _Known(
        "inner_sizes_differ",
        r"mat1 and mat2 shapes cannot be multiplied \((\d+)x(\d+) and (\d+)x(\d+)\)",
        "A matrix product wants the inner sizes to agree; here ({0}, {1}) meets ({2}, {3}), and {1} is not {2}.",
        "Which shape stands on which side? Is one of the two to be transposed?",
        _PRODUCT,
    ),
    _Known(
        "inner_sizes_differ",
        r"matmul: .*\(size (\d+) is different from (\d+)\)|shapes .* not aligned: (\d+) .* != (\d+)",
        "A matrix product wants the inner sizes to agree, and these do not.",
        "Which shape stands on which side? Is one of the two to be transposed?",
        _either(_PRODUCT, _calls("dot")),
    ),
    _Known(
        "dot_of_matrices",
        r"1D tensors expected, but got (\d)D and (\d)D",
        "torch.dot is for two vectors; these have {0} and {1} axes.",
        "A matrix product takes all rows at once.",
        _calls("dot"),
    ),
    _Known(
        "inner_sizes_differ",
        r"size mismatch, got input \(\d+\), mat|inconsistent tensor size, expected tensor \[\d+\] and src",
        "A matrix product wants the inner sizes to agree, and these do not. One of the two is a vector here.",
        "Which shape stands on which side? Should both have rows and columns?",
        _either(_PRODUCT, _calls("dot")),
    ),
    _Known(
        "product_by_numbers",
        _SIZES_DIFFER,
        "The sign * goes number by number, and these two do not have the same shape.",
        "Is a matrix product meant? That is another operator.",
        _has(ast.Mult),
    ),
    _Known(
        "sum_lost_its_axis",
        _SIZES_DIFFER,
        "A sum drops the axis that it runs over: the sums of the rows lie as a row, and do not fit beside the rows.",
        "The sum in this line: keepdim=True (in NumPy keepdims=True) keeps the axis, with size 1.",
        _all_of(_has(ast.Div), _calls_without("sum", "keepdim", "keepdims")),
    ),
    _Known(
        "copied_into_another_shape",
        _SIZES_DIFFER,
        "copy_ puts each number in its place, and these two do not have the same shape.",
        "Which shape does each of the two have? Does one lie on its side?",
        _calls("copy_"),
    ),
    _Known(
        "shapes_differ",
        _SIZES_DIFFER,
        "The signs +, - and / go number by number, and these two shapes do not fit.",
        "The shapes on both sides of the sign. Do the two belong together at all?",
        _has_one(ast.Add, ast.Sub, ast.Div),
    ),
    _Known(
        "layer_used_as_a_matrix",
        r"unsupported operand type\(s\) for @: '\w+' and 'Linear'",
        "A layer (nn.Linear) is no matrix; it holds one, and is called with its input like a function.",
        "The line where the layer is multiplied.",
        _has(ast.MatMult),
    ),
    _Known(
        "tensor_for_a_parameter",
        r"cannot assign '.*' (?:as|object to) (?:parameter|child module)",
        "Under this name the module holds a Parameter or a layer, and only another one may take its place.",
        "Put an nn.Parameter there, or copy the numbers into the one that is there.",
        _stores_on_self,
    ),
    _Known(
        "names_of_parameters_differ",
        r"(?:Missing|Unexpected) key\(s\) in state_dict",
        "The two modules keep their parameters under other names (the message lists them), so none was copied.",
        "load_state_dict copies between modules that use the same names. Each matrix can be copied by itself.",
        _calls("load_state_dict"),
    ),
    _Known(
        "copied_into_another_shape",
        r"size mismatch for \w+: copying a param",
        "load_state_dict puts each number in its place, and these shapes differ.",
        "Which shapes does the message name? Does one matrix lie on its side?",
        _calls("load_state_dict"),
    ),
    _Known(
        "module_without_forward",
        r'is missing the required "forward" function',
        "A module was called that has no forward: it holds parameters and computes nothing.",
        "Which module is called in this line? Perhaps only the parameters that it holds are needed.",
    ),
    _Known(
        "overwritten_while_recorded",
        r"a (?:view of a )?leaf Variable that requires grad is being used in an in-place operation",
        "PyTorch records what happens to trainable parameters, and refuses to have one overwritten meanwhile.",
        "Copying numbers is no step of the computation: do it where nothing is recorded (torch.no_grad).",
    ),
    _Known(
        "numpy_of_a_trained_tensor",
        r"Can't call numpy\(\) on Tensor that requires grad",
        "NumPy cannot follow gradients, so a tensor that has them does not become an array.",
        "Stay with torch in this line: nothing here needs NumPy.",
    ),
    _Known(
        "transpose_with_brackets",
        r"'(?:Tensor|Parameter|numpy.ndarray)' object is not callable",
        "The transpose .T is no function: it has no brackets behind it.",
        "The brackets behind .T.",
        _calls("T"),
    ),
    _Known(
        "tensor_called",
        r"'(Tensor|Parameter|numpy.ndarray|torch.Size|tuple|float|int)' object is not callable",
        "Something of type {0} was called like a function.",
        "The brackets in this line: is an operator missing before them, or are there too many?",
    ),
    _Known(
        "none_used",
        r"'NoneType'",
        "Something in this line is None. Perhaps it comes from a function that prints its result and does not "
        "return it.",
        "Which name in this line is None? Has the function that made it a `return`?",
    ),
    _Known(
        "dtypes_differ",
        r"expected m1 and m2 to have the same dtype, but got: (.+) != (.+)",
        "A matrix product wants one dtype on both sides; here they are {0} and {1}.",
        "Where was one of them turned into another dtype?",
        _PRODUCT,
    ),
    _Known(
        "parts_do_not_fit",
        r"(too many|not enough) values to unpack",
        "There are {0} values for the names on the left.",
        "How many parts does the right-hand side have?",
    ),
    _Known(
        "arguments_do_not_fit",
        r"(\w+)\(\) (?:missing \d+ required positional argument|takes (?:from )?\d+ |got an unexpected keyword)",
        "`{0}` was called with other arguments than its first line has.",
        "The first line of `{0}`, and whoever calls it. (It must be as in the release.)",
    ),
    _Known(
        "used_before_it_is_made",
        r"local variable '(\w+)'",
        "`{0}` is used before it gets a value.",
        "Is it made further down, or only in a branch that was not taken?",
    ),
)


def read_error(error: StudentError, names: Iterable[str]) -> Reading | None:
    """What an exception means; None for one that speaks for itself. `names` are those that the file defines."""
    nodes = _nodes(error.frames[-1].text) if error.frames else None
    misspelt = _misspelt(error, nodes, names)
    if misspelt is not None:
        return misspelt
    for known in _KNOWN:
        found = re.search(known.message, error.message)
        if found is None:
            continue
        if known.line is not None and nodes is not None and not known.line(nodes):
            continue
        groups = [group or "" for group in found.groups()]
        sure = known.line is not None and nodes is not None
        says = known.says.format(*groups)
        # A line that cannot be read alone, part of a longer one, shows nothing.
        says = says if sure or known.line is None else f"Perhaps: {says}"
        return Reading(known.name, says, known.look.format(*groups), sure)
    return None


_UNSUITABLE = (
    _Known(
        "not_stored_on_self",
        r"has no attribute `(\w+)`",
        "After __init__ nothing is stored on self under this name. Perhaps it is a plain variable there, stands in a "
        "list, or is made in forward only.",
        "__init__: self.{0} = ... makes it last.",
    ),
    _Known(
        "matrix_on_its_side",
        r"`(\w+)` has shape \((\d+), (\d+)\); \(\3, \2\) was expected",
        "The sizes are the right two, but exchanged: the matrix lies on its side.",
        "The order of the sizes where {0} is made. (nn.Linear takes the size that comes in first.)",
    ),
    _Known(
        "other_sizes",
        r"`(\w+)` has shape",
        "Perhaps a size is written into the code as a number.",
        "The sizes where {0} is made: do both come from the arguments of __init__?",
    ),
    _Known(
        "bias_not_passed_on",
        r"`(\w+)` has no bias",
        "An argument asked for a bias, and the layer was made without one.",
        "The line that makes {0}: nn.Linear has an argument bias, and what it is given decides.",
    ),
    _Known(
        "no_module",
        r"`(\w+)` is no nn.Module",
        "What is no nn.Module has no parameters() and cannot be trained.",
        "The first line of the class: class {0}(nn.Module).",
    ),
)


def read_unsuitable(words: str) -> Reading | None:
    """What it means that an object could not be probed further; what may be its cause comes as "perhaps"."""
    for known in _UNSUITABLE:
        if found := re.search(known.message, words):
            sure = not known.says.startswith("Perhaps")
            look = known.look.format(*found.groups())
            return Reading(known.name, known.says, look, sure)
    return None


def _nodes(text: str) -> list[ast.AST] | None:
    """The parts of one line of Python; None where it is not whole."""
    body = f"{text} pass" if text.endswith(":") else text
    try:
        return list(ast.walk(ast.parse(f"def line():\n    {body}\n")))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _misspelt(
    error: StudentError, nodes: list[ast.AST] | None, names: Iterable[str]
) -> Reading | None:
    """A name that is not there, and what it may have been meant to be."""
    if found := re.search(r"name '(\w+)' is not defined", error.message):
        others = [node.id for node in nodes or [] if isinstance(node, ast.Name)]
        return _meant(found[1], "", [*names, *others, *COMMON_NAMES], nodes)
    if found := re.search(r"module '([\w.]+)' has no attribute '(\w+)'", error.message):
        return _meant(found[2], f"{found[1]}.", COMMON_FUNCTIONS, nodes)
    if found := re.search(r"'(\w+)' object has no attribute '(\w+)'", error.message):
        if found[1] == "NoneType" or not _reads_self(nodes, found[2]):
            return None
        says = f"Nothing is stored under self.{found[2]}."
        look = f"__init__: what it makes lasts only if it is stored on self, under the name {found[2]}."
        return Reading("not_stored_on_self", says, look, sure=True)
    return None


def _meant(
    name: str, before: str, candidates: Iterable[str], nodes: list[ast.AST] | None
) -> Reading:
    close = difflib.get_close_matches(name, sorted({*candidates} - {name}), n=1, cutoff=0.7)
    says = f"There is no `{before}{name}`."
    # A name like one of the student's own may as well be missing, its line forgotten.
    known = bool(before) or close[:1] in [[common] for common in COMMON_NAMES]
    sure = bool(close) and known and _mentions(nodes, name)
    if close:
        says += (
            f" Did you mean `{before}{close[0]}`?"
            if sure
            else f" Perhaps it is `{before}{close[0]}`?"
        )
    look = "The spelling of the name; what a function uses it gets as an argument, makes itself, or imports."
    return Reading("name_misspelt" if close else "name_not_defined", says, look, sure)


def _mentions(nodes: list[ast.AST] | None, name: str) -> bool:
    return any(getattr(node, "id", getattr(node, "attr", None)) == name for node in nodes or [])


def _reads_self(nodes: list[ast.AST] | None, name: str) -> bool:
    return any(
        isinstance(node, ast.Attribute)
        and node.attr == name
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
        for node in nodes or []
    )
