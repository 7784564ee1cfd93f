"""Check the values that an author's functions return: inputs are plain data, answers can be compared."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from autograder.assignment.authored import Definitions, authors_code
from autograder.assignment.cases import DocumentedCase
from autograder.assignment.checks import probe_name
from autograder.compare import Right
from autograder.errors import AssignmentError
from autograder.values.numbers import arrays_in
from autograder.values.values import Array, DictValue, ListValue, Other, Value, freeze

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType
    from typing import NoReturn

    from autograder.assignment.cases import Draw
    from autograder.assignment.checks import Check, Probe
    from autograder.assignment.source import Source

_PLAIN_DATA = "tensors, arrays, numbers, texts, and lists, tuples and dicts of these"
_VALUES = (Array, ListValue, DictValue, bool, int, float, str, bytes)


def drawn_inputs(source: Source, check: Check, draw: Draw) -> dict[str, Value]:
    """Return the inputs that the author's function draws. Raises AssignmentError, with file and line."""
    function = source.cases.drawn[check.name]
    with authors_code(source.assignment.folder, f"while drawing for `{check.name}`"):
        inputs = function(draw)
    return _inputs(inputs, check, functools.partial(_refuse, source, function))


def documented_cases(source: Source, check: Check, reference: ModuleType) -> list[DocumentedCase]:
    """Return the author's documented cases of a step, with plain inputs.

    Raises AssignmentError, with file and line.
    """
    function = source.cases.documented[check.name]
    refuse = functools.partial(_refuse, source, function)
    with authors_code(
        source.assignment.folder, f"while making the documented cases of `{check.name}`"
    ):
        cases = list(function(reference, source.numbers))
    if not cases:
        refuse(f"there is no documented case of `{check.name}`.")
    for case in cases:
        if not isinstance(case, DocumentedCase):
            refuse(
                f"`{check.name}` gets {type(case).__name__}; yield DocumentedCase(inputs, right=(...,))."
            )
        _refuse_no_right(source, case, refuse)
    return [
        DocumentedCase(_inputs(case.inputs, check, refuse), tuple(case.right)) for case in cases
    ]


def refuse_unusable_answer(folder: Path, probe: Probe, answer: Value) -> None:
    """Raise AssignmentError if the reference's answer cannot be a right answer: None, an object, or nan."""
    problem = ""
    if answer is None:
        problem = "returns None. Is a `return` missing?"
    elif other := _other_in(answer):
        problem = f"returns {other}; a probe returns {_PLAIN_DATA}."
    elif any(part.dtype.kind in "fc" and np.isnan(part).any() for part in arrays_in(answer)):
        problem = "returns nan for the reference, and nan is never right. Change the reference or the inputs."
    if problem:
        name = probe_name(probe)
        place = Definitions(folder / f"test_{folder.name}.py").place(name)
        raise AssignmentError(f"{place}: `{name}` {problem}")


def _inputs(inputs: object, check: Check, refuse: Callable[[str], NoReturn]) -> dict[str, Value]:
    if not isinstance(inputs, Mapping) or not all(isinstance(name, str) for name in inputs):
        refuse(
            f"the inputs of `{check.name}` are {type(inputs).__name__}; return a dict by name, such as "
            '{"x": draw.tensor(draw.tokens, draw.d_in)}.'
        )
    plain = {name: freeze(value) for name, value in inputs.items()}
    for name, value in plain.items():
        if other := _other_in(value):
            refuse(f"the input {name!r} is {other}; inputs are {_PLAIN_DATA}.")
    return plain


def _refuse_no_right(
    source: Source, case: DocumentedCase, refuse: Callable[[str], NoReturn]
) -> None:
    """Raise AssignmentError unless a documented case has right answers that can be compared."""
    right = case.right if isinstance(case.right, tuple | list) else ()
    if not right or not all(isinstance(answer, Right) for answer in right):
        refuse("right= must be a tuple of Right(...).")
    for answer in right:
        if not isinstance(answer.value, _VALUES) or _other_in(answer.value):
            refuse(
                f"Right holds {type(answer.value).__name__}. Write Right(printed(numbers), decimals=4)."
            )
        if answer.remark and answer.remark not in source.remarks:
            refuse(f"REMARKS in cases.py has no {answer.remark!r}.")


def _other_in(value: Value) -> str:
    """Return the name of a type that is no plain data; empty if there is none."""
    if isinstance(value, Other):
        return f"an object of type {value.type_name}"
    if isinstance(value, ListValue):
        return next(filter(None, map(_other_in, value.items)), "")
    if isinstance(value, DictValue):
        parts = (part for entry in value.items for part in entry)
        return next(filter(None, map(_other_in, parts)), "")
    return ""


def _refuse(source: Source, function: object, message: str) -> NoReturn:
    cases = Definitions(source.assignment.folder / "cases.py")
    raise AssignmentError(f"{cases.place(getattr(function, '__name__', ''))}: {message}")
