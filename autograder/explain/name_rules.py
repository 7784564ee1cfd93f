"""Exceptions about a name that does not exist: which name stands there, and which one was meant."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from autograder.explain.class_rules import attribute_read, is_misspelt_init
from autograder.explain.operations import normal
from autograder.explain.raised import FUNCTION_TYPES, Raised, message
from autograder.explain.rules import Finding, Rules, finding, guess
from autograder.explain.syntax import (
    arguments_of,
    called,
    first_stored,
    last_assigned,
    name_of,
    names_made,
    unused_arguments,
)
from autograder.explain.wording import a, capital, line_words
from autograder.explain.words_of_errors import ORIGIN, ORIGIN_AT_THE_MARGIN, ORIGIN_IN_A_NOTEBOOK
from autograder.near_names import is_clear, nearest, renamed, words
from autograder.values.values import Array

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autograder.explain.sizes import Sizes

HIDDEN = Rules[Raised]()
RULES = Rules[Raised]()

_SHOWN = 4
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
# The builtins that these exercises use.
_BUILTINS = frozenset([
    "print", "len", "range", "float", "int", "str", "list", "dict", "tuple", "set", "sum", "min", "max", "abs", "round",
    "enumerate", "zip", "sorted", "reversed", "map", "isinstance", "getattr", "setattr", "super", "type",
    "True", "False", "None",
])  # fmt: skip
# Constants of other languages.
_CONSTANTS = {
    **dict.fromkeys(("true", "TRUE"), "True"),
    **dict.fromkeys(("false", "FALSE"), "False"),
    **dict.fromkeys(("none", "null"), "None"),
}
_SHORT = {"torch.nn": "nn", "torch.nn.functional": "F", "numpy": "np"}

_NOT_DEFINED = message(r"name '(?P<name>\w+)' is not defined")
_NOT_CALLABLE = message(r"'[\w.]+' object is not callable")
_LACKS = r" object has no attribute '(?P<name>\w+)'"
_NOT_IN_OBJECT = message(rf"'(?P<kind>[\w.]+)'{_LACKS}")


@HIDDEN.when()
def hidden_name(raised: Raised) -> Finding | None:
    """Notice a variable that took the name of a builtin or of a module, where the line that failed needs it."""
    for name in _needed(raised):
        line = _bound_in_function(name, raised) or _bound_in_file(name, raised)
        if line:
            kind = "Python's own function" if name in _BUILTINS else "the module"
            return finding("name_hidden", name=name, line=line, Line=capital(line), kind=kind)
    return None


def _needed(raised: Raised) -> Iterator[str]:
    """Yield the builtins that the statement calls and the modules that it uses, if the exception fits."""
    fits = _NOT_CALLABLE(raised) is not None or raised.error.type == "UnboundLocalError"
    modules = {*_IMPORTS, *raised.code.imported} - _BUILTINS
    for node in raised.nodes or ():
        function = node.func if isinstance(node, ast.Call) else None
        if fits and isinstance(function, ast.Name) and function.id in _BUILTINS:
            yield function.id
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") in modules:
            yield ast.unparse(node.value)


def _bound_in_function(name: str, raised: Raised) -> str:
    """Return the line in which the function makes a variable of this name; empty if it does not."""
    function = raised.function
    if function is None:
        return ""
    for argument in (*function.args.args, *function.args.kwonlyargs):
        if argument.arg == name:
            return f"line {argument.lineno}"
    made = first_stored(name, function)
    if isinstance(last_assigned(name, function), ast.Attribute):  # such as `nn = torch.nn`
        return ""
    return f"line {made.lineno}" if made else ""


def _bound_in_file(name: str, raised: Raised) -> str:
    """Return the line in which the file makes a variable of this name; empty if something else is wrong."""
    fits = any(condition(raised) is not None for condition in (_NOT_CALLABLE, _NOT_IN_OBJECT))
    variables = raised.code.variables
    return line_words(*variables[name]) if fits and name in variables else ""


@RULES.when(_NOT_DEFINED)
def defined_later(raised: Raised, name: str) -> Finding | None:
    return finding("defined_later", name=name) if name in raised.submitted.names else None


@RULES.when(_NOT_DEFINED)
def not_imported(_raised: Raised, name: str) -> Finding | None:
    return finding("not_imported", name=name, line=_IMPORTS[name]) if name in _IMPORTS else None


@RULES.when(_NOT_DEFINED)
def constant_of_another_language(_raised: Raised, name: str) -> Finding | None:
    meant = _CONSTANTS.get(name)
    return finding("name_misspelt.constant", name=name, meant=meant) if meant else None


@RULES.when(_NOT_DEFINED)
def of_self(raised: Raised, name: str) -> Finding | None:
    """Explain a name in a method that was meant to be an attribute of the module, or `self` itself."""
    function = raised.function
    if raised.definition is None or raised.definition.function is not None:
        return None
    if name == "self" and function is not None:
        return finding("self_missing", function=function.name, line=function.lineno)
    meant = name if name in raised.stored else nearest(name, raised.stored)
    if meant is None or _is_made_from(name, meant):
        return None
    one_of_several = name != meant and f"{name}s" == meant
    key = "name_not_defined.one_of" if one_of_several else "self_left_out"
    return finding(key, name=name, meant=meant)


@RULES.when(_NOT_DEFINED)
def argument_of_init(raised: Raised, name: str) -> Finding | None:
    """Explain a name in a method that only `__init__` has."""
    definition, function = raised.definition, raised.function
    init = definition.methods.get("__init__") if definition else None
    if init is None or function in (None, init) or name not in names_made(init):
        return None
    kind = "an argument" if name in arguments_of(init) else "a variable"
    return finding("not_stored_on_self.of_init", name=name, kind=kind)


@RULES.when(_NOT_DEFINED)
def made_aside(raised: Raised, name: str) -> Finding | None:
    """Explain a name of a cell that shows results. It is spelt right, so no other is suggested."""
    return finding("made_aside", name=name) if name in raised.submitted.aside else None


@RULES.when(_NOT_DEFINED)
def function_of_a_module(raised: Raised, name: str) -> Finding | None:
    """Name the module of a function that is called by its name alone."""
    nodes = raised.nodes
    if nodes is not None and not any(called(node) == name for node in nodes):
        return None
    return module_left_out(raised, name)


@RULES.when(_NOT_DEFINED)
def near_name_in_the_function(raised: Raised, name: str) -> Finding | None:
    """Suggest a similar name of the function, or its argument that is never read."""
    function = raised.function
    meant = function and (nearest(name, names_made(function)) or _unused_like(name, raised))
    if function is None or not meant:
        return None
    if _is_made_from(name, meant):
        facts = {"name": name, "meant": meant, "function": function.name}
        return guess("name_not_defined.made_from", origin=_origin(raised), **facts)
    kind = "argument" if meant in arguments_of(function) else "variable"
    return finding("name_misspelt.own", name=name, meant=meant, kind=kind)


@RULES.when(_NOT_DEFINED)
def module_left_out(raised: Raised, name: str) -> Finding | None:
    """Name the modules that have this name, those that are imported come first.

    A name that the statement itself gives to something, such as the variable of a comprehension, belongs to no module.
    """
    if any(name in names_made(node) for node in raised.nodes or []):
        return None
    if _of_a_number(raised, name) and f"math.{name}" in raised.error.existing:
        return finding("module_left_out.of_numbers", name=name)
    homes = [path for path in raised.error.existing if path.split(".")[0] not in _others(raised)]
    imported = raised.code.imported
    there = [path for path in homes if path.rpartition(".")[0] in imported]
    meant = " or ".join(f"`{path}`" for path in (there or homes)[:2])
    key = "module_left_out" if there else "module_left_out.not_imported"
    return finding(key, name=name, meant=meant) if meant else None


def _others(raised: Raised) -> tuple[str, ...]:
    """Return the modules whose functions do not take what the function was given, if that is no plain number."""
    kinds = {value.kind for value in raised.inputs.values() if isinstance(value, Array)}
    return {"tensor": ("math", "np"), "ndarray": ("math", "torch", "F")}.get("".join(kinds), ())


def _of_a_number(raised: Raised, name: str) -> bool:
    """Return whether a function is called with a plain number, such as a size."""
    sizes = raised.sizes
    if sizes is None:
        return False
    calls = (node for node in raised.nodes or () if isinstance(node, ast.Call))
    return any(
        called(call) == name and any(_is_a_size(value, sizes) for value in call.args)
        for call in calls
    )


def _is_a_size(value: ast.expr, sizes: Sizes) -> bool:
    plain = normal(value)
    of_a_shape = isinstance(plain, ast.Subscript) and isinstance(normal(plain.value), ast.Attribute)
    return of_a_shape or sizes.size(value) is not None


@RULES.when(_NOT_DEFINED)
def near_usual_name(_raised: Raised, name: str) -> Finding | None:
    meant = nearest(name, [*_IMPORTS, *_BUILTINS, "self", "return"])
    return finding("name_misspelt", name=name, meant=meant) if meant else None


@RULES.when(_NOT_DEFINED)
def near_name_of_the_file(raised: Raised, name: str) -> Finding | None:
    meant = nearest(name, [*raised.submitted.names, *raised.read])
    if meant is None:
        return None
    origin = _origin(raised)
    return guess("name_misspelt.of_the_file", name=name, meant=meant, origin=origin)


@RULES.when(_NOT_DEFINED)
def unknown_name(raised: Raised, name: str) -> Finding:
    """Say at least where names come from, and whether the function leaves one argument unread."""
    origin, unused = _origin(raised), _arguments_not_read(raised)
    if len(unused) == 1:
        facts = {"name": name, "unused": unused[0], "origin": origin}
        return guess("name_not_defined.unused", **facts)
    return guess("name_not_defined", name=name, origin=origin)


def _is_made_from(name: str, near: str) -> bool:
    """Return whether another name has all words of this one and more: `queries` are computed from `W_query`."""
    few, many = ({_singular(word) for word in words(one)} for one in (name, near))
    return few < many


def _singular(word: str) -> str:
    return f"{word[:-3]}y" if word.endswith("ies") else word.removesuffix("s")


def _arguments_not_read(raised: Raised) -> list[str]:
    if raised.function is None or raised.definition is None:
        return []
    return unused_arguments(raised.function, method=raised.definition.function is None)


def _unused_like(name: str, raised: Raised) -> str | None:
    """Return the one argument that the function never reads and whose words are all in a name.

    `attn_weights` was meant to be `weights`. But `values`, computed from `W_value`, is no other name of it.
    """
    like = [
        argument for argument in _arguments_not_read(raised) if {*words(argument)} <= {*words(name)}
    ]
    return like[0] if len(like) == 1 else None


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
    nodes = raised.nodes
    read = nodes is None or any(
        name in (name_of(node), getattr(node, "name", "")) for node in nodes
    )
    meant = next(iter(raised.error.existing), "") if read else ""
    facts = {"module": _SHORT.get(module, module), "name": name, "meant": meant}
    if not meant:
        return guess("name_not_defined.in_module", **facts)
    if meant.partition(".")[0] in _others(raised):
        return finding("name_not_defined.of_others", **facts)
    key = "name_misspelt.other_module" if "." in meant else "name_misspelt.in_module"
    return finding(key, **facts)


@RULES.when(message(r"'module' object is not callable"))
def module_called(raised: Raised) -> Finding:
    meant = next(iter(raised.error.existing), "")
    if not meant:
        return guess("module_called")
    for node in raised.nodes or []:
        name = called(node)
        if isinstance(node, ast.Call) and name.lower() == meant.rpartition(".")[2].lower():
            written = ast.unparse(node.func)[:60]
            return finding("name_misspelt.module_called", written=written, meant=meant, name=name)
    return guess("module_called")


@RULES.when(_NOT_IN_OBJECT)
def read_on_self(raised: Raised, kind: str, name: str) -> Finding | None:
    of_self = any(
        isinstance(node, ast.Attribute) and node.attr == name and name_of(node.value) == "self"
        for node in raised.nodes or ()
    )
    if kind == "NoneType" or not of_self:
        return None
    if raised.definition and name in raised.code.defined and name not in raised.stored:
        line = raised.code.defined[name].line
        return finding("self_too_many", name=name, line=line)
    found = attribute_read(raised.definition, name) if raised.definition else None
    own = raised.definition is None or kind in raised.code.defined
    return found or (finding("not_stored_on_self.read", name=name) if own else None)


@RULES.when(message(rf"'super'{_LACKS}"))
def not_in_the_base_class(_raised: Raised, name: str) -> Finding:
    init = is_misspelt_init(name)
    return finding("init_misspelt.super" if init else "name_not_defined.of_super", name=name)


RULES.says("call_left_out.before", message(rf"'(?:{'|'.join(FUNCTION_TYPES)})'{_LACKS}"))
RULES.says("values_left_out", message(rf"'torch.return_types[\w.]*'{_LACKS}"))


@RULES.when(_NOT_IN_OBJECT)
def not_in_the_given_object(raised: Raised, kind: str, name: str) -> Finding | None:
    """Name the attributes of an object of the file's own class or of one that was given, and the one that was meant."""
    there = _attributes_of(kind, raised)
    if not there or name in there:
        return None
    shown = ", ".join(f"`{attribute}`" for attribute in there[:_SHOWN])
    meant = {old: new for new, old in renamed(there, [name]).items()}.get(name)
    key = "attribute_misspelt.given" if meant else "name_not_defined.of_given"
    return finding(key, name=name, there=shown, meant=meant)


def _attributes_of(kind: str, raised: Raised) -> tuple[str, ...]:
    """Return what an object of the file's own class stores, or one that the step was given; empty if unknown."""
    own = raised.code.definition(kind)
    if own is not None:
        kept = sorted(own.stored, key=lambda name: own.stored[name].lineno)
        return (*kept, *(method for method in own.methods if not method.startswith("__")))
    makes_one = raised.definition is not None and raised.definition.written("Module()")
    return raised.given if kind == "Module" and not makes_one else ()


@RULES.when(_NOT_IN_OBJECT)
def near_attribute(raised: Raised, kind: str, name: str) -> Finding | None:
    """Name the attribute of the object itself that is most like the missing one."""
    if kind == "NoneType" or not raised.error.existing:
        return None
    meant, *_ = raised.error.existing
    facts = {"Kind": capital(a(kind)), "name": name, "meant": meant}
    if "." not in meant and is_clear(name, meant):
        return finding("name_misspelt.of_object", **facts)
    if raised.error.existing[-1].rpartition(".")[2] == name:  # that of a tensor
        return finding("name_not_defined.of_a_tensor", **facts)
    return guess("name_not_defined.of_object", **facts)


@RULES.when(message(r"type object '(?P<kind>[\w.]+)' has no attribute '(?P<name>\w+)'"))
def not_in_class(raised: Raised, kind: str, name: str) -> Finding | None:
    """Explain an attribute that was read from a class although only its objects have it."""
    owner, function = raised.code.definition(kind), raised.function
    there = owner.stored if owner else {}
    meant = name if name in there else nearest(name, there)
    init = owner.methods.get("__init__") if owner else None
    if owner is None or meant is None or init is None:
        return None
    facts = {"own": owner.node.name, "meant": meant, "name": name}
    if raised.definition is owner:
        return finding("class_for_an_object", **facts)
    if function is not None and arguments_of(function):
        return finding("class_for_an_object.argument", function=function.name, **facts)
    given = [argument.arg for argument in (*init.args.posonlyargs, *init.args.args)]
    needed = ", ".join(given[1 : len(given) - len(init.args.defaults)])
    return finding("class_for_an_object.none", needed=needed, **facts)
