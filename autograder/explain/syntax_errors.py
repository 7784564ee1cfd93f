"""Say in plain words why Python cannot read a line, and what to do. Knows the messages of Python 3.11 and later."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from autograder.python_source import code_of, open_brackets

if TYPE_CHECKING:
    from autograder.results import StudentError

SYNTAX_ERRORS = frozenset({"SyntaxError", "IndentationError", "TabError", "_IncompleteInputError"})

_CLOSING = {"(": ")", "[": "]", "{": "}"}
_OPENING = {closing: opening for opening, closing in _CLOSING.items()}
# Python says this of `f((x, dim=-1)` too.
_COMPARE = r"[Mm]aybe you meant '=='"
_BRACKETS = "Count the brackets in this line."
_QUOTES = "A string begins and ends with the same quotes."
_ALIGN = "Lines of one block begin in the same column, four spaces for each level."

# For each message: what is wrong, and what to do. {0}, {1}, ... are the groups.
_KNOWN = (
    (r"'([(\[{])' was never closed", "a `{0}` has no `{closing}`", _BRACKETS),
    (r"unmatched '([)\]}])'", "a `{0}` has no `{opening}` before it", _BRACKETS),
    (
        r"closing parenthesis '(.)' does not match opening parenthesis '(.)'",
        "a `{1}` is closed by `{0}`",
        "Brackets close in the order in which they open, each by its own kind.",
    ),
    (
        r"unterminated (?:f-string|triple-quoted)|EOF while scanning triple-quoted",
        "a string has no end",
        f"{_QUOTES} One that begins with three quotes ends with three.",
    ),
    (r"unterminated string literal|EOL while scanning", "a string has no end in its line", _QUOTES),
    (
        r"expected ':'",
        "a `:` is missing",
        "Lines that begin with def, class, if, for or with end with a colon.",
    ),
    (
        r"expected an indented block after (.{1,80}?) on line (\d+)",
        "the {0} in line {1} has no indented lines below it",
        "Indent its lines by four spaces, and write something there: `pass` does nothing.",
    ),
    (
        r"unexpected indent",
        "it is indented further than the line above it",
        f"{_ALIGN} A line that belongs to no block begins in the first column.",
    ),
    (
        r"unindent does not match any outer indentation level",
        "it is indented less than the line above it, and like no block before it",
        _ALIGN,
    ),
    (
        r"inconsistent use of tabs and spaces",
        "tabs and spaces are mixed in front of the lines",
        "Let your editor convert tabs to spaces, and use four spaces for each level.",
    ),
    (
        r"invalid character '(.)' \(U\+(?:201[89A-F]|00AB|00BB)\)",
        "`{0}` is a quotation mark of printed text, not of Python",
        "Type the quotes anew as ' or \".",
    ),
    (
        r"invalid character '(.)' \(U\+(\w+)\)",
        "the character `{0}` is not one of Python's",
        "Type it anew: text copied from a document may hold a sign that only looks right.",
    ),
    (
        r"invalid non-printable character U\+(\w+)",
        "it holds an invisible character (U+{0})",
        "Delete the spaces in this line and type them anew.",
    ),
    (
        r"Missing parentheses in call to '(\w+)'",
        "`{0}` is called without brackets",
        "Put what is printed into brackets: print(...).",
    ),
    (
        r"\(unicode error\) 'unicodeescape'",
        "a backslash in a text begins a special sign, and this is none",
        "Write paths with /, or an r before the quotes.",
    ),
    (r"'return' outside function", "a `return` stands outside of a function", _ALIGN),
    (
        _COMPARE,
        "a `=` stands where a value belongs",
        "= gives a name to a value; == compares two values.",
    ),
)
# What a line that is no Python begins with.
_LINES = (
    (
        r"<<<<<<<|=======$|>>>>>>>",
        "Git left its marks of a conflict here",
        "Keep one of the two versions, and delete the lines with <<<<<<<, ======= and >>>>>>>.",
    ),
    (
        r"```|~~~",
        "it is the edge of a code block in Markdown",
        "Delete it: only the lines between such marks are Python.",
    ),
    (
        r"(?:python -m )?pip3? install|conda install|\$ ",
        "it is a command for the terminal",
        "Delete it here, and run it in a terminal.",
    ),
    (
        r"[\w., ]{1,100}=\s{0,9}(?:!|%[a-z])",
        "`!` and `%` after a `=` run a command, which only a notebook understands",
        "Delete the line. The steps need nothing but their arguments.",
    ),
    (
        r"(Def|DEF|function|func|fn|define|Class|CLASS)\s",
        "`{0}` is no word of Python",
        "A function begins with def, a class with class.",
    ),
)


def read_syntax_error(error: StudentError) -> tuple[str, str]:
    """Return what is wrong with a line that Python cannot read, and what to do."""
    line = error.frames[-1].text if error.frames else ""
    for begins, says, look in _LINES:
        if found := re.match(begins, line):
            return _filled(says, found), look
    for message, says, look in _KNOWN:
        if found := re.search(message, error.message):
            ends = code_of(line).strip().endswith((")", "]", "}"))
            bracket = open_brackets(line)[-1:] if ends else ""
            if message == _COMPARE and bracket:
                return f"a `{bracket}` has no `{_CLOSING[bracket]}`", _BRACKETS
            return _filled(says, found), look
    words = " ".join(error.message.split())[:200]
    return f"it is no Python ({words})", "Compare it with the lines of the release."


def _filled(says: str, found: re.Match[str]) -> str:
    groups = [group or "" for group in found.groups()]
    first = groups[0] if groups else ""
    return says.format(*groups, closing=_CLOSING.get(first, ""), opening=_OPENING.get(first, ""))
