"""Slips in a class: special methods and attributes under a similar name, methods in the wrong place."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from autograder.explain.rules import Finding, finding
from autograder.explain.syntax import arguments_of, names_made, stored_on_self, unused_arguments
from autograder.near_names import nearest, plain, renamed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograder.explain.student_code import Definition, StudentCode

# Other names that learners give to `forward`, and misspelt ones of `__init__`.
_FORWARD = ("call", "run", "apply", "fwd", "compute", "attention", "predict", "feedforward", "__call__")  # fmt: skip
_INIT = ("init", "int", "inti", "initt", "ini", "intit", "innit")
_SHOWN = 4


def constructor_misspelt(definition: Definition) -> Finding | None:
    """Notice a class without `__init__` but with a method of a similar name."""
    if "__init__" in definition.methods:
        return None
    for name, method in definition.methods.items():
        if plain(name) in _INIT:
            return finding("init_misspelt", line=method.lineno, name=name)
    return None


def forward_misplaced(definition: Definition, code: StudentCode) -> Finding | None:
    """Explain a module without `forward`: misspelt, inside another method, or outside of the class."""
    if "forward" in definition.methods:
        return None
    for method in definition.methods.values():
        for node in ast.walk(method):
            if isinstance(node, ast.FunctionDef) and node.name == "forward":
                return finding("forward_nested", line=node.lineno, method=method.name)
    header = code.defined.get("forward")
    if header is not None and header.label == definition.label:
        return finding("forward_outside", line=header.line)
    others = [name for name in definition.methods if name != "__init__"]
    near = nearest("forward", others) or next((one for one in others if one in _FORWARD), None)
    if near is None:
        return None
    return finding("forward_misspelt", line=definition.methods[near].lineno, name=near)


def stored(definition: Definition) -> dict[str, ast.Attribute]:
    """Return what `__init__`, and the methods that it may call, store on self, each with its place."""
    methods = [method for name, method in definition.methods.items() if name != "forward"]
    found: dict[str, ast.Attribute] = {}
    for method in methods:
        found = stored_on_self(method) | found
    return found


def attribute_not_there(
    definition: Definition, name: str, asked_for: Sequence[str]
) -> Finding | None:
    """Explain an attribute that the object lacks although the step asks for it.

    Args:
        name: the attribute.
        asked_for: all attributes that the step asks for.
    """
    there = stored(definition)
    if name in there:
        return None
    if local := _local_in_init(definition, name):
        return finding("not_stored_on_self.local", name=name, line=local)
    pairs = renamed(asked_for if name in asked_for else [name], there)
    if name not in pairs:
        return None
    more = [f"`self.{old}` to `self.{new}`" for new, old in pairs.items() if new != name]
    return finding(
        "attribute_misspelt",
        line=there[pairs[name]].lineno,
        stored=pairs[name],
        name=name,
        more=f", and {', '.join(more[:_SHOWN])}" if more else "",
    )


def attribute_read(definition: Definition, name: str) -> Finding | None:
    """Explain an attribute that a method reads on self and nothing stored."""
    there = stored(definition)
    if name in there:
        return None
    if local := _local_in_init(definition, name):
        return finding("not_stored_on_self.local_read", name=name, line=local)
    near = nearest(name, there) or renamed([name], there).get(name)
    if near:
        line = there[near].lineno
        return finding("attribute_misspelt.read", name=name, stored=near, line=line)
    init = definition.methods.get("__init__")
    if init and name in arguments_of(init):
        return finding("not_stored_on_self.argument", name=name)
    return None


def _local_in_init(definition: Definition, name: str) -> int:
    """Return the line where `__init__` assigns a plain variable of this name; 0 if it does not."""
    init = definition.methods.get("__init__")
    if init is None or name not in names_made(init) or name in arguments_of(init):
        return 0
    lines = (
        node.lineno
        for node in ast.walk(init)
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)
    )
    return min(lines, default=0)  # an argument of a lambda, or `**options`, is assigned nowhere


def argument_not_passed_on(definition: Definition, name: str) -> Finding | None:
    """Notice an argument of `__init__` that is not used, where an attribute was made without it."""
    init = definition.methods.get("__init__")
    unused = unused_arguments(init, method=True) if init else []
    if init is None or not unused:
        return None
    lines = [node.lineno for node in _assignments(init, name)]
    where = f"Line {lines[0]}, which makes" if lines else "The line that makes"
    return finding("bias_not_passed_on.unused", unused=unused[0], where=where, name=name)


def made_in_the_class(definition: Definition, name: str) -> Finding | None:
    """Notice an attribute that the class makes outside of `__init__`."""
    for node in definition.node.body:
        if isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == name for target in node.targets
        ):
            return finding("made_in_the_class", name=name, line=node.lineno)
    return None


def sizes_as_numbers(definition: Definition, name: str) -> Finding | None:
    """Notice sizes that are written as numbers where an attribute is made."""
    for method in definition.methods.values():
        for made in _assignments(method, name):
            for call in (node for node in ast.walk(made) if isinstance(node, ast.Call)):
                numbers = (one.value for one in call.args if isinstance(one, ast.Constant))
                if any(type(number) is int for number in numbers):
                    facts = {"line": made.lineno, "call": definition.quote(call), "name": name}
                    return finding("sizes_as_numbers", method=method.name, **facts)
    return None


def _assignments(function: ast.FunctionDef, name: str) -> list[ast.Assign]:
    """Return the statements of a function that assign an attribute of this name."""
    return [
        node
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        and any(getattr(target, "attr", "") == name for target in node.targets)
    ]
