"""Describe the properties of a wrong answer that shows no known mistake.

A cause that the numbers do not prove is introduced by "perhaps".
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.compare import agrees, alike
from autograder.explain.number_properties import is_close, value_words
from autograder.explain.surplus import MOST_PARTS, right_key, right_words
from autograder.values.numbers import as_array
from autograder.values.values import Array, ListValue

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import numpy.typing as npt

    from autograder.explain.surplus import WrongPart
    from autograder.values.values import Value

    Numbers = npt.NDArray[Any]


_KIND_WORDS = {"tensor": "tensor", "ndarray": "NumPy array"}


@dataclass(frozen=True)
class Evidence:
    """Observations of a step whose answer is wrong.

    Attributes:
        seen: the student's answer.
        wanted: the right answer. It is described, never shown.
        others: the answers to other drawn cases.
        right_on_documents: whether the documents' own inputs give right answers; None if unknown.
        documents: the right answers for the documents' inputs.
        changed: the inputs that the call changed in place.
        unused: the inputs on which the answer does not depend, though the right one does; None if unknown.
        with_zeros: the answer if memory that was never written is zero; None if it was not asked.
        further: the answers to the criterion's other questions, each with the right one, if this answer holds more
            than was asked for.
        returns: names for the parts of the answer.
        wrong_part: the part of such an answer that was meant, if that shows a known mistake.
    """

    seen: Value
    wanted: Value
    others: tuple[Value, ...] = ()
    right_on_documents: bool | None = None
    documents: tuple[Value, ...] = ()
    changed: tuple[str, ...] = ()
    unused: tuple[tuple[str, ...], ...] | None = None
    with_zeros: Value = None
    further: tuple[tuple[Value, Value], ...] = ()
    returns: tuple[str, ...] = ()
    wrong_part: WrongPart | None = None


def property_of(evidence: Evidence, inputs: Mapping[str, Value]) -> str:
    """Return the most specific property of a wrong answer to these inputs; empty if there is none."""
    seen, wanted = evidence.seen, evidence.wanted
    return (
        _of_the_whole(seen, wanted, evidence, inputs)
        or _of_another_kind(seen, wanted)
        or _part_of_what_came(evidence)
        or _of_the_numbers(seen, wanted, inputs)
        or same_parts(evidence)
        or _only_documented(evidence)
    )


def _of_the_whole(
    seen: Value, wanted: Value, evidence: Evidence, inputs: Mapping[str, Value]
) -> str:
    if any(agrees(right, seen) for right in evidence.documents):
        return (
            "These are the numbers that the documents print. The inputs are different here, so the answer must be "
            "computed from the arguments."
        )
    if _has_numbers(seen) and any(alike(other, seen) for other in evidence.others):
        return "The same numbers came back for other inputs: the answer does not depend on the arguments."
    if evidence.changed:
        kind = _kind_of(inputs.get(evidence.changed[0]))
        return f"Your code changes its input in place: after the call, the caller's {kind} holds other numbers."
    if _two_calls_differ(seen, wanted):
        return (
            "Two calls with the same input gave different results. Perhaps something random is drawn at each call, "
            "or the first call changes the input or the weights."
        )
    return ""


def _kind_of(value: Value) -> str:
    """Return the word for an input: array, tensor or, for anything else, input."""
    if not isinstance(value, Array) or value.kind == "any":
        return "input"
    return "array" if value.kind == "ndarray" else "tensor"


def _only_documented(evidence: Evidence) -> str:
    if not evidence.right_on_documents:
        return ""
    return (
        "With the documents' own inputs your answer is right, so something in the code fits only these. Perhaps a size "
        "or a number is written into the code that should come from the arguments."
    )


def _two_calls_differ(seen: Value, wanted: Value) -> bool:
    """Return whether two calls that should give the same answer gave different ones."""
    if not isinstance(seen, ListValue) or not isinstance(wanted, ListValue):
        return False
    if len(seen.items) != 2 or len(wanted.items) != 2:  # noqa: PLR2004
        return False
    return agrees(*wanted.items) and not alike(*seen.items)


def _of_another_kind(seen: Value, wanted: Value) -> str:
    """Return a sentence about an array, tensor or list that came back in place of another kind; else empty."""
    if not isinstance(wanted, Array) or wanted.kind not in _KIND_WORDS or not wanted.data.ndim:
        return ""
    asked = _KIND_WORDS[wanted.kind]
    if isinstance(seen, Array):
        if seen.kind == wanted.kind or seen.kind not in _KIND_WORDS or not seen.data.ndim:
            return ""
        same = seen.data.shape == wanted.data.shape and np.allclose(
            seen.data, wanted.data, atol=1e-4
        )
        right = " The numbers in it are right." if same else ""
        return f"This step gives back a {asked}, and yours is a {_KIND_WORDS[seen.kind]}.{right}"
    rows = [as_array(item) for item in seen.items] if isinstance(seen, ListValue) else []
    if len(rows) != len(wanted.data) or any(
        row is None or row.shape != wanted.data.shape[1:] for row in rows
    ):
        return ""
    of_tensors = "torch.tensor" if wanted.data.ndim == 1 else "torch.stack"
    join = "np.array" if wanted.kind == "ndarray" else of_tensors
    return f"This step gives back a {asked}, and yours is a list of its rows: `{join}` makes one of them."


def _part_of_what_came(evidence: Evidence) -> str:
    """Say so if the right answer is one part of a larger answer."""
    seen, wanted = evidence.seen, evidence.wanted
    if isinstance(wanted, ListValue) and isinstance(seen, ListValue):
        more = 1 < len(wanted.items) < len(seen.items) <= MOST_PARTS
        if more and all(any(agrees(part, item) for item in seen.items) for part in wanted.items):
            return "What was asked for is among what came back, but more came back, or in another order."
    key = right_key(((seen, wanted), *evidence.further))
    return "" if key is None else right_words(key)


def same_parts(evidence: Evidence) -> str:
    """Say so if two named parts of the answer are equal and should not be."""
    seen, wanted, names = evidence.seen, evidence.wanted, evidence.returns
    if not isinstance(seen, ListValue) or not isinstance(wanted, ListValue):
        return ""
    if not len(seen.items) == len(wanted.items) == len(names):
        return ""
    for one, other in itertools.combinations(range(len(names)), 2):
        if not _has_numbers(seen.items[one]) or agrees(wanted.items[one], wanted.items[other]):
            continue
        if alike(seen.items[one], seen.items[other]):
            return (
                f"The same numbers came back where they must differ: {names[one]}; {names[other]}."
            )
    return ""


def _of_the_numbers(seen: Value, wanted: Value, inputs: Mapping[str, Value]) -> str:
    """Describe the first wrong part."""
    for given, right in _parts(seen, wanted):
        if given.dtype.kind != "f" or right.dtype.kind != "f":
            continue
        if given.shape == right.shape and np.allclose(given, right, atol=1e-4):
            continue
        with np.errstate(all="ignore"):
            return _first_that_holds(given.astype(np.float64), right.astype(np.float64), inputs)
    return ""


def _parts(seen: Value, wanted: Value) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield the pairs of arrays of both values."""
    given, right = as_array(seen), as_array(wanted)
    if given is not None and right is not None:
        yield given, right
    if isinstance(seen, ListValue) and isinstance(wanted, ListValue):
        for pair in zip(seen.items, wanted.items, strict=False):
            yield from _parts(*pair)


def _first_that_holds(seen: Numbers, wanted: Numbers, inputs: Mapping[str, Value]) -> str:
    for name, value in inputs.items():
        given = as_array(value)
        if given is not None and is_close(given, seen):
            return f"It is `{name}` unchanged."
    if is_close(seen.T, wanted):
        return "It is the transpose of the right answer: rows and columns are swapped."
    if not (np.isfinite(seen).all() and np.isfinite(wanted).all()):
        return ""
    return _shape_words(seen, wanted) or _picked(seen, wanted, inputs) or value_words(seen, wanted)


def _picked(seen: Numbers, wanted: Numbers, inputs: Mapping[str, Value]) -> str:
    """Say so if rows of an input came back that should not, and not the same row each time."""
    if seen.ndim != 2 or seen.shape != wanted.shape:  # noqa: PLR2004 - rows and columns
        return ""
    if all(is_close(row, seen[0]) for row in seen[1:]):
        return ""
    for name, value in inputs.items():
        given = as_array(value)
        if given is not None and _are_rows_of(given, seen) and not _are_rows_of(given, wanted):
            return f"Each row is an unchanged row of `{name}`."
    return ""


def _are_rows_of(given: Numbers, rows: Numbers) -> bool:
    return given.ndim == rows.ndim and all(
        any(is_close(row, given_row) for given_row in given) for row in rows
    )


def _shape_words(seen: Numbers, wanted: Numbers) -> str:
    """Describe a wrong shape if the numbers show its cause."""
    if seen.shape == wanted.shape:
        return ""
    if seen.size == wanted.size and is_close(seen.ravel(), wanted.ravel()):
        return "The numbers are right; only their shape is not."
    if wanted.ndim != 2 or seen.ndim != 1:  # noqa: PLR2004 - rows and columns
        return ""
    if seen.shape[0] == wanted.shape[1]:
        for row, right in enumerate(wanted):
            if is_close(seen, right):
                return f"This is the answer for token {row + 1} only; one row for each token was expected."
    if seen.shape[0] == min(wanted.shape) and is_close(seen, np.diagonal(wanted)):
        return "This is the diagonal of the right answer: row i was combined with row i only."
    return ""


def _has_numbers(value: Value) -> bool:
    """Return whether the value contains float or complex arrays: other inputs would change their numbers."""
    array = as_array(value)
    if array is not None:
        return array.size > 0 and array.dtype.kind in "fc"
    return isinstance(value, ListValue) and any(map(_has_numbers, value.items))
