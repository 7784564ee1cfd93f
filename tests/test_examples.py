"""The example submissions, graded for real by the command."""

from __future__ import annotations

import csv
import json
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

# What went wrong in a student's step: how it ended, and the mistakes that were recognised.
WENT_WRONG = {
    ("elif-y", "scale_scores"): ("wrong", ["not_scaled"]),
    ("elif-y", "SelfAttention_v1"): ("wrong", []),
    ("farid-h", "attention_weights"): ("wrong", ["softmax_over_the_queries"]),
    ("jonas-w", "transfer_weights"): ("wrong", ["reshaped_in_transfer"]),
    ("hiro-t", "dot_product_variance"): ("timed_out", []),
    ("grace-m", "scale_scores"): ("raised", ["function_of_tensors_on_a_number"]),
    ("dmitri-v", "SelfAttention_v2"): ("not_started", []),
}


@pytest.fixture(scope="module")
def graded(once: Callable[[str, Callable[[Path], object]], Path]) -> Path:
    return graded_examples(once)


def found(graded: Path, student: str, step: str) -> tuple[str, list[str]]:
    content = json.loads((graded / student / "results.json").read_text(encoding="utf-8"))
    [extra] = [test["extra_data"] for test in content["tests"] if test["name"] == step]
    return extra["outcome"], extra["mistakes"]


def test_each_student_has_the_mark_that_the_work_deserves(graded: Path) -> None:
    with (graded / "grades.csv").open(encoding="utf-8") as file:
        marks = {row["student"]: row["score"] for row in csv.DictReader(file)}
    assert marks == MARKS


def test_results_say_what_went_wrong(graded: Path) -> None:
    assert {entry: found(graded, *entry) for entry in WENT_WRONG} == WENT_WRONG


def test_the_one_who_has_not_started_has_the_stub(root: Path) -> None:
    stub = root / "assignments" / "self_attention" / "self_attention.py"
    example = root / "examples" / "submissions" / "dmitri-v" / "self_attention.py"
    assert example.read_bytes() == stub.read_bytes()
