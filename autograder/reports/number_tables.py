"""The student's numbers as a table for a page, which is readable without colour."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeGuard

from autograder.explain.feedback_text import number_words
from autograder.explain.matrices import AXES_OF_ONE, singular

if TYPE_CHECKING:
    from collections.abc import Iterable

    from autograder.results import Numbers

_NEAR_ONE = 5e-3


@dataclass(frozen=True)
class Cell:
    """A number as text, whether it is wrong, and its share of the largest number; None if it is not finite."""

    text: str
    wrong: bool = False
    shade: float | None = 0.0


@dataclass(frozen=True)
class NumberTable:
    """One matrix of numbers, with row and column labels.

    Attributes:
        axes: what a row and a column stand for; empty if unknown.
        row_sums, column_sums: empty if the rows need not sum to 1. A sum of a row is wrong if it is not 1.
        cut: whether there are more rows or columns.
        place: where in a batch the matrix is, such as "sequence 1, head 2"; empty for the only one.
        says: what the table shows, in sentences.
    """

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]
    axes: tuple[str, ...] = ()
    row_sums: tuple[Cell, ...] = ()
    column_sums: tuple[Cell, ...] = ()
    cut: bool = False
    place: str = ""
    says: tuple[str, ...] = ()

    @property
    def is_number(self) -> bool:
        """Whether there is only one number, which needs no picture."""
        return len(self.rows) == len(self.columns) == 1 and not self.cut


def own_table(numbers: Numbers) -> NumberTable:
    """Return the table of some numbers. The largest has the strongest colour."""
    sizes = (abs(value) for row in numbers.rows for value in row if _is_finite(value))
    largest = max(sizes, default=0.0)
    width = max(map(len, numbers.rows), default=0)
    axes = numbers.axes[-AXES_OF_ONE:] if len(numbers.axes) >= AXES_OF_ONE else ()
    rows = [
        tuple(
            Cell(number_words(value, numbers.decimals), shade=_share(value, largest))
            for value in row
        )
        for row in numbers.rows
    ]
    labels = _counted(axes[0] if axes else "", range(len(rows)))
    return NumberTable(
        numbers.description,
        tuple(_counted("", range(width))),
        tuple(zip(labels, rows, strict=True)),
        axes,
        tuple(map(_sum, numbers.row_sums)),
        tuple(map(_sum, numbers.column_sums)),
        numbers.more_rows or numbers.more_columns,
        numbers.place,
        tuple(_sentences(numbers)),
    )


def _counted(axis: str, numbers: Iterable[int]) -> list[str]:
    """Return the labels along an axis, such as "query 1"."""
    return [f"{singular(axis)} {number + 1}".lstrip() for number in numbers]


def _is_finite(number: object) -> TypeGuard[float]:
    """Return whether this is a finite real number."""
    if isinstance(number, bool) or not isinstance(number, int | float):
        return False
    return math.isfinite(number)


def _share(number: object, largest: float) -> float | None:
    if _is_finite(number):
        return number / largest if largest else 0.0
    return None if isinstance(number, float | str) else 0.0


def _sum(number: float | str) -> Cell:
    if isinstance(number, str):
        return Cell(number, wrong=True)
    return Cell(f"{number:.4g}", wrong=not abs(number - 1) < _NEAR_ONE)


def _sentences(numbers: Numbers) -> list[str]:
    """Say what the tables show, and what the rows should satisfy."""
    says = [_axes_words(numbers.axes)]
    values = [value for row in numbers.rows for value in row]
    odd = sum("nan" in str(value) or "inf" in str(value) for value in values)
    if odd:
        says.append(f"{odd} of the numbers shown {'is' if odd == 1 else 'are'} nan or inf.")
    if not numbers.row_sums:
        return list(filter(None, says))
    wrong = sum(_sum(value).wrong for value in numbers.row_sums)
    says += [
        "Each row should sum to 1, and no number should be negative.",
        f"{wrong} of your {len(numbers.row_sums)} rows do not sum to 1."
        if wrong
        else "All your rows sum to 1.",
    ]
    sums = numbers.column_sums
    if wrong and sums and not any(_sum(value).wrong for value in sums):
        says.append("Each of your columns sums to 1 instead.")
    negative = sum(_is_finite(value) and value < 0 for value in values)
    if negative:
        says.append(f"{negative} of the numbers shown {'is' if negative == 1 else 'are'} negative.")
    return list(filter(None, says))


def _axes_words(axes: tuple[str, ...]) -> str:
    """Say what rows and columns are; empty if unknown."""
    if len(axes) < AXES_OF_ONE:
        return ""
    row, column = axes[-AXES_OF_ONE:]
    return f"Rows are {row}, columns are {column}."
