"""A wrong step costs its callers nothing; a known mistake of a called step, made again, costs half."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import pytest

from autograder.exam.expected_json import load_release
from autograder.explain.feedback_text import check_markdown, total_words
from autograder.grading.grader import Grader
from tests.exams import ROOT
from tests.graders import open_session
from tests.grading.asked import Asked
from tests.grading.test_stand_ins import keeps_all
from tests.truth.variant import base_of

if TYPE_CHECKING:
    from autograder.exam.questions import Exam


NOT_SCALED = """
def scale_scores(scores, d_k):
    return scores
"""
ODDLY_SCALED = """
def scale_scores(scores, d_k):
    return 1.7 * scores / d_k**0.3
"""
INLINE = """
class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        scores = (x @ self.W_query) @ (x @ self.W_key).T
        return torch.softmax({scores}, dim=-1) @ (x @ self.W_value)
"""
DIVIDED = """
def scale_scores(scores, d_k):
    return scores / d_k
"""
COMPUTES_NOTHING = """
class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        return torch.zeros(x.shape[0], self.W_key.shape[1])
"""


@functools.cache
def public() -> Exam:
    return load_release(ROOT / "assignments" / "self_attention")


def judged(exam: Exam, solution: str, *changes: str) -> Asked:
    return Asked(exam, "\n\n".join([solution, *changes]))


def of_v2(inline: str) -> str:
    """Return the same lines for the second class, whose matrices are in layers."""
    for name in ("query", "key", "value"):
        inline = inline.replace(f"x @ self.W_{name}", f"self.W_{name}(x)")
    return inline.replace("v1", "v2")


UNSCALED = INLINE.format(scores="scores")


def made_again(step: str, cost: float = 1.5) -> str:
    """Return the end of the words for a class that makes a known mistake of a step in its own lines."""
    return (
        f"Costs {cost:g} of 4 points. A known mistake of `{step}` gives the same answer. Made here, in the step's own "
        "lines, it costs half of what rests on the answer."
    )


SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    ("change", "first"),
    [
        pytest.param("", None, id="the step is right"),
        pytest.param(NOT_SCALED, "scale_scores", id="the same mistake"),
        pytest.param(DIVIDED, None, id="another mistake", marks=SLOW),
        pytest.param(ODDLY_SCALED, None, id="an unnamed mistake"),
    ],
)
def test_a_known_mistake_of_a_called_step_made_again_costs_half(
    exam: Exam, solution: str, change: str, first: str | None
) -> None:
    """Whether or not the student's own step makes it: value, documented output and gradients, not the parameters."""
    found = judged(exam, solution, change, UNSCALED)["SelfAttention_v1"]
    words = check_markdown(found)
    assert (found.score, found.carried_forward, found.mistakes) == (2.5, first, ("not_scaled",))
    again = "This step repeats what is wrong in `scale_scores`: fix that first."
    assert words.startswith(again if first else "The scores were not scaled.")
    assert words.endswith(made_again("scale_scores"))


@pytest.mark.parametrize(
    ("step", "scores"),
    [
        pytest.param(ODDLY_SCALED, "1.7 * scores / self.W_key.shape[1] ** 0.3", id="no name"),
        pytest.param("", "scores / 3 ** 1.3", id="its own", marks=SLOW),
        pytest.param(NOT_SCALED, "scores * scores", id="another one"),
    ],
)
def test_any_other_mistake_costs_all(exam: Exam, solution: str, step: str, scores: str) -> None:
    """Also one without a name that the student's own step makes, too."""
    found = judged(exam, solution, step, INLINE.format(scores=scores))["SelfAttention_v1"]
    assert (found.score, found.carried_forward) == (1, None)
    assert check_markdown(found).endswith("Costs 3 of 4 points.")


def test_what_it_costs_is_said_of_the_same_step(exam: Exam, solution: str) -> None:
    """With queries and keys swapped by `project` the answer would be the same."""
    transposed = "def attention_scores(queries, keys):\n    return keys @ queries.T\n"
    inline = INLINE.format(scores="scores.T / self.W_key.shape[1] ** 0.5")
    found = judged(exam, solution, transposed, inline)["SelfAttention_v1"]
    assert (found.score, found.mistakes) == (2.5, ("scores_transposed",))
    assert check_markdown(found).endswith(made_again("attention_scores"))


@pytest.mark.parametrize(
    ("changes", "first", "words"),
    [
        ((NOT_SCALED,), "scale_scores", "calls your `scale_scores`, which is not right yet"),
        ((ODDLY_SCALED,), "scale_scores", "calls your"),
        ((NOT_SCALED, UNSCALED), "scale_scores", "repeats what is"),
    ],
    ids=["a wrong step", "one without a name", "made again"],
)
def test_public_checks_judge_a_step_as_it_stands(
    solution: str, changes: tuple[str, ...], first: str | None, words: str
) -> None:
    """The reference, which knows right answers and the mistakes of called steps, is not at hand."""
    found = judged(public(), solution, *changes)["SelfAttention_v1"]
    assert (found.score, found.carried_forward) == (1, first)
    assert check_markdown(found).startswith(f"This step {words}")
    alone = "The grade judges this step by itself"
    calls = ": there a right `scale_scores` answers its calls." if "calls" in words else "."
    assert check_markdown(found).endswith(f"{alone}{calls}")
    assert "Costs" not in check_markdown(found)
    assert total_words([found]).startswith("The grade can be higher")


def test_public_checks_blame_no_line_of_a_step_that_calls_a_wrong_one(solution: str) -> None:
    """An edit of its own lines would undo the other step's mistake."""
    trusting = """
def attention_scores(queries, keys):
    return (queries[:, None] * keys[None]).mean(dim=-1)

class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_value
        scaled = attention_scores(queries, keys) / keys.shape[-1] ** 0.5
        return torch.softmax(scaled, dim=-1) @ values
"""
    called, caller = (
        judged(public(), solution, trusting)[step]
        for step in ("attention_scores", "SelfAttention_v1")
    )
    assert "first wrong value" in check_markdown(called)
    text = check_markdown(caller)
    assert text.startswith("This step calls your `attention_scores`, which is not right yet")
    assert not any(words in text for words in ("Line ", "the fault is here", "first wrong value"))


def test_public_checks_name_a_called_step_with_a_remark_and_no_cost(solution: str) -> None:
    """The step's value is right, and no gradient comes through what it calls."""
    cut = "def attention_scores(queries, keys):\n    return (queries @ keys.T).detach()\n"
    text = check_markdown(judged(public(), solution, cut)["SelfAttention_v1"])
    assert text.startswith("This step calls your `attention_scores`, which has a remark: read that")
    assert "Costs" not in text


@pytest.mark.parametrize(
    "method",
    [
        "def forward(self, x):\n        return 2 * super().forward(x)\n",
        "def __init__(self, *sizes):\n        super().__init__(*sizes[:4], False)\n",
    ],
    ids=["its value is wrong", "its layers have no bias"],
)
def test_public_checks_name_a_class_that_another_class_calls(method: str) -> None:
    """The lines of the class that calls it are right."""
    doubled = f"\nclass CausalAttention(CausalAttention):\n    {method}"
    solution = base_of("causal_multihead").replace("[Head(", "[CausalAttention(")
    exam = load_release(ROOT / "assignments" / "causal_multihead")
    text = check_markdown(judged(exam, solution, doubled)["MultiHeadAttentionWrapper"])
    assert text.startswith("This step calls your `CausalAttention`, which is not right yet")


def test_a_step_that_ignores_an_argument_is_at_fault_alone(exam: Exam, solution: str) -> None:
    blind = "def context_vectors(weights, values):\n    return 0.7 * values + 0.1\n"
    found = judged(exam, solution, blind)
    assert found["context_vectors"].score == 0
    assert keeps_all(found, "SelfAttention_v1", "context_vectors")


@SLOW
def test_a_mistake_of_a_class_itself_costs_all_in_each_class(exam: Exam, solution: str) -> None:
    """The second class is told to fix the first one first."""
    tokens = "class {0}({0}):\n    def forward(self, x):\n        return x\n"
    found = judged(exam, solution, *map(tokens.format, ("SelfAttention_v1", "SelfAttention_v2")))
    for name, first in (("SelfAttention_v1", None), ("SelfAttention_v2", "SelfAttention_v1")):
        one = found[name]
        assert (one.score, one.mistakes, one.carried_forward) == (1, ("tokens_returned",), first)


def test_a_repeated_mistake_has_the_name_that_it_had(exam: Exam, solution: str) -> None:
    inline = INLINE.format(scores="scores / self.W_key.shape[1]")
    found = judged(exam, solution, DIVIDED, inline)["SelfAttention_v1"]
    assert (found.mistakes, found.sure) == (("divided_by_d_k",), True)
    alone = judged(exam, solution, inline)["SelfAttention_v1"]
    assert set(alone.mistakes) == {"scores_scaled_already", "divided_by_d_k"}


@SLOW
def test_the_second_class_repeats_the_first(exam: Exam, solution: str) -> None:
    found = judged(exam, solution, UNSCALED, of_v2(UNSCALED))
    assert found["SelfAttention_v1"].carried_forward is None
    second = found["SelfAttention_v2"]
    assert (second.score, second.carried_forward) == (2.5, "SelfAttention_v1")
    found = judged(exam, solution, INLINE.format(scores="scores / x.shape[-1]"), of_v2(UNSCALED))
    second = found["SelfAttention_v2"]
    assert (second.score, second.carried_forward) == (2.5, None)


def test_a_class_that_computes_nothing_repeats_nothing(exam: Exam, solution: str) -> None:
    zeros = "def context_vectors(weights, values):\n    return 0 * (weights @ values)\n"
    found = judged(exam, solution, zeros, COMPUTES_NOTHING)["SelfAttention_v1"]
    assert (found.score, found.carried_forward) == (1, None)


DETACHED = """
class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        return super().forward(x).detach()
"""


def test_what_rests_on_a_repeated_mistake_must_still_be_right(exam: Exam, solution: str) -> None:
    """Value and documented output keep their half; the gradients' half is lost."""
    found = judged(exam, solution, UNSCALED, DETACHED)["SelfAttention_v1"]
    assert (found.score, found.carried_forward) == (2.25, None)
    words = check_markdown(found)
    assert "Also: gradients, W_query: None came back" in words
    assert words.endswith(made_again("scale_scores", 1.75))


def test_a_class_asked_alone_earns_the_same(exam: Exam, solution: str) -> None:
    session = open_session(exam, "\n\n".join([solution, ODDLY_SCALED]))
    check = exam.assignment.checks[8]
    alone = Grader(exam, session).check(check)
    assert (alone.step, alone.score, alone.carried_forward) == (
        "SelfAttention_v1",
        4,
        "scale_scores",
    )
    incurious = Grader(exam, session, explain_fully=False).check(check)
    assert (incurious.score, incurious.carried_forward) == (1, None)


def test_a_missing_step_is_named_and_no_other_spelling_is_guessed(solution: str) -> None:
    renamed = solution.replace("def scale_scores(", "def scale_score(")
    words = check_markdown(judged(public(), renamed)["SelfAttention_v1"])
    assert (
        "`SelfAttention_v1` calls `scale_scores`, and your step `scale_scores` is missing." in words
    )
    assert "did you mean" not in words.lower()
