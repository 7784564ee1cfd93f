"""The fork server: imports torch once, and forks a child for each submission.

It runs no student's code and holds no answers. A child applies its layers and becomes a worker. When it ends, or when
the grader closes its control socket, the fork server kills and reaps it with everything that it started. When the
grader ends, the fork server ends too. Run as `python -m autograder.sandbox.inside.zygote DESCRIPTOR`, where DESCRIPTOR
is the grader's socket.
"""

from __future__ import annotations

import contextlib
import gc
import os
import select
import shutil
import signal
import socket
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from autograder.sandbox.inside.memory import address_space
from autograder.sandbox.inside.own_code import own_code
from autograder.sandbox.inside.streams import Streams
from autograder.sandbox.inside.survey import Survey, enter
from autograder.sandbox.inside.warm_up import warm_up
from autograder.sandbox.inside.worker import greet, received, serve
from autograder.sandbox.layers.all import BY_NAME
from autograder.sandbox.layers.base import TRIAL, Layer, WorkerLimits
from autograder.sandbox.layers.paths import SEEMS_WRITABLE, worker_environment
from autograder.sandbox.layers.prctl import adopt_orphans, set_undumpable
from autograder.values.values import freeze, thaw
from autograder.values.wire import EXIT_CODE, STARTED, decode, encode

if TYPE_CHECKING:
    from autograder.sandbox.layers.status import LayerStatus

MAX_MESSAGE = 1 << 20
WITNESS = "witness"
_SETUP_FAILED = 70
# So many new objects a worker makes before its collector looks for garbage; the parser makes thousands for a file.
_YOUNG = 5_000


@dataclass
class _Child:
    """A running child, and its control socket, whose other end the grader holds."""

    pid: int
    ended: int
    control: socket.socket


class Zygote:
    """Forks children when the grader asks for them."""

    def __init__(self, control: socket.socket, setup: dict[str, Any]) -> None:
        self._control = control
        self._setup = setup
        self._home = self._folder = setup["home"]
        self._children: dict[int, _Child] = {}
        self._layers: list[Layer] = []
        self._poll = select.poll()
        self._poll.register(control, select.POLLIN)

    def prepare(self) -> dict[str, LayerStatus]:
        """Import what children need and test the layers; return the status of each."""
        gc.disable()  # until a child enables it: objects made here live for the whole run
        Path(self._home, WITNESS).write_text("what no student's code can read\n", encoding="utf-8")
        # No child can write there, so all share it. Texts about a submission replace paths with this prefix.
        self._folder = tempfile.mkdtemp(prefix="autograder-", dir=self._home)
        os.environ.update(worker_environment(self._folder))
        tempfile.tempdir = None
        Path(self._home, TRIAL).mkdir()
        Path(self._home, TRIAL).chmod(0o777)  # only a layer keeps children from writing there
        for folder in (self._folder, self._home):
            Path(folder).chmod(0o555)
        adopt_orphans()
        set_undumpable()
        warm_up()
        own = own_code(self._setup["probes"], serve)
        gc.collect()
        gc.freeze()
        threads = os.listdir("/proc/self/task")  # noqa: PTH208
        if len(threads) > 1:
            raise RuntimeError(f"importing torch started {len(threads) - 1} threads")
        survey = Survey(self._worker_limits())
        status = {name: survey.test(BY_NAME[name]()) for name in self._setup["layers"]}
        self._remove_trial()
        if {"landlock", "seccomp"} & {layer.name for layer in survey.layers}:
            self._let_seem_writable()
        status |= survey.test_together()
        self._layers = survey.layers
        own.put_back()  # what was imported since then, no child has to look at again
        gc.freeze()  # also what the layers imported: a child's collector would copy it
        self._limits = self._worker_limits()
        return status

    def _let_seem_writable(self) -> None:
        """Make the folder that Matplotlib asks for, and say that it can be written: in fact none can.

        Matplotlib cannot be imported where it finds no such folder.
        """
        parent, folder = Path(self._folder), Path(self._folder, SEEMS_WRITABLE)
        parent.chmod(0o755)
        folder.mkdir(mode=0o555)
        parent.chmod(0o555)
        seeming, access = os.path.realpath(folder), os.access

        def seems(path: Any, mode: int, **options: Any) -> bool:
            return (path == seeming and mode == os.W_OK) or access(path, mode, **options)

        os.access = seems

    def _remove_trial(self) -> None:
        home = Path(self._home)
        home.chmod(0o755)
        shutil.rmtree(home / TRIAL)
        home.chmod(0o555)

    def serve(self) -> None:
        """Fork, end and reap children until the grader closes its socket."""
        while True:
            for descriptor, _ in self._poll.poll():
                if descriptor == self._control.fileno():
                    if not self._start():
                        return
                elif descriptor in self._children:
                    self._reap(self._children[descriptor])
                else:
                    self._end_closed(descriptor)

    def close(self) -> None:
        """End all children and remove what was made for them."""
        for child in list(self._children.values()):
            self._end(child)
            self._reap(child)
        for folder in (self._home, self._folder):
            with contextlib.suppress(OSError):  # it was never made, or is removed already
                Path(folder).chmod(0o700)
        shutil.rmtree(self._home, ignore_errors=True)

    def _start(self) -> bool:
        """Fork the child that the grader asks for; False if the grader has ended."""
        message, descriptors, _, _ = socket.recv_fds(self._control, MAX_MESSAGE, 4)
        if not message:
            return False
        *streams, control = descriptors
        pid = os.fork()
        if pid == 0:
            self._be_worker(control, (streams[0], streams[1], streams[2]))
        for descriptor in streams:
            os.close(descriptor)
        child = _Child(pid, os.pidfd_open(pid), socket.socket(fileno=control))
        self._children[child.ended] = child
        self._poll.register(child.ended, select.POLLIN)
        self._poll.register(child.control, select.POLLHUP)
        return True

    def _be_worker(self, control: int, streams: tuple[int, int, int]) -> NoReturn:
        try:
            for other in self._children.values():
                other.control.detach()  # so that the garbage collector closes no descriptor
            self._children.clear()
            # With it, the kernel passes the sender's process id in the grader's namespace.
            os.write(control, STARTED)
            enter(self._folder, streams, self._layers)
            gc.enable()
            gc.set_threshold(_YOUNG)
            for layer in self._layers:
                layer.apply(self._limits)
            protocol = Streams()
            greet(protocol)
            serve(protocol, received(protocol.requests))
        except BaseException as error:  # noqa: BLE001 - a child must not go on as a second zygote
            with contextlib.suppress(BaseException):
                os.write(2, f"{type(error).__name__}: {error}\n".encode())
        os._exit(_SETUP_FAILED)

    def _worker_limits(self) -> WorkerLimits:
        return WorkerLimits(
            self._folder,
            address_space=address_space() + self._setup["memory"] * 2**20,
            cpu=self._setup["cpu"],
            witness=str(Path(self._home, WITNESS)),
        )

    def _end_closed(self, descriptor: int) -> None:
        """End the child whose control socket the grader has closed."""
        for child in self._children.values():
            if child.control.fileno() == descriptor:
                self._poll.unregister(descriptor)
                self._end(child)
                return

    def _end(self, child: _Child) -> None:
        # A child that was just forked has no group of its own yet.
        for kill in (os.killpg, os.kill):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                kill(child.pid, signal.SIGKILL)

    def _reap(self, child: _Child) -> None:
        """Wait for a child that has ended, and kill the processes that it left behind."""
        _, status = os.waitpid(child.pid, 0)
        del self._children[child.ended]
        self._poll.unregister(child.ended)
        os.close(child.ended)
        self._end(child)
        self._kill_orphans()
        with contextlib.suppress(OSError):  # the grader has closed its end
            child.control.send(EXIT_CODE.pack(os.waitstatus_to_exitcode(status)))
        with contextlib.suppress(KeyError):
            self._poll.unregister(child.control)
        child.control.close()

    def _kill_orphans(self) -> None:
        """Kill processes that student code started and whose parent has ended: this process adopted them."""
        known = {child.pid for child in self._children.values()}
        while orphans := _children_of_this() - known:
            for pid in orphans:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            for pid in orphans:
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, 0)


def _children_of_this() -> set[int]:
    """The children of this single-threaded process. Some kernels keep no list; then psutil searches all processes."""
    listed = Path(f"/proc/self/task/{os.getpid()}/children")
    if not listed.exists():
        import psutil  # noqa: PLC0415

        return {child.pid for child in psutil.Process().children()}
    return {int(pid) for pid in listed.read_text(encoding="ascii").split()}


def main() -> None:
    """Import torch, report to the grader, and serve it."""
    control = socket.socket(fileno=int(sys.argv[1]))
    setup = thaw(decode(control.recv(MAX_MESSAGE)))
    zygote = Zygote(control, setup)
    try:
        status = {name: asdict(one) for name, one in zygote.prepare().items()}
        control.send(encode(freeze(status)))
        zygote.serve()
    finally:
        zygote.close()
    os._exit(0)  # skip the interpreter's shutdown, which is slow with torch


if __name__ == "__main__":
    main()
