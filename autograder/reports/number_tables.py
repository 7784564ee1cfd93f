"""Tables of numbers that are readable without colour and as text.

`number_tables` shows the student's numbers beside the expected ones: for public cases only. `own_table` shows the
student's numbers alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeGuard

import numpy as np
from markupsafe import Markup

from autograder.compare import Right, compare
from autograder.explain.feedback_text import number_words
from autograder.explain.matrices import AXES_OF_ONE, first_wrong, singular
from autograder.explain.own_numbers import MOST_COLUMNS, MOST_ROWS, own_numbers
from autograder.reports.blocks import Drawn
from autograder.values.kinds import is_printed
from autograder.values.numbers import as_array
from autograder.values.values import Array

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from autograder.assignment.checks import Check
    from autograder.compare import Difference
    from autograder.results import Numbers

_SHOWN_FAULTS = ("values", "not_finite", "shape")
_NEAR_ONE = 5e-3
_CUT = "the first rows and columns"

# The strongest shades, as red, green, blue. Their text is dark in every theme.
_ABOVE = (244, 165, 96)
_BELOW = (125, 175, 240)
_CELL = Markup(
    '<td style="padding:1px 7px;text-align:right;font-family:monospace;color:#111111;'
    'background-color:#{};{}">{}{}</td>'
)
_RIGHT = "border:1px solid #999999;"
_WRONG = "border:2px solid #b00020;font-weight:bold;"
_TABLE = Markup(
    '<table style="border-collapse:collapse;margin:0.5em 0">'
    '<caption style="caption-side:top;text-align:left;white-space:nowrap">{}</caption>'
    "{}<tbody>{}</tbody></table>"
)
_SIDE_BY_SIDE = Markup(
    '<div style="display:flex;flex-wrap:wrap;gap:0 2em;align-items:flex-start">{}</div>'
)
_LEGEND = Markup(
    "<p><small>{} The colour is the sign, orange above and blue below 0; the stronger, the larger.</small></p>"
)


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


def own_table(
    numbers: Numbers, largest: float = 0.0, wrong: Collection[tuple[int, int]] = ()
) -> NumberTable:
    """Return the table of some numbers.

    Args:
        largest: the number with the strongest colour; by default the largest of the table.
        wrong: the places of those that are marked.
    """
    largest = largest or _largest(numbers.rows)
    width = max(map(len, numbers.rows), default=0)
    axes = numbers.axes[-AXES_OF_ONE:] if len(numbers.axes) >= AXES_OF_ONE else ()
    rows = [
        tuple(
            Cell(
                number_words(value, numbers.decimals),
                (at, column) in wrong,
                _share(value, largest),
            )
            for column, value in enumerate(row)
        )
        for at, row in enumerate(numbers.rows)
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


def _largest(rows: Iterable[Iterable[object]]) -> float:
    return max((abs(value) for row in rows for value in row if _is_finite(value)), default=0.0)


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


def number_tables(
    check: Check,
    criterion: str,
    difference: Difference,
    *,
    decimals: int | None = None,
    slack: float = 1.0,
) -> list[NumberTable]:
    """Return tables of the student's and the expected numbers, of a batch those of the first wrong matrix.

    Empty for any other difference.

    Args:
        decimals: the printed decimals of the expected numbers; None for full precision.
        slack: factor on the tolerance, as in the comparison that found the difference.
    """
    yours, right = (
        own_numbers(check, criterion, difference, decimals=decimals, slack=slack, expected=expected)
        for expected in (False, True)
    )
    if difference.fault not in _SHOWN_FAULTS or yours is None or right is None:
        return []
    largest = _largest([*yours.rows, *right.rows])
    wrong = _wrong_cells(difference, decimals, slack)
    return [
        replace(
            shown := own_table(numbers, largest, marks),
            caption=", ".join(
                filter(None, (name, numbers.part, shown.place, shown.caption, _CUT * shown.cut))
            ),
        )
        for name, numbers, marks in (("Yours", yours, wrong), ("Expected", right, ()))
    ]


def _wrong_cells(
    difference: Difference, decimals: int | None, slack: float
) -> frozenset[tuple[int, int]]:
    """Return the places of the wrong numbers in the shown matrix; none if the shapes differ."""
    _, one = first_wrong(difference, decimals, slack) or ((), difference)
    seen, wanted = as_array(one.seen), as_array(one.wanted)
    if seen is None or wanted is None or seen.shape != wanted.shape:
        return frozenset()
    kind: Literal["any", "tensor"] = "any" if is_printed(one.wanted) else "tensor"
    yours, expected = (np.atleast_2d(data)[:MOST_ROWS, :MOST_COLUMNS] for data in (seen, wanted))
    return frozenset(
        (row, column)
        for row, column in np.ndindex(*yours.shape)
        if compare(
            Right(Array(kind, wanted.dtype.name, np.asarray(expected[row, column])), decimals),
            Array("tensor", seen.dtype.name, np.asarray(yours[row, column])),
            slack,
        ).difference
    )


def drawn(tables: Sequence[NumberTable]) -> list[Drawn]:
    """Return the tables with a legend, side by side as HTML. None without tables."""
    if not tables:
        return []
    marked = any(cell.wrong for table in tables for _, cells in table.rows for cell in cells)
    legend = "! marks what is not right." if marked else "The shapes differ, so no entry is marked."
    html = _SIDE_BY_SIDE.format(_joined(map(_table_html, tables))) + _LEGEND.format(legend)
    return [Drawn(html, "\n\n".join([*map(_table_text, tables), legend]))]


def _joined(parts: Iterable[Markup]) -> Markup:
    return Markup("").join(parts)


def _table_html(table: NumberTable) -> Markup:
    column, label = Markup('<th scope="col">{}</th>'), Markup('<th scope="row">{}</th>')
    corner = Markup("<td></td>" if any(name for name, _ in table.rows) else "")
    heads = Markup("<tr>{}{}</tr>").format(corner, _joined(map(column.format, table.columns)))
    if table.axes:
        over = Markup('<tr><td></td><th scope="colgroup" colspan="{}">{}</th></tr>')
        heads = over.format(len(table.columns), table.axes[1]) + heads
    rows = (
        Markup("<tr>{}{}</tr>").format(
            label.format(name) if name else "", _joined(map(_cell_html, cells))
        )
        for name, cells in table.rows
    )
    head = Markup("<thead>{}</thead>").format(heads if any(table.columns) else "")
    return _TABLE.format(table.caption, head, _joined(rows))


def _cell_html(cell: Cell) -> Markup:
    shade = cell.shade or 0.0
    strong = _ABOVE if shade > 0 else _BELOW
    parts = [round(255 + (tone - 255) * abs(shade)) for tone in strong]
    colour = "".join(f"{part:02x}" for part in parts)
    return _CELL.format(
        colour, _WRONG if cell.wrong else _RIGHT, "! " if cell.wrong else "", cell.text
    )


def _table_text(table: NumberTable) -> str:
    corner = table.axes[1] if table.axes else ""
    lines = [(corner, table.columns)] if any(table.columns) else []
    lines += [
        (label, tuple(f"{'! ' if cell.wrong else ''}{cell.text}" for cell in cells))
        for label, cells in table.rows
    ]
    first = max(len(label) for label, _ in lines)
    width = max(len(text) for _, texts in lines for text in texts)
    return "\n".join(
        [f"{table.caption}:"]
        + [
            f"    {label:<{first}} " + " ".join(f"{text:>{width}}" for text in texts)
            for label, texts in lines
        ]
    )
