"""A forked command is as one in an interpreter of its own: compared with one, and its signals sent."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.forking import client
from tests.forking.client import Forked

if TYPE_CHECKING:
    from pathlib import Path


TELLS = """\
import json, os, sys
print(json.dumps([sys.argv, os.getcwd(), sys.stdin.read(), os.environ.get("MINE"), sys.path[0], __name__]))
print("to the other stream", file=sys.stderr)
sys.exit(3)
"""
SLEEPS = "import time; print('ready', flush=True); time.sleep(600)"


@pytest.mark.parametrize(
    "words", [["-c", TELLS, "one", "--two=3"], ["-m", "tells", "one"], ["tells.py", "one"]]
)
def test_arguments_folder_environment_and_streams_are_its_own(
    tmp_path: Path, words: list[str]
) -> None:
    (tmp_path / "tells.py").write_text(TELLS)
    command = [sys.executable, *(str(tmp_path / one) if ".py" in one else one for one in words)]
    options: dict[str, Any] = {
        "cwd": tmp_path,
        "env": {**os.environ, "MINE": "ä"},
        "input": "given",
    }
    options |= {"capture_output": True, "text": True}
    forked = client.run(command, **options)
    new = subprocess.run(command, check=False, **options)
    assert json.loads(forked.stdout)[2:4] == ["given", "ä"]
    assert (forked.returncode, forked.stdout, forked.stderr) == (3, new.stdout, new.stderr)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("pass", 0),
        ("raise ValueError('it is wrong')", 1),
        ("import os; os._exit(7)", 7),
        ("import os; os.kill(os.getpid(), 9)", -9),
        ("raise KeyboardInterrupt", -signal.SIGINT),
    ],
)
def test_the_exit_code_is_that_of_an_interpreter(text: str, code: int) -> None:
    done = client.run([sys.executable, "-c", text], capture_output=True, text=True)
    assert done.returncode == code
    assert ("ValueError: it is wrong" in done.stderr) is (code == 1)


@pytest.mark.skipif(os.name != "posix", reason="no signals to another process here")
def test_a_signal_reaches_it() -> None:
    command = [sys.executable, "-c", SLEEPS]
    with Forked(command, stdout=subprocess.PIPE, start_new_session=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        assert child.poll() is None
        assert os.getsid(child.pid) == child.pid
        with pytest.raises(subprocess.TimeoutExpired):
            child.wait(timeout=0.05)
        child.send_signal(signal.SIGTERM)
        assert child.wait(timeout=60) == -signal.SIGTERM
