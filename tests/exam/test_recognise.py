"""One mistake, or several that look the same."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from autograder.exam.recognise import effect, named
from autograder.explain.feedback_text import check_markdown
from tests.graders import check_step, open_session
from tests.truth.variant import base_of

if TYPE_CHECKING:
    from autograder.exam.questions import Exam

CLASS = """
class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        queries, keys, values = x @ self.W_{first}, x @ self.W_{second}, x @ self.W_value
        return {result}
"""


def in_a_class(exam: Exam, result: str, *made: str) -> tuple[set[str], bool, str]:
    first, second = made or ("query", "key")
    code = CLASS.format(result=result, first=first, second=second)
    session = open_session(exam, f"{base_of('self_attention')}\n\n{code}")
    check = check_step(exam, session, "SelfAttention_v1")
    return set(check.mistakes), check.sure, check_markdown(check)


def test_one_mistake_is_named_and_no_combination_of_two(exam: Exam) -> None:
    """Of two, the trace shows the first: after its repair, the other one is named."""
    for result in ("(queries @ keys.T, dim=0)", "((queries @ keys.T) ** 2, dim=-1)"):
        names, sure, text = in_a_class(exam, f"torch.softmax{result} @ values")
        assert (names, sure) == (set(), False)
        assert "Costs 3 of 4 points." in text
    repaired = "torch.softmax(queries @ keys.T / keys.shape[-1] ** 0.5, dim=0) @ values"
    names, sure, _ = in_a_class(exam, repaired)
    assert (names, sure) == ({"softmax_over_the_queries"}, True)


def test_two_words_for_the_same_are_both_said_unless_a_right_line_contradicts(exam: Exam) -> None:
    of_both = "torch.softmax({} @ {}.T / keys.shape[1] ** 0.5, -1) @ values"
    names, sure, text = in_a_class(exam, of_both.format("queries", "keys"), "key", "query")
    assert names == {"queries_and_keys_swapped", "scores_transposed"}
    assert sure
    assert "Queries and keys are swapped" in text
    assert "Or, with the same effect: The scores are transposed" in text

    names, sure, text = in_a_class(exam, of_both.format("keys", "queries"))
    assert (names, sure) == ({"scores_transposed"}, True)
    assert "Queries and keys are swapped" not in text


def test_alternatives_with_several_effects_are_not_said(exam: Exam) -> None:
    sample = named(exam, ["not_scaled", "softmax_twice"])
    assert (sample.sure, sample.names) == (False, ("not_scaled", "softmax_twice"))
    names, sure, text = in_a_class(
        exam, "torch.softmax(queries @ queries.T / keys.shape[1] ** 0.5, 0) @ values"
    )
    assert (names, sure) == (set(), False)
    assert "`queries @ queries.T`" in text


def test_mistakes_that_are_the_same_in_effect_are_sure(exam: Exam) -> None:
    known = replace(exam, synonyms={"divided_by_sqrt_2": "not_scaled", "a": "b", "b": "a"})
    sample = named(known, ["not_scaled", "divided_by_sqrt_2"])
    assert (sample.sure, sample.names) == (True, ("not_scaled", "divided_by_sqrt_2"))
    assert effect(known, "a") in {"a", "b"}
