"""Twenty files that are made to stop or to stall the grader change no mark of the others."""

from __future__ import annotations

import csv
import sys
from typing import TYPE_CHECKING

import pytest

from autograder.sandbox.warm import can_fork
from tests.attacks.hostile_class import NAME, write_honest, write_hostile
from tests.forking import client

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not can_fork(), reason="without the fork server each takes a second more"),
]

HONEST = 8


def grade(root: Path, folder: Path) -> dict[str, list[str]]:
    """The rows of `grades.csv` by student."""
    out = folder.with_name(f"{folder.name}-results")
    command = [sys.executable, "-m", "autograder.cli", "grade", str(folder), "--out", str(out)]
    options = ["--assignment", NAME, "--seed", "1", "--jobs", "2", "--allow-degraded", "--quiet"]
    done = client.run([*command, *options], cwd=root, capture_output=True)
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    assert b"\x1b" not in done.stdout
    with (out / "grades.csv").open(encoding="utf-8", newline="") as file:
        return {row[0]: row[1:] for row in csv.reader(file)}


def test_a_class_with_hostile_files_gets_the_same_marks(root: Path, tmp_path: Path) -> None:
    """How long it takes is measured by `python -m benchmarks.hostile_class`."""
    names = ("amara-o", "farid-h", "chen-l", "elif-y")
    files = [root / "examples" / "submissions" / name / f"{NAME}.py" for name in names]
    sources = [file.read_text(encoding="utf-8") for file in files]
    for folder in ("without", "with"):
        write_honest(tmp_path / folder, sources, HONEST)
    hostile = write_hostile(tmp_path / "with", sources[0])

    alone = grade(root, tmp_path / "without")
    together = grade(root, tmp_path / "with")
    (tmp_path / "with" / "unreadable").chmod(0o700)

    assert {name: row for name, row in together.items() if name in alone} == alone
    others = {name: row[3] for name, row in together.items() if name not in alone}
    assert len(others) == hostile
    rejected = {"mallory-2", "grades.csv-1", "folder", "large"}
    assert rejected <= {name for name, status in others.items() if status == "rejected"}
