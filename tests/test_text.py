from __future__ import annotations

import unicodedata

import pytest

from autograder.text import (
    clean_text,
    harmless_cell,
    one_line,
    without_commands,
    without_invisible,
    without_numbers,
)

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\u061cb\u180ec\ufff9d\ufffb", "abcd"),  # direction, vowel separator, annotations
        ("a\U000e0041\U000e007fb", "ab"),  # tags
        ("a\xad\u034f\u3164\ufe0f\U000e0100b", "ab"),  # seen by nobody
        ("\ufffe\uffff", ""),  # no characters, and no XML holds them
        ("m\udcfcller \ud800", "m\\udcfcller \\ud800"),
        ("\x1b[31mred\x1b[0m \x1b[2J\x1b[1;1Hgone\x1b\x1b", "red gone"),
        ("a\x00b\x07c\x7fd\x85e", "abcde"),
        ("one\r\ntwo\rthree\n\tfour", "one\ntwothree\n\tfour"),
        ("\u202egrade: 20\u2066", "grade: 20"),
        ("<Linear object at 0x7f3a2c01d5e0>", "<Linear object at 0x...>"),
        ("mask 0xff, sum 0x10", "mask 0xff, sum 0x10"),
        ("open('/tmp/autograder-ab12_x9z/a.txt')", "open('(scratch)/a.txt')"),
        ("C:\\T\\autograder-ab12cd34 /tmp/autograder-ab12cd34.", "(scratch) (scratch)."),
        ("autograder-of-students, my/autograder-ab12cd345",) * 2,
        ("naïve 日本 א ب 🎉", "naïve 日本 א ب 🎉"),
    ],
)
def test_what_cannot_be_seen_is_removed(text: str, shown: str) -> None:
    assert clean_text(text) == shown
    shown.encode("utf-8")


def test_a_long_text_is_cut_and_says_so() -> None:
    assert clean_text("x" * 100, limit=10) == "x" * 10 + "..."
    assert clean_text("x" * 10, limit=10) == "x" * 10


def test_no_format_character_but_visible_ones_remains() -> None:
    visible = ("ARABIC", "SYRIAC", "KAITHI", "EGYPTIAN")
    every = "".join(map(chr, range(0x110000)))
    left = [char for char in without_invisible(every) if unicodedata.category(char) in ("Cf", "Cc")]
    odd = [char for char in left if not unicodedata.name(char, "").startswith(visible)]
    assert set(odd) == {"\t", "\n"}


def test_a_name_is_one_line() -> None:
    assert one_line(" a\nb\r\nc\u2028d\x85e\tf ") == "a b c d e f"
    assert one_line("x" * 200) == "x" * 100 + "..."


# Also as full-width, small, raised and lowered characters.
SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u207a\u208c"


def test_a_formula_is_text() -> None:
    formulas = [
        f"{before}{sign}1+1" for before in ("", " ", "\u3000", "\t", "\r", "\n ") for sign in SIGNS
    ]
    assert [one for one in formulas if harmless_cell(one) != f"'{one}"] == []


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("a;=1", "a;'=1"),
        ("a\t=1", "a\t'=1"),
        ("a\n =1", "a\n' =1"),
        ("\tx", "'\tx"),
        *((same, same) for same in ("O'Brien, Zoë", 'the "best"', "a=b, c-d; e", "")),
    ],
)
def test_only_formulas_are_changed(text: str, cell: str) -> None:
    assert harmless_cell(text) == cell


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("::error::x", ": :error::x"),
        ("a\r::error::x", "a\r: :error::x"),
        ("a\n  ::add-mask::x", "a\n  : :add-mask::x"),
        ("x ##[error]y ##vso[task]", "x # #[error]y # #vso[task]"),
        ("##teamcity[x]", "# #teamcity[x]"),
        ("x[::2] a::b\n## A title\n# x", "x[::2] a::b\n## A title\n# x"),
    ],
)
def test_a_line_of_a_log_is_no_command(text: str, shown: str) -> None:
    assert without_commands(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[[0.1, -2e-05], [nan, 4], [5.]]", "[[...]]"),
        ("1\n2\n3\n4\n5\n", "...\n"),
        ("[1, 2, 3, 4, 5] 7f3a", "[...] 7f3a"),
        *(
            (same, same)
            for same in (
                "mat1 and mat2 shapes cannot be multiplied (3x5 and 4x2)",
                "[1, 2, 3, 4]",
                "v1.2.3.4.5.6",
                "1 nancy 2 infinite 3 4 5 names",
            )
        ),
    ],
)
def test_a_row_of_numbers_is_replaced(text: str, shown: str) -> None:
    assert without_numbers(text) == shown


@pytest.mark.large
def test_a_long_text_takes_linear_time() -> None:
    """What took quadratic time would not end here."""
    pieces = [*" \n#:;\t", "\n ::", "#[", "a ", "\x1b[1;", "\r ", "0xf", "/autograder-"]
    for piece in pieces:
        for change in (harmless_cell, without_commands, one_line, clean_text):
            change(piece * 100_000)
