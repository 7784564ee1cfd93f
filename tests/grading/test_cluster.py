"""Calls travel to a cluster in chunks; none is lost, whatever happens to its chunk."""

from __future__ import annotations

from concurrent.futures import BrokenExecutor, Future
from typing import TYPE_CHECKING, Any

import pytest

from autograder.errors import Rejected
from autograder.grading.cluster import MOST, Chunks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograder.grading.cluster import Outcome, Work


pytestmark = pytest.mark.unit


class Cluster:
    """Keeps each task until it is told how it ends."""

    def __init__(self, slots: int = 1) -> None:
        self.tasks: list[tuple[list[Work], Future[list[Outcome]]]] = []
        self.is_lost = False
        self.chunks = Chunks(self.send, lambda: self.is_lost, BrokenExecutor("lost"), slots)

    def send(self, work: Sequence[Work]) -> Future[list[Outcome]]:
        task: Future[list[Outcome]] = Future()
        self.tasks.append((list(work), task))
        return task

    @property
    def sizes(self) -> list[int]:
        return [len(work) for work, _ in self.tasks]

    def end(self, number: int, failure: BaseException | None = None) -> None:
        """End a task: it returns, or fails as a whole."""
        work, task = self.tasks[number]
        if failure:
            task.set_exception(failure)
        else:
            task.set_result([_outcome(*one) for one in work])


def _outcome(function: Any, args: Any, kwargs: Any) -> Outcome:
    try:
        return True, function(*args, **kwargs)
    except Rejected as rejected:
        return False, rejected


def double(number: int) -> int:
    if number < 0:
        raise Rejected("below 0")
    return 2 * number


def submit(chunks: Chunks, *numbers: int) -> list[Future[Any]]:
    return [chunks.submit((double, (number,), {})) for number in numbers]


def test_chunks_grow_with_what_waits_and_shrink_at_the_end() -> None:
    cluster = Cluster(slots=2)
    found = submit(cluster.chunks, *range(20))
    assert cluster.sizes == [1, 1]
    for number in range(100):
        if number < len(cluster.tasks):
            cluster.end(number)
    assert max(cluster.sizes) == MOST
    assert cluster.sizes[-1] == 1
    assert [one.result(timeout=0) for one in found] == [2 * number for number in range(20)]


def test_a_call_that_raises_fails_alone() -> None:
    cluster = Cluster()
    found = submit(cluster.chunks, 1, -1, 3)
    for number in range(2):
        cluster.end(number)
    assert cluster.sizes == [1, 2]
    assert (found[0].result(timeout=0), found[2].result(timeout=0)) == (2, 6)
    with pytest.raises(Rejected, match="below 0"):
        found[1].result(timeout=0)


def test_a_chunk_that_fails_is_sent_again_in_single_calls() -> None:
    cluster = Cluster()
    found = submit(cluster.chunks, 1, 2, 3, 4)
    cluster.end(0)
    assert cluster.sizes == [1, 3]
    cluster.end(1, OSError("the node is lost"))
    cluster.end(2)
    cluster.end(3, OSError("the node is lost"))
    cluster.end(4)
    assert cluster.sizes == [1, 3, 1, 1, 1]
    assert [found[number].result(timeout=0) for number in (0, 1, 3)] == [2, 4, 8]
    with pytest.raises(OSError, match="the node is lost"):
        found[2].result(timeout=0)


@pytest.mark.parametrize("cancelled", [True, False])
def test_a_lost_scheduler_ends_all_that_waits(cancelled: bool) -> None:
    cluster = Cluster()
    found = submit(cluster.chunks, *range(12))
    cluster.end(0)
    if cancelled:
        cluster.tasks[1][1].cancel()
    else:
        cluster.is_lost = True
        cluster.end(1, OSError("closed"))
    assert cluster.sizes == [1, MOST]
    for one in found[1:]:
        with pytest.raises(BrokenExecutor, match="lost"):
            one.result(timeout=0)


def test_what_was_not_sent_can_be_cancelled() -> None:
    cluster = Cluster()
    found = submit(cluster.chunks, 1, 2)
    cluster.chunks.cancel()
    cluster.end(0)
    assert cluster.sizes == [1]
    assert found[0].result(timeout=0) == 2
    assert found[1].cancelled()
