"""Small edits of a function's or class's source: what somebody may write who knows nearly how it goes.

No edit knows an assignment: each rule reads one kind of Python expression or statement and yields what could stand in
its place, with the code of the kind of edit (`CODES`). An edit is plain data: places in the source and what stands
there instead.
"""

from __future__ import annotations

import ast
import copy
import functools
import textwrap
from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import combinations, permutations, product
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import types
    from collections.abc import Callable, Iterator, Mapping

    Rule = Callable[["Site"], Iterator["Change"]]
    Definition = ast.FunctionDef | ast.ClassDef

# What stands for a statement that is left out.
NOTHING = "pass"
CONSTANTS = (0, 1, -1, 2, 0.5, -0.5, 3, 10)
AXES = {
    "0": "axis-first",
    "1": "axis-second",
    "-1": "axis-last",
    "-2": "axis-before-last",
    "None": "axis-none",
}
# Edits that somebody makes at all places but one.
_AT_SOME = (
    "statement-left-out",
    "part-twice",
    "option-left-out",
    "option-other",
    "matrix-for-another",
)
# Of so many parts all other orders are tried.
_MOST_ORDERED = 3
AXIS_OPTIONS = ("dim", "axis")
OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "plus",
    ast.Sub: "minus",
    ast.Mult: "times",
    ast.Div: "divided",
    ast.FloorDiv: "floor-divided",
    ast.Pow: "power",
    ast.MatMult: "matrix-product",
}
REDUCTIONS = ("sum", "mean", "max", "amax", "min", "amin", "var", "std", "prod")
# Functions that are taken for each other.
FAMILIES = (
    ("rand", "randn", "zeros", "ones"),
    ("softmax", "sigmoid", "log_softmax", "relu", "tanh", "exp", "_shares", "_sums_not_kept"),
    ("sqrt", "exp", "log", "square", "rsqrt"),
    ("exp", "exp2", "expm1", "abs"),
    ("Linear", "Identity"),
    ("eye", "ones", "zeros", "tril", "triu"),
    ("tril", "triu"),
    ("split", "list", "splitlines"),
    ("manual_seed", "seed"),
    REDUCTIONS,
)
_NAMES = tuple(
    dict.fromkeys(
        name
        for family in FAMILIES
        if family is not REDUCTIONS
        for name in family
        if not name.startswith("_")
    )
)
LEFT_OUT = {
    "softmax": "softmax-left-out",
    "sqrt": "root-left-out",
    "exp": "exponential-left-out",
    "transpose": "transpose-left-out",
    "t": "transpose-left-out",
}
# What may be put around an expression. The functions with an underscore are those of `edit_functions.py`.
AROUND = {
    "({}).T": "transpose-added",
    "({0}).reshape(({0}).shape[::-1])": "reshaped",
    "_shares({})": "shares",
    "_unit({})": "unit-length",
    "_softmax({})": "softmax-added",
    "_masked({})": "masked",
    "({}).tril()": "masked",
    "({0}) / ({0}).shape[-1] ** 0.5": "scaled-again",
    "({0}) / ({0}).shape[-1]": "scaled-again",
    "({}) * 2": "doubled",
    "({}) / 2": "halved",
    "1 / ({})": "reciprocal",
    "({}).mean(-1, keepdims=True)": "reduced-by-mean",
    "abs({})": "absolute",
    "-({})": "sign",
    "int({})": "whole-number",
    "({}).round()": "rounded",
    "({}).round(decimals=4)": "rounded",
    "({}) ** 2": "squared",
    "({}) ** 0.5": "root-added",
    "({}) + 1": "one-more",
    "({}) - 1": "one-less",
    "({}).squeeze()": "squeezed",
    "({})[::-1]": "reversed",
    "({}).flip(0)": "reversed",
    "sorted({})": "sorted",
    "({}).lower()": "lower-case",
    "_turned({})": "turned-round",
    "({})[0]": "one-only",
    "({})[1]": "one-only",
    "({})[2]": "one-only",
    "({})[-1]": "one-only",
    "({})[:1]": "one-only",
    "({})[None]": "axis-of-length-one",
    "({}).float()": "another-dtype",
    "({}).detach()": "cut",
    "({}).requires_grad_()": "trainable",
    "({}).requires_grad_(False)": "frozen",
}
# Options that a call may get.
OPTIONS = {
    "Linear": ("bias=True", "bias=False"),
    "var": ("correction=0", "correction=1"),
    "std": ("correction=0", "correction=1"),
    "sum": ("keepdims=True",),
    "max": ("keepdims=True",),
}
SEEDS = (0, 1, 42, 123)

# All codes, the plainest first: of several edits with one answer, the first is told.
CODES = (
    "nothing-returned",
    "axis-first",
    "axis-second",
    "axis-before-last",
    "axis-last",
    "axis-none",
    "axis-left-out",
    "transpose-left-out",
    "softmax-left-out",
    "root-left-out",
    "exponential-left-out",
    "power-without-brackets",
    "brackets",
    "plus-left-out",
    "minus-left-out",
    "times-left-out",
    "divided-left-out",
    "floor-divided-left-out",
    "power-left-out",
    "matrix-product-left-out",
    "order-exchanged",
    "outer-product",
    "mean-over-the-tokens",
    "weights-of-one",
    "constant-for-a-size",
    "spread-around-zero",
    "mean-of-rows",
    "input-for-another",
    "matrix-for-another",
    "operands-exchanged",
    "arguments-exchanged",
    "parts-exchanged",
    "names-exchanged",
    "part-twice",
    "part-left-out",
    "statement-left-out",
    "call-left-out",
    "first-operand-left-out",
    "returned-earlier",
    "done-twice",
    "size-other",
    "operator-plus",
    "operator-minus",
    "operator-times",
    "operator-divided",
    "operator-floor-divided",
    "operator-power",
    "operator-matrix-product",
    "transpose-added",
    "reshaped",
    "option-left-out",
    "option-added",
    "option-other",
    "condition-left-out",
    "condition-turned",
    "counted-from-one",
    *(f"reduced-by-{name}" for name in REDUCTIONS),
    *(f"function-{name}" for name in _NAMES),
    "constant-other",
    "squared",
    "root-added",
    "softmax-added",
    "doubled",
    "halved",
    "one-more",
    "one-less",
    "sign",
    "absolute",
    "rounded",
    "whole-number",
    "reciprocal",
    "shares",
    "sums-not-kept",
    "unit-length",
    "reversed",
    "sorted",
    "lower-case",
    "one-only",
    "squeezed",
    "axis-of-length-one",
    "masked",
    "scaled-again",
    "input-added",
    "more-returned",
    "turned-round",
    "another-dtype",
    "seeded",
    "trainable",
    "frozen",
    "cut",
)


@dataclass(frozen=True)
class Edit:
    """A small edit.

    Attributes:
        code: the kind of edit.
        changes: the changed places, each with what stands there instead. A place is the way to a node of the syntax
            tree: names of fields and numbers in lists.
    """

    code: str
    changes: tuple[tuple[str, str], ...]


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


_RULES: list[tuple[tuple[type[ast.AST], ...], Rule]] = []


def _when(*kinds: type[ast.AST]) -> Callable[[Rule], Rule]:
    """Register the decorated rule for these kinds of node."""

    def register(rule: Rule) -> Rule:
        _RULES.append((kinds, rule))
        return rule

    return register


def edits_of(source: str) -> Iterator[Edit]:
    """Yield the edits of a definition, each once: of single places, and the same edit at several places at once."""
    definition = normalised(source)
    together: dict[tuple[str, str, str, str], list[tuple[str, str]]] = defaultdict(list)
    known = set()
    for site in _sites(definition):
        for kinds, rule in _RULES:
            if not isinstance(site.node, kinds):
                continue
            for change in rule(site):
                edit = Edit(change.code, ((site.place, change.source),))
                if edit.changes not in known:
                    known.add(edit.changes)
                    yield edit
                    key = (change.code, change.variant, type(site.parent).__name__)
                    together[*key, site.field].append(edit.changes[0])
                    together[*key, ""].append(edit.changes[0])
    yield from _of_statements(definition)
    for (code, *_), changes in together.items():
        if len(changes) > 1 and _apart([place for place, _ in changes]):
            every = Edit(code, tuple(changes))
            if every.changes not in known:
                known.add(every.changes)
                yield every
            if len(changes) > 2 and code in _AT_SOME:  # noqa: PLR2004 - at all places but one
                yield from (Edit(code, some) for some in combinations(changes, len(changes) - 1))


def _of_statements(definition: Definition) -> Iterator[Edit]:
    """Yield the edits of a function's statements as a whole: in another order, and with a seed before them."""
    for function in _functions(definition):
        start = "" if function is definition else f"body.{definition.body.index(function)}."
        lines = [
            (f"{start}body.{number}", ast.unparse(line))
            for number, line in enumerate(function.body)
        ]
        for (place, text), (other_place, other) in combinations(lines, 2):
            yield Edit("order-exchanged", ((place, other), (other_place, text)))
        for seed in SEEDS if any(map(_may_draw, ast.walk(function))) else ():
            place, text = lines[0]
            yield Edit("seeded", ((place, f"torch.manual_seed({seed})\n{text}"),))


def _may_draw(node: ast.AST) -> bool:
    return _called(node) in ("rand", "randn", "Linear")


def _apart(places: list[str]) -> bool:
    """Return whether all places differ, and none lies in another."""
    return len(set(places)) == len(places) and not any(
        f"{inner}.".startswith(f"{outer}.") for inner, outer in permutations(places, 2)
    )


def compiled(source: str, edit: Edit) -> types.CodeType:
    """Return a definition with an edit, compiled."""
    definition = normalised(source)
    before = []
    for place, new in edit.changes:
        *way, last = place.split(".")
        holder: Any = functools.reduce(_part, way, definition)
        old = _part(holder, last)
        before.append((holder, last, old))
        _put(holder, last, _parsed(new, old))
    try:
        return compile(ast.Module([definition], []), "<edit>", "exec")
    finally:
        for holder, last, old in reversed(before):
            _put(holder, last, old)


def _part(holder: Any, name: str) -> Any:
    return holder[int(name)] if isinstance(holder, list) else getattr(holder, name)


def _put(holder: Any, name: str, node: ast.AST) -> None:
    if isinstance(holder, list):
        holder[int(name)] = node
    else:
        setattr(holder, name, node)


def _parsed(new: str, old: ast.AST) -> ast.AST:
    if isinstance(old, ast.expr):
        return ast.parse(new, mode="eval").body
    if isinstance(old, ast.keyword):
        call = ast.parse(f"_({new})", mode="eval").body
        assert isinstance(call, ast.Call)
        return call.keywords[0]
    return ast.parse(f"if True:\n{textwrap.indent(new, ' ')}").body[0]


_known: dict[str, Definition] = {}


def normalised(source: str) -> Definition:
    """Return a definition without docstrings and annotations, in which a variable that is read once is inlined.

    So a call's argument is the call before it, however the author named what lies between.
    """
    if source not in _known:
        definition = ast.parse(source).body[0]
        assert isinstance(definition, ast.FunctionDef | ast.ClassDef)
        for function in _functions(definition):
            function.returns = None
            for argument in ast.walk(function.args):
                if isinstance(argument, ast.arg):
                    argument.annotation = None
            function.body = [line for line in function.body if not _is_text(line)] or [ast.Pass()]
            _Copies().visit(function)
            ast.fix_missing_locations(function)
            _inline(function)
        definition.body = [line for line in definition.body if not _is_text(line)]
        _known[source] = definition
    return _known[source]


class _Copies(ast.NodeTransformer):
    """Write `a.copy_(b)` as `a.data = b`, which takes matrices of other shapes too."""

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        match node.value:
            case ast.Call(ast.Attribute(owner, "copy_"), [value], []):
                return ast.Assign([ast.Attribute(owner, "data", ast.Store())], value)
        return node


def _is_text(line: ast.stmt) -> bool:
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant)


def _functions(definition: Definition) -> list[ast.FunctionDef]:
    if isinstance(definition, ast.FunctionDef):
        return [definition]
    return [line for line in definition.body if isinstance(line, ast.FunctionDef)]


def _inline(function: ast.FunctionDef) -> None:
    """Put the values of variables that are assigned once and read once in their places."""
    reads: dict[str, int] = defaultdict(int)
    writes: dict[str, int] = defaultdict(int)
    for node in ast.walk(function):
        if isinstance(node, ast.Name):
            counts = reads if isinstance(node.ctx, ast.Load) else writes
            counts[node.id] += 1
    values: dict[str, ast.expr] = {}
    for line in list(function.body):
        match line:
            case ast.Assign(targets=[ast.Name(id=name)]) if reads[name] == writes[name] == 1:
                values[name] = _Inliner(values).visit(line.value)
                function.body.remove(line)
            case _:
                _Inliner(values).visit(line)


class _Inliner(ast.NodeTransformer):
    def __init__(self, values: dict[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.values.get(node.id, node) if isinstance(node.ctx, ast.Load) else node


def _sites(definition: Definition) -> Iterator[Site]:
    """Yield the nodes of the definition's functions, with the names that have a value at each."""
    attributes = _attributes(definition)
    for function in _functions(definition):
        start = "" if function is definition else f"body.{definition.body.index(function)}."
        every = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
        names = [argument.arg for argument in every if argument.arg != "self"]
        values: dict[str, ast.expr] = {}
        for number, line in enumerate(function.body):
            nodes = [part for part in ast.walk(line) if isinstance(part, ast.Name)]
            bound = [part.id for part in nodes if not _is_read(part)]
            inside = tuple(dict.fromkeys([*names, *bound]))
            place = f"{start}body.{number}"
            site = Site(line, place, function, "body", inside, attributes, dict(values))
            yield from _below(site)
            names = list(inside)
            match line:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    values[name] = value


def _below(site: Site) -> Iterator[Site]:
    yield site
    for name, value in ast.iter_fields(site.node):
        parts = enumerate(value) if isinstance(value, list) else [(None, value)]
        for number, part in parts:
            if isinstance(part, ast.expr | ast.stmt | ast.keyword):
                where = f"{site.place}.{name}" + ("" if number is None else f".{number}")
                inner = replace(site, node=part, place=where, parent=site.node, field=name)
                yield from _below(inner)


def _attributes(definition: Definition) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = defaultdict(dict)
    arguments = {node.arg for node in ast.walk(definition) if isinstance(node, ast.arg)}
    for node in ast.walk(definition):
        if isinstance(node, ast.Attribute) and _is_name(node.value, *arguments):
            assert isinstance(node.value, ast.Name)
            found[node.value.id][node.attr] = None
    return {name: tuple(attributes) for name, attributes in found.items()}


def _is_name(node: ast.AST | None, *names: str) -> bool:
    return isinstance(node, ast.Name) and node.id in names


def _called(node: ast.AST) -> str:
    """Return the last part of the name of the function that a call calls; empty if it has none."""
    if not isinstance(node, ast.Call):
        return ""
    match node.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _is_read(node: ast.AST) -> bool:
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


@_when(ast.Name)
def _another_name(site: Site) -> Iterator[Change]:
    node = site.node
    assert isinstance(node, ast.Name)
    if _is_read(node) and node.id in site.names:
        for name in site.names:
            if name != node.id:
                yield Change("input-for-another", name, f"{node.id} {name}")
        for part in ast.walk(site.values.get(node.id, ast.Pass())):
            if isinstance(part, ast.Call) and part is not site.values[node.id]:
                text = ast.unparse(part)
                yield Change("returned-earlier", text, f"{node.id} {text}")


@_when(ast.Attribute)
def _another_attribute(site: Site) -> Iterator[Change]:
    node = site.node
    assert isinstance(node, ast.Attribute)
    if _is_read(node) and isinstance(node.value, ast.Name):
        for name in site.attributes.get(node.value.id, ()):
            if name != node.attr:
                new = f"{node.value.id}.{name}"
                yield Change("matrix-for-another", new, name)
    if node.attr in ("T", "mT"):
        yield Change("transpose-left-out", node.value)
        text = ast.unparse(node.value)
        yield Change("reshaped", f"({text}).reshape(({text}).shape[::-1])")
        yield Change("reversed", f"({ast.unparse(node.value)}).flip(0)")


@_when(ast.BinOp)
def _another_operator(site: Site) -> Iterator[Change]:
    node = site.node
    assert isinstance(node, ast.BinOp)
    own = OPERATORS.get(type(node.op), "")
    for kind, name in OPERATORS.items():
        if not isinstance(node.op, kind):
            yield Change(f"operator-{name}", ast.BinOp(node.left, kind(), node.right))
    yield Change("operands-exchanged", ast.BinOp(node.right, node.op, node.left))
    yield Change(f"{own}-left-out", node.left, "left")
    yield Change("first-operand-left-out", node.right, "right")


@_when(ast.BinOp)
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


@_when(ast.Constant)
def _another_constant(site: Site) -> Iterator[Change]:
    node = site.node
    assert isinstance(node, ast.Constant)
    if isinstance(node.value, bool):
        yield Change("option-other", repr(not node.value))
    elif isinstance(node.value, int | float) and not _is_axis(site):
        code = "size-other" if isinstance(site.parent, ast.Subscript) else "constant-other"
        for value in CONSTANTS:
            if value != node.value:
                yield Change(code, repr(value), repr(value))


def _is_axis(site: Site) -> bool:
    if isinstance(site.parent, ast.keyword):
        return site.parent.arg in AXIS_OPTIONS
    return isinstance(site.parent, ast.Call) and _called(site.parent) in ("softmax", *REDUCTIONS)


@_when(ast.keyword)
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


@_when(ast.UnaryOp)
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


@_when(ast.Call)
def _another_call(site: Site) -> Iterator[Change]:
    node = site.node
    assert isinstance(node, ast.Call)
    name = _called(node)
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


@_when(ast.Call)
def _call_left_out(site: Site) -> Iterator[Change]:
    node = site.node
    assert isinstance(node, ast.Call)
    if isinstance(site.parent, ast.Expr):
        return
    name = _called(node)
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


@_when(ast.Call)
def _operation_later(site: Site) -> Iterator[Change]:
    """An operation on a call's argument is done on its result."""
    node = site.node
    assert isinstance(node, ast.Call)
    for number, inner in enumerate(node.args):
        if isinstance(inner, ast.BinOp):
            arguments = [*node.args[:number], inner.left, *node.args[number + 1 :]]
            later = ast.BinOp(_replaced(node, args=arguments), inner.op, inner.right)
            yield Change("order-exchanged", later, str(number))


@_when(ast.BinOp)
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


@_when(ast.Subscript)
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


@_when(ast.Call)
def _option_added(site: Site) -> Iterator[Change]:
    node = site.node
    assert isinstance(node, ast.Call)
    name = _called(node)
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


@_when(ast.Dict)
def _other_values(site: Site) -> Iterator[Change]:
    node = site.node
    assert isinstance(node, ast.Dict)
    for first, second in combinations(range(len(node.values)), 2):
        values = list(node.values)
        values[first], values[second] = values[second], values[first]
        yield Change("parts-exchanged", ast.Dict(node.keys, values))


@_when(ast.Name, ast.Attribute, ast.Call, ast.BinOp, ast.Subscript)
def _something_around(site: Site) -> Iterator[Change]:
    node = site.node
    if not _is_read(node) or (isinstance(site.parent, ast.Call) and site.field == "func"):
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


@_when(ast.Tuple, ast.List)
def _other_parts(site: Site) -> Iterator[Change]:
    node = site.node
    assert isinstance(node, ast.Tuple | ast.List)
    if not _is_read(node):
        return
    for first, second in permutations(range(len(node.elts)), 2):
        parts = list(node.elts)
        parts[first] = parts[second]
        yield Change("part-twice", type(node)(parts, ast.Load()))
    for order in permutations(range(len(node.elts))) if len(node.elts) <= _MOST_ORDERED else ():
        if list(order) != sorted(order):
            names = [f"p{number}" for number in range(len(node.elts))]
            exchanged = ", ".join(names[number] for number in order)
            values = ", ".join(map(ast.unparse, node.elts))
            words = f"(lambda {', '.join(names)}: ({exchanged},))({values})"
            yield Change("parts-exchanged", words)
    for number in range(len(node.elts)):
        parts = node.elts[:number] + node.elts[number + 1 :]
        yield Change("part-left-out", type(node)(parts, ast.Load()))


@_when(ast.IfExp)
def _other_branch(site: Site) -> Iterator[Change]:
    node = site.node
    assert isinstance(node, ast.IfExp)
    yield Change("condition-left-out", node.body, "body")
    yield Change("condition-left-out", node.orelse, "else")
    yield Change("condition-turned", ast.IfExp(node.test, node.orelse, node.body))


@_when(ast.stmt)
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
        if _is_read(node) and not self.owner:
            node.id = self.other.get(node.id, node.id)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if self.owner and _is_name(node.value, self.owner) and _is_read(node):
            node.attr = self.other.get(node.attr, node.attr)
        return node


@_when(ast.Expr, ast.Assign, ast.AugAssign)
def _statement_left_out(site: Site) -> Iterator[Change]:
    yield Change("statement-left-out", NOTHING)
    text = ast.unparse(site.node)
    yield Change("done-twice", f"{text}\n{text}")


@_when(ast.Return)
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


def in_words(source: str, edit: Edit) -> list[tuple[str, str]]:
    """Return for each changed place what stood there, and what stands there now, on one line each."""
    definition = normalised(source)
    pairs = []
    for place, new in edit.changes:
        node: Any = functools.reduce(_part, place.split("."), definition)
        old = ast.unparse(node)
        pairs.append((" ".join(old.split()), " ".join(new.split())))
    return pairs
