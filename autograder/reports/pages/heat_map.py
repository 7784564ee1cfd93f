"""The student's own numbers as a coloured table. The numbers stay readable without colours."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeGuard

from autograder.explain.feedback_text import LONG_NUMBER

if TYPE_CHECKING:
    from autograder.results import Numbers

SHADES = 8
_CLOSE = 5e-3
_TWO = 2


@dataclass(frozen=True)
class Cell:
    """A number as text, and the class of its colour: `p0` to `p8`, `n1` to `n8`, or `odd`."""

    text: str
    shade: str


@dataclass(frozen=True)
class Sum:
    """The sum of a row or column, and whether it is 1."""

    text: str
    is_one: bool


@dataclass(frozen=True)
class Row:
    """A row with its label; `total` is None if the rows need not sum to 1."""

    label: str
    cells: tuple[Cell, ...]
    total: Sum | None = None


@dataclass(frozen=True)
class HeatMap:
    """A table of the first numbers.

    Attributes:
        title: what it shows: type, shape and dtype.
        rows_are, columns_are: what a row and a column stand for; empty if unknown.
        column_totals: the sums of the columns; empty if the rows need not sum to 1.
        cut: whether the answer has more rows or columns.
        says: the same in sentences.
    """

    title: str
    rows_are: str
    columns_are: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    column_totals: tuple[Sum, ...]
    cut: bool
    says: tuple[str, ...]

    @property
    def is_number(self) -> bool:
        """Whether there is only one number, which needs no picture."""
        return len(self.rows) == len(self.columns) == 1 and not self.cut


def heat_map(numbers: Numbers) -> HeatMap:
    """Return the table of these numbers."""
    rows_are, columns_are = numbers.axes if len(numbers.axes) == _TWO else ("", "")
    largest = max(
        (abs(value) for row in numbers.rows for value in row if is_finite(value)),
        default=0,
    )
    totals = [_sum(value) for value in numbers.row_sums]
    rows = tuple(
        Row(
            _row_name(numbers, rows_are, number),
            tuple(Cell(_text(value, numbers.decimals), _shade(value, largest)) for value in row),
            totals[number] if number < len(totals) else None,
        )
        for number, row in enumerate(numbers.rows)
    )
    width = max((len(row) for row in numbers.rows), default=0)
    return HeatMap(
        title=numbers.description,
        rows_are=rows_are,
        columns_are=columns_are,
        columns=tuple(
            numbers.words[number] if len(numbers.words) == width else str(number + 1)
            for number in range(width)
        ),
        rows=rows,
        column_totals=tuple(map(_sum, numbers.column_sums)),
        cut=numbers.more_rows or numbers.more_columns,
        says=tuple(_sentences(numbers, rows_are, columns_are)),
    )


def _row_name(numbers: Numbers, rows_are: str, number: int) -> str:
    if number < len(numbers.words):
        return numbers.words[number]
    return f"{_singular(rows_are)} {number + 1}" if rows_are else str(number + 1)


def _sentences(numbers: Numbers, rows_are: str, columns_are: str) -> list[str]:
    """Say what the picture shows, and what the rows should satisfy."""
    words = []
    if rows_are:
        words.append(f"Rows are {rows_are}, columns are {columns_are}.")
    odd = sum(not is_finite(value) for row in numbers.rows for value in row)
    if odd:
        words.append(f"{odd} of the numbers shown {'is' if odd == 1 else 'are'} nan or inf.")
    if not numbers.row_sums:
        return words
    wrong = sum(not _sum(value).is_one for value in numbers.row_sums)
    words.append("Each row should sum to 1, and no number should be negative.")
    words.append(
        f"{wrong} of your {len(numbers.row_sums)} rows do not sum to 1."
        if wrong
        else "All your rows sum to 1."
    )
    if wrong and all(_sum(value).is_one for value in numbers.column_sums):
        words.append("Each of your columns sums to 1 instead.")
    negative = sum(is_finite(value) and value < 0 for row in numbers.rows for value in row)
    if negative:
        words.append(
            f"{negative} of the numbers shown {'is' if negative == 1 else 'are'} negative."
        )
    return words


def _singular(name: str) -> str:
    return f"{name[:-3]}y" if name.endswith("ies") else name.removesuffix("s")


def is_finite(number: float | str) -> TypeGuard[float]:
    """Return whether this is a finite number."""
    return not isinstance(number, str) and math.isfinite(number)


def _sum(number: float | str) -> Sum:
    if isinstance(number, str):
        return Sum(number, is_one=False)
    return Sum(f"{number:.4g}", abs(number - 1) < _CLOSE)


def _text(number: float | str, decimals: int) -> str:
    if not isinstance(number, float):
        return str(number)
    return f"{number:.{decimals}f}" if abs(number) < LONG_NUMBER else f"{number:.3g}"


def _shade(number: float | str, largest: float) -> str:
    if isinstance(number, str) or not math.isfinite(number):
        return "odd"
    level = round(SHADES * (abs(number) / largest)) if largest else 0
    return f"{'n' if number < 0 and level else 'p'}{level}"
