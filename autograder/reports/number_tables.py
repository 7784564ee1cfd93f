"""Tables of numbers that are readable without colour and as text.

`number_tables` shows the student's numbers beside the expected ones: for public cases only. `own_table` shows the
student's numbers alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeGuard

import numpy as np
from markupsafe import Markup

from autograder.compare import Right, compare
from autograder.explain.feedback_text import number_words
from autograder.explain.matrices import AXES_OF_ONE, first_wrong, place_words, singular
from autograder.reports.blocks import Drawn
from autograder.values.kinds import is_printed
from autograder.values.numbers import as_array
from autograder.values.values import Array

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt

    from autograder.compare import Difference
    from autograder.results import Numbers

MAX_ROWS = 10
MAX_COLUMNS = 16
_SHOWN_FAULTS = ("values", "not_finite", "shape")
_DIGITS = 4
_SMALL, _LARGE = 1e-3, 1e5
_NEAR_ONE = 5e-3

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


def own_table(numbers: Numbers) -> NumberTable:
    """Return the table of the student's own numbers."""
    largest = _largest(numbers.rows)
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
    difference: Difference,
    *,
    of: str = "",
    axes: tuple[str, ...] = (),
    decimals: int | None = None,
    slack: float = 1.0,
) -> list[NumberTable]:
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
    return _pair(difference, of, axes, place, decimals, slack)


def _pair(
    difference: Difference,
    of: str,
    axes: tuple[str, ...],
    place: str,
    decimals: int | None,
    slack: float,
) -> list[NumberTable]:
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
    largest = _largest([*yours.tolist(), *expected.tolist()])
    names = axes[-AXES_OF_ONE:] if same and len(axes) >= AXES_OF_ONE else ()
    nothing = np.zeros(expected.shape, bool)
    return [
        replace(
            _table(numbers, marks, largest, digits, names),
            caption=", ".join(filter(None, (name, of, place, _extent(numbers)))),
        )
        for name, numbers, marks, digits in (
            ("Yours", seen, wrong, None),
            ("Expected", wanted, nothing, decimals),
        )
    ]


def _table(
    data: npt.NDArray[Any],
    wrong: npt.NDArray[np.bool_],
    largest: float,
    decimals: int | None,
    axes: tuple[str, ...],
) -> NumberTable:
    """Return the table of a matrix, a vector or a number."""
    shown = np.atleast_2d(data)[:MAX_ROWS, :MAX_COLUMNS]
    rows, columns = map(range, shown.shape)
    labels = [f"[{row}]" if data.ndim > 1 else "" for row in rows]
    heads = [f"[{column}]" if data.ndim else "" for column in columns]
    if axes:
        labels, heads = _counted(axes[0], rows), _counted("", columns)
    cells = (
        tuple(
            Cell(_number(number, decimals), bool(is_wrong), _share(number, largest))
            for number, is_wrong in zip(numbers, marks, strict=False)
        )
        for numbers, marks in zip(shown.tolist(), wrong, strict=False)
    )
    return NumberTable("", tuple(heads), tuple(zip(labels, cells, strict=True)), axes)


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
