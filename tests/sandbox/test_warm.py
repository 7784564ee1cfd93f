"""The warm process and what it forks: layers found, tried and worn; children ended, reaped and replaced."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from autograder.errors import GraderFault
from autograder.exam.questions import Ahead, Request
from autograder.results import Outcome
from autograder.sandbox import warm
from autograder.sandbox.client import Worker
from autograder.sandbox.layers import bubblewrap
from autograder.sandbox.layers.all import BY_NAME
from autograder.sandbox.layers.base import Layer, WorkerLimits
from autograder.sandbox.layers.status import ACTIVE, LayerState, LayerStatus, fails, not_here
from autograder.sandbox.limits import Limits, Stopped, kill_tree
from autograder.sandbox.policy import missing_layers
from autograder.sandbox.sandbox import Sandbox
from autograder.sandbox.session import Session
from autograder.sandbox.warm import WarmSandbox, can_fork
from autograder.values.values import thaw
from tests.forking.client import Forked
from tests.sandbox.conftest import PERMISSIVE, asking, probes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from autograder.sandbox.usage import Loading

pytestmark = [
    pytest.mark.skipif(not can_fork(), reason="this system cannot fork"),
    pytest.mark.usefixtures("forked"),
]

SOURCE = """
import os, sys, time
import torch
kept = []
def tell(x):
    return os.getcwd(), os.listdir(), os.getuid(), os.getpid()
def remember(x):
    kept.append(x)
    torch.remembered = True
    return len(kept), hasattr(torch, "remembered")
def recall(x):
    return len(kept), hasattr(torch, "remembered")
def wait(x):
    time.sleep(3600)
def leave(x):
    os._exit(3)
def start(x):
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        os.write(writer, str(os.getpid()).encode())
        time.sleep(3600)
    return int(os.read(reader, 20))
def say(x):
    print("*" * x, end="")
    return x
def fail(x):
    kept.append(x)
    raise ValueError(len(kept))
"""
STEPS = ("tell", "remember", "recall", "wait", "leave", "start", "say", "fail")


def ahead(*requests: Request, optional: Sequence[Request] = ()) -> list[Ahead]:
    """A plan of these requests, some of them optional."""
    return [
        Ahead(one.step, one.encoded, one.optional if one in optional else one.encoded)
        for one in requests
    ]


def opened(sandbox: WarmSandbox, *plan: Ahead) -> Session:
    """A session whose requests to load and of the plan were sent ahead."""
    session = Session("work", probes(*STEPS), (("work.py", SOURCE),), sandbox, plan=plan)
    session.begin()
    assert session.load() is None
    return session


def value(session: Session, step: str, x: Any = None) -> Any:
    seen = session.observe(asking(step, x))
    assert seen.outcome is Outcome.PASSED, seen
    return thaw(seen.value)


def outcome(session: Session, step: str, x: Any = None) -> Outcome:
    return session.observe(asking(step, x)).outcome


@pytest.fixture(scope="module")
def sandbox(forked: None) -> Iterator[WarmSandbox]:
    """Workers with no layer that forbids anything."""
    with closing(WarmSandbox(Limits(cpu=30), PERMISSIVE)) as opened:
        yield opened


@pytest.fixture(scope="module")
def closed_in() -> Iterator[WarmSandbox]:
    """Workers with every layer that works here."""
    with closing(WarmSandbox(Limits(cpu=30))) as opened:
        yield opened


def test_what_one_submission_leaves_the_next_does_not_find(sandbox: WarmSandbox) -> None:
    with opened(sandbox) as first:
        assert value(first, "remember") == (1, True)
        assert value(first, "recall") == (1, True)
    with opened(sandbox) as second:
        assert value(second, "recall") == (0, False)


def test_a_process_that_a_step_hid_away_ends_with_it(sandbox: WarmSandbox) -> None:
    with opened(sandbox) as session:
        worker = psutil.Process(_pid(session))
        hidden = psutil.Process(value(session, "start"))
        assert hidden.is_running()
    _, alive = psutil.wait_procs([worker, hidden], timeout=10)
    assert alive == []


def test_a_killed_server_is_replaced_and_nobody_is_blamed() -> None:
    with closing(WarmSandbox(Limits(cpu=30), PERMISSIVE)) as sandbox, opened(sandbox) as session:
        assert sandbox._server is not None
        first = sandbox._server.process
        first.kill()
        first.wait()
        assert value(session, "recall") == (0, False)
        assert sandbox._server.process is not first


def test_a_worker_that_was_forked_by_a_killed_server_is_not_used() -> None:
    with closing(WarmSandbox(Limits(cpu=30), PERMISSIVE)) as sandbox:
        first = sandbox.start()
        assert sandbox._server is not None
        stale = sandbox._spare
        kill_tree(sandbox._server.process)
        second = sandbox.start()
        assert second is not stale
        assert sandbox._spare is not stale
        sandbox.stop(second)
        sandbox.stop(first)


def test_a_worker_that_is_killed_once_costs_nothing(sandbox: WarmSandbox) -> None:
    with opened(sandbox) as session:
        assert value(session, "recall") == (0, False)
        for expected in (Outcome.PASSED, Outcome.CRASHED):
            os.kill(_pid(session), signal.SIGKILL)
            assert outcome(session, "recall") is expected


def test_a_request_that_ends_the_server_twice_is_the_steps_own(
    sandbox: WarmSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = Worker.ask

    def lose(worker: Worker, body: bytes, loading: Loading | None = None) -> Any:
        if b"recall" in body and b"observe" in body:
            raise Stopped("", lost=True)
        return ask(worker, body, loading)

    monkeypatch.setattr(Worker, "ask", lose)
    with opened(sandbox) as session:
        assert outcome(session, "recall") is Outcome.CRASHED
        assert value(session, "remember") == (1, True)


def test_nothing_is_left_when_it_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    descriptors = _open_files()
    sandbox = WarmSandbox(Limits(cpu=30), PERMISSIVE)
    session = opened(sandbox)
    folder, listing, *_ = value(session, "tell")
    assert listing == []
    assert Path(folder).stat().st_mode & 0o222 == 0
    assert tmp_path in Path(folder).parents
    value(session, "start")
    assert sandbox._server is not None
    everything = psutil.Process(sandbox._server.process.pid).children(recursive=True)
    sandbox.close()
    session.close()

    _, alive = psutil.wait_procs(everything, timeout=10)
    assert alive == []
    assert list(tmp_path.iterdir()) == []
    assert _open_files() == descriptors
    with pytest.raises(GraderFault, match="closed"):
        sandbox.start()


def _open_files() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def test_asking_a_sandbox_while_it_closes_leaves_no_fork_server() -> None:
    sandbox = WarmSandbox(Limits(), PERMISSIVE)
    sandbox.status()
    server = sandbox._server
    assert server is not None
    Sandbox.close(sandbox)  # the first part of closing; then another thread asks
    with pytest.raises(GraderFault, match="has been closed"):
        sandbox.status()
    sandbox.close()
    assert server.process.poll() is not None


def test_when_the_grader_is_killed_all_that_it_started_ends(root: Path, tmp_path: Path) -> None:
    """The fork server is a new interpreter here, and the grader's own child."""
    program = (
        "from tests.sandbox.test_warm import *\n"
        "sandbox = WarmSandbox(Limits(cpu=600), PERMISSIVE)\n"
        "session = opened(sandbox)\n"
        "value(session, 'start')\n"
        "print(sandbox._server.process.pid, flush=True)\n"
        "session.observe(asking('wait'))\n"
    )
    grader = Forked(
        [sys.executable, "-c", program], alone=True, stdout=subprocess.PIPE, cwd=root,
        env=os.environ | {"TMPDIR": str(tmp_path)}, text=True,
    )  # fmt: skip
    assert grader.stdout is not None
    server = psutil.Process(int(grader.stdout.readline()))
    everything = [server, *server.children(recursive=True)]
    assert len(everything) > 2  # a worker, and the process that a step hid away
    grader.kill()
    grader.communicate()

    _, alive = psutil.wait_procs(everything, timeout=10)
    assert alive == []
    assert list(tmp_path.iterdir()) == []


# What is asked ahead.


def test_what_was_sent_ahead_and_is_not_wanted_costs_nobody_anything(sandbox: WarmSandbox) -> None:
    say = {name: asking("say", number) for number, name in enumerate("abc", start=1)}
    with opened(sandbox, *ahead(*say.values())) as session:
        last = session.observe(say["c"])
        assert (thaw(last.value), last.printed) == (3, "***")
        first = session.observe(say["a"])
        assert (thaw(first.value), first.printed) == (1, "*")


def test_a_step_that_ends_the_worker_takes_only_itself_with_it(sandbox: WarmSandbox) -> None:
    leave, say = asking("leave", 1), asking("say", 1)
    for asked in ([leave, say], [say]):
        with opened(sandbox, *ahead(leave, say)) as session:
            *before, last = map(session.observe, asked)
            assert [seen.outcome for seen in before] == [Outcome.EXITED] * len(before)
            assert thaw(last.value) == 1


def test_a_step_that_is_left_out_is_not_sent_ahead(sandbox: WarmSandbox) -> None:
    leave, say, recall = asking("leave", 1), asking("say", 1), asking("recall")
    plan = ahead(leave, say, asking("remember", 1), recall)
    seen = []
    for left_out in ("wait", "remember"):
        with opened(sandbox, *plan) as session:
            assert session.observe(leave).outcome is Outcome.EXITED
            session.leave_out(left_out)
            assert thaw(session.observe(say).value) == 1
            seen.append(thaw(session.observe(recall).value))
    assert seen == [(1, True), (0, False)]


def test_a_step_that_raised_runs_again_only_for_what_is_asked(sandbox: WarmSandbox) -> None:
    first, second, third = (asking("fail", number) for number in (1, 2, 3))
    say, always = asking("say", 1), asking("fail", 4)
    plan = ahead(first, second, third, always, say, optional=[second, third, say])
    with opened(sandbox, *plan) as session:
        seen = [session.observe(one).error for one in (first, third, always)]
        assert [error.message for error in seen if error] == ["1", "3", "2"]
        assert thaw(session.observe(say).value) == 1


# The layers.


def test_all_layers_that_work_here_are_named(closed_in: WarmSandbox) -> None:
    status = closed_in.status()

    assert list(status) == list(BY_NAME)
    assert closed_in.layers == tuple(name for name, one in status.items() if one.active)
    assert {"process", "limits", "no_new_privileges"} <= set(closed_in.layers)
    assert ("user" in closed_in.layers) is (os.geteuid() == 0)


@pytest.mark.parametrize(
    ("layer", "program"),
    [("bubblewrap", "bubblewrap"), ("landlock", "landlockpy"), ("seccomp", "libseccomp")],
)
def test_a_layer_names_the_version_of_what_applies_it(
    layer: str, program: str, closed_in: WarmSandbox
) -> None:
    needs(layer, closed_in)
    assert re.match(rf"{program} \d[\d.]*", closed_in.status()[layer].reason)


def needs(layer: str, sandbox: WarmSandbox) -> None:
    if not (found := sandbox.status()[layer]).active:
        pytest.skip(f"{layer}: {found}")


PLOTTING = """
import os
import matplotlib.pyplot as plt
figure, axes = plt.subplots()
axes.imshow([[1.0, 2.0]])
plt.tight_layout()
plt.show()
FOLDER = os.environ["MPLCONFIGDIR"]
def write(x):
    open(f"{FOLDER}/file", "w")
def make(x):
    os.mkdir(f"{FOLDER}/folder")
def find(x):
    return os.listdir(FOLDER)
"""


@pytest.mark.slow
@pytest.mark.parametrize("without", ["", "landlock", "bubblewrap"])
def test_a_file_that_plots_is_loaded_and_leaves_nothing(
    closed_in: WarmSandbox, without: str
) -> None:
    """Matplotlib lets itself be imported only where it seems to find a folder in which it may write."""
    pytest.importorskip("matplotlib")
    for layer in ("seccomp", "landlock", "bubblewrap"):
        needs(layer, closed_in)
    layers, pieces = [name for name in BY_NAME if name != without], (("work.py", PLOTTING),)
    with (
        closing(WarmSandbox(closed_in.limits, layers)) as sandbox,
        Session("work", probes("write", "make", "find"), pieces, sandbox) as session,
    ):
        assert session.load() is None
        assert session.loaded is not None
        assert session.loaded.failures == ()
        assert [outcome(session, step) for step in ("write", "make")] == [Outcome.RAISED] * 2
        assert value(session, "find") == []


def test_root_does_not_stay_root(closed_in: WarmSandbox) -> None:
    needs("user", closed_in)
    with opened(closed_in) as session:
        value(session, "tell")
        process = psutil.Process(_pid(session))
        capabilities = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
        assert 0 not in process.uids()
    assert "CapEff:\t0000000000000000" in capabilities


def _pid(session: Session) -> int:
    assert session._worker is not None
    return session._worker.pid


def test_other_processes_are_out_of_sight(closed_in: WarmSandbox) -> None:
    needs("bubblewrap", closed_in)
    with opened(closed_in) as session:
        assert value(session, "tell")[3] != _pid(session)
        assert value(session, "tell")[3] < 100


class Broken(Layer):
    """A layer that works when it is tried and fails in each child from then on."""

    name = "broken"
    stops = "everything"
    worked = False

    def apply(self, limits: WorkerLimits) -> None:
        if Path(limits.folder).parent.joinpath("tried").exists():
            raise OSError("it broke")

    def not_stopped(self, limits: WorkerLimits) -> list[str]:
        home = Path(limits.witness).parent
        home.chmod(0o755)  # nothing is writable there, but for root
        (home / "tried").touch()
        return []


class Useless(Layer):
    """A layer that is put on without complaint and stops nothing."""

    name = "useless"
    stops = "nothing"

    def not_stopped(self, limits: WorkerLimits) -> list[str]:
        return ["everything"]


class Leaky(Useless):
    """Seems to keep files from being written, in the one place where it looks."""

    name = "landlock"

    def not_stopped(self, limits: WorkerLimits) -> list[str]:
        return []


ODD_LAYERS = """
import sys
from autograder.sandbox.inside import zygote
from tests.sandbox.test_warm import Broken, Leaky, Useless
zygote.BY_NAME.update({"useless": Useless, "broken": Broken, "landlock": Leaky})
zygote.main()
"""


@pytest.fixture
def odd(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = f"import sys; sys.path.insert(0, {str(root)!r})\n"
    monkeypatch.setattr(warm, "COMMAND", (sys.executable, "-c", path + ODD_LAYERS))


@pytest.mark.usefixtures("odd")
@pytest.mark.parametrize(
    ("layer", "lets"), [("useless", "everything"), ("landlock", "writing in /")]
)
def test_a_layer_that_stops_nothing_is_found_out(layer: str, lets: str) -> None:
    """What one submission could write in a folder, the next could read."""
    with closing(WarmSandbox(Limits(), ("process", layer))) as sandbox:
        assert str(sandbox.status()[layer]).startswith(f"fails: it does not stop {lets}")
        assert sandbox.layers == ("process",)


@pytest.mark.usefixtures("odd")
def test_a_layer_that_fails_in_a_child_ends_it_before_any_of_the_students_code() -> None:
    with closing(WarmSandbox(Limits(), ("process", "broken"))) as sandbox:
        assert sandbox.status()["broken"].active
        session = Session("work", probes("tell"), (("work.py", SOURCE),), sandbox)
        with pytest.raises(GraderFault, match="it broke"):
            session.load()
        session.close()


def test_a_server_that_cannot_start_is_told_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm, "subprocess", subprocess)  # an interpreter that imports nothing
    monkeypatch.setattr(warm, "COMMAND", (sys.executable, "-c", "raise SystemExit('no torch')"))
    with closing(WarmSandbox(Limits(), PERMISSIVE)) as sandbox:
        for _ in range(2):
            with pytest.raises(GraderFault, match="no torch"):
                sandbox.start()


def test_a_server_that_starts_too_slowly_is_not_taken_for_a_broken_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(warm, "subprocess", subprocess)
    monkeypatch.setattr(warm, "COMMAND", (sys.executable, "-c", "import time; time.sleep(3600)"))
    monkeypatch.setattr(warm, "START_LIMIT", 0.05)
    with closing(WarmSandbox(Limits(), PERMISSIVE)) as sandbox:
        with pytest.raises(GraderFault, match="The disk is slow, or the machine is busy") as fault:
            sandbox.start()
        assert "Install" not in str(fault.value)


NEEDED = {
    (): [],
    ("landlock",): [],
    ("bubblewrap",): [],
    ("seccomp",): ["seccomp"],
    ("limits",): ["limits"],
    ("user",): ["user"],
    ("mounts",): [],
    ("landlock", "bubblewrap"): ["bubblewrap", "landlock"],
    # Of a system that cannot fork.
    tuple(BY_NAME)[1:]: [name for name in BY_NAME if name not in ("process", "mounts")],
}


@pytest.mark.parametrize(("without", "named"), NEEDED.items())
def test_what_strangers_code_needs(without: tuple[str, ...], named: list[str]) -> None:
    status = dict.fromkeys(BY_NAME, ACTIVE) | dict.fromkeys(without, not_here("of no matter"))
    if "user" not in without:
        status["user"] = LayerStatus(LayerState.NOT_NEEDED, "you are not root")
    assert [line.split(":")[0] for line in missing_layers(status)] == named


def test_bubblewrap_that_is_not_there_or_not_allowed_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert bubblewrap.wrapping() == ((), not_here("there is no program bwrap"))
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho setting up uid map: Permission denied >&2\nexit 1\n")
    program.chmod(0o755)
    assert bubblewrap.wrapping() == ((), fails("setting up uid map: Permission denied"))
