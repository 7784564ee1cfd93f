"""Describe inputs, answers and exceptions in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.assignment.checks import DOCUMENTED, VALUE, inputs_used
from autograder.compare import agrees
from autograder.reasons import Reason
from autograder.text import first_of, one_line
from autograder.values.numbers import as_array
from autograder.values.values import Array, DictValue, ListValue, Other, Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from autograder.assignment.checks import Check, Criterion
    from autograder.compare import Difference
    from autograder.results import Frame, StudentError

SHOWN_NAMES = 3
MOST_LISTED = 4
SHOWN_CHARACTERS = 100
MOST_OF_A_MESSAGE = 200
_CELL = ", cell "
_ARRAYS: dict[str, str] = {"parameter": "a Parameter", "ndarray": "a NumPy array"}


def error_words(error: StudentError) -> str:
    """Describe an exception in one line."""
    message = " ".join(error.message.split())
    if len(message) > MOST_OF_A_MESSAGE:
        message = message[:MOST_OF_A_MESSAGE] + "..."
    return f"{error.type}: {message}" if message else f"{error.type}."


def capital(text: str) -> str:
    """Return a text that begins with a capital."""
    return text[:1].upper() + text[1:]


def a(name: str) -> str:
    """Return a name with its article."""
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def listed(words: Iterable[str]) -> str:
    """Return `a, b and c`; of many words the first ones, and how many more there are."""
    shown = list(words)
    if len(shown) > MOST_LISTED:
        return first_of(shown, MOST_LISTED - 1)
    return " and ".join(filter(None, (", ".join(shown[:-1]), *shown[-1:])))


def line_words(label: str, line: int) -> str:
    """Return where a line stands: `line 44`, or `line 3 of cell project` in a notebook."""
    cell = label.partition(_CELL)[2] or label * label.startswith("cell ")
    return f"line {line} of cell {cell.removeprefix('cell ')}" if cell else f"line {line}"


def place(frame: Frame) -> str:
    """Return where a line stands, as `line_words` does."""
    return line_words(frame.file, frame.line)


def places(frames: Iterable[Frame]) -> str:
    """Return where lines stand: `lines 3, 7 and 9`, or `line 3 of cell a and line 7 of cell b`."""
    words = list(dict.fromkeys(map(place, frames)))
    numbers = [word.removeprefix("line ") for word in words]
    if len(words) > 1 and all(map(str.isdecimal, numbers)):
        return f"lines {listed(numbers)}"
    return listed(words)


def called_with(criterion: Criterion, inputs: Mapping[str, Value]) -> tuple[tuple[str, str], ...]:
    """Return the inputs that the criterion's probes use, each with its shape or value.

    If there is a fallback, it explains the wrong answers; these are its inputs.
    """
    probes = (criterion.fallback,) if criterion.fallback else criterion.probes
    looked_at = set().union(*(inputs_used(probe, inputs) for probe in probes))
    shown = {name: value for name, value in inputs.items() if name in looked_at} or inputs
    return tuple((name, _short(value)) for name, value in shown.items())


def _short(value: Value) -> str:
    if isinstance(value, Array):
        return str(value.data.shape)
    if isinstance(value, DictValue):
        names = ", ".join(str(key) for key, _ in value.items)
        return f"({names})" if len(value.items) <= SHOWN_NAMES else f"({describe(value)})"
    return f"= {value!r}"


def sentence(text: str) -> str:
    return text if ": " in text[:30] else capital(text)


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
        case Array(kind=kind):
            return f"{_ARRAYS.get(kind, 'a tensor')} of shape {value.data.shape}, {value.dtype}"
        case ListValue(kind="raised"):
            return f"the exception {exception_of(value)}"
        case ListValue():
            return f"a {value.kind} of {len(value.items)}"
        case DictValue():
            count = len(value.items)
            return f"a dict with {count} {'entry' if count == 1 else 'entries'}"
        case Other():
            return a(one_line(value.type_name, SHOWN_CHARACTERS))
        case str():
            return repr(value[:60])
        case bytes():
            return f"bytes {value[:60]!r}"
    return f"{type(value).__name__} {value!r}"


def exception_of(value: Value) -> str:
    """Return the name of the exception that a value says was raised."""
    names = value.items if isinstance(value, ListValue) else ()
    return one_line(next((name for name in names if isinstance(name, str)), ""), SHOWN_CHARACTERS)


def fault(check: Check, difference: Difference, axes: Sequence[str] = ()) -> str:
    """Say how an answer differs from the right one, whose axes stand for these."""
    seen, wanted = difference.seen, difference.wanted
    match difference.fault:
        case "type":
            return _type_fault(seen, wanted, whole=not difference.path)
        case "count":
            assert isinstance(wanted, ListValue)
            parts = (
                f" ({', '.join(check.returns)})" if check.returns and not difference.path else ""
            )
            words = f"{describe(seen)} came back; {len(wanted.items)} parts{parts} were expected"
            return words + _missing(check, seen, wanted) * (not difference.path) + "."
        case "keys":
            assert isinstance(seen, DictValue)
            keys = ", ".join(
                repr(key) if isinstance(key, int | float) else describe(key)
                for key, _ in seen.items[:8]
            )
            keys += " and more" * bool(seen.items[8:])
            return f"these are not the expected keys; yours are {keys or 'none'}."
        case "shape":
            return _shape_fault(seen, wanted, axes)
        case "dtype":
            known = isinstance(wanted, Array) and wanted.kind != "any"
            dtype = getattr(wanted, "dtype", "") if known else "float32"
            return f"{describe(seen)} came back; a dtype like {dtype} was expected."
        case "frozen":
            assert isinstance(seen, Array)
            return f"requires_grad is {seen.requires_grad}; expected {not seen.requires_grad}."
        case "not_finite":
            return f"{describe(seen)} came back, with nan or inf in it."
        case "no_exception":
            return f"{describe(seen)} came back; {exception_of(wanted)} must be raised."
        case "equal":
            return "two of these matrices hold the same numbers; they must differ."
        case "values":
            return _values_fault(difference)


def _shape_fault(seen: Value, wanted: Value, axes: Sequence[str]) -> str:
    shape, right = (getattr(as_array(value), "shape", ()) for value in (seen, wanted))
    known = len(axes) == len(right) and 1 not in right
    sizes = [f"{size} {axis}" for size, axis in zip(right, axes, strict=True)] if known else []
    counted = f": {', '.join(sizes)}" if sizes else ""
    return f"the shape is {shape}; {right} was expected{counted}."


def _missing(check: Check, seen: Value, wanted: ListValue) -> str:
    """Say which parts are missing, if all that came back are right."""
    given = seen.items if isinstance(seen, ListValue) else ()
    names = check.returns or [f"number {at}" for at, _ in enumerate(wanted.items, start=1)]
    left = [
        name
        for name, part in zip(names, wanted.items, strict=False)
        if not any(agrees(part, one) for one in given)
    ]
    return f"; missing: {listed(left)}" if len(left) + len(given) == len(wanted.items) else ""


def _values_fault(difference: Difference) -> str:
    """Say how many entries are wrong, or which of yes and no came back."""
    seen, wanted = difference.seen, difference.wanted
    if isinstance(seen, bool) and isinstance(wanted, bool):
        return f"{seen} came back; {wanted} was expected."
    numbers = as_array(seen)
    kind = "entry" if numbers is not None and numbers.dtype.kind == "b" else "number"
    if difference.all_places <= 1:
        return "this is not right." if numbers is None else f"the {kind} is not right."
    kinds = "entries" if kind == "entry" else "numbers"
    return f"{difference.wrong_places} of {difference.all_places} {kinds} are not right."


def one_for_several(check: Check, seen: Value, wanted: Value) -> str:
    """Describe one tensor that came back where several parts were asked for; empty for anything else.

    A stack of all parts, which unpacks into them, is no such tensor.
    """
    if not isinstance(seen, Array) or not isinstance(wanted, ListValue):
        return ""
    arrays = [array for part in wanted.items if (array := as_array(part)) is not None]
    if len(arrays) < len(wanted.items) or seen.data.shape in {
        (len(arrays), *array.shape) for array in arrays
    }:
        return ""
    parts = f": {', '.join(check.returns)}" if check.returns else ""
    kind = "array" if seen.kind == "ndarray" else "tensor"
    pairs = zip(check.returns, wanted.items, strict=False)
    alone = next((f" It is the {name} alone." for name, part in pairs if agrees(part, seen)), "")
    shape = seen.data.shape
    return (
        f"one {kind} of shape {shape} came back; {len(arrays)} parts were expected{parts}.{alone}"
    )


def _type_fault(seen: Value, wanted: Value, *, whole: bool) -> str:
    held = _census_words(seen)
    if held and isinstance(wanted, Array) and not whole:
        return f"{held}."
    if wanted is None:
        return f"{describe(seen)} is there, and nothing was expected."
    return f"{describe(seen)} came back; {describe(wanted)} was expected."


def _census_words(found: Value) -> str:
    """Describe what a census found in place of a parameter; empty for anything else."""
    match found:
        case Reason.NOT_REGISTERED:
            return "not registered as a parameter"
        case Reason.NOT_TRAINABLE:
            return "not trainable (requires_grad=False)"
        case ListValue(items=(Reason.SAME_MATRIX, str(twin))):
            return f"the same matrix as {one_line(twin, SHOWN_CHARACTERS)}"
    return ""
