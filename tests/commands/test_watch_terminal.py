"""`autograder watch` in a real terminal, in which a student saves."""

from __future__ import annotations

import json
import os
import signal
import struct
import subprocess
import sys
from typing import TYPE_CHECKING

import psutil
import pytest

from tests.command_line import SCRIPT
from tests.commands.released_steps import END, PROJECT, WRONG, with_body
from tests.forking import client

fcntl = pytest.importorskip("fcntl", reason="needs a terminal that a program can type into")
termios = pytest.importorskip("termios", reason="needs a terminal that a program can type into")
pexpect = pytest.importorskip("pexpect", reason="needs a terminal that a program can type into")
fdpexpect = pytest.importorskip("pexpect.fdpexpect")

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.slow  # processes that wait for each other

PATIENCE = 120
# The terminal becomes that of the process, whom Ctrl-C then interrupts.
IN_A_TERMINAL = f"import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); {SCRIPT}"


class Terminal:
    """The command in a terminal of 60 columns; `alone` as in `tests.forking`."""

    def __init__(self, folder: Path, *, alone: bool = False) -> None:
        ours, theirs = os.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 60, 0, 0))
        self.process = client.Forked(
            [sys.executable, "-c", IN_A_TERMINAL, "watch"],
            cwd=folder,
            env={**os.environ, "TERM": "xterm", "NO_COLOR": "1"},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            alone=alone,
        )
        os.close(theirs)
        self.program = fdpexpect.fdspawn(ours, encoding="utf-8", timeout=PATIENCE)
        self.folder = folder
        self.file = folder / "self_attention.py"

    def screen(self) -> str:
        self.program.expect_exact(END)
        return str(self.program.before).replace("\r\n", "\n")

    def save(self, step: str, body: str) -> None:
        self.file.write_text(with_body(step, body), encoding="utf-8")

    def end(self, keys: str) -> str:
        """Type the last keys; return what is shown then. The command ends without an error."""
        self.program.send(keys)
        self.program.expect(pexpect.EOF)
        assert self.process.wait(PATIENCE) == 0
        return str(self.program.before)

    def close(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE)
        self.program.close()


@pytest.fixture
def terminal(release: Path) -> Iterator[Terminal]:
    opened = Terminal(release)
    yield opened
    opened.close()


def test_a_students_quarter_of_an_hour(terminal: Terminal) -> None:
    first = terminal.screen()
    assert first.index("checking ...") < first.index("0 of 11 steps are right, 0 of 20 points.")

    terminal.save("project", WRONG)
    wrong = terminal.screen()
    assert "self_attention [.x.........]" in wrong
    assert "project: 0 of 1 points" in wrong

    saved = terminal.folder / ".self_attention.py.swp"
    saved.write_text(with_body("project", PROJECT), encoding="utf-8")
    saved.replace(terminal.file)
    right = terminal.screen()
    assert "self_attention [.#.........]" in right
    assert "`project` is right." in right
    terminal.end("\x03")


def test_a_notebook_is_watched_too(terminal: Terminal) -> None:
    terminal.screen()
    notebook = terminal.folder / "self_attention.ipynb"
    content = json.loads(notebook.read_text(encoding="utf-8"))
    [cell] = (one for one in content["cells"] if one.get("id") == "project")
    cell["source"] = f"def project(x, W_query, W_key, W_value):\n{PROJECT}"
    notebook.write_text(json.dumps(content), encoding="utf-8")
    shown = terminal.screen()
    assert "self_attention [.#.........]" in shown
    assert "You worked in `self_attention.ipynb`" in " ".join(shown.split())


def test_ctrl_c_ends_it_with_all_its_processes(release: Path) -> None:
    """Its fork server and its workers are its own."""
    terminal = Terminal(release, alone=True)
    try:
        terminal.screen()
        terminal.save("project", WRONG)
        terminal.screen()
        processes = psutil.Process(terminal.process.pid).children(recursive=True)
        assert processes
        assert "Traceback" not in terminal.end("\x03")
        _, alive = psutil.wait_procs(processes, timeout=PATIENCE)
        assert alive == []
    finally:
        terminal.close()


def test_in_a_pipe_no_screen_is_cleared(release: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", SCRIPT, "watch", str(release)]
    with client.Forked(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, cwd=tmp_path
    ) as program:
        assert program.stdout is not None
        shown = []
        for line in program.stdout:
            shown.append(line)
            if END in line:
                break
        program.send_signal(signal.SIGINT)
        shown += program.stdout.readlines()
        assert program.wait(PATIENCE) == 0
    text = "".join(shown)
    assert "0 of 11 steps are right" in text
    assert "\x1b" not in text
