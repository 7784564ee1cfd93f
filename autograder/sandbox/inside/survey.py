"""Test the layers of this machine, each in a child of its own and all of them together."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from autograder.errors import ProtocolError
from autograder.sandbox.layers.all import FILE_LAYERS
from autograder.sandbox.layers.base import Layer, WorkerLimits, find_writable
from autograder.sandbox.layers.status import LayerState, LayerStatus, fails
from autograder.values.values import freeze, thaw
from autograder.values.wire import decode, encode

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Survey:
    """The tests of all layers.

    Attributes:
        layers: those that work, in the order of their tests. Children apply them from now on.
    """

    def __init__(self, limits: WorkerLimits) -> None:
        self.layers: list[Layer] = []
        self._limits = limits

    def test(self, layer: Layer) -> LayerStatus:
        """Test a layer in a child, alone but for those that it comes after."""
        missing = layer.missing()
        if missing is not None:
            return missing
        try:
            layer.prepare(self._limits)
            before = [one for one in self.layers if one.name in layer.after]
            not_stopped = self._try([*before, layer], layer.not_stopped)
        except (OSError, RuntimeError, ValueError) as error:
            return fails(str(error))
        if not_stopped:
            return _leaves_open(not_stopped)
        self.layers.append(layer)
        return LayerStatus(LayerState.ACTIVE, layer.by)

    def test_together(self) -> dict[str, LayerStatus]:
        """Look for a folder that can be written with all layers; return what that changes.

        What one submission could write, the next could read.
        """
        files = [layer.name for layer in self.layers if layer.name in FILE_LAYERS]
        if not files:
            return {}
        found: list[str] = []
        with contextlib.suppress(RuntimeError):  # a layer fails: each child will say so, and end
            found = self._try(self.layers, find_writable)
        return dict.fromkeys(files, _leaves_open(found)) if found else {}

    def _try(self, layers: Sequence[Layer], look: Callable[[WorkerLimits], list[str]]) -> list[str]:
        """Return the findings of `look` in a child with these layers. Raises RuntimeError if one cannot be applied."""
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            reply: list[str] | str
            try:
                enter(self._limits.folder, (0, 1, writer), layers)
                for layer in layers:
                    layer.apply(self._limits)
                reply = look(self._limits)
            except BaseException as error:  # noqa: BLE001 - the parent reports it
                reply = f"{type(error).__name__}: {error}"
            os.write(2, encode(freeze(reply)))
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader, "rb") as stream:
            answer = stream.read()
        _, status = os.waitpid(pid, 0)
        return _tried(answer, status)


def _leaves_open(not_stopped: list[str]) -> LayerStatus:
    return fails(f"it does not stop {', '.join(not_stopped)}")


def _tried(answer: bytes, status: int) -> list[str]:
    """The reply of the child that tested a layer. Raises RuntimeError if the layer could not be applied."""
    try:
        reply = thaw(decode(answer))
    except ProtocolError:
        text = answer.decode("utf-8", "replace").strip()
        raise RuntimeError(text or f"a child ended with {status}") from None
    if isinstance(reply, str):
        raise RuntimeError(reply)  # noqa: TRY004 - what the child said
    return list(reply)


def enter(folder: str, streams: tuple[int, int, int], layers: Sequence[Layer]) -> None:
    """Separate a forked child from its parent: its own session, streams and folder.

    No other files are open but those that its layers need, and close.
    """
    os.setsid()
    for source in streams:
        os.set_inheritable(source, True)
    highest = [os.dup(source) for source in streams]  # so that dup2 overwrites none of them
    for target, source in enumerate(highest):
        os.dup2(source, target)
    first = 3
    for kept in sorted(needed for layer in layers for needed in layer.descriptors):
        os.closerange(first, kept)
        first = kept + 1
    os.closerange(first, os.sysconf("SC_OPEN_MAX"))
    os.chdir(folder)
