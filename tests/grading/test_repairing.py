"""Edits are tried in the sandbox: whatever a hand-in does about that moves its own words only."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from autograder.exam.expected_json import load_release
from autograder.results import Outcome
from autograder.sandbox.fresh import FreshSandbox
from autograder.sandbox.limits import Limits
from autograder.sandbox.warm import best_sandbox
from tests.exams import ROOT, exam_of
from tests.graders import grade_for_real, grade_in
from tests.truth.variant import base_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autograder.results import CheckResult
    from autograder.sandbox.client import Worker
    from autograder.sandbox.sandbox import Sandbox

STEP = "context_vectors"
FAULT = "    blended = weights[:, :, None] * values[None]\n    return blended.sum(dim=0)\n"
PLAIN = f"def {STEP}(weights, values):\n{FAULT}"
# What finds out that it is another function than the one of the file, and then does something.
DETECTS = """\
import sys

def is_tried():
    code = sys._getframe(1).f_code
    return code is not FIRST

def {step}(weights, values):
    if is_tried():
        {does}
{fault}

FIRST = {step}.__code__
"""
# A later step with a fault of its own.
LATER = """\
class First(SelfAttention_v1):
    pass

class SelfAttention_v1(First):
    def forward(self, x):
        return super().forward(x) * 3
"""
# What a hand-in may do where it is tried.
DOES = {
    "cheats": "return weights @ values",
    "prints": "print('x' * 3_000_000)",
    "hangs": "sum(iter(int, 1))",
    "fills memory": "weights = [0] * 10**12",
    "exits": "import os; os._exit(0)",
    "raises": "raise SystemExit('tried')",
    "changes a later step": "globals()['project'] = None",
    "replaces the library": "torch.softmax = None",
}
# What ends the worker: then nothing more of this hand-in is tried.
ENDS = ("prints", "hangs", "fills memory", "exits")


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with closing(best_sandbox(Limits(cpu=2.0))) as opened:
        yield opened


def graded(sandbox: Sandbox, source: str) -> dict[str, CheckResult]:
    exam = exam_of("self_attention")
    result = grade_in(sandbox, exam, f"{base_of('self_attention')}\n\n{LATER}\n\n{source}")
    return {check.step: check for check in result.checks}


def is_repaired(check: CheckResult) -> bool:
    return any(name.startswith("repair:") for name in check.mistakes)


def test_a_fault_is_repaired_in_the_sandbox_too(sandbox: Sandbox) -> None:
    assert is_repaired(graded(sandbox, PLAIN)[STEP])


@pytest.mark.parametrize("does", DOES)
def test_a_hand_in_that_knows_a_try_moves_its_own_words_only(sandbox: Sandbox, does: str) -> None:
    plain = graded(sandbox, PLAIN)
    hostile = graded(sandbox, DETECTS.format(step=STEP, does=DOES[does], fault=FAULT))
    for step, check in plain.items():
        assert (hostile[step].score, hostile[step].outcome) == (check.score, check.outcome)
        if step != STEP and does not in ENDS:
            assert hostile[step].feedback == check.feedback
    assert "xxx" not in str(hostile[STEP])


def test_a_step_that_runs_many_lines_is_not_tried_on_and_on(sandbox: Sandbox) -> None:
    slow = PLAIN.replace(FAULT, "    for i in range(30_000):\n        i + 1\n" + FAULT)
    found = graded(sandbox, slow)
    assert not is_repaired(found[STEP])
    assert not is_repaired(found["SelfAttention_v1"])
    assert is_repaired(graded(sandbox, PLAIN)["SelfAttention_v1"])


def test_a_file_of_five_megabytes_is_graded_as_before(sandbox: Sandbox) -> None:
    large = graded(sandbox, "\n".join((*["# " + "x" * 98] * 50_000, PLAIN)))[STEP]
    plain = graded(sandbox, PLAIN)[STEP]
    assert (large.score, large.outcome) == (plain.score, plain.outcome)


def test_on_a_students_machine_one_interpreter_answers_traces_and_tries(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started = []
    start = FreshSandbox.start

    def counted(sandbox: FreshSandbox) -> Worker:
        started.append(sandbox)
        return start(sandbox)

    monkeypatch.setattr(FreshSandbox, "start", counted)
    exam = load_release(ROOT / "assignments" / "self_attention")
    result = grade_for_real(exam, f"{base_of('self_attention')}\n\n{PLAIN}")
    assert is_repaired({check.step: check for check in result.checks}[STEP])
    assert len(started) == 1


def test_a_step_that_does_not_end_is_told_its_loop(sandbox: Sandbox) -> None:
    """A loop in it that ends is not named."""
    lines = f"""def {STEP}(weights, values):
    rows = []
    while len(rows) >= 0:
        for value in values:
            row = value * 2
    return torch.stack(rows)
"""
    found = graded(sandbox, lines)[STEP]
    assert found.outcome is Outcome.TIMED_OUT
    assert found.feedback is not None
    [place] = found.feedback.lines
    assert place.text == "while len(rows) >= 0:"
    assert f"loop of line {place.line}, `{place.text}`" in found.feedback.message
