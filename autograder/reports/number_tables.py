"""The student's numbers beside the expected ones, as tables of text: for public cases only."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from autograder.compare import Right, compare
from autograder.explain.matrices import AXES_OF_ONE, first_wrong, place_words, singular
from autograder.results import Block
from autograder.values.kinds import is_printed
from autograder.values.numbers import as_array
from autograder.values.values import Array

if TYPE_CHECKING:
    import numpy.typing as npt

    from autograder.compare import Difference

MAX_ROWS = 10
MAX_COLUMNS = 16
_SHOWN_FAULTS = ("values", "not_finite", "shape")
_DIGITS = 4
_SMALL, _LARGE = 1e-3, 1e5


def number_tables(
    difference: Difference,
    *,
    of: str = "",
    axes: tuple[str, ...] = (),
    decimals: int | None = None,
    slack: float = 1.0,
) -> list[Block]:
    """Return tables of the student's and the expected numbers, of a batch those of the first wrong matrix.

    Empty for any other difference.

    Args:
        difference: where and how an answer is wrong.
        of: the name of that part of the answer.
        axes: what its axes stand for; empty if unknown.
        decimals: the printed decimals of the expected numbers; None for full precision.
        slack: factor on the tolerance, as in the comparison that found the difference.
    """
    seen, wanted = as_array(difference.seen), as_array(difference.wanted)
    if difference.fault not in _SHOWN_FAULTS or seen is None or wanted is None:
        return []
    if not seen.size or not wanted.size:
        return []
    place = ""
    if max(seen.ndim, wanted.ndim) > AXES_OF_ONE:
        found = first_wrong(difference, decimals, slack)
        if found is None:
            return []
        index, difference = found
        place = place_words(axes, index)
    return _pair(difference, [*filter(None, (of, place))], axes, decimals, slack)


def _pair(
    difference: Difference,
    where: list[str],
    axes: tuple[str, ...],
    decimals: int | None,
    slack: float,
) -> list[Block]:
    """Return the tables of the student's and the expected numbers of one matrix."""
    seen, wanted = as_array(difference.seen), as_array(difference.wanted)
    assert seen is not None
    assert wanted is not None
    yours, expected = np.atleast_2d(seen), np.atleast_2d(wanted)
    same = seen.shape == wanted.shape
    kind: Literal["any", "tensor"] = "any" if is_printed(difference.wanted) else "tensor"
    wrong = np.zeros(yours.shape, bool)
    for entry in np.ndindex(*yours[:MAX_ROWS, :MAX_COLUMNS].shape) if same else ():
        right = Right(Array(kind, expected.dtype.name, np.asarray(expected[entry])), decimals)
        given = Array("tensor", yours.dtype.name, np.asarray(yours[entry]))
        wrong[entry] = compare(right, given, slack).difference is not None
    names = axes[-AXES_OF_ONE:] if same and len(axes) >= AXES_OF_ONE else ()
    legend = "! marks what is not right." if same else "The shapes differ, so no entry is marked."
    return [
        Block(f"{', '.join(['Yours', *where, _extent(seen)])}:"),
        Block(_table(seen, wrong, None, names), is_code=True),
        Block(f"{', '.join(['Expected', *where, _extent(wanted)])}:"),
        Block(_table(wanted, np.zeros(expected.shape, bool), decimals, names), is_code=True),
        Block(legend),
    ]


def _table(
    data: npt.NDArray[Any],
    wrong: npt.NDArray[np.bool_],
    decimals: int | None,
    axes: tuple[str, ...],
) -> str:
    """Return the lines of a matrix, a vector or a number."""
    shown = np.atleast_2d(data)[:MAX_ROWS, :MAX_COLUMNS]
    rows, columns = map(range, shown.shape)
    corner = axes[1] if axes else ""
    labels = [f"[{row}]" if data.ndim > 1 else "" for row in rows]
    heads = [f"[{column}]" if data.ndim else "" for column in columns]
    if axes:
        labels = [f"{singular(axes[0])} {row + 1}" for row in rows]
        heads = [str(column + 1) for column in columns]
    lines = [(corner, heads)] if any(heads) else []
    for label, numbers, marks in zip(labels, shown.tolist(), wrong, strict=False):
        texts = [_number(number, decimals) for number in numbers]
        pairs = zip(texts, marks, strict=False)
        lines.append((label, [f"! {text}" if mark else text for text, mark in pairs]))
    first = max(len(label) for label, _ in lines)
    width = max(len(text) for _, texts in lines for text in texts)
    return "\n".join(
        f"{label:<{first}} " + " ".join(f"{text:>{width}}" for text in texts)
        for label, texts in lines
    )


def _extent(data: npt.NDArray[Any]) -> str:
    """Describe the shape, and say if only a part is visible."""
    rows, columns = np.atleast_2d(data)[:MAX_ROWS, :MAX_COLUMNS].shape
    more = ""
    if rows * columns < data.size:
        more = f", only the first {rows} rows and {columns} columns"
    return f"shape {data.shape}{more}" if data.ndim else "one number"


def _number(number: object, decimals: int | None) -> str:
    if isinstance(number, complex):
        return f"{number:.4g}"
    if not isinstance(number, float):
        return str(number)
    if decimals is not None:
        return "" if math.isnan(number) else f"{number:.{decimals}f}"  # nan: not printed
    if number == 0 or _SMALL <= abs(number) < _LARGE or not math.isfinite(number):
        return f"{number:.{_DIGITS}f}"
    return f"{number:.2e}"
