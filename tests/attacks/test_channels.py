"""Workers cannot signal each other: neither those of one submission, nor those of two that are graded together."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from autograder.sandbox.warm import can_fork
from tests.attacks.arena import Arena
from tests.attacks.channels import CHANNELS, RECEIVER, SENDER, SENDS_WITH_STAND_INS, program

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from autograder.exam.questions import Exam

resource = pytest.importorskip("resource")  # Windows has none
pytestmark = pytest.mark.skipif(not can_fork(), reason="no process can be forked here")

QUICK = ("a futex on a mapped file", "memory that all use")
each_channel = pytest.mark.parametrize(
    "channel",
    [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.slow]) for name in CHANNELS],
)


@pytest.fixture(scope="module")
def arenas(exam: Exam) -> Iterator[tuple[Arena, Arena]]:
    """Two sandboxes with all layers of this machine, as two grading processes have them."""
    with Arena(exam) as one, Arena(exam) as other:
        if not {"seccomp"} <= set(one.layers) or not {"landlock", "bubblewrap"} & set(one.layers):
            pytest.skip("layers are missing here")
        yield one, other


@pytest.fixture(autouse=True)
def limits() -> Iterator[None]:
    """Put the limit on memory back: each of two threads that grade at once puts back what the other one set."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


def points_for_project(arenas: Sequence[Arena], channel: str) -> float:
    """Return what the receiver earns for `project` while another submission sends."""
    receiver, sender = arenas
    with ThreadPoolExecutor() as pool:
        sent = pool.submit(sender.grade, "sender", program(channel, SENDER))
        found = receiver.grade("receiver", program(channel, RECEIVER))
        sent.result()
    return next(one.score for one in found.checks if one.step == "project")


@each_channel
def test_a_worker_hears_nothing_of_another_one_of_its_submission(
    channel: str, arenas: tuple[Arena, Arena]
) -> None:
    """The worker with stand-ins sends; if the one before were still there, its `project` would be right."""
    text = program(channel, RECEIVER, SENDS_WITH_STAND_INS)
    found = arenas[0].grade("both", text)
    alone = arenas[0].grade("alone", program(channel, RECEIVER))
    assert next(one.score for one in found.checks if one.step == "project") == 0
    assert alone.score == 0


@each_channel
def test_two_submissions_hear_nothing_of_each_other(
    channel: str, arenas: tuple[Arena, Arena]
) -> None:
    assert points_for_project(arenas, channel) == 0


@pytest.mark.slow
@pytest.mark.parametrize("channel", ["a futex on a mapped file", "a futex that is moved"])
def test_without_the_filter_of_system_calls_they_would(channel: str, exam: Exam) -> None:
    """Slow: shows that the tests above can fail."""
    with ExitStack() as stack:
        layers = ["limits", "no_new_privileges"]
        arenas = [stack.enter_context(Arena(exam, layers)) for _ in range(2)]
        assert points_for_project(arenas, channel) == 1
