"""The example submissions, graded for real by the command that the README shows."""

from __future__ import annotations

import csv
import json
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from autograder.exam.draw import draw_exam
from autograder.submission.find import find_hand_ins
from autograder.submission.read import read_submission
from autograder.testing import InProcessSession
from tests.forking import client
from tests.graders import SEEDS, check_step

if TYPE_CHECKING:
    from pathlib import Path

    from autograder.assignment.source import Source
    from autograder.exam.questions import Exam

MARKS = {
    "amara-o": "20",
    "bjorn-k": "20",
    "chen-l": "8",
    "dmitri-v": "0",
    "elif-y": "16",
    "farid-h": "15",
    "grace-m": "18",
    "hiro-t": "19",
    "ines-p": "5",
    "jonas-w": "18",
}

HANGS = ("hiro-t", "dot_product_variance")


@pytest.fixture(scope="module")
def exams(source: Source) -> list[Exam]:
    """The questions of many runs; without the search for two mistakes at once, on which no mark here depends."""
    return [replace(draw_exam(source, seed), substitution=None) for seed in SEEDS]


@pytest.fixture(scope="module")
def graded(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of results of one run over all examples."""
    out = tmp_path_factory.mktemp("examples")
    command = [sys.executable, "-m", "autograder.cli", "grade", "examples/submissions"]
    options = ["--assignment", "self_attention", "--out", str(out), "--jobs", "2", "--timeout", "3"]
    done = client.run([*command, *options], cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return out


def entry(graded: Path, student: str, step: str) -> dict[str, object]:
    content = json.loads((graded / student / "results.json").read_text(encoding="utf-8"))
    extra: dict[str, object] = next(
        test["extra_data"] for test in content["tests"] if test["name"] == step
    )
    return extra


def test_each_student_has_the_mark_that_the_work_deserves(graded: Path) -> None:
    with (graded / "grades.csv").open(encoding="utf-8") as file:
        marks = {row["student"]: row["score"] for row in csv.DictReader(file)}
    assert marks == MARKS


@pytest.mark.parametrize(
    ("student", "step", "outcome", "mistakes"),
    [
        ("elif-y", "scale_scores", "wrong", ["not_scaled"]),
        ("elif-y", "SelfAttention_v1", "wrong", ["not_scaled"]),
        ("farid-h", "attention_weights", "wrong", ["softmax_over_the_queries"]),
        ("jonas-w", "transfer_weights", "wrong", ["reshaped_in_transfer"]),
        ("hiro-t", "dot_product_variance", "timed_out", []),
        ("grace-m", "scale_scores", "raised", ["function_of_tensors_on_a_number"]),
        ("dmitri-v", "SelfAttention_v2", "not_started", []),
    ],
)
def test_results_say_what_went_wrong(
    graded: Path, student: str, step: str, outcome: str, mistakes: list[str]
) -> None:
    found = entry(graded, student, step)
    assert (found["outcome"], found["mistakes"]) == (outcome, mistakes)


@pytest.mark.slow
@pytest.mark.parametrize("student", MARKS)
def test_no_mark_changes_between_seeds(root: Path, exams: list[Exam], student: str) -> None:
    """Every step but the one that hangs, which earns nothing whatever its inputs."""
    path = root / "examples" / "submissions" / student
    found = find_hand_ins([path if path.is_dir() else path.with_suffix(".py")], "self_attention")
    assignment = exams[0].assignment
    submission = read_submission(found[0], assignment)
    session = InProcessSession(exams[0], submission.pieces)
    steps = [check.name for check in assignment.checks if (student, check.name) != HANGS]
    marks = {sum(check_step(exam, session, step).score for step in steps) for exam in exams}
    assert marks == {float(MARKS[student])}


def test_the_one_who_has_not_started_has_the_stub(root: Path) -> None:
    stub = root / "assignments" / "self_attention" / "self_attention.py"
    example = root / "examples" / "submissions" / "dmitri-v" / "self_attention.py"
    assert example.read_bytes() == stub.read_bytes()
