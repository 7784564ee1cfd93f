"""`autograder watch` in a real terminal."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest

from tests.commands.interruptions import SCRIPT

pexpect = pytest.importorskip("pexpect", reason="needs a terminal that a program can type into")

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
PATIENCE = 120
PROJECT = "    return x @ W_query, x @ W_key, x @ W_value\n"
WRONG = "    return x @ W_query, x @ W_key, x @ W_key\n"
KEYS = "h: a hint   a: all steps   q: quit"


def with_body(step: str, body: str, text: str) -> str:
    """A released module in which this step has this body."""
    start = text.index(f"def {step}(")
    begin = text.index("    # YOUR CODE HERE", start)
    end = text.index("raise NotImplementedError()\n", begin) + len("raise NotImplementedError()\n")
    return text[:begin] + body + text[end:]


@pytest.fixture
def release(tmp_path: Path) -> Path:
    folder = tmp_path / "self_attention"
    shutil.copytree(ROOT / "assignments" / "self_attention", folder)
    return folder


class Terminal:
    """The command in a terminal of 60 columns."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        environment = {**os.environ, "TERM": "xterm", "NO_COLOR": "1"}
        self.program = pexpect.spawn(
            sys.executable,
            ["-c", SCRIPT, "watch", *arguments],
            cwd=str(folder),
            env=environment,
            dimensions=(40, 60),
            encoding="utf-8",
            timeout=PATIENCE,
        )
        self.folder = folder
        self.file = folder / "self_attention.py"

    def screen(self, end: str = KEYS) -> str:
        """What is shown next, up to the line of the keys."""
        self.program.expect_exact(end)
        return str(self.program.before).replace("\r\n", "\n")

    def save(self, step: str, body: str) -> None:
        self.file.write_text(with_body(step, body, self.stub), encoding="utf-8")

    @property
    def stub(self) -> str:
        path = ROOT / "assignments" / "self_attention" / "self_attention.py"
        return path.read_text(encoding="utf-8")


@pytest.fixture
def terminal(release: Path) -> Iterator[Terminal]:
    opened = Terminal(release)
    yield opened
    opened.program.close(force=True)


def test_a_students_quarter_of_an_hour(terminal: Terminal) -> None:
    """Save wrong, read the mistake; save right, see the next step; an editor's rename; ask for hints; quit."""
    assert "0 of 11 steps are right, 0 of 20 points." in terminal.screen()

    terminal.save("project", WRONG)
    wrong = terminal.screen()
    assert "self_attention [.x.........]" in wrong
    assert "project: 0 of 1 points" in wrong
    assert "values" in wrong

    terminal.program.send("h")
    assert "Hint 1 of 3 for `project`:" in terminal.screen()
    terminal.program.send("h")
    assert "Hint 2 of 3 for `project`:" in terminal.screen()

    saved = terminal.folder / ".self_attention.py.swp"
    saved.write_text(with_body("project", PROJECT, terminal.stub), encoding="utf-8")
    saved.replace(terminal.file)
    right = terminal.screen()
    assert "self_attention [.#.........]" in right
    assert "`project` is right." in right
    assert "A matrix product treats each row" in right
    assert "Next: `init_weights`." in right
    assert "save the file" in " ".join(right.split())

    terminal.program.send("a")
    assert "attention_scores         0 / 2  not started" in terminal.screen()

    terminal.program.send("q")
    terminal.program.expect(pexpect.EOF)
    terminal.program.wait()
    assert terminal.program.exitstatus == 0


BODIES = {
    "project": WRONG,
    "scale_scores": "    return scores / d_k\n",
    "attention_weights": "    return torch.softmax(scaled_scores, dim=0)\n",
    "attention_scores": "    return queries @ kyes.T\n",
    "context_vectors": "    print(weights)\n    return None\n",
}


def test_it_says_what_pytest_says(terminal: Terminal) -> None:
    """The same points and the same sentences, about each of these faults."""
    terminal.screen()
    command = [sys.executable, "-m", "pytest", "-q"]
    for step, body in BODIES.items():
        terminal.save(step, body)
        words = " ".join(terminal.screen().split()).partition(" points. ")[2]
        assert words.startswith(f"{step}: 0 of ")
        ran = subprocess.run(
            [*command, "-k", step], cwd=terminal.folder, capture_output=True, text=True, check=False
        )
        assert words in " ".join(ran.stdout.split())


def test_a_file_that_goes_comes_back_or_has_an_error_is_said(terminal: Terminal) -> None:
    terminal.screen()
    terminal.save("project", PROJECT)
    assert "1 of 11 steps are right" in terminal.screen()
    terminal.file.unlink()
    assert "There is no self_attention.py" in terminal.screen()
    terminal.file.write_text(terminal.stub + "\ndef (\n", encoding="utf-8")
    assert "Python cannot read line" in terminal.screen()
    terminal.save("project", PROJECT)
    back = terminal.screen()
    assert "1 of 11 steps are right" in back
    assert "`project` is right." not in back, "that was said before"


def test_of_two_files_that_are_saved_at_once_it_says_which_it_checked(terminal: Terminal) -> None:
    terminal.screen()
    copy = terminal.folder / "self_attention (1).py"
    copy.write_text(with_body("project", WRONG, terminal.stub), encoding="utf-8")
    terminal.save("project", PROJECT)
    shown = terminal.screen()
    while "1 of 11" not in shown:  # perhaps each came for itself
        shown = terminal.screen()
    assert "Checked: `self_attention.py`." in " ".join(shown.split())


def test_ctrl_c_ends_it_with_all_its_processes(terminal: Terminal) -> None:
    terminal.screen()
    terminal.save("project", WRONG)
    terminal.screen()
    processes = psutil.Process(terminal.program.pid).children(recursive=True)
    assert processes
    terminal.program.sendintr()
    terminal.program.expect(pexpect.EOF)
    assert "Traceback" not in terminal.program.before
    terminal.program.wait()
    assert terminal.program.exitstatus == 0
    _, alive = psutil.wait_procs(processes, timeout=PATIENCE)
    assert alive == []


def test_without_a_keyboard_it_shows_no_keys(release: Path, tmp_path: Path) -> None:
    """In a pipe, no screen is cleared, and Ctrl-C is how it ends."""
    command = [sys.executable, "-c", SCRIPT, "watch", str(release)]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, cwd=tmp_path
    ) as program:
        assert program.stdout is not None
        shown = []
        for line in program.stdout:
            shown.append(line)
            if "Ctrl-C ends this." in line:
                break
        program.send_signal(signal.SIGINT)
        shown += program.stdout.readlines()
        assert program.wait(PATIENCE) == 0
    text = "".join(shown)
    assert "0 of 11 steps are right" in text
    assert "a hint" not in text
    assert "\x1b" not in text
