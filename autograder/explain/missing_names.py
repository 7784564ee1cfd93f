"""Exceptions about a name that does not exist: where it may come from, and which one was meant."""

from __future__ import annotations

import ast
import builtins
from typing import TYPE_CHECKING

from autograder.explain.class_rules import attribute_read, is_misspelt_init
from autograder.explain.operands import Operand, got, operands_of
from autograder.explain.raised import FUNCTION_TYPES, Raised, message
from autograder.explain.rules import Finding, Rules, finding, guess
from autograder.explain.syntax import (
    arguments_of,
    called,
    first_stored,
    name_of,
    names_made,
    unused_arguments,
    walk,
)
from autograder.explain.wording import a, capital, line_words
from autograder.explain.words_of_errors import ORIGIN, ORIGIN_AT_THE_MARGIN, ORIGIN_IN_A_NOTEBOOK
from autograder.near_names import is_clear, nearest, renamed, words
from autograder.values.values import Array

if TYPE_CHECKING:
    from collections.abc import Iterator

RULES = Rules[Raised]()

# The usual names of modules and of what is imported, and the line that imports each.
_IMPORTS = {
    "torch": "import torch",
    "nn": "from torch import nn",
    "F": "import torch.nn.functional as F",
    "np": "import numpy as np",
    "plt": "import matplotlib.pyplot as plt",
    "Tensor": "from torch import Tensor",
    **{
        name: f"import {name}"
        for name in ("numpy", "math", "random", "json", "itertools", "functools", "collections")
    },
    **{name: f"from collections import {name}" for name in ("Counter", "OrderedDict")},
    **{name: f"from typing import {name}" for name in ("Optional", "Tuple", "List", "Dict")},
}
_SHORT = {"torch.nn": "nn", "torch.nn.functional": "F"} | {"numpy": "np"}
_USUAL = [name for name in dir(builtins) if name[:1] != "_"]
_NOT_IN_OBJECT = message(r"'(?P<kind>[\w.]+)' object has no attribute '(?P<name>\w+)'")


@RULES.when(message(r"local variable '(?P<name>\w+)'", "UnboundLocalError"))
def without_a_value(raised: Raised, name: str) -> Finding:
    """Explain a variable that the function makes itself, and reads before it has a value."""
    made = first_stored(name, raised.function) if raised.function else None
    line = made.lineno if made else raised.line
    own = raised.code.defined.get(name)
    calls = any(called(node) == name for node in walk(raised.statement or ast.Pass()))
    if own is not None and (calls or line >= raised.line):
        key = "named_like_its_function" + ".read" * (not calls)
        return finding(key, name=name, line=line, defined=own.line)
    if hasattr(builtins, name) or name in raised.code.imported:
        kind = "Python's own function" if hasattr(builtins, name) else "the module"
        return finding("name_hidden", name=name, line=line, kind=kind)
    skipped = ".not_run" * (line < raised.line)
    return finding("used_before_it_is_made" + skipped, name=name, line=line)


@RULES.when(message(r"name '(?P<name>\w+)' is not defined"))
def missing_name(raised: Raised, name: str) -> Finding:
    """Say where a name that is not there may come from, the nearest place first."""
    places = (_of_the_file, _of_the_class, _of_a_module, _near)
    found = (one for place in places for one in place(raised, name))
    return next(found, None) or guess("name_not_defined", name=name, origin=_origin(raised))


def _of_the_file(raised: Raised, name: str) -> Iterator[Finding]:
    if name in raised.submitted.names:
        yield finding("defined_later", name=name)
    if name in _IMPORTS:
        yield finding("not_imported", name=name, line=_IMPORTS[name])
    if name in raised.submitted.aside and not _unused(raised):
        yield finding("made_aside", name=name)


def _of_the_class(raised: Raised, name: str) -> Iterator[Finding]:
    definition, function = raised.definition, raised.function
    if definition is None or function is None or definition.function is not None:
        return
    if name == "self":
        yield finding("self_missing", function=function.name, line=function.lineno)
    meant = name if name in raised.stored else nearest(name, raised.stored)
    if meant and (name == meant or is_clear(name, meant)):
        several = name != meant and f"{name}s" == meant
        key = "name_not_defined.one_of" if several else "self_left_out"
        yield finding(key, name=name, meant=meant)
    init = definition.methods.get("__init__")
    if init and function is not init and name in names_made(init):
        kind = "an argument" if name in arguments_of(init) else "a variable"
        yield finding("not_stored_on_self.of_init", name=name, kind=kind)


def _of_a_module(raised: Raised, name: str) -> Iterator[Finding]:
    """Name the modules that have a function which is called by its name alone; first those that are imported."""
    calls = [node for node in walk(raised.statement or ast.Pass()) if called(node) == name]
    homes = [path for path in raised.error.existing if path.split(".")[0] not in _others(raised)]
    if not calls:
        return
    of_a_number = [
        value
        for call in calls
        for part in getattr(call, "args", [])[:1]
        for value in raised.seen(part) or (0,) * (".shape" in ast.unparse(part))
        if isinstance(value, int | float)
    ]
    if of_a_number and f"math.{name}" in raised.error.existing:
        yield finding("module_left_out.of_numbers", name=name)
    if not homes:
        return
    there = [path for path in homes if path.rpartition(".")[0] in raised.code.imported]
    meant = " or ".join(f"`{path}`" for path in (there or homes)[:2])
    yield finding("module_left_out" + ".not_imported" * (not there), name=name, meant=meant)


def _near(raised: Raised, name: str) -> Iterator[Finding]:
    function, unused = raised.function, _unused(raised)
    near = nearest(name, names_made(function)) if function else None
    shared = [one for one in unused if {*words(one)} <= {*words(name)}]
    meant = near or (shared[0] if len(shared) == 1 else None)
    if function and meant and (is_clear(name, meant) or meant in shared):
        kind = "argument" if meant in arguments_of(function) else "variable"
        yield finding("name_misspelt.own", name=name, meant=meant, kind=kind)
    if usual := nearest(name, [*_USUAL, *_IMPORTS, "self", "return"]):
        yield finding("name_misspelt", name=name, meant=usual)
    origin = _origin(raised)
    if len(unused) == 1:
        facts = {"function": function.name if function else "", "unused": unused[0]}
        yield guess("name_not_defined.unused", name=name, origin=origin, **facts)
    read = [node.id for node in walk(raised.statement or ast.Pass()) if isinstance(node, ast.Name)]
    if other := near or nearest(name, [*raised.submitted.names, *read]):
        yield guess("name_misspelt.of_the_file", name=name, meant=other, origin=origin)


def _unused(raised: Raised) -> list[str]:
    method = raised.definition is not None and raised.definition.function is None
    return unused_arguments(raised.function, method=method) if raised.function else []


def _others(raised: Raised) -> tuple[str, ...]:
    """Return the modules whose functions do not take what the function was given, if that is no plain number."""
    kinds = {value.kind for value in raised.inputs.values() if isinstance(value, Array)}
    return {"tensor": ("math", "np"), "ndarray": ("math", "torch", "F")}.get("".join(kinds), ())


def _origin(raised: Raised) -> str:
    if raised.at_the_margin:
        return ORIGIN_AT_THE_MARGIN
    in_a_cell = raised.frame is not None and ", cell " in raised.frame.file
    return ORIGIN_IN_A_NOTEBOOK if in_a_cell else ORIGIN


@RULES.when(
    message(r"module '(?P<module>[\w.]+)' has no attribute '(?P<name>\w+)'"),
    message(r"cannot import name '(?P<name>\w+)' from '(?P<module>[\w.]+)'"),
)
def not_in_module(raised: Raised, module: str, name: str) -> Finding:
    """Name what the module has instead, or the module that has this name.

    A statement without the name gave a module to a function that uses it: then no other name is meant.
    """
    written = raised.statement is None or name in ast.unparse(raised.statement)
    meant = next(iter(raised.error.existing), "") if written else ""
    facts = {"module": _SHORT.get(module, module), "name": name, "meant": meant}
    if not meant:
        return guess("name_not_defined.in_module", **facts)
    if meant.partition(".")[0] in _others(raised):
        return finding("name_not_defined.of_others", **facts)
    return finding("name_misspelt" + (".other_module" if "." in meant else ".in_module"), **facts)


@RULES.when(message(r"'super' object has no attribute '(?P<name>\w+)'"))
def not_in_the_base_class(_raised: Raised, name: str) -> Finding:
    init = is_misspelt_init(name)
    return finding("init_misspelt.super" if init else "name_not_defined.of_super", name=name)


@RULES.when(_NOT_IN_OBJECT, message("object is not callable"))
def hidden_name(raised: Raised, **_missing: str) -> Finding | None:
    """Notice a variable that took the name of a builtin or of a module, where the line that failed needs it."""
    owner = getattr(raised.node, "func", None) or getattr(raised.node, "value", None)
    name = owner.id if isinstance(owner, ast.Name) else ""
    own = hasattr(builtins, name) and isinstance(raised.node, ast.Call)
    made = Operand(owner, raised).made if isinstance(owner, ast.Name) else None
    if not own and name not in {*_IMPORTS, *raised.code.imported}:
        return None
    variable = raised.code.variables.get(name)
    where = made.where if made else line_words(*variable) if variable else ""
    kind = "Python's own function" if own else "the module"
    line = where.removeprefix("line ")
    return finding("name_hidden", name=name, line=line, kind=kind) if where else None


@RULES.when(_NOT_IN_OBJECT)
def read_on_self(raised: Raised, kind: str, name: str) -> Finding | None:
    """Explain an attribute that a method reads on self, and nothing stored."""
    node, definition = raised.node, raised.definition
    of_self = isinstance(node, ast.Attribute) and name_of(node.value) == "self"
    if kind == "NoneType" or not of_self or definition is None:
        return None
    if name in raised.code.defined and name not in raised.stored:
        return finding("self_too_many", name=name, line=raised.code.defined[name].line)
    own = kind in raised.code.defined
    return attribute_read(definition, name) or (
        finding("not_stored_on_self.read", name=name) if own else None
    )


@RULES.when(_NOT_IN_OBJECT)
def not_in_the_object(raised: Raised, kind: str, name: str) -> Finding | None:
    """Say what the object is, and name what it has, or the name that is most like the missing one."""
    if kind == "NoneType" or kind.startswith("torch.return_types"):
        return None
    if kind in FUNCTION_TYPES:
        return finding("call_left_out", name=name, got=got(operands_of(raised)))
    own = raised.code.definition(kind)
    there = sorted(own.stored, key=lambda one: own.stored[one].lineno) if own else []
    there += own.methods if own else []
    if kind == "Module" and not (raised.definition and raised.definition.every("Module()")):
        there = [*raised.given]
    meant = next(iter(raised.error.existing), "")
    facts = {"Kind": capital(a(kind)), "name": name, "got": got(operands_of(raised))}
    if there and name not in there:
        like = renamed(there, [name])
        near = next((new for new, old in like.items() if old == name), None)
        shown = ", ".join(f"`{one}`" for one in there if not one.startswith("__"))
        key = "attribute_misspelt.given" if near else "name_not_defined.of_given"
        return finding(key, name=name, there=shown, meant=near)
    if meant and "." not in meant and is_clear(name, meant):
        return finding("name_misspelt.of_object", meant=meant, **facts)
    of_a_tensor = any(one == f"Tensor.{name}" for one in raised.error.existing)
    return finding(
        "name_not_defined.of_a_tensor" if of_a_tensor else "name_not_defined.of_object", **facts
    )


@RULES.when(message(r"type object '(?P<kind>[\w.]+)' has no attribute '(?P<name>\w+)'"))
def not_in_class(raised: Raised, kind: str, name: str) -> Finding | None:
    """Explain an attribute that was read from a class although only its objects have it."""
    owner = raised.code.definition(kind)
    there = owner.stored if owner else {}
    meant = name if name in there else nearest(name, there)
    if owner is None or meant is None:
        return None
    key = "class_for_an_object" + ".elsewhere" * (raised.definition is not owner)
    init = owner.methods.get("__init__")
    given = arguments_of(init)[1 : -len(init.args.defaults) or None] if init else []
    return finding(key, own=kind, meant=meant, name=name, needed=", ".join(given))
