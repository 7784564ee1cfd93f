"""Make an anonymous example of a mistake from a student's code."""

from __future__ import annotations

import ast
import keyword
import re
from typing import TYPE_CHECKING

from autograder.no_warnings import quiet
from autograder.text import without_invisible

if TYPE_CHECKING:
    from collections.abc import Iterable

# Limits on the cost of parsing a student's code: a longer source is no good example either.
MOST_CHARACTERS = 4_000
MOST_LINES = 40
SHORTEST_NAME = 3
HIDDEN = "..."
_DOCUMENTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_NOT_PARSED = (SyntaxError, ValueError, RecursionError, MemoryError)
_WORD = re.compile(r"[^\W\d_]+")


def anonymous_example(source: str, names: Iterable[str]) -> str:
    """Return the source without comments, docstrings and these names; empty if it is too long.

    Formatting is normalised too, because it could identify the student.
    """
    if len(source) > MOST_CHARACTERS:
        return ""
    try:
        with quiet():
            tree = ast.parse(source)
            for node in ast.walk(tree):
                if isinstance(node, _DOCUMENTED):
                    node.body = node.body[ast.get_docstring(node) is not None :] or [ast.Pass()]
            text = ast.unparse(tree)
    except _NOT_PARSED:
        return ""
    return without_names(text, names) if text.count("\n") < MOST_LINES else ""


def without_names(text: str, names: Iterable[str]) -> str:
    """Return a text in which the words of these names are hidden."""
    words = {
        word.casefold()
        for name in names
        for word in (name, *_WORD.findall(name))
        if len(word) >= SHORTEST_NAME and not keyword.iskeyword(word)
    }
    if not words:
        return text
    longest_first = sorted(map(re.escape, words), key=len, reverse=True)
    pattern = rf"(?<![^\W_])(?:{'|'.join(longest_first)})(?![^\W_])"
    return re.sub(pattern, HIDDEN, without_invisible(text), flags=re.IGNORECASE)
