"""Tables that people and platforms export, in any encoding and with any delimiter: read, or filled cell by cell.

A filled table differs in the filled cells only: encoding (UTF-8 with or without a byte-order mark, UTF-16, or Windows'
Latin alphabet), delimiter, quotes and ends of lines are kept.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from autograder.errors import UsageError
from autograder.submission.decode import byte_order_mark

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from pathlib import Path

MAX_TABLE = 64 * 1024 * 1024
_DELIMITERS = ",;\t"
# Latin-1 has a character for each byte, so that every byte can be written back.
_WITHOUT_BOM = ("utf-8", "cp1252", "latin-1")
_ID_BEHIND = re.compile(r"(?<=[a-z])(?=I[dD]\b)")
_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?")


@dataclass(frozen=True)
class Row:
    """A line of a table.

    Attributes:
        line: the number of its last line in the file.
        cells: the texts, without quotes and without spaces around them.
        place: where it begins and ends in the text of the file, with the end of the line.
    """

    line: int
    cells: tuple[str, ...]
    place: tuple[int, int]

    def at(self, column: int) -> str:
        """Return the text in a column; empty if the row ends before it."""
        return self.cells[column] if column < len(self.cells) else ""


@dataclass(frozen=True)
class Table:
    """A table, with what is needed to write it again.

    Attributes:
        bom: the byte-order mark, or empty bytes.
        encoding: the encoding of the bytes behind it.
        text: these bytes.
        rows: the lines that are not empty; the first one has the titles.
    """

    bom: bytes
    encoding: str
    delimiter: str
    text: str
    rows: tuple[Row, ...]

    @property
    def heads(self) -> tuple[str, ...]:
        """Return the titles of the columns, as they are written."""
        return self.rows[0].cells if self.rows else ()

    @cached_property
    def titles(self) -> list[str]:
        """Return the titles, normalised for comparison: lower case, single spaces, NFC. `StudentID` is two words."""
        heads = (_ID_BEHIND.sub(" ", unicodedata.normalize("NFC", title)) for title in self.heads)
        return [" ".join(title.lower().replace("_", " ").split()) for title in heads]

    @property
    def body(self) -> dict[int, Row]:
        """Return the other rows by their numbers."""
        return {number: row for number, row in enumerate(self.rows) if number}

    def texts(self, row: Row, titles: Collection[str]) -> list[str]:
        """Return the texts of a row in the columns with one of these titles."""
        cells = zip(self.titles, row.cells, strict=False)
        return [text for title, text in cells if title in titles]

    def with_cells(self, changes: Mapping[tuple[int, int], str]) -> bytes:
        """Return the file's bytes with new texts in some cells, by row and column.

        A row that ends before a column gets empty cells up to it.
        """
        rows: dict[int, dict[int, str]] = {}
        for (row, column), text in changes.items():
            rows.setdefault(row, {})[column] = text
        parts, end = [], 0
        for number, cells in sorted(rows.items()):
            begin, after = self.rows[number].place
            parts += [self.text[end:begin], self._filled(self.text[begin:after], cells)]
            end = after
        return self.bom + "".join([*parts, self.text[end:]]).encode(self.encoding)

    def _filled(self, row: str, cells: Mapping[int, str]) -> str:
        """Return a row with new texts in some cells. A cell in quotes gets new ones."""
        line = row.rstrip("\r\n")
        field = re.compile(
            rf'(?:^|{self.delimiter})("(?:[^"]|"")*"|[^{self.delimiter}]*)', re.DOTALL
        )
        fields = [found[1] for found in field.finditer(line)]
        fields += [""] * (max(cells) + 1 - len(fields))
        for column, text in cells.items():
            quoted = fields[column].startswith('"') or not {self.delimiter, '"', "\n"}.isdisjoint(
                text
            )
            fields[column] = '"{}"'.format(text.replace('"', '""')) if quoted else text
        return self.delimiter.join(fields) + row[len(line) :]


def read_table(path: Path) -> Table:
    """Read a table. Raises UsageError if it cannot be read, such as with a quote that is never closed."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from None
    if len(data) > MAX_TABLE:
        raise UsageError(
            f"{path} is larger than {MAX_TABLE // 1024**2} MB, so it is no table of a class."
        )
    bom, marked = byte_order_mark(data)
    for encoding in (marked,) if bom else _WITHOUT_BOM:
        try:
            text = data[len(bom) :].decode(encoding)
        except UnicodeDecodeError:
            continue
        delimiter = sniff_delimiter(text)
        return Table(bom, encoding, delimiter, text, tuple(_rows(path, text, delimiter)))
    raise UsageError(f"{path} is damaged: its text is not {marked}. Export it again.")


def _rows(path: Path, text: str, delimiter: str) -> Iterator[Row]:
    file = io.StringIO(text, newline="")
    reader = csv.reader(iter(file.readline, ""), delimiter=delimiter, strict=True)
    line, begin = 1, 0
    try:
        for texts in reader:
            row = Row(reader.line_num, tuple(map(str.strip, texts)), (begin, file.tell()))
            if any(row.cells):
                yield row
            line, begin = reader.line_num + 1, file.tell()
    except csv.Error as error:
        raise UsageError(f"{path}, line {line}: {error}. Export the file again.") from None


def sniff_delimiter(text: str) -> str:
    """Return the delimiter of the first line: the one that stands there most often, outside of quotes."""
    line = re.sub(r'"(?:[^"]|"")*"?', "", next(iter(text.splitlines()), ""))
    return max(_DELIMITERS, key=line.count)


def parse_number(text: str) -> float | None:
    """Return the number that a cell holds, with a decimal point or comma; None if it holds none."""
    text = text.strip()
    return float(text.replace(",", ".")) if _NUMBER.fullmatch(text) else None
