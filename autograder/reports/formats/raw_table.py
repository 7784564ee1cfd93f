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
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# A cell's text in quotes, what follows them up to the end of the cell, and the sign that ends it.
_CELL = r'(?:"((?:[^"]|"")*+)")?([^%s\r\n]*)(\r\n|[%s\r\n]|\Z)'


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
    def titles(self) -> list[str]:
        """Return the texts of the first row."""
        return [cell.text for row in self.rows[:1] for cell in row]

    @property
    def body(self) -> dict[int, Sequence[Cell]]:
        """Return the other rows by their numbers."""
        return dict(enumerate(self.rows[1:], start=1))

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


def text_at(row: Sequence[Cell], column: int) -> str:
    """Return the text of a cell without spaces around it; empty if the row ends before the column."""
    return row[column].text.strip() if column < len(row) else ""


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


def _rows(path: Path, text: str, delimiter: str) -> Iterator[tuple[Cell, ...]]:
    row: list[Cell] = []
    for found in re.finditer(_CELL % (delimiter, delimiter), text):
        quoted, rest, sign = found.groups()
        if quoted is None and rest.startswith('"'):
            line = text.count("\n", 0, found.start()) + 1
            raise UsageError(
                f"{path}, line {line}: a quote is never closed. Export the file again."
            )
        row.append(Cell((quoted or "").replace('""', '"') + rest, found.start(), found.end(2)))
        if sign != delimiter:
            if len(row) > 1 or row[0].text:
                yield tuple(row)
            row = []
