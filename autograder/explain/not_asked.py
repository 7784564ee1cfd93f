"""Parts that a step was not asked for: masks, dropout, further layers, a seed that is set too late."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from autograder.explain.evidence import Evidence
from autograder.explain.operations import normal, number_of
from autograder.explain.rules import Finding, Rules, finding, guess
from autograder.explain.syntax import arguments_of, assignments, called, matching, nodes, walk
from autograder.values.values import DictValue

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from autograder.explain.student_code import Definition
    from autograder.explain.syntax import Function

RULES = Rules[Evidence](of=lambda evidence: evidence if evidence.definition else None)

_LEAST_SIZE = 2  # `/ 2` is a half
_DRAWS = ("rand", "randn", "randint", "normal", "uniform")
_LAYERS = (
    "Parameter",
    "Linear",
    "LayerNorm",
    "MultiheadAttention",
    "Sequential",
    "Embedding",
    "Conv1d",
)
# The calls that make a part of attention which few steps have.
_PARTS = {
    "not_asked_for.dropout": ("dropout()", "Dropout()"),
    "not_asked_for.mask": ("masked_fill()", "masked_fill_()", "tril()", "triu()", "triu_indices()"),
}

# One may stand in place of another function, which the small edits of the reference show.
_ACTIVATIONS = {"not_asked_for.activation": ("relu()", "ReLU()", "gelu()", "tanh()")}


@RULES.when()
def part_not_asked_for(evidence: Evidence) -> Finding | None:
    """Notice dropout or a mask in a step whose reference has none."""
    definition = evidence.definition
    for function in definition.functions if definition else ():
        there = list(_that_run(function.body, _defaults(function)))
        parts = _PARTS if evidence.edits.origins else _PARTS | _ACTIVATIONS
        if found := _part(parts, there, evidence.parts, definition):
            return found
    return None


def _part(
    parts: Mapping[str, tuple[str, ...]],
    there: list[ast.AST],
    known: Sequence[str] | None,
    definition: Definition | None,
) -> Finding | None:
    """Return the part among these nodes that is not one of those known of the reference."""
    for key, patterns in parts.items():
        if definition is None or known is None or key.partition(".")[2] in known:
            continue
        for pattern in patterns:
            for node in (one for one in there if isinstance(one, ast.expr)):
                made = called(node) in definition.code.variables  # `drop = nn.Dropout(0.1)`
                value = definition.code.value_of(called(node)) if made else None
                if any(matching(pattern, filter(None, (node, value)))):
                    return finding(key, written=definition.quote(node))
    return None


def _defaults(function: Function) -> dict[str, object]:
    """Return the arguments with a constant for a default: the step is called without what its release does not have."""
    given = function.args.args[::-1]
    pairs = zip(given, function.args.defaults[::-1], strict=False)
    return {one.arg: value.value for one, value in pairs if isinstance(value, ast.Constant)}


def _that_run(body: Iterable[ast.stmt], known: dict[str, object]) -> Iterator[ast.AST]:
    """Yield the nodes of statements, but for those below a condition that does not hold, or may not."""
    for statement in body:
        if isinstance(statement, ast.If):
            holds = _holds(statement.test, known)
            yield from _that_run(statement.body if holds else (), known)
            yield from _that_run(statement.orelse if holds is False else (), known)
        else:
            yield from walk(statement)


def _holds(test: ast.expr, known: dict[str, object]) -> bool | None:
    """Return whether a condition on an argument holds with its default; None if unknown."""
    match test:
        case ast.Name(id=name) if name in known:
            return bool(known[name])
        case ast.UnaryOp(op=ast.Not(), operand=ast.Name() | ast.Compare() as operand):
            holds = _holds(operand, known)
            return None if holds is None else not holds
        case ast.Compare(
            left=ast.Name(id=name), ops=[operator], comparators=[ast.Constant(value=None)]
        ):
            if name in known and isinstance(operator, ast.Is | ast.IsNot):
                return (known[name] is None) is isinstance(operator, ast.Is)
    return None


@RULES.when()
def layer_not_asked_for(evidence: Evidence) -> Finding | None:
    """Notice a layer or a matrix of the module beside those that the step asks for, through which numbers go."""
    asked = [
        key.partition(".")[0] for value in evidence.inputs.values() for key in _names_in(value)
    ]
    definition = evidence.definition
    if definition is None or not asked or not {*asked} <= {*definition.stored}:
        return None
    for function in definition.functions:
        for node in nodes(function, ast.Attribute):
            owner = getattr(node.value, "id", "")
            further = owner == "self" and node.attr in definition.stored and node.attr not in asked
            if further and _is_layer(node.attr, definition):
                facts = {"line": definition.stored[node.attr].lineno, "name": node.attr}
                shown = ", ".join(f"`{name}`" for name in dict.fromkeys(asked))
                return finding("layer_not_asked_for", asked=shown, used=node.lineno, **facts)
    return None


def _names_in(value: object) -> Iterator[str]:
    if isinstance(value, DictValue):
        yield from (key for key, _ in value.items if isinstance(key, str))


def _is_layer(name: str, definition: Definition) -> bool:
    """Return whether an attribute is a Parameter or a layer with parameters of its own."""
    made = (
        one.value
        for method in definition.methods.values()
        for one in assignments(method, name, ast.Attribute)
    )
    return any(called(value) in _LAYERS for value in made)


@RULES.when()
def seed_not_asked_for(evidence: Evidence) -> Finding | None:
    """Notice a seed that a step sets although it gets none."""
    definition = evidence.definition
    function = definition.function if definition else None
    if definition is None or function is None or "seed" in arguments_of(function):
        return None
    written = definition.written("manual_seed()") or definition.written("random.seed()")
    return finding("not_asked_for.seed", written=written) if written else None


@RULES.when()
def size_as_a_number(evidence: Evidence) -> Finding | None:
    """Notice a division by a number, or the root of one: it may stand for a size."""
    definition = evidence.definition
    for node in walk(definition.node) if definition else ():
        plain = normal(node)
        if not definition or not isinstance(plain, ast.BinOp) or not isinstance(node, ast.expr):
            continue
        root = isinstance(plain.op, ast.Pow) and number_of(plain.right) in (0.5, -0.5)
        number = plain.left if root else plain.right
        if (root or isinstance(plain.op, ast.Div)) and (number_of(number) or 0) > _LEAST_SIZE:
            return guess("size_as_a_number", written=definition.quote(node))
    return None


@RULES.when()
def seed_after_a_draw(evidence: Evidence) -> Finding | None:
    """Notice a seed that is set when something was drawn already."""
    function = evidence.definition.function if evidence.definition else None
    if function is None or "seed" not in arguments_of(function):
        return None
    calls = sorted(nodes(function, ast.Call), key=lambda call: (call.lineno, call.col_offset))
    draws = [call for call in calls if called(call) in _DRAWS]
    seeds = [call for call in calls if called(call) == "manual_seed"]
    if not draws or not seeds or seeds[-1].lineno <= draws[0].lineno:
        return None
    late = next(seed for seed in seeds if seed.lineno > draws[0].lineno)
    key = "seed_after_a_draw" + ".again" * (late is not seeds[0])
    return finding(key, line=late.lineno, draw=draws[0].lineno)
