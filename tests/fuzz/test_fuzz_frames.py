"""Whatever bytes a worker sends, the grader reads an answer, refuses it, or lets go of the worker in time."""

from __future__ import annotations

import sys
import threading
import time

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from autograder.errors import GraderFault
from autograder.sandbox import client, usage
from autograder.sandbox.limits import Limits, Stopped
from autograder.values.wire import EXIT_CODE, STARTED
from tests.fuzz.frames import (
    GREETING,
    QUESTION,
    Act,
    bodies,
    connected,
    decoded,
    real_answers,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="workers are forked on Linux only")


@settings(
    max_examples=60,
    derandomize=True,
    deadline=None,  # the first example of a session pays for torch
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(bodies())
def test_what_is_decoded_is_encoded_so_and_an_answer_has_clean_texts(body: bytes) -> None:
    decoded(body)


def test_real_answers_are_read_as_such() -> None:
    assert {decoded(body) for body in real_answers()} == {"an answer"}


NEWS: dict[str, tuple[Act, ...]] = {
    "nothing": (),
    "an end before it began": (("control", EXIT_CODE.pack(-9)),),
    "no news that there are": (("control", b"x"),),
    "that it lost it": (("close", b"control"),),
    "its beginning and no more": (("control", STARTED), ("close", b"control")),
}
# The child's streams are closed, and its control says how it ended.
ENDS = (("close", b"answers"), ("close", b"output"), ("control", EXIT_CODE.pack(3)))


@pytest.mark.parametrize("acts", NEWS.values(), ids=NEWS)
def test_nobody_waits_for_a_warm_process_that_says_little(
    acts: tuple[Act, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may have been ended before it could say that the worker runs."""
    for name, seconds in (("START_LIMIT", 0.03), ("LAST_SECONDS", 0.05), ("LOOK", 0.004)):
        monkeypatch.setattr(client, name, seconds)
    for beginning in ((), (("answers", GREETING),)):
        for end in ((), ENDS):
            with connected(Limits(cpu=0.004)) as (worker, child):
                for act in (*beginning, *acts, *end):
                    child.do(*act)
                with pytest.raises((Stopped, GraderFault)):
                    worker.ask(QUESTION)


def test_a_worker_is_asked_only_while_its_warm_process_is_there() -> None:
    """It may outlive that for a moment: what it answers then is no reason to go on with it."""
    with connected(Limits(cpu=1)) as (worker, child):
        child.answer("answer")
        assert worker.ask(QUESTION) == ("answer", "")
    with connected(Limits(cpu=1)) as (worker, child):
        child.answer("answer")
        child.close("control")
        with pytest.raises(Stopped) as stopped:
            worker.ask(QUESTION)
        assert stopped.value.lost


def test_the_time_in_which_a_worker_waits_for_a_core_costs_it_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limits = Limits(cpu=0.01)
    monkeypatch.setattr(client, "LOOK", 0.004)
    monkeypatch.setattr(client, "START_LIMIT", limits.cpu)
    monkeypatch.setattr(usage, "BACKSTOP", 1e6)
    monkeypatch.setattr(usage, "cpu_seconds", lambda _: 0.0)
    monkeypatch.setattr(usage, "waiting_seconds", lambda _: time.monotonic())
    with connected(limits) as (worker, child):
        answering = threading.Timer(10 * limits.wall, child.answer, ["answer"])
        answering.start()
        assert worker.ask(QUESTION) == ("answer", "")
        answering.join()
