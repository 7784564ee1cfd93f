"""nbgrader's commands, each in a process that is forked from one that has imported nbgrader and torch.

To import them takes a second of computing for each command. Run as a script, this module is that process.
"""

from __future__ import annotations

import atexit
import functools
import json
import os
import runpy
import signal
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

IMPORTED = (
    "torch",
    "nbgrader.apps",
    "nbgrader.server_extensions.formgrader",
    "autograder.nbgrader.exporter",
    "autograder.nbgrader.feedback",
    "autograder.nbgrader.parallel",
    "autograder.nbgrader.preprocessors",
)
# A command that takes longer is ended.
SECONDS = 600
CAN_FORK = hasattr(os, "fork") and sys.platform != "darwin"


def run(words: list[str], folder: Path, environment: Mapping[str, str]) -> tuple[int, str]:
    """Run `nbgrader WORDS` in a folder; return its exit code and what it says."""
    with tempfile.NamedTemporaryFile() as output:
        command = {"words": words, "folder": str(folder), "environment": dict(environment)}
        server = started(environment["PYTHONPATH"])
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps({**command, "output": output.name}) + "\n")
        server.stdin.flush()
        code = int(server.stdout.readline())
        return code, Path(output.name).read_text(encoding="utf-8")


@functools.cache
def started(path: str) -> subprocess.Popen[str]:
    """Return the process from which commands are forked, started at the first call."""
    server = subprocess.Popen(
        [sys.executable, __file__],
        env={**os.environ, "PYTHONPATH": path},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(server.communicate)
    return server


def serve() -> None:
    """Fork for each line of the input, and answer with the exit code.

    The forked process returns from here once its command is done, so that it ends as any interpreter does.
    """
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            become(**json.loads(line))
            return
        _, status = os.waitpid(pid, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def become(words: list[str], folder: str, environment: dict[str, str], output: str) -> None:
    """Be `python -m nbgrader WORDS`."""
    signal.alarm(SECONDS)
    for number, name, flags in ((0, os.devnull, os.O_RDONLY), (1, output, os.O_WRONLY)):
        os.dup2(os.open(name, flags), number)
    os.dup2(1, 2)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[0] = folder
    sys.argv[1:] = words
    runpy.run_module("nbgrader", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    for name in IMPORTED:
        import_module(name)
    serve()
