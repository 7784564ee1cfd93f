"""Tables that people and platforms export, in any encoding and with any delimiter: read, or filled cell by cell.

The encoding (UTF-8 with or without a byte-order mark, UTF-16, or Windows' Latin alphabet), the delimiter, the ends of
lines and the quotes of all cells that do not change are kept.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from autograder.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from pathlib import Path

MAX_TABLE = 64 * 1024 * 1024
_DELIMITERS = ",;\t"
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Latin-1 has a character for each byte, so that every byte can be written back.
_WITHOUT_BOM = ("utf-8", "cp1252", "latin-1")
# A cell's text in quotes, what follows them up to the end of the cell, and the sign that ends it.
_CELL = r'(?:"((?:[^"]|"")*+)")?([^%s\r\n]*)(\r\n|[%s\r\n]|\Z)'
_LINE_END = re.compile(r"\r\n|\r|\n")
_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?")


@dataclass(frozen=True)
class Row:
    """A line of a table.

    Attributes:
        line: the number of its last line in the file.
        cells: the texts, without quotes and without spaces around them.
        places: where each cell begins and ends in the file's text, with its quotes.
    """

    line: int
    cells: tuple[str, ...]
    places: tuple[tuple[int, int], ...]

    def at(self, column: int) -> str:
        """Return the text in a column; empty if the row ends before it."""
        return self.cells[column] if column < len(self.cells) else ""


@dataclass(frozen=True)
class Table:
    """A table with the text of its file.

    Attributes:
        bom: the byte-order mark, or empty bytes.
        encoding: the encoding of the bytes behind it.
        rows: the lines that are not empty; the first one has the titles.
    """

    text: str
    bom: bytes
    encoding: str
    delimiter: str
    rows: tuple[Row, ...]

    @property
    def heads(self) -> tuple[str, ...]:
        """Return the titles of the columns, as they are written."""
        return self.rows[0].cells if self.rows else ()

    @cached_property
    def titles(self) -> list[str]:
        """Return the titles, normalised for comparison: lower case, single spaces, NFC."""
        return [
            " ".join(unicodedata.normalize("NFC", title).lower().replace("_", " ").split())
            for title in self.heads
        ]

    @property
    def body(self) -> dict[int, Row]:
        """Return the other rows by their numbers."""
        return {number: row for number, row in enumerate(self.rows) if number}

    def texts(self, row: Row, titles: Collection[str], before: int | None = None) -> list[str]:
        """Return the texts of a row in the columns with one of these titles, `before` a column if it is given."""
        cells = zip(self.titles, row.cells[:before], strict=False)
        return [text for title, text in cells if title in titles]

    def with_cells(self, changes: Mapping[tuple[int, int], str]) -> bytes:
        """Return the file's bytes with new texts in some cells, by row and column.

        A row that ends before a column gets empty cells up to it.
        """
        edits: list[tuple[int, int, str]] = []
        for (row, column), text in changes.items():
            places = self.rows[row].places
            if column < len(places):
                start, end = places[column]
                was_quoted = self.text.startswith('"', start)
                edits.append((start, end, self._written(text, quoted=was_quoted)))
            elif text:
                missing = self.delimiter * (column - len(places) + 1)
                end = places[-1][1]
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


def read_table(path: Path) -> Table:
    """Read a table. Raises UsageError if it cannot be read, or if a quote is never closed."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from None
    if len(data) > MAX_TABLE:
        raise UsageError(
            f"{path} is larger than {MAX_TABLE // 1024**2} MB, so it is no table of a class."
        )
    bom, marked = next((mark for mark in _BOMS if data.startswith(mark[0])), (b"", ""))
    for encoding in (marked,) if bom else _WITHOUT_BOM:
        try:
            text = data[len(bom) :].decode(encoding)
        except UnicodeDecodeError:
            continue
        delimiter = sniff_delimiter(text)
        return Table(text, bom, encoding, delimiter, tuple(_rows(path, text, delimiter)))
    raise UsageError(f"{path} is damaged: its text is not {marked}. Export it again.")


def _rows(path: Path, text: str, delimiter: str) -> Iterator[Row]:
    cells: list[str] = []
    places: list[tuple[int, int]] = []
    line, start = 1, 0
    for found in re.finditer(_CELL % (delimiter, delimiter), text):
        quoted, rest, sign = found.groups()
        if quoted is None and rest.startswith('"'):
            line += len(_LINE_END.findall(text, start, found.start()))
            raise UsageError(
                f"{path}, line {line}: a quote is never closed. Export the file again."
            )
        cells.append(((quoted or "").replace('""', '"') + rest).strip())
        places.append((found.start(), found.end(2)))
        if sign == delimiter:
            continue
        line += len(_LINE_END.findall(text, start, found.end(2)))
        if any(cells):
            yield Row(line, tuple(cells), tuple(places))
        line, start = line + 1, found.end()
        cells, places = [], []


def sniff_delimiter(text: str) -> str:
    """Return the delimiter of the first line: the one that stands there most often, outside of quotes."""
    line = re.sub(r'"(?:[^"]|"")*"?', "", next(iter(text.splitlines()), ""))
    return max(_DELIMITERS, key=line.count)


def parse_number(text: str) -> float | None:
    """Return the number that a cell holds, with a decimal point or comma; None if it holds none."""
    text = text.strip()
    return float(text.replace(",", ".")) if _NUMBER.fullmatch(text) else None
