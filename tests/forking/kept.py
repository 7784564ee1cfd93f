"""What commands share in tests: the fork servers of sandboxes, drawn exams, and processes that grade.

Each is the product's own, started once for many commands instead of once for each.
"""

from __future__ import annotations

import itertools
import json
import multiprocessing
import os
import socket
import subprocess
from contextlib import contextmanager
from functools import partial
from multiprocessing import forkserver
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from autograder.exam.draw import draw_exam
from autograder.grading import engines, open_run
from autograder.records import plain, read
from autograder.sandbox import interpreter, warm
from autograder.sandbox.layers.status import LayerStatus
from autograder.sandbox.limits import Limits
from tests.exams import exam_of, source_of
from tests.forking import client

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from multiprocessing.context import BaseContext

    from autograder.assignment.source import Source
    from autograder.exam.questions import Exam

# The seed of exams that are drawn before a command asks for them.
SEED = 1
# More fork servers than these are not kept: each holds torch.
MOST = 12
_COMMAND = warm.COMMAND
_ForkServer = warm.ForkServer
_servers: dict[tuple[Any, ...], warm.ForkServer] = {}


def share() -> dict[tuple[Any, str], Any]:
    """Let commands in this process share what is kept, but for what a test has replaced. Return what was before."""
    interpreters = {name: getattr(subprocess, name) for name in ("PIPE", "TimeoutExpired")}
    contexts = {
        "get_context": lambda _: grading_context(),
        "parent_process": multiprocessing.parent_process,
    }
    shared = {
        (warm, "ForkServer"): (_ForkServer, fork_server),
        (open_run, "draw_exam"): (draw_exam, drawn),
        (engines, "multiprocessing"): (multiprocessing, SimpleNamespace(**contexts)),
        (interpreter, "subprocess"): (
            subprocess,
            SimpleNamespace(**interpreters, Popen=partial(client.Forked, alone=True)),
        ),
    }
    before = {place: getattr(*place) for place in shared}
    for place, (original, replacement) in shared.items():
        if before[place] is original:
            setattr(*place, replacement)
    return before


@contextmanager
def shared() -> Iterator[None]:
    before = share()
    try:
        yield
    finally:
        for place, value in before.items():
            setattr(*place, value)


def prepare(words: Sequence[str]) -> None:
    """Make what a command with these words shares and cannot make for others itself."""
    options = dict(itertools.pairwise(words))
    name, seed = options.get("--assignment", ""), options.get("--seed", "")
    if "nbgrader" in words:
        name, seed = "self_attention", str(SEED)
    if name and seed and (client.ROOT / "solutions" / name).is_dir():
        draw(name, int(seed))
    if "--jobs" in options:
        begin_grading()


# Sandboxes.


def fork_server(limits: Limits, layers: Sequence[str], probes: bytes) -> warm.ForkServer:
    """Return the client of a fork server that is kept; of a new one, if a test changed how it is started."""
    changed = warm.COMMAND != _COMMAND
    return _ForkServer(limits, layers, probes) if changed else LentServer(limits, layers, probes)


class LentServer(_ForkServer):
    """Client of a fork server that others use too: closing it ends its own workers only."""

    def __init__(self, limits: Limits, layers: Sequence[str], probes: bytes) -> None:
        self._layers = layers
        wanted = {
            "cpu": limits.cpu,
            "memory": limits.memory,
            "layers": list(layers),
            "probes": probes.decode(),
        }
        with client.ask({"sandbox": wanted}) as connection:
            data, [descriptor], _, _ = socket.recv_fds(connection, client.MAX_MESSAGE, 1)
        answer = json.loads(data)
        self._control = socket.socket(fileno=descriptor)
        self._status = read(dict[str, LayerStatus], answer["status"])
        self.process = SimpleNamespace(poll=lambda: None, pid=answer["pid"])  # type: ignore[assignment]

    def close(self) -> str:
        self._control.close()
        return ""


def lend(
    connection: socket.socket, *, cpu: float, memory: int, layers: list[str], probes: str
) -> None:
    """Send the control socket of such a fork server, and the status of its layers."""
    key = cpu, memory, tuple(layers), probes
    server = _servers.pop(key, None)
    if server is None or server.process.poll() is not None:
        server = _ForkServer(Limits(cpu, memory), layers, probes.encode())
    _servers[key] = server  # the last used is the last
    if len(_servers) > MOST:
        _servers.pop(next(iter(_servers))).close()
    answer = json.dumps({"status": plain(server.status()), "pid": server.process.pid})
    socket.send_fds(connection, [answer.encode()], [server._control.fileno()])


def close() -> None:
    for server in _servers.values():
        server.close()
    _servers.clear()


def forget() -> None:
    """Close what a forked process has of the fork servers, which go on."""
    for server in _servers.values():
        server._control.close()
        server._output.close()
        server.process.returncode = 0  # it is no child of this process
    _servers.clear()


# Exams.


_drawn: dict[tuple[str, str, int], Exam] = {}


def draw(name: str, seed: int = SEED) -> None:
    """Keep the exam of an assignment of this project for commands that ask for this seed."""
    _drawn[_key(source_of(name), seed)] = exam_of(name, seed)


def drawn(source: Source, seed: int) -> Exam:
    """Return the exam of this source and seed, which is drawn once."""
    key = _key(source, seed)
    if key not in _drawn:
        _drawn[key] = draw_exam(source, seed)
    return _drawn[key]


def _key(source: Source, seed: int) -> tuple[str, str, int]:
    return str(source.assignment.folder), source.digest, seed


# Processes that grade.


def grading_context() -> BaseContext:
    """Return how grading processes are started: forked from one in which all is imported."""
    if not _grading_begun():
        return multiprocessing.get_context("spawn")
    return multiprocessing.get_context("forkserver")


def begin_grading() -> None:
    """Start the process from which grading processes are forked, if it does not run."""
    if not _grading_begun():
        multiprocessing.set_forkserver_preload(["tests.forking.grading"])
        os.environ[client.ADDRESS] = client.address()
        forkserver.ensure_running()
        del os.environ[client.ADDRESS]
        # A forked command may not wait for it, as the original does.
        forkserver._forkserver.ensure_running = lambda: None  # type: ignore[method-assign]


def _grading_begun() -> bool:
    return forkserver._forkserver._forkserver_pid is not None  # type: ignore[attr-defined]
