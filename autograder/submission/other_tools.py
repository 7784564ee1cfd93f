"""What other tools make of a notebook: marimo's Python files, and outputs without end. Lines keep their numbers.

marimo writes each cell as a function, which gets what it uses and returns what it defines.
"""

from __future__ import annotations

import re

from autograder.python_source import margin_parts

# Strings and brackets that are looked at to find the outputs of a notebook.
MOST_TOKENS = 500_000

_MARIMO = re.compile(r"^app = marimo\.App\(", re.MULTILINE)
_CELL = re.compile(
    r"@app\.cell(?:\([^()]{0,200}\))?\s*\n(?:async )?def \w{1,100}\([^()]{0,10000}\)[^:\n]{0,100}:[^\n]*\n"
    r"|with app\.setup(?:\([^()]{0,200}\))?:[^\n]*\n"
)
_DEFINES = re.compile(r"@app\.(?:function|class_definition)(?:\([^()]{0,200}\))?(?=\s*\n)")
_MARIMOS_OWN = re.compile(r"import marimo\b|__generated_with\b|app = marimo\.App\(")
_IMPORTS_MARIMO = re.compile(r"^import marimo\b.*$", re.MULTILINE)
_PROSE = re.compile(r"\s*mo\.md\(")
_TOKEN = re.compile(
    r'"outputs"\s*:\s*(?P<outputs>\[)|"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]]', re.DOTALL
)


def from_marimo(source: str) -> str:
    """Return the source of a marimo notebook as plain Python; any other source as it is."""
    if not _MARIMO.search(source):
        return source
    return "".join(_plain(part.text) for part in margin_parts(source))


def _plain(text: str) -> str:
    """Return a statement of a marimo notebook as plain Python: a cell's body, without what it returns."""
    if _MARIMOS_OWN.match(text):
        return _empty(text)
    if found := _DEFINES.match(text):
        return _empty(found[0]) + text[found.end() :]
    found = _CELL.match(text)
    if found is None:
        return text
    body = "\n".join(line.removeprefix("    ") for line in text[found.end() :].split("\n"))
    returns = f"\n{body}".rfind("\nreturn")
    if returns >= 0:
        body = body[:returns] + _empty(body[returns:])
    if _PROSE.match(body):
        body = _empty(body)
    return _empty(found[0]) + _IMPORTS_MARIMO.sub("", body)


def _empty(text: str) -> str:
    return "\n" * text.count("\n")


def without_outputs(text: str) -> str:
    """Return a notebook's text with empty outputs, in linear time; as it is if it has too many parts."""
    kept: list[str] = []
    start = depth = 0
    for number, found in enumerate(_TOKEN.finditer(text)):
        if number > MOST_TOKENS:
            return text
        if depth or found["outputs"]:
            if not depth:
                kept.append(text[start : found.end()])
            depth += {"[": 1, "]": -1}.get(found[0][-1], 0)
            start = found.start()
    return text if depth else "".join([*kept, text[start:]])
