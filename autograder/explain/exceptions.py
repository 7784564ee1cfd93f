"""Explain exceptions to beginners, from knowledge of Python and torch and from what the student wrote.

An exception alone is weak evidence. An explanation is sure only if the student's source shows the cause.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from autograder.explain.call_errors import read_call
from autograder.explain.class_slips import forward_misplaced
from autograder.explain.exception_patterns import match_message
from autograder.explain.exception_table import KNOWN_ERRORS
from autograder.explain.explanation import Reading
from autograder.explain.flow_slips import trailing_comma
from autograder.explain.index_errors import read_index
from autograder.explain.name_errors import read_name
from autograder.explain.name_slips import hidden_name
from autograder.explain.place import Place, place_of
from autograder.explain.slips import (
    foreign_names,
    none_from_a_helper,
    number_with_comma,
    self_left_out,
    variable_for_an_argument,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from autograder.explain.known_error import KnownError
    from autograder.explain.student_code import StudentCode
    from autograder.results import StudentError

# Exceptions of values that do not fit. What a name or a call is missing has explanations of its own.
_OF_VALUES = ("RuntimeError", "ValueError", "TypeError", "IndexError", "KeyError", "AttributeError")


def read_error(
    error: StudentError,
    names: Iterable[str],
    code: StudentCode | None = None,
    steps: Mapping[str, str] | None = None,
    given: tuple[str, ...] = (),
) -> Reading | None:
    """Explain an exception; return None if its message is clear.

    Args:
        names: what the file defines.
        code: the submission's source.
        steps: the released stubs, by name.
        given: the attributes of the objects that the step was called with.
    """
    place = place_of(error, code, given)
    return (
        hidden_name(error, place)
        or _of_the_source(error, place)
        or read_name(error, place, names)
        or read_call(error, place, dict(steps or {}))
        or _without_forward(error, place)
        or read_index(error, place)
        or _of_the_table(error, place)
        or _own_assert(error, place)
    )


def _of_the_source(error: StudentError, place: Place) -> Reading | None:
    """Return a slip that the source shows and that explains an exception of values."""
    if error.type not in _OF_VALUES or place.definition is None or place.function is None:
        return None
    if found := number_with_comma(place.definition):
        return found
    if match_message("none", error.message) or match_message("no_array", error.message):
        return none_from_a_helper(place.function, place.nodes or [], place.code)
    if "tuple" in error.message and (found := trailing_comma(place.definition)):
        return found
    if error.type == "AttributeError":
        return None
    found = variable_for_an_argument(place.definition, place.code)
    if isinstance(place.definition.node, ast.ClassDef):
        found = found or self_left_out(place.definition, place.code)
    return found or _variable_in_the_statement(error, place)


def _variable_in_the_statement(error: StudentError, place: Place) -> Reading | None:
    """Notice a variable of the file in the statement that failed, unless the exception is about axes."""
    if match_message("axes", error.message):
        return None
    assert place.function is not None
    foreign = [name for name in foreign_names(place.function, place.code) if name in place.read]
    if not foreign:
        return None
    line = place.code.variables[foreign[0]][1]
    says = (
        f"This line uses `{foreign[0]}`, a variable of your file (line {line}), beside what the step was given. Their "
        "sizes need not fit."
    )
    look = f"Where `{foreign[0]}` stands: does an argument of `{place.function.name}` belong there?"
    return Reading("variable_for_an_argument", says, look, sure=False)


def _own_assert(error: StudentError, place: Place) -> Reading | None:
    if error.type != "AssertionError" or not any(
        isinstance(node, ast.Assert) for node in place.nodes or ()
    ):
        return None
    says = "This line is an `assert` of your own, and it does not hold for these inputs."
    look = "What the `assert` demands: does it hold for inputs of other sizes, too?"
    return Reading("assert_fails", says, look, sure=True)


def _without_forward(error: StudentError, place: Place) -> Reading | None:
    found = match_message("no_forward", error.message)
    definition = place.code.definition(found[1]) if found else None
    return forward_misplaced(definition, place.code) if definition else None


def _of_the_table(error: StudentError, place: Place) -> Reading | None:
    nodes = place.nodes
    for known in KNOWN_ERRORS:
        found = re.search(known.message, error.message)
        if found is None:
            continue
        if known.line is not None and nodes is not None and not _shows(known, nodes, place):
            continue
        groups = [group or "" for group in found.groups()]
        sure = known.line is not None and nodes is not None
        says = known.says.format(*groups)
        # A line that is part of a longer statement cannot be parsed, so it proves nothing.
        says = says if sure or known.line is None else f"Perhaps: {says}"
        return Reading(known.name, says, known.look.format(*groups), sure)
    return None


def _shows(known: KnownError, nodes: list[ast.AST], place: Place) -> bool:
    """Return whether the failing statement, or where its variables were assigned, shows the cause."""
    assert known.line is not None
    return known.line(nodes) or (known.assigned and known.line(nodes + place.assigned))
