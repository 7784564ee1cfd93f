"""Describe inputs, answers and exceptions in words."""

from __future__ import annotations

import math
from types import CodeType
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.assignment.checks import DOCUMENTED, VALUE
from autograder.explain.markdown import LONG_NUMBER
from autograder.reasons import Reason
from autograder.results import Numbers
from autograder.text import clean_text
from autograder.values.numbers import as_array
from autograder.values.values import Array, Mapping, Other, Sequence, Value

if TYPE_CHECKING:
    from collections.abc import Mapping as AbstractMapping

    import numpy.typing as npt

    from autograder.assignment.checks import Check, Criterion
    from autograder.compare import Difference
    from autograder.results import StudentError

SHOWN_ROWS = 2
SHOWN_COLUMNS = 6
SHOWN_NAMES = 3
SHOWN_DIGITS = 4
SHOWN_CHARACTERS = 100


def error_words(error: StudentError) -> str:
    """Describe an exception in one line."""
    message = " ".join(error.message.split())
    if len(message) > 300:  # noqa: PLR2004
        message = message[:300] + "..."
    return f"{error.type}: {message}" if message else f"{error.type}."


def called_with(
    criterion: Criterion, inputs: AbstractMapping[str, Value]
) -> tuple[tuple[str, str], ...]:
    """Return the inputs that the criterion's probes use, each with its shape or value."""
    looked_at = set().union(*(_names_in(probe.__code__) for probe in criterion.probes))
    shown = {name: value for name, value in inputs.items() if name in looked_at} or inputs
    return tuple((name, _short(value)) for name, value in shown.items())


def _names_in(code: CodeType) -> set[str]:
    inner = (_names_in(part) for part in code.co_consts if isinstance(part, CodeType))
    return set(code.co_names).union(*inner)


def _short(value: Value) -> str:
    if isinstance(value, Array):
        return str(value.data.shape)
    if isinstance(value, Mapping):
        names = ", ".join(str(key) for key, _ in value.items)
        return f"({names})" if len(value.items) <= SHOWN_NAMES else f"({describe(value)})"
    return f"= {value!r}"


def sentence(text: str) -> str:
    return text[:1].upper() + text[1:] if text[:1].islower() and ": " not in text[:30] else text


def part_of_answer(check: Check, criterion: str, path: tuple[int | str, ...]) -> str:
    """Name the part of the answer at `path`; empty for the whole answer."""
    words = [] if criterion in (VALUE, DOCUMENTED) or path[:1] == (criterion,) else [criterion]
    for number, part in enumerate(path):
        if number == 0 and isinstance(part, int) and part < len(check.returns):
            words.append(check.returns[part])
        else:
            words.append(f"number {part + 1}" if isinstance(part, int) else part)
    return ", ".join(words)


def describe(value: Value) -> str:
    """Describe the type, shape and size of a value."""
    match value:
        case None:
            return "None"
        case Array(kind="parameter"):
            return f"a Parameter of shape {value.data.shape}, {value.dtype}"
        case Array(kind="ndarray"):
            return f"a NumPy array of shape {value.data.shape}, {value.dtype}"
        case Array():
            return f"a tensor of shape {value.data.shape}, {value.dtype}"
        case Sequence():
            return f"a {value.kind} of {len(value.items)}"
        case Mapping():
            count = len(value.items)
            return f"a dict with {count} {'entry' if count == 1 else 'entries'}"
        case Other():
            name = clean_text(value.type_name, SHOWN_CHARACTERS)
            return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"
        case str():
            return repr(value[:60])
        case bytes():
            return f"bytes {value[:60]!r}"
    return f"{type(value).__name__} {value!r}"


def _brief(key: Value) -> str:
    return repr(key) if isinstance(key, int | float) else describe(key)


def fault(check: Check, difference: Difference) -> str:
    seen, wanted = difference.seen, difference.wanted
    match difference.fault:
        case "type":
            return _type_fault(seen, wanted, whole=not difference.path)
        case "count":
            assert isinstance(wanted, Sequence)
            parts = (
                f" ({', '.join(check.returns)})" if check.returns and not difference.path else ""
            )
            return f"{describe(seen)} came back; {len(wanted.items)} parts{parts} were expected."
        case "keys":
            assert isinstance(seen, Mapping)
            keys = ", ".join(_brief(key) for key, _ in seen.items[:8])
            return f"the keys are not the expected ones; yours are {keys or 'none'}."
        case "shape":
            return f"the shape is {_shape(seen)}; {_shape(wanted)} was expected."
        case "dtype":
            return f"{describe(seen)} came back; a dtype like {_dtype(wanted)} was expected."
        case "frozen":
            assert isinstance(seen, Array)
            return f"requires_grad is {seen.requires_grad}; expected {not seen.requires_grad}."
        case "not_finite":
            return f"{describe(seen)} came back, with nan or inf in it."
        case "equal":
            return "the same numbers stand there twice; they must differ."
    if difference.all_places <= 1:
        return "the number is not right." if as_array(seen) is not None else "this is not right."
    return f"{difference.wrong_places} of {difference.all_places} numbers are not right."


def _type_fault(seen: Value, wanted: Value, *, whole: bool) -> str:
    held = _census_words(seen)
    if held and isinstance(wanted, Array) and not whole:
        return f"{held}."
    if wanted is None:
        return f"{describe(seen)} is there, and nothing was expected."
    if seen is None:
        hint = " Is there a `return`?" if whole else ""
        return f"None came back; {describe(wanted)} was expected.{hint}"
    return f"{describe(seen)} came back; {describe(wanted)} was expected."


def _census_words(found: Value) -> str:
    """Describe what a census found in place of a parameter; empty for anything else."""
    match found:
        case Reason.NOT_REGISTERED:
            return "not registered as a parameter"
        case Reason.NOT_TRAINABLE:
            return "not trainable (requires_grad=False)"
        case Sequence(items=(Reason.SAME_MATRIX, str(twin))):
            return f"the same matrix as {clean_text(twin, SHOWN_CHARACTERS)}"
    return ""


def _shape(value: Value) -> str:
    array = as_array(value)
    assert array is not None
    return str(array.shape)


def _dtype(value: Value) -> str:
    return value.dtype if isinstance(value, Array) and value.kind != "any" else "float32"


def first_numbers(value: Value) -> Numbers | None:
    """Return a few of the student's own numbers; None if there are none."""
    if not isinstance(value, Array) or value.data.size == 0:
        return None
    data = value.data
    rows = data.reshape(-1, data.shape[-1]) if data.ndim > 1 else data.reshape(1, -1)
    shown = rows[:SHOWN_ROWS, :SHOWN_COLUMNS]
    return Numbers(
        describe(value),
        tuple(tuple(map(_plain, row)) for row in shown),
        _decimals(shown),
        more_rows=len(rows) > SHOWN_ROWS,
        more_columns=rows.shape[1] > SHOWN_COLUMNS,
    )


def _decimals(shown: npt.NDArray[Any]) -> int:
    """Return how many decimals to show. Further digits of float32 numbers differ between processors."""
    sizes = np.abs(shown[np.isfinite(shown)].astype(np.float64)) if shown.dtype.kind == "f" else ()
    whole_digits = len(str(int(max((one for one in sizes if one < LONG_NUMBER), default=0))))
    return max(1, SHOWN_DIGITS - whole_digits)


def _plain(number: Any) -> float | str:
    """Return a number that JSON can hold, or its text."""
    plain = number.item()
    if isinstance(plain, float) and not math.isfinite(plain):
        return str(plain)
    return plain if isinstance(plain, int | float) else str(number)
