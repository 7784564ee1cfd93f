"""Make text that a student wrote safe to show, on a terminal, in a table and in a log.

without_invisible   no control characters, nothing that cannot be seen
clean_text          the same, limited, and equal in every run
one_line            the same in one line, for names
harmless_cell       no formula for a spreadsheet
without_numbers     no row of numbers, which may be hidden inputs
without_own_numbers  no number at all that is not in the student's source
without_commands    no command for the service that runs a workflow
first_of            the first of some texts, and how many more there are
named_lists         lists of names, each with what they have in common
nearest             which known name is meant by a misspelt one
utf8                as bytes, whatever is in it
"""

from __future__ import annotations

import difflib
import re
import sys
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterable, Iterator, Mapping

# Terminal sequences, control characters, and characters that change the direction of text, are invisible
# (Unicode's Default_Ignorable_Code_Point) or are no characters.
_CONTROL = re.compile(
    r"\x1b\[[0-9;?]*[ -/]*[@-~]|[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    r"\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_SCRATCH = re.compile(r"autograder-[a-z0-9_]{8}(?![a-z0-9_])")
_NOT_IN_A_PATH = " \t\n'\"()"
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,16}\b")
# A spreadsheet reads a cell that starts like this as a formula, also behind spaces and in full-width characters.
_FORMULA = ("=", "+", "-", "@")
# Where a cell starts: also within the text, if semicolons or tabs are taken for the separators.
_CELL_START = re.compile(r"(^[\t\r\n]?|[;\t\r\n])(\s*)(?=(\S?))")
# `::command::` of GitHub is read behind white space, `##[command]` and `##vso[...]` of GitHub and Azure anywhere.
_COMMAND = re.compile(r"(?:^|(?<=\r))[^\S\r\n]*:(?=:)|#(?=#(?:\[|vso\[|teamcity\[))", re.MULTILINE)
# More than four numbers in a row, as lists and tensors are written. The groups keep nothing to try again.
_NUMBER = r"(?>\d[\d_]*(?:\.\d*)?(?:[eE][-+]?\d+)?j?|nan|inf)(?!\w)"
_DIGITS = re.compile(r"\d+(?:\.\d+)?")
_IN_NAMES = ("1", "2", "3", "8", "16", "32", "64", "128")
# What no size of a small tensor is.
_NO_SIZE = re.compile(r"\d+\.\d+(?:e[-+]?\d+)?|\d{4,}")
_NUMBERS = re.compile(rf"(?<![\w.]){_NUMBER}(?>(?>(?:\W|tensor|array){{1,40}}){_NUMBER}){{4,}}")


def without_invisible(text: str) -> str:
    """Remove control characters and invisible characters, except line breaks and tabs."""
    return _CONTROL.sub("", text.replace("\r\n", "\n"))


def clean_text(text: str, limit: int = 2_000) -> str:
    """Remove control characters from a student's text and limit its length.

    Memory addresses and the worker's scratch folder are replaced, so that the text is the same in
    every run. A half of a surrogate pair, which no encoding can hold, becomes its escape.
    """
    text = _SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", without_invisible(text))
    text = _without_scratch(_ADDRESS.sub("0x...", text))
    return text if len(text) <= limit else text[:limit] + "..."


def one_line(text: str, limit: int = 100) -> str:
    """Clean a student's text, such as the name of a file or a function, and join it to one line."""
    return " ".join(clean_text(" ".join(text.split()), limit).split())


def without_numbers(text: str) -> str:
    """Replace each run of more than four numbers by an ellipsis."""
    return _NUMBERS.sub("...", text)


def numbers_written(source: str) -> frozenset[str]:
    """Return the numbers that stand in a source, and those in the names of dtypes and layers."""
    return frozenset([*_DIGITS.findall(source), *_IN_NAMES])


def without_own_numbers(text: str, written: Container[str], *, sizes: bool = False) -> str:
    """Replace each number that was not written by a question mark: the student's code may have put it there.

    With `sizes`, a whole number of at most three digits stays.
    """
    pattern = _NO_SIZE if sizes else _DIGITS
    return pattern.sub(lambda found: found[0] if found[0] in written else "?", text)


def harmless_cell(text: str) -> str:
    """Put an apostrophe before text that a spreadsheet would read as a formula."""
    return _CELL_START.sub(_without_formula, text)


def _without_formula(start: re.Match[str]) -> str:
    before, spaces, sign = start.groups()
    formula = unicodedata.normalize("NFKC", sign).startswith(_FORMULA)
    if start.start() == 0:  # some spreadsheets skip a line break or a tab here
        return f"'{before}{spaces}" if formula or before else spaces
    return f"{before}'{spaces}" if formula else f"{before}{spaces}"


def without_commands(text: str) -> str:
    """Break up the commands that a workflow service would execute from its log."""
    return _COMMAND.sub(lambda found: f"{found[0]} ", text)


def first_of(texts: Iterable[str], most: int, between: str = ", ") -> str:
    """Return the first texts, and how many more there are."""
    listed = list(texts)
    more = f" and {len(listed) - most} more" if len(listed) > most else ""
    return between.join(listed[:most]) + more


def named_lists(lists: Mapping[str, Collection[str]], most: int = sys.maxsize) -> Iterator[str]:
    """Yield each list of names that is not empty in one line: its words, how many there are, and the first of them."""
    for words, names in lists.items():
        if names:
            yield f"{words} ({len(names)}): {first_of(map(one_line, names), most)}."


def utf8(text: str) -> bytes:
    """Return the text as UTF-8. Half surrogate pairs, which it cannot hold, become escapes."""
    return text.encode("utf-8", "backslashreplace")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a sentence with the name that may be meant; empty if none is near."""
    close = difflib.get_close_matches(name, list(known), n=1)
    return f"Did you mean {one_line(close[0])!r}?" if close else ""


def nearest(name: str, known: Iterable[str]) -> str:
    """Return a sentence with the name that may be meant, or with all known names."""
    names = list(known)
    listed = ", ".join(map(one_line, names)) or "none"
    return did_you_mean(name, names) or f"There is: {listed}."


def _without_scratch(text: str) -> str:
    """Replace paths to the scratch folder.

    A regular expression for the whole path would take quadratic time on a very long word.
    """
    *paths, rest = _SCRATCH.split(text)
    kept = [path[: max(map(path.rfind, _NOT_IN_A_PATH)) + 1] for path in paths]
    return "(scratch)".join([*kept, rest])
