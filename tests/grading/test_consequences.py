"""A mistake that an earlier step already paid for costs half in the steps that repeat it."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from autograder.exam.expected_json import load_release
from autograder.explain.feedback_text import check_markdown
from autograder.grading.appeal import JudgedCheck
from autograder.grading.appeal import judged as judged_criteria
from autograder.grading.grader import Grader
from autograder.reports.appeal_text import appeal_text
from tests.graders import open_session
from tests.grading.asked import Asked, asked
from tests.truth.variant import base_of

if TYPE_CHECKING:
    from autograder.exam.questions import Exam

ROOT = Path(__file__).parents[2]

NOT_SCALED = """
def scale_scores(scores, d_k):
    return scores
"""
ODDLY_SCALED = """
def scale_scores(scores, d_k):
    return 1.7 * scores / d_k**0.3
"""
ODD_WEIGHTS = """
def attention_weights(scaled_scores):
    return torch.softmax(scaled_scores, dim=-1) ** 2
"""
INLINE = """
class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        scores = (x @ self.W_query) @ (x @ self.W_key).T
        return torch.softmax({scores}, dim=-1) @ (x @ self.W_value)
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
    """The solution, whose classes call its steps, with some of them written again."""
    return Asked(exam, "\n\n".join([solution, *changes]))


def test_classes_that_call_a_wrong_step_lose_half(exam: Exam, solution: str) -> None:
    found = judged(exam, solution, NOT_SCALED)
    assert (found["scale_scores"].score, found["scale_scores"].carried_forward) == (0, None)
    for name in ("SelfAttention_v1", "SelfAttention_v2"):
        assert (found[name].score, found[name].carried_forward) == (2.5, "scale_scores")
        assert "This step repeats what is wrong in `scale_scores`" in check_markdown(found[name])
        words = "It costs only half here, because the same mistake already cost points there."
        assert words in check_markdown(found[name])


def test_a_class_that_repeats_the_mistake_itself_is_as_good(exam: Exam, solution: str) -> None:
    found = judged(exam, solution, NOT_SCALED, INLINE.format(scores="scores"))
    assert found["SelfAttention_v1"].carried_forward == "scale_scores"


def test_what_an_earlier_step_called_it_is_what_it_is_called_again(
    exam: Exam, solution: str
) -> None:
    wrong = "def scale_scores(scores, d_k):\n    return scores / d_k\n"
    found = judged(exam, solution, wrong)["SelfAttention_v1"]
    assert (found.mistakes, found.sure) == (("divided_by_d_k",), True)
    alone = judged(exam, solution, INLINE.format(scores="scores / self.W_key.shape[1]"))
    assert set(alone["SelfAttention_v1"].mistakes) == {"scores_scaled_already", "divided_by_d_k"}


@pytest.mark.slow
def test_the_second_class_repeats_the_first(exam: Exam, solution: str) -> None:
    inline = INLINE.format(scores="scores / x.shape[-1]")
    unscaled = INLINE.format(scores="scores")
    second = unscaled.replace("v1", "v2").replace("x @ self.W_query", "self.W_query(x)")
    second = second.replace("x @ self.W_key", "self.W_key(x)")
    second = second.replace("x @ self.W_value", "self.W_value(x)")
    found = judged(exam, solution, unscaled, second)
    assert found["SelfAttention_v1"].carried_forward is None
    assert found["SelfAttention_v2"].carried_forward == "SelfAttention_v1"
    found = judged(exam, solution, inline, second)
    assert found["SelfAttention_v2"].carried_forward is None


def test_a_wrong_step_without_a_name_is_recognised_by_its_answers(
    exam: Exam, solution: str
) -> None:
    found = judged(exam, solution, ODDLY_SCALED)
    assert found["SelfAttention_v1"].mistakes == ()
    assert found["SelfAttention_v1"].carried_forward == "scale_scores"
    assert found["SelfAttention_v2"].carried_forward == "scale_scores"


def test_only_names_prove_it_where_the_reference_is_not_at_hand(solution: str) -> None:
    assert judged(public(), solution, NOT_SCALED)["SelfAttention_v1"].score == 2.5
    assert judged(public(), solution, ODDLY_SCALED)["SelfAttention_v1"].carried_forward is None


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param((ODDLY_SCALED, INLINE.format(scores="scores")), id="another mistake"),
        pytest.param((INLINE.format(scores="scores"),), id="its own mistake"),
    ],
)
def test_what_nobody_paid_for_costs_all(
    exam: Exam, solution: str, changes: tuple[str, ...]
) -> None:
    found = judged(exam, solution, *changes)["SelfAttention_v1"]
    assert (found.score, found.carried_forward) == (1, None)


def test_two_wrong_steps_are_both_named(exam: Exam, solution: str) -> None:
    found = judged(exam, solution, ODDLY_SCALED, ODD_WEIGHTS)["SelfAttention_v1"]
    assert (found.score, found.carried_forward) == (2.5, "scale_scores")
    assert "calls your `scale_scores` and `attention_weights`, which are not right yet" in (
        check_markdown(found)
    )


def test_a_class_that_computes_nothing_repeats_nothing(exam: Exam, solution: str) -> None:
    zeros = "def context_vectors(weights, values):\n    return 0 * (weights @ values)\n"
    assert (
        judged(exam, solution, zeros, COMPUTES_NOTHING)["SelfAttention_v1"].carried_forward is None
    )


ONES = """
def context_vectors(weights, values):
    return torch.arange(float(weights.shape[0] * values.shape[1])).reshape(weights.shape[0], -1)
"""
BLIND = """
def context_vectors(weights, values):
    return 0.7 * values + 0.1
"""
DETACHED = """
class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        return super().forward(x).detach()
"""
TOKENS = """
class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        return x

class SelfAttention_v2(SelfAttention_v2):
    def forward(self, x):
        return x
"""


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(ONES, id="a constant", marks=pytest.mark.slow),
        pytest.param(BLIND, id="one argument unused"),
        pytest.param(
            "def context_vectors(weights, values):\n    return values\n",
            id="values",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "def context_vectors(weights, values):\n    return weights\n",
            id="weights",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "def project(x, W_query, W_key, W_value):\n"
            "    return 1.1 * x @ W_query, x @ W_query, 1.2 * x @ W_value\n",
            id="one matrix unused",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_class_is_not_at_fault_for_a_step_that_computes_nothing(
    exam: Exam, solution: str, change: str
) -> None:
    found = judged(exam, solution, change)
    step = "project" if "project" in change else "context_vectors"
    assert found[step].score == 0
    assert (found["SelfAttention_v1"].score, found["SelfAttention_v1"].carried_forward) == (
        2.5,
        step,
    )


@pytest.mark.slow
def test_tokens_returned_twice_cost_all_twice(exam: Exam, solution: str) -> None:
    results = judged(exam, solution, TOKENS)
    for name in ("SelfAttention_v1", "SelfAttention_v2"):
        assert (results[name].score, results[name].mistakes) == (1, ("tokens_returned",))
        assert results[name].carried_forward is None


@pytest.mark.parametrize(
    ("change", "step"),
    [
        (
            "def attention_scores(queries, keys):\n    return queries @ queries.T\n",
            "attention_scores",
        ),
        ("def project(x, W_query, W_key, W_value):\n    return (x @ W_query,) * 3\n", "project"),
        (
            """
def project(x, W_query, W_key, W_value):
    return 1.1 * x @ W_query, x @ W_key, 1.2 * x @ W_value
""",
            "project",
        ),
    ],
)
def test_an_honest_mistake_is_carried(exam: Exam, solution: str, change: str, step: str) -> None:
    found = judged(exam, solution, change)["SelfAttention_v1"]
    assert (found.score, found.carried_forward) == (2.5, step)


@pytest.mark.parametrize(
    ("change", "public_too"),
    [
        (ODDLY_SCALED, False),
        (NOT_SCALED, True),
        pytest.param(NOT_SCALED, False, marks=pytest.mark.slow),
    ],
    ids=["without a name", "public", "named"],
)
def test_a_spared_criterion_must_still_hold(
    exam: Exam, solution: str, change: str, public_too: bool
) -> None:
    """Value and documented output repeat the mistake; the gradients' share is lost.

    Public checks prove a mistake by its name only.
    """
    found = judged(public() if public_too else exam, solution, change, DETACHED)["SelfAttention_v1"]
    assert (found.score, found.carried_forward) == (2.25, "scale_scores")
    words = "gradients, W_query: None came back" if public_too else "no gradient reaches any of the"
    assert words in check_markdown(found)


@pytest.mark.slow
def test_no_gradient_through_a_wrong_step_is_that_steps_fault(exam: Exam, solution: str) -> None:
    detached = ODDLY_SCALED.replace("1.7 * scores", "1.7 * scores.detach()")
    assert judged(exam, solution, detached)["SelfAttention_v1"].score == 2.5


@pytest.mark.slow
def test_a_spared_documented_output_may_have_another_order(exam: Exam, solution: str) -> None:
    order = """
class SelfAttention_v1(SelfAttention_v1):
    def __init__(self, d_in, d_out):
        nn.Module.__init__(self)
        self.W_key = nn.Parameter(torch.{draw}(d_in, d_out))
        self.W_query = nn.Parameter(torch.{draw}(d_in, d_out))
        self.W_value = nn.Parameter(torch.{draw}(d_in, d_out))
"""
    for draw, score in (("rand", 2.5), ("randn", 2.25)):
        for change in (NOT_SCALED, ODDLY_SCALED):
            found = judged(exam, solution, change, order.format(draw=draw))["SelfAttention_v1"]
            assert found.score == score, (draw, change)


@pytest.mark.slow
def test_what_the_repeated_mistake_leaves_no_way_to_ask_is_not_lost(
    exam: Exam, solution: str
) -> None:
    """Both return the weights: their shape has no room for the gradients that are asked for."""
    weights = INLINE.format(scores="scores / self.W_key.shape[1]**0.5").split(
        " @ (x @ self.W_value)"
    )[0]
    second = weights.replace("v1", "v2").replace("x @ self.W_query", "self.W_query(x)")
    second = second.replace("x @ self.W_key", "self.W_key(x)").replace(
        "self.W_key.shape[1]", "len(self.W_key.weight)"
    )
    found = judged(exam, solution, weights, second)["SelfAttention_v2"]
    assert (found.score, found.carried_forward) == (2.5, "SelfAttention_v1")


def test_a_function_that_calls_earlier_steps_repeats_them_too() -> None:
    base = base_of("scaled_dot_product")
    wrong = "def attention_weights(scores):\n    return torch.softmax(1.3 * scores, dim=-1)\n"
    whole = (
        "def scaled_dot_product_attention(q, k, v):\n"
        "    weights = attention_weights(scaled_scores(q, k))\n"
        "    return attention_output(weights, v), weights\n"
    )
    found = asked("scaled_dot_product", f"{base}\n\n{wrong}\n\n{whole}")[
        "scaled_dot_product_attention"
    ]
    assert (found.score, found.carried_forward) == (1.5, "attention_weights")


def test_a_class_asked_alone_earns_the_same(exam: Exam, solution: str) -> None:
    session = open_session(exam, "\n\n".join([solution, ODDLY_SCALED]))
    check = exam.assignment.checks[8]
    alone = Grader(exam, session).check(check)
    assert (alone.step, alone.carried_forward) == ("SelfAttention_v1", "scale_scores")
    incurious = Grader(exam, session, explain_fully=False).check(check)
    assert incurious.carried_forward is None


def test_a_class_that_stops_in_a_step_that_is_not_started_waits_for_it(
    exam: Exam, solution: str
) -> None:
    stub = "def scale_scores(scores, d_k):\n    # YOUR CODE HERE\n    raise NotImplementedError()\n"
    found = judged(exam, solution, stub)
    assert found["scale_scores"].outcome == "not_started"
    assert found["SelfAttention_v1"].outcome == "raised"
    words = "This step calls your `scale_scores`, which is not started yet: fix that first."
    assert words in check_markdown(found["SelfAttention_v1"])


def test_a_step_that_returns_far_too_much_is_not_gone_on_with(exam: Exam, solution: str) -> None:
    """The reference would multiply it with itself in the grader's own process."""
    huge = (
        "def project(x, W_query, W_key, W_value):\n"
        "    return (torch.arange(200_000.0).reshape(-1, 1),) * 3\n"
    )
    small = INLINE.format(scores="scores")
    found = judged(exam, solution, huge, small)["SelfAttention_v1"]
    assert found.carried_forward is None


def test_a_missing_step_is_named_and_no_other_spelling_is_guessed(solution: str) -> None:
    renamed = solution.replace("def scale_scores(", "def scale_score(")
    words = check_markdown(judged(public(), renamed)["SelfAttention_v1"])
    assert (
        "`SelfAttention_v1` calls `scale_scores`, and your step `scale_scores` is missing." in words
    )
    assert "did you mean" not in words.lower()


def test_an_appeal_shows_what_was_asked_with_right_answers(exam: Exam, solution: str) -> None:
    raises = "def scale_scores(scores, d_k):\n    return scores / torch.sqrt(d_k)\n"
    grader = Grader(exam, open_session(exam, f"{solution}\n\n{raises}"))
    check = exam.assignment.checks[8]
    result = grader.check(check)
    judged = JudgedCheck(result, judged_criteria(exam, check, grader))
    text = appeal_text(check, judged, result, full=True)

    assert "value: 1 of 2 points, raised. Right with right answers for scale_scores." in text
    first, again = text.split("-- value, asked again with right answers for scale_scores:")
    assert "difference: there is no answer to compare" in first
    assert "difference: none, the answer is right" in again.split("==")[0]


def test_the_solution_itself_is_right(exam: Exam, solution: str) -> None:
    """The changes above are made to something right."""
    found = judged(exam, solution).whole()
    assert [name for name, one in found.items() if one.score < one.max_score] == []
