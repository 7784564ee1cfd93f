"""The operation that raised: what it is, what it needs, and what it was given. One explanation for all exceptions.

A rule reads the kind of an exception from its message, and finds the facts of the operation; the words are those of
`words_of_errors`, and behind them stands what each operand is. Nothing here runs anything.
"""

from __future__ import annotations

import ast
import math
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from autograder.explain.class_rules import constructor_misspelt, forward_misplaced
from autograder.explain.messages import MESSAGES, Known
from autograder.explain.operands import (
    Operand,
    got,
    is_overwritten,
    made_words,
    operands_of,
    parts_of,
    product_of,
    shape_words,
    size_word,
    why_none,
)
from autograder.explain.operations import normal
from autograder.explain.raised import PRODUCT, SIZES_DIFFER, Raised, is_of_shapes, message
from autograder.explain.rules import Finding, Rules, finding, guess
from autograder.explain.signatures import COUNT, UNKNOWN_KEYWORD
from autograder.explain.syntax import called, nodes, path_of, unused_arguments, walk
from autograder.explain.trace import Described
from autograder.explain.wording import listed
from autograder.near_names import argument_meant
from autograder.values.values import ListValue

if TYPE_CHECKING:
    from collections.abc import Iterator

RULES = Rules[Raised]()

_MATRIX = 2  # axes
_MOST_ARGUMENTS = 8
_SIGNS = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "**",
    ast.FloorDiv: "//",
}
_ONE_AXIS_LESS = ("sum", "mean", "max", "min", "amax", "amin", "var", "std")
_AXIS = (
    r"Dimension out of range|out of bounds for array of dimension|axes don't match array|must be a 3D tensor"
    r"|number of subscripts in the equation|contains too many subscripts|too many indices for|number of dimensions"
)
_OF_A_MATRIX = message(r"'Linear' object has no attribute '(?:T|shape|t)'")
_ASKED = message(r"but got (-?\d+)\)|axis (-?\d+) is out of bounds")
# What code for a batch asks for, where there are two axes.
_THIRD = message(
    r"got (?:2|-3)\)|3D|\([34]\)|axis (?:2|-3)\b|too many|don't match|len\(dims\) = [34]"
)


def said_of(raised: Raised, key: str, /, but: str = "", **facts: object) -> Finding:
    """Return what is wrong with an operation, and what its operands are.

    Args:
        but: the operand of which all was said.
    """
    operands = [one for one in operands_of(raised) if one.source != but]
    if is_of_shapes(raised.error):
        operands = [one for one in operands if one.shape is not None] or operands
    found = finding(key, **facts, got=got(operands) + _unused(raised))
    return replace(found, sure=raised.frame is not None)


def _unused(raised: Raised) -> str:
    """Name an argument that the step never uses, although a call must give it."""
    function, definition = raised.function, raised.definition
    if function is None or definition is None or definition.node.name not in raised.submitted.stubs:
        return ""
    if function.name not in (definition.node.name, "forward"):
        return ""
    needed = function.args.args[: len(function.args.args) - len(function.args.defaults)]
    unused = [one.arg for one in needed if one.arg in unused_arguments(function, method=False)]
    named = listed(f"`{name}`" for name in unused)
    return f" `{function.name}` never uses its argument{'s' * (len(unused) > 1)} {named}." * bool(
        unused
    )


@RULES.when(lambda raised: raised.of_values)
def not_a_value(raised: Raised) -> Finding | None:
    """Notice a function or a layer in place of its result, and what the step was not given: a variable of the file."""
    for part in parts_of(raised.node, raised):
        one, own = Operand(part, raised), raised.code.defined.get(path_of(part))
        what = next((value.what for value in one.seen if isinstance(value, Described)), "")
        known = one.words if one.seen else f"`{one.source}` is{made_words(one).removeprefix(',')}"
        facts = {"source": one.source, "words": known}
        if what == "function" and own is not None:
            return said_of(raised, "function_for_its_result", one.source, **facts)
        if what == "function" and isinstance(part, ast.Attribute):
            return said_of(raised, "call_left_out.operand", one.source, **facts)
        if what == "layer" and (product_of(raised.node) or _OF_A_MATRIX(raised)):
            return said_of(raised, "layer_used_as_a_matrix", one.source, **facts)
        foreign = is_overwritten(one) or (one.made is not None and one.made.kind == "file")
        if foreign and is_of_shapes(raised.error):
            return said_of(raised, "not_what_was_given", one.source, **facts)
    return None


@RULES.when(message(r"\bNoneType\b|has no len\(\)|does not have enough dimensions \(has 0"))
def none_used(raised: Raised) -> Finding | None:
    """Name what is None, and what made it."""
    for part in parts_of(raised.node, raised):
        one = Operand(part, raised)
        holds_one = any(isinstance(value, ListValue) and None in value.items for value in one.seen)
        if one.is_none or holds_one:
            facts = {"source": one.source, "why": f" {why_none(one)}".rstrip()}
            known = {"words": one.words} if one.seen else {"words": f"`{one.source}` is None"}
            made = one.made.value if one.made and isinstance(part, ast.Name) else part
            gets = any(called(node) == "get" for node in walk(made))
            return finding("none_used" + ".get" * gets, **facts, **known)
    return None if "has 0" in raised.error.message else said_of(raised, "none_used.somewhere")


@RULES.when(message(PRODUCT))
def product(raised: Raised) -> Finding:
    """Show the inner sizes of a matrix product, or the width of a layer and of what it is called with."""
    both, message_says = product_of(raised.node), raised.error.message
    if both is None:
        sizes = re.search(r"\(\d+x(\d+) and (\d+)x\d+\)", message_says)
        if sizes and isinstance(raised.node, ast.Call) and "linear" not in called(raised.node):
            layer = ast.unparse(raised.node.func)[:60]
            facts = {"layer": layer, "given": sizes[1], "taken": sizes[2]}
            return said_of(raised, "inner_sizes_differ.layer", **facts)
        return said_of(raised, "inner_sizes_differ")
    left, right = Operand(both.left, raised).shape, Operand(both.right, raised).shape
    matrices = left and right and len(left) > 1
    if matrices and called(raised.node or both) == "dot" and "aligned" not in message_says:
        return said_of(raised, "dot_of_matrices")
    if not left or not right:
        return said_of(raised, "inner_sizes_differ")
    inner, rows = left[-1], right[-2 if len(right) > 1 else -1]
    if inner == rows:
        return said_of(raised, "inner_sizes_differ.batch")
    exchanged = min(len(left), len(right)) > 1 and right[-1] == left[-2]
    turned = any(getattr(normal(side), "attr", "") == "T" for side in (both.left, both.right))
    facts = {"left": size_word(inner, raised), "right": size_word(rows, raised)}
    if exchanged and not turned and left[-2:] != right[-2:]:
        return said_of(raised, "inner_sizes_differ.exchanged", **facts)
    return said_of(raised, "inner_sizes_differ.of", **facts)


@RULES.when(message(r"The shape of the mask"))
def mask_in_square_brackets(raised: Raised) -> Finding:
    return said_of(raised, "mask_in_square_brackets")


@RULES.when(message(SIZES_DIFFER))
def number_by_number(raised: Raised) -> Finding:
    """Show two shapes that must be equal: of an operation number by number, or of a place and what is put there."""
    node, both = raised.node, product_of(raised.node)
    if isinstance(node, ast.Subscript):
        return said_of(raised, "shapes_differ.place")
    if both is not None and isinstance(both.op, ast.MatMult):
        return said_of(raised, "inner_sizes_differ.batch")
    sides = [one for one in operands_of(raised) if one.shape]
    shapes = [one.shape or () for one in sides]
    if (
        both
        and isinstance(both.op, ast.Mult)
        and len(shapes) > 1
        and shapes[0][-1] in shapes[1][-_MATRIX:]
    ):
        return said_of(raised, "product_by_numbers")
    sign = _SIGNS.get(type(both.op), "") if both else ""
    if any(map(_lost_an_axis, sides)):
        return said_of(raised, "shapes_differ.lost_axis", sign=sign)
    if whole := next(filter(None, map(_stored_whole, sides)), ""):
        return said_of(raised, "stored_whole", name=whole)
    key = "shapes_differ.of" if both else "shapes_differ"
    return said_of(raised, key, sign=sign)


def _stored_whole(side: Operand) -> str:
    """Return the attribute of the module that an operand is as a whole, if it was stored for other sizes."""
    made = side.made.value if side.made and isinstance(side.node, ast.Name) else side.node
    parts = [*walk(made)]
    if any(isinstance(part, ast.Subscript) for part in parts):
        return ""
    paths = [path_of(part) for part in parts if isinstance(part, ast.Attribute)]
    stored = side.raised.stored
    whole = [path for path in paths if path.startswith("self.") and path[5:] in stored]
    return (
        whole[0]
        if whole and not any(called(part) == path[5:] for part in parts for path in whole)
        else ""
    )


def _lost_an_axis(side: Operand) -> bool:
    """Return whether a sum or a maximum made an operand, without keeping its axis."""
    made = side.made.value if side.made and isinstance(side.node, ast.Name) else side.node
    keeps = {option.arg for call in nodes(made, ast.Call) for option in call.keywords}
    return called(made) in _ONE_AXIS_LESS and keeps.isdisjoint({"keepdim", "keepdims"})


@RULES.when(
    message(r"values to unpack \(expected (?P<count>\d+)"),
    message(r"cannot unpack non-iterable (?P<kind>(?!NoneType)\w+)"),
)
def taken_apart(raised: Raised, count: str = "", kind: str = "") -> Finding:
    """Show what is taken apart, and how many names there are."""
    part = next(iter(parts_of(raised.node, raised)), None)
    over = raised.statement
    if over and (isinstance(over, ast.For) or any(nodes(over, ast.comprehension))):
        return said_of(raised, "parts_do_not_fit.loop")
    shape = normal(part) if part else None
    if isinstance(shape, ast.Attribute) and shape.attr == "shape":
        of = Operand(shape.value, raised)
        if of.shape is not None:
            facts = {"axes": len(of.shape), "count": count, "source": of.source}
            batch = ".batch" * (int(count) > len(of.shape) == _MATRIX)
            shown = shape_words(of.shape, raised)
            return finding("axes_of_a_shape" + batch, shape=shown, got=made_words(of), **facts)
    return said_of(raised, "parts_do_not_fit" + ".one" * bool(kind), kind=kind)


@RULES.when(
    message(
        r"index (?P<index>-?\d+) is out of bounds for (?:dimension|axis) (?P<axis>\d+) with size (?P<size>\d+)"
    )
)
def index_too_large(raised: Raised, index: str, axis: str, size: str) -> Finding | None:
    """Show an index, the size that it exceeds, and where both come from."""
    node = raised.node
    if not isinstance(node, ast.Subscript):
        return None
    base, written = Operand(node.value, raised), raised.quote(node)
    indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    facts = {"source": base.source, "written": written, "index": index, "size": size}
    count = len(base.shape or ())
    if 1 < len(indices) < count:
        return said_of(raised, "too_few_indices", axes=count, given=len(indices), **facts)
    kind = ("rows", "columns")[int(axis)] if count == _MATRIX else "entries"
    at = indices[min(int(axis), len(indices) - 1)]
    loop = f" `{ast.unparse(at)[:40]}` is {index}{made_words(Operand(at, raised))}."
    fits = [name for name in _counting(raised, int(size)) if name != path_of(at)]
    loop += "".join(f" `{name}` counts these." for name in fits[:1])
    shown = got([base] if base.seen else [])
    return finding("index_too_large", loop=loop, kind=kind, got=shown, **facts)


def _counting(raised: Raised, size: int) -> Iterator[str]:
    """Yield the variables of loops over a range of this size around the line."""
    for loop in nodes(raised.function, ast.For) if raised.function else ():
        inside = loop.lineno <= raised.line <= (loop.end_lineno or 0)
        if (
            inside
            and isinstance(loop.iter, ast.Call)
            and called(loop.iter) == "range"
            and loop.iter.args
            and raised.seen(loop.iter.args[-1]) == (size,)
        ):
            yield path_of(loop.target)


@RULES.when(message(r"(?P<kind>list|string|tuple) index out of range"))
def index_of_a_list(raised: Raised, kind: str) -> Finding:
    of_a_shape = isinstance(raised.node, ast.Subscript) and "shape" in ast.unparse(
        raised.node.value
    )
    if of_a_shape and isinstance(raised.node, ast.Subscript):
        owner = getattr(raised.node.value, "value", raised.node.value)
        return axes(raised, Operand(owner, raised)) or said_of(raised, "no_such_axis")
    return said_of(raised, "index_too_large.list", kind=kind)


@RULES.when(message("", "KeyError"))
def key_missing(raised: Raised) -> Finding | None:
    """Say that a dictionary has no such key, and which loop gives it."""
    for node in walk(raised.function) if raised.function else ():
        if isinstance(node, ast.For | ast.comprehension):
            seen = Operand(node.iter, raised).seen
            if any(isinstance(value, str) for value in seen):
                facts = {"name": ast.unparse(node.iter)[:60], "line": node.iter.lineno}
                return finding("letters_of_a_text", **facts)
    return None if isinstance(raised.statement, ast.Raise) else said_of(raised, "key_missing")


@RULES.when(message(r"'(?P<kind>[\w.]+)' object is not callable"))
def not_callable(raised: Raised, kind: str) -> Finding | None:
    """Show what was called, and is no function."""
    node = raised.node
    if kind == "module":
        meant = next(iter(raised.error.existing), "")
        source = ast.unparse(node.func)[:60] if isinstance(node, ast.Call) else "It"
        return finding("module_called" + ".meant" * bool(meant), written=source, meant=meant)
    func = node.func if isinstance(node, ast.Call) else None
    last = getattr(func, "attr", "")
    if last in ("T", "shape"):
        return finding("tensor_called" + (".turned" if last == "T" else ".shape"))
    stored = path_of(func).startswith("self.") if func else False
    what = {"float": ".number", "int": ".number", "Parameter": ".matrix"}.get(kind, ".matrix")
    source = raised.quote(func) if func else "It"
    return said_of(raised, "tensor_called" + what * stored, source=source, kind=kind)


@RULES.when(
    message(
        r"shape '\[(?P<sizes>[\d, ]{1,60})\]' is invalid for input of size (?P<count>\d{1,12})$"
    ),
    message(
        r"cannot reshape array of size (?P<count>\d{1,12}) into shape \((?P<sizes>[\d, ]{1,60})\)"
    ),
)
def sizes_in_view(raised: Raised, sizes: str, count: str) -> Finding:
    """Say what the new sizes multiply to."""
    product = math.prod(int(size) for size in sizes.split(",") if size.strip())
    operands = got(operands_of(raised))
    return finding("sizes_in_view.product", product=product, count=count, got=operands)


@RULES.when(
    message(
        r"expected m1 and m2 to have the same dtype|expected scalar type|must have the same dtype"
    )
)
def dtypes_differ(raised: Raised) -> Finding:
    return said_of(raised, "dtypes_differ")


def _register(key: str, known: Known) -> None:
    def rule(raised: Raised, **facts: str) -> Finding:
        return said_of(raised, key, **facts) if known.shows else finding(key, **facts, got="")

    rule.__name__ = key
    RULES.when(message(known.message))(rule)


# A class without the method that Python looks for, before the message that says so.
@RULES.when(message(r'Module \[(?P<name>\w+)\] is missing the required "forward" function'))
def without_forward(raised: Raised, name: str) -> Finding | None:
    definition = raised.code.definition(name)
    return forward_misplaced(definition) if definition else None


@RULES.when(message(COUNT), message(UNKNOWN_KEYWORD))
def class_without_init(raised: Raised, function: str, **_keyword: str) -> Finding | None:
    """Explain a class without `__init__`, of which nn.Module says that it takes no arguments."""
    definition = raised.code.definition(function.partition(".")[0])
    if definition is None and raised.definition and raised.definition.function is None:
        definition = raised.definition
    if definition is None or definition.function is not None or "__init__" in definition.methods:
        return None
    missing = finding("init_missing", name=definition.node.name)
    return constructor_misspelt(definition) or missing


@RULES.when(
    message(UNKNOWN_KEYWORD),
    message(COUNT),
    message(r"\b(?P<function>\w+)\(\) received an invalid combination"),
)
def unknown_keyword(raised: Raised, function: str, keyword: str = "") -> Finding | None:
    """Name the argument that the called function has in place of an unknown one."""
    there, node = _arguments(raised), raised.node
    given = [one.arg for one in node.keywords if one.arg] if isinstance(node, ast.Call) else []
    unknown = keyword or next(
        (one for one in given if there and one not in (*there, "axis", "keepdims")), ""
    )
    if not unknown:
        return None
    name = re.sub(r"\.__(?:init|new)__$", "", function).split(".")[-1].lstrip("_")
    numpy = isinstance(node, ast.Call) and path_of(node.func).partition(".")[0] in ("np", "numpy")
    if numpy and keyword in ("axis", "keepdims"):  # NumPy's own functions take these
        return finding("numpy_on_tensors", function=name)
    meant = argument_meant(unknown, there)
    shown = f" Its arguments: {', '.join(there[:_MOST_ARGUMENTS])}." if there and not meant else ""
    key = "keyword_misspelt" if meant else "arguments_do_not_fit.keyword"
    return finding(key, function=name, keyword=unknown, meant=meant, there=shown)


def _arguments(raised: Raised) -> tuple[str, ...]:
    """Return the arguments of the called function; those of all its forms, if the message lists them."""
    listed_there = re.findall(
        r"\b(\w{1,60}+)(?: = [^,()]{1,40}+(?:\(\))?)?(?=[,)])",
        raised.error.message.partition("but expected")[2],
    )
    return tuple(dict.fromkeys((*raised.error.existing, *listed_there)))


for _key, _known in MESSAGES.items():
    _register(_key, _known)


@RULES.when(message(COUNT), message(r"\b(?P<function>\w+)\(\) received an invalid combination"))
def other_arguments(raised: Raised, function: str) -> Finding:
    """Show the arguments of a function of a library."""
    names = ", ".join(_arguments(raised)[:_MOST_ARGUMENTS])
    there = f" Its arguments: {names}." * bool(names)
    return said_of(raised, "arguments_do_not_fit", function=function, there=there)


@RULES.when(message(_AXIS, "IndexError", "RuntimeError", "ValueError", "AxisError"))
def axes(raised: Raised, of: Operand | None = None) -> Finding | None:
    """Say how many axes there are, where the message is about an axis."""
    shaped = [of] if of else operands_of(raised)
    counts = {len(one.shape) for one in shaped if one.shape}
    axis = _ASKED.pattern.search(raised.error.message)
    if len(counts) != 1:
        return said_of(raised, "no_such_axis") if axis else None
    count = counts.pop()
    third = bool(_THIRD.pattern.search(raised.error.message)) and count == _MATRIX
    key = ("no_such_axis.of" if axis else "number_of_axes") + ".batch" * third
    asked = (axis[1] or axis[2]) if axis else ""
    return said_of(raised, key, count=count, last=count - 1, axis=asked)


@RULES.when(message("", "AssertionError"))
def own_assert(raised: Raised) -> Finding | None:
    if not isinstance(raised.statement, ast.Assert):
        return None
    return finding("assert_fails.wanted") if raised.wanted else said_of(raised, "assert_fails")


@RULES.when()
def own_raise(raised: Raised) -> Finding | None:
    """Notice a step that refuses what it was called with."""
    function, statement = raised.function, raised.statement
    if not isinstance(statement, ast.Raise) or not statement.exc or function is None:
        return None
    unused = unused_arguments(function, method=bool(raised.stored))
    if unused:
        return guess("argument_not_used.never_read", step=function.name, argument=unused[0])
    return guess("raises_itself" + ".wanted" * bool(raised.wanted))


@RULES.when()
def operation(raised: Raised) -> Finding | None:
    """Show the operation and its operands, where nothing else is known of it."""
    operands, node = operands_of(raised), raised.node
    if not operands or node is None:
        return None
    written = raised.quote(node) if isinstance(node, ast.expr | ast.stmt) else ""
    plain = (
        isinstance(node, ast.Call)
        and hasattr(math, called(node))
        and any(isinstance(value, int | float) for one in operands for value in one.seen)
    )
    return said_of(
        raised, "operation" + ".of_numbers" * plain, written=written, function=called(node)
    )
