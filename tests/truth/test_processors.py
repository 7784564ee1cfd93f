"""Marks, names and texts are the same where the worker has another processor, although the last digits differ.

That the grader's own processor may be another one is proven by `make test-processor`.
"""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import io
import json
from typing import TYPE_CHECKING, Any

import pytest
import torch

from autograder.explain.feedback_text import check_markdown
from autograder.sandbox import warm
from autograder.sandbox.layers import paths as places
from autograder.sandbox.limits import Limits
from autograder.sandbox.warm import WarmSandbox, can_fork
from tests.exams import ASSIGNMENTS, exam_of
from tests.graders import check_all, grade_in
from tests.sandbox.conftest import PERMISSIVE
from tests.truth.graded import text_of
from tests.truth.stored import SAMPLE
from tests.truth.variant import rows_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autograder.results import CheckResult
    from autograder.sandbox.sandbox import Sandbox

pytestmark = pytest.mark.slow

OLDEST = {
    "MKL_ENABLE_INSTRUCTIONS": "SSE4_2",
    "ATEN_CPU_CAPABILITY": "default",
    "OPENBLAS_CORETYPE": "Nehalem",
}


def entry(result: CheckResult) -> list[Any]:
    """Return the parts of a check's result that a student or an instructor sees."""
    named = [list(result.mistakes), result.sure, list(result.remarks), result.carried_forward]
    return [result.score, result.outcome.value, *named, check_markdown(result)]


def digits() -> str:
    """Return a digest of products that other processors round differently."""
    left = torch.randn(96, 96, generator=torch.Generator().manual_seed(0))
    products = [left[:rows, :inner] @ left[:inner] for rows in (1, 5, 96) for inner in (3, 7, 96)]
    parts = (torch.softmax(one, -1).numpy().tobytes() + one.numpy().tobytes() for one in products)
    return hashlib.sha256(b"".join(parts)).hexdigest()


# The worker prints its digits, for comparison with those of this process.
PRINTS_DIGITS = (
    inspect.getsource(digits)
    + """
def init_weights(d_in, d_out, seed):
    print(json.dumps(digits()))
"""
)


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[Sandbox]:
    """Yield a sandbox whose workers compute like another processor.

    Workers get a clean environment, so the settings are added where that environment is made.
    """
    if not can_fork():
        pytest.skip("this system cannot fork")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            warm, "worker_environment", lambda place: places.worker_environment(place) | OLDEST
        )
        sandbox = WarmSandbox(Limits(), PERMISSIVE)
        sandbox.prepare()
    yield sandbox
    sandbox.close()


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_the_worker_may_have_another_processor_than_the_grader(
    assignment: str, elsewhere: Sandbox
) -> None:
    imports = "import hashlib, json, torch\n"
    seen = grade_in(elsewhere, exam_of("self_attention"), imports + PRINTS_DIGITS)
    if json.loads(seen.checks[0].printed) == digits():
        pytest.skip(f"the worker computes the same digits as this process: {digits()}")
    for variant in rows_of(assignment, "wrong")[::SAMPLE]:
        source = text_of(assignment, variant)
        with contextlib.redirect_stdout(io.StringIO()):
            expected = check_all(exam_of(assignment), source)
        checks = grade_in(elsewhere, exam_of(assignment), source).checks
        assert [entry(one) for one in checks] == list(map(entry, expected.values())), variant.name
