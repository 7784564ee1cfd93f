"""Describe the properties of a wrong answer that shows no known mistake.

A cause that the numbers do not prove is introduced by "perhaps".
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.compare import agrees, alike
from autograder.explain.evidence import MOST_PARTS, Evidence, part_words, right_key
from autograder.explain.number_properties import NUMBERS, Pair, is_close
from autograder.explain.rules import Finding, Rules, finding
from autograder.explain.wording import capital
from autograder.values.numbers import as_array
from autograder.values.values import Array, ListValue

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from autograder.values.values import Value

    Numbers = npt.NDArray[Any]
    Items = tuple[Value, ...]

_KIND_WORDS = {"tensor": "tensor", "ndarray": "NumPy array"}


ANSWERS = Rules[Evidence]()


def property_of(evidence: Evidence) -> Finding | None:
    """Return the most specific property of a wrong answer; None if there is none."""
    return ANSWERS.first(evidence)


def _two_lists(evidence: Evidence) -> dict[str, Any] | None:
    """Hold where several parts came back and were asked for; the parts are arguments of the rule."""
    seen, wanted = evidence.seen, evidence.wanted
    if not isinstance(seen, ListValue) or not isinstance(wanted, ListValue):
        return None
    return {"seen": seen.items, "wanted": wanted.items}


@ANSWERS.when()
def documented_numbers(evidence: Evidence) -> Finding | None:
    documents = evidence.documents
    are_printed = any(agrees(right, evidence.seen) for right in documents)
    return finding("documented_numbers") if are_printed else None


@ANSWERS.when()
def same_for_other_inputs(evidence: Evidence) -> Finding | None:
    same = any(alike(other, evidence.seen) for other in evidence.others)
    return finding("same_for_other_inputs") if same and _has_numbers(evidence.seen) else None


@ANSWERS.when()
def input_changed(evidence: Evidence) -> Finding | None:
    """Notice an input that was changed in place, and call it array, tensor or, for anything else, input."""
    if not evidence.changed:
        return None
    value = evidence.inputs.get(evidence.changed[0])
    kind = value.kind if isinstance(value, Array) else "any"
    words = {"ndarray": "array", "any": "input"}
    return finding("input_changed", kind=words.get(kind, "tensor"))


@ANSWERS.when(_two_lists)
def two_calls_differ(_evidence: Evidence, seen: Items, wanted: Items) -> Finding | None:
    """Notice two calls that should give the same answer and gave different ones."""
    if len(seen) != 2 or len(wanted) != 2:  # noqa: PLR2004
        return None
    return finding("two_calls_differ") if agrees(*wanted) and not alike(*seen) else None


@ANSWERS.when()
def another_kind(evidence: Evidence) -> Finding | None:
    """Notice an array, a tensor or a list that came back in place of another kind."""
    seen, wanted = evidence.seen, evidence.wanted
    if not isinstance(wanted, Array) or wanted.kind not in _KIND_WORDS or not wanted.data.ndim:
        return None
    asked = _KIND_WORDS[wanted.kind]
    if isinstance(seen, Array):
        if seen.kind == wanted.kind or seen.kind not in _KIND_WORDS or not seen.data.ndim:
            return None
        key = "another_kind" + ".right_numbers" * is_close(seen.data, wanted.data)
        return finding(key, asked=asked, kind=_KIND_WORDS[seen.kind])
    rows = [as_array(item) for item in seen.items] if isinstance(seen, ListValue) else []
    if len(rows) != len(wanted.data) or any(
        row is None or row.shape != wanted.data.shape[1:] for row in rows
    ):
        return None
    of_tensors = "torch.tensor" if wanted.data.ndim == 1 else "torch.stack"
    join = "np.array" if wanted.kind == "ndarray" else of_tensors
    return finding("another_kind.rows", asked=asked, join=join)


@ANSWERS.when(_two_lists)
def among_others(_evidence: Evidence, seen: Items, wanted: Items) -> Finding | None:
    """Notice parts that were asked for among several others."""
    more = 1 < len(wanted) < len(seen) <= MOST_PARTS
    there = more and all(any(agrees(part, item) for item in seen) for part in wanted)
    return finding("among_others") if there else None


@ANSWERS.when()
def right_part(evidence: Evidence) -> Finding | None:
    """Notice that the right answer is one part of a larger answer."""
    key = right_key(((evidence.seen, evidence.wanted), *evidence.further))
    if key is None:
        return None
    return finding("right_part", part=capital(part_words(key, "what came back")))


@ANSWERS.when()
def numbers(evidence: Evidence) -> Finding | None:
    """Describe the first wrong part."""
    for given, right in _parts(evidence.seen, evidence.wanted):
        if given.dtype.kind != "f" or right.dtype.kind != "f":
            continue
        if given.shape == right.shape and np.allclose(given, right, atol=1e-4):
            continue
        with np.errstate(all="ignore"):
            pair = Pair(given.astype(np.float64), right.astype(np.float64), evidence.inputs)
            return NUMBERS.first(pair)
    return None


def _parts(seen: Value, wanted: Value) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield the pairs of arrays of both values."""
    given, right = as_array(seen), as_array(wanted)
    if given is not None and right is not None:
        yield given, right
    if isinstance(seen, ListValue) and isinstance(wanted, ListValue):
        for pair in zip(seen.items, wanted.items, strict=False):
            yield from _parts(*pair)


@ANSWERS.when(_two_lists)
def same_parts(evidence: Evidence, seen: Items, wanted: Items) -> Finding | None:
    """Notice two named parts of the answer that are equal and should not be."""
    if not len(seen) == len(wanted) == len(evidence.returns):
        return None
    parts = zip(evidence.returns, seen, wanted, strict=True)
    for (one, mine, right), (other, its, others) in itertools.combinations(parts, 2):
        if _has_numbers(mine) and not agrees(right, others) and alike(mine, its):
            return finding("same_parts", one=one, other=other)
    return None


@ANSWERS.when()
def only_documented(evidence: Evidence) -> Finding | None:
    return finding("only_documented") if evidence.right_on_documents else None


def _has_numbers(value: Value) -> bool:
    """Return whether the value contains float or complex arrays: other inputs would change their numbers."""
    array = as_array(value)
    if array is not None:
        return array.size > 0 and array.dtype.kind in "fc"
    return isinstance(value, ListValue) and any(map(_has_numbers, value.items))
