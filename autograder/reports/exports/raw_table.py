"""A table that a platform exported, of which single cells change and every other byte stays.

The encoding (UTF-8 with or without a byte-order mark, UTF-16, or Windows' Latin alphabet), the
delimiter, the ends of lines and the quotes of all other cells are kept.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.errors import UsageError
from autograder.submission.table import sniff_delimiter

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECIMAL_COMMA = re.compile(r"-?\d+,\d+")
_DECIMAL_POINT = re.compile(r"-?\d+\.\d+")


@dataclass(frozen=True)
class Cell:
    """A cell: its text without quotes, and where it stands in the file's text, with its quotes."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class RawTable:
    """A table with the text of its file.

    Attributes:
        bom: the byte-order mark, or empty bytes.
        encoding: the encoding of the bytes behind it.
        rows: the cells of each line. Empty lines are left out.
    """

    text: str
    bom: bytes
    encoding: str
    delimiter: str
    rows: tuple[tuple[Cell, ...], ...]

    @property
    def has_decimal_comma(self) -> bool:
        """Return whether numbers have a comma: some do and none has a point, or semicolons part the cells."""
        texts = [cell.text.strip() for row in self.rows[1:] for cell in row]
        if any(map(_DECIMAL_POINT.fullmatch, texts)):
            return False
        return self.delimiter == ";" or any(map(_DECIMAL_COMMA.fullmatch, texts))

    def with_cells(self, changes: Mapping[tuple[int, int], str]) -> bytes:
        """Return the file's bytes with new texts in some cells, by row and column.

        A row that ends before a column gets empty cells up to it.
        """
        edits: list[tuple[int, int, str]] = []
        for (row, column), text in changes.items():
            cells = self.rows[row]
            if column < len(cells):
                cell = cells[column]
                was_quoted = self.text.startswith('"', cell.start)
                edits.append((cell.start, cell.end, self._written(text, quoted=was_quoted)))
            elif text:
                missing = self.delimiter * (column - len(cells) + 1)
                end = cells[-1].end
                edits.append((end, end, missing + self._written(text, quoted=False)))
        parts, done = [], 0
        for start, end, text in sorted(edits):
            parts += [self.text[done:start], text]
            done = end
        return self.bom + "".join([*parts, self.text[done:]]).encode(self.encoding)

    def _written(self, text: str, *, quoted: bool) -> str:
        if quoted or any(sign in text for sign in (self.delimiter, '"', "\n", "\r")):
            return '"' + text.replace('"', '""') + '"'
        return text


def read_raw_table(path: Path) -> RawTable:
    """Read a table. Raises UsageError if it cannot be read, or if a quote is never closed."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from None
    bom, encoding = next((mark for mark in _BOMS if data.startswith(mark[0])), (b"", "utf-8"))
    try:
        text = data[len(bom) :].decode(encoding)
    except UnicodeDecodeError:
        if bom:
            raise UsageError(
                f"{path} is damaged: its text is not {encoding}. Export it again."
            ) from None
        # A byte for each character, so that every byte can be written back.
        encoding, text = "latin-1", data.decode("latin-1")
    delimiter = sniff_delimiter(text)
    return RawTable(text, bom, encoding, delimiter, tuple(_rows(path, text, delimiter)))


def _rows(path: Path, text: str, delimiter: str) -> list[tuple[Cell, ...]]:
    rows: list[tuple[Cell, ...]] = []
    row: list[Cell] = []
    position = 0
    # An unquoted cell ends at a delimiter or at the end of a line.
    unquoted = re.compile(rf"[^{re.escape(delimiter)}\r\n]*")
    while position < len(text):
        if text.startswith('"', position):
            cell = _quoted(path, text, position, unquoted)
        else:
            found = unquoted.match(text, position)
            assert found is not None
            cell = Cell(found[0], position, found.end())
        row.append(cell)
        position = cell.end
        if text.startswith(delimiter, position):
            position += 1
            if position == len(text):
                row.append(Cell("", position, position))
            continue
        position += 2 if text.startswith("\r\n", position) else 1
        if len(row) > 1 or row[0].text:
            rows.append(tuple(row))
        row = []
    if row:
        rows.append(tuple(row))
    return rows


def _quoted(path: Path, text: str, start: int, unquoted: re.Pattern[str]) -> Cell:
    """Return the cell in quotes that starts here. What follows the closing quote belongs to it."""
    position, parts = start + 1, []
    while True:
        end = text.find('"', position)
        if end < 0:
            line = text.count("\n", 0, start) + 1
            raise UsageError(
                f"{path}, line {line}: a quote is never closed. Export the file again."
            )
        parts.append(text[position:end])
        if not text.startswith('""', end):
            break
        parts.append('"')
        position = end + 2
    rest = unquoted.match(text, end + 1)
    assert rest is not None
    return Cell("".join(parts) + rest[0], start, rest.end())
