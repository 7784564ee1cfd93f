"""Requests that are sent ahead, and the questions that they ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.exam.questions import Asked
from autograder.sandbox.inside.worker import FAR_TOO_LARGE, fields_of
from autograder.values.values import freeze, identical
from autograder.values.wire import decode, encode

if TYPE_CHECKING:
    from autograder.exam.questions import Exam


def test_only_what_is_asked_whatever_the_value_is_is_never_put_off(exam: Exam) -> None:
    always = [
        (check.name, criterion.name)
        for check in exam.assignment.checks
        for criterion in check.criteria
        if criterion.alone and not criterion.fallback
    ]
    needed = [
        (request["check"], request["criterion"])
        for request in (fields_of(decode(ahead.message)) for ahead in exam.plan)
        if not request.get("optional")
    ]
    assert set(needed) == set(always)


def test_no_right_answer_is_near_to_being_too_large(exam: Exam) -> None:
    right = [one.value for question in exam.questions for one in question.answers[0].right]
    assert max(len(encode(value)) for value in right) < FAR_TOO_LARGE / 10


def test_an_optional_request_is_the_same_but_for_that(exam: Exam) -> None:
    for ahead in exam.plan:
        fields = fields_of(decode(ahead.message))
        assert fields.pop("optional", False) is (ahead.message != ahead.request)
        assert identical(freeze(fields), decode(ahead.request))
        assert fields["check"] == ahead.step


def test_each_question_is_planned_in_order_once(exam: Exam) -> None:
    planned = [ahead.request for ahead in exam.plan]
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
