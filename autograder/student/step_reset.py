"""Put a step's stub back into the student's file. What stood there is kept in a text file beside it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from autograder.errors import UsageError
from autograder.files import write_whole
from autograder.submission.decode import decoded, source_text
from autograder.submission.read import read_bytes
from autograder.submission.step_source import find_steps
from autograder.text import utf8

if TYPE_CHECKING:
    from pathlib import Path


def reset_step(path: Path, step: str, stub: str) -> Path:
    """Put the stub in the place of the step; return the file that keeps what was there, after what it kept before.

    Raises Rejected if the file cannot be read, UsageError if it does not define the step or cannot be written.
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
    new = (
        f"{json.dumps(content, indent=1, ensure_ascii=False)}\n"
        if is_notebook
        else cells[0]["source"]
    )
    kept = path.with_name(f"{step}.old.txt")
    try:
        with kept.open("ab") as file:
            file.write(utf8(f"{found.text}\n\n\n"))
        write_whole(path, _like(path.name, data, new))
    except OSError as error:
        raise UsageError(
            f"{path.name} cannot be written ({error.strerror}). Copy its folder to a place of your own and work there, "
            f"or put this in the place of `{step}` yourself:\n\n{stub}"
        ) from None
    return kept


def _like(name: str, data: bytes, text: str) -> bytes:
    """Return a text in the encoding and with the line ends of the file's bytes."""
    before, mark, encoding = decoded(name, data)
    end = next((one for one in ("\r\n", "\r") if one in before), "\n")
    return mark + text.replace("\n", end).encode(encoding, "backslashreplace")
