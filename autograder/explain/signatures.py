"""Compare the first line of a student's function with the release: callers give arguments by their place."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from autograder.explain.raised import Raised, message
from autograder.explain.rules import Finding, Rules, finding
from autograder.explain.syntax import arguments_of, names_made, names_read
from autograder.near_names import renamed

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable

    from autograder.explain.student_code import Definition
    from autograder.explain.syntax import Function

RULES = Rules[Raised]()

UNKNOWN_KEYWORD = (
    r"(?<![\w.])(?P<function>[\w.]+)\(\) got an unexpected keyword argument '(?P<keyword>\w+)'"
)
COUNT = r"(?<![\w.])(?P<function>[\w.]+)\(\) (?:missing \d+ required positional argument|takes )"
_METHODS = ("__init__", "forward")


def another_order(own: Definition | None, released: Definition | None) -> Finding | None:
    """Notice that a step's arguments stand in another order than in the release, or mean something else."""
    variables = own.code.variables if own else {}
    for first, stub in _pairs(own, released):
        if found := _order(first, stub) or _meaning(first, stub):
            return found
        unread = {*arguments_of(first)} - {*names_read(first)}
        if found := _another_name(first, stub, variables, unread):
            return found
    return None


def another_default(own: Definition | None, released: Definition | None) -> Finding | None:
    """Notice an argument with another default than in the release."""
    pairs = _pairs(own, released)
    return next((found for pair in pairs if (found := _default(*pair))), None)


def _pairs(own: Definition | None, released: Definition | None) -> list[tuple[Function, Function]]:
    """Return the functions whose first lines are compared: the step's, or the methods of its class."""
    if own is None or released is None or (own.function is None) != (released.function is None):
        return []
    if own.function and released.function:
        both = [(own.function, released.function)]
    else:
        there = [name for name in _METHODS if name in own.methods and name in released.methods]
        both = [(own.methods[name], released.methods[name]) for name in there]
    return [pair for pair in both if not (pair[0].args.vararg or pair[0].args.kwarg)]


def _order(own: Function, stub: Function) -> Finding | None:
    given, wanted = arguments_of(own), arguments_of(stub)
    same = {name: name for name in wanted if name in given}
    names = same | renamed(
        [one for one in wanted if one not in same], [one for one in given if one not in same]
    )
    places = [(wanted.index(name), given.index(other)) for name, other in names.items()]
    exchanged = {*(there for there, _ in places)} == {*(here for _, here in places)}
    if len(given) != len(wanted) or not exchanged or all(there == here for there, here in places):
        return None
    return finding("arguments_do_not_fit.order", given=", ".join(given), **_facts(own, stub))


def _meaning(own: Function, stub: Function) -> Finding | None:
    """Notice arguments that have defaults where the release has none, under names of their own."""
    given, wanted = _defaults(own), _defaults(stub)
    places = list(zip(given.items(), wanted.items(), strict=False))
    optional = [name for (name, default), (_, other) in places if default and not other]
    if not optional or not {*given}.isdisjoint({*wanted} - {"self"}):
        return None
    return finding("arguments_do_not_fit.meaning", given=_written(own), **_facts(own, stub))


def _another_name(
    own: Function, stub: Function, missed: Container[str], others: Container[str]
) -> Finding | None:
    """Notice code that reads an argument by its name in the release, where the first line has another name for it.

    An argument with a default is given by its name, so another spelling of that name is another name, too.

    Args:
        missed: the names that are not those of arguments.
        others: the names in the first line that may stand in place of those without a default.
    """
    given, wanted, read = arguments_of(own), arguments_of(stub), names_read(own)
    by_name = [name for name, default in _defaults(stub).items() if default]  # as calls give it
    for name, other in zip(wanted, given, strict=False):
        if name not in read or name not in missed or name in names_made(own) or other in wanted:
            continue
        if name in by_name or (other in others and not renamed([name], [other])):
            return finding("arguments_do_not_fit.name", name=name, other=other, **_facts(own, stub))
    return None


def _default(own: Function, stub: Function) -> Finding | None:
    given, wanted = _defaults(own), _defaults(stub)
    for name, default in wanted.items():
        if default and _value(given.get(name, default)) != _value(default):
            key = "arguments_do_not_fit" + (".other_default" if given[name] else ".default")
            facts = {"argument": name, "default": default, "given": given[name]}
            return finding(key, **facts, **_facts(own, stub))
    return None


def _value(default: str) -> object:
    """Return the value of a default that is a constant, such as 10 and 10.0; of any other its text."""
    node = ast.parse(default, mode="eval").body if default else None
    return node.value if isinstance(node, ast.Constant) else default


def _facts(own: Function, stub: Function) -> dict[str, object]:
    return {"function": own.name, "line": own.lineno, "released": _written(stub)}


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


@RULES.when(message(UNKNOWN_KEYWORD), message(COUNT))
def own_arguments(raised: Raised, function: str, **_keyword: str) -> Finding | None:
    """Compare the first line of the student's own function with the release, and with the call."""
    own = _named(function, raised.code.definition)
    if own is None:
        return None
    given = arguments_of(own)
    static = any(getattr(node, "id", "") == "staticmethod" for node in own.decorator_list)
    if "." in function and given[:1] != ["self"] and not static:
        return finding("self_missing", function=own.name, line=own.lineno)
    stub = _named(function, raised.submitted.released)
    if stub and (found := _order(own, stub) or _default(own, stub)):
        return found
    released = arguments_of(stub) if stub else given
    if stub and released != given:
        missing = _quoted(argument for argument in released if argument not in given)
        extra = _quoted(argument for argument in given if argument not in released)
        differ = f" Missing: {missing}." if missing else ""
        differ += f" Not in the release: {extra}." if extra else ""
        return finding("arguments_do_not_fit.first_line", differ=differ, **_facts(own, stub))
    shown = ", ".join(argument for argument in given if argument != "self") or "no arguments"
    name = function.removesuffix(".__init__")
    # Without a line of the student's, the kit made the call, as the release does.
    key = "arguments_do_not_fit" + (".own" if raised.frame else ".own_first_line")
    return replace(
        finding(key, function=name, given=shown, line=own.lineno), sure=bool(raised.frame)
    )


def _named(path: str, find: Callable[[str], Definition | None]) -> Function | None:
    """Return the function or method that a message names, such as `Attention.__init__`."""
    first, _, rest = path.partition(".")
    definition = find(first)
    if definition is None:
        return None
    if definition.function is None:
        return definition.methods.get(rest or "__init__")
    return definition.function if not rest else None


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


@RULES.when(message(r"name '(?P<name>\w+)' is not defined"))
def argument_of_another_name(raised: Raised, name: str) -> Finding | None:
    """Notice a name that does not exist and is that of an argument in the release."""
    own = raised.definition
    pairs = _pairs(own, raised.submitted.released(own.node.name)) if own else []
    found = (_another_name(first, stub, (name,), names_read(first)) for first, stub in pairs)
    return next(filter(None, found), None)


@RULES.when(lambda raised: raised.of_values)
def arguments_in_another_order(raised: Raised) -> Finding | None:
    """Compare the first line of the step in which the exception was raised with the release."""
    own = raised.definition
    return another_order(own, raised.submitted.released(own.node.name)) if own else None
