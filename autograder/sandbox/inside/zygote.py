"""The warm process: it imports torch once, and forks a child for each submission.

It runs no student's code itself and holds no answers. A child puts its layers on and becomes a worker; when it ends, or
when the grader lets go of its leash, it is ended and reaped with everything that it started. When the grader is gone,
so is all of this. Run as `python -m autograder.sandbox.inside.zygote DESCRIPTOR`, the grader's socket.
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
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from autograder.sandbox.inside.warm_up import warm_up
from autograder.sandbox.inside.worker import Streams, known_checks, serve
from autograder.sandbox.layers.all import BY_NAME
from autograder.sandbox.layers.base import NOT_NEEDED, Layer, Place
from autograder.sandbox.layers.paths import SEEMS_WRITABLE, environment
from autograder.sandbox.layers.prctl import adopt_orphans, keep_others_out
from autograder.values.values import freeze, thaw
from autograder.values.wire import EXIT_CODE, STARTED, decode, encode

MAX_MESSAGE = 1 << 20
WITNESS = "witness"
_SETUP_FAILED = 70


@dataclass
class _Child:
    """A running child, and its leash to the grader."""

    pid: int
    ended: int
    leash: socket.socket


class Zygote:
    """Forks children on the grader's word."""

    def __init__(self, control: socket.socket, setup: dict[str, Any]) -> None:
        self._control = control
        self._setup = setup
        self._home = self._folder = setup["home"]
        self._children: dict[int, _Child] = {}
        self._layers: list[Layer] = []
        self._poll = select.poll()
        self._poll.register(control, select.POLLIN)

    def prepare(self) -> dict[str, object]:
        """Import what children need and test the layers; what the grader is told."""
        gc.disable()  # until a child enables it: what is made here stays
        Path(self._home, WITNESS).write_text("what no student's code can read\n", encoding="utf-8")
        # Nobody can write there, so all can share it; its name is one that no text about a submission keeps.
        self._folder = tempfile.mkdtemp(prefix="autograder-", dir=self._home)
        for folder in (self._folder, self._home):
            Path(folder).chmod(0o555)
        adopt_orphans()
        keep_others_out()
        warm_up()
        known_checks(self._setup["probes"])
        gc.collect()
        gc.freeze()
        threads = os.listdir("/proc/self/task")  # noqa: PTH208
        if len(threads) > 1:
            raise RuntimeError(f"importing torch started {len(threads) - 1} threads")
        states = {name: self._survey(BY_NAME[name]()) for name in self._setup["layers"]}
        self._make_room()
        import torch  # noqa: PLC0415 - imported by now

        gc.freeze()  # what the layers brought with them, too: a child's collector would copy all of it
        return {"torch": torch.__version__, "layers": states}

    def _make_room(self) -> None:
        """Make the folder that has to seem writable, where a layer sees to it that it is not."""
        if not {"landlock", "seccomp"} & {layer.name for layer in self._layers}:
            return
        parent, folder = Path(self._folder), Path(self._folder, SEEMS_WRITABLE)
        parent.chmod(0o755)
        folder.mkdir()
        folder.chmod(0o777 if os.geteuid() == 0 else 0o700)  # root's children are other users
        parent.chmod(0o555)

    def _survey(self, layer: Layer) -> str:
        """Empty if the layer works here, else why it does not; a layer that works is put on from now on."""
        missing = layer.missing()
        if missing:
            return missing if missing.startswith(NOT_NEEDED) else f"not here: {missing}"
        try:
            layer.prepare()
            gaps = self._try(layer)
        except (OSError, RuntimeError, ValueError) as error:
            return f"fails: {error}"
        if gaps:
            return "fails: it does not stop " + ", ".join(gaps)
        self._layers.append(layer)
        return ""

    def _try(self, layer: Layer) -> list[str]:
        """What the layer does not stop in a child that wears it alone. Raises RuntimeError if it cannot be put on."""
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                _enter(self._folder, (0, 1, writer))
                place = self._place()
                layer.apply(place)
                answer = "\n".join(layer.gaps(place))
            except BaseException as error:  # noqa: BLE001 - the parent tells it
                answer = f"!{type(error).__name__}: {error}"
            os.write(2, answer.encode())
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader, "rb") as stream:
            answer = stream.read().decode()
        _, status = os.waitpid(pid, 0)
        if answer.startswith("!") or status:
            raise RuntimeError(answer.removeprefix("!") or f"a child ended with {status}")
        return answer.splitlines()

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
                    self._let_go(descriptor)

    def close(self) -> None:
        """End all children and remove what was made for them."""
        for child in list(self._children.values()):
            self._end(child)
            self._reap(child)
        for folder in (self._home, self._folder):
            with contextlib.suppress(OSError):  # it was never made, or is gone
                Path(folder).chmod(0o700)
        shutil.rmtree(self._home, ignore_errors=True)

    def _start(self) -> bool:
        """Fork the child that the grader asks for; False if the grader has gone."""
        message, descriptors, _, _ = socket.recv_fds(self._control, MAX_MESSAGE, 4)
        if not message:
            return False
        *streams, leash = descriptors
        pid = os.fork()
        if pid == 0:
            self._be_worker(leash, (streams[0], streams[1], streams[2]))
        for descriptor in streams:
            os.close(descriptor)
        child = _Child(pid, os.pidfd_open(pid), socket.socket(fileno=leash))
        self._children[child.ended] = child
        self._poll.register(child.ended, select.POLLIN)
        self._poll.register(child.leash, select.POLLHUP)
        return True

    def _be_worker(self, leash: int, streams: tuple[int, int, int]) -> NoReturn:
        try:
            for other in self._children.values():
                other.leash.detach()  # so that nothing is closed when it is forgotten
            self._children.clear()
            # The kernel tells the grader by what number it knows the sender.
            socket.socket(fileno=leash).send(STARTED)
            _enter(self._folder, streams)
            place = self._place()
            gc.enable()
            for layer in self._layers:
                layer.apply(place)
            serve(Streams())
        except BaseException as error:  # noqa: BLE001 - nothing of this may go on in a second zygote
            with contextlib.suppress(BaseException):
                os.write(2, f"{type(error).__name__}: {error}\n".encode())
        os._exit(_SETUP_FAILED)

    def _place(self) -> Place:
        return Place(
            self._folder,
            memory=self._setup["memory"],
            cpu=self._setup["cpu"],
            witness=str(Path(self._home, WITNESS)),
        )

    def _let_go(self, descriptor: int) -> None:
        """The grader has closed a leash: its child is to end."""
        for child in self._children.values():
            if child.leash.fileno() == descriptor:
                self._poll.unregister(descriptor)
                self._end(child)
                return

    def _end(self, child: _Child) -> None:
        # A child that was just forked has no group of its own yet.
        for kill in (os.killpg, os.kill):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                kill(child.pid, signal.SIGKILL)

    def _reap(self, child: _Child) -> None:
        """Take leave of a child that has ended, and of all that it leaves behind."""
        _, status = os.waitpid(child.pid, 0)
        del self._children[child.ended]
        self._poll.unregister(child.ended)
        os.close(child.ended)
        self._end(child)
        self._end_strangers()
        with contextlib.suppress(OSError):  # the grader has let go
            child.leash.send(EXIT_CODE.pack(os.waitstatus_to_exitcode(status)))
        with contextlib.suppress(KeyError):
            self._poll.unregister(child.leash)
        child.leash.close()

    def _end_strangers(self) -> None:
        """End processes that became this one's because their parent, a child of a student's code, has ended."""
        known = {child.pid for child in self._children.values()}
        while strangers := _children_of_this() - known:
            for pid in strangers:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            for pid in strangers:
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, 0)


def _enter(folder: str, streams: tuple[int, int, int]) -> None:
    """Make a forked child a process of its own: its streams, its folder, nothing else of its parent's."""
    os.setsid()
    for source in streams:
        os.set_inheritable(source, True)
    highest = [os.dup(source) for source in streams]  # none of them may be overwritten by another
    for target, source in enumerate(highest):
        os.dup2(source, target)
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    os.chdir(folder)
    os.environ.update(environment(folder))
    tempfile.tempdir = None


def _children_of_this() -> set[int]:
    """Of this single-threaded process. No list is kept by a kernel that was built without; then all are looked at."""
    listed = Path(f"/proc/self/task/{os.getpid()}/children")
    if not listed.exists():
        import psutil  # noqa: PLC0415

        return {child.pid for child in psutil.Process().children()}
    return {int(pid) for pid in listed.read_text(encoding="ascii").split()}


def main() -> None:
    """Become warm, tell the grader, and serve it."""
    control = socket.socket(fileno=int(sys.argv[1]))
    setup = thaw(decode(control.recv(MAX_MESSAGE)))
    zygote = Zygote(control, setup)
    try:
        control.send(encode(freeze(zygote.prepare())))
        zygote.serve()
    finally:
        zygote.close()
    os._exit(0)  # nothing is left to do, and the interpreter would take its time to take torch down


if __name__ == "__main__":
    main()
