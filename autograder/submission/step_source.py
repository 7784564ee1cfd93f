"""Find the source of each step in a submission, and fingerprint it.

A hostile source can make a parser slow. So the source is not parsed, and no more than MAX_CHARACTERS are read, in
linear time.
"""

from __future__ import annotations

import functools
import hashlib
import keyword
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.python_source import STRING, limited, margin_parts, named_lines

if TYPE_CHECKING:
    from collections.abc import Iterable

    from autograder.submission.notebook_work import Pieces

MAX_CHARACTERS = 100_000
# The fingerprints of texts up to this length are kept: many hand in the same step.
_MOST_KEPT = 5_000

_TOKEN = re.compile(
    rf"(?P<text>[rRbBuUfF]{{0,2}}{STRING})|(?P<comment>#[^\n]*)|(?P<line>\n)|(?P<space>[ \t\r\f]+|\\\n)"
    r"|(?P<name>[^\W\d]\w*)|(?P<number>\d\w*(?:\.\w*)?)|(?P<sign>.)"
)


@dataclass(frozen=True)
class StepSource:
    """The statement that binds a step's name: its piece, its lines (counted from 1) and its text."""

    piece: str
    first: int
    last: int
    text: str


def find_steps(pieces: Pieces, steps: Iterable[str]) -> dict[str, StepSource]:
    """Return the source of each step that the submission defines, by the step's name.

    That is the last function or class with the step's name at column 0, with its decorators; if
    there is none, the last assignment to that name.
    """
    wanted = set(steps)
    defined: dict[str, StepSource] = {}
    assigned: dict[str, StepSource] = {}
    for label, source in limited(pieces, MAX_CHARACTERS):
        for part in margin_parts(source):
            text = _without_last_comments(part.text)
            last = part.first + text.count("\n")
            for named in named_lines(text):
                if named.name not in wanted or named.indent:
                    continue
                found = StepSource(label, part.first, last, text)
                if named.kind == "defined":
                    defined[named.name] = found
                elif named.kind == "assigned" and named.line == 1:
                    assigned[named.name] = found
    return assigned | defined


def _without_last_comments(text: str) -> str:
    """Return a statement without the empty lines and the comments at column 0 behind it."""
    lines = text.split("\n")
    while lines and (not lines[-1].strip() or lines[-1].startswith("#")):
        lines.pop()
    return "\n".join(lines)


def fingerprint(text: str) -> str:
    """Return a hash of the text that ignores formatting, comments, docstrings and chosen names.

    Names are numbered in the order in which they appear. Keywords and names after a dot stay.
    """
    return (_known if len(text) <= _MOST_KEPT else _fingerprint)(text)


def _fingerprint(text: str) -> str:
    tokens = "\0".join(_normal_tokens(text[:MAX_CHARACTERS]))
    return hashlib.sha256(tokens.encode("utf-8", "replace")).hexdigest()[:32]


_known = functools.lru_cache(maxsize=2_000)(_fingerprint)


def _normal_tokens(text: str) -> list[str]:
    tokens: list[str] = []
    numbers: dict[str, str] = {}
    matches = [
        match for match in _TOKEN.finditer(text) if match.lastgroup not in ("comment", "space")
    ]
    kinds = ["line", *(match.lastgroup for match in matches), "line"]
    for match, before, after in zip(matches, kinds, kinds[2:], strict=False):
        kind, token = match.lastgroup, match[0]
        if kind == "line" or (kind == "text" and before == after == "line"):
            continue
        is_attribute = bool(tokens) and tokens[-1] == "."
        if kind == "name" and not is_attribute and not keyword.iskeyword(token):
            token = numbers.setdefault(token, f"name{len(numbers)}")
        tokens.append(token)
    return tokens
