"""Names that a step's code reads and does not own: variables of the file, overwritten arguments, names of steps.

What the code reads says more than the numbers do: a variable of the file that is 2 is named as such, not as a 2.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from autograder.explain.evidence import Evidence
from autograder.explain.operations import normal, number_of
from autograder.explain.rules import Finding, Rules, finding
from autograder.explain.syntax import (
    arguments_of,
    assignments,
    called,
    names_made,
    names_read,
    nodes,
    stored_on_self,
    unused_arguments,
    walk,
)

if TYPE_CHECKING:
    from autograder.explain.student_code import Definition, StudentCode
    from autograder.explain.syntax import Function

# Told before any mistake that the numbers show.
_MOST_ARGUMENTS = 20
_NO_NUMBERS = ("dtype", "device", "requires_grad")
_NO_DATA = ("device", "partial", "default_rng")
READ = Rules[Evidence](of=lambda evidence: evidence.definition)


def foreign_names(function: Function, code: StudentCode) -> list[str]:
    """Return the variables of the file that a function reads, but for functions that it calls and for seeds."""
    made = names_made(function)
    calls = list(nodes(function, ast.Call))
    left_out = {id(call.func) for call in calls}
    seeds = (call for call in calls if called(call) in ("manual_seed", "seed"))
    left_out |= {id(part) for call in seeds for part in walk(call)}
    left_out |= {id(one.value) for one in nodes(function, ast.Attribute) if one.attr in _NO_NUMBERS}
    read = (
        part.id
        for part in nodes(function, ast.Name)
        if isinstance(part.ctx, ast.Load) and id(part) not in left_out
    )
    there = names_read(function)
    return [
        name
        for name in dict.fromkeys(read)
        if name in code.variables and name not in made and name in there
    ]


@READ.when()
def argument_overwritten(definition: Definition) -> Finding | None:
    """Notice an argument that gets another value before it is read, such as `d_k = 2`."""
    functions = [definition.function] if definition.function else definition.methods.values()
    return next(filter(None, (_overwritten_in(one, definition) for one in functions)), None)


def _overwritten_in(function: Function, definition: Definition) -> Finding | None:
    for name in arguments_of(function)[:_MOST_ARGUMENTS]:
        place = overwritten(name, function)
        if place is not None:
            facts = {"line": place.lineno, "name": name, "function": function.name}
            return finding("argument_overwritten", written=definition.quote(place), **facts)
    return None


def overwritten(name: str, function: Function) -> ast.Assign | ast.AnnAssign | None:
    """Return the statement that gives an argument another value before anything reads it; None if none does."""
    for statement in function.body:
        used = [part for part in nodes(statement, ast.Name) if part.id == name]
        if used:
            lost = all(isinstance(part.ctx, ast.Store) for part in used)
            return statement if lost and isinstance(statement, ast.Assign | ast.AnnAssign) else None
    return None


@READ.when(lambda evidence: evidence.unused is None or bool(evidence.unused))
def variable_for_an_argument(definition: Definition) -> Finding | None:
    """Notice a variable or a class of the file where an argument of the step belongs."""
    for function in definition.functions:
        unused = unused_arguments(function, method=function is not definition.node)
        if not unused:
            continue
        facts = {"function": function.name, "unused": unused[0]}
        if owner := _class_read(function, definition.code):
            return finding("variable_for_an_argument.class", owner=owner, **facts)
        if foreign := foreign_names(function, definition.code):
            alone = len(unused) == len(foreign) == 1 and not function.args.defaults
            facts["here"] = f", here `{unused[0]}`" if alone else ""
            facts["arguments"] = "arguments" if len(unused) > 1 else "argument"
            facts["unused"] = "` and `".join(unused[:2])
            line = definition.code.variables[foreign[0]][1]
            return finding("variable_for_an_argument", used=foreign[0], line=line, **facts)
    return None


def _class_read(function: Function, code: StudentCode) -> str:
    """Return the class of the file whose attributes a function uses, such as `SelfAttention_v1.W_key`; else empty."""
    made = names_made(function)
    for node in nodes(function, ast.Attribute):
        owner = node.value
        if isinstance(owner, ast.Name) and owner.id not in made:
            found = code.definition(owner.id)
            if found and found.function is None:
                return owner.id
    return ""


@READ.when()
def self_left_out(definition: Definition) -> Finding | None:
    """Notice a method that reads a variable of the file where the module stores one of the same name."""
    variables = definition.code.variables
    stored = {name for method in definition.methods.values() for name in stored_on_self(method)}
    for method in definition.methods.values():
        for name in foreign_names(method, definition.code):
            if name in stored:
                facts = {"method": method.name, "name": name, "line": variables[name][1]}
                return finding("self_left_out.variable", **facts)
    return None


@READ.when()
def variable_of_the_file(definition: Definition) -> Finding | None:
    """Notice a variable of the file that a step reads beside its arguments: a size, or a tensor."""
    for function in definition.functions:
        if unused_arguments(function, method=function is not definition.node):
            continue  # which says more
        for name in foreign_names(function, definition.code):
            if found := _of_the_file(name, function, definition):
                return found
    return None


def _of_the_file(name: str, function: Function, definition: Definition) -> Finding | None:
    value = definition.code.value_of(name)
    if value is None or not _is_of_data(value):
        return None
    init = definition.methods.get("__init__")
    line = definition.code.variables[name][1]
    facts = {"function": function.name, "used": name, "line": line, "value": number_of(value)}
    if init is not None and name in arguments_of(init):
        return finding("variable_of_the_file.of_init", **facts)
    return finding("variable_of_the_file" + ".number" * isinstance(facts["value"], int), **facts)


def _is_of_data(value: ast.expr) -> bool:
    """Return whether a variable of the file holds a size or a tensor, not an option such as `1e-9` or a layer."""
    plain = normal(value)
    match plain:
        case ast.Constant():
            return type(plain.value) is int and plain.value > 1  # not an axis
        case ast.Call():
            return called(plain)[:1].islower() and called(plain) not in _NO_DATA
        case ast.Attribute():
            return plain.attr in ("T", "shape")
    return isinstance(plain, ast.Subscript | ast.BinOp)


def size_not_of_the_arguments(definition: Definition, attribute: str) -> Finding | None:
    """Explain sizes of an attribute: `__init__` overwrites an argument, or makes it from a variable of the file."""
    init = definition.methods.get("__init__")
    if init is None:
        return None
    found = _overwritten_in(init, definition)
    made = assignments(init, attribute, ast.Attribute)
    read = {name for one in made for name in names_read(one)}
    foreign = [name for name in foreign_names(init, definition.code) if name in read]
    if found is not None or not foreign:
        return found
    facts = {"used": foreign[0], "line": definition.code.variables[foreign[0]][1]}
    return finding("sizes_as_numbers.variable", name=attribute, **facts)
