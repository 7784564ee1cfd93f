"""Describe the properties of a wrong answer that shows no known mistake.

A cause that the numbers do not prove is introduced by "perhaps".
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.compare import agrees, alike
from autograder.explain.number_properties import NUMBERS, Pair, is_close
from autograder.explain.rules import Finding, Rules, finding
from autograder.explain.surplus import MOST_PARTS, part_words, right_key
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


@dataclass(frozen=True)
class Answer:
    """A wrong answer to these inputs, with what was observed of its step."""

    evidence: Evidence
    inputs: Mapping[str, Value]

    @property
    def seen(self) -> Value:
        return self.evidence.seen

    @property
    def wanted(self) -> Value:
        return self.evidence.wanted


ANSWERS = Rules[Answer]()


def property_of(evidence: Evidence, inputs: Mapping[str, Value]) -> Finding | None:
    """Return the most specific property of a wrong answer to these inputs; None if there is none."""
    return ANSWERS.first(Answer(evidence, inputs))


def _any(_answer: Answer) -> dict[str, str]:
    return {}


def _two_lists(answer: Answer) -> dict[str, str] | None:
    both = isinstance(answer.seen, ListValue) and isinstance(answer.wanted, ListValue)
    return {} if both else None


@ANSWERS.when(_any)
def documented_numbers(answer: Answer) -> Finding | None:
    documents = answer.evidence.documents
    are_printed = any(agrees(right, answer.seen) for right in documents)
    return finding("documented_numbers") if are_printed else None


@ANSWERS.when(_any)
def same_for_other_inputs(answer: Answer) -> Finding | None:
    same = any(alike(other, answer.seen) for other in answer.evidence.others)
    return finding("same_for_other_inputs") if same and _has_numbers(answer.seen) else None


@ANSWERS.when(_any)
def input_changed(answer: Answer) -> Finding | None:
    """Notice an input that was changed in place, and call it array, tensor or, for anything else, input."""
    if not answer.evidence.changed:
        return None
    value = answer.inputs.get(answer.evidence.changed[0])
    kind = value.kind if isinstance(value, Array) else "any"
    words = {"ndarray": "array", "any": "input"}
    return finding("input_changed", kind=words.get(kind, "tensor"))


@ANSWERS.when(_two_lists)
def two_calls_differ(answer: Answer) -> Finding | None:
    """Notice two calls that should give the same answer and gave different ones."""
    seen, wanted = answer.seen, answer.wanted
    assert isinstance(seen, ListValue)
    assert isinstance(wanted, ListValue)
    if len(seen.items) != 2 or len(wanted.items) != 2:  # noqa: PLR2004
        return None
    differ = agrees(*wanted.items) and not alike(*seen.items)
    return finding("two_calls_differ") if differ else None


@ANSWERS.when(_any)
def another_kind(answer: Answer) -> Finding | None:
    """Notice an array, a tensor or a list that came back in place of another kind."""
    seen, wanted = answer.seen, answer.wanted
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
def among_others(answer: Answer) -> Finding | None:
    """Notice parts that were asked for among several others."""
    seen, wanted = answer.seen, answer.wanted
    assert isinstance(seen, ListValue)
    assert isinstance(wanted, ListValue)
    more = 1 < len(wanted.items) < len(seen.items) <= MOST_PARTS
    there = more and all(any(agrees(part, item) for item in seen.items) for part in wanted.items)
    return finding("among_others") if there else None


@ANSWERS.when(_any)
def right_part(answer: Answer) -> Finding | None:
    """Notice that the right answer is one part of a larger answer."""
    key = right_key(((answer.seen, answer.wanted), *answer.evidence.further))
    return None if key is None else finding("right_part", part=part_words(key))


@ANSWERS.when(_any)
def numbers(answer: Answer) -> Finding | None:
    """Describe the first wrong part."""
    for given, right in _parts(answer.seen, answer.wanted):
        if given.dtype.kind != "f" or right.dtype.kind != "f":
            continue
        if given.shape == right.shape and np.allclose(given, right, atol=1e-4):
            continue
        with np.errstate(all="ignore"):
            pair = Pair(given.astype(np.float64), right.astype(np.float64), answer.inputs)
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
def same_parts(answer: Answer) -> Finding | None:
    """Notice two named parts of the answer that are equal and should not be."""
    seen, wanted, names = answer.seen, answer.wanted, answer.evidence.returns
    assert isinstance(seen, ListValue)
    assert isinstance(wanted, ListValue)
    if not len(seen.items) == len(wanted.items) == len(names):
        return None
    for one, other in itertools.combinations(range(len(names)), 2):
        if not _has_numbers(seen.items[one]) or agrees(wanted.items[one], wanted.items[other]):
            continue
        if alike(seen.items[one], seen.items[other]):
            return finding("same_parts", one=names[one], other=names[other])
    return None


@ANSWERS.when(_any)
def only_documented(answer: Answer) -> Finding | None:
    return finding("only_documented") if answer.evidence.right_on_documents else None


def _has_numbers(value: Value) -> bool:
    """Return whether the value contains float or complex arrays: other inputs would change their numbers."""
    array = as_array(value)
    if array is not None:
        return array.size > 0 and array.dtype.kind in "fc"
    return isinstance(value, ListValue) and any(map(_has_numbers, value.items))
