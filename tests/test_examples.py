"""The example submissions, graded for real by the command."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

import pytest

from autograder.submission.find import find_hand_ins
from autograder.submission.read import read_submission
from autograder.testing import InProcessSession
from tests.commands.examples import ASSIGNMENT, graded_examples
from tests.exams import exam_of
from tests.graders import SEEDS, check_step

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

HANGS = ("hiro-t", "dot_product_variance")
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
    """The folder of results of one run over all examples."""
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


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS[::3])
def test_no_mark_changes_between_seeds(root: Path, seed: int) -> None:
    """Every step but the one that hangs, which earns nothing whatever its inputs."""
    exam = exam_of(ASSIGNMENT, seed)
    marks = {}
    for student in MARKS:
        path = root / "examples" / "submissions" / student
        [hand_in] = find_hand_ins([path if path.is_dir() else path.with_suffix(".py")], ASSIGNMENT)
        submission = read_submission(hand_in, exam.assignment)
        session = InProcessSession(exam, submission.pieces)
        steps = [one.name for one in exam.assignment.checks if (student, one.name) != HANGS]
        marks[student] = sum(check_step(exam, session, step).score for step in steps)
    assert marks == {student: float(mark) for student, mark in MARKS.items()}


def test_the_one_who_has_not_started_has_the_stub(root: Path) -> None:
    stub = root / "assignments" / "self_attention" / "self_attention.py"
    example = root / "examples" / "submissions" / "dmitri-v" / "self_attention.py"
    assert example.read_bytes() == stub.read_bytes()
