"""Processes as `subprocess` has them, but forked from one in which torch, nbgrader and the kit are imported.

A new interpreter takes 2 to 6 seconds of computing time for what nearly every command does first: import torch, draw
the exam, and start a sandbox. Here each command has its own arguments, folder, environment, streams, signals and exit
code, and shares the imports, the exams and, unless it is `alone`, the sandboxes.
"""

from __future__ import annotations

import atexit
import functools
import inspect
import json
import os
import socket
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CAN_FORK = sys.platform == "linux" and hasattr(os, "pidfd_open")
ROOT = Path(__file__).parents[2]
# Without this folder, nbgrader takes more than twice as long to start.
QUICK_START = str(ROOT / "tests" / "nbgrader" / "quick_start")
# The variable that names the socket to a process which is not forked itself.
ADDRESS = "FORKING_SOCKET"
# The variable that names the socket of a process that several processes share. No other program gets it.
SHARED = "FORKING_SOCKET_OF_ALL"
_SHARED = os.environ.pop(SHARED, None)
NUMBER = struct.Struct("i")
MAX_MESSAGE = 1 << 17
_EXECUTE = inspect.signature(subprocess.Popen._execute_child)  # type: ignore[attr-defined]


class Forked(subprocess.Popen[Any]):
    """A process that is forked where that is possible, and else started as usual.

    Its command is an interpreter's: `[sys.executable, "-m", MODULE, ...]`, or with `-c` or a script.

    Args:
        alone: whether it has sandboxes of its own, which no other command has used.
    """

    def __init__(self, command: Sequence[str], *, alone: bool = False, **options: Any) -> None:
        self._alone = alone
        self._life: socket.socket | None = None
        super().__init__(command, **options)

    def _execute_child(self, *values: Any) -> None:
        """Start the process: what `subprocess` does by fork and exec."""
        given = _EXECUTE.bind(self, *values).arguments
        if not CAN_FORK:
            super()._execute_child(*values)  # type: ignore[misc]
            return
        ends = [
            given[name]
            for name in ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")
        ]
        streams = [
            number if one == -1 else one for number, one in enumerate((ends[0], ends[3], ends[5]))
        ]
        executable, *words = map(os.fspath, given["args"])
        assert executable == sys.executable
        request = {
            "words": words,
            "folder": os.fspath(given["cwd"] or Path.cwd()),
            "environment": dict(os.environ if given["env"] is None else given["env"]),
            "session": bool(given["start_new_session"]),
            "alone": self._alone,
        }
        self._life = ask(request, streams)
        (self.pid,) = NUMBER.unpack(self._life.recv(NUMBER.size))
        self._child_created = True
        self._close_pipe_fds(*ends)  # type: ignore[attr-defined]

    def _try_wait(self, wait_flags: int) -> tuple[int, int]:
        """Return the process id and how the process ended; 0 for the id while it runs."""
        if self._life is None:
            return super()._try_wait(wait_flags)  # type: ignore[misc,no-any-return]
        self._life.setblocking(not wait_flags & os.WNOHANG)
        try:
            data = self._life.recv(NUMBER.size)
        except BlockingIOError:
            return 0, 0
        self._life.close()
        assert data, "the process from which commands are forked has ended"
        return self.pid, *NUMBER.unpack(data)

    def _internal_poll(self, *arguments: Any, **options: Any) -> int | None:
        if self._life is None:
            return super()._internal_poll(*arguments, **options)  # type: ignore[misc,no-any-return]
        with self._waitpid_lock:  # type: ignore[attr-defined]
            if self.returncode is None:
                pid, status = self._try_wait(os.WNOHANG)
                if pid:
                    self._handle_exitstatus(status)  # type: ignore[attr-defined]
        return self.returncode


def run(
    command: Sequence[str],
    *,
    alone: bool = False,
    check: bool = False,
    capture_output: bool = False,
    input: Any = None,  # noqa: A002 - as subprocess has it
    timeout: float = 600,
    **options: Any,
) -> subprocess.CompletedProcess[Any]:
    """Do what `subprocess.run` does, in a forked process."""
    if capture_output:
        options |= {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    if input is not None:
        options["stdin"] = subprocess.PIPE
    with Forked(command, alone=alone, **options) as process:
        try:
            output, errors = process.communicate(input, timeout)
        except BaseException:
            process.kill()
            raise
    done = subprocess.CompletedProcess(command, process.returncode, output, errors)
    if check:
        done.check_returncode()
    return done


def ask(request: Mapping[str, Any], descriptors: Sequence[int] = ()) -> socket.socket:
    """Send a request to the process in which all is imported; return where the answer arrives."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    connection.connect(address())
    socket.send_fds(connection, [json.dumps(request).encode()], list(descriptors))
    return connection


@functools.cache
def address() -> str:
    """Return the socket of that process, which is started at the first call, unless others share one."""
    if _SHARED is None:
        path, server = start()
        assert server.stdout is not None
        assert server.stdout.readline() == b"ready\n"
        return path
    while True:  # until it has imported all
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as connection:
            try:
                connection.connect(_SHARED)
            except (FileNotFoundError, ConnectionRefusedError):
                assert Path(_SHARED).parent.exists(), "the process that all share has ended"
                time.sleep(0.1)
            else:
                return _SHARED


def share() -> None:
    """Start the process for all processes that are started from now on and import this module."""
    os.environ[SHARED], _ = start()


def start() -> tuple[str, subprocess.Popen[bytes]]:
    """Start the process, which ends with this one; return its socket, and the process."""
    folder = tempfile.TemporaryDirectory(prefix="forking-")
    path = f"{folder.name}/socket"
    libraries = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.forking.server", path],
        cwd=ROOT,
        env={**os.environ, **libraries, "PYTHONPATH": QUICK_START},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )

    def end() -> None:
        server.communicate()  # it ends when its input does
        folder.cleanup()

    atexit.register(end)
    return path, server
