"""Check the values that an author's functions return: inputs are plain data, answers can be compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from autograder.assignment.authored import Problem, authors_code, refuse
from autograder.assignment.cases import DocumentedCase
from autograder.assignment.checks import probe_name
from autograder.compare import Right
from autograder.values.kinds import is_raised
from autograder.values.numbers import arrays_in
from autograder.values.values import Array, DictValue, ListValue, Other, Value, freeze, parts_in

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from autograder.assignment.cases import Draw, DrawFunction
    from autograder.assignment.checks import Check, Probe
    from autograder.assignment.source import Source

_PLAIN_DATA = "tensors, arrays, numbers, texts, and lists, tuples and dicts of these"
_CASE = "yield DocumentedCase(inputs, right=(Right(printed(numbers), decimals=4),)), its remarks from REMARKS"
_VALUES = (Array, ListValue, DictValue, bool, int, float, str, bytes)


def drawn_inputs(
    source: Source, check: Check, function: DrawFunction, draw: Draw
) -> dict[str, Value]:
    """Return the inputs that the author's function draws. Raises AssignmentError, with file and line."""
    with authors_code(source.assignment.folder, f"while drawing for `{check.name}`"):
        inputs = function(draw)
    return _plain(source, function, check, inputs)


def documented_cases(source: Source, check: Check, reference: ModuleType) -> list[DocumentedCase]:
    """Return the author's documented cases of a step, with plain inputs.

    Raises AssignmentError, with file and line.
    """
    function = source.cases.documented[check.name]
    with authors_code(
        source.assignment.folder, f"while making the documented cases of `{check.name}`"
    ):
        cases = list(function(reference, source.numbers) or ())
    if not cases or not all(_is_case(source, case) for case in cases):
        words = f"wanted documented cases of `{check.name}`: {_CASE}."
        refuse(source.assignment.folder, [_problem(function, words)])
    return [
        DocumentedCase(_plain(source, function, check, case.inputs), tuple(case.right))
        for case in cases
    ]


def refuse_unusable_answer(folder: Path, probe: Probe, answer: Value, raises: str = "") -> None:
    """Raise AssignmentError if the reference's answer cannot be a right answer: None, an object, or nan.

    Args:
        raises: the name of the exception that the criterion asks for; empty if it asks for none.
    """
    problem = ""
    if bool(raises) != is_raised(answer):
        problem = f"returns for the reference, and its criterion says raises={raises}. Change one of them."
    elif answer is None:
        problem = "returns None. Is a `return` missing?"
    elif other := _other_in(answer):
        problem = f"returns {other}; a probe returns {_PLAIN_DATA}."
    elif any(part.dtype.kind in "fc" and np.isnan(part).any() for part in arrays_in(answer)):
        problem = "returns nan for the reference, and nan is never right. Change the reference or the inputs."
    if problem:
        name = probe_name(probe)
        refuse(folder, [Problem(f"test_{folder.name}.py", name, f"`{name}` {problem}")])


def refuse_other_parts(folder: Path, check: Check, answer: Value) -> None:
    """Raise AssignmentError if `returns=` or `axes=` of a check do not fit the reference's answer."""
    parts = answer.items if isinstance(answer, ListValue) else ()
    named: dict[Value, Value] = {"": answer, **dict(zip(check.returns, parts, strict=False))}
    named |= dict(answer.items) if isinstance(answer, DictValue) else {}
    problems = []
    if check.returns and len(parts) != len(check.returns):
        many = f"{len(parts)} parts" if parts else "one part"
        problems.append(f"returns= names {len(check.returns)} parts; the probe returns {many}.")
    for name, axes in check.axes.items():
        value = named.get(name)
        seen = f"numbers of shape {value.data.shape}" if isinstance(value, Array) else "no array"
        if not isinstance(value, Array) or value.data.ndim != len(axes):
            which = f" of {name!r}" if name else ""
            problems.append(
                f"axes= names {len(axes)} dimensions{which}; the probe returns {seen}. Name each dimension."
            )
    test = f"test_{check.name}"
    refuse(folder, [Problem(f"test_{folder.name}.py", test, words) for words in problems])


def _problem(function: object, words: str) -> Problem:
    """Return a problem in what a function of `cases.py` returned."""
    return Problem("cases.py", getattr(function, "__name__", ""), words)


def _plain(source: Source, function: object, check: Check, inputs: object) -> dict[str, Value]:
    if not isinstance(inputs, Mapping):
        words = (
            f"the inputs of `{check.name}` are {type(inputs).__name__}; return a dict by name, such as "
            '{"x": draw.tensor(draw.tokens, draw.d_in)}.'
        )
        refuse(source.assignment.folder, [_problem(function, words)])
    assert isinstance(inputs, Mapping)
    return {name: freeze(value) for name, value in inputs.items()}


def _is_case(source: Source, case: object) -> bool:
    """Return whether the right answers of a documented case can be compared."""
    return isinstance(case, DocumentedCase) and all(
        isinstance(answer, Right)
        and isinstance(answer.value, _VALUES)
        and not _other_in(answer.value)
        and (not answer.remark or answer.remark in source.remarks)
        for answer in (case.right if isinstance(case.right, tuple) and case.right else (None,))
    )


def _other_in(value: Value) -> str:
    """Return the name of a type that is no plain data; empty if there is none."""
    names = (part.type_name for part in parts_in(value) if isinstance(part, Other))
    return next((f"an object of type {name}" for name in names), "")
