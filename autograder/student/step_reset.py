"""Put a step's stub back into the student's file. What stood there is kept in a text file beside it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from autograder.errors import UsageError
from autograder.files import write_whole
from autograder.submission.read import read_text
from autograder.submission.step_source import find_steps

if TYPE_CHECKING:
    from pathlib import Path


def reset_step(path: Path, step: str, stub: str) -> Path:
    """Put the stub in the place of the step; return the file that keeps what was there, after what it kept before.

    Raises Rejected if the student's file cannot be read, UsageError if it does not define the step.
    """
    text = read_text(path)
    content = json.loads(text) if path.suffix == ".ipynb" else {"cells": [{"source": text}]}
    cells = content["cells"]
    sources = ["".join(cell["source"]) for cell in cells]
    pieces = tuple((str(at), source) for at, source in enumerate(sources))
    found = find_steps(pieces, [step]).get(step)
    if found is None:
        raise UsageError(f"{path.name} does not define `{step}`. Put this in its place:\n\n{stub}")
    lines = sources[int(found.piece)].split("\n")
    lines[found.first - 1 : found.last] = [stub]
    cells[int(found.piece)]["source"] = "\n".join(lines)
    kept = path.with_name(f"{step}.old.txt")
    with kept.open("a", encoding="utf-8") as file:
        file.write(f"{found.text}\n\n\n")
    is_notebook = path.suffix == ".ipynb"
    new = (
        f"{json.dumps(content, indent=1, ensure_ascii=False)}\n"
        if is_notebook
        else cells[0]["source"]
    )
    write_whole(path, new.encode())
    return kept
