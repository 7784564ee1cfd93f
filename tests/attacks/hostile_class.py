"""A class in which some hand-ins are made to stop or to stall the grader of the others.

Their cost should fall on the trusted side: names and folders, what is read before anything runs, and
answers that are slow to judge. Student code that only computes is stopped by its own limits.
"""

from __future__ import annotations

import functools
import io
import json
import os
import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

NAME = "self_attention"


def write_honest(folder: Path, sources: list[str], count: int) -> None:
    """Write submissions of `count` students, who take turns with these sources."""
    for number in range(count):
        place = folder / f"student-{number:03}"
        place.mkdir(parents=True)
        (place / f"{NAME}.py").write_text(sources[number % len(sources)], encoding="utf-8")


def write_hostile(folder: Path, right: str) -> int:
    """Write the hostile submissions; return how many this system allows."""
    folder.mkdir(parents=True, exist_ok=True)
    before = sum(1 for _ in folder.iterdir())
    for write in (_names, _files, _long_to_read, _bombs, _slow_to_judge):
        write(folder, right)
    return sum(1 for _ in folder.iterdir()) - before


def _module(folder: Path, name: str, source: str) -> None:
    (folder / name).mkdir()
    (folder / name / f"{NAME}.py").write_text(source, encoding="utf-8")


def _names(folder: Path, right: str) -> None:
    """Names twice, names of the grader's files, of no folder, and for the readers of logs and tables."""
    for name in ("mallory", "Mallory ", "\u0958" * 80, "grades.csv"):
        _module(folder, name, right)
    if os.name == "posix":
        _module(folder, "a\n::error::x\x1b[2J\u202e", right)
        _module(folder, "=HYPERLINK(1)", right)
        _module(folder, os.fsdecode(b"m\xfcller"), right)


def _files(folder: Path, right: str) -> None:
    """A folder that may not be read, a FIFO, a broken link, a folder in place of the file, a file too large."""
    _module(folder, "unreadable", right)
    if os.name == "posix":
        (folder / "unreadable").chmod(0)
        (folder / "fifo").mkdir()
        os.mkfifo(folder / "fifo" / f"{NAME}.py")
        (folder / "link").symlink_to("/dev/zero")
    (folder / "folder" / f"{NAME}.py").mkdir(parents=True)
    (folder / "large").mkdir()
    with (folder / "large" / f"{NAME}.py").open("wb") as file:
        file.truncate(2**33)  # takes no space


def _long_to_read(folder: Path, right: str) -> None:
    _module(folder, "markers", f"{right}\n# %% " + "tags=[" * 16_000)
    _module(folder, "nested", f"{right}\nx = " + "(" * 100_000)
    _module(folder, "pieces", "x = 1\n" * 9_900 + "x = (\n")
    cells = [{"cell_type": "code", "input": "1", "outputs": [], "metadata": {}}] * 60_000
    sheets = [{"cells": cells, "metadata": {}}]
    old = {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}, "worksheets": sheets}
    (folder / "old-notebook").mkdir()
    (folder / "old-notebook" / f"{NAME}.ipynb").write_text(json.dumps(old), encoding="utf-8")


def _bombs(folder: Path, _: str) -> None:
    """Small archives of much: 600 MB in archives of archives, 40,000 files, 40,000 names outside of the folder."""
    bombs: dict[str, Iterable[tuple[str, bytes]]] = {
        "zeros": (
            (f"{number}.zip", _zipped([("x.py", bytes(10_000_000))])) for number in range(60)
        ),
        "many": ((f"{number}.py", b"") for number in range(40_000)),
        "outside": ((f"../{number}", b"") for number in range(40_000)),
        "deep": [
            (
                "0.zip",
                functools.reduce(lambda inner, _: _zipped([("0.zip", inner)]), range(300), b""),
            )
        ],
    }
    for name, entries in bombs.items():
        (folder / f"bomb-{name}").mkdir()
        (folder / f"bomb-{name}" / "work.zip").write_bytes(_zipped(entries))


def _zipped(entries: Iterable[tuple[str, bytes]]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return data.getvalue()


def _slow_to_judge(folder: Path, right: str) -> None:
    """Answers that take long to take apart, to compare and to explain."""
    answers = {
        "rows": "def project(x, *weights):\n    return torch.zeros(1_000_000, 2)\n",
        "empty": "def attention_scores(queries, keys):\n    return torch.zeros(12_000, 0)\n",
        "parts": "def project(x, *weights):\n    return tuple(x[0, 0] for _ in range(9_000))\n",
        "names": "\n".join(f"def attention_score{number:04}(): pass" for number in range(4_000)),
    }
    for name, source in answers.items():
        steps = ["attention_scores", "attention_score", "project"]
        without = right + "".join(f"\ndel {step}" for step in steps if name == "names")
        _module(folder, name, f"{without}\n\n{source}\n")
