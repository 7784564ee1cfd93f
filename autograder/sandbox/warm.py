"""Workers forked from a warm process: where the system can fork, a submission costs milliseconds instead of seconds."""

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
from autograder.sandbox.forked import Connection, ForkedWorker
from autograder.sandbox.fresh import Sandbox
from autograder.sandbox.layers.all import BY_NAME
from autograder.sandbox.layers.bubblewrap import HOME, Bubblewrap, wrapping
from autograder.sandbox.layers.paths import environment
from autograder.sandbox.limits import (
    DEFAULT_MEMORY,
    START_LIMIT,
    SUBMISSION_FACTOR,
    Limits,
    could_not_start,
    kill_tree,
)
from autograder.values.values import freeze, thaw
from autograder.values.wire import decode, encode

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMAND = (sys.executable, "-s", "-P", "-m", "autograder.sandbox.inside.zygote")
_CLOSING = 5.0
_MAX_MESSAGE = 1 << 20


def can_fork() -> bool:
    """Whether this system has what the warm process is made of."""
    return sys.platform == "linux" and hasattr(os, "pidfd_open")


def best_sandbox(limits: Limits, *, probes: bytes = b"") -> Sandbox:
    """The strongest and fastest sandbox that this system has."""
    return WarmSandbox(limits, probes=probes) if can_fork() else Sandbox(limits)


class WarmSandbox(Sandbox):
    """Starts workers by forking them from one warm process; replaces that process should it end.

    Attributes:
        layers: the names of those that every worker wears.
    """

    def __init__(
        self, limits: Limits, layers: Sequence[str] | None = None, *, probes: bytes = b""
    ) -> None:
        super().__init__(limits)
        self._asked = tuple(BY_NAME) if layers is None else tuple(layers)
        self._probes = probes
        self._warm: WarmProcess | None = None

    def prepare(self) -> None:
        """Start the warm process; it imports torch while others work."""
        with self._lock:
            self._open()

    def survey(self) -> dict[str, str]:
        """For each layer why it is not worn, empty where it is; waits until the warm process has tried them."""
        with self._lock:
            try:
                survey = self._open().survey()
            except GraderFault:
                self._warm = None  # whoever asks again starts again, and is told the same
                raise
        self.layers = tuple(name for name, why_not in survey.items() if not why_not)
        return survey

    def start(self) -> ForkedWorker:
        """A worker; the next one is forked meanwhile. Raises GraderFault once the sandbox is closed."""
        self.survey()
        with self._lock:
            spare, self._spare = self._spare, None
            worker = spare if isinstance(spare, ForkedWorker) else self._fork()
            self._spare = self._fork()
            return worker

    def _open(self) -> WarmProcess:
        if self._closed:
            raise GraderFault("The sandbox has been closed.")
        if self._warm is None:
            self._warm = WarmProcess(self.limits, self._asked, self._probes)
        return self._warm

    def _fork(self) -> ForkedWorker:
        """Fork a worker; from a new warm process, if that has gone."""
        try:
            connection = self._open().connect()
        except (BrokenPipeError, ConnectionResetError):
            assert self._warm is not None
            self._warm.close()
            self._warm = None
            connection = self._open().connect()
        worker = ForkedWorker(connection, self.limits)
        self._workers.add(worker)
        return worker

    def close(self) -> None:
        """Stop all workers and the warm process."""
        super().close()
        with self._lock:
            warm, self._warm = self._warm, None
        if warm is not None:
            warm.close()


class WarmProcess:
    """The warm process, seen from the grader: told once how its children are to be, then asked for them."""

    def __init__(self, limits: Limits, layers: Sequence[str], probes: bytes) -> None:
        self._layers = layers
        self._survey: dict[str, str] | None = None
        self._last = ""
        self._words = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        words, self._bubblewrap = wrapping() if Bubblewrap.name in layers else ((), "")
        self._home = HOME if words else tempfile.mkdtemp(prefix="self-attention-kit-")
        self.process = subprocess.Popen(
            (*words, *COMMAND, str(theirs.fileno())),
            stdin=subprocess.DEVNULL,
            stdout=self._words,
            stderr=self._words,
            cwd="/",
            env=environment(self._home),
            pass_fds=(theirs.fileno(),),
            start_new_session=True,
        )
        theirs.close()
        setup = {
            "home": self._home,
            "layers": [name for name in layers if words or name != Bubblewrap.name],
            "memory": limits.memory or DEFAULT_MEMORY,
            "cpu": int(SUBMISSION_FACTOR * limits.wall) + 1,
            "probes": probes,
        }
        with contextlib.suppress(OSError):  # it is gone already: whoever waits for it is told
            self._control.send(encode(freeze(setup)))

    def survey(self) -> dict[str, str]:
        """What it found out about each layer, once it is warm. Raises GraderFault if it never is."""
        if self._survey is None:
            self._control.settimeout(START_LIMIT)
            try:
                report = thaw(decode(self._control.recv(_MAX_MESSAGE)))["layers"]
            except (OSError, ProtocolError) as error:
                raise GraderFault(could_not_start(self.close() or repr(error))) from None
            self._control.settimeout(None)
            found = {Bubblewrap.name: self._bubblewrap, **report}
            self._survey = {name: found[name] for name in self._layers}
        return self._survey

    def connect(self) -> Connection:
        """Ask for a child: its leash, and our ends of its streams for requests, answers and output."""
        self.survey()
        requests, answers, output = os.pipe(), os.pipe(), os.pipe()
        leash, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        leash.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        ours = (requests[1], answers[0], output[0])
        given = (requests[0], answers[1], output[1])
        try:
            socket.send_fds(self._control, [b"start"], [*given, theirs.fileno()])
        except OSError:
            leash.close()
            _close(ours)
            raise
        finally:
            theirs.close()
            _close(given)
        return Connection(leash, *ours)

    def close(self) -> str:
        """End the warm process, with all that descends from it; its last words."""
        if self._words.closed:
            return self._last
        self._control.close()
        try:
            self.process.wait(timeout=_CLOSING)
        except subprocess.TimeoutExpired:
            kill_tree(self.process)
        self._words.seek(0)
        lines = self._words.read().decode("utf-8", "replace").strip().splitlines()
        self._words.close()
        if self._home != HOME:  # it does so itself, unless it was killed
            shutil.rmtree(self._home, ignore_errors=True)
        self._last = lines[-1] if lines else ""
        return self._last


def _close(descriptors: tuple[int, ...]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)
