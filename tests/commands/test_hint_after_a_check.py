"""`autograder hint` when a step was checked: the first hint is about what was found."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from autograder.sandbox.fresh import FreshSandbox
from autograder.sandbox.limits import Limits
from tests.commands.released_steps import WRONG, copied_release, with_body
from tests.commands.test_hint import hint
from tests.commands.test_watch import InProcess

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = copied_release(tmp_path)
    monkeypatch.chdir(folder)
    return folder


SEEDED = "    torch.manual_seed(seed)\n"
TRAINABLE = "    return tuple(nn.Parameter(torch.rand(d_in, d_out)) for _ in range(3))\n"


def checked(release: Path, step: str, body: str) -> None:
    (release / "self_attention.py").write_text(with_body(step, body), encoding="utf-8")
    [*InProcess(release, FreshSandbox(Limits())).check_all()]


def test_the_first_hint_is_about_what_the_last_check_found(release: Path) -> None:
    """Only `requires_grad` is wrong, so nothing is asked about the seed."""
    checked(release, "init_weights", SEEDED + TRAINABLE)
    first = " ".join(hint("init_weights").split())
    assert first == (
        "Hint 1 of 3 for `init_weights`: The last check found: W_query: requires_grad is True; expected False. "
        "Is each matrix an nn.Parameter with requires_grad=False? The next hint: `autograder hint init_weights`."
    )
    assert hint("init_weights").startswith("Hint 2 of 3")
    frozen = TRAINABLE.replace("torch.rand(d_in, d_out)", "torch.rand(d_in, d_out), False")
    checked(release, "init_weights", frozen)
    again = " ".join(hint("init_weights").split())
    assert "Is the seed set once, before the first draw?" in again


def test_a_step_that_fails_with_an_earlier_one_sends_to_that(release: Path) -> None:
    text = with_body("attention_score", "    return query @ key.T.x\n")
    calls = "    return torch.stack([attention_score(queries[0], key) for key in keys])\n"
    at = text.index("    # YOUR CODE HERE", text.index("def attention_scores("))
    (release / "self_attention.py").write_text(text[:at] + calls + text[at:], encoding="utf-8")
    [*InProcess(release, FreshSandbox(Limits())).check_all()]
    assert "`attention_score`" in hint("attention_scores")
    assert "fix that first" in " ".join(hint("attention_scores", "--level", "1").split())


def test_it_imports_no_torch(release: Path) -> None:
    """It starts in a moment: torch takes several times as long as all else."""
    checked(release, "project", WRONG)
    command = [sys.executable, "-X", "importtime", "-m", "autograder.cli", "hint", "project"]
    done = subprocess.run(command, cwd=release, capture_output=True, text=True, check=True)
    assert "The last check found" in " ".join(done.stdout.split())
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "autograder.student.hint_levels" in imported
    assert imported.isdisjoint(("torch", "autograder.grading.grader"))
