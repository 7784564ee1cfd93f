"""What a worker uses of the machine is limited for it alone, and what it reads leaves no trace."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from autograder.sandbox.layers import bubblewrap, paths, prctl
from autograder.sandbox.layers.all import BY_NAME
from autograder.sandbox.layers.process import MORE_PROCESSES
from autograder.sandbox.limits import Limits
from autograder.sandbox.session import Session
from autograder.sandbox.warm import WarmSandbox, can_fork
from autograder.values.values import thaw
from tests.sandbox.conftest import asking, probes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [
    pytest.mark.skipif(not can_fork(), reason="this system cannot fork"),
    pytest.mark.usefixtures("forked"),
]

THREADS = """
import _thread
NEVER = _thread.allocate_lock()
NEVER.acquire()
def start(most):
    _thread.stack_size(32 * 1024)
    for number in range(most):
        try:
            _thread.start_new_thread(NEVER.acquire, ())
        except RuntimeError:
            return number
    return most
"""
MANY, FEW = 20_000, 64


@pytest.fixture(scope="module", params=["", "bubblewrap", "mounts"])
def layers(request: pytest.FixtureRequest) -> list[str]:
    return [name for name in BY_NAME if name != request.param]


@pytest.fixture(scope="module")
def sandboxes(forked: None, layers: list[str]) -> Iterator[tuple[WarmSandbox, WarmSandbox]]:
    """Those of two grading processes."""
    with (
        closing(WarmSandbox(Limits(cpu=30), layers)) as one,
        closing(WarmSandbox(Limits(cpu=30), layers)) as other,
    ):
        yield one, other


def started(session: Session, most: int) -> int:
    return int(thaw(session.observe(asking("start", most)).value))


def opened(sandbox: WarmSandbox) -> Session:
    session = Session("work", probes("start"), (("work.py", THREADS),), sandbox)
    assert session.load() is None
    return session


def test_threads_are_limited(sandboxes: tuple[WarmSandbox, WarmSandbox]) -> None:
    with opened(sandboxes[0]) as session:
        assert FEW < started(session, MANY) < 10 * MORE_PROCESSES


def test_the_threads_of_one_worker_are_not_counted_for_another(
    sandboxes: tuple[WarmSandbox, WarmSandbox],
) -> None:
    """Not of another grading process either. Without the layer `mounts` the kernel would count them together."""
    ours, theirs = sandboxes
    if "mounts" not in ours.layers:
        pytest.skip("the kernel counts all processes of this user together")
    with opened(ours) as greedy, opened(theirs) as other:
        many = started(greedy, MANY)
        assert many < MANY
        assert started(other, FEW) == FEW
        with opened(ours) as following:
            assert started(following, MANY) == many


def test_the_limit_on_threads_is_tried() -> None:
    """Where root remains root, the kernel does not count; then the limit is not called active without `user`."""
    with closing(WarmSandbox(Limits(), ("user", "limits"))) as sandbox:
        assert sandbox.status()["limits"].active
        if os.geteuid() == 0:
            assert sandbox.status()["user"].active


UNLIMITED = """
import resource, sys
sys.path.insert(0, {root!r})
from autograder.sandbox.inside import zygote
from autograder.sandbox.layers import process
resource.setrlimit = lambda kind, sizes: None
zygote.main()
"""
TOO_OLD = """
import sys
sys.path.insert(0, {root!r})
from autograder.sandbox.inside import zygote
from autograder.sandbox.layers import prctl
prctl._MOUNT_SETATTR = 100_000
zygote.main()
"""


def test_a_limit_that_is_not_in_force_is_found_out(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = (sys.executable, "-c", UNLIMITED.format(root=str(root)))
    monkeypatch.setattr("autograder.sandbox.warm.COMMAND", command)
    with closing(WarmSandbox(Limits(), ("user", "limits"))) as sandbox:
        assert "threads" in str(sandbox.status()["limits"])


def test_a_kernel_without_read_only_mounts_is_told(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = (sys.executable, "-c", TOO_OLD.format(root=str(root)))
    monkeypatch.setattr("autograder.sandbox.warm.COMMAND", command)
    with closing(WarmSandbox(Limits(), ("process", "user", "mounts"))) as sandbox:
        assert str(sandbox.status()["mounts"]).startswith("fails: ")
        assert "mounts" not in sandbox.layers
        sandbox.stop(sandbox.start())


def test_a_process_with_its_own_mounts_moves_no_access_time(tmp_path: Path) -> None:
    """The mechanism itself, without the test of the layer."""
    file = tmp_path / "file"
    file.write_text("text", encoding="utf-8")
    os.utime(file, (0, 0))
    program = (
        "import sys; from autograder.sandbox.layers.prctl import own_mounts\n"
        f"try:\n    own_mounts({str(tmp_path)!r})\nexcept OSError as error:\n    sys.exit(str(error))\n"
        f"print(open({str(file)!r}).read())\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    if ran.returncode:
        pytest.skip(f"no namespaces here: {ran.stderr}")
    assert ran.stdout == "text\n"
    assert file.stat().st_atime_ns == 0


def test_what_no_import_opens_is_not_readable() -> None:
    parts = paths.importable()
    assert not [part for part in parts if part.endswith("/torch") or "torch/include" in part]
    for file in (os.__file__, prctl.__file__, pytest.__file__):
        assert any(os.path.realpath(file).startswith(part) for part in parts), file


@pytest.mark.parametrize(
    ("version", "words"),
    [
        ("bubblewrap 0.3.3", "bubblewrap 0.3.3, and if it is setuid"),
        ("bubblewrap 0.4.1", "works (bubblewrap 0.4.1)"),
        ("bubblewrap 0.11.2", "works (bubblewrap 0.11.2)"),
    ],
)
def test_an_old_bubblewrap_is_named(
    version: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bwrap"
    program.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo {version}\nexit 0\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.defpath}")
    _, status = bubblewrap.wrapping()
    assert status.active
    assert words in str(status)
