"""Put a step's stub back into the student's file. What stood there is kept in a text file beside it."""

from __future__ import annotations

import codecs
import json
from typing import TYPE_CHECKING

from autograder.errors import UsageError
from autograder.files import write_whole
from autograder.records import to_json
from autograder.submission.decode import source_text
from autograder.submission.read import read_bytes
from autograder.submission.step_source import find_steps
from autograder.text import utf8

if TYPE_CHECKING:
    from pathlib import Path


def reset_step(path: Path, step: str, stub: str) -> Path:
    """Put the stub in the place of the step; return the file that keeps what was there, after what it kept before.

    Raises Rejected if the student's file cannot be read, UsageError if it does not define the step or is not UTF-8.
    """
    data = read_bytes(path)
    text = source_text(path.name, data)
    is_notebook = path.suffix == ".ipynb"
    content = json.loads(text) if is_notebook else {"cells": [{"source": text}]}
    cells = [cell for cell in content["cells"] if cell.get("cell_type", "code") == "code"]
    sources = ["".join(cell["source"]) for cell in cells]
    pieces = tuple((str(at), source) for at, source in enumerate(sources))
    found = find_steps(pieces, [step]).get(step)
    if found is None:
        raise UsageError(f"{path.name} does not define `{step}`. Put this in its place:\n\n{stub}")
    lines = sources[int(found.piece)].split("\n")
    lines[found.first - 1 : found.last] = [stub]
    cells[int(found.piece)]["source"] = "\n".join(lines)
    new = to_json(content) if is_notebook else _like(path.name, data, cells[0]["source"])
    kept = path.with_name(f"{step}.old.txt")
    with kept.open("ab") as file:
        file.write(utf8(f"{found.text}\n\n\n"))
    write_whole(path, new)
    return kept


def _like(name: str, data: bytes, text: str) -> bytes:
    """Return a text with the line ends and the mark of the file's bytes. Raises UsageError if these are not UTF-8."""
    new = text.encode()
    if source_text(name, new) != text:
        raise UsageError(
            f"{name} is not UTF-8. Save it as UTF-8, without its `coding` line, and try again."
        )
    new = new.replace(b"\n", b"\r\n") if b"\r\n" in data else new
    return codecs.BOM_UTF8 + new if data.startswith(codecs.BOM_UTF8) else new
