"""Decode the bytes of a student's file: by its byte-order mark, its `# coding:` line, else as UTF-8."""

from __future__ import annotations

import codecs
import re

from autograder.errors import Rejected
from autograder.text import one_line

_MARKS = (  # UTF-32 LE begins with the mark of UTF-16 LE
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(rb"[ \t\f]*#[^\r\n]{0,200}?coding[:=][ \t]*([-\w.]{1,40})")
_BLANK = re.compile(rb"[ \t\f]*(?:#|$)")
_LINE_END = re.compile(rb"\r\n|\r|\n")
# Encodings of text. Some others of Python take quadratic time, or are no text at all.
_TEXT = re.compile(
    r"utf-8|ascii|iso8859-\d+|cp\d+|mac-\w+|koi8-\w|gbk|gb2312|gb18030|big5\w*|shift_jis\w*|euc_\w+"
)
_WINDOWS = "cp1252"
# The first bytes of files that are no text, and what such files are.
_KINDS = (
    (b"%PDF", "a PDF file"),
    (b"PK\x03\x04", "a zip, Word or Excel file"),
    (b"\xd0\xcf\x11\xe0", "a Word or Excel file"),
    (b"{\\rtf", "a text with formatting (RTF), as word processors write it"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
)
_WEB_PAGE = re.compile(rb"\s{0,100}<(?:!doctype html|html)\b", re.IGNORECASE)
_SAVE_AGAIN = (
    "Save it as UTF-8 and hand it in again (VS Code: click the encoding at the bottom right, then "
    '"Save with Encoding", "UTF-8"; Notepad: "Save as", encoding "UTF-8").'
)


def source_text(name: str, data: bytes) -> str:
    """Return the text of a file, with newlines as line ends.

    Raises Rejected, with a message for the student, if the bytes are no text.
    """
    return decoded(name, data)[0].replace("\r\n", "\n").replace("\r", "\n")


def decoded(name: str, data: bytes) -> tuple[str, bytes, str]:
    """Return the text of a file as it is, its byte-order mark and its encoding. Raises Rejected like `source_text`."""
    shown = f"`{one_line(name)}`"
    _refuse_other_kinds(shown, data)
    declared = _declared(shown, data)
    mark, marked = byte_order_mark(data)
    encoding = marked or declared
    data = data.removeprefix(mark)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise Rejected(_undecodable(shown, data, error)) from None
    if "\0" in text:
        raise Rejected(_null_bytes(shown, text))
    return text, mark, encoding


def byte_order_mark(data: bytes) -> tuple[bytes, str]:
    """Return the byte-order mark before a text, and the encoding that it stands for; both empty if there is none."""
    return next((mark for mark in _MARKS if data.startswith(mark[0])), (b"", ""))


def _refuse_other_kinds(shown: str, data: bytes) -> None:
    kind = next((kind for start, kind in _KINDS if data.startswith(start)), "")
    if kind:
        raise Rejected(
            f"{shown} is {kind}, not Python text; another ending in its name does not change that. "
            "Hand in the Python file or the notebook itself."
        )
    if _WEB_PAGE.match(data):
        raise Rejected(
            f"{shown} is a web page (HTML), not Python text. If you saved it from GitHub, use the "
            'button "Download raw file". Hand in the Python file or the notebook itself.'
        )


def _declared(shown: str, data: bytes) -> str:
    """Return the encoding of the `# coding:` line, one of the first two lines; else UTF-8."""
    for line in _LINE_END.split(data[:1000], 2)[:2]:
        found = _DECLARED.match(line)
        if found:
            return _known(shown, found[1].decode())
        if not _BLANK.match(line):
            break
    return "utf-8"


def _known(shown: str, declared: str) -> str:
    try:
        encoding = codecs.lookup(declared).name
    except LookupError:
        encoding = ""
    if encoding == "utf-8-sig":
        return "utf-8"
    if _TEXT.fullmatch(encoding):
        return encoding
    raise Rejected(
        f"{shown} says in its first lines that its encoding is `{one_line(declared)}`, which is not an "
        f"encoding of Python text. Delete that line. {_SAVE_AGAIN}"
    )


def _undecodable(shown: str, data: bytes, error: UnicodeDecodeError) -> str:
    """Say where the first byte is that is not in the encoding, and how to save the file."""
    before = _LINE_END.split(data[: error.start])
    column = len(before[-1].decode(error.encoding, "replace")) + 1
    if error.encoding.startswith(("utf-16", "utf-32")):
        what = f"starts like {error.encoding[:6].upper()} text, but its end is cut off or damaged"
        return f"{shown} {what}. {_SAVE_AGAIN}"
    byte = data[error.start : error.start + 1]
    meant = byte.decode(_WINDOWS, "replace")
    probably = (
        f", perhaps `{meant}` in an older encoding"
        if meant.isprintable() and meant != "\N{REPLACEMENT CHARACTER}"
        else ""
    )
    encoding = {"utf-8": "UTF-8"}.get(error.encoding, f"`{error.encoding}`")
    return (
        f"{shown} is not {encoding} text: line {len(before)}, column {column} "
        f"has the byte {byte.hex()}{probably}. {_SAVE_AGAIN}"
    )


def _null_bytes(shown: str, text: str) -> str:
    before = re.split(r"\r\n|\r|\n", text[: text.index("\0")])
    place = f"line {len(before)}, column {len(before[-1]) + 1}"
    if text.count("\0") * 3 > len(text):
        return (
            f"{shown} has null bytes from {place} on: it is probably UTF-16 text without a "
            f"byte-order mark. {_SAVE_AGAIN}"
        )
    return (
        f"{shown} has a null byte in {place}, so it is not Python text. Delete what stands there, "
        "or copy the text into a new file, and hand it in again."
    )
