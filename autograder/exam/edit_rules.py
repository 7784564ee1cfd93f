"""What could stand in the place of one node of a definition: the rules of small edits.

Each rule reads one kind of Python expression or statement and yields what somebody may write who knows nearly how it
goes, with the code of the kind of edit (`CODES`). No rule knows an assignment.
"""

from __future__ import annotations

import ast
import copy
from dataclasses import dataclass
from itertools import combinations, permutations, product
from typing import TYPE_CHECKING

from autograder.exam.edit_tables import (
    AROUND,
    AXES,
    AXIS_OPTIONS,
    CONSTANTS,
    FAMILIES,
    LEFT_OUT,
    MOST_ORDERED,
    NOTHING,
    OPERATORS,
    OPTIONS,
    REDUCTIONS,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Rule = Callable[["Site"], Iterator["Change"]]


@dataclass(frozen=True)
class Change:
    """What could stand in the place of one node.

    Attributes:
        variant: what tells it from others with the same code.
    """

    code: str
    new: ast.AST | str
    variant: str = ""

    @property
    def source(self) -> str:
        return self.new if isinstance(self.new, str) else ast.unparse(self.new)


@dataclass(frozen=True)
class Site:
    """One node of a definition.

    Attributes:
        parent, field: the node that holds it, and under which name.
        names: the arguments and variables that have a value here.
        values: the values of the variables that are assigned once.
        attributes: for `self`, and for each argument, the attributes that the definition reads or sets.
    """

    node: ast.AST
    place: str
    parent: ast.AST
    field: str
    names: tuple[str, ...]
    attributes: Mapping[str, tuple[str, ...]]
    values: Mapping[str, ast.expr]


RULES: list[tuple[tuple[type[ast.AST], ...], Rule]] = []


def when(*kinds: type[ast.AST]) -> Callable[[Rule], Rule]:
    """Register the decorated rule for these kinds of node."""

    def register(rule: Rule) -> Rule:
        RULES.append((kinds, rule))
        return rule

    return register


def is_name(node: ast.AST | None, *names: str) -> bool:
    return isinstance(node, ast.Name) and node.id in names


def called(node: ast.AST) -> str:
    """Return the last part of the name of the function that a call calls; empty if it has none."""
    if not isinstance(node, ast.Call):
        return ""
    match node.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def is_read(node: ast.AST) -> bool:
    return isinstance(getattr(node, "ctx", ast.Load()), ast.Load)


def _replaced(
    node: ast.Call,
    *,
    func: ast.expr | None = None,
    args: list[ast.expr] | None = None,
    keywords: list[ast.keyword] | None = None,
) -> ast.Call:
    return ast.Call(
        func or node.func,
        node.args if args is None else args,
        node.keywords if keywords is None else keywords,
    )


@when(ast.Name)
def _another_name(site: Site) -> Iterator[Change]:
    node = site.node
    assert isinstance(node, ast.Name)
    if is_read(node) and node.id in site.names:
        code = "option-other" if isinstance(site.parent, ast.keyword) else "input-for-another"
        for name in site.names:
            if name != node.id:
                yield Change(code, name, f"{node.id} {name}")
        for part in ast.walk(site.values.get(node.id, ast.Pass())):
            if isinstance(part, ast.Call) and part is not site.values[node.id]:
                text = ast.unparse(part)
                yield Change("returned-earlier", text, f"{node.id} {text}")


@when(ast.Attribute)
def _another_attribute(site: Site) -> Iterator[Change]:
    node = site.node
    assert isinstance(node, ast.Attribute)
    if is_read(node) and isinstance(node.value, ast.Name):
        for name in site.attributes.get(node.value.id, ()):
            if name != node.attr:
                new = f"{node.value.id}.{name}"
                yield Change("matrix-for-another", new, name)
    if node.attr in ("T", "mT"):
        yield Change("transpose-left-out", node.value)
        text = ast.unparse(node.value)
        yield Change("reshaped", f"({text}).reshape(({text}).shape[::-1])")
        yield Change("reversed", f"({ast.unparse(node.value)}).flip(0)")


@when(ast.BinOp)
def _another_operator(site: Site) -> Iterator[Change]:
    node = site.node
    assert isinstance(node, ast.BinOp)
    own = OPERATORS.get(type(node.op), "operator")
    for kind, name in OPERATORS.items():
        if not isinstance(node.op, kind):
            yield Change(f"operator-{name}", ast.BinOp(node.left, kind(), node.right))
    yield Change("operands-exchanged", ast.BinOp(node.right, node.op, node.left))
    yield Change(f"{own}-left-out", node.left, "left")
    yield Change("first-operand-left-out", node.right, "right")


@when(ast.BinOp)
def _other_brackets(site: Site) -> Iterator[Change]:
    match site.node:
        case ast.BinOp(left, first, ast.BinOp(middle, second, right)):
            grouped = ast.BinOp(left, first, middle)
            yield Change("brackets", ast.BinOp(grouped, second, right))
    match site.node:
        case ast.BinOp(ast.BinOp(left, first, middle), second, right):
            yield Change("brackets", ast.BinOp(left, first, ast.BinOp(middle, second, right)))
    match site.node:
        case ast.BinOp(left, ast.Pow(), ast.Constant(value=0.5)):
            yield Change("power-without-brackets", f"({ast.unparse(left)}) ** 1 / 2")
        case ast.BinOp(above, ast.Div(), ast.BinOp(left, ast.Pow(), ast.Constant(value=0.5))):
            words = f"({ast.unparse(above)}) / ({ast.unparse(left)}) ** 1 / 2"
            yield Change("power-without-brackets", words)


@when(ast.Constant)
def _another_constant(site: Site) -> Iterator[Change]:
    node = site.node
    assert isinstance(node, ast.Constant)
    if isinstance(node.value, bool):
        yield Change("option-other", repr(not node.value))
    elif isinstance(node.value, int | float) and not _is_axis(site):
        kinds = {ast.Subscript: "size-other", ast.keyword: "option-other"}
        code = kinds.get(type(site.parent), "constant-other")
        for value in CONSTANTS:
            if value != node.value:
                yield Change(code, repr(value), repr(value))


def _is_axis(site: Site) -> bool:
    if isinstance(site.parent, ast.keyword):
        return site.parent.arg in AXIS_OPTIONS
    return isinstance(site.parent, ast.Call) and called(site.parent) in ("softmax", *REDUCTIONS)


@when(ast.keyword)
def _another_option(site: Site) -> Iterator[Change]:
    node = site.node
    assert isinstance(node, ast.keyword)
    if node.arg in AXIS_OPTIONS:
        own = ast.unparse(node.value)
        for value, code in AXES.items():
            if value != own:
                yield Change(code, f"{node.arg}={value}", value)
    elif isinstance(node.value, ast.Name):
        for value in ("True", "False", "None"):
            yield Change("option-other", f"{node.arg}={value}", value)


@when(ast.UnaryOp)
def _another_axis(site: Site) -> Iterator[Change]:
    """A negative number is an operator before a constant."""
    node = site.node
    match node:
        case ast.UnaryOp(ast.USub(), ast.Constant(value=int())) if not isinstance(
            site.parent, ast.keyword
        ):
            code = "size-other" if isinstance(site.parent, ast.Subscript) else "constant-other"
            for value in CONSTANTS:
                if repr(value) != ast.unparse(node):
                    yield Change(code, repr(value), repr(value))


@when(ast.Call)
def _another_call(site: Site) -> Iterator[Change]:
    node = site.node
    assert isinstance(node, ast.Call)
    name = called(node)
    for number, keyword in enumerate(node.keywords):
        rest = node.keywords[:number] + node.keywords[number + 1 :]
        code = "axis-left-out" if keyword.arg in AXIS_OPTIONS else "option-left-out"
        yield Change(code, _replaced(node, keywords=rest), str(keyword.arg))
    for first, second in combinations(range(len(node.args)), 2):
        arguments = list(node.args)
        arguments[first], arguments[second] = arguments[second], arguments[first]
        yield Change("arguments-exchanged", _replaced(node, args=arguments), f"{first} {second}")
    for family in FAMILIES:
        for other in family if name in family else ():
            if other != name:
                code = _of_function(other, family)
                changed = _with_function(node, other)
                yield Change(code, changed, other)
                if node.keywords and isinstance(changed, ast.Call):
                    yield Change(code, _replaced(changed, keywords=[]), f"{other} alone")
    if name in REDUCTIONS and not any(option.arg in AXIS_OPTIONS for option in node.keywords):
        for axis, code in AXES.items():
            dim = ast.keyword("axis", ast.parse(axis, mode="eval").body)
            yield Change(code, _replaced(node, keywords=[*node.keywords, dim]), axis)
    if name == "softmax" and node.args:
        text = ast.unparse(node.args[0])
        over_all = f"({text}).reshape(-1).softmax(0).reshape(({text}).shape)"
        yield Change("axis-none", over_all)
    if name in ("enumerate", "range"):
        yield Change("counted-from-one", _replaced(node, args=[*node.args, ast.Constant(1)]))


def _of_function(name: str, family: tuple[str, ...]) -> str:
    if name.startswith("_"):
        return name.strip("_").replace("_", "-")
    return f"reduced-by-{name}" if family is REDUCTIONS else f"function-{name}"


def _with_function(node: ast.Call, name: str) -> ast.Call:
    if name.startswith("_"):
        return ast.Call(ast.Name(name, ast.Load()), node.args[:1], [])
    if isinstance(node.func, ast.Attribute):
        return _replaced(node, func=ast.Attribute(node.func.value, name, ast.Load()))
    return _replaced(node, func=ast.Name(name, ast.Load()))


@when(ast.Call)
def _call_left_out(site: Site) -> Iterator[Change]:
    node = site.node
    assert isinstance(node, ast.Call)
    if isinstance(site.parent, ast.Expr):
        return
    name = called(node)
    code = LEFT_OUT.get(name, "call-left-out")
    for number, argument in enumerate(node.args):
        if not isinstance(argument, ast.Starred):
            yield Change(code, argument, f"{name} {number}")
    if isinstance(node.func, ast.Attribute):
        yield Change(code, node.func.value, f"{name} method")
    if node.args:
        again = _replaced(node, args=[node, *node.args[1:]])
        yield Change("done-twice", again, name)
    elif isinstance(node.func, ast.Attribute):
        method = ast.Attribute(node, node.func.attr, ast.Load())
        yield Change("done-twice", _replaced(node, func=method), name)
    for number, inner in enumerate(node.args):
        if isinstance(inner, ast.Call) and inner.args:
            arguments = [*node.args[:number], inner.args[0], *node.args[number + 1 :]]
            outer = _replaced(node, args=arguments)
            later = _replaced(inner, args=[outer, *inner.args[1:]])
            yield Change("order-exchanged", later, f"{name} {number}")


@when(ast.Call)
def _operation_later(site: Site) -> Iterator[Change]:
    """An operation on a call's argument is done on its result."""
    node = site.node
    assert isinstance(node, ast.Call)
    for number, inner in enumerate(node.args):
        if isinstance(inner, ast.BinOp):
            arguments = [*node.args[:number], inner.left, *node.args[number + 1 :]]
            later = ast.BinOp(_replaced(node, args=arguments), inner.op, inner.right)
            yield Change("order-exchanged", later, str(number))


@when(ast.BinOp)
def _another_product(site: Site) -> Iterator[Change]:
    node = site.node
    assert isinstance(node, ast.BinOp)
    if isinstance(node.op, ast.MatMult):
        left, right = ast.unparse(node.left), ast.unparse(node.right)
        turned = isinstance(node.right, ast.Attribute) and node.right.attr == "T"
        unit = f"_unit({right.removesuffix('.T')}).T" if turned else f"_unit({right})"
        yield Change("unit-length", f"_unit({left}) @ {unit}")
        yield Change("outer-product", f"({left})[..., None] * ({right})[None]")
        yield Change("scaled-again", f"({left}) @ ({right}) / ({left}).shape[-1]")
        yield Change("scaled-again", f"({left}) @ ({right}) / ({left}).shape[-1] ** 0.5")
        yield Change("mean-over-the-tokens", f"(({left}) * 0 + 1 / ({left}).shape[-1]) @ ({right})")
        yield Change("weights-of-one", f"(({left}) * 0 + 1) @ ({right})")


@when(ast.Subscript)
def _a_constant_for_a_size(site: Site) -> Iterator[Change]:
    node = site.node
    assert isinstance(node, ast.Subscript)
    if isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
        for value in (1, 2, 3, 8, 64):
            yield Change("constant-for-a-size", str(value), str(value))
        for name in site.names:
            for axis in (0, -1):
                size = f"{name}.shape[{axis}]"
                if size != ast.unparse(node):
                    yield Change("size-other", size, size)


@when(ast.Call)
def _option_added(site: Site) -> Iterator[Change]:
    node = site.node
    assert isinstance(node, ast.Call)
    name = called(node)
    for option in OPTIONS.get(name, ()):
        changed = ast.parse(f"_({option})", mode="eval").body
        assert isinstance(changed, ast.Call)
        if all(one.arg != changed.keywords[0].arg for one in node.keywords):
            keywords = [*node.keywords, *changed.keywords]
            yield Change("option-added", _replaced(node, keywords=keywords), option)
    if name in ("var", "std") and isinstance(node.func, ast.Attribute):
        text = ast.unparse(node.func.value)
        yield Change("spread-around-zero", f"(({text}) ** 2).mean()")
        yield Change("mean-of-rows", f"({ast.unparse(node.func)})(-1).mean()")


@when(ast.Dict)
def _other_values(site: Site) -> Iterator[Change]:
    node = site.node
    assert isinstance(node, ast.Dict)
    for first, second in combinations(range(len(node.values)), 2):
        values = list(node.values)
        values[first], values[second] = values[second], values[first]
        yield Change("parts-exchanged", ast.Dict(node.keys, values))


@when(ast.Name, ast.Attribute, ast.Call, ast.BinOp, ast.Subscript)
def _something_around(site: Site) -> Iterator[Change]:
    node = site.node
    if not is_read(node) or (isinstance(site.parent, ast.Call) and site.field == "func"):
        return
    if isinstance(site.parent, ast.Expr) or _is_size(site.parent):
        return
    if isinstance(node, ast.Name) and node.id not in site.names:
        return
    text = ast.unparse(node)
    for words, code in AROUND.items():
        yield Change(code, words.format(text), words)


def _is_size(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in ("T", "mT", "shape")


@when(ast.Tuple, ast.List)
def _other_parts(site: Site) -> Iterator[Change]:
    node = site.node
    assert isinstance(node, ast.Tuple | ast.List)
    if not is_read(node):
        return
    for first, second in permutations(range(len(node.elts)), 2):
        parts = list(node.elts)
        parts[first] = parts[second]
        yield Change("part-twice", type(node)(parts, ast.Load()))
    for order in permutations(range(len(node.elts))) if len(node.elts) <= MOST_ORDERED else ():
        if list(order) != sorted(order):
            names = [f"p{number}" for number in range(len(node.elts))]
            exchanged = ", ".join(names[number] for number in order)
            values = ", ".join(map(ast.unparse, node.elts))
            words = f"(lambda {', '.join(names)}: ({exchanged},))({values})"
            yield Change("parts-exchanged", words)
    for number in range(len(node.elts)):
        parts = node.elts[:number] + node.elts[number + 1 :]
        yield Change("part-left-out", type(node)(parts, ast.Load()))


@when(ast.IfExp)
def _other_branch(site: Site) -> Iterator[Change]:
    node = site.node
    assert isinstance(node, ast.IfExp)
    yield Change("condition-left-out", node.body, "body")
    yield Change("condition-left-out", node.orelse, "else")
    yield Change("condition-turned", ast.IfExp(node.test, node.orelse, node.body))


@when(ast.stmt)
def _other_names(site: Site) -> Iterator[Change]:
    """Two names exchanged in the whole statement."""
    for first, second in combinations(site.names, 2):
        changed = _Exchange(first, second).visit(copy.deepcopy(site.node))
        yield Change("names-exchanged", changed, f"{first} {second}")
    for owner, attributes in site.attributes.items():
        for first, second in combinations(attributes, 2):
            changed = _Exchange(first, second, owner).visit(copy.deepcopy(site.node))
            yield Change("names-exchanged", changed, f"{owner} {first} {second}")


class _Exchange(ast.NodeTransformer):
    """Exchange two names, or two attributes of one owner."""

    def __init__(self, first: str, second: str, owner: str = "") -> None:
        self.other = {first: second, second: first}
        self.owner = owner

    def visit_Name(self, node: ast.Name) -> ast.Name:
        if is_read(node) and not self.owner:
            node.id = self.other.get(node.id, node.id)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if self.owner and is_name(node.value, self.owner) and is_read(node):
            node.attr = self.other.get(node.attr, node.attr)
        return node


@when(ast.Expr, ast.Assign, ast.AugAssign)
def _statement_left_out(site: Site) -> Iterator[Change]:
    yield Change("statement-left-out", NOTHING)
    text = ast.unparse(site.node)
    yield Change("done-twice", f"{text}\n{text}")


@when(ast.Return)
def _returned_earlier(site: Site) -> Iterator[Change]:
    """What is returned is a value from before the end, or one of the arguments."""
    node = site.node
    assert isinstance(node, ast.Return)
    inner = ast.walk(node.value) if node.value else []
    texts = [ast.unparse(part) for part in inner if isinstance(part, ast.Call | ast.BinOp)]
    for text in dict.fromkeys([*texts, *site.names]):
        if node.value is not None and text != ast.unparse(node.value):
            yield Change("returned-earlier", f"return {text}", text)
            yield Change("more-returned", f"return {ast.unparse(node.value)}, {text}", text)
    parts = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
    for number, name in product(range(len(parts)), site.names if node.value else ()):
        changed = [ast.unparse(part) for part in parts if part]
        changed[number] = f"{changed[number]} + {name}"
        yield Change("input-added", f"return {', '.join(changed)}", name)
    yield Change("nothing-returned", NOTHING)
