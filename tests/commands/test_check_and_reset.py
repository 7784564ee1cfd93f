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
from autograder.student.memory import LAST_CHECKS, SHOWN_HINTS
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


@pytest.mark.parametrize(
    ("encoding", "first", "end"),
    [
        ("latin-1", "# -*- coding: latin-1 -*-\n", "\n"),
        ("utf-8", "", "\r\n"),
        ("utf-8-sig", "", "\r"),
        ("utf-16", "", "\r\n"),
    ],
)
def test_a_file_keeps_its_encoding_and_line_ends(
    release: Path, encoding: str, first: str, end: str
) -> None:
    file = release / "self_attention.py"
    text = f"{first}# \N{LATIN SMALL LETTER E WITH ACUTE}\n{{}}"
    file.write_bytes(text.format(with_body("project", WRONG)).replace("\n", end).encode(encoding))
    said("reset", "project")
    assert file.read_bytes() == text.format(STUB).replace("\n", end).encode(encoding)


def test_a_notebook_keeps_its_prose_and_what_no_encoding_can_hold(release: Path) -> None:
    file = release / "self_attention.ipynb"
    content = json.loads(file.read_text(encoding="utf-8"))
    body = f"def project(x, W_query, W_key, W_value):\n{WRONG.rstrip()}"
    [cell] = (one for one in content["cells"] if one.get("id") == "project")
    cell["source"] = f"# \ud800\n{body}"
    prose = {"cell_type": "markdown", "id": "mine", "metadata": {}, "source": f"\ud800\n{body}"}
    content["cells"].append(prose)
    file.write_bytes(json.dumps(content, indent=1).replace("\n", "\r\n").encode())
    said("reset", "project")
    now = json.loads(file.read_text(encoding="utf-8"))
    assert now["cells"][-1] == prose
    [cell] = (one for one in now["cells"] if one.get("id") == "project")
    assert "raise NotImplementedError()" in cell["source"]
    assert file.read_bytes().count(b"\r\n") == file.read_bytes().count(b"\n")


def test_an_editors_lock_beside_the_file_disturbs_nothing(release: Path) -> None:
    save(release, with_body("project", PROJECT))
    (release / ".#self_attention.py").symlink_to("student@machine.123:456")
    assert said("check", "project") == "project: 1 of 1 points\n"
    said("reset", "project")


# a folder that cannot be written


@pytest.fixture
def read_only(release: Path) -> Path:
    """A folder whose memory cannot be written, for root either."""
    (release / LAST_CHECKS).mkdir()
    (release / SHOWN_HINTS).mkdir()
    return release


def test_the_memory_of_a_read_only_folder_is_in_the_users_cache(
    read_only: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_now(read_only, with_body("project", WRONG))
    [kept] = (tmp_path / "cache").glob(f"self-attention-kit/*/{LAST_CHECKS}")
    for level in (1, 2, 3):
        assert hint("project").startswith(f"Hint {level} of 3")
    with monkeypatch.context() as patch:
        patch.setattr(practice, "Practice", None)
        assert "The keys were used in place of the values" in said("check", "project")
    (read_only / LAST_CHECKS).rmdir()
    check_now(read_only, with_body("project", PROJECT))
    assert not kept.exists()
    assert "1 of 1" in said("check", "project")


def test_where_nothing_can_be_written_a_check_says_all_the_same(
    read_only: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = read_only / "self_attention.py" / "no folder"
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name: nowhere / name)
    save(read_only, with_body("project", WRONG))
    assert "The keys were used in place of the values" in said("check", "project")
    assert hint("project").startswith("Hint 1 of 3")


def test_reset_says_what_to_do_where_the_file_cannot_be_written(release: Path) -> None:
    save(release, with_body("project", WRONG))
    (release / "project.old.txt").mkdir()
    done = invoke(["reset", "project"])
    assert done.exit_code == 2
    said = " ".join(done.stderr.split())
    assert "self_attention.py cannot be written (" in said
    assert "Copy its folder to a place of your own and work there" in said
    assert "raise NotImplementedError()" in said
    assert (release / "self_attention.py").read_text(encoding="utf-8") == with_body(
        "project", WRONG
    )


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
    """Only `requires_grad` is wrong, so nothing is asked about the seed. No sentence of the check is said again."""
    check_now(release, with_body("init_weights", SEEDED + TRAINABLE))
    first = " ".join(hint("init_weights").split())
    assert first == (
        "Hint 1 of 3 for `init_weights`: "
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
    first = " ".join(hint("attention_scores").split())
    assert "Call your `attention_score` alone, with a few small numbers." in first
    assert "fix that first" not in first


def test_after_an_exception_the_first_hint_asks_about_the_shapes(release: Path) -> None:
    check_now(release, with_body("project", "    return W_query @ x, x @ W_key, x @ W_value\n"))
    first = " ".join(hint("project").split())
    assert "Tokens are rows, so x stands on the left of a matrix product." in first
    message = " ".join(said("check", "project").split())
    assert "Tokens are rows" not in message


def test_a_hint_imports_no_torch(release: Path) -> None:
    """It starts in a moment: torch takes several times as long as all else."""
    check_now(release, with_body("project", WRONG))
    command = [sys.executable, "-X", "importtime", "-m", "autograder.cli", "hint", "project"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "Hint 1 of 3" in done.stdout
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "autograder.student.hint_levels" in imported
    assert imported.isdisjoint(("torch", "autograder.grading.grader"))
