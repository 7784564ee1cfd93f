"""A wrong step is pictured with the words of the documents' sentence, where they are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from autograder.grading.grader import Grader
from tests.graders import check_step, open_session
from tests.truth.variant import base_of

if TYPE_CHECKING:
    from autograder.exam.questions import Exam
    from autograder.results import Feedback

WORDS = ("Your", "journey", "starts", "with", "one", "step")
OVER_THE_QUERIES = "def attention_weights(s):\n    return torch.softmax(s, dim=0)\n"


def feedback(exam: Exam, source: str, step: str = "attention_weights") -> Feedback:
    work = f"{base_of('self_attention')}\n\n\n{source}"
    found = check_step(exam, open_session(exam, work), step).feedback
    assert found is not None
    return found


def test_the_answer_for_the_documents_has_their_words(exam: Exam) -> None:
    found = feedback(exam, OVER_THE_QUERIES).on_documents
    assert found is not None
    assert found.words == WORDS
    assert found.axes == ("queries", "keys")
    assert [len(row) for row in found.rows] == [6] * 6
    assert found.column_sums == pytest.approx((1.0,) * 6, abs=1e-3)
    assert found.row_sums != pytest.approx((1.0,) * 6, abs=1e-3)


def test_an_answer_that_is_right_there_is_not_pictured(exam: Exam) -> None:
    source = (
        "def attention_weights(s):\n    right = torch.softmax(s, dim=-1)\n"
        "    return right if s.shape == (6, 6) else right + 1\n"
    )
    assert feedback(exam, source).on_documents is None


def test_an_answer_that_stops_there_is_not_pictured(exam: Exam) -> None:
    source = "def attention_weights(s):\n    assert s.shape != (6, 6)\n    return torch.softmax(s, dim=0)\n"
    found = feedback(exam, source)
    assert found.numbers is not None
    assert found.on_documents is None


def test_another_number_of_rows_has_no_words(exam: Exam) -> None:
    found = feedback(exam, "def attention_weights(s):\n    return torch.softmax(s, dim=-1)[:3]\n")
    assert found.on_documents is not None
    assert found.on_documents.words == ()


def test_a_step_without_words_is_not_asked_again(exam: Exam) -> None:
    found = feedback(exam, "def attention_score(q, k):\n    return q * k\n", "attention_score")
    assert found.on_documents is None


def test_a_quick_check_asks_nothing_more(exam: Exam) -> None:
    session = open_session(exam, f"{base_of('self_attention')}\n\n\n{OVER_THE_QUERIES}")
    check = next(one for one in exam.assignment.checks if one.name == "attention_weights")
    found = Grader(exam, session, explain_fully=False).check(check).feedback
    assert found is not None
    assert found.on_documents is None
