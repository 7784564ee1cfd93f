"""Workers forked by a fork server: on Linux a submission costs milliseconds instead of seconds."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING

from autograder.errors import GraderFault, ProtocolError
from autograder.records import RecordError, read
from autograder.sandbox.forked import ForkedProcess
from autograder.sandbox.fresh import FreshSandbox
from autograder.sandbox.layers.all import BY_NAME
from autograder.sandbox.layers.bubblewrap import HOME, Bubblewrap, wrapping
from autograder.sandbox.layers.paths import worker_environment
from autograder.sandbox.layers.process import Process
from autograder.sandbox.layers.status import ACTIVE, LayerStatus
from autograder.sandbox.limits import (
    BACKSTOP,
    DEFAULT_MEMORY,
    START_LIMIT,
    WALL_FACTOR,
    Limits,
    could_not_start,
    kill_tree,
    started_too_slowly,
)
from autograder.sandbox.sandbox import Sandbox
from autograder.values.values import freeze
from autograder.values.wire import decode, encode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograder.sandbox.client import Worker

COMMAND = (sys.executable, "-s", "-P", "-m", "autograder.sandbox.inside.zygote")
_CLOSING = 5.0
_MAX_MESSAGE = 1 << 20


def can_fork() -> bool:
    """Return whether the fork server works on this system."""
    return sys.platform == "linux" and hasattr(os, "pidfd_open")


def best_sandbox(
    limits: Limits, *, layers: Sequence[str] | None = None, probes: bytes = b""
) -> Sandbox:
    """The strongest and fastest sandbox on this system.

    Args:
        layers: the names of the layers to apply; all of them by default.
        probes: the source of the checks, so that the fork server can load it before it forks.
    """
    return WarmSandbox(limits, layers, probes=probes) if can_fork() else FreshSandbox(limits)


class WarmSandbox(Sandbox):
    """Starts workers by forking them in one fork server; replaces the server if it ends."""

    def __init__(
        self, limits: Limits, layers: Sequence[str] | None = None, *, probes: bytes = b""
    ) -> None:
        super().__init__(limits)
        self._wanted = tuple(BY_NAME) if layers is None else tuple(layers)
        self._probes = probes
        self._server: ForkServer | None = None

    def prepare(self) -> None:
        """Start the fork server; it imports torch while the grader does other work."""
        with self._lock:
            self._open()

    def status(self) -> dict[str, LayerStatus]:
        """The status of each layer; waits until the fork server has tested them."""
        with self._lock:
            server = self._open()
            try:
                status = server.status()
            except GraderFault:
                self._server = None  # the next call starts a new one, and raises the same
                raise
        self.layers = tuple(name for name, layer in status.items() if layer.active)
        return status

    def start(self) -> Worker:
        """A worker; the next one is forked meanwhile. Raises GraderFault if the sandbox is closed."""
        self.status()
        with self._lock:
            worker, self._spare = self._spare or self._fork(), None
            server = self._server
            self._spare = self._fork()
            if self._server is not server:  # the old one has ended, and the worker with it
                worker.close()
                worker = self._fork()
            return worker

    def fallback(self) -> Sandbox | None:
        """Return a FreshSandbox if the only wanted layer is `process`, which it has too."""
        return FreshSandbox(self.limits) if self._wanted == (Process.name,) else None

    def _open(self) -> ForkServer:
        self._refuse_closed()
        if self._server is None:
            self._server = ForkServer(self.limits, self._wanted, self._probes)
        return self._server

    def _fork(self) -> Worker:
        """Fork a worker; in a new fork server, if the old one has ended."""
        try:
            process = self._open().fork()
        except (BrokenPipeError, ConnectionResetError):
            assert self._server is not None
            self._server.close()
            self._server = None
            process = self._open().fork()
        return self._worker(process)

    def close(self) -> None:
        """Stop all workers and the fork server."""
        super().close()
        with self._lock:
            server, self._server = self._server, None
        if server is not None:
            server.close()


class ForkServer:
    """Client of the fork server: configured once, then asked for workers."""

    def __init__(self, limits: Limits, layers: Sequence[str], probes: bytes) -> None:
        self._layers = layers
        self._status: dict[str, LayerStatus] | None = None
        self._last_line = ""
        self._output = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command, self._bubblewrap = wrapping() if Bubblewrap.name in layers else ((), ACTIVE)
        self._home = HOME if command else tempfile.mkdtemp(prefix="self-attention-kit-")
        self.process = subprocess.Popen(
            (*command, *COMMAND, str(theirs.fileno())),
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=self._output,
            cwd="/",
            env=worker_environment(self._home),
            pass_fds=(theirs.fileno(),),
            start_new_session=True,
        )
        theirs.close()
        setup = {
            "home": self._home,
            "layers": [name for name in layers if command or name != Bubblewrap.name],
            "memory": limits.memory or DEFAULT_MEMORY,
            "cpu": int(limits.submission) + 1,
            "probes": probes,
        }
        with contextlib.suppress(OSError):  # it has ended already; `status` says so
            self._control.send(encode(freeze(setup)))

    def status(self) -> dict[str, LayerStatus]:
        """The status of each layer, once the server is ready. Raises GraderFault if it did not start."""
        if self._status is None:
            try:
                report = read(dict[str, LayerStatus], decode(self._received()))
            except (OSError, ProtocolError, RecordError) as error:
                raise GraderFault(could_not_start(self.close() or repr(error))) from None
            if report.get(Bubblewrap.name, ACTIVE).active:
                report[Bubblewrap.name] = self._bubblewrap
            self._status = {name: report[name] for name in self._layers}
        return self._status

    def _received(self) -> bytes:
        """Wait for the server's message, and return it. Raises GraderFault at a limit, OSError if the server ended."""
        self._control.settimeout(
            BACKSTOP * WALL_FACTOR * START_LIMIT
        )  # on a busy machine it waits for a core
        try:
            message = self._control.recv(_MAX_MESSAGE)
        except TimeoutError:
            self.close()
            raise GraderFault(started_too_slowly()) from None
        self._control.settimeout(None)
        return message

    def fork(self) -> ForkedProcess:
        """Let the server fork a worker. Raises BrokenPipeError if the server has ended."""
        self.status()
        if self.process.poll() is not None:  # a child of it may still hold the socket
            raise BrokenPipeError
        requests, answers, output = os.pipe(), os.pipe(), os.pipe()
        control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        control.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        ours = (requests[1], answers[0], output[0])
        given = (requests[0], answers[1], output[1])
        try:
            socket.send_fds(self._control, [b"start"], [*given, theirs.fileno()])
        except OSError:
            control.close()
            _close(ours)
            raise
        finally:
            theirs.close()
            _close(given)
        return ForkedProcess(control, *ours)

    def close(self) -> str:
        """End the server and all processes that descend from it; return its last line of output."""
        if self._output.closed:
            return self._last_line
        self._control.close()
        try:
            self.process.wait(timeout=_CLOSING)
        except subprocess.TimeoutExpired:
            kill_tree(self.process)
        self._output.seek(0)
        lines = self._output.read().decode("utf-8", "replace").strip().splitlines()
        self._output.close()
        if self._home != HOME:  # the server removes it too, unless it was killed
            shutil.rmtree(self._home, ignore_errors=True)
        self._last_line = lines[-1] if lines else ""
        return self._last_line


def _close(descriptors: tuple[int, ...]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)
