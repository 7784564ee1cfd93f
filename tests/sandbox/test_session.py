"""A submission's stay in the sandbox: whatever a step does costs that step and no other."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
import psutil
import pytest
import torch

from autograder.errors import GraderFault
from autograder.results import Outcome
from autograder.sandbox.limits import Limits
from autograder.sandbox.printed import MAX_PRINTED
from autograder.sandbox.session import Session
from autograder.sandbox.usage import Use
from autograder.values.values import MAX_BYTES, Array, freeze, thaw
from tests.sandbox.conftest import asking, open_sandbox, probes

if TYPE_CHECKING:
    from autograder.results import Observation

ONES = freeze(torch.ones(2))

# Each of these ends its process, or makes it useless; the next step gets a new one.
FATAL = {
    "loops": ("print('begun')\n    while True: pass", Outcome.TIMED_OUT),
    "sleeps": ("time.sleep(3600)", Outcome.TIMED_OUT),
    "leaves": ("os._exit(0)", Outcome.EXITED),
    "kills": ("os.kill(os.getpid(), 9)", Outcome.CRASHED),
    "closes_all": ("os.closerange(0, 100)", None),
    "promises": ("os.write(answers(), b'AKF1\\xff\\xff\\xff\\x00'); os._exit(0)", None),
    "forges": ("os.write(answers(), forged()); time.sleep(1)", Outcome.CRASHED),
    "tampers": ("tamper({'kind': 'returned'})", Outcome.CRASHED),
    "prints_without_end": ("while True: print('x' * 100_000)", Outcome.TOO_LARGE),
}
HELPERS = """
import ctypes, gc, io, os, subprocess, sys, threading, time
import numpy, torch
from autograder.values.wire import encode, frame
from autograder.values.values import DictValue, freeze

def answers():
    # Where answers are written to: of the open files with a buffer, the one that is none of the usual three.
    files = [thing for thing in gc.get_objects() if type(thing) is io.BufferedWriter and not thing.closed]
    return next(file.fileno() for file in files if file.fileno() > 2)

def forged():
    answer = {"kind": "returned", "value": torch.full((2,), 2.0), "changed": []}
    with_mark = frame(b"0" * 32 + encode(freeze(answer)))
    return with_mark + frame(encode(freeze(answer)))

def tamper(answer):
    import __main__, autograder.sandbox.inside.worker
    worker = __main__ if hasattr(__main__, "answer_one") else autograder.sandbox.inside.worker
    worker._encoded = lambda mark, _: mark.encode() + encode(freeze(answer))

class Replaced:
    def write(self, text):
        raise ValueError("replaced")
    def flush(self):
        raise SystemExit("replaced")

def right(x):
    return x + 1
"""

# Each of these leaves its process as it was.
HARMLESS: dict[str, tuple[str, Outcome]] = {
    "exits": ("sys.exit(0)", Outcome.EXITED),
    "raises_interrupt": ("raise KeyboardInterrupt", Outcome.RAISED),
    "recurses": ("return recurses(x)", Outcome.RAISED),
    "returns_numbers": (f"return torch.zeros({MAX_BYTES})", Outcome.TOO_LARGE),
    "returns_what_is_only_too_large_with_its_envelope": (
        "return bytes(2**24 - 8)",
        Outcome.TOO_LARGE,
    ),
    "replaces_stdout": ("sys.stdout = Replaced()", Outcome.PASSED),
    "closes_stdout": ("sys.stdout.close()", Outcome.PASSED),
    "detaches_stdout": ("sys.stdout = io.TextIOWrapper(sys.stdout.detach())", Outcome.PASSED),
    "closes_output": ("os.close(1); os.close(2)", Outcome.PASSED),
    "starts_a_thread": ("threading.Thread(target=time.sleep, args=(600,)).start()", Outcome.PASSED),
}


def defined(steps: dict[str, Any]) -> str:
    return HELPERS + "".join(f"def {name}(x):\n    {entry[0]}\n" for name, entry in steps.items())


def observe(session: Session, step: str, x: Any = ONES) -> Observation:
    return session.observe(asking(step, x))


def numbers(seen: Observation) -> list[Any]:
    assert isinstance(seen.value, Array), seen
    numbers: list[Any] = seen.value.data.tolist()
    return numbers


Open = Callable[..., Session]


@pytest.fixture(scope="module")
def fatal(open_session: Open) -> Session:
    return open_session(defined(FATAL), *FATAL, "right", limits=Limits(cpu=1))


@pytest.mark.slow
@pytest.mark.parametrize("step", FATAL)
def test_a_step_that_ends_its_process_costs_itself_alone(fatal: Session, step: str) -> None:
    assert numbers(observe(fatal, "right")) == [2, 2]
    assert fatal._worker is not None
    process = psutil.Process(fatal._worker.pid)
    seen = observe(fatal, step)

    wanted = FATAL[step][1]
    assert seen.outcome in ([wanted] if wanted else [Outcome.EXITED, Outcome.CRASHED]), seen
    assert seen.value is None
    assert seen.detail
    assert seen.printed == "begun\n" or step != "loops"
    assert not seen.slow  # it is stopped long before the clock itself would stop it
    assert psutil.wait_procs([process], timeout=10)[1] == []
    assert numbers(observe(fatal, "right")) == [2, 2]


@pytest.fixture(scope="module")
def harmless(open_session: Open) -> Session:
    return open_session(defined(HARMLESS), *HARMLESS, "right")


@pytest.mark.parametrize("step", HARMLESS)
def test_a_step_that_misbehaves_costs_itself_alone(harmless: Session, step: str) -> None:
    worker = harmless._worker
    seen = observe(harmless, step)
    after = observe(harmless, "right")

    assert seen.outcome is HARMLESS[step][1], seen
    assert (numbers(after), after.printed) == ([2, 2], "")
    assert harmless._worker is worker


MILD = """
import io, os, subprocess, sys
print("while loading")

def lines(x):
    for number in range(2):
        print("line", number)
        print("error", number, file=sys.stderr)
    sys.stdout.write("no end")
def silent(x):
    return x
def foreign(x):
    print("Grüße 🎉", "\\ud800")
    sys.stdout.buffer.write("bytes ä\\n".encode())
    print("done", flush=True)
def replacing(x):
    print("before")
    sys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8")
    print("after")
def closing(x):
    sys.stdout.close()
def from_a_child(x):
    print("first")
    subprocess.run([sys.executable, "-c", "print('child')"])
    print("last")
def raising(x):
    print("so far")
    raise NotImplementedError
def control(x):
    print("\\x1b[31mred\\x1b[0m\\x00", object())
def dying(x):
    print("last words", end="")
    os._exit(5)
def much(x):
    for _ in range(100):
        print("x" * 100_000)
def changing(x):
    x["weights"].mul_(0); x["items"].append(1); x["array"][:] = 0
def asks(x):
    return input("Your name? ")
def reading(x):
    return sys.stdin.read(), os.read(0, 10)
def forking(x):
    return os.fork() == 0
"""
PRINTED = {
    "lines": "line 0\nerror 0\nline 1\nerror 1\nno end",
    "silent": "",
    "foreign": "Grüße 🎉 \\ud800\nbytes ä\ndone\n",
    "replacing": "before\nafter\n",
    "closing": "",
    "from_a_child": "first\nchild\nlast\n",
    "raising": "so far\n",
    "control": "red <object object at 0x...>\n",
}
STEPS = (
    *PRINTED, "dying", "much", "changing", "asks", "reading", "forking",
)  # fmt: skip


@pytest.fixture(scope="module")
def mild(open_session: Open) -> Session:
    return open_session(MILD, *STEPS)


def test_printed_text_belongs_to_its_step(mild: Session) -> None:
    assert mild.loaded is not None
    assert mild.loaded.printed == "while loading\n"
    for steps in (PRINTED, reversed(PRINTED)):
        assert {step: observe(mild, step).printed for step in steps} == PRINTED
    seen = observe(mild, "much")
    assert seen.outcome is Outcome.PASSED
    assert seen.printed == (("x" * 100_000 + "\n") * 2)[:MAX_PRINTED] + "..."
    assert observe(mild, "silent").printed == ""


def test_leaving_costs_the_step_and_says_how_and_last_words_arrive(mild: Session) -> None:
    seen = observe(mild, "dying")
    assert (seen.outcome, seen.printed) == (Outcome.EXITED, "last words")
    assert "exit code 5" in seen.detail
    assert numbers(observe(mild, "silent")) == [1, 1]


def test_each_probe_gets_its_inputs_anew(mild: Session) -> None:
    inputs = freeze({"weights": torch.ones(2), "items": [0], "array": np.ones(2)})
    seen = observe(mild, "changing", inputs)
    again = observe(mild, "silent", inputs)

    assert (seen.changed, again.changed) == (("x",), ())
    assert str(thaw(again.value)) == str(thaw(inputs))


def test_a_student_finds_nobody_to_ask_and_cannot_read_the_requests(mild: Session) -> None:
    asked = observe(mild, "asks")
    assert asked.error is not None
    assert (asked.error.type, asked.printed) == ("EOFError", "Your name? ")
    assert thaw(observe(mild, "reading").value) == ("", b"")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_of_a_step_that_forks_only_one_process_answers(mild: Session) -> None:
    assert observe(mild, "forking").value is False
    assert mild._worker is not None
    for _ in range(100):  # even if its parent never asks how the other one ended
        children = psutil.Process(mild._worker.pid).children()
        if all(child.status() == psutil.STATUS_ZOMBIE for child in children):
            return
        time.sleep(0.1)
    pytest.fail("the other process goes on")


REPLACES = (
    "Your file changes Python or a library so that its steps cannot be checked (AttributeError). "
    "Remove the lines that replace modules or their functions."
)


@pytest.mark.parametrize(
    ("lines", "detail"),
    [(f"{HELPERS}\ntamper({{'names': 1}})", ""), ("import torch\nvars(torch).clear()", REPLACES)],
    ids=["answers for the worker", "leaves nothing of torch"],
)
def test_a_file_that_breaks_its_worker_gives_every_check_that_outcome(
    open_session: Open, lines: str, detail: str
) -> None:
    session = open_session(f"def right(x): return x\n{lines}", "right", loads=False)
    stopped = session.load()

    assert stopped is not None
    assert stopped.outcome is Outcome.CRASHED
    assert stopped.detail == detail or not detail
    assert observe(session, "right") is stopped
    assert session._worker is None


def test_what_a_step_sleeps_is_time_of_its_submission(open_session: Open) -> None:
    session = open_session("import time\ndef sleeps(x): time.sleep(0.8)", "sleeps")
    before = session._clock._left
    observe(session, "sleeps")
    assert 0.3 < before - session._clock._left < 30

    session._clock.add(Use(cpu=0.0, awake=1e7, wall=1e7))
    seen = observe(session, "sleeps")
    assert seen.outcome is Outcome.TIMED_OUT
    assert "as a whole" in seen.detail


@pytest.mark.usefixtures("forked")
@pytest.mark.parametrize("kind", ["fresh", "warm"])
def test_closing_the_sandbox_tells_whoever_waits(kind: str) -> None:
    sandbox = open_sandbox(kind, Limits(cpu=600))
    work = (("work.py", "import time\ndef wait(x): time.sleep(3600)"),)
    session = Session("work", probes("wait"), work, sandbox)
    session.load()
    waiting = ThreadPoolExecutor(1).submit(session.observe, asking("wait"))
    assert session._worker is not None
    while session._worker.idle:  # until the request is on its way
        time.sleep(0.01)
    sandbox.close()
    error = waiting.exception(timeout=60)
    # There is no other worker to try it on again.
    assert error is None or isinstance(error, GraderFault)
    with pytest.raises(GraderFault, match="closed"):
        sandbox.start()


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="no such limit here")
def test_the_memory_limit_leaves_out_what_torch_takes(open_session: Open) -> None:
    """With CUDA, torch's libraries alone take three gigabytes of address space."""
    source = "def takes(x):\n    bytearray(x << 20)\n    return x"
    session = open_session(source, "takes", limits=Limits(cpu=30, memory=1024))

    assert observe(session, "takes", 700).value == 700
    error = observe(session, "takes", 1100).error
    assert error is not None
    assert error.type == "MemoryError"
