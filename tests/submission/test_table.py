"""Single cells of any table change, and every other one stays."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.errors import UsageError
from autograder.submission.table import read_table

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.unit

ENCODINGS = {"utf-8": b"", "utf-8-sig": b"", "utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}
# Cells as people and platforms write them, with what makes tables hard to read.
TEXTS = st.text(st.sampled_from("ab é李\"',;\t\n\r.0-()"), max_size=8)
TABLES = st.lists(st.lists(TEXTS, min_size=2, max_size=5), min_size=1, max_size=6)


def dump(rows: list[list[str]], delimiter: str, ends: str, quoting: Literal[0, 1]) -> str:
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter, lineterminator=ends, quoting=quoting)
    writer.writerows(rows)
    return text.getvalue()


def parse(text: str, delimiter: str) -> dict[int, list[str]]:
    """Return the rows that are not empty, by their last lines."""
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    by_line = dict((rows.line_num, [cell.strip() for cell in row]) for row in rows)  # noqa: C402
    return {line: row for line, row in by_line.items() if any(row)}


@settings(max_examples=60, deadline=None)
@given(
    table=TABLES,
    delimiter=st.sampled_from(",;\t"),
    ends=st.sampled_from(["\n", "\r\n"]),
    encoding=st.sampled_from(sorted(ENCODINGS)),
    quoting=st.sampled_from((csv.QUOTE_MINIMAL, csv.QUOTE_ALL)),
    new=st.sampled_from(["", "17.5", "12,5", "0"]),
    data=st.data(),
)
def test_a_standard_parser_reads_the_new_cells_and_every_old_one(
    tmp_path_factory: pytest.TempPathFactory,
    table: list[list[str]],
    delimiter: str,
    ends: str,
    encoding: str,
    quoting: Literal[0, 1],
    new: str,
    data: st.DataObject,
) -> None:
    head = ["Student", "ID", "Mark"]
    text = dump([head, *table], delimiter, ends, quoting)
    path = tmp_path_factory.mktemp("table") / "gradebook.csv"
    path.write_bytes(ENCODINGS[encoding] + text.encode(encoding))
    raw = read_table(path)
    by_line = parse(text, delimiter)
    assert raw.delimiter == delimiter
    assert {row.line: [*row.cells] for row in raw.rows} == by_line
    rows = [*by_line.values()]

    chosen = (
        data.draw(st.sets(st.integers(1, len(rows) - 1), max_size=3)) if len(rows) > 1 else set()
    )
    changed = raw.with_cells({(row, 2): new for row in chosen})
    for row in chosen:
        rows[row] += [""] * (3 - len(rows[row]))
        rows[row][2] = new
    assert changed.startswith(raw.bom)
    again = parse(changed[len(raw.bom) :].decode(raw.encoding), delimiter)
    assert [*again.values()] == [row for row in rows if any(row)]


def test_what_is_around_a_cell_stays(tmp_path: Path) -> None:
    path = tmp_path / "gradebook.csv"
    before = b'\xef\xbb\xbfStudent,ID,"Mark"\r\n\r\n"Doe, ""J""",2,\r\nshort,3\r\nlatin,4,9 '
    path.write_bytes(before)
    raw = read_table(path)
    assert raw.rows[3].cells == ("latin", "4", "9")
    assert raw.with_cells({(1, 2): "5.5", (2, 2): "6"}) == (
        b'\xef\xbb\xbfStudent,ID,Mark\r\n"Doe, ""J""",2,5.5\r\nshort,3,6\r\nlatin,4,9 \r\n'
    )


def test_text_that_is_not_utf8_keeps_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "gradebook.csv"
    for encoding, note in (("cp1252", "\N{EURO SIGN}"), ("latin-1", "\x81")):  # cp1252 has no 81
        path.write_bytes(f"Name;Note\nMüller;{note}\n".encode(encoding))
        table = read_table(path)
        assert table.rows[1].cells == ("Müller", note)
        assert table.with_cells({(1, 1): "1,5"}) == "Name;Note\r\nMüller;1,5\r\n".encode("latin-1")
        assert table.with_cells({}) == path.read_bytes().replace(b"\n", b"\r\n")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b'a,b\n1,2\n"open,3\n4,5\n', "line 3: unexpected end of data"),
        (b"\xef\xbb\xbfName;Note\nM\xfcller;1\n", "is damaged: its text is not utf-8"),
    ],
)
def test_a_damaged_table_is_refused(tmp_path: Path, data: bytes, words: str) -> None:
    path = tmp_path / "gradebook.csv"
    path.write_bytes(data)
    with pytest.raises(UsageError, match=words):
        read_table(path)
