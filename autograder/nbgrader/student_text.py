"""A student's text, changed so that a page of nbgrader is short and neither loads, runs nor follows what is in it.

nbgrader's pages show Markdown as HTML, with the marker's permissions. Tags and pictures are broken. Links lead to http,
https, mailto or a place on the page only. No parser decides what a link or a picture is: another parser would see
others. What begins one in every dialect, `](`, `]:` or `![`, is broken by a space.
"""

from __future__ import annotations

import re

# Characters of one cell and of a whole notebook, for each kind of cell. Rendering Markdown takes time that grows with
# the square of a cell.
_CODE = (100_000, 200_000)
_TEXT = (10_000, 50_000)
MOST_ADDED = 200  # cells

# What a browser reads as the start of a tag; Markdown also writes links as `<address>`.
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
# With both slashes: `http:page.html` is a file beside the page. An address is spelt out, without entities and escapes.
_ADDRESS = r"(?:https?://|mailto:|\#)"
# An address that is named once and used often would make a page long.
_LINK = re.compile(rf"\](?=[(:])(?!\(\s*{_ADDRESS})", re.IGNORECASE)
_PICTURE = re.compile(r"!(?=\[)")
# MathJax's commands for links, styles, attributes and extensions.
_MATH = re.compile(
    rf"\\(?=(?:style|class|cssId|mmlToken|bbox|require|data|html\w+|includegraphics)(?![A-Za-z])"
    rf"|href(?!\s*\{{\s*{_ADDRESS}))",
    re.IGNORECASE,
)


class Room:
    """How much of a student's notebook is still shown."""

    def __init__(self) -> None:
        self._left = {_CODE: _CODE[1], _TEXT: _TEXT[1]}
        self._cells = MOST_ADDED

    def cells(self, number: int) -> int:
        """Return how many of so many further added cells are shown."""
        shown = min(number, self._cells)
        self._cells -= shown
        return shown

    def cut(self, source: str, kind: str) -> str:
        """Return a cell's text, or the part of it that is shown, with a sentence that says so."""
        limits = _CODE if kind == "code" else _TEXT
        shown = source[: min(limits[0], self._left[limits])]
        self._left[limits] -= len(shown)
        if len(shown) == len(source):
            return source
        sizes = f"{len(shown):,} of {len(source):,}"
        note = f"Only the first {sizes} characters are shown. The submitted file has the rest."
        return f"# {note}\n{shown}" if kind == "code" else f"{note}\n\n{shown}"


def safe_markdown(source: str) -> str:
    """Return the Markdown with tags, pictures and links to other places broken."""
    return _PICTURE.sub("! ", _LINK.sub("] ", safe_text(source)))


def safe_text(source: str) -> str:
    """Return a text in which a browser finds no tag, and MathJax nothing but formulas."""
    return _MATH.sub(r"\\ ", _TAG.sub("< ", source))
