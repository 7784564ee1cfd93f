"""What a student reads, situation by situation: the words after `pytest`, and the entry in `results.json`."""

from __future__ import annotations

import functools
import json
import re
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from autograder.exam.expected_json import load_release
from autograder.reports.gradescope_json import dump_results
from autograder.reports.pytest_text import full_text
from autograder.results import CheckResult, Outcome, Result, Status
from tests.exams import ASSIGNMENTS, exam_of
from tests.golden_files import assert_golden
from tests.graders import check_step, open_session
from tests.truth.variant import Variant, base_of, rows_of, submission

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autograder.exam.questions import Exam

ROOT = Path(__file__).parents[2]
# These quote torch, whose words for an error differ from version to version.
QUOTE_TORCH = ("scale_caret", "weights_without_dim", "causal_mask_not_cut")
PINS = (ROOT / "constraints.txt").read_text(encoding="utf-8")
# Of words and numbers below the line with the points, and of the last words, which say what a step lost.
MOST_LINES = 14  # with one of the line where it begins
MOST_LINES_OF_COST = 2

GOLDEN = ROOT / "tests" / "golden"
# A golden file for each: what is not there yet is written after `touch`.
SITUATIONS = {
    name: sorted(path.stem.removeprefix(f"{name}-") for path in GOLDEN.glob(f"{name}-*.txt"))
    for name in ASSIGNMENTS
}


# Two mistakes, of which each is one of a called step, and a call of a wrong step.
MADE_HERE = (
    Variant(
        "v1_unscaled_columns",
        "unlisted",
        "SelfAttention_v1",
        """
        class SelfAttention_v1(SelfAttention_v1):
            def forward(self, x):
                queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_value
                return torch.softmax(queries @ keys.T, dim=0) @ values
        """,
    ),
    Variant(
        "v1_calls_a_wrong_step",
        "unlisted",
        "SelfAttention_v1",
        """
        def scale_scores(scores, d_k):
            return scores / d_k

        class SelfAttention_v1(SelfAttention_v1):
            def forward(self, x):
                queries, keys, values = project(x, self.W_query, self.W_key, self.W_value)
                scores = scale_scores(attention_scores(queries, keys), keys.shape[-1])
                return context_vectors(attention_weights(scores), values)
        """,
    ),
)


@functools.cache
def public_exam(assignment: str) -> Exam:
    return load_release(ROOT / "assignments" / assignment)


def variant_called(assignment: str, name: str) -> Variant:
    known = (*MADE_HERE, *rows_of(assignment, "wrong"))
    return next(variant for variant in known if variant.name == name)


def graded_in(exam: Exam, source: str, step: str) -> CheckResult:
    return check_step(exam, open_session(exam, source), step)


def in_results(exam: Exam, graded: CheckResult) -> dict[str, Any]:
    """The step's entry in `results.json`, among those of steps that were not started."""
    checks = tuple(
        graded
        if check.name == graded.step
        else CheckResult(check.name, 0, check.points, Outcome.NOT_STARTED)
        for check in exam.assignment.checks
    )
    name = exam.assignment.name
    result = Result(name, "student", Status.GRADED, checks, (), False, "0" * 64, "1", "")
    content = json.loads(dump_results(result))
    entry: dict[str, Any] = next(test for test in content["tests"] if test["name"] == graded.step)
    del entry["extra_data"]["feedback"]  # what is made of it is in the text
    return entry


def chosen() -> Iterator[Any]:
    """Yield all situations: `make test` takes the first of each step."""
    for assignment, names in SITUATIONS.items():
        steps = set()
        for name in names:
            step = variant_called(assignment, name).step
            marks = [pytest.mark.slow] if step in steps else []
            yield pytest.param(assignment, name, marks=marks)
            steps.add(step)


@pytest.mark.parametrize(("assignment", "name"), list(chosen()))
def test_what_a_student_reads(assignment: str, name: str) -> None:
    installed = version("torch").partition("+")[0]
    if name in QUOTE_TORCH and f"torch=={installed}\n" not in PINS:
        pytest.skip(f"it quotes torch, and torch {installed} may say it in other words")
    variant = variant_called(assignment, name)
    source = submission(base_of(assignment), variant)
    own = full_text(graded_in(public_exam(assignment), source, variant.step))
    exam = exam_of(assignment)
    graded = in_results(exam, graded_in(exam, source, variant.step))
    words = graded.pop("output")
    rest = json.dumps(graded, indent=1)
    parts = [
        variant.source.strip(),
        "=== pytest ===",
        own,
        "=== results.json ===",
        rest,
        "--- output ---",
        words,
    ]
    assert_golden(f"{assignment}-{name}", "\n\n".join(parts))


@pytest.mark.unit
@pytest.mark.parametrize("assignment", SITUATIONS)
def test_each_step_has_a_transcript(assignment: str) -> None:
    steps = {check.name for check in public_exam(assignment).assignment.checks}
    assert {variant_called(assignment, name).step for name in SITUATIONS[assignment]} == steps


@pytest.mark.unit
def test_a_students_text_is_short() -> None:
    long = []
    for path in (path for name in SITUATIONS for path in sorted(GOLDEN.glob(f"{name}-*.txt"))):
        text = path.read_text(encoding="utf-8")
        own = text.split("=== pytest ===")[1].split("=== results.json")[0]
        if is_long(own) or any(len(line) > 100 for line in own.splitlines()):
            long.append(path.stem)
    assert long == []


def is_long(text: str) -> bool:
    """Whether a student's text has more lines than it may. The table of traced lines has a bound of its own."""
    text = re.sub(r"^ {4}(\S+, in \w+:|[ \d]{4}  .*)\n", "", text, flags=re.MULTILINE)
    words, _, cost = text.partition("\nCosts ")
    lines, last = ([line for line in part.splitlines() if line.strip()] for part in (words, cost))
    return len(lines) > 1 + MOST_LINES or len(last) > MOST_LINES_OF_COST
