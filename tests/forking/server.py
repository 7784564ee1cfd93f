"""The process in which all is imported: it forks a process for each command.

Started as `python -m tests.forking.server SOCKET`; it ends when its input does.
"""

from __future__ import annotations

import gc
import io
import itertools
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import sys
import tempfile
import types
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.forking import client, kept
from tests.forking.client import MAX_MESSAGE, NUMBER

IMPORTED = ("torch", "pytest", "nbgrader.apps", "nbgrader.server_extensions.formgrader")
# All modules of these packages are imported.
PACKAGES = ("commands", "grading", "nbgrader", "release", "reports", "student")
# Flags of an interpreter: unbuffered output; -s and -P leave out folders that hold nothing that is imported here.
FLAGS = ("-u", "-s", "-P")
# A command that takes longer is ended.
SECONDS = 600


def import_all() -> None:
    for name in IMPORTED:
        import_module(name)
    for name in PACKAGES:
        package = import_module(f"autograder.{name}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            import_module(module.name)


class Server:
    """Forks commands, and tells who asked for one how it ended."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._listening.bind(path)
        self._listening.listen(64)
        self._running: dict[int, tuple[int, socket.socket]] = {}
        self._poll = select.poll()
        for descriptor in (0, self._listening.fileno()):
            self._poll.register(descriptor, select.POLLIN | select.POLLHUP)

    def serve(self) -> dict[str, Any] | None:
        """Answer requests until the input ends. In a forked process, return its request."""
        while True:
            for descriptor, _ in self._poll.poll():
                if descriptor == 0:
                    return None
                if descriptor in self._running:
                    self._tell_end(descriptor)
                elif request := self._answer():
                    return request

    def _answer(self) -> dict[str, Any] | None:
        connection, _ = self._listening.accept()
        data, descriptors, _, _ = socket.recv_fds(connection, MAX_MESSAGE, 3)
        if not data:  # somebody looked whether this process is ready
            connection.close()
            return None
        request: dict[str, Any] = json.loads(data)
        if "sandbox" in request:
            with connection:
                kept.lend(connection, **request["sandbox"])
            return None
        if not request["alone"]:
            kept.prepare(request["words"])
        pid = os.fork()
        if pid == 0:
            self._forget(connection)
            for number, descriptor in enumerate(descriptors):
                os.dup2(descriptor, number)
                os.close(descriptor)
            return request
        for descriptor in descriptors:
            os.close(descriptor)
        ended = os.pidfd_open(pid)
        self._running[ended] = pid, connection
        self._poll.register(ended, select.POLLIN)
        connection.send(NUMBER.pack(pid))
        return None

    def _forget(self, connection: socket.socket) -> None:
        """Close, in a forked process, what belongs to the server and to other commands."""
        for one in (connection, self._listening, *(other for _, other in self._running.values())):
            one.close()
        for ended in self._running:
            os.close(ended)
        kept.forget()

    def _tell_end(self, ended: int) -> None:
        pid, connection = self._running.pop(ended)
        self._poll.unregister(ended)
        os.close(ended)
        _, status = os.waitpid(pid, 0)
        with connection:
            try:
                connection.send(NUMBER.pack(status))
            except BrokenPipeError:
                return  # whoever started it has ended


def become(
    words: list[str], folder: str, environment: dict[str, str], *, session: bool, alone: bool
) -> None:
    """Be the interpreter with these arguments."""
    signal.alarm(SECONDS)
    gc.enable()
    if session:
        os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    tempfile.tempdir = None
    if not alone:
        kept.share()
    flags = list(itertools.takewhile(lambda word: word in FLAGS, words))
    open_streams(unbuffered="-u" in flags)
    run(*words[len(flags) :])


def open_streams(*, unbuffered: bool) -> None:
    """Open the standard streams as an interpreter does at its start."""
    sys.stdin = sys.__stdin__ = open(0, encoding="utf-8", closefd=False)  # type: ignore[misc] # noqa: SIM115
    for number, name, errors in ((1, "stdout", "strict"), (2, "stderr", "backslashreplace")):
        raw = open(number, "wb", closefd=False)  # noqa: SIM115
        by_line = number == 2 or os.isatty(number)
        stream = io.TextIOWrapper(
            raw, "utf-8", errors, line_buffering=by_line, write_through=unbuffered
        )
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def run(first: str, *words: str) -> None:
    if first == "-m":
        module, *sys.argv[1:] = words
        sys.path[0] = str(Path.cwd())
        sys.modules.pop(module, None)  # as it is in an interpreter that has only begun
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    elif first == "-c":
        text, *rest = words
        sys.argv[:] = ["-c", *rest]
        sys.path[0] = ""
        sys.modules["__main__"] = main_module = types.ModuleType("__main__")
        exec(compile(text, "<string>", "exec"), main_module.__dict__)
    else:
        sys.argv[:] = [first, *words]
        sys.path[0] = str(Path(first).parent)
        runpy.run_path(first, run_name="__main__")


def main() -> None:
    """Serve until the input ends; in a forked process, run the command."""
    path = sys.argv[1]
    client.address = lambda: path  # type: ignore[assignment]
    import_all()
    gc.collect()
    gc.freeze()
    gc.disable()
    server = Server(path)
    os.write(1, b"ready\n")
    request = server.serve()
    if request is None:
        kept.close()
    else:
        become(**request)


if __name__ == "__main__":
    main()
