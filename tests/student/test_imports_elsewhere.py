"""What a student's machine has and grading has not: public checks say so, and the grade is the same everywhere."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from autograder.commands.watch import Watch
from autograder.reports.pytest_text import remarks, table
from autograder.results import Outcome
from autograder.sandbox import interpreter
from autograder.sandbox.fresh import FreshSandbox
from autograder.sandbox.layers.paths import worker_environment
from autograder.sandbox.limits import Limits
from autograder.student import notebook_check
from autograder.student.practice import Practice
from tests.commands.released_steps import copied_release
from tests.graders import grade_in
from tests.student.kernel import GIVEN, SETUP
from tests.student.test_notebook_check import Shell

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autograder.exam.questions import Exam
    from autograder.results import Result

LIBRARIES = {
    "einops": "import torch\ndef dots(q, k): return q @ k.T\nHALF = 0.5\n",
    "jaxtyping": "class _Hint:\n    def __getitem__(self, _): return self\nFloat = _Hint()\n"
    "def jaxtyped(function): return function\n",
    "plots": "def plot(*_): return None\n",
}
HEAD = "import torch\nfrom torch import nn\n"
IMPORTS = """import plots
from einops import dots
from jaxtyping import Float, jaxtyped
import einops as ops
try:
    import einops
except ImportError:
    einops = None
plots.plot([1, 2])
POWER = einops.HALF if einops else 0.5
WIDTH = ops.HALF
"""
# The helper of one step needs it, another only has it in a hint, a third gets along without it, ...
CHANGES = (
    ("return queries @ keys.T", "return product(queries, keys)"),
    ("def project(\n    x: torch.Tensor,", 'def project(\n    x: Float[torch.Tensor, "t d"],'),
    ("return scores / d_k**0.5", "return scores / d_k**POWER"),
    ("def attention_weights(", "@jaxtyped\ndef attention_weights("),
    ("return query @ key", "from einops import HALF\n    return query @ key * 2 * HALF"),
    ("return weights @ values", "return weights @ values * 2 * WIDTH"),
)
HELPER = '\n\ndef product(q: Float[torch.Tensor, "q d"], k):\n    return dots(q, k)\n'
REMARK = "`einops` is not there when your work is graded: this step would lose its points."


@pytest.fixture(scope="module")
def work(solution: str) -> str:
    text = solution.replace(HEAD, HEAD + IMPORTS, 1) + HELPER
    for before, after in CHANGES:
        assert text.count(before) == 1, before
        text = text.replace(before, after)
    return text


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the packages, for the path of a worker's interpreter."""
    folder = tmp_path_factory.mktemp("packages")
    for name, text in LIBRARIES.items():
        Path(folder, f"{name}.py").write_text(text, encoding="utf-8")
    return folder


def sandbox_with(path: Path | None, monkeypatch: pytest.MonkeyPatch) -> FreshSandbox:
    """Return a sandbox whose workers start after this call, with a folder on their path."""
    more = {"PYTHONPATH": str(path)} if path else {}
    monkeypatch.setattr(
        interpreter, "worker_environment", lambda folder: worker_environment(folder) | more
    )
    return FreshSandbox(Limits(cpu=30))


@pytest.fixture(scope="module")
def practised(
    work: str, installed: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Practice]:
    folder = copied_release(tmp_path_factory.mktemp("release"))
    (folder / "self_attention.py").write_text(work, encoding="utf-8")
    with (
        pytest.MonkeyPatch.context() as patch,
        closing(Practice(folder, sandbox_with(installed, patch))) as practice,
    ):
        assert all(practice.check_all())
        assert practice.problems() == ()
        yield practice


def test_a_public_check_says_what_a_right_step_lacks_where_it_is_graded(
    practised: Practice,
) -> None:
    assert [one.step for one in practised.results if not one.is_full] == []
    told = {one.step: one.feedback.remarks for one in practised.results if one.feedback}
    assert told == {
        "attention_score": (REMARK,),
        "attention_scores": ("The same as in `attention_score`.",),
        "attention_weights": (REMARK.replace("einops", "jaxtyping"),),
        "context_vectors": ("The same as in `attention_score`.",),
    }


def test_the_remark_stands_below_the_table_of_steps(practised: Practice) -> None:
    steps = {one.step: one.max_score for one in practised.results}
    assert "  attention_scores         2 / 2  with a remark" in table(practised.results, steps)
    first = f"Remarks, which cost nothing here:\n\n`attention_score`: {REMARK}"
    assert remarks(practised.results, 200).startswith(first)
    seen = Watch(practised)
    seen.results = practised.results
    assert remarks(practised.results, 200) in seen._words(200)


@pytest.fixture(scope="module")
def grades(work: str, exam: Exam, installed: Path) -> dict[str, Result]:
    found = {}
    for name, path in (("installed", installed), ("absent", None)):
        with pytest.MonkeyPatch.context() as patch, closing(sandbox_with(path, patch)) as sandbox:
            found[name] = grade_in(sandbox, exam, work)
    return found


def test_a_grade_is_the_same_whatever_is_installed(grades: dict[str, Result]) -> None:
    one, other = grades["installed"], grades["absent"]
    assert one.checks == other.checks
    assert one.about == other.about
    assert "imports `einops`, and there is no such module here." in one.headline


def test_exactly_the_steps_with_the_remark_lose_their_points(
    grades: dict[str, Result], practised: Practice
) -> None:
    lost = {one.step: one.outcome for one in grades["installed"].checks if not one.is_full}
    assert lost == {
        "attention_score": Outcome.RAISED,
        "attention_scores": Outcome.RAISED,
        "attention_weights": Outcome.MISSING,
        "context_vectors": Outcome.RAISED,
    }
    assert lost.keys() == {one.step for one in practised.results if one.remarks}


CELL = (
    "from einops import dots\ndef attention_scores(queries, keys):\n    return dots(queries, keys)"
)


def test_a_notebook_says_it_with_the_result(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(sandbox_with(installed, monkeypatch)) as sandbox:
        monkeypatch.setattr(notebook_check, "kept_sandbox", lambda: sandbox)
        shell = Shell(copied_release(tmp_path), history=(SETUP,))
        shell.run(GIVEN, "given-1")
        shell.run(CELL, "attention_scores")
        assert shell.check("attention_scores") == ""
    text = shell.shown[0]["text/plain"]
    assert " ".join(text.split()).startswith(
        f"✓ passed: attention_scores, 2 of 2 points Remark: {REMARK}"
    )
