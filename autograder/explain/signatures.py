"""Compare the first line of a student's function with the release: callers give arguments by their place."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from autograder.explain.class_rules import method_missing
from autograder.explain.rules import Finding, finding
from autograder.explain.syntax import arguments_of
from autograder.near_names import renamed

if TYPE_CHECKING:
    from autograder.explain.raised import Raised
    from autograder.explain.student_code import Definition
    from autograder.explain.syntax import Function

_CALL = re.compile(
    r"(?<![\w.])(?P<function>[\w.]+)\(\) (?:missing \d+ required positional argument|takes"
    r"|got an unexpected keyword argument)"
)
_FORWARD = re.compile(r'Module \[(?P<name>\w+)\] is missing the required "forward" function')
_METHODS = ("__init__", "forward")
_OF_VALUES = ("RuntimeError", "ValueError", "TypeError", "IndexError", "KeyError", "AttributeError")


def read_signature(raised: Raised) -> Finding | None:
    """Compare first lines with the release, where a call did not fit, or where values belong to others."""
    if found := _FORWARD.search(raised.error.message):
        definition = raised.code.definition(found["name"])
        return method_missing(definition, "forward") if definition else None
    if found := _CALL.search(raised.error.message):
        return _own_call(raised, found["function"])
    own = raised.definition
    if own is None or raised.error.type not in _OF_VALUES or "module '" in raised.error.message:
        return None
    return another_order(own, raised.submitted.released(own.node.name))


def _own_call(raised: Raised, path: str) -> Finding | None:
    """Compare the first line of the student's own function with the release, if that was called."""
    name, _, method = path.partition(".")
    definition, released = raised.code.definition(name), raised.submitted.released(name)
    is_class = definition is not None and definition.function is None
    if (
        definition
        and is_class
        and method in ("", "__init__")
        and "__init__" not in definition.methods
    ):
        return method_missing(definition, "__init__")
    own, stub = _named(definition, method), _named(released, method)
    if own is None:
        return None
    static = any(getattr(node, "id", "") == "staticmethod" for node in own.decorator_list)
    if method and arguments_of(own)[:1] != ["self"] and not static:
        return finding("self_missing", function=own.name, line=own.lineno)
    return _first_line(own, stub) if stub and _defaults(own) != _defaults(stub) else None


def _named(definition: Definition | None, method: str) -> Function | None:
    """Return a function, or the method of a class."""
    if definition is None or definition.function is not None:
        return definition.function if definition and not method else None
    return definition.methods.get(method or "__init__")


def another_order(own: Definition | None, released: Definition | None) -> Finding | None:
    """Notice that a step's arguments stand in another order than in the release."""
    return next((_first_line(*pair) for pair in _pairs(own, released) if _is_turned(*pair)), None)


def another_default(own: Definition | None, released: Definition | None) -> Finding | None:
    """Notice an argument with another default than in the release."""
    pairs = _pairs(own, released)
    return next((_first_line(*pair) for pair in pairs if _has_other_defaults(*pair)), None)


def _first_line(own: Function, stub: Function) -> Finding:
    facts = {"function": own.name, "line": own.lineno}
    return finding(
        "arguments_do_not_fit.first_line", given=_written(own), released=_written(stub), **facts
    )


def _pairs(own: Definition | None, released: Definition | None) -> list[tuple[Function, Function]]:
    """Return the functions whose first lines are compared: the step's, or the methods of its class."""
    if own is None or released is None:
        return []
    there = ((_named(own, name), _named(released, name)) for name in ("", *_METHODS))
    return [
        (one, stub)
        for one, stub in there
        if one and stub and not (one.args.vararg or one.args.kwarg)
    ]


def _is_turned(own: Function, stub: Function) -> bool:
    """Return whether the same arguments, perhaps under other names, stand in another order."""
    given, wanted = arguments_of(own), arguments_of(stub)
    same = {name: name for name in wanted if name in given}
    names = same | renamed(
        [one for one in wanted if one not in same], [one for one in given if one not in same]
    )
    places = [(wanted.index(name), given.index(other)) for name, other in names.items()]
    exchanged = {*(there for there, _ in places)} == {*(here for _, here in places)}
    return len(given) == len(wanted) and exchanged and any(there != here for there, here in places)


def _has_other_defaults(own: Function, stub: Function) -> bool:
    given = _defaults(own)
    pairs = [(default, given.get(name, default)) for name, default in _defaults(stub).items()]
    return any(default and _value(other) != _value(default) for default, other in pairs)


def _value(default: str) -> object:
    """Return the value of a default that is a constant, such as 10 and 10.0; of any other its text."""
    node = ast.parse(default, mode="eval").body if default else None
    return node.value if isinstance(node, ast.Constant) else default


def _defaults(function: Function) -> dict[str, str]:
    """Return the default of each argument; empty if it has none."""
    given = function.args
    in_place = [*given.posonlyargs, *given.args]
    none: list[ast.expr | None] = [None] * (len(in_place) - len(given.defaults))
    defaults = [*none, *given.defaults, *given.kw_defaults]
    both = zip([*in_place, *given.kwonlyargs], defaults, strict=True)
    return {one.arg: ast.unparse(default) if default else "" for one, default in both}


def _written(function: Function) -> str:
    """Return the arguments as they stand in the first line, without type hints."""
    parts = _defaults(function).items()
    return ", ".join(f"{name}={default}" if default else name for name, default in parts)
