"""`autograder check`: the last message again. `reset`: the stub of a step again. `hint` when a step was checked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from autograder.sandbox.fresh import FreshSandbox
from autograder.sandbox.limits import Limits
from autograder.student import practice
from autograder.student.memory import LAST_CHECKS
from tests.command_line import invoke
from tests.commands.released_steps import PROJECT, STUB, WRONG, with_body
from tests.commands.test_hint import hint
from tests.commands.test_watch import InProcess

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(practice, "Practice", InProcess)


def said(*words: str) -> str:
    done = invoke([*words])
    assert done.exit_code == 0, done.output
    return done.stdout


def save(release: Path, text: str) -> None:
    """Save as a student does: later than the last check, however fast this test is."""
    file = release / "self_attention.py"
    later = max(path.stat().st_mtime for path in release.iterdir()) + 10
    file.write_text(text, encoding="utf-8")
    os.utime(file, (later, later))


def check_now(release: Path, text: str) -> None:
    (release / "self_attention.py").write_text(text, encoding="utf-8")
    [*InProcess(release, FreshSandbox(Limits())).check_all()]


# check


def test_the_last_message_is_shown_again_without_a_check(
    release: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_now(release, with_body("project", WRONG))
    monkeypatch.setattr(practice, "Practice", None)
    for words in (("check", "project"), ("check",)):
        text = said(*words)
        assert text.startswith("project: 0 of 1 points\n")
        assert "The keys were used in place of the values" in text
    assert said("check", "init_weights").startswith("init_weights: 0 of 1 points\n")


def test_work_that_was_never_checked_or_saved_since_is_checked(release: Path) -> None:
    save(release, with_body("project", WRONG))
    assert "The keys were used in place of the values" in said("check", "project")
    assert (release / LAST_CHECKS).is_file()
    save(release, with_body("project", PROJECT))
    assert said("check", "project") == "project: 1 of 1 points\n"


def test_an_editors_lock_is_no_work(release: Path) -> None:
    """Emacs locks a file by a link that leads nowhere."""
    save(release, with_body("project", WRONG))
    (release / ".#self_attention.py").symlink_to("somebody@somewhere.1:2")
    assert "The keys were used in place of the values" in said("check", "project")


def test_what_is_remembered_may_be_damaged(release: Path) -> None:
    check_now(release, with_body("project", WRONG))
    for damage in ("", "[]", '{"project": 7}'):
        (release / LAST_CHECKS).write_text(damage)
        assert "The keys were used in place of the values" in said("check", "project")


def test_what_is_wrong_with_the_file_is_shown_again_once(release: Path) -> None:
    check_now(release, with_body("project", "    return (x @ W_query\n"))
    text = said("check", "project")
    assert text.startswith("Python cannot read line")
    assert text.count("return (x @ W_query") == 1


# reset


def test_the_stub_comes_back_and_what_was_there_is_kept(release: Path) -> None:
    file = release / "self_attention.py"
    save(release, with_body("project", WRONG))
    assert said("reset", "project") == (
        "`project` in self_attention.py is as it was released. What you had is in project.old.txt.\n"
    )
    assert file.read_text(encoding="utf-8") == STUB
    save(release, with_body("project", "    return ((x @\n"))  # Python cannot read this
    said("reset", "project")
    assert file.read_text(encoding="utf-8") == STUB
    kept = (release / "project.old.txt").read_text(encoding="utf-8")
    assert kept.count("def project(") == 2
    assert kept.index(WRONG.strip()) < kept.index("return ((x @")


def test_in_a_notebook_the_cell_is_reset_and_all_else_stays(release: Path) -> None:
    file = release / "self_attention.ipynb"
    released = json.loads(file.read_text(encoding="utf-8"))
    content = json.loads(file.read_text(encoding="utf-8"))
    [cell] = (one for one in content["cells"] if one.get("id") == "project")
    cell["source"] = f"def project(x, W_query, W_key, W_value):\n{WRONG.rstrip()}"
    file.write_text(json.dumps(content), encoding="utf-8")
    assert said("reset", "project").startswith("`project` in self_attention.ipynb is as it was")
    now = json.loads(file.read_text(encoding="utf-8"))
    for before, after in zip(released["cells"], now["cells"], strict=True):
        assert "".join(after.pop("source")) == "".join(before.pop("source"))
        assert after == before
    assert WRONG.strip() in (release / "project.old.txt").read_text(encoding="utf-8")


def test_ends_of_lines_and_the_mark_of_the_encoding_stay(release: Path) -> None:
    file = release / "self_attention.py"
    stub = STUB.replace("\n", "\r\n").encode("utf-8-sig")
    file.write_bytes(with_body("project", WRONG).replace("\n", "\r\n").encode("utf-8-sig"))
    said("reset", "project")
    assert file.read_bytes() == stub
    latin = b"# coding: latin-1\n# \xe9\n" + with_body("project", WRONG).encode()
    file.write_bytes(latin)
    done = invoke(["reset", "project"])
    assert (done.exit_code, file.read_bytes()) == (2, latin)
    assert "self_attention.py is not UTF-8. Save it as UTF-8" in done.stderr


def test_a_step_that_is_gone_is_shown_for_its_place(release: Path) -> None:
    save(release, with_body("scale_scores", WRONG).replace("def project(", "def projects("))
    done = invoke(["reset", "project"])
    assert done.exit_code == 2
    assert "self_attention.py does not define `project`. Put this in its place:" in done.stderr
    assert "raise NotImplementedError()" in done.stderr
    assert not (release / "project.old.txt").exists()


@pytest.mark.parametrize("command", ["check", "reset"])
def test_another_name_is_answered_with_the_nearest(release: Path, command: str) -> None:
    done = invoke([command, "projekt"])
    assert done.exit_code == 2
    assert "There is no step 'projekt'. Did you mean 'project'?" in done.stderr


# hint

SEEDED = "    torch.manual_seed(seed)\n"
TRAINABLE = "    return tuple(nn.Parameter(torch.rand(d_in, d_out)) for _ in range(3))\n"


def test_the_first_hint_is_about_what_the_last_check_found(release: Path) -> None:
    """Only `requires_grad` is wrong, so nothing is asked about the seed."""
    check_now(release, with_body("init_weights", SEEDED + TRAINABLE))
    first = " ".join(hint("init_weights").split())
    assert first == (
        "Hint 1 of 3 for `init_weights`: The last check found: W_query: requires_grad is True; expected False. "
        "Is each matrix an nn.Parameter with requires_grad=False? "
        "The next hint: `python -m autograder hint init_weights`."
    )
    assert hint("init_weights").startswith("Hint 2 of 3")
    frozen = TRAINABLE.replace("torch.rand(d_in, d_out)", "torch.rand(d_in, d_out), False")
    check_now(release, with_body("init_weights", frozen))
    again = " ".join(hint("init_weights").split())
    assert "Is the seed set once, before the first draw?" in again


def test_a_step_that_fails_with_an_earlier_one_sends_to_that(release: Path) -> None:
    text = with_body("attention_score", "    return query @ key.T.x\n")
    calls = "    return torch.stack([attention_score(queries[0], key) for key in keys])\n"
    at = text.index("    # YOUR CODE HERE", text.index("def attention_scores("))
    check_now(release, text[:at] + calls + text[at:])
    assert "`attention_score`" in hint("attention_scores")
    assert "fix that first" in " ".join(hint("attention_scores", "--level", "1").split())


def test_a_hint_imports_no_torch(release: Path) -> None:
    """It starts in a moment: torch takes several times as long as all else."""
    check_now(release, with_body("project", WRONG))
    command = [sys.executable, "-X", "importtime", "-m", "autograder.cli", "hint", "project"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "The last check found" in " ".join(done.stdout.split())
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "autograder.student.hint_levels" in imported
    assert imported.isdisjoint(("torch", "autograder.grading.grader"))
