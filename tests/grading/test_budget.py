"""What judging one submission may take in memory and in computing time."""

from __future__ import annotations

import json
import mmap
import sys
import threading
import time
from contextlib import suppress
from functools import partial

import pytest

from autograder.grading import budget
from autograder.grading.budget import Budget, OverBudget

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits memory and time")

_PIECE = 2**16  # bytes, few enough for malloc to take them from its heap
MEGABYTES = 256  # in place of 1,024


def test_the_memory_limit_is_the_same_for_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What malloc keeps of earlier submissions is no gift to the next one, and no loss."""
    monkeypatch.setattr(budget, "MEGABYTES", MEGABYTES)
    stays: list[bytes] = []  # keeps malloc from giving back what is freed below it

    def judge(megabytes: int) -> None:
        held = [bytes(_PIECE) for _ in range(megabytes * 2**20 // _PIECE)]
        stays.append(bytes(_PIECE))
        del held

    too_much = partial(judge, MEGABYTES + 100)
    with pytest.raises(OverBudget, match="more memory"):
        Budget().spend(too_much)
    for _ in range(3):
        Budget().spend(partial(judge, MEGABYTES - 100))
        with pytest.raises(OverBudget, match="more memory"):
            Budget().spend(too_much)
    Budget().spend(partial(mmap.mmap, -1, 2**25)).close()  # as Python does for small objects


# The kernel counts computing time by its ticks: on a busy machine, the timer may see a third more or less than this.
# So what is to be within a limit takes less than half of it, and what is to be above takes more than twice as much.
LIMIT = 0.2
WITHIN = 0.02
ABOVE = 0.5


def work(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set a limit of 0.2 seconds, in place of 10."""
    monkeypatch.setattr(budget, "SECONDS", LIMIT)
    monkeypatch.setattr(budget, "LEAST_SECONDS", 0.01)


@pytest.mark.usefixtures("short")
def test_what_is_done_beside_costs_the_submission_nothing() -> None:
    """The first wrong answer of a step makes the answers of its edits, for all submissions."""
    one = Budget()

    def judge() -> str:
        work(WITHIN)
        assert one.beside(lambda: work(ABOVE)) is None
        work(WITHIN)
        return "judged"

    assert one.spend(judge) == "judged"
    assert one.spend(lambda: work(WITHIN)) is None
    with pytest.raises(OverBudget, match="more computing time"):
        one.spend(lambda: work(ABOVE))


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("fails", [False, True])
def test_what_follows_it_is_limited_as_before(fails: bool) -> None:
    one = Budget()

    def beside() -> None:
        work(ABOVE)
        if fails:
            raise LookupError

    def judge() -> None:
        with suppress(LookupError):
            one.beside(beside)
        work(10.0)

    started = time.process_time()
    with pytest.raises(OverBudget, match="more computing time") as over:
        one.spend(judge)
    assert over.value.is_time
    assert time.process_time() - started < 5.0
    assert one.spend(lambda: 1) == 1  # there is always a little time for the next step


@pytest.mark.usefixtures("short")
def test_no_handler_of_exceptions_keeps_a_budget_from_ending() -> None:
    def loop() -> None:
        while True:
            with suppress(Exception):  # as a careless step of the grader might
                json.dumps(list(range(1000)))

    with pytest.raises(OverBudget):
        Budget().spend(loop)


def test_a_thread_has_no_timer_and_its_work_beside_is_done() -> None:
    one = Budget()
    made: list[str] = []

    def judge() -> None:
        made.append(one.beside(lambda: "made"))

    thread = threading.Thread(target=lambda: one.spend(judge))
    thread.start()
    thread.join()
    assert made == ["made"]
