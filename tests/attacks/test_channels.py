"""Workers cannot signal each other: neither those of one submission, nor those of two that are graded together."""

from __future__ import annotations

import multiprocessing
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from autograder.sandbox.layers.all import BY_NAME
from autograder.sandbox.warm import can_fork
from tests.attacks.arena import Arena
from tests.attacks.channels import CHANNELS, RECEIVER, SENDER, SENDS_WITH_STAND_INS, program

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from multiprocessing.connection import Connection

    from autograder.exam.questions import Exam

pytestmark = pytest.mark.skipif(not can_fork(), reason="no process can be forked here")

QUICK = ("a futex on a mapped file", "memory that all use")
each_channel = pytest.mark.parametrize(
    "channel",
    [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.slow]) for name in CHANNELS],
)


@contextmanager
def receiver_and_sender(
    exam: Exam, layers: Sequence[str] | None = None
) -> Iterator[tuple[Arena, Connection]]:
    """Two grading processes: this one, and one that grades each source that it is sent."""
    context = multiprocessing.get_context("fork")
    sender, inside = context.Pipe()
    process = context.Process(target=_grade_senders, args=(exam, layers, inside), daemon=True)
    with warnings.catch_warnings():  # this process may have threads; none of them grades
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    inside.close()
    try:
        with Arena(exam, layers) as receiver:
            yield receiver, sender
    finally:
        sender.send(None)
        process.join()


def _grade_senders(exam: Exam, layers: Sequence[str] | None, pipe: Connection) -> None:
    with Arena(exam, layers) as arena:
        for source in iter(pipe.recv, None):
            arena.grade("sender", source)
            pipe.send("graded")


@pytest.fixture(scope="module")
def processes(exam: Exam) -> Iterator[tuple[Arena, Connection]]:
    """Two grading processes with all layers of this machine."""
    with receiver_and_sender(exam) as (receiver, sender):
        layers = set(receiver.layers)
        if not {"seccomp"} <= layers or not {"landlock", "bubblewrap"} & layers:
            pytest.skip("layers are missing here")
        yield receiver, sender


def points_for_project(receiver: Arena, sender: Connection, channel: str) -> float:
    """Return what the receiver earns for `project` while another submission sends."""
    sender.send(program(channel, SENDER))
    found = receiver.grade("receiver", program(channel, RECEIVER))
    assert sender.recv() == "graded"
    return next(one.score for one in found.checks if one.step == "project")


@each_channel
def test_workers_hear_nothing_of_others(channel: str, processes: tuple[Arena, Connection]) -> None:
    """Neither of another submission, nor of the worker with stand-ins, which sends when the one before is gone."""
    assert points_for_project(*processes, channel) == 0
    receiver, _ = processes
    found = receiver.grade("both", program(channel, RECEIVER, SENDS_WITH_STAND_INS))
    assert next(one.score for one in found.checks if one.step == "project") == 0
    assert receiver.grade("alone", program(channel, RECEIVER)).score == 0


@pytest.mark.slow
@pytest.mark.parametrize("hidden", [True, False])
def test_own_mounts_hide_how_many_threads_another_has(hidden: bool, exam: Exam) -> None:
    """Slow: of the layers, only this one and bubblewrap do."""
    without = {"bubblewrap"} if hidden else {"bubblewrap", "mounts"}
    with receiver_and_sender(exam, [name for name in BY_NAME if name not in without]) as processes:
        if hidden and "mounts" not in processes[0].layers:
            pytest.skip("there are no own mounts here")
        found = points_for_project(*processes, "the number of threads in /proc")
        assert found == (0 if hidden else 1)


@pytest.mark.slow
@pytest.mark.parametrize("channel", ["a futex on a mapped file", "a futex that is moved"])
def test_without_the_filter_of_system_calls_they_would(channel: str, exam: Exam) -> None:
    """Slow: shows that the tests above can fail."""
    with receiver_and_sender(exam, ["limits", "no_new_privileges"]) as processes:
        assert points_for_project(*processes, channel) == 1
