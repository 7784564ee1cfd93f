"""Loops: what each variable counts, what is indexed by it, and what becomes of the results of the rounds.

Sizes come from the inputs with which the step was called. In a general case all of them differ, so an index that runs
over one size does not fit an axis of another.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeGuard

from autograder.explain.evidence import Evidence
from autograder.explain.operations import MODULES, normal, number_of
from autograder.explain.rules import Finding, Rules, finding
from autograder.explain.sizes import Sizes
from autograder.explain.syntax import (
    arguments_of,
    assignments,
    called,
    last_assigned,
    name_of,
    names_read,
    nodes,
    own_nodes,
    walk,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from autograder.explain.student_code import Definition
    from autograder.explain.syntax import Function
    from autograder.values.values import Value


class _Read(NamedTuple):
    definition: Definition
    inputs: Mapping[str, Value]


def _of(case: Evidence) -> _Read | None:
    return _Read(case.definition, case.inputs) if case.definition else None


ANSWERED = Rules[Evidence](of=_of)

# Of a function; a step has about a hundred nodes.
MOST_NODES = 1_000
MOST_LOOPS = 30
# Rounds that draw, or that take the next of something, differ without the loop's variable.
_DRAWS = frozenset(
    (
        "rand",
        "randn",
        "randint",
        "normal",
        "uniform",
        "choice",
        "next",
        "pop",
        "Parameter",
        "Linear",
    )
)
_ONLY_SIZES = ("zeros_like", "empty_like", "ones_like", "len", "range", "print")
# What a constant such as `-torch.inf` or `float("-inf")` reads.
_CONSTANTS = {*MODULES, "float"}
_OF_ALL_ROWS = ("shape", "dtype", "device", "ndim")
_AXES_IN_WORDS = ("rows", "columns")


@dataclass(frozen=True)
class Loop:
    """A loop of a function, or one of a comprehension.

    Attributes:
        variables: the names that get another value in each round.
        counts: for each of them that counts from 0, what it counts.
        late: the same for each that counts from 1.
        body: the statements of a round, or the expression.
    """

    node: ast.For | ast.While | ast.comprehension
    line: int
    variables: frozenset[str]
    counts: Mapping[str, ast.expr]
    late: Mapping[str, ast.expr]
    body: tuple[ast.AST, ...]

    @cached_property
    def flows(self) -> Mapping[str, set[str]]:
        """For each variable that a round makes, the names from which it does."""
        found: dict[str, set[str]] = {}
        for node in (part for one in self.body for part in walk(one)):
            into, read = _flow(node)
            for name in into:
                found.setdefault(name, set()).update(read)
        return found

    @property
    def words(self) -> str:
        return " or ".join(f"`{name}`" for name in sorted(self.variables))


def _loops(function: Function) -> Iterator[Loop]:
    """Yield the loops of a function, the outer ones first."""
    for node in walk(function):
        if isinstance(node, ast.For):
            yield _loop(node, tuple(node.body), node.lineno)
        elif isinstance(node, ast.While) and (loop := _counting_while(node, function)):
            yield loop
        elif isinstance(node, ast.ListComp | ast.GeneratorExp):
            inner = node.elt
            for part in node.generators:
                yield _loop(part, (inner, *part.ifs), inner.lineno)


def _loop(node: ast.For | ast.comprehension, body: tuple[ast.AST, ...], line: int) -> Loop:
    target, over = node.target, node.iter
    counts: dict[str, ast.expr] = {}
    late: dict[str, ast.expr] = {}
    if called(over) == "range" and isinstance(over, ast.Call) and 1 <= len(over.args) <= 2:  # noqa: PLR2004
        begin = number_of(over.args[0]) if len(over.args) > 1 else 0
        if begin in (0, 1):
            (late if begin else counts)[name_of(target)] = over.args[-1]
    elif called(over) == "enumerate" and isinstance(over, ast.Call) and len(over.args) == 1:
        first = target.elts[0] if isinstance(target, ast.Tuple) else target
        counts[name_of(first)] = over.args[0]
    names = {part.id for part in nodes(target, ast.Name)}
    return Loop(node, line, frozenset(names), counts, late, body)


def _counting_while(node: ast.While, function: Function) -> Loop | None:
    """Read `while i < n` as a loop over a range, where each round adds 1 to what begins with 0 or 1."""
    match node.test:
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Lt()], comparators=[counted]):
            steps = [one for one in nodes(node, ast.AugAssign) if name_of(one.target) == name]
            made = assignments(function, name, ast.Name)
            begin = number_of(made[0].value) if len(made) == 1 else None
            if len(steps) == 1 and number_of(steps[0].value) == 1 and begin in (0, 1):
                counts, late = ({}, {name: counted}) if begin else ({name: counted}, {})
                return Loop(node, node.lineno, frozenset([name]), counts, late, tuple(node.body))
    return None


def _short(definition: Definition) -> list[Function]:
    """Return what runs, but for functions that are too long to be read by all rules."""
    return [
        one
        for one in definition.functions
        if sum(1 for _ in walk(one)) <= MOST_NODES and len([*nodes(one, ast.For)]) <= MOST_LOOPS
    ]


def _each_loop(
    find: Callable[[Loop, Function, Definition], Finding | None],
) -> Callable[[_Read], Finding | None]:
    """Make a rule of a function that looks at one loop."""

    def rule(read: _Read) -> Finding | None:
        for function in _short(read.definition):
            for loop in _loops(function):
                if found := find(loop, function, read.definition):
                    return found
        return None

    rule.__name__ = find.__name__
    return rule


def _depends_on(value: ast.AST, loop: Loop) -> set[str]:
    """Return the names that a value of a round is computed from, also through variables of the round."""
    found: set[str] = set()
    waiting = list(names_read(value))
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += loop.flows.get(name, ())
    return found


def _flow(node: ast.AST) -> tuple[set[str], set[str]]:
    """Return the variables to which a node gives something, and those from which it takes it."""
    match node:
        case ast.Assign(targets=targets, value=value):
            into = {name for target in targets for name in _written(target)}
            return into, {*names_read(value)}
        case ast.AugAssign(target=target, value=value):
            return _written(target), {*names_read(value), *_written(target)}
        case ast.For(target=target, iter=over):
            return _names(target), {*names_read(over)}
        case ast.Call(func=ast.Attribute(value=ast.Name(id=owner)), args=args):
            return {owner}, {name for part in args for name in names_read(part)}
    return set(), set()


def _written(target: ast.AST) -> set[str]:
    """Return the variables that a target gives a value to, as a whole or in an entry."""
    stored = (part.id for part in nodes(target, ast.Name) if isinstance(part.ctx, ast.Store))
    return {*stored, _container(target)} - {""}


def _names(target: ast.AST) -> set[str]:
    return {part.id for part in nodes(target, ast.Name)}


def _container(target: ast.AST) -> str:
    """Return the variable into whose entry a target writes; empty if it is none."""
    if not isinstance(target, ast.Subscript):
        return ""
    while isinstance(target, ast.Subscript):
        target = target.value
    return name_of(target) if isinstance(target, ast.Name) else ""


# Which rounds do the same.


def _stored(loop: Loop) -> Iterator[ast.expr]:
    """Yield the values that the rounds of a loop leave behind."""
    for node in (part for one in loop.body for part in walk(one)):
        match node:
            case ast.Assign(targets=[ast.Subscript()], value=value) | ast.AugAssign(value=value):
                yield value
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr="append"), args=[value])):
                yield value


@ANSWERED.when()
@_each_loop
def same_in_each_round(loop: Loop, _function: Function, definition: Definition) -> Finding | None:
    """Notice a loop whose variable does not stand in anything that its rounds compute."""
    inside = [part for one in loop.body for part in walk(one)]
    if any(name.startswith("_") for name in loop.variables) or any(
        called(part) in _DRAWS for part in inside
    ):
        return None
    facts = {"variables": loop.words, "loop": loop.line}
    if isinstance(loop.node, ast.comprehension):
        value = loop.body[0]
        if loop.variables & names_read(value).keys() or isinstance(value, ast.Constant):
            return None
        assert isinstance(value, ast.expr)
        return finding("same_in_each_round", value=definition.quote(value), **facts)
    stored = [value for value in _stored(loop) if names_read(value).keys() - _CONSTANTS]
    growing = {name for name, read in loop.flows.items() if name in read}
    changing = loop.variables | growing
    if not stored or any(changing & _depends_on(value, loop) for value in stored):
        return None
    return finding("same_in_each_round", value=definition.quote(stored[0]), **facts)


def _computes_numbers(statement: ast.stmt) -> TypeGuard[ast.Assign]:
    """Return whether a statement makes a tensor from others, such as `e = torch.exp(scores)`."""
    return isinstance(statement, ast.Assign) and called(statement.value) in (
        "exp",
        "softmax",
        "matmul",
        "clone",
    )


@ANSWERED.when()
@_each_loop
def one_row_in_each_round(loop: Loop, function: Function, definition: Definition) -> Finding | None:
    """Notice an entry with a fixed number of an argument in a loop: `keys[0]`."""
    made = {name_of(one.targets[0]) for one in function.body if _computes_numbers(one)}
    rows = made | {argument.arg for argument in function.args.args}
    left_out = {
        id(part)
        for one in loop.body
        for call in nodes(one, ast.Call)
        if called(call) in _ONLY_SIZES
        for part in walk(call)
    } | {
        id(node.value)
        for one in loop.body
        for node in nodes(one, ast.Attribute)
        if node.attr in _OF_ALL_ROWS
    }
    for node in (part for one in loop.body for part in nodes(one, ast.Subscript)):
        fixed = isinstance(number_of(node.slice), int) and isinstance(node.ctx, ast.Load)
        if fixed and name_of(node.value) in rows and id(node) not in left_out:
            return finding(
                "one_row_in_each_round",
                written=definition.quote(node),
                line=node.lineno,
                loop=loop.line,
                variables=loop.words,
            )
    return None


# Sums over the rounds.


def _summed(statement: ast.AST) -> tuple[str, ast.expr] | None:
    """Return the sum or the list to which a statement adds, and what it adds; None for any other statement."""
    match statement:
        case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=value):
            return name, value
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp(op=ast.Add()) as added):
            if name_of(added.left) == name:
                return name, added.right
            return (name, added.left) if name_of(added.right) == name else None
        case ast.Expr(
            value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[value])
        ):
            return name, value
    return None


def _set_in(name: str, statements: list[ast.AST]) -> ast.Assign | None:
    """Return the first statement that gives a variable a value that is not computed from it."""
    given = (
        node
        for node in statements
        if isinstance(node, ast.Assign) and name in map(name_of, node.targets)
    )
    return next((node for node in given if name not in names_read(node.value)), None)


def _loads(name: str, within: tuple[ast.AST, ...], *but: ast.AST) -> bool:
    """Return whether a variable is read within some nodes, but for what stands in others."""
    left_out = {id(part) for one in but for part in walk(one)}
    return any(
        part.id == name and isinstance(part.ctx, ast.Load) and id(part) not in left_out
        for one in within
        for part in nodes(one, ast.Name)
    )


@ANSWERED.when()
@_each_loop
def total_reset(loop: Loop, _function: Function, definition: Definition) -> Finding | None:
    """Notice a sum that begins anew in each of the rounds that it should add up."""
    body = [part for part in loop.body if isinstance(part, ast.stmt)]
    for number, statement in enumerate(body):
        found = _summed(statement)
        if found is None or not loop.variables & _depends_on(found[1], loop):
            continue
        name = found[0]
        reset = _set_in(name, list(body[:number]))
        if reset is None or _loads(name, loop.body, statement, reset):
            continue
        if loop.variables & _depends_on(reset.value, loop):
            continue
        facts = {"name": name, "line": reset.lineno, "loop": loop.line}
        return finding("total_reset", value=definition.quote(reset.value), **facts)
    return None


@ANSWERED.when()
@_each_loop
def total_not_reset(loop: Loop, function: Function, definition: Definition) -> Finding | None:
    """Notice a sum that is used after each round of a loop, and goes on in the next one."""
    for inner in (part for one in loop.body for part in nodes(one, ast.For)):
        for statement in (part for one in inner.body for part in walk(one)):
            found = _summed(statement)
            if found is None:
                continue
            name = found[0]
            inside = [part for one in loop.body for part in walk(one)]
            begun = _set_in(name, list(own_nodes(function)))
            used = _loads(name, loop.body, inner)
            if begun is None or not used or _set_in(name, inside) is not None:
                continue
            facts = {"name": name, "line": begun.lineno, "loop": loop.line, "inner": inner.lineno}
            return finding("total_not_reset", value=definition.quote(begun.value), **facts)
    return None


def _in_order(
    body: Iterable[ast.AST], *, nested: bool = False
) -> Iterator[tuple[ast.Assign, bool]]:
    """Yield the assignments that each round runs, and whether an inner loop runs them."""
    for statement in body:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            yield statement, nested
        elif isinstance(statement, ast.For):
            yield from _in_order(statement.body, nested=True)


@ANSWERED.when()
@_each_loop
def overwritten_in_each_round(
    loop: Loop, function: Function, definition: Definition
) -> Finding | None:
    """Notice what each round stores in the same place, so that only the last round remains."""
    for statement, nested in _in_order(loop.body):
        target, value = statement.targets[0], statement.value
        owner, outlives = _owner(target, function, nested=nested)
        fixed = owner and owner not in loop.variables and not loop.variables & _names(target)
        if not fixed or not loop.variables & _depends_on(value, loop):
            continue
        kept = _loads(owner, loop.body, target)
        if not kept and (outlives or _loads(owner, (function,), loop.node)):
            facts = {"line": statement.lineno, "loop": loop.line}
            return finding("overwritten_in_each_round", target=definition.quote(target), **facts)
    return None


def _owner(target: ast.expr, function: Function, *, nested: bool) -> tuple[str, bool]:
    """Return the variable that a target names or is a part of, and whether its object outlives the function."""
    root = target
    while isinstance(root, ast.Attribute):
        root = root.value
    if root is not target:
        given = isinstance(root, ast.Name) and root.id in arguments_of(function)
        return (name_of(root), True) if given and name_of(root) != "self" else ("", False)
    name = target.id if isinstance(target, ast.Name) and not nested else ""
    return _container(target) or name, False


# What is indexed by which variable.


@ANSWERED.when()
def index_of_another(read: _Read) -> Finding | None:
    """Notice an axis that is indexed by a variable which counts something of another size."""
    definition = read.definition
    for function in _short(definition):
        sizes = Sizes.of(function, read.inputs)
        loops = list(_loops(function))
        # What the function was given first: where that fits, a matrix that it made does not.
        for node in sorted(nodes(function, ast.Subscript), key=lambda one: _is_stored(one.ctx)):
            shape = sizes.shape(node.value)
            indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            for axis, index in enumerate(indices if shape else ()):
                loop = _counting(index, node, loops)
                if loop is None or shape is None or axis >= len(shape):
                    continue
                counted = loop.counts[name_of(index)]
                count = sizes.counted(counted)
                if count is None or shape[axis] in (count, None):
                    continue
                return _not_fitting(node, axis, loop, index, sizes, loops, definition)
    return None


@ANSWERED.when()
@_each_loop
def first_left_out(loop: Loop, function: Function, definition: Definition) -> Finding | None:
    """Notice an index that begins with 1 where the loop goes up to the length of what it indexes."""
    for node in (part for one in loop.body for part in nodes(one, ast.Subscript)):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        index = parts[0] if parts else node.slice
        counted = loop.late.get(name_of(index))
        if counted is None or isinstance(node.ctx, ast.Store):
            continue
        base = ast.unparse(node.value)
        if f"{base}[0" in ast.unparse(function):
            continue
        all_rows = ast.dump(normal(ast.parse(f"len({base})", mode="eval").body))
        made = last_assigned(name_of(counted), function) or counted
        if all_rows in (ast.dump(normal(counted)), ast.dump(normal(made))):
            facts = {"index": name_of(index), "base": definition.quote(node.value)}
            return finding("first_left_out", line=loop.line, **facts)
    return None


def _is_stored(context: ast.expr_context) -> bool:
    return isinstance(context, ast.Store)


def _counting(index: ast.expr, node: ast.AST, loops: list[Loop]) -> Loop | None:
    """Return the innermost loop around a node whose variable, which counts, is the index."""
    if not isinstance(index, ast.Name):
        return None
    around = [
        loop
        for loop in loops
        if index.id in loop.counts and any(part is node for one in loop.body for part in walk(one))
    ]
    return around[-1] if around else None


def _not_fitting(
    node: ast.Subscript,
    axis: int,
    loop: Loop,
    index: ast.expr,
    sizes: Sizes,
    loops: list[Loop],
    definition: Definition,
) -> Finding:
    """Say which of the two is wrong: a size that was written or taken from another thing, or the index."""
    counted = loop.counts[name_of(index)]
    shape, count = sizes.shape(node.value) or (), sizes.counted(counted)
    base = definition.quote(node.value)
    matrix = len(shape) == 2  # noqa: PLR2004 - rows and columns
    facts: dict[str, object] = {
        "written": definition.quote(node),
        "index": name_of(index),
        "loop": loop.line,
        "counted": definition.quote(counted),
        "count": count,
        "base": base,
        "size": shape[axis],
        "kind": _AXES_IN_WORDS[axis] if matrix else "entries",
    }
    fits = (
        name
        for one in loops
        for name, over in one.counts.items()
        if sizes.counted(over) == shape[axis] and name != name_of(index)
    )
    facts["meant"] = next(fits, "")
    if made := sizes.maker(node.value, axis):
        facts |= {"line": made.lineno, "made": definition.quote(made)}
        turned = ".turned" * (_counts(node, loops, sizes) == list(shape[::-1]))
        number = isinstance(number_of(made), int)
        return finding("size_of_another" + (".number" if number else turned), **facts)
    return finding("index_of_another" + _kind_of_count(counted, facts["meant"]), **facts)


def _kind_of_count(counted: ast.expr, meant: object) -> str:
    """Return whether a loop counts a written number, one less than it should, or something that another one counts."""
    if isinstance(number_of(counted), int):
        return ".number"
    less = isinstance(counted, ast.BinOp) and isinstance(counted.op, ast.Sub)
    return ".short" if less else ".meant" * bool(meant)


def _counts(node: ast.Subscript, loops: list[Loop], sizes: Sizes) -> list[int | None]:
    """Return how far the indices of an entry count, in order."""
    indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else []
    around = [(index, _counting(index, node, loops)) for index in indices]
    return [sizes.counted(loop.counts[name_of(index)]) for index, loop in around if loop]
