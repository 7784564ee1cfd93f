"""A Dask cluster of real processes on this machine."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.forking import client

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_START = 120.0
NO_NANNY = ("--no-nanny",)


@contextmanager
def dask_cluster(
    workers: int, *, cwd: Path | None = None, options: Sequence[str] = NO_NANNY
) -> Iterator[str]:
    """Start a scheduler and workers with one thread each; yield the scheduler's address."""
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="dask-")))
        address, _ = start_scheduler(stack, scratch, cwd=cwd)
        for _ in range(workers):
            start_worker(stack, address, scratch, cwd=cwd, options=options)
        wait_for_workers(address, workers)
        yield address


def start_scheduler(
    stack: ExitStack, scratch: Path, *, cwd: Path | None = None
) -> tuple[str, subprocess.Popen[bytes]]:
    file = scratch / "address"
    script = f"""
import asyncio, pathlib
from distributed import Scheduler
async def main():
    async with Scheduler(host="127.0.0.1", port=0, dashboard=False) as scheduler:
        part = pathlib.Path({str(file)!r} + ".part")
        part.write_text(scheduler.address)
        part.rename({str(file)!r})
        await scheduler.finished()
asyncio.run(main())
"""
    process = _start(stack, scratch, [sys.executable, "-c", script], cwd)
    return _wait_for(file), process


def start_worker(
    stack: ExitStack,
    address: str,
    scratch: Path,
    *,
    cwd: Path | None = None,
    options: Sequence[str] = NO_NANNY,
) -> subprocess.Popen[bytes]:
    """Start a worker as the documentation says, with one thread."""
    command = [sys.executable, "-m", "dask", "worker", address, "--nthreads", "1", *options]
    command += ["--local-directory", str(scratch), "--no-dashboard", "--death-timeout", "60"]
    return _start(stack, scratch, command, cwd)


def _start(
    stack: ExitStack, scratch: Path, command: list[str], cwd: Path | None
) -> subprocess.Popen[bytes]:
    log = stack.enter_context((scratch / f"log-{time.monotonic_ns()}").open("wb"))
    child = client.Forked(command, stdout=log, stderr=log, cwd=cwd)
    stack.callback(_stop, child)
    return child


def _stop(child: subprocess.Popen[bytes]) -> None:
    child.terminate()
    try:
        child.wait(timeout=10)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def _wait_for(file: Path) -> str:
    end = time.monotonic() + _START
    while not file.exists():
        assert time.monotonic() < end, "the scheduler did not start"
        time.sleep(0.1)
    return file.read_text()


def wait_for_workers(address: str, workers: int) -> None:
    from distributed import Client  # noqa: PLC0415 - the extra `cluster`

    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(workers, timeout=_START)
