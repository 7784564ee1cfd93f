"""One check's feedback: put together from that of its criteria, and which cause of a wrong answer is said."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from autograder.exam.draw import draw_exam
from autograder.explain.feedback import summed_up, written_alone
from autograder.explain.feedback_text import check_markdown, feedback_blocks
from autograder.reasons import Reason
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
GENERATED = Feedback(
    Outcome.WRONG,
    message="A sign.",
    hint="Each.",
    seen="Two are wrong.",
    mistakes=("generated:sign",),
)
RAISED = Feedback(Outcome.RAISED, seen="`step` raised ValueError.")


@pytest.mark.unit
def test_a_known_mistake_is_explained_first() -> None:
    found = summed_up([UNNAMED, NAMED], [])
    assert found is not None
    assert (found.message, found.also) == (NAMED.message, (UNNAMED,))
    assert as_markdown(feedback_blocks(found)).endswith("\n\nAlso: 1 of 6 numbers are not right.")


@pytest.mark.unit
def test_a_generated_mistake_comes_after_a_written_one_and_is_not_named_beside_it() -> None:
    found = summed_up(written_alone([GENERATED, NAMED]), [])
    assert found is not None
    assert found.message == NAMED.message
    assert found.also == (Feedback(Outcome.WRONG, seen="Two are wrong."),)


@pytest.mark.unit
def test_a_generated_mistake_comes_before_what_has_no_name() -> None:
    found = summed_up([UNNAMED, GENERATED], [])
    assert found is not None
    assert (found.message, found.also) == (GENERATED.message, (UNNAMED,))


@pytest.mark.unit
def test_the_same_is_said_once() -> None:
    for one in (UNNAMED, NAMED, RAISED):
        assert summed_up([one, one, one], []) == one


@pytest.mark.unit
def test_what_only_sounds_alike_is_said() -> None:
    """The words of the second are a part of the words of the first."""
    more = Feedback(Outcome.WRONG, seen="11 of 6 numbers are not right.")
    found = summed_up([more, UNNAMED], [])
    assert found is not None
    assert found.also == (UNNAMED,)


@pytest.mark.unit
def test_a_step_that_waits_or_ended_adds_nothing() -> None:
    for outcome in (Outcome.TIMED_OUT, Outcome.MISSING, Outcome.NOT_STARTED):
        found = summed_up([NAMED, Feedback(outcome, seen="`step` ended.")], [])
        assert found == NAMED


@pytest.mark.unit
def test_remarks_stand_alone_where_all_is_right() -> None:
    assert summed_up([], []) is None
    found = summed_up([], ["Mind the dtype.", "Mind the dtype."])
    assert found is not None
    assert as_markdown(feedback_blocks(found)) == "Remark: Mind the dtype."


@pytest.mark.unit
def test_reasons_become_words_only_in_the_view() -> None:
    found = Feedback(Outcome.RAISED, seen="It raised.", reasons=(Reason.FORBIDDEN,))
    assert "writes no file" in as_markdown(feedback_blocks(found))


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


def test_the_documents_numbers_say_nothing_about_another_kind(exam: Exam) -> None:
    source = """def init_weights(d_in, d_out, seed):
    torch.manual_seed(seed)
    first = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
    return first, torch.rand(d_in, d_out), torch.rand(d_in, d_out) * 1
"""
    _, text = feedback_of(exam, "init_weights", source)
    assert "documents" not in text


def test_an_input_with_a_part_in_the_answer_is_not_named(exam: Exam) -> None:
    source = "def context_vectors(weights, values):\n    return weights @ values * 1.3 + 0.1\n"
    names, text = feedback_of(exam, "context_vectors", source)
    assert names == ()
    assert "does not depend" not in text


def test_a_variable_of_the_file_is_named(exam: Exam) -> None:
    source = (
        "all_scores = torch.rand(3, 3)\n"
        "def attention_scores(queries, keys):\n    return all_scores[0, 0] + queries @ queries.T\n"
    )
    names, text = feedback_of(exam, "attention_scores", source)
    assert names == ("argument_not_used",)
    assert "`all_scores` is a variable of your file" in text
    assert "never uses its argument `keys`" in text


def test_two_mistakes_are_one_cause_where_one_is_as_good(exam: Exam) -> None:
    source = """
class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_value
        attn_scores = queries @ keys.T
        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
        return attn_scores @ values
"""
    names, text = feedback_of(exam, "SelfAttention_v1", source)
    assert names == ("scores_blended",)
    assert "Two mistakes" not in text


@pytest.mark.parametrize(
    "result",
    ["x @ W_query", "torch.cat([x @ W_query, x @ W_key, x @ W_value])", "x @ W_query @ W_key.T"],
)
def test_one_tensor_is_not_taken_for_three_parts(exam: Exam, result: str) -> None:
    source = f"def project(x, W_query, W_key, W_value):\n    return {result}\n"
    _, text = feedback_of(exam, "project", source)
    assert "One tensor of shape" in text
    assert "3 parts were expected: queries, keys, values" in text
