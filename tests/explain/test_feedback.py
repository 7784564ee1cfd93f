"""One check's feedback: put together from that of its criteria, and which cause of a wrong answer is said."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from autograder.exam.draw import draw_exam
from autograder.explain.feedback import summed_up
from autograder.explain.feedback_text import check_markdown, feedback_blocks
from autograder.results import Feedback, Outcome, as_markdown
from tests.exams import source_of
from tests.graders import check_step, open_session
from tests.truth.variant import base_of

if TYPE_CHECKING:
    from autograder.exam.questions import Exam

UNNAMED = Feedback(Outcome.WRONG, seen="1 of 6 numbers are not right.", hint="Here.")
NAMED = Feedback(
    Outcome.WRONG, message="Not scaled.", hint="There.", seen="All wrong.", mistakes=("a",)
)
RAISED = Feedback(Outcome.RAISED, seen="`step` raised ValueError.")


@pytest.mark.unit
@pytest.mark.parametrize(
    ("given", "message", "also"),
    [
        ([UNNAMED, NAMED], NAMED.message, (UNNAMED,)),
        ([NAMED, UNNAMED], NAMED.message, (UNNAMED,)),
        ([UNNAMED] * 3, "", ()),
        ([RAISED] * 3, "", ()),
        # The words of the second are a part of the words of the first.
        ([replace(UNNAMED, seen="11 of 6 numbers are not right."), UNNAMED], "", (UNNAMED,)),
        # A step that waits or ended adds nothing.
        *(
            ([NAMED, Feedback(outcome, seen="`step` ended.")], NAMED.message, ())
            for outcome in (Outcome.TIMED_OUT, Outcome.MISSING, Outcome.NOT_STARTED)
        ),
    ],
)  # fmt: skip
def test_a_known_mistake_comes_first_and_the_same_is_said_once(
    given: list[Feedback], message: str, also: tuple[Feedback, ...]
) -> None:
    found = summed_up(given, [])
    assert found is not None
    assert (found.message, found.also) == (message, also)
    further = f"\n\nAlso: {also[0].seen}" if also else ""
    assert as_markdown(feedback_blocks(found)).endswith(further)


@pytest.mark.unit
def test_remarks_stand_alone_where_all_is_right() -> None:
    assert summed_up([], []) is None
    found = summed_up([], ["Mind the dtype.", "Mind the dtype."])
    assert found is not None
    assert as_markdown(feedback_blocks(found)) == "Remark: Mind the dtype."


# Proved by numbers, shown by the source, or observed.


def feedback_of(exam: Exam, step: str, source: str) -> tuple[tuple[str, ...], str]:
    code = f"{base_of('self_attention')}\n\n{source}"
    result = check_step(exam, open_session(exam, code), step)
    return result.mistakes, " ".join(check_markdown(result).split())


def test_what_the_source_contradicts_is_not_said() -> None:
    """At widths of 4 to 8 the root is cut to 2: the answer depends on d_k all the same."""
    whole = source_of("self_attention")
    check = next(check for check in whole.assignment.checks if check.name == "scale_scores")
    alone = replace(whole, assignment=replace(whole.assignment, checks=(check,)))
    for number in range(3):
        drawn = draw_exam(alone, number)
        source = (
            "def scale_scores(scores, d_k):\n    root = int(d_k ** 0.5)\n    return scores / root\n"
        )
        names, text = feedback_of(drawn, "scale_scores", source)
        assert "argument_not_used" not in names
        assert "not used" not in text


def test_an_input_with_a_part_in_the_answer_is_not_named(exam: Exam) -> None:
    source = "def context_vectors(weights, values):\n    return weights @ values * 1.3 + 0.1\n"
    names, text = feedback_of(exam, "context_vectors", source)
    assert names == ("repair:returned-earlier",)
    assert "does not depend" not in text


def test_scores_that_mix_the_values_are_one_mistake(exam: Exam) -> None:
    source = """
class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_value
        attn_scores = queries @ keys.T
        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
        return attn_scores @ values
"""
    names, _ = feedback_of(exam, "SelfAttention_v1", source)
    assert names == ("scores_blended",)
