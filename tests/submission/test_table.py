"""Single cells of any table change, and every other one stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from autograder.errors import UsageError
from autograder.submission.table import read_table

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.unit


def test_what_is_around_a_cell_stays(tmp_path: Path) -> None:
    path = tmp_path / "gradebook.csv"
    before = b'\xef\xbb\xbfStudent,ID,"Mark"\r\n,,\r\n"Doe, ""J""",2,\r\nshort,3\r\nlatin,4,9 '
    path.write_bytes(before)
    raw = read_table(path)
    assert raw.rows[3].cells == ("latin", "4", "9")
    assert raw.with_cells({(1, 2): "5.5", (2, 2): "6"}) == (
        b'\xef\xbb\xbfStudent,ID,"Mark"\r\n,,\r\n"Doe, ""J""",2,5.5\r\nshort,3,6\r\nlatin,4,9 '
    )


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_all_other_bytes_stay_as_they_are(tmp_path: Path, end: str, delimiter: str) -> None:
    """Quotes that are needed and quotes that are not, lines in a cell, empty lines, spaces, and no end at the end."""
    rows = [
        ["Name", '"Mark"', "Note", '"ID"'],
        [f'"a{delimiter}b"', '""', ' x"y" ', '"1""2"'],
        [],
        ['""', "@", f'"two{end}lines, ""x"""', ""],
        ["short"],
        ["", '"@"', " ", f'"{end}"'],
        ["last", "@", '"q"', "z"],
    ]
    form = end.join(delimiter.join(row) for row in rows)
    path = tmp_path / "table.csv"
    path.write_bytes(form.encode())
    table = read_table(path)
    numbers = [number for number, row in table.body.items() if row.at(1) == "@"]
    assert len(numbers) == 3
    assert (
        table.with_cells({(number, 1): "2" for number in numbers})
        == form.replace("@", "2").encode()
    )
    odd = table.with_cells({(numbers[0], 1): f'1{delimiter}"5'})
    assert odd == form.replace("@", f'"1{delimiter}""5"', 1).encode()
    path.write_bytes(odd)
    assert read_table(path).rows[numbers[0]].at(1) == f'1{delimiter}"5'


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16-le", "utf-16-be"])
def test_each_encoding_is_read_and_kept(tmp_path: Path, encoding: str) -> None:
    mark = "" if encoding.startswith("utf-8") else "\ufeff"
    form = mark + '"Name, first, last,\tor both"\tMark\r\n"é\r\n李, ""x"""\t{}\r\nb\t1\r\n'
    path = tmp_path / "gradebook.csv"
    path.write_bytes(form.format("").encode(encoding))
    table = read_table(path)
    assert [row.cells for row in table.rows[1:]] == [('é\r\n李, "x"', ""), ("b", "1")]
    assert table.with_cells({}) == path.read_bytes()
    assert table.with_cells({(1, 1): "17.5"}) == form.format("17.5").encode(encoding)


def test_text_that_is_not_utf8_keeps_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "gradebook.csv"
    for encoding, note in (("cp1252", "\N{EURO SIGN}"), ("latin-1", "\x81")):  # cp1252 has no 81
        path.write_bytes(f"Name;Note\nMüller;{note}\n".encode(encoding))
        table = read_table(path)
        assert table.rows[1].cells == ("Müller", note)
        assert table.with_cells({(1, 1): "1,5"}) == "Name;Note\nMüller;1,5\n".encode("latin-1")
        assert table.with_cells({}) == path.read_bytes()


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
