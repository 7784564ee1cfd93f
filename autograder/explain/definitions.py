"""Definitions that a file has under another name, twice, or inside another definition."""

from __future__ import annotations

import ast
import math
from typing import TYPE_CHECKING

from autograder.explain.student_code import StudentCode
from autograder.explain.syntax import arguments_of
from autograder.explain.wording import line_words
from autograder.near_names import nearest, words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from autograder.explain.student_code import Definition, Submitted

_SHOWN = 3


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


def under_another_name(step: str, names: Iterable[str], submitted: Submitted) -> str | None:
    """Return the name that a missing step may have; None if no definition looks like the step.

    A name that only shares a word counts if its definition can be called as the step is.
    """
    others = {*names} - {*submitted.stubs}
    if misspelt := nearest(step, others):
        return misspelt
    released = StudentCode([("", submitted.stubs.get(step, ""))]).definition(step)
    fitting = [name for name in sorted(others) if _fits(submitted.code.definition(name), released)]
    shared = {name: len({*words(name)} & {*words(step)}) for name in fitting}
    return max((name for name in fitting if shared[name]), key=shared.__getitem__, default=None)


def _fits(own: Definition | None, released: Definition | None) -> bool:
    """Return whether a definition can take the arguments of the released one. What cannot be read may fit."""
    if own is None or released is None:
        return True
    if isinstance(own.node, ast.ClassDef) or isinstance(released.node, ast.ClassDef):
        return type(own.node) is type(released.node)
    (least, most), (fewest, all_of_them) = map(_counts, (own.node, released.node))
    return least <= all_of_them and most >= fewest


def _counts(function: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[int, float]:
    """Return how many arguments a function needs, and how many it can take."""
    given = function.args
    defaults = len(given.defaults) + sum(value is not None for value in given.kw_defaults)
    names = arguments_of(function)
    return len(names) - defaults, math.inf if given.vararg else len(names)
