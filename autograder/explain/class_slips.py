"""Slips in a class: special methods and attributes under a similar name, methods in the wrong place."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from autograder.explain.explanation import Reading
from autograder.explain.near_names import nearest, plain, renamed
from autograder.explain.syntax import arguments_of, names_made, stored_on_self, unused_arguments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograder.explain.student_code import Definition, StudentCode

# Other names that learners give to `forward`.
_FORWARD = {"call", "run", "apply", "fwd", "compute", "attention", "predict", "feedforward", "__call__"}  # fmt: skip
_SHOWN = 4


def constructor_misspelt(definition: Definition) -> Reading | None:
    """Notice a class without `__init__` but with a method of a similar name."""
    if "__init__" in definition.methods:
        return None
    for name, method in definition.methods.items():
        if plain(name) in ("init", "int", "inti", "initt", "ini", "intit", "innit"):
            says = (
                f"The class has no `__init__`: line {method.lineno} defines `{name}`. Python calls only a method that "
                "is called `__init__`, with two underscores on each side."
            )
            look = f"Line {method.lineno}: rename `{name}` to `__init__`."
            return Reading("init_misspelt", says, look, sure=True)
    return None


def forward_misplaced(definition: Definition, code: StudentCode) -> Reading | None:
    """Explain a module without `forward`: misspelt, inside another method, or outside of the class."""
    if "forward" in definition.methods:
        return None
    return (
        _forward_inside(definition)
        or _forward_outside(definition, code)
        or _forward_misspelt(definition)
    )


def _forward_inside(definition: Definition) -> Reading | None:
    for method in definition.methods.values():
        for node in ast.walk(method):
            if isinstance(node, ast.FunctionDef) and node.name == "forward":
                says = (
                    f"`forward` (line {node.lineno}) stands inside `{method.name}`, because it is indented too far. So "
                    "the module has no `forward`."
                )
                look = f"Line {node.lineno}: move `def forward` and its lines to the left, below `def {method.name}`."
                return Reading("forward_nested", says, look, sure=True)
    return None


def _forward_outside(definition: Definition, code: StudentCode) -> Reading | None:
    header = code.defined.get("forward")
    if header is None or header.label != definition.label:
        return None
    says = (
        f"`forward` (line {header.line}) stands outside of the class, because it is not indented. So the module has "
        "no `forward`."
    )
    look = f"Line {header.line}: indent `def forward` and its lines like `def __init__`."
    return Reading("forward_outside", says, look, sure=True)


def _forward_misspelt(definition: Definition) -> Reading | None:
    others = [name for name in definition.methods if name != "__init__"]
    near = nearest("forward", others) or next(
        (other for other in others if other in _FORWARD), None
    )
    if near is None:
        return None
    line = definition.methods[near].lineno
    says = f"The class has no `forward`: line {line} defines `{near}`. Calling a module runs its method `forward`."
    return Reading(
        "forward_misspelt", says, f"Line {line}: rename `{near}` to `forward`.", sure=True
    )


def stored(definition: Definition) -> dict[str, ast.Attribute]:
    """Return what `__init__`, and the methods that it may call, store on self, each with its place."""
    methods = [method for name, method in definition.methods.items() if name != "forward"]
    found: dict[str, ast.Attribute] = {}
    for method in methods:
        found = stored_on_self(method) | found
    return found


def attribute_not_there(
    definition: Definition, name: str, asked_for: Sequence[str]
) -> Reading | None:
    """Explain an attribute that the object lacks although the step asks for it.

    Args:
        name: the attribute.
        asked_for: all attributes that the step asks for.
    """
    there = stored(definition)
    local = _local_in_init(definition, name)
    if name in there:
        return None
    if local:
        says = f"`{name}` (line {local}) is a plain variable of `__init__`: it is gone when `__init__` ends."
        look = f"Line {local}: `self.{name} = ...` stores it."
        return Reading("not_stored_on_self", says, look, sure=True)
    pairs = renamed(asked_for if name in asked_for else [name], there)
    if name not in pairs:
        return None
    line = there[pairs[name]].lineno
    says = f"Line {line} stores `self.{pairs[name]}`; the attribute must be called `{name}`."
    more = [f"`self.{old}` to `self.{new}`" for new, old in pairs.items() if new != name]
    look = f"Rename `self.{pairs[name]}` to `self.{name}` wherever it stands"
    look += f", and {', '.join(more[:_SHOWN])}." if more else "."
    return Reading("attribute_misspelt", says, look, sure=True)


def attribute_read(definition: Definition, name: str) -> Reading | None:
    """Explain an attribute that a method reads on self and nothing stored."""
    there = stored(definition)
    local = _local_in_init(definition, name)
    near = nearest(name, there) or renamed([name], there).get(name)
    if name in there:
        return None
    if local:
        says = f"`{name}` (line {local}) is a plain variable of `__init__`, and nothing is stored under `self.{name}`."
        look = f"Line {local}: `self.{name} = ...` stores it."
        return Reading("not_stored_on_self", says, look, sure=True)
    if near:
        says = f"Nothing is stored under `self.{name}`. `__init__` stores `self.{near}` (line {there[near].lineno})."
        look = f"The name `{name}` in this line: both places need the same name."
        return Reading("attribute_misspelt", says, look, sure=True)
    init = definition.methods.get("__init__")
    if init and name in arguments_of(init):
        says = f"`{name}` is an argument of `__init__`, and nothing is stored under `self.{name}`."
        return Reading(
            "not_stored_on_self", says, f"`__init__`: `self.{name} = {name}` stores it.", sure=True
        )
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


def argument_not_passed_on(definition: Definition, name: str) -> Reading | None:
    """Notice an argument of `__init__` that is not used, where an attribute was made without it."""
    init = definition.methods.get("__init__")
    unused = unused_arguments(init, method=True) if init else []
    if init is None or not unused:
        return None
    lines = [
        node.lineno
        for node in ast.walk(init)
        if isinstance(node, ast.Assign) and _stores(node, name)
    ]
    says = f"`__init__` never uses its argument `{unused[0]}`."
    where = f"Line {lines[0]}, which makes `{name}`" if lines else f"The line that makes `{name}`"
    look = f"{where}: nn.Linear has an argument `bias`."
    return Reading("bias_not_passed_on", says, look, sure=True)


def made_in_the_class(definition: Definition, name: str) -> Reading | None:
    """Notice an attribute that the class makes outside of `__init__`."""
    for node in definition.node.body:
        if isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == name for target in node.targets
        ):
            says = (
                f"`{name}` is made in line {node.lineno}, in the class itself and outside of `__init__`: once, before "
                "the sizes are known, and for all its objects together."
            )
            look = (
                f"Line {node.lineno}: `__init__` makes it for each object, as `self.{name} = ...`."
            )
            return Reading("made_in_the_class", says, look, sure=True)
    return None


def sizes_as_numbers(definition: Definition, name: str) -> Reading | None:
    """Notice sizes that are written as numbers where an attribute is made."""
    for method in definition.methods.values():
        for node in ast.walk(method):
            if not isinstance(node, ast.Assign) or not _stores(node, name):
                continue
            calls = (part for part in ast.walk(node.value) if isinstance(part, ast.Call))
            for call in calls:
                numbers = [
                    arg
                    for arg in call.args
                    if isinstance(arg, ast.Constant) and type(arg.value) is int
                ]
                if numbers:
                    says = (
                        f"Line {node.lineno} has sizes written as numbers: `{definition.quote(call)}`. They fit one "
                        "example only."
                    )
                    look = (
                        f"The sizes of `{name}`: they come from the arguments of `{method.name}`."
                    )
                    return Reading("sizes_as_numbers", says, look, sure=True)
    return None


def _stores(assignment: ast.Assign, name: str) -> bool:
    return any(
        isinstance(target, ast.Attribute) and target.attr == name for target in assignment.targets
    )
