"""One mistake, two at once, or several that look the same."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from autograder.exam.substitution import Substitution
from autograder.explain.feedback_text import check_markdown
from autograder.explain.recognise import effect, named
from tests.exams import ASSIGNMENTS, exam_of, source_of
from tests.graders import check_step, open_session
from tests.truth.variant import base_of

if TYPE_CHECKING:
    from autograder.exam.questions import Exam

CLASS = """
class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return {result}
"""


def found(exam: Exam, result: str) -> tuple[set[str], bool, str]:
    code = CLASS.format(result=result)
    session = open_session(exam, f"{base_of('self_attention')}\n\n{code}")
    check = check_step(exam, session, "SelfAttention_v1")
    return set(check.mistakes), check.sure, check_markdown(check)


def test_two_mistakes_inside_a_class_are_both_named(exam: Exam) -> None:
    names, sure, text = found(exam, "torch.softmax(queries @ keys.T, dim=0) @ values")
    assert names == {"not_scaled", "softmax_over_the_queries"}
    assert sure
    assert "Two mistakes at once." in text
    assert "each column sums to 1" in text


def test_two_words_for_the_same_are_both_said(exam: Exam) -> None:
    names, sure, text = found(
        exam, "torch.softmax(keys @ queries.T / keys.shape[1] ** 0.5, -1) @ values"
    )
    assert names == {"queries_and_keys_swapped", "scores_transposed"}
    assert sure
    assert "Queries and keys are swapped" in text
    assert "Or, with the same effect: The scores are transposed" in text


def test_alternatives_with_several_effects_are_not_said(exam: Exam) -> None:
    sample = named(exam, [("not_scaled",), ("softmax_twice",)])
    assert (sample.sure, sample.names) == (False, ("not_scaled", "softmax_twice"))
    names, sure, text = found(
        exam, "torch.softmax(queries @ queries.T / keys.shape[1] ** 0.5, 0) @ values"
    )
    assert (names, sure) == (set(), False)
    assert "`queries @ queries.T`" in text


def test_mistakes_that_are_the_same_in_effect_are_sure(exam: Exam) -> None:
    known = replace(exam, synonyms={"divided_by_sqrt_2": "not_scaled", "a": "b", "b": "a"})
    sample = named(known, [("not_scaled",), ("divided_by_sqrt_2",)])
    assert (sample.sure, sample.names) == (True, ("not_scaled", "divided_by_sqrt_2"))
    assert effect(known, "divided_by_sqrt_2") == "not_scaled"
    assert effect(known, "a") in {"a", "b"}


def test_an_unknown_mistake_has_no_name(exam: Exam) -> None:
    names, sure, _ = found(exam, "torch.softmax((queries @ keys.T) ** 2, dim=-1) @ values")
    assert (names, sure) == (set(), False)


LARGER = sorted(set(ASSIGNMENTS) - {"numpy_attention"})


@pytest.mark.parametrize(
    "assignment",
    ["numpy_attention", *(pytest.param(name, marks=pytest.mark.slow) for name in LARGER)],
)
def test_a_table_of_pairs_is_made_once(assignment: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Making one takes up to seconds: the second submission with the same answer only reads it."""
    made = []
    table = Substitution._table

    def counted(self: Substitution, step: str, *rest: Any) -> Any:
        made.append(step)
        return table(self, step, *rest)

    monkeypatch.setattr(Substitution, "_table", counted)
    exam = exam_of(assignment)
    # Tests before this one may have used the exam's own.
    substitution = Substitution(source_of(assignment))
    for check in exam.assignment.checks:
        inputs = exam.questions_for(check, check.criteria[0])[0].inputs
        pairs = partial(substitution.pairs, check.name, check.criteria[0].probes[0], inputs)
        before = len(made)
        of_called = pairs()
        assert pairs() is of_called
        assert made[before:] == [check.name]
        names = {name for row in of_called.names.values() for pair in row for name in pair}
        assert names <= substitution.mistakes_of_called(check.name).keys()
