"""The kit's commands inside the tests' own process."""

from __future__ import annotations

import atexit
import json
import socket
import zipfile
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from click.testing import CliRunner

from autograder.cli import main
from tests.forking import client, kept

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

# Ctrl-C reaches a process that was started in the background only if somebody takes it.
SCRIPT = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from autograder.cli import main; main()"
)


@dataclass(frozen=True)
class Invoked:
    """How a command ended, with its two streams apart."""

    exit_code: int
    stdout: str
    stderr: str
    exception: BaseException | None

    @property
    def output(self) -> str:
        return self.stdout + self.stderr


def invoke(arguments: Sequence[str], *, alone: bool = False, **options: Any) -> Invoked:
    """What `autograder ARGUMENTS` does; `alone` as in `tests.forking`."""
    if not alone and client.CAN_FORK:
        kept.prepare(arguments)
        with kept.shared(), _kept_here():
            return invoke(arguments, alone=True, **options)
    result = CliRunner().invoke(main, list(arguments), **options)
    return Invoked(result.exit_code, result.stdout, result.stderr, result.exception)


_ask = client.ask


@contextmanager
def _kept_here() -> Iterator[None]:
    """Keep fork servers in this process, unless the one from which commands are forked runs and keeps them."""
    if client.address.cache_info().currsize:
        yield
        return
    client.ask = _ask_here
    try:
        yield
    finally:
        client.ask = _ask


def _ask_here(request: Mapping[str, Any], descriptors: Sequence[int] = ()) -> socket.socket:
    if "sandbox" not in request:
        return _ask(request, descriptors)
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        kept.lend(theirs, **request["sandbox"])
    return ours


atexit.register(kept.close)


def class_file(folder: Path) -> dict[str, Any]:
    """Return the content of a `class.jsonl`: its first line, and in it the `students` by their names."""
    lines = (folder / "class.jsonl").read_text(encoding="utf-8").splitlines()
    about, *students = map(json.loads, lines)
    return {**about, "students": {one["student"]: one for one in students}}


def files(folder: Path) -> dict[str, bytes]:
    """Return what is in a folder or in a zip file, by the paths there."""
    if folder.suffix == ".zip":
        with zipfile.ZipFile(folder) as archive:
            return {name: archive.read(name) for name in archive.namelist()}
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
