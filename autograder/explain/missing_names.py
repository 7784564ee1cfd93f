"""Exceptions about a name that does not exist: where it may come from, and which one was meant."""

from __future__ import annotations

import ast
import builtins
import re
from typing import TYPE_CHECKING

from autograder.explain.operands import operands_words
from autograder.explain.raised import FUNCTION_TYPES
from autograder.explain.rules import finding, guess
from autograder.explain.syntax import (
    called,
    first_stored,
    name_of,
    names_made,
    unused_arguments,
    walk,
)
from autograder.explain.wording import a, capital, listed
from autograder.near_names import is_clear, nearest, renamed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autograder.explain.raised import Raised
    from autograder.explain.rules import Finding

# The usual names of modules and of what is imported, and the line that imports each.
_IMPORTS = {
    "nn": "from torch import nn",
    "F": "import torch.nn.functional as F",
    "np": "import numpy as np",
    "plt": "import matplotlib.pyplot as plt",
    "Tensor": "from torch import Tensor",
    **{name: f"import {name}" for name in ("torch", "numpy", "math", "random", "functools")},
    **{name: f"from typing import {name}" for name in ("Optional", "Tuple", "List", "Dict")},
    "Counter": "from collections import Counter",
}
_TAKES = {"math": "plain numbers", "np": "NumPy arrays"}
_USUAL = [*(name for name in dir(builtins) if name[:1] != "_"), *_IMPORTS, "self", "return"]
_LOCAL = re.compile(r"local variable '(\w+)'")
_NAME = re.compile(r"name '(\w+)' is not defined")
_IMPORT = re.compile(r"cannot import name '(?P<name>\w+)' from '(?P<kind>[\w.]+)'")
_ATTRIBUTE = re.compile(r"'(?P<kind>[\w.]+)'(?: object)? has no attribute '(?P<name>\w+)'")


def read_missing_name(raised: Raised) -> Finding | None:
    """Say where a name that is not there may come from; None if no name is missing, or nothing is known of it."""
    message = raised.error.message
    if found := _LOCAL.search(message):
        return _without_a_value(raised, found[1])
    if found := _NAME.search(message):
        return next(_places(raised, found[1]))
    if found := _ATTRIBUTE.search(message) or _IMPORT.search(message):
        return _attribute(raised, found["kind"], found["name"])
    return None


def _without_a_value(raised: Raised, name: str) -> Finding:
    """Explain a variable that the function makes itself, and reads before it has a value."""
    made = first_stored(name, raised.function) if raised.function else None
    own, line = raised.code.defined.get(name), made.lineno if made else raised.line
    outside = own is not None or hasattr(builtins, name) or name in raised.code.imported
    key = "name_hidden" if outside and line >= raised.line else "used_before_it_is_made"
    what = f"the function of line {own.line}" if own else "what has this name outside"
    return finding(key, name=name, line=line, what=what)


def _places(raised: Raised, name: str) -> Iterator[Finding]:
    """Yield the places that a name may come from, the nearest first."""
    submitted, function, definition = raised.submitted, raised.function, raised.definition
    is_method = definition is not None and definition.function is None
    unused = unused_arguments(function, method=is_method) if function else []
    if name in submitted.names:
        yield finding("defined_later", name=name)
    if name in _IMPORTS:
        yield finding("not_imported", name=name, line=_IMPORTS[name])
    alone = (
        {"function": function.name, "unused": unused[0]} if function and len(unused) == 1 else {}
    )
    if name in submitted.aside:
        yield finding("made_aside.unused" if alone else "made_aside", name=name, **alone)
    if definition and function and is_method:
        yield from _of_the_class(raised, name, function, definition.methods.get("__init__"))
    calls = any(called(node) == name for node in walk(raised.statement or ast.Pass()))
    if calls and raised.error.existing:
        takes = (
            (one, _TAKES.get(one.partition(".")[0], "tensors")) for one in raised.error.existing
        )
        homes = ", ".join(f"`{path}` (for {kind})" for path, kind in takes)
        yield finding("module_left_out", name=name, homes=homes)
    own = names_made(function) if function else set()
    called_ones = submitted.names if calls else ()
    near = [meant for among in (own, _USUAL, called_ones) if (meant := nearest(name, among))]
    yield from (
        finding("name_misspelt", name=name, meant=meant) for meant in near if is_clear(name, meant)
    )
    if alone:
        yield guess("name_not_defined.unused", name=name, **alone)
    yield from (guess("name_misspelt", name=name, meant=meant) for meant in near)
    yield guess("name_not_defined", name=name)


def _of_the_class(
    raised: Raised, name: str, function: ast.FunctionDef, init: ast.FunctionDef | None
) -> Iterator[Finding]:
    if name == "self":
        yield finding("self_missing", function=function.name, line=function.lineno)
    meant = name if name in raised.stored else nearest(name, raised.stored)
    if meant and is_clear(name, meant):
        yield finding("self_left_out", name=name, meant=meant)
    if init and function is not init and name in names_made(init):
        yield finding("not_stored_on_self", name=name)


def _attribute(raised: Raised, kind: str, name: str) -> Finding | None:
    """Explain an attribute that a module, a class or an object does not have."""
    message, meant = raised.error.message, next(iter(raised.error.existing), "")
    if kind == "super":
        return finding("name_not_defined.of_super", name=name)
    if f"module '{kind}'" in message or "cannot import" in message:
        # A statement without the name gave a module to a function that uses it: then no other name is meant.
        if not meant or (raised.statement and name not in ast.unparse(raised.statement)):
            return guess("name_not_defined.in_module", module=kind, name=name)
        meant = meant if "." in meant else f"{kind}.{meant}"
        return finding("name_misspelt.in_module", module=kind, name=name, meant=meant)
    told_by_operands = kind == "NoneType" or kind in FUNCTION_TYPES or "type object" in message
    if told_by_operands or kind.startswith("torch.return_types"):
        return None
    if isinstance(raised.node, ast.Attribute) and name_of(raised.node.value) == "self":
        return _on_self(raised, name)
    own = raised.code.definition(kind)
    there = [*own.stored, *own.methods] if own else [*raised.given] if kind == "Module" else []
    if there and name not in there:
        shown = listed(f"`{one}`" for one in there if not one.startswith("__"))
        return finding("name_not_defined.of_given", name=name, there=shown)
    did = f" Did you mean `{meant}`?" * is_clear(name, meant)
    did = did or f" A tensor has `{name}`." * (f"Tensor.{name}" in raised.error.existing)
    shown = operands_words(raised)
    return finding(
        "name_not_defined.of_object", Kind=capital(a(kind)), name=name, did=did, got=shown
    )


def _on_self(raised: Raised, name: str) -> Finding:
    """Explain an attribute that a method reads on self, and nothing stored."""
    definition, there = raised.definition, raised.stored
    if name in raised.code.defined and name not in there:
        return finding("self_too_many", name=name, line=raised.code.defined[name].line)
    init = definition.methods.get("__init__") if definition else None
    near = nearest(name, there) or renamed([name], there).get(name, "")
    if init and name in names_made(init) and name not in there and not is_clear(name, near):
        return finding("not_stored_on_self", name=name)
    if near:
        facts = {"stored": near, "line": there[near].lineno}
        return finding("attribute_misspelt.read", name=name, **facts)
    return finding("not_stored_on_self.read", name=name)
