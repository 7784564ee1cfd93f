"""The limits of a request and of a file's statements, and what the next worker leaves out, with made-up times."""

from __future__ import annotations

from typing import Any

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


# What a request has used when it is looked at, and the limit that it has reached then. The limit is 10 s of computing;
# what was used before does not count.
REQUESTS = {
    "computing, and four times that with sleeping": [
        (Use(3.0, 100.0, 200.0), None),
        (Use(13.0, 140.0, 240.0), None),
        (Use(13.1, 140.1, 240.1), "cpu"),
        (Use(13.0, 140.1, 240.1), "awake"),
    ],
    "waiting for a core": [(NOTHING, None), (Use(0.5, 0.5, 199.0), None)],
    "the clock itself, twenty times the limit": [
        (Use(0.0, 0.0, 50.0), None),
        (Use(0.5, 0.5, 250.0), None),
        (Use(0.5, 0.5, 250.1), "wall"),
        (Use(0.5, 40.1, 250.1), "awake"),
    ],
}


@pytest.mark.parametrize("looks", REQUESTS.values(), ids=REQUESTS)
def test_a_request_has_three_limits(looks: list[tuple[Use, str | None]]) -> None:
    usage = Usage(10)
    assert [usage.exceeded(used) for used, _ in looks] == [reached for _, reached in looks]


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


# What statements take in turn, and the limit that each reaches. All limits but that of sleeping are for each statement.
STATEMENTS: dict[str, list[tuple[dict[str, float], str | None]]] = {
    "with sleeping four times the computing": [
        ({"cpu": 1.0, "wall": 7.9}, None),
        ({"cpu": 1.0, "wall": 8.2}, "awake"),
    ],
    "on the clock twenty times": [
        ({"cpu": 1.0, "wall": 39.9, "waited": 32.5}, None),
        ({"cpu": 1.0, "wall": 40.2, "waited": 32.5}, "wall"),
    ],
    "imports have the whole limit and may wait": [
        ({"cpu": 3.0, "does": IMPORTS}, None),
        ({"cpu": 0.0, "wall": 30.0, "does": IMPORTS | DEFINES}, None),
    ],
    "who computes nothing for four seconds sleeps": [
        ({"cpu": 0.0, "wall": 3.8}, None),
        ({"cpu": 0.4, "wall": 7.0}, None),
        ({"cpu": 0.0, "wall": 4.1}, "sleep"),
    ],
    "who gets no core does not sleep": [
        ({"cpu": 0.0, "wall": 7.0, "waited": 6.9}, None),
        ({"cpu": 0.0, "wall": 39.9, "waited": 39.8}, None),
        ({"cpu": 0.0, "wall": 40.2, "waited": 40.1}, "wall"),
        ({"cpu": 0.0, "wall": 6.0, "waited": 1.5}, "sleep"),
    ],
}


@pytest.mark.parametrize("takes", STATEMENTS.values(), ids=STATEMENTS)
def test_a_statement_has_limits(loading: Loading, takes: list[tuple[Any, str | None]]) -> None:
    worker = Process(loading)
    reached = [worker.runs(number, **one) for number, (one, _) in enumerate(takes)]
    assert reached == [wanted for _, wanted in takes]


def test_announcing_the_end_again_and_again_gives_no_more_time(loading: Loading) -> None:
    worker = Process(loading)
    reached = [worker.runs(MOST_STATEMENTS, 1.5) for _ in range(15)]
    assert reached.index("cpu") == 13
    assert not KnownSkips().add(TOO_LONG, loading)
    again = after()  # this worker, too, takes no more than twice the limit
    assert [again.runs(number, 1.5) for number in range(15)].index("cpu") == 13


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


def test_what_was_left_out_already_or_never_began_ends_the_loading(loading: Loading) -> None:
    skips = KnownSkips()
    assert not skips.add(TOO_LONG, loading)
    loading.announced(3, 0)
    assert skips.add(TOO_LONG, loading)
    assert not skips.add(TOO_LONG, loading)


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


@pytest.mark.parametrize("does", [DEFINES, 0])
def test_a_definition_is_not_blamed_when_all_is_gone_and_all_else_is(
    loading: Loading, does: int
) -> None:
    worker, skips = Process(loading), KnownSkips()
    assert [worker.runs(number, 1.9) for number in range(5)] == [None] * 5
    assert worker.runs(5, 1.0, does=does) == "cpu"
    assert skips.add(TOO_LONG, loading)
    assert left_out(skips) == ([] if does else [(5, WhySkipped.FILE_TOO_SLOW, 10.0)])
    assert skips.fields()["only_definitions_from"] == 5
    if does:
        worker = after()
        assert worker.runs(5, 3.0, does=DEFINES) == "cpu"
        assert skips.add(TOO_LONG, worker.loading)
        assert left_out(skips) == [(5, WhySkipped.ENDLESS, 2.0)]


def test_what_is_known_by_its_text_keeps_its_reason() -> None:
    frame = Frame("work.py", 1, "<module>", "")
    known = Skipped(4, frame, "text", why=WhySkipped.EXITED, exit_code=3)
    report = LoadReport(skipped=(Skipped(7, frame, "text"), Skipped(8, frame, "other")))
    first, second = KnownSkips({"text": known}).explained(report).skipped

    assert (first.why, first.exit_code) == (WhySkipped.EXITED, 3)
    assert second.why is WhySkipped.AFTER_OTHERS
