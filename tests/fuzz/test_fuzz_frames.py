"""Whatever bytes a worker sends, the grader reads an answer, refuses it, or lets go of the worker in time."""

from __future__ import annotations

import functools
import sys

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from autograder.exam.questions import Batch
from autograder.sandbox.limits import Limits, Stopped
from autograder.values.values import freeze
from autograder.values.wire import EXIT_CODE, STARTED, encode, frame
from tests.fuzz.frames import (
    GREETING,
    Script,
    acted,
    answers_to_a_step,
    bodies,
    connected,
    decoded,
    judged,
    real_answers,
    scripts,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="workers are forked on Linux only")

# The first example of a session pays for torch.
repeatable = functools.partial(
    settings,
    derandomize=True,
    deadline=None,
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@repeatable(max_examples=60)
@given(bodies)
def test_what_is_decoded_is_a_value_that_is_encoded_so_and_an_answer_with_clean_texts(
    body: bytes,
) -> None:
    decoded(body)


@repeatable(max_examples=30)
@given(answers_to_a_step())
def test_whatever_comes_back_is_judged(answer: tuple[int, bytes]) -> None:
    judged(*answer)


@repeatable(max_examples=30)
@given(scripts)
def test_a_worker_whatever_it_writes_answers_or_is_let_go_of(script: Script) -> None:
    acted(script)


def test_real_answers_are_read_as_such() -> None:
    assert {decoded(body) for body in real_answers()} == {"an answer"}


WHOLE = (("control", STARTED), ("answers", GREETING))


def test_an_honest_child_is_understood() -> None:
    answer = frame(encode(freeze({"mark": "0123456789abcdef0123456789abcdef", "answer": 1})))
    assert acted(Script((*WHOLE, ("answers", answer)), ends=True)) == "answered and stopped: ended"


NEWS = {
    "nothing": (),
    "an end before it began": (("control", EXIT_CODE.pack(-9)),),
    "no news that there are": (("control", b"x"),),
    "that it lost it": (("close", b"control"),),
    "its beginning and no more": (("control", STARTED), ("close", b"control")),
}


@pytest.mark.parametrize("acts", NEWS.values(), ids=NEWS)
def test_a_warm_process_that_says_little_is_not_waited_for(
    acts: tuple[tuple[str, bytes], ...],
) -> None:
    """It may have been ended before it could say that the worker runs."""
    for beginning in ((), WHOLE[1:]):
        for end in (False, True):
            assert "answered" not in acted(Script((*beginning, *acts), end))


def test_a_worker_whose_warm_process_has_gone_is_asked_nothing() -> None:
    """It may outlive that for a moment: what it answers then is no reason to go on with it."""
    with connected(Limits(cpu=1)) as (worker, child):
        question = encode("question")
        worker.send([Batch("", (question,), question)])
        answer = encode(freeze({"mark": child.mark().decode(), "answer": "answer"}))
        child.do("control", STARTED)
        child.do("answers", GREETING + frame(answer))
        child.close("control")
        with pytest.raises(Stopped) as stopped:
            worker.ask(question)
        assert stopped.value.lost
