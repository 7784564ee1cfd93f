"""Slips with names: one that hides a builtin or a module, one defined twice, one defined inside another."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from autograder.explain.exception_patterns import match_message
from autograder.explain.explanation import Reading
from autograder.explain.library import BUILTINS, IMPORTS
from autograder.explain.syntax import first_stored, last_assigned
from autograder.explain.wording import line_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autograder.explain.place import Place
    from autograder.explain.student_code import StudentCode
    from autograder.results import StudentError

_SHOWN = 3
HIDDEN = "name_hidden"


def hidden_name(error: StudentError, place: Place) -> Reading | None:
    """Notice a variable that took the name of a builtin or of a module, where the line that failed needs it."""
    for name in _needed(error, place):
        line = _bound_in_function(name, place) or _bound_in_file(name, error, place)
        if not line:
            continue
        kind = "Python's own function" if name in BUILTINS else "the module"
        says = (
            f"{line[:1].upper()}{line[1:]} gives the name `{name}` to a variable. Then `{name}` is no longer {kind}, "
            "which this line needs."
        )
        look = f"Give the variable in {line} another name."
        return Reading(HIDDEN, says, look, sure=True)
    return None


def _needed(error: StudentError, place: Place) -> Iterator[str]:
    """Yield the builtins that the statement calls and the modules that it uses, if the exception fits."""
    called = match_message("not_callable", error.message) or error.type == "UnboundLocalError"
    modules = {*IMPORTS, *place.code.imported}
    for node in place.nodes or ():
        function = node.func if isinstance(node, ast.Call) else None
        if called and isinstance(function, ast.Name) and function.id in BUILTINS:
            yield function.id
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            name = node.value.id
            if name in modules and name not in BUILTINS:
                yield name


def _bound_in_function(name: str, place: Place) -> str:
    """Return the line in which the function makes a variable of this name; empty if it does not."""
    function = place.function
    if function is None:
        return ""
    for argument in (*function.args.args, *function.args.kwonlyargs):
        if argument.arg == name:
            return f"line {argument.lineno}"
    stored = first_stored(name, function)
    if isinstance(last_assigned(name, function), ast.Attribute):  # such as `nn = torch.nn`
        return ""
    return f"line {stored.lineno}" if stored else ""


def _bound_in_file(name: str, error: StudentError, place: Place) -> str:
    """Return the line in which the file makes a variable of this name; empty if something else is wrong."""
    fits = match_message("not_callable", error.message) or match_message(
        "not_in_object", error.message
    )
    if not fits or name not in place.code.variables:
        return ""
    return line_words(*place.code.variables[name])


def defined_again(name: str, code: StudentCode) -> str:
    """Say so if a function or class is defined more than once; else return an empty text."""
    found = [header for header in code.headers if header.name == name and header.indent == 0]
    if len(found) < 2:  # noqa: PLR2004 - more than once
        return ""
    shown = [line_words(header.label, header.line) for header in (*found[: _SHOWN - 1], found[-1])]
    where = list(dict.fromkeys(shown))
    return f"`{name}` is defined in {', '.join(where[:-1])} and again in {where[-1]}: the last one counts."


def defined_inside(name: str, code: StudentCode) -> str:
    """Say so if a function or class is indented, so that the file itself does not define it."""
    for number, header in enumerate(code.headers):
        if header.name != name or header.indent == 0:
            continue
        around = next(
            (
                outer.name
                for outer in reversed(code.headers[:number])
                if outer.piece == header.piece and outer.indent < header.indent
            ),
            "",
        )
        inside = f"it stands inside `{around}`" if around else "it belongs to the lines above it"
        where = line_words(header.label, header.line)
        return f"`{name}` is defined in {where}, but indented: so {inside}. Move it and its lines to the left margin."
    return ""
