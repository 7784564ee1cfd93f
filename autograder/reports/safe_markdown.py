"""Write feedback as Markdown in which only the kit's own three forms are markup.

These are paragraphs, code between single backticks, and indented blocks. All other markup is escaped,
because it may come from a student: links, pictures, HTML, headings, lists, emphasis. Formulas between
dollar signs stay.
"""

from __future__ import annotations

import re

_INDENT = "    "
_CODE = re.compile(r"(?<!`)(`[^`\n]+`)(?!`)")
# These characters are always markup; the pairs only where a second one follows.
_ALWAYS = re.compile(r"\\(?![a-zA-Z0-9 ])|[`<]|&(?=[#\w])|\](?=[(\[:])|:(?=//)|(?<=\bwww)\.")
_PAIRS = re.compile(r"(?<!\w)_+|_+(?!\w)|\*+|~+")
# A line that starts like this is a heading, a quotation, a list, a rule or a row of a table.
_BLOCK = re.compile(r"^(?=[#>|+=~:_-]|\*\*|\*(?:\s|$))|^(\d+)(?=[.)])", re.MULTILINE)
_FEW = 2


def safe_markdown(text: str) -> str:
    """Return the text with backslashes before all characters that would be other markup."""
    return "\n\n".join(map(_paragraph, re.split(r"\n{2,}", text)))


def _paragraph(text: str) -> str:
    lines = text.split("\n")
    if all(line.startswith(_INDENT) for line in lines):
        return text
    words = "\n".join(line.lstrip() for line in lines)
    parts = _CODE.split(words)
    count = sum(len(_PAIRS.findall(part)) for part in parts[::2])
    parts[::2] = [_plain(part, pairs=count >= _FEW) for part in parts[::2]]
    return _BLOCK.sub(lambda start: (start[1] or "") + "\\", "".join(parts))


def _plain(text: str, *, pairs: bool) -> str:
    text = _ALWAYS.sub(_escaped, text)
    return _PAIRS.sub(_escaped, text) if pairs else text


def _escaped(sign: re.Match[str]) -> str:
    return "".join(f"\\{character}" for character in sign[0])
