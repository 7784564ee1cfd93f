"""Find the definition of a missing step under another name."""

from __future__ import annotations

import ast
import math
from typing import TYPE_CHECKING

from autograder.explain.student_code import StudentCode
from autograder.explain.syntax import arguments_of
from autograder.near_names import nearest, words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from autograder.explain.student_code import Definition, Submitted


def under_another_name(step: str, names: Iterable[str], submitted: Submitted) -> str | None:
    """Return the name that a missing step may have; None if no definition looks like the step.

    A name that only shares a word counts if its definition can be called as the step is.
    """
    others = {*names} - {*submitted.stubs}
    if misspelt := nearest(step, others):
        return misspelt
    released = StudentCode([("", submitted.stubs.get(step, ""))]).definition(step)
    fitting = [name for name in sorted(others) if _fits(submitted.code.definition(name), released)]
    return next((name for name in fitting if {*words(name)} & {*words(step)}), None)


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
