"""Exceptions about a call or an index: arguments that do not fit, what cannot be called, what is not there."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from autograder.explain.class_rules import constructor_misspelt, forward_misplaced
from autograder.explain.operations import normal
from autograder.explain.raised import FUNCTION_TYPES, Raised, message, shows
from autograder.explain.rules import Finding, Rules, finding
from autograder.explain.signatures import COUNT, UNKNOWN_KEYWORD
from autograder.explain.syntax import (
    assignments,
    called,
    last_assigned,
    name_of,
    names_read,
    nodes,
    path_of,
    walk,
)
from autograder.near_names import argument_meant
from autograder.values.numbers import as_array

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from autograder.explain.sizes import Shape
    from autograder.explain.student_code import Definition

RULES = Rules[Raised]()
WHOLE = Rules[Raised]()

_GOT_KEYWORD = re.compile(r"\b(?!axis|keepdims)(\w+)=")  # these two torch takes too
_EXPECTED = re.compile(r"\b(\w{1,60}+)(?: = [^,()]{1,40}+(?:\(\))?)?(?=[,)])")
_AXES = frozenset({"axis", "keepdims"})
_TENSORS = frozenset(["Tensor", "Parameter"])
_LAYERS = frozenset({"Linear"})
# The functions that make a matrix.
_MATRICES = frozenset(
    ["Parameter", "rand", "randn", "randint", "tensor", "zeros", "ones", "empty", "eye", "Tensor"]
)
_PLAIN_NUMBERS = ("int", "float", "bool", "NoneType")
_NOT_CALLED = frozenset(
    ["T", "mT", "shape", "ndim", "data", "grad", "dtype", "device", "requires_grad"]
)
# torch's own functions: what they got, then all signatures that they have.
_COMBINATION = (
    r"\b(?P<function>\w+)\(\) received an invalid combination of arguments - got \((?P<got>.{0,300}?)\), "
    r"but expected(?P<expected>.*)"
)
_WRONG_KIND = (
    r"\b(?P<function>\w+)\(\): argument '(?P<argument>\w+)' \(position \d+\) must be (?P<wanted>[\w ]+), "
    r"not (?P<kind>[\w.]+)"
)
_OPERANDS = r"unsupported operand type\(s\) for \S+ '(?P<kind>[\w.]+)' and '(?P<second>[\w.]+)'"
_calls_numpy = shows("np._()", "numpy._()")


@RULES.when(message(UNKNOWN_KEYWORD))
def unknown_keyword(raised: Raised, function: str, keyword: str) -> Finding | None:
    """Name the argument that the called function has in place of an unknown one."""
    if keyword in _AXES and _calls_numpy(raised.nodes or []):  # NumPy's own functions take these
        return finding("numpy_on_tensors", function=function)
    name = re.sub(r"\.__(?:init|new)__$", "", function).split(".")[-1].lstrip("_")
    if raised.definition is not None and name == "Module":
        return constructor_misspelt(raised.definition)
    return _keyword(name, keyword, raised.error.existing)


def _keyword(function: str, keyword: str, arguments: Collection[str]) -> Finding:
    meant = argument_meant(keyword, arguments)
    key = "keyword_misspelt" if meant else "arguments_do_not_fit.keyword"
    return finding(key, function=function, keyword=keyword, meant=meant)


@RULES.when(message(_COMBINATION))
def combination_of_arguments(
    raised: Raised, function: str, got: str, expected: str
) -> Finding | None:
    """Explain torch's message about arguments: a keyword that no signature has."""
    if _calls_numpy([node for node in raised.nodes or [] if called(node) == function]):
        return finding("numpy_on_tensors", function=function)
    arguments = {*_EXPECTED.findall(expected)}
    unknown = [name for name in _GOT_KEYWORD.findall(got) if name not in arguments]
    if unknown:
        return _keyword(function, unknown[0], sorted(arguments))
    kinds = {kind.strip() for kind in got.split(",") if kind.strip()}
    return _transpose_without_axes(function) if kinds <= _TENSORS else None


@RULES.when(
    message(
        r"matmul: |shapes .* not aligned|mat1 and mat2 shapes cannot be multiplied"
        r"|Expected size for first two dimensions of batch2"
    )
)
def operands_exchanged(raised: Raised) -> Finding | None:
    """Notice a product of two matrices, or of two batches of them, that would fit in the other order."""
    for node, left, right in _products(raised):
        if min(len(left), len(right)) < 2 or left[:-2] != right[:-2]:  # noqa: PLR2004
            continue
        if left[-1] != right[-2] and right[-1] == left[-2]:
            names = {"left": ast.unparse(node.left), "right": ast.unparse(node.right)}
            return finding("inner_sizes_differ.exchanged", of_left=left, of_right=right, **names)
    return None


def _products(raised: Raised) -> Iterator[tuple[ast.BinOp, Shape, Shape]]:
    """Yield the matrix products in the statement, with the shapes of both sides; these are empty if unknown."""
    sizes = raised.sizes
    for node in map(normal, raised.nodes or ()):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            left, right = (sizes and sizes.shape(side) for side in (node.left, node.right))
            yield node, left or (), right or ()


@RULES.when(
    message(
        r"mat1 and mat2 shapes cannot be multiplied \(\d+x(?P<given>\d+) and (?P<taken>\d+)x\d+\)"
    )
)
def width_of_a_layer(raised: Raised, given: str, taken: str) -> Finding | None:
    """Notice a layer that is called with rows of another width, in a statement whose products fit."""
    products = [(left[-1:], right[-2:-1]) for _, left, right in _products(raised)]
    layers = [(call, made) for call, made in _made_and_called(raised) if called(made) in _LAYERS]
    alike = len({ast.unparse(made) for _, made in layers}) == 1
    if not alike or any(not width or width != rows for width, rows in products):
        return None
    call, made = layers[0]
    facts = {"layer": ast.unparse(call.func)[:40], "line": made.lineno}
    return finding("inner_sizes_differ.layer", given=given, taken=taken, **facts)


@RULES.when(message(r"^'(?P<kind>Tensor|Parameter|float|int)' object is not callable"))
def attribute_called(raised: Raised, kind: str) -> Finding | None:
    """Name the matrix or the number that is stored on self and called like a layer."""
    is_number = kind in _PLAIN_NUMBERS
    there = [
        (call, made)
        for call, made in _made_and_called(raised)
        if path_of(call.func).startswith("self.") and _makes(made) != "layer"
    ]
    if len(there) > 1:
        there = [one for one in there if _makes(one[1]) == ("number" if is_number else "matrix")]
    if len(there) != 1 or raised.definition is None:
        return None
    call, made = there[0]
    facts = {"line": made.lineno, "made": raised.definition.quote(made)}
    key = "tensor_called.number" if is_number else "tensor_called.matrix"
    return finding(key, attribute=path_of(call.func), **facts)


def _makes(expression: ast.expr) -> str:
    """Return what an expression makes, by the name that it calls: a matrix, a layer or a number."""
    name = called(expression)
    return "matrix" if name in _MATRICES else "layer" if name[:1].isupper() else "number"


def _made_and_called(raised: Raised) -> list[tuple[ast.Call, ast.expr]]:
    """Return the calls of what an expression made before, or makes in the same line, each with this expression."""
    found: list[tuple[ast.Call, ast.expr | None]] = []
    for node in raised.nodes or ():
        match node:
            case ast.Call(func=ast.Call() as made):
                found.append((node, made))
            case ast.Call(func=ast.Name(id=name)) if raised.function:
                found.append((node, last_assigned(name, raised.function)))
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)):
                definition = raised.definition
                stored = assignments(definition.node, name, ast.Attribute) if definition else []
                found += [(node, one.value) for one in stored if len(stored) == 1]
    return [(call, made) for call, made in found if made is not None]


@RULES.when(message(r"^'.'$", "KeyError"))
def letters_of_a_text(raised: Raised) -> Finding | None:
    """Notice a loop over a text that looks each letter up."""
    for node in walk(raised.function) if raised.function else ():
        if isinstance(node, ast.For | ast.comprehension) and isinstance(node.iter, ast.Name):
            name = node.iter.id
            if isinstance(raised.inputs.get(name), str):
                return finding("letters_of_a_text", name=name, line=node.iter.lineno)
    return None


@RULES.when(message(COUNT))
def class_without_init(raised: Raised, function: str) -> Finding | None:
    """Explain a class without `__init__`, of which nn.Module says that it takes no arguments."""
    definition = raised.code.definition(function.partition(".")[0])
    if definition is None and raised.definition and raised.definition.function is None:
        definition = raised.definition
    if definition is None or "__init__" in definition.methods:
        return None
    if found := constructor_misspelt(definition):
        return found
    is_class = definition.function is None
    return finding("init_missing", name=definition.node.name) if is_class else None


@RULES.when(message(COUNT))
def keyword_in_place_of_an_argument(raised: Raised, function: str) -> Finding | None:
    """Notice a keyword that a function of a library does not take, where it misses an argument."""
    name = function.partition(".")[0]
    if found := _transpose_without_axes(name):
        return found
    arguments = {*raised.error.existing}
    if not arguments:
        return None
    for node in raised.nodes or []:
        if isinstance(node, ast.Call) and called(node) == name:
            used = [keyword.arg for keyword in node.keywords if keyword.arg]
            unknown = [keyword for keyword in used if keyword not in arguments | _AXES]
            if unknown:
                return _keyword(name, unknown[0], sorted(arguments))
    return None


def _transpose_without_axes(name: str) -> Finding | None:
    if name not in ("transpose", "swapaxes"):
        return None
    return finding("transpose_without_axes", function=name)


@RULES.when(
    message(_WRONG_KIND),
    message(_OPERANDS),
    message(r"(?<![\w.])(?P<kind>\w+)\b[\w.]*\(\) got multiple values for argument '\w+'"),
)
def softmax_used_as_a_function(_raised: Raised, kind: str, **other: str) -> Finding | None:
    return finding("softmax_layer") if "Softmax" in (kind, other.get("second")) else None


@RULES.when(
    message(_WRONG_KIND),
    message(_OPERANDS),
    message(
        r"'(?P<kind>builtin_function_or_method|method)' object is not (?:iterable|subscriptable)"
    ),
    message(r"(?P<kind>)does not have enough dimensions \(has 0"),
)
def call_left_out(raised: Raised, kind: str, **other: str) -> Finding | None:
    """Notice a method without brackets, such as `keys.t`."""
    if kind and not {kind, other.get("second")} & {*FUNCTION_TYPES}:
        return None
    nodes = raised.nodes or []
    others = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    modules = {"self", *raised.code.imported}
    for node in nodes:
        if not isinstance(node, ast.Attribute) or id(node) in others or node.attr in _NOT_CALLED:
            continue
        if getattr(node.value, "id", "") not in modules:
            square = any(isinstance(part, ast.Subscript) and part.value is node for part in nodes)
            return finding("call_left_out" + ".square_brackets" * square, name=node.attr)
    return None


@RULES.when(message(_WRONG_KIND))
def argument_of_another_type(
    raised: Raised, function: str, argument: str, wanted: str, kind: str
) -> Finding | None:
    """Say which type a function takes, unless a plain number says it better."""
    if kind in FUNCTION_TYPES or kind == "Softmax":
        return None
    if _calls_numpy(raised.nodes or []):
        return finding("numpy_on_tensors", function=function)
    if kind in _PLAIN_NUMBERS:
        return None
    facts = {"function": function, "argument": argument, "wanted": wanted, "kind": kind}
    return finding("argument_of_another_type", **facts)


@RULES.when(message(r'Module \[(?P<name>\w+)\] is missing the required "forward" function'))
def without_forward(raised: Raised, name: str) -> Finding | None:
    definition = raised.code.definition(name)
    return forward_misplaced(definition) if definition else None


@WHOLE.when(
    message(
        r"size of tensor a \((?P<one>\d+)\) must match the size of tensor b \((?P<other>\d+)\)"
    ),
    message(
        r"The shape of the mask \[(?P<one>\d{1,12})[\d, ]{0,80}\] at index \d{1,3} does not match "
        r"the shape of the indexed tensor \[[\d, ]{0,80}?(?P<other>\d{1,12})\]"
    ),
)
def stored_whole(raised: Raised, one: str, other: str) -> Finding | None:
    """Notice a buffer that was made for the longest input, such as a mask, and is used whole for a shorter one."""
    size, stored = sorted(map(int, (one, other)))
    among = [*(raised.nodes or []), *raised.assigned]
    parts = (node.value for node in among if isinstance(node, ast.Subscript))
    cut = {id(node) for part in parts for node in walk(part)}
    given = ((name, as_array(value)) for name, value in raised.inputs.items())
    shapes = {name: array.shape for name, array in given if array is not None}
    of = next((name for name, shape in shapes.items() if size in shape), "")
    if not of or raised.definition is None or any(stored in shape for shape in shapes.values()):
        return None
    for node in among:
        if not isinstance(node, ast.Attribute) or name_of(node.value) != "self" or id(node) in cut:
            continue
        for argument in _made_from(raised.definition, node.attr):
            if raised.inputs.get(argument) == stored:
                facts = {"argument": argument, "stored": stored, "size": size, "of": of}
                return finding("stored_whole", name=node.attr, shape=shapes[of], **facts)
    return None


def _made_from(definition: Definition, name: str) -> set[str]:
    """Return the variables from which a class makes the tensor that it stores on self or registers as `name`.

    Empty for a Parameter or a module.
    """
    found: set[str] = set()
    for method in definition.methods.values():
        made = [one.value for one in assignments(method, name, ast.Attribute)]
        made += [node.args[1] for node in nodes(method, ast.Call) if _registers(node, name)]
        tensors = (value for value in made if not called(value)[:1].isupper())
        read = {one for value in tensors for one in names_read(value)}
        values = filter(None, (last_assigned(one, method) for one in read))
        found |= read.union(*map(names_read, values))
    return found


def _registers(node: ast.Call, name: str) -> bool:
    match node:
        case ast.Call(args=[ast.Constant(value=str(registered)), _, *_]):
            return called(node) == "register_buffer" and registered == name
    return False
