"""The example submissions, graded for real by the command."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import pytest

from tests.commands.examples import graded_examples

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MARKS = {
    "amara-o": "20",
    "bjorn-k": "20",
    "chen-l": "8",
    "dmitri-v": "0",
    "elif-y": "19",
    "farid-h": "16.5",
    "grace-m": "18",
    "hiro-t": "19",
    "ines-p": "5",
    "jonas-w": "18",
}


@pytest.fixture(scope="module")
def graded(once: Callable[[str, Callable[[Path], object]], Path]) -> Path:
    return graded_examples(once)


def test_each_student_has_the_mark_that_the_work_deserves(graded: Path) -> None:
    with (graded / "grades.csv").open(encoding="utf-8") as file:
        marks = {row["student"]: row["score"] for row in csv.DictReader(file)}
    assert marks == MARKS


def test_the_one_who_has_not_started_has_the_stub(root: Path) -> None:
    stub = root / "assignments" / "self_attention" / "self_attention.py"
    example = root / "examples" / "submissions" / "dmitri-v" / "self_attention.py"
    assert example.read_bytes() == stub.read_bytes()
