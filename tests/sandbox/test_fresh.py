"""One worker process, seen from the grader: what it is given, and what is left of it."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import threading
from typing import TYPE_CHECKING

import psutil
import pytest

from autograder.errors import GraderFault
from autograder.sandbox import client
from autograder.sandbox import interpreter as module
from autograder.sandbox.client import Worker
from autograder.sandbox.fresh import FreshSandbox
from autograder.sandbox.interpreter import FreshProcess
from autograder.sandbox.limits import Limits, Stopped
from autograder.sandbox.usage import Loading
from autograder.values.values import DictValue, freeze, thaw
from autograder.values.wire import encode
from tests.sandbox.conftest import probes
from tests.sandbox.forked import forked_interpreters

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SOURCE = """
import os, subprocess, sys, time
def leave_files(x):
    os.makedirs("a/b")
    open("a/b/file", "w").write("x")
    os.chmod("a/b", 0)
def start_others(x):
    wait = "import time; time.sleep(3600)"
    start = "import subprocess, sys; away = [sys.executable, '-c', sys.argv[1]]; "
    start += "print(subprocess.Popen(away, start_new_session=True).pid, flush=True); exec(sys.argv[1])"
    here = subprocess.Popen([sys.executable, "-c", start, wait], stdout=subprocess.PIPE, text=True)
    return here.pid, int(here.stdout.readline())
"""
FIELDS = {
    "name": "work",
    "probes": probes("leave_files", "start_others"),
    "pieces": [["work.py", SOURCE]],
}
LOAD = encode(freeze({"op": "load", **FIELDS}))


def ask(worker: Worker, step: str) -> object:
    request = {"op": "observe", "check": step, "criterion": "value", "probe": 0}
    answer, _ = worker.ask(encode(freeze({**request, "inputs": {"x": None}})))
    assert isinstance(answer, DictValue)
    return thaw(answer).get("value")


@pytest.fixture
def forked() -> Iterator[None]:
    """Fork the workers of one test; those of the others are new interpreters."""
    with forked_interpreters():
        yield


@pytest.mark.usefixtures("forked")
def test_nothing_is_left_when_it_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    sandbox = FreshSandbox(Limits(cpu=30))
    worker = sandbox.start()
    worker.ask(LOAD, Loading(Limits()))
    ask(worker, "leave_files")
    others = ask(worker, "start_others")
    assert isinstance(others, tuple)
    processes = [psutil.Process(pid) for pid in (worker.pid, *others)]
    threads = threading.active_count()
    sandbox.stop(worker)

    _, alive = psutil.wait_procs(processes, timeout=30)
    assert alive == []
    assert list(tmp_path.iterdir()) == []
    assert threading.active_count() == threads - 3
    assert isinstance(worker._process, FreshProcess)
    pipes = worker._process.process
    assert all(pipe and pipe.closed for pipe in (pipes.stdin, pipes.stdout, pipes.stderr))
    sandbox.close()


BROKEN = {
    "says why": ("import sys; sys.exit('No module named torch')", "No module named torch"),
    "talks first": ("import time; print('hello there', flush=True); time.sleep(600)", "no frame"),
    "says nothing": ("pass", "exit code 0"),
}


@pytest.mark.parametrize(("program", "why"), BROKEN.values(), ids=BROKEN)
def test_a_worker_that_cannot_start_is_the_graders_fault(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, program: str, why: str
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(module, "COMMAND", (sys.executable, "-c", program))
    sandbox = FreshSandbox(Limits())
    worker = sandbox.start()
    try:
        with pytest.raises(GraderFault, match=why):
            worker.ask(LOAD, Loading(Limits()))
    finally:
        sandbox.close()
    assert list(tmp_path.iterdir()) == []


GOT_AWAY = """
import os, sys, time
sys.stdin.buffer.close()
child = os.fork()
if child == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    os.write(2, b"%d\\n" % os.getpid())
    time.sleep(3600)
os.waitpid(child, 0)
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_process_that_got_away_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """It keeps the pipes open, so that closing them would wait for it. Slow: two readers have to be given up."""
    monkeypatch.setattr(module, "COMMAND", (sys.executable, "-c", GOT_AWAY))
    monkeypatch.setattr(client, "START_LIMIT", 2.0)
    sandbox = FreshSandbox(Limits())
    worker = sandbox.start()
    with pytest.raises(GraderFault) as fault:
        worker.ask(LOAD, Loading(Limits()))
    assert isinstance(fault.value.__context__, Stopped)
    escaped = psutil.Process(int(fault.value.__context__.printed))
    closing = threading.Thread(target=sandbox.close, daemon=True)
    closing.start()
    closing.join(timeout=60)
    held_up, got_away = closing.is_alive(), escaped.is_running()
    escaped.kill()

    assert got_away
    assert not held_up


@pytest.mark.usefixtures("forked")
@pytest.mark.skipif(os.name != "posix", reason="no signal stops a process here")
def test_a_worker_that_reads_nothing_is_stopped_at_its_limit() -> None:
    limits = Limits(cpu=0.25)
    worker = Worker(FreshProcess(limits), limits)
    try:
        worker.ask(LOAD, Loading(Limits()))
        os.kill(worker.pid, signal.SIGSTOP)
        with pytest.raises(Stopped) as stopped:
            worker.ask(bytes(1 << 22))
    finally:
        worker.close()
    assert stopped.value.limit == "awake"
