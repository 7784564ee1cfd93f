"""The look of a wrong answer: another kind of thing, and what its wrong numbers have in common."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.compare import ABSOLUTE
from autograder.explain.right_numbers import close
from autograder.explain.rules import finding
from autograder.explain.syntax import nodes, returned
from autograder.text import clean_text, one_line
from autograder.values.numbers import arrays_in, double, numbers_in
from autograder.values.values import Array, ListValue, Other

if TYPE_CHECKING:
    import numpy.typing as npt

    from autograder.explain.rules import Finding
    from autograder.explain.student_code import Definition
    from autograder.values.values import Value

    Numbers = npt.NDArray[Any]

FACTOR_SPREAD = 1e-3
_ALMOST = 1e-2
_LARGE = 1e100  # sums of larger numbers may overflow
_RIGHT = " The numbers in it are right."
_KINDS = {"tensor": "tensor", "ndarray": "NumPy array"}
# The library of each kind, and what makes one of the other kind.
_BACK = {"tensor": ("torch", "torch.from_numpy"), "ndarray": ("NumPy", ".numpy()")}


@dataclass(frozen=True)
class WrongAnswer:
    """A wrong answer beside the right one, and the step's source.

    Attributes:
        seen: the student's answer.
        wanted: the right answer. It is described, never shown.
        definition: the student's function or class; None if it could not be read.
        changed: the inputs that the call changed in place.
    """

    seen: Value
    wanted: Value
    definition: Definition | None = None
    changed: tuple[str, ...] = ()


def another_kind(answer: WrongAnswer) -> Finding | None:
    """Notice what came back in place of an array or of all parts, whole or as a part."""
    pairs = [(answer.seen, answer.wanted)]
    if isinstance(answer.seen, ListValue) and isinstance(answer.wanted, ListValue):
        pairs = [*zip(answer.seen.items, answer.wanted.items, strict=False)]
    kinds = (_kind_instead(*pair, answer.definition) for pair in pairs)
    return next(filter(None, kinds), None)


def _kind_instead(seen: Value, wanted: Value, definition: Definition | None) -> Finding | None:
    asked = _KINDS.get(wanted.kind, "") if isinstance(wanted, Array) else ""
    match seen, wanted:
        case Other(type_name="generator"), _:
            return _made("generator", definition)
        case ListValue(kind="tuple"), Array():
            return _made("tuple", definition)
        case Other(type_name=name), Array() if asked:
            kind = one_line(clean_text(name), 60)
            return finding("another_kind.object", asked=asked, kind=kind)
        case Array(kind=given), Array() if asked and given in _KINDS and given != wanted.kind:
            library, back = _BACK[wanted.kind]
            right = _RIGHT * close(seen.data, wanted.data)
            facts = {"asked": asked, "kind": _KINDS[given], "right": right}
            return finding("another_kind.array", library=library, back=back, **facts)
        case ListValue(items=items), Array() if asked and wanted.data.ndim:
            join = "torch.stack" if {*map(type, items)} == {Array} else "torch.tensor"
            join = "np.array" if wanted.kind == "ndarray" else join
            right = _RIGHT * close(numbers_in(seen), wanted.data.ravel())
            return finding("another_kind.list", asked=asked, join=join, right=right)
    return None


def _made(kind: str, definition: Definition | None) -> Finding | None:
    """Quote the only expression that comes back; None if there are several."""
    node = definition.node if definition else ast.Pass()
    match [*returned(node), *nodes(node, ast.Yield)]:
        case [ast.expr() as value] if definition:
            facts = {"written": definition.quote(value), "line": value.lineno}
            return finding(f"another_kind.{kind}", **facts)
    return None


def wrong_numbers(answer: WrongAnswer) -> Finding | None:
    """Describe the first wrong array of the right shape. One number alone shows nothing."""
    if not isinstance(answer.seen, type(answer.wanted)):
        return None
    for given, right in zip(arrays_in(answer.seen), arrays_in(answer.wanted), strict=False):
        if given.dtype.kind == right.dtype.kind == "f" and not close(given, right):
            seen, wanted = double(given), double(right)
            usual = (np.abs(seen) < _LARGE).all() and (np.abs(wanted) < _LARGE).all()
            if seen.shape == wanted.shape and seen.size > 1 and usual:
                return _almost(seen, wanted) or _one_factor(seen, wanted) or _line(seen, wanted)
            return None
    return None


def _almost(seen: Numbers, wanted: Numbers) -> Finding | None:
    """Notice numbers that are wrong by little."""
    off, scale = (float(np.abs(one).max()) for one in (seen - wanted, wanted))
    return finding("almost", off=off) if off < _ALMOST * min(1.0, 5 * scale) else None


def _one_factor(seen: Numbers, wanted: Numbers) -> Finding | None:
    """Notice that every number is wrong by the same factor."""
    if not (np.abs(wanted) > FACTOR_SPREAD).all() or not seen.any():
        return None
    factor = float(
        (seen * wanted).sum() / (wanted**2).sum()
    )  # a ratio of small numbers is not exact
    near = np.allclose(seen, factor * wanted, rtol=FACTOR_SPREAD, atol=ABSOLUTE * abs(factor))
    return finding("one_factor", factor=factor) if near else None


def _line(seen: Numbers, wanted: Numbers) -> Finding | None:
    """Notice that all wrong numbers stand in one row, or in one column."""
    places = np.argwhere(~np.isclose(seen, wanted, atol=1e-4))
    for kind, at in zip(("column", "row"), places.T[::-1], strict=False):
        if 0 < at.size < seen.size and not np.ptp(at):
            return finding("one_line", kind=kind, number=at[0])
    return None
