"""Read tables that people and platforms export: any encoding, delimiter and decimal sign."""

from __future__ import annotations

import codecs
import csv
import io
import re
import unicodedata
from typing import TYPE_CHECKING

from autograder.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

MAX_TABLE = 64 * 1024 * 1024
_DELIMITERS = ",;\t"
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?")


def decode_table(path: Path) -> str:
    """Return the text of a table in UTF-8 or UTF-16, or else in Windows' Latin alphabet.

    Raises UsageError if the file cannot be read.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from None
    if len(data) > MAX_TABLE:
        raise UsageError(
            f"{path} is larger than {MAX_TABLE // 1024**2} MB, so it is no table of a class."
        )
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return data.decode(encoding, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def read_rows(path: Path) -> list[tuple[int, list[str]]]:
    """Return the rows of a table that are not empty, each with the number of its last line.

    Raises UsageError if the file cannot be read as a table.
    """
    text = decode_table(path)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=sniff_delimiter(text))
    try:
        return [
            (rows.line_num, [cell.strip() for cell in row])
            for row in rows
            if any(cell.strip() for cell in row)
        ]
    except csv.Error as error:
        raise UsageError(f"{path}, line {rows.line_num}: this is no table ({error}).") from None


def sniff_delimiter(text: str) -> str:
    """Return the delimiter of the first line: the one that stands there most often, outside of quotes."""
    line = re.sub(r'"(?:[^"]|"")*"?', "", next(iter(text.splitlines()), ""))
    return max(_DELIMITERS, key=line.count)


def column_titles(row: Iterable[str]) -> list[str]:
    """Return the titles of a table's columns, normalised for comparison: lower case, single spaces, NFC."""
    return [
        " ".join(unicodedata.normalize("NFC", title).lower().replace("_", " ").split())
        for title in row
    ]


def parse_number(text: str) -> float | None:
    """Return the number that a cell holds, with a decimal point or comma; None if it holds none."""
    text = text.strip()
    return float(text.replace(",", ".")) if _NUMBER.fullmatch(text) else None
