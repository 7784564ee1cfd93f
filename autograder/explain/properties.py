"""The look of a wrong answer: its kind, its keys, its shape, and what all its numbers have in common."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.compare import agrees, alike
from autograder.explain.evidence import Evidence, part_words, right_key
from autograder.explain.raised import FUNCTION_TYPES
from autograder.explain.rules import Finding, Rules, finding
from autograder.explain.syntax import nodes, returned
from autograder.explain.wording import capital
from autograder.text import clean_text, one_line
from autograder.values.numbers import arrays_in, as_array, double, numbers_in
from autograder.values.values import Array, DictValue, ListValue, Other

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from autograder.values.values import Value

    Numbers = npt.NDArray[Any]

FACTOR_SPREAD = 1e-3
_ALMOST = 1e-2
_RIGHT = " The numbers in it are right."
_KINDS = {"tensor": "tensor", "ndarray": "NumPy array"}
# The library of each kind, and what makes one of the other kind.
_BACK = {"tensor": ("torch", "torch.from_numpy"), "ndarray": ("NumPy", ".numpy()")}
_SOURCE = re.compile(r'^ *Source: (".+")$', re.MULTILINE)

ANSWERS = Rules[Evidence]()


def property_of(evidence: Evidence) -> Finding | None:
    """Return the most specific property of a wrong answer; None if there is none."""
    return ANSWERS.first(evidence)


@ANSWERS.when()
def documented_numbers(evidence: Evidence) -> Finding | None:
    """Notice the printed numbers of a document, for other inputs."""
    if not any(agrees(right, evidence.seen) for right in evidence.documents):
        return None
    source = _SOURCE.search(evidence.released)
    return finding("documented_numbers", document=source[1] if source else "the document")


@ANSWERS.when()
def input_changed(evidence: Evidence) -> Finding | None:
    """Notice an input that was changed in place, and call it array, tensor or, for anything else, input."""
    if not evidence.changed:
        return None
    value = evidence.inputs.get(evidence.changed[0])
    kind = value.kind if isinstance(value, Array) else "any"
    words = {"ndarray": "array", "any": "input"}
    return finding("input_changed", kind=words.get(kind, "tensor"))


@ANSWERS.when()
def two_calls_differ(evidence: Evidence) -> Finding | None:
    """Notice two calls that should give the same answer and gave different ones."""
    match evidence.seen, evidence.wanted:
        case ListValue(items=(_, _) as seen), ListValue(items=(_, _) as wanted):
            differ = agrees(wanted[0], wanted[1]) and not alike(seen[0], seen[1])
            return finding("two_calls_differ") if differ else None
    return None


@ANSWERS.when()
def keys_differ(evidence: Evidence) -> Finding | None:
    """Notice other keys than were asked for, among them the values, and what came back without any keys."""
    wanted, seen = evidence.wanted, evidence.seen
    if not isinstance(wanted, DictValue):
        return None
    keys = [key for key, _ in wanted.items]
    named = all(isinstance(key, str) and f'"{key}"' in evidence.released for key in keys)
    shown = ", ".join(f"`{key!s}`" for key in keys if isinstance(key, str)) if named else ""
    if isinstance(seen, DictValue):
        given = {key for key, _ in seen.items if isinstance(key, str)}
        if given and given == {value for _, value in wanted.items if isinstance(value, str)}:
            return finding("keys_differ.turned")
        return finding("keys_differ", keys=shown) if named and given != {*keys} else None
    if isinstance(seen, ListValue | Array):
        facts = {"asked": "dict", "kind": seen.kind, "right": "", "keys": shown}
        return finding("another_kind" + ".dict" * named, **facts)
    return None


@ANSWERS.when()
def another_kind(evidence: Evidence) -> Finding | None:
    """Notice an array, a tensor, a list or a function that came back in place of another kind, whole or as a part."""
    pairs = [(evidence.seen, evidence.wanted)]
    if isinstance(evidence.seen, ListValue) and isinstance(evidence.wanted, ListValue):
        pairs = [*zip(evidence.seen.items, evidence.wanted.items, strict=False)]
    kinds = (_kind_instead(seen, right) for seen, right in pairs if isinstance(right, Array))
    return next(filter(None, kinds), None)


def _kind_instead(seen: Value, wanted: Array) -> Finding | None:
    if wanted.kind not in _KINDS or not wanted.data.ndim:
        return None
    asked = _KINDS[wanted.kind]
    match seen:
        case Array(kind=kind, data=data) if kind != wanted.kind and kind in _KINDS and data.ndim:
            facts = {"kind": _KINDS[kind], "right": _RIGHT * is_close(data, wanted.data)}
            library, back = _BACK[wanted.kind]
            return finding("another_kind.array", asked=asked, library=library, back=back, **facts)
        case Other(type_name=name) if name in FUNCTION_TYPES:
            return finding("another_kind.function")
        case Other(type_name=name):
            return finding("another_kind.object", asked=asked, kind=one_line(clean_text(name), 60))
        case ListValue(items=items) if len(items) == len(wanted.data):
            join = "torch.stack" if {*map(type, items)} == {Array} else "torch.tensor"
            join = "np.array" if wanted.kind == "ndarray" else join
            right = _RIGHT * is_close(numbers_in(seen), wanted.data.ravel())
            return finding("another_kind.list", asked=asked, join=join, right=right)
    return None


@ANSWERS.when()
def right_part(evidence: Evidence) -> Finding | None:
    """Notice that the right answer is one part of a larger answer."""
    key = right_key(evidence.seen, evidence.wanted)
    if key is None:
        return None
    return finding("right_part", part=capital(part_words(key, "what came back")))


@ANSWERS.when(lambda evidence: not isinstance(evidence.wanted, type(evidence.seen)))
def made_by(evidence: Evidence) -> Finding | None:
    """Quote the comma, the brackets or the `yield` that make another kind of an answer."""
    if (definition := evidence.definition) is None:
        return None
    match [*returned(definition.node), *nodes(definition.node, ast.Yield)]:
        case [ast.Tuple() | ast.GeneratorExp() | ast.Yield() as value]:
            key = f"made_by.{type(value).__name__}"
            return finding(key, written=definition.quote(value), line=value.lineno)
    return None


@ANSWERS.when()
def numbers(evidence: Evidence) -> Finding | None:
    """Describe the first wrong array."""
    if not isinstance(evidence.seen, type(evidence.wanted)):
        return None
    for given, right in zip(arrays_in(evidence.seen), arrays_in(evidence.wanted), strict=False):
        if given.dtype.kind == right.dtype.kind == "f" and not is_close(given, right):
            with np.errstate(all="ignore"):
                return NUMBERS.first(Pair(double(given), double(right), evidence.inputs))
    return None


# Wrong numbers.


@dataclass(frozen=True)
class Pair:
    """The first wrong array of an answer beside the right one."""

    seen: Numbers
    wanted: Numbers
    inputs: Mapping[str, Value]


NUMBERS = Rules[Pair]()


def _same_shape(pair: Pair) -> bool:
    """Hold for finite numbers of the right shape. One number alone shows nothing."""
    finite = np.isfinite(pair.seen).all() and np.isfinite(pair.wanted).all()
    return bool(pair.seen.shape == pair.wanted.shape and pair.seen.size > 1 and finite)


@NUMBERS.when()
def unchanged_input(pair: Pair) -> Finding | None:
    """Notice an input that came back."""
    for name, value in pair.inputs.items():
        given = as_array(value)
        if given is not None and is_close(given, pair.seen):
            return finding("unchanged_input", name=name)
    return None


@NUMBERS.when()
def numbers_in_another_order(pair: Pair) -> Finding | None:
    """Notice the right numbers as a transpose, or in another shape."""
    if is_close(pair.seen.T, pair.wanted):
        return finding("transposed")
    flat = is_close(pair.seen.ravel(), pair.wanted.ravel())
    return finding("another_shape") if flat and pair.seen.shape != pair.wanted.shape else None


@NUMBERS.when(_same_shape)
def almost(pair: Pair) -> Finding | None:
    """Notice numbers that are wrong by little."""
    off, scale = (float(np.abs(one).max()) for one in (pair.seen - pair.wanted, pair.wanted))
    return finding("almost", off=off) if off < _ALMOST * min(1.0, 5 * scale) else None


@NUMBERS.when(_same_shape)
def one_factor(pair: Pair) -> Finding | None:
    """Notice that every number is wrong by the same factor."""
    if not (np.abs(pair.wanted) > FACTOR_SPREAD).all():
        return None
    ratio = pair.seen / pair.wanted
    mean = float(ratio.mean())
    if np.ptp(ratio) > FACTOR_SPREAD * abs(mean):
        return None
    wrong_sign = abs(mean + 1) < FACTOR_SPREAD
    return finding("wrong_sign") if wrong_sign else finding("one_factor", factor=mean)


@NUMBERS.when(_same_shape)
def one_row_or_column(pair: Pair) -> Finding | None:
    """Notice that all wrong numbers stand in one row, or in one column."""
    places = np.argwhere(~np.isclose(pair.seen, pair.wanted, atol=1e-4))
    for kind, numbers in zip(("column", "row"), places.T[::-1], strict=False):
        if 0 < numbers.size < pair.seen.size and not np.ptp(numbers):
            return finding("one_line", kind=kind, number=numbers[0])
    return None


@NUMBERS.when(lambda pair: pair.seen.ndim > 1 and _same_shape(pair))
def sums(pair: Pair) -> Finding | None:
    """Describe the sums of rows and columns, if each row should sum to 1."""
    seen = pair.seen
    if not np.allclose(pair.wanted.sum(-1), 1, atol=1e-3):
        return None
    if np.allclose(seen.sum(-1), 1, atol=1e-3):
        return finding("negative_weights") if (seen < 0).any() else None
    if np.allclose(seen.sum(-2), 1, atol=1e-3):
        return finding("columns_sum_to_one")
    return finding("all_sums_to_one") if np.isclose(seen.sum(), 1, atol=1e-3) else None


def is_close(first: Numbers, second: Numbers) -> bool:
    """Return whether both have the same shape and are equal within the tolerance, which small numbers make smaller."""
    if first.shape != second.shape or first.size == 0:
        return False
    tolerance = 1e-4 * min(1.0, float(np.abs(second).max()))
    return bool(np.allclose(first, second, atol=tolerance, equal_nan=False))
