"""Tables of the student's numbers beside the expected ones, readable without colour and as text.

For public cases only: these tables show expected numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.compare import Right, compare
from autograder.values.numbers import as_array
from autograder.values.values import Array

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from autograder.compare import Difference

MAX_ROWS = 10
MAX_COLUMNS = 10
_SHOWN_FAULTS = ("values", "not_finite", "shape")
_DIGITS = 4
_SMALL, _LARGE = 1e-3, 1e5

# The strongest shades, as red, green, blue. Their text is dark in every theme.
_ABOVE = (244, 165, 96)
_BELOW = (125, 175, 240)
_CELL = "padding:1px 7px;text-align:right;font-family:monospace;color:#111111;"
_RIGHT = "border:1px solid #999999;"
_WRONG = "border:2px solid #b00020;font-weight:bold;"

Index = tuple[int, ...]


@dataclass(frozen=True)
class Entry:
    """One number: its text, whether it is wrong, and its shade, the signed share of the largest."""

    text: str
    wrong: bool = False
    shade: float = 0.0


@dataclass(frozen=True)
class NumberTable:
    """Numbers in rows and columns, with row and column labels."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Entry, ...]], ...]


@dataclass(frozen=True)
class _Window:
    """The visible part of an array: the index of a matrix (`part`), and its rows and columns."""

    part: Index
    rows: range
    columns: range

    def of(self, data: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the visible part of `data`, an array of the window's original shape."""
        matrix = _matrix(data, self.part)
        return matrix[self.rows.start : self.rows.stop, self.columns.start : self.columns.stop]


def number_tables(
    difference: Difference, *, of: str = "", decimals: int | None = None, slack: float = 1.0
) -> tuple[NumberTable, ...]:
    """Return tables of the student's and the expected numbers; empty for any other difference.

    Args:
        difference: where and how an answer is wrong.
        of: the name of that part of the answer.
        decimals: the printed decimals of the expected numbers; None for full precision.
        slack: factor on the tolerance, as in the comparison that found the difference.
    """
    seen, wanted = as_array(difference.seen), as_array(difference.wanted)
    if difference.fault not in _SHOWN_FAULTS or seen is None or wanted is None:
        return ()
    if not seen.size or not wanted.size:
        return ()
    if seen.shape != wanted.shape:
        views = [(name, data, _window(data.shape, ())) for name, data in _named(of, seen, wanted)]
        wrong = np.zeros((MAX_ROWS, MAX_COLUMNS), bool)
    else:
        window = _window(seen.shape, _focus(difference, seen))
        views = [(name, data, window) for name, data in _named(of, seen, wanted)]
        wrong = _wrong_entries(difference, window, decimals, slack)
    largest = max(_largest(window.of(data)) for _, data, window in views)
    marks = (wrong, np.zeros_like(wrong))
    digits = (None, decimals)
    return tuple(
        _table(name, data, window, mark, largest, places)
        for (name, data, window), mark, places in zip(views, marks, digits, strict=True)
    )


def _named(
    of: str, seen: npt.NDArray[Any], wanted: npt.NDArray[Any]
) -> tuple[tuple[str, npt.NDArray[Any]], ...]:
    part = f", {of}" if of else ""
    return (f"Yours{part}", seen), (f"Expected{part}", wanted)


def _matrix(data: npt.NDArray[Any], part: Index) -> npt.NDArray[Any]:
    matrix: npt.NDArray[Any] = data[part]
    return matrix.reshape(1, -1) if matrix.ndim < 2 else matrix  # noqa: PLR2004 - rows and columns


def _focus(difference: Difference, seen: npt.NDArray[Any]) -> Index:
    """Return the index of the entry that must be visible."""
    if difference.fault == "not_finite":
        first = int(np.argmax(~np.isfinite(seen) & (seen != as_array(difference.wanted))))
        return tuple(int(number) for number in np.unravel_index(first, seen.shape))
    return difference.worst


def _window(shape: Index, focus: Index) -> _Window:
    focus = focus or (0,) * len(shape)
    rows, columns = (1, *shape)[-2:] if shape else (1, 1)
    row, column = (0, *focus)[-2:] if shape else (0, 0)
    return _Window(focus[:-2], _page(rows, row, MAX_ROWS), _page(columns, column, MAX_COLUMNS))


def _page(size: int, focus: int, length: int) -> range:
    start = focus // length * length
    return range(start, min(start + length, size))


def _wrong_entries(
    difference: Difference, window: _Window, decimals: int | None, slack: float
) -> npt.NDArray[np.bool_]:
    """Compare each visible number like the whole answer; return a mask of the wrong ones."""
    seen, wanted = as_array(difference.seen), as_array(difference.wanted)
    assert seen is not None
    assert wanted is not None
    printed = isinstance(difference.wanted, Array) and difference.wanted.kind == "any"
    given, right = window.of(seen), window.of(wanted)
    wrong = np.zeros(given.shape, bool)
    for place in np.ndindex(given.shape):
        expected = Array("any" if printed else "tensor", right.dtype.name, np.asarray(right[place]))
        entry = Array("tensor", given.dtype.name, np.asarray(given[place]))
        wrong[place] = compare(Right(expected, decimals), entry, slack).difference is not None
    return wrong


def _largest(data: npt.NDArray[Any]) -> float:
    if data.dtype.kind not in "fiu":
        return 0.0
    numbers = np.abs(data.astype(np.float64))
    return float(numbers[np.isfinite(numbers)].max(initial=0.0))


def _table(
    name: str,
    data: npt.NDArray[Any],
    window: _Window,
    wrong: npt.NDArray[np.bool_],
    largest: float,
    decimals: int | None,
) -> NumberTable:
    shown = window.of(data)
    rows = tuple(
        tuple(
            Entry(_number(number, decimals), bool(wrong[row, column]), _shade(number, largest))
            for column, number in enumerate(numbers)
        )
        for row, numbers in enumerate(shown)
    )
    labels = [f"[{row}]" if data.ndim > 1 else "" for row in window.rows]
    columns = tuple(f"[{column}]" if data.ndim else "" for column in window.columns)
    caption = f"{name}, {_extent(data, window)}"
    return NumberTable(caption, columns, tuple(zip(labels, rows, strict=True)))


def _extent(data: npt.NDArray[Any], window: _Window) -> str:
    """Describe the shape and, if only a part is visible, that part."""
    words = [f"shape {data.shape}" if data.ndim else "one number"]
    matrix = _matrix(data, window.part)
    if window.part:
        words.append(f"only part [{', '.join(map(str, window.part))}]")
    for kind, shown, size in zip(
        ("rows", "columns"), (window.rows, window.columns), matrix.shape, strict=True
    ):
        if len(shown) < size:
            words.append(f"only {kind} {shown.start} to {shown.stop - 1} of {size}")
    return ", ".join(words)


def _number(number: Any, decimals: int | None) -> str:
    if number.dtype.kind == "c":
        return f"{complex(number):.4g}"
    if number.dtype.kind != "f":
        return str(number)
    plain = float(number)
    if decimals is not None:
        return "" if np.isnan(plain) else f"{plain:.{decimals}f}"  # nan: not printed
    if plain == 0 or _SMALL <= abs(plain) < _LARGE or not np.isfinite(plain):
        return f"{plain:.{_DIGITS}f}"
    return f"{plain:.2e}"


def _shade(number: Any, largest: float) -> float:
    if number.dtype.kind not in "fiu" or not largest or not np.isfinite(number):
        return 0.0
    return float(number) / largest


def tables_html(tables: Sequence[NumberTable]) -> str:
    """Return the tables side by side with a legend, as HTML; empty if there are none."""
    if not tables:
        return ""
    return (
        '<div style="display:flex;flex-wrap:wrap;gap:0 2em;align-items:flex-start">'
        f"{''.join(map(_table_html, tables))}</div><p><small>{escape(legend(tables))} "
        "The colour is the sign, orange above and blue below 0; the stronger, the larger.</small></p>"
    )


def legend(tables: Sequence[NumberTable]) -> str:
    """Explain the marks of the tables."""
    marked = any(entry.wrong for table in tables for _, row in table.rows for entry in row)
    return "! marks what is not right." if marked else "The shapes differ, so no entry is marked."


def _table_html(table: NumberTable) -> str:
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in table.columns)
    corner = "<td></td>" if any(label for label, _ in table.rows) else ""
    rows = "".join(
        f"<tr>{_label_html(label)}{''.join(map(_entry_html, row))}</tr>"
        for label, row in table.rows
    )
    heads = f"<thead><tr>{corner}{head}</tr></thead>" if any(table.columns) else ""
    return (
        '<table style="border-collapse:collapse;margin:0.5em 0">'
        '<caption style="caption-side:top;text-align:left;white-space:nowrap">'
        f"{escape(table.caption)}</caption>{heads}<tbody>{rows}</tbody></table>"
    )


def _label_html(label: str) -> str:
    return f'<th scope="row">{escape(label)}</th>' if label else ""


def _entry_html(entry: Entry) -> str:
    strong = _ABOVE if entry.shade > 0 else _BELOW
    parts = [round(255 + (tone - 255) * abs(entry.shade)) for tone in strong]
    colour = "background-color:#" + "".join(f"{part:02x}" for part in parts) + ";"
    style = _CELL + colour + (_WRONG if entry.wrong else _RIGHT)
    mark = "! " if entry.wrong else ""
    return f'<td style="{style}">{mark}{escape(entry.text)}</td>'


def tables_text(tables: Sequence[NumberTable]) -> str:
    """Return the tables one below the other, as plain text; empty if there are none."""
    if not tables:
        return ""
    return "\n\n".join([*map(_table_text, tables), legend(tables)])


def _table_text(table: NumberTable) -> str:
    lines = [("", table.columns)] if any(table.columns) else []
    lines += [
        (label, tuple(f"{'! ' if entry.wrong else ''}{entry.text}" for entry in row))
        for label, row in table.rows
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
