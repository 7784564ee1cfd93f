"""The limits of a request and of the statements of a file, and which of these the next worker leaves out, with made-up
times.
"""

from __future__ import annotations

from copy import deepcopy

import pytest

from autograder.results import Frame, LoadReport, Outcome, Skipped, WhySkipped
from autograder.sandbox.limits import Limits, Stopped
from autograder.sandbox.session import _ended
from autograder.sandbox.skips import MOST_SKIPS, KnownSkips
from autograder.sandbox.usage import NOTHING, Clock, Loading, Usage, Use
from autograder.values.wire import DEFINES, IMPORTS, MOST_STATEMENTS

pytestmark = pytest.mark.unit

# A file has 10 s of computing time, a statement 2 s; with sleeping four times that, and on the clock twenty times.
LIMITS = Limits(cpu=10)
TOO_LONG = Stopped("", limit="cpu")


class Process:
    """A worker that loads a file on made-up clocks."""

    def __init__(self, loading: Loading) -> None:
        self.loading = loading
        self.cpu = self.wall = self.waited = 0.0
        loading.exceeded(NOTHING)

    def runs(
        self, number: int, cpu: float, *, wall: float = 0.0, waited: float = 0.0, does: int = 0
    ) -> str | None:
        """Run a statement that takes this long, looked at every 0.05 s; return the limit that it reaches."""
        self.loading.announced(number, does)
        looks = max(1, round(max(cpu, wall) / 0.05))
        for look in range(looks + 1):
            self.cpu += cpu / looks * (look > 0)
            self.wall += (wall or cpu) / looks * (look > 0)
            self.waited += waited / looks * (look > 0)
            now = Use(self.cpu, self.wall - self.waited, self.wall)
            if reached := self.loading.exceeded(now):
                return reached
        return None


def test_a_request_has_the_limit_of_computing_and_four_times_that_with_sleeping() -> None:
    usage = Usage(10)
    assert usage.exceeded(Use(3.0, 100.0, 200.0)) is None  # what it used before does not count
    assert usage.exceeded(Use(13.0, 140.0, 240.0)) is None
    assert usage.exceeded(Use(13.1, 140.1, 240.1)) == "cpu"
    assert usage.exceeded(Use(13.0, 140.1, 240.1)) == "awake"


def test_a_request_that_waits_for_a_core_does_not_use_up_its_time() -> None:
    usage = Usage(10)
    assert usage.exceeded(NOTHING) is None
    assert usage.exceeded(Use(cpu=0.5, awake=0.5, wall=199.0)) is None
    assert usage.used == Use(0.5, 0.5, 199.0)


def test_the_clock_itself_stops_a_request_after_twenty_times_its_limit() -> None:
    usage = Usage(10)
    assert usage.exceeded(Use(0.0, 0.0, 50.0)) is None
    assert usage.exceeded(Use(0.5, 0.5, 250.0)) is None
    assert usage.exceeded(Use(0.5, 0.5, 250.1)) == "wall"
    assert usage.exceeded(Use(0.5, 40.1, 250.1)) == "awake"


@pytest.mark.parametrize(
    ("limit", "slow"), [("cpu", False), ("awake", False), ("sleep", False), ("wall", True)]
)
def test_only_what_the_clock_itself_stopped_may_be_tried_again(limit: str, slow: bool) -> None:
    seen = _ended(Stopped("said", limit=limit), Limits(cpu=2), "`step`")
    assert (seen.outcome, seen.slow, seen.printed) == (Outcome.TIMED_OUT, slow, "said")
    assert seen.detail == (
        "`step` did not end within 2 seconds of computing time (8 seconds in all) and was stopped."
    )


def test_a_submission_has_its_time_for_what_its_workers_compute_and_sleep() -> None:
    clock = Clock(10)
    clock.add(Use(cpu=5.0, awake=2.5, wall=2.5))  # on two cores
    clock.add(Use(cpu=0.5, awake=5.0, wall=1000.0))  # most of the time it waited for a core
    assert not clock.is_over
    clock.add(Use(cpu=0.0, awake=0.0, wall=1000.0))
    assert not clock.is_over
    clock.add(Use(cpu=0.0, awake=0.1, wall=0.1))
    assert clock.is_over


@pytest.fixture
def loading() -> Loading:
    return Loading(LIMITS)


def after() -> Process:
    """Return the worker in which only definitions run from some statement on."""
    return Process(Loading(LIMITS, again=True))


def left_out(skips: KnownSkips) -> list[tuple[int, WhySkipped, float]]:
    """Return the statements that are left out, each with its reason and its limit."""
    numbers = skips.fields()["numbers"]
    assert isinstance(numbers, list)
    frame = Frame("work.py", 1, "<module>", "")
    report = LoadReport(skipped=tuple(Skipped(number, frame, "") for number in numbers))
    return [(one.number, one.why, one.seconds) for one in skips.explained(report).skipped]


def test_a_statement_has_a_fifth_of_the_limit(loading: Loading) -> None:
    worker = Process(loading)
    assert worker.runs(0, 1.9) is None
    assert worker.runs(1, 2.1) == "cpu"
    assert (loading.statement, loading.seconds, loading.gone) == (1, 2.0, False)


def test_with_sleeping_a_statement_has_four_times_that(loading: Loading) -> None:
    worker = Process(loading)
    assert worker.runs(0, 1.0, wall=7.9) is None
    assert worker.runs(1, 1.0, wall=8.2) == "awake"


def test_on_the_clock_a_statement_has_twenty_times_that(loading: Loading) -> None:
    worker = Process(loading)
    assert worker.runs(0, 1.0, wall=39.9, waited=32.5) is None
    assert worker.runs(1, 1.0, wall=40.2, waited=32.5) == "wall"


def test_a_statement_that_imports_has_the_whole_limit_and_may_wait(loading: Loading) -> None:
    worker = Process(loading)
    assert worker.runs(0, 3.0, does=IMPORTS) is None
    assert worker.runs(1, 0.0, wall=30.0, does=IMPORTS | DEFINES) is None
    assert loading.seconds == 10.0


def test_each_import_of_a_statement_gives_it_its_time_again(loading: Loading) -> None:
    worker = Process(loading)
    for _ in range(3):
        assert worker.runs(0, 1.5, wall=3.5) is None
    assert worker.runs(0, 2.1) == "cpu"


def test_a_statement_that_computes_nothing_for_four_seconds_sleeps(loading: Loading) -> None:
    worker = Process(loading)
    assert worker.runs(0, 0.0, wall=3.8) is None
    assert worker.runs(1, 0.4, wall=7.0) is None
    assert worker.runs(2, 0.0, wall=4.1) == "sleep"


def test_a_statement_that_gets_no_core_does_not_sleep(loading: Loading) -> None:
    worker = Process(loading)
    assert worker.runs(0, 0.0, wall=7.0, waited=6.9) is None
    assert worker.runs(1, 0.0, wall=39.9, waited=39.8) is None
    assert worker.runs(2, 0.0, wall=40.2, waited=40.1) == "wall"
    assert worker.runs(3, 0.0, wall=6.0, waited=1.5) == "sleep"


def test_all_statements_together_have_the_limit(loading: Loading) -> None:
    worker = Process(loading)
    reached = [worker.runs(number, 1.5) for number in range(8)]
    assert reached == [*[None] * 6, "cpu", "cpu"]
    assert (loading.gone, loading.seconds) == (True, 10.0)


def test_after_all_is_gone_the_rest_is_loaded(loading: Loading) -> None:
    worker = Process(loading)
    while worker.runs((loading.statement or 0) + 1, 1.5) is None:
        pass
    worker = after()
    assert [worker.runs(number, 1.5) for number in range(1, 7)] == [None] * 6
    assert worker.runs(8, 0.1, does=DEFINES) is None
    assert worker.runs(MOST_STATEMENTS, 0.1) is None
    assert worker.runs(9, 3.0) == "cpu"
    assert not worker.loading.gone


def test_the_end_of_a_slow_file_is_not_too_slow(loading: Loading) -> None:
    worker = Process(loading)
    for number in range(6):
        worker.runs(number, 1.6)
    assert worker.runs(MOST_STATEMENTS, 5.0) is None


def test_announcing_the_end_again_and_again_gives_no_more_time(loading: Loading) -> None:
    worker = Process(loading)
    reached = [worker.runs(MOST_STATEMENTS, 1.5) for _ in range(15)]
    assert reached.index("cpu") == 13
    assert not KnownSkips().add(TOO_LONG, loading)


def test_no_worker_takes_more_than_twice_the_limit() -> None:
    worker = after()
    reached = [worker.runs(number, 1.5) for number in range(15)]
    assert reached.index("cpu") == 13


def test_a_flood_of_announcements_ends_the_worker(loading: Loading) -> None:
    worker = Process(loading)
    for _ in range(20_000):
        loading.announced(0, 0)
    assert worker.runs(1, 0.0) == "answers"


@pytest.mark.parametrize(
    ("stop", "why"),
    [
        (Stopped("", limit="cpu"), WhySkipped.ENDLESS),
        (Stopped("", limit="awake"), WhySkipped.ENDLESS),
        (Stopped("", limit="wall"), WhySkipped.ENDLESS),
        (Stopped("", limit="sleep"), WhySkipped.SLEEPS),
        (Stopped("", limit="output"), WhySkipped.PRINTED),
        (Stopped("", exit_code=0), WhySkipped.EXITED),
        (Stopped("", exit_code=-11), WhySkipped.CRASHED),
        (Stopped("", exit_code=None), WhySkipped.CRASHED),
    ],
)
def test_how_the_worker_stopped_is_why_a_statement_is_left_out(
    loading: Loading, stop: Stopped, why: WhySkipped
) -> None:
    loading.announced(3, 0)
    skips = KnownSkips()
    assert skips.add(stop, loading)
    assert left_out(skips) == [(3, why, 2.0)]


def test_what_was_left_out_already_ends_the_loading(loading: Loading) -> None:
    loading.announced(3, 0)
    skips = KnownSkips()
    assert skips.add(TOO_LONG, loading)
    assert not skips.add(TOO_LONG, loading)


def test_a_worker_that_runs_no_statement_ends_the_loading(loading: Loading) -> None:
    assert not KnownSkips().add(TOO_LONG, loading)


def test_after_five_only_definitions_run_and_these_may_be_left_out_too(loading: Loading) -> None:
    skips = KnownSkips()
    for number in range(2 * MOST_SKIPS):
        loading.announced(number, DEFINES)
        assert skips.fields()["only_definitions_from"] == (
            MOST_STATEMENTS if number < MOST_SKIPS else MOST_SKIPS - 1
        )
        assert skips.add(TOO_LONG, loading)
    loading.announced(2 * MOST_SKIPS, DEFINES)
    assert not skips.add(TOO_LONG, loading)


def spent(loading: Loading, does: int) -> int:
    """Let all statements together reach the limit, the last one with 0.5 s; return its number."""
    worker = Process(loading)
    assert [worker.runs(number, 1.9) for number in range(5)] == [None] * 5
    assert worker.runs(5, 1.0, does=does) == "cpu"
    return 5


def test_a_definition_is_not_blamed_when_all_is_gone(loading: Loading) -> None:
    number = spent(loading, DEFINES)
    skips = KnownSkips()
    assert skips.add(TOO_LONG, loading)
    assert left_out(skips) == []
    assert skips.fields()["only_definitions_from"] == number
    worker = after()
    assert worker.runs(number, 3.0, does=DEFINES) == "cpu"
    assert skips.add(TOO_LONG, worker.loading)
    assert left_out(skips) == [(number, WhySkipped.ENDLESS, 2.0)]


def test_anything_else_is_when_all_is_gone(loading: Loading) -> None:
    number = spent(loading, 0)
    skips = KnownSkips()
    assert skips.add(TOO_LONG, loading)
    assert left_out(skips) == [(number, WhySkipped.FILE_TOO_SLOW, 10.0)]
    assert skips.fields()["only_definitions_from"] == number


def test_a_copy_goes_on_by_itself(loading: Loading) -> None:
    known = {"text": Skipped(0, Frame("work.py", 1, "<module>", ""), "text", why=WhySkipped.SLEEPS)}
    skips = KnownSkips(known)
    loading.announced(1, 0)
    skips.add(TOO_LONG, loading)
    other = deepcopy(skips)
    loading.announced(2, 0)
    other.add(TOO_LONG, loading)

    assert [number for number, *_ in left_out(skips)] == [1]
    assert [number for number, *_ in left_out(other)] == [1, 2]
    assert other.fields()["texts"] == ["text"]


def test_what_is_known_by_its_text_keeps_its_reason() -> None:
    frame = Frame("work.py", 1, "<module>", "")
    known = Skipped(4, frame, "text", why=WhySkipped.EXITED, exit_code=3)
    report = LoadReport(skipped=(Skipped(7, frame, "text"), Skipped(8, frame, "other")))
    first, second = KnownSkips({"text": known}).explained(report).skipped

    assert (first.why, first.exit_code) == (WhySkipped.EXITED, 3)
    assert second.why is WhySkipped.AFTER_OTHERS
