"""Requests that travel together: nothing is lost or changed, and what they share is sent once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.exam.questions import MOST_TOGETHER, Asked
from autograder.sandbox.inside.worker import FAR_TOO_LARGE, requests_in
from autograder.values.values import MAX_ITEMS, Value, freeze, identical
from autograder.values.wire import decode, encode

if TYPE_CHECKING:
    from autograder.exam.questions import Exam


def received(message: bytes) -> list[Value]:
    requests = requests_in(decode(message))
    return [
        freeze({name: value for name, value in request.items() if name != "optional"})
        for request in requests
    ]


def test_only_what_is_asked_whatever_the_value_is_is_never_put_off(exam: Exam) -> None:
    always = [
        (check.name, criterion.name)
        for check in exam.assignment.checks
        for criterion in check.criteria
        if criterion.alone and not criterion.fallback
    ]
    needed = [
        (request["check"], request["criterion"])
        for batch in exam.plan
        for request in requests_in(decode(batch.encoded))
        if not request.get("optional")
    ]
    assert set(needed) == set(always)


def test_no_right_answer_is_near_to_being_too_large(exam: Exam) -> None:
    right = [one.value for question in exam.questions for one in question.answers[0].right]
    assert max(len(encode(value)) for value in right) < FAR_TOO_LARGE / 10


def test_a_worker_receives_the_same_requests_together_as_one_by_one(exam: Exam) -> None:
    """In messages that are no larger than a worker reads, with what they have in common sent once."""
    assert MOST_TOGETHER < 4 * MAX_ITEMS  # the values of a frame, of a byte at least
    for batch in exam.plan:
        assert len(batch.requests) == 1 or sum(map(len, batch.requests)) <= MOST_TOGETHER
        alone = [received(message)[0] for message in batch.requests]
        assert all(map(identical, alone, received(batch.encoded)))
        requests = requests_in(decode(batch.encoded))
        assert len(alone) == len(requests)
        [step] = {request["check"] for request in requests}
        assert batch.encoded.count(encode("check") + encode(step)) == 1


def test_each_question_is_planned_in_order_once(exam: Exam) -> None:
    planned = [one for batch in exam.plan for one in batch.requests]
    asked = [question.requests[0].encoded for question in exam.questions]
    assert [one for one in planned if one in set(asked)] == asked
    assert len(set(planned)) == len(planned)


def test_a_corner_is_no_example_of_the_general_cases(exam: Exam) -> None:
    for check in exam.assignment.checks:
        for criterion in check.criteria:
            questions = exam.questions_for(check, criterion)
            for one in questions:
                others = Asked(exam, check, criterion, one, 0).others
                assert {other.kind for other in others} <= {one.kind}
                assert len(others) == sum(other.kind == one.kind for other in questions) - 1
