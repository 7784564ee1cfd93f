"""Recognise copies of the assignment's file by their names: `toy (1).py`, `Copy of toy.ipynb`, `toy.py.txt`."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_COPIES = 4
_MAX_NAME = 255
# Windows hides known endings, so that many files are really named `toy.py.txt`.
_ENDING = re.compile(r"\.(py|ipynb)(?:\.(?:py|ipynb|txt|json))?$", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+|\d+")
# What browsers, editors, file managers and people add to the name of a file.
_ADDED = frozenset([
    "copy", "copia", "cópia", "copie", "kopie", "kopia", "kopio", "copier", "duplicate", "of",
    "de", "von", "di", "av", "checkpoint", "download", "conflict", "conflicted", "final",
    "finished", "done", "v", "version", "new", "newest", "neu", "latest", "last", "fixed",
    "edited", "worked", "completed", "solved", "submission", "submitted", "submit", "my",
    "mine", "draft", "backup", "old", "副本", "复件", "複製", "コピー"
])  # fmt: skip


def is_source(name: str) -> bool:
    """Return whether a file's name is that of a Python file or of a notebook."""
    return _ending(name) is not None


def is_notebook(name: str) -> bool:
    """Return whether a file's name is that of a notebook."""
    ending = _ending(name)
    return ending is not None and ending[1].lower() == "ipynb"


def stem_of(name: str) -> str:
    """Return a file's name without the ending of a Python file or a notebook."""
    ending = _ending(name)
    return name[: ending.start()] if ending else name


def is_copy(name: str, assignment: str) -> bool:
    """Return whether a name is the assignment's, but for case, spaces, numbers and words like "copy"."""
    return is_source(name) and _added(name, assignment) is not None


def contains_name(name: str, assignment: str) -> bool:
    """Return whether a source's name contains the assignment's name. That of a test does not count."""
    words = _words(stem_of(name))
    return is_source(name) and "test" not in words and "".join(_words(assignment)) in "".join(words)


def sorted_copies(names: Iterable[str], assignment: str) -> list[str]:
    """Return the copies among the names: Python files first, then the highest number first."""
    copies = {name for name in names if is_copy(name, assignment)}
    return sorted(
        copies, key=lambda name: (is_notebook(name), -copy_number(name, assignment), name)
    )


def copy_number(name: str, assignment: str) -> int:
    """Return the number that a browser gave to a copy: 2 for `toy (2).py`; 0 if there is none."""
    numbers = [word for word in _added(name, assignment) or () if word.isdecimal()]
    return int(numbers[-1]) if numbers else 0


def _ending(name: str) -> re.Match[str] | None:
    return _ENDING.search(name) if len(name) <= _MAX_NAME else None


def _words(text: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def _added(name: str, assignment: str) -> list[str] | None:
    """Return the words around the assignment's name; None if they are no words of a copy."""
    words, wanted = _words(stem_of(name)), "".join(_words(assignment))
    for first, word in enumerate(words):
        last, found = first, ""
        while last < len(words) and len(found) < len(wanted):
            found += words[last]
            last += 1
        if found == wanted and all(map(_is_added, words[last:])):
            return words[:first] + words[last:]
        if not _is_added(word):
            break
    return None


def _is_added(word: str) -> bool:
    return word in _ADDED or word.isdecimal()
