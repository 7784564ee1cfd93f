"""Marks, names and texts are the same on all processors, although the last digits differ."""

from __future__ import annotations

import contextlib
import inspect
import io
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

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
from tests.truth.words import all_words, digits, entry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from autograder.sandbox.sandbox import Sandbox

pytestmark = pytest.mark.slow

AVX2 = {"MKL_ENABLE_INSTRUCTIONS": "AVX2", "ATEN_CPU_CAPABILITY": "avx2"}
OLDEST = {
    "MKL_ENABLE_INSTRUCTIONS": "SSE4_2",
    "ATEN_CPU_CAPABILITY": "default",
    "OPENBLAS_CORETYPE": "Nehalem",
}
# The worker prints its digits, for comparison with those of this process.
PRINTS_DIGITS = (
    inspect.getsource(digits)
    + """
def init_weights(d_in, d_out, seed):
    print(json.dumps(digits()))
"""
)


def printed(root: Path, settings: dict[str, str], seed: int) -> tuple[list[str], dict[str, Any]]:
    """Return the digits and texts of a process that computes like another processor."""
    ran = subprocess.run(
        [sys.executable, "-m", "tests.truth.words", str(seed)],
        cwd=root,
        env={**os.environ, **settings},
        check=True,
        capture_output=True,
        text=True,
    )
    sums, words = ran.stdout.splitlines()
    return json.loads(sums), json.loads(words)


@pytest.fixture(scope="module")
def here(once: Callable[[str, Callable[[Path], object]], Path]) -> dict[str, Any]:
    def write(folder: Path) -> None:
        with contextlib.redirect_stdout(io.StringIO()):
            (folder / "words.json").write_text(json.dumps(all_words(1)))

    return json.loads((once("words", write) / "words.json").read_text())  # type: ignore[no-any-return]


@pytest.mark.parametrize("settings", [AVX2, OLDEST], ids=["avx2", "oldest"])
def test_all_words_are_the_same(root: Path, settings: dict[str, str], here: dict[str, Any]) -> None:
    sums, words = printed(root, settings, seed=1)
    if sums == digits():
        pytest.skip(f"this processor computes the same digits with {settings}: {sums}")
    assert words == here


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[Sandbox]:
    """Yield a sandbox whose workers compute like another processor.

    Workers get a clean environment, so the settings are added where that environment is made.
    """
    if not can_fork():
        pytest.skip("this system cannot fork")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            warm,
            "worker_environment",
            lambda place: places.worker_environment(place) | OLDEST,
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
