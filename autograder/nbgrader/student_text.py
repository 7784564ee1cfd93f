"""A student's Markdown, changed so that no page of nbgrader runs or follows what is in it.

nbgrader's pages show Markdown as HTML, with the marker's permissions. Tags are broken, and links lead to http, https,
mailto, a place on the page or an attached picture only. No parser decides what a link is: another parser would see
other links. What begins a link in every dialect, `](` or `]:`, is broken by a space unless an allowed address follows.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

# What a browser reads as the start of a tag; Markdown also writes links as `<address>`.
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
# With both slashes: `http:page.html` is a file beside the page. An address is spelt out, without entities and escapes.
_ADDRESS = r"(?:https?://|mailto:|\#)"
_LINK = re.compile(rf"\](?=[(:])(?![(:]\s*{_ADDRESS})", re.IGNORECASE)
_ATTACHMENT = re.compile(r"[(:]\s*attachment:([\w.-]+)(?=[\s)])")
# MathJax's own links.
_MATH_LINK = re.compile(rf"\\(?=href)(?!href\s*\{{\s*{_ADDRESS})", re.IGNORECASE)


def safe_markdown(source: str, pictures: Collection[str] = ()) -> str:
    """Return the Markdown with tags and other links broken.

    Args:
        pictures: names of the attached pictures. nbconvert fails on a link to any other attachment.
    """

    def broken(found: re.Match[str]) -> str:
        attached = _ATTACHMENT.match(source, found.end())
        return "]" if attached and attached[1] in pictures else "] "

    source = _LINK.sub(broken, source)
    return _MATH_LINK.sub(r"\\ ", without_tags(source))


def without_tags(source: str) -> str:
    """Return a text in which a browser finds no tag."""
    return _TAG.sub("< ", source)
