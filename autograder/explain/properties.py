"""Describe the properties of a wrong answer that shows no known mistake.

A cause that the numbers do not prove is introduced by "perhaps".
"""

from __future__ import annotations

import ast
import itertools
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.compare import agrees, alike
from autograder.explain.evidence import MOST_PARTS, Evidence, part_words, right_key
from autograder.explain.near_answers import how_far_off, wide
from autograder.explain.operations import normal, number_of
from autograder.explain.raised import FUNCTION_TYPES
from autograder.explain.rules import Finding, Rules, finding
from autograder.explain.syntax import walk
from autograder.explain.wording import capital
from autograder.values.numbers import as_array
from autograder.values.values import Array, DictValue, ListValue, Other

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import numpy.typing as npt

    from autograder.values.values import Value

    Numbers = npt.NDArray[Any]
    Items = tuple[Value, ...]

SHOWN_SUMS = 6
FACTOR_SPREAD = 1e-3
_ROOT = 0.5
_RIGHT = " The numbers in it are right."
_KIND_WORDS = {"tensor": "tensor", "ndarray": "NumPy array"}
# The library of each kind, and what makes one of the other kind.
_BACK = {"tensor": ("torch", "torch.from_numpy"), "ndarray": ("NumPy", ".numpy()")}
_SOURCE = re.compile(r'^ *Source: (".+")$', re.MULTILINE)
_LOOPS = (ast.For, ast.While, ast.comprehension)


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


ANSWERS.says(
    "documented_numbers",
    lambda evidence: (
        {"document": _document(evidence.released)}
        if any(agrees(right, evidence.seen) for right in evidence.documents)
        else None
    ),
)
ANSWERS.says(
    "same_for_other_inputs",
    lambda evidence: (
        any(alike(other.seen, evidence.seen) for other in evidence.others)
        and _has_numbers(evidence.seen)
    ),
)


def _document(stub: str) -> str:
    """Return the document that a stub's docstring names as its source."""
    source = _SOURCE.search(stub)
    return source[1] if source else "the document"


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


def another_dict(evidence: Evidence) -> Finding | None:
    """Notice other keys than were asked for, among them the values, and what came back without any keys."""
    wanted = evidence.wanted
    if not isinstance(wanted, DictValue):
        return None
    seen, keys = evidence.seen, [key for key, _ in wanted.items]
    named = all(isinstance(key, str) and f'"{key}"' in evidence.released for key in keys)
    shown = ", ".join(f"`{key!s}`" for key in keys if isinstance(key, str)) if named else ""
    if isinstance(seen, DictValue):
        given = {key for key, _ in seen.items if isinstance(key, str)}
        if given and given == {value for _, value in wanted.items if isinstance(value, str)}:
            return finding("keys_differ.turned")
        return finding("keys_differ", keys=shown) if named and given != {*keys} else None
    if not isinstance(seen, ListValue | Array):
        return None
    parts = seen.items if isinstance(seen, ListValue) else tuple(seen.data.ravel().tolist())
    right = len(parts) == len(keys) and all(
        agrees(value, part) for (_, value), part in zip(wanted.items, parts, strict=True)
    )
    facts = {"asked": "dict", "kind": seen.kind, "right": _RIGHT * right, "keys": shown}
    return finding("another_kind" + ".dict" * named, **facts)


@ANSWERS.when()
def another_kind(evidence: Evidence) -> Finding | None:
    """Notice an array, a tensor, a list or a function that came back in place of another kind, whole or as a part."""
    both = [(evidence.seen, evidence.wanted)]
    if lists := _two_lists(evidence):
        both = list(zip(lists["seen"], lists["wanted"], strict=False))
    crosswise = zip([seen for seen, _ in both], [wanted for _, wanted in both[::-1]], strict=True)
    exchanged = len(evidence.returns) == len(both) == 2 and all(  # noqa: PLR2004
        isinstance(right, Array) and _holds_numbers(seen, right.data) for seen, right in crosswise
    )
    pairs = [(both[0][0], both[1][1])] if exchanged else both
    kinds = (_kind_instead(seen, right) for seen, right in pairs if isinstance(right, Array))
    found = next(filter(None, kinds), None)
    if not exchanged or found is None:
        return found
    first, second = evidence.returns
    return finding("another_kind.order", says=found.says, first=first, second=second)


def _holds_numbers(seen: Value, wanted: Numbers) -> bool:
    given = as_array(seen)
    if given is not None:
        return is_close(given, wanted)
    return isinstance(seen, ListValue) and _is_list_of(seen, wanted)


def _kind_instead(seen: Value, wanted: Array) -> Finding | None:
    if wanted.kind not in _KIND_WORDS or not wanted.data.ndim:
        return None
    asked = _KIND_WORDS[wanted.kind]
    if isinstance(seen, Array):
        if seen.kind == wanted.kind or seen.kind not in _KIND_WORDS or not seen.data.ndim:
            return None
        right, back = _RIGHT * is_close(seen.data, wanted.data), _BACK[wanted.kind]
        facts = {"kind": _KIND_WORDS[seen.kind], "library": back[0], "back": back[1]}
        return finding("another_kind.array", asked=asked, right=right, **facts)
    if isinstance(seen, Other) and seen.type_name in FUNCTION_TYPES:
        return finding("another_kind.function")
    if not isinstance(seen, ListValue):
        return None
    join = "np.array" if wanted.kind == "ndarray" else _joins(seen)
    if _is_list_of(seen, wanted.data):
        return finding("another_kind.list", asked=asked, join=join)
    rows = [as_array(item) for item in seen.items]
    if len(rows) != len(wanted.data) or any(
        row is None or row.shape != wanted.data.shape[1:] for row in rows
    ):
        return None
    of = "numbers" if wanted.data.ndim == 1 else "its rows"
    return finding("another_kind.rows", asked=asked, join=join, of=of)


def _joins(items: Value) -> str:
    """Return the function that makes one tensor of a list: of tensors, or of numbers."""
    while isinstance(items, ListValue) and items.items:
        items = items.items[0]
    return "torch.stack" if isinstance(items, Array) else "torch.tensor"


def _is_list_of(seen: ListValue, wanted: Numbers) -> bool:
    """Return whether a list, or a list of lists, holds these numbers."""
    if not wanted.ndim:
        return False
    if wanted.ndim == 1:
        parts = [as_array(item) for item in seen.items]
        numbers = [part for part in parts if part is not None and part.ndim == 0]
        return len(numbers) == len(parts) and is_close(np.array(numbers), wanted)
    return len(seen.items) == len(wanted) and all(
        isinstance(item, ListValue) and _is_list_of(item, row)
        for item, row in zip(seen.items, wanted, strict=True)
    )


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
    """Describe the first wrong part, as far as the other cases show the same."""
    source = walk(evidence.definition.node) if evidence.definition else ()
    loops = any(isinstance(node, _LOOPS) for node in source)
    found = _of_numbers(evidence.seen, evidence.wanted, evidence.inputs, loops=loops)
    others = (
        _of_numbers(other.seen, other.wanted, other.inputs, loops=loops)
        for other in evidence.others
        if other.seen is not None
    )
    shared = found and all(other is not None and other.key == found.key for other in others)
    if found and shared and found.key == "one_factor" and (written := _no_square_root(evidence)):
        return finding("one_factor.power", written=written, **dict(found.facts))
    return found if shared else None


def _no_square_root(evidence: Evidence) -> str:
    """Return the student's text of another root, where the release speaks of the square root; else empty."""
    definition = evidence.definition
    for node in walk(definition.node) if definition and "root" in evidence.released else ():
        match normal(node):
            case ast.BinOp(op=ast.Pow(), right=right) if definition and isinstance(node, ast.expr):
                if (power := number_of(right)) and abs(power) < 1 and abs(power) != _ROOT:
                    return definition.quote(node)
    return ""


def _of_numbers(
    seen: Value, wanted: Value, inputs: Mapping[str, Value], *, loops: bool
) -> Finding | None:
    for given, right in _parts(seen, wanted):
        if given.dtype.kind != "f" or right.dtype.kind != "f":
            continue
        if given.shape == right.shape and np.allclose(given, right, atol=1e-4):
            continue
        with np.errstate(all="ignore"):
            return NUMBERS.first(Pair(wide(given), wide(right), inputs, loops))
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


ANSWERS.says("only_documented", lambda evidence: evidence.right_on_documents)


def _has_numbers(value: Value) -> bool:
    """Return whether the value contains float or complex arrays: other inputs would change their numbers."""
    array = as_array(value)
    if array is not None:
        return array.size > 0 and array.dtype.kind in "fc"
    return isinstance(value, ListValue) and any(map(_has_numbers, value.items))


# Wrong numbers: their shape, rows, sums, factors, offsets, rounding.


@dataclass(frozen=True)
class Pair:
    """The first wrong array of an answer beside the right one. `loops` says whether the source has a loop."""

    seen: Numbers
    wanted: Numbers
    inputs: Mapping[str, Value] = field(default_factory=dict)
    loops: bool = False


NUMBERS = Rules[Pair]()


def _finite(pair: Pair) -> bool:
    return bool(np.isfinite(pair.seen).all() and np.isfinite(pair.wanted).all())


def _other_shape(pair: Pair) -> bool:
    return pair.seen.shape != pair.wanted.shape and _finite(pair)


def _alike(pair: Pair) -> bool:
    """Hold for finite numbers of the right shape."""
    return pair.seen.shape == pair.wanted.shape and pair.seen.size > 0 and _finite(pair)


def _same_shape(pair: Pair) -> bool:
    """Hold for finite numbers of the right shape. One number alone shows nothing."""
    return pair.seen.size > 1 and _alike(pair)


def _matrix(pair: Pair) -> bool:
    return pair.seen.ndim == 2 and _same_shape(pair)  # noqa: PLR2004 - rows and columns


@NUMBERS.when()
def unchanged_input(pair: Pair) -> Finding | None:
    for name, value in pair.inputs.items():
        given = as_array(value)
        if given is not None and is_close(given, pair.seen):
            return finding("unchanged_input", name=name)
    return None


@NUMBERS.when(_alike)
def almost(pair: Pair) -> Finding | None:
    off = how_far_off(pair.seen, pair.wanted)
    return finding("almost", off=off) if off else None


NUMBERS.says("transposed", lambda pair: is_close(pair.seen.T, pair.wanted))


@NUMBERS.when(_other_shape)
def another_shape(pair: Pair) -> Finding | None:
    """Describe a wrong shape if the numbers show its cause."""
    seen, wanted = pair.seen, pair.wanted
    if seen.size == wanted.size and is_close(seen.ravel(), wanted.ravel()):
        return finding("another_shape")
    if wanted.ndim != 2 or seen.ndim != 1:  # noqa: PLR2004 - rows and columns
        return None
    if seen.shape[0] == wanted.shape[1]:
        for row, right in enumerate(wanted):
            if is_close(seen, right):
                return finding("one_token", token=row + 1)
    if seen.shape[0] == min(wanted.shape) and is_close(seen, np.diagonal(wanted)):
        return finding("diagonal")
    return None


@NUMBERS.when(_matrix)
def rows_of_an_input(pair: Pair) -> Finding | None:
    """Notice rows of an input that came back and should not, and not the same row each time."""
    if all(is_close(row, pair.seen[0]) for row in pair.seen[1:]):
        return None
    for name, value in pair.inputs.items():
        given = as_array(value)
        picked = given is not None and _are_rows_of(given, pair.seen)
        if given is not None and picked and not _are_rows_of(given, pair.wanted):
            return finding("rows_of_an_input", name=name)
    return None


def _are_rows_of(given: Numbers, rows: Numbers) -> bool:
    return given.ndim == rows.ndim and all(
        any(is_close(row, given_row) for given_row in given) for row in rows
    )


@NUMBERS.when(_same_shape)
def dropped(pair: Pair) -> Finding | None:
    """Notice some numbers that are 0 while all others are too large by one factor, as with dropout."""
    clear = np.abs(pair.wanted) > FACTOR_SPREAD
    kept = clear & (pair.seen != 0)
    if not (clear & ~kept).any() or kept.sum() < 2:  # noqa: PLR2004 - one number has any ratio
        return None
    ratio = pair.seen[kept] / pair.wanted[kept]
    mean = float(ratio.mean())
    if np.ptp(ratio) > FACTOR_SPREAD * abs(mean) or mean < 1.01:  # noqa: PLR2004
        return None
    return finding("dropped", factor=mean)


@NUMBERS.when(_matrix)
def right_rows(pair: Pair) -> Finding | None:
    """Notice rows of the right answer in the wrong place, and equal rows."""
    seen, wanted = pair.seen, pair.wanted
    rows = [
        next((number for number, right in enumerate(wanted) if is_close(row, right)), None)
        for row in seen
    ]
    if len(rows) > 1 and len(set(rows)) == 1 and rows[0] is not None:
        return finding("one_row_for_all", token=rows[0] + 1)
    if None not in rows and sorted(rows, key=str) == list(range(len(rows))) and rows:
        return finding("rows_in_another_order")
    if all(is_close(row, seen[0]) for row in seen[1:]) and not all(
        is_close(row, wanted[0]) for row in wanted[1:]
    ):
        return finding("equal_rows")
    return None


@NUMBERS.when(_same_shape)
def one_factor(pair: Pair) -> Finding | None:
    """Notice that every number is wrong by the same factor."""
    if not (np.abs(pair.wanted) > FACTOR_SPREAD).all():
        return None
    ratio = pair.seen / pair.wanted
    mean = float(ratio.mean())
    if np.ptp(ratio) > FACTOR_SPREAD * abs(mean) or abs(mean - 1) < 1e-2:  # noqa: PLR2004
        return None
    return (
        finding("wrong_sign")
        if abs(mean + 1) < FACTOR_SPREAD
        else finding("one_factor", factor=mean)
    )


@NUMBERS.when(lambda pair: pair.seen.ndim > 1 and _same_shape(pair))
def sums(pair: Pair) -> Finding | None:
    """Describe the sums of rows and columns, of each sequence of a batch, if each row should sum to 1."""
    seen = pair.seen
    if not np.allclose(pair.wanted.sum(-1), 1, atol=1e-3):
        shares = (
            np.allclose(seen.sum(-1), 1, atol=1e-3) and (seen >= 0).all() and seen.shape[-1] > 1
        )
        return finding("shares_of_rows") if shares else None
    if np.allclose(seen.sum(-1), 1, atol=1e-3):
        if (seen < 0).any():
            return finding("negative_weights")
        return finding("one_key_picked") if np.isin(seen, (0.0, 1.0)).all() else None
    if np.allclose(seen.sum(-2), 1, atol=1e-3):
        return finding("columns_sum_to_one")
    if np.isclose(seen.sum(), 1, atol=1e-3):
        return finding("all_sums_to_one" + ".negative" * bool((seen < 0).any()))
    shown = ", ".join(f"{total:.3g}" for total in seen.sum(-1).flat[:SHOWN_SUMS])
    return finding("rows_sum_to", sums=shown)


@NUMBERS.when(_same_shape)
def one_place_off(pair: Pair) -> Finding | None:
    """Notice that only the first or only the last row, column or number is wrong."""
    seen, wanted = pair.seen, pair.wanted
    for axis, (first, second) in enumerate((("row", "rows"), ("column", "columns"))[: seen.ndim]):
        kind, others = (first, second) if seen.ndim > 1 else ("number", "numbers")
        pairs = zip(np.moveaxis(seen, axis, 0), np.moveaxis(wanted, axis, 0), strict=True)
        wrong = [
            number for number, (given, right) in enumerate(pairs) if not is_close(given, right)
        ]
        count = seen.shape[axis]
        if count > 2 and wrong in ([0], [count - 1]):  # noqa: PLR2004 - of two, either may be the odd one
            which = "first" if wrong == [0] else "last"
            key = "one_place_off" + ".loop" * pair.loops
            return finding(key, which=which, kind=kind, others=others)
    return None


@NUMBERS.when(_same_shape)
def one_amount(pair: Pair) -> Finding | None:
    """Notice that every number is wrong by the same amount."""
    off = pair.seen - pair.wanted
    amount = float(off.mean())
    if np.ptp(off) > FACTOR_SPREAD or abs(amount) < 1e-2:  # noqa: PLR2004
        return None
    return finding("one_amount", amount=abs(amount), more="more" if amount > 0 else "less")


def is_close(first: Numbers, second: Numbers) -> bool:
    """Return whether both have the same shape and are equal within the tolerance, which small numbers make smaller."""
    if first.shape != second.shape or first.size == 0:
        return False
    tolerance = 1e-4 * min(1.0, float(np.abs(second).max()))
    return bool(np.allclose(first, second, atol=tolerance, equal_nan=False))
