"""Steps that call steps that are not right: further failures, further callers, and words."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import pytest

from autograder.explain.feedback_text import check_markdown
from tests.grading.asked import asked, rows
from tests.grading.test_stand_ins import (
    RAISES,
    SCORES,
    V1_CALLS,
    WIDTH,
    fix_first,
    graded,
    keeps_all,
    sandbox,
    source,
)

if TYPE_CHECKING:
    from autograder.results import CheckResult
    from autograder.sandbox.sandbox import Sandbox

    Marks = dict[str, tuple[float, str | None]]

__all__ = ["sandbox"]

CALL = f"scale_scores({SCORES}, {WIDTH})"
HEAD = "def scale_scores(scores, d_k):\n"
# Of its three callers, test_stand_ins.py asks for all.
TWO_CALLERS = ("SelfAttention_v1", "dot_product_variance")


def v1(scaled: str = CALL, before: str = "") -> str:
    return before + V1_CALLS.format(scaled=scaled)


def forward(text: str) -> str:
    """Return a class with these lines in `forward`, after the projection into q, k and v."""
    body = "q, k, v = project(x, self.W_query, self.W_key, self.W_value)\n" + textwrap.dedent(text)
    head = "class SelfAttention_v1(SelfAttention_v1):\n    def forward(self, x):\n"
    return head + textwrap.indent(body, " " * 8) + "\n"


def holding(line: str, use: str = "self.scale") -> str:
    """Return a class that holds the step in its body."""
    scaled = f"{use}({SCORES}, {WIDTH})"
    return V1_CALLS.format(scaled=scaled).replace(
        "    def forward", f"    {line}\n    def forward", 1
    )


def marks(found: dict[str, CheckResult], *steps: str) -> Marks:
    return {step: (found[step].score, found[step].carried_forward) for step in steps}


# How `scale_scores` fails.
FAILURES = {
    "NumPy": f"{HEAD}    return (scores / d_k**0.5).detach().numpy()\n",
    "not a number": f"{HEAD}    return scores * float('nan')\n",
    "too large": f"{HEAD}    return torch.zeros(5000, 5000)\n",
    "a generator": f"{HEAD}    yield scores / d_k**0.5\n",
    "calls itself": f"{HEAD}    return scale_scores(scores, d_k)\n",
    "a BaseException": f"{HEAD}    raise BaseException('x')\n",
    "changes its input": f"{HEAD}    scores *= 1.3\n    return scores\n",
    "a class": "class scale_scores:\n    def __init__(self, scores, d_k):\n        pass\n",
    "only by keyword": "def scale_scores(scores, *, d_k):\n    return 1.5 * scores\n",
    "another argument": (
        "def scale_scores(scores, keys):\n    return scores / keys.shape[-1]**0.5\n"
    ),
}


QUICK_FAILURES = ("NumPy", "a generator")


@pytest.mark.parametrize("failure", rows(FAILURES, quick=QUICK_FAILURES))
def test_whatever_is_wrong_with_the_called_step(failure: str) -> None:
    found = asked("self_attention", source("self_attention", FAILURES[failure]))

    assert found["scale_scores"].score == 0
    assert all(keeps_all(found, caller, "scale_scores") for caller in TWO_CALLERS)
    assert check_markdown(found["SelfAttention_v1"]) == fix_first("scale_scores")


NOT_AFTER_ALL = {
    "a number behind it": "scale_scores = 3\n",
    "deleted": "del scale_scores\n",
    "cannot be read": "def scale_scores(scores, d_k):\n    return scores / d_k**\n",
    "the same for each score": f"{HEAD}    scores /= d_k**0.5\n    return scores\n",
}


@pytest.mark.parametrize("change", NOT_AFTER_ALL.values(), ids=NOT_AFTER_ALL)
def test_what_costs_no_points_costs_none_later(change: str) -> None:
    found = asked("self_attention", source("self_attention", change)).whole().values()
    assert all(one.score == one.max_score for one in found)


# Classes that are right with a right `scale_scores`, however they call it.
RIGHT = {
    "a width of NumPy": v1(f"scale_scores({SCORES}, np.float32({WIDTH}))"),
    "row by row": v1(f"torch.stack([scale_scores(row, {WIDTH}) for row in {SCORES}])"),
    "a batch of one": v1(f"scale_scores({SCORES}[None], {WIDTH})[0]"),
    "called twice": v1(f"(scale_scores({SCORES}, 2), {CALL})[1]"),
    "a new computation of gradients": v1(
        f"torch.utils.checkpoint.checkpoint(scale_scores, {SCORES}, {WIDTH}, use_reentrant=False)",
        "import torch.utils.checkpoint\n",
    ),
    "its input changed afterwards": forward("""
        s = attention_scores(q, k)
        t = scale_scores(s, k.shape[-1])
        s += 1.0
        return context_vectors(attention_weights(t), v)"""),
    "something wrong instead of an exception": forward("""
        try:
            s = scale_scores(attention_scores(q, k), k.shape[-1])
        except TypeError:
            s = attention_scores(q, k)
        return context_vectors(attention_weights(s), v)"""),
}


QUICK_WAYS = (
    "row by row",
    "its input changed afterwards",
    "something wrong instead of an exception",
)


@pytest.mark.parametrize("way", rows(RIGHT, quick=QUICK_WAYS))
def test_a_class_that_is_right_with_a_right_step(way: str) -> None:
    found = asked("self_attention", source("self_attention", RAISES, RIGHT[way]))
    assert keeps_all(found, "SelfAttention_v1", "scale_scores")
    assert check_markdown(found["SelfAttention_v1"]) == fix_first("scale_scores")


# Classes with a further fault: their points, and a part of the words. A part that is right keeps its points.
ONE_PART_LOST = (3.5, "scale_scores")
NOTHING = (1.0, None)
STOPPED = "`SelfAttention_v1` stopped at a call of `scale_scores`."
EVEN_SO = "This is what happens when the steps that it calls give right answers."
FURTHER_FAULTS = {
    "no gradients": (
        forward("""
        with torch.no_grad():
            s = scale_scores(attention_scores(q, k), 1.0 * k.shape[-1])
            return context_vectors(attention_weights(s), v)"""),
        ONE_PART_LOST,
        "Also: The result is right, but no gradient reaches any of the three matrices",
    ),
    "drawn otherwise": (
        (
            "class SelfAttention_v1(SelfAttention_v1):\n    def __init__(self, *sizes):\n"
            "        super().__init__(*sizes)\n        self.W_query = nn.Parameter(torch.randn(*sizes))\n"
        ),
        ONE_PART_LOST,
        "Also: With the documents' inputs the printed numbers were expected.",
    ),
    "not trainable": (
        (
            "class SelfAttention_v1(SelfAttention_v1):\n    def __init__(self, *sizes):\n"
            "        super().__init__(*sizes)\n        self.W_query.requires_grad_(False)\n"
        ),
        (2.5, "scale_scores"),
        "Also: parameters, W_query: not trainable",
    ),
    "two things returned": (
        v1().replace(
            "return context_vectors(attention_weights(scaled), values)",
            "return context_vectors(attention_weights(scaled), values), scaled",
        ),
        NOTHING,
        EVEN_SO,
    ),
    "exits afterwards": (v1(f"{CALL}; sys.exit(1)"), NOTHING, EVEN_SO),
    "an argument too many": (
        v1(f"scale_scores({SCORES}, {WIDTH}, 3)"),
        NOTHING,
        "called with other arguments",
    ),
    "a list": (v1(f"torch.tensor(scale_scores({SCORES}.tolist(), {WIDTH}))"), NOTHING, STOPPED),
    "the wrong width": (v1(f"scale_scores({SCORES}, x.shape[-1])"), NOTHING, "square root of d_in"),
    "catches what it does not take, and stops": (
        forward("""
        try:
            scale_scores(None, None)
        except Exception:
            pass
        return x @ x"""),
        NOTHING,
        "In a matrix product the inner sizes must be equal,",
    ),
    "a function of the class without self": (
        holding("scale = scale_scores"),
        NOTHING,
        "3 were given",
    ),
}


QUICK_FAULTS = ("no gradients", "two things returned", "an argument too many", "a list")


@pytest.mark.parametrize("kind", rows(FURTHER_FAULTS, quick=QUICK_FAULTS))
def test_a_class_with_a_further_fault(kind: str) -> None:
    change, expected, words = FURTHER_FAULTS[kind]
    found = asked("self_attention", source("self_attention", RAISES, change))
    assert marks(found, "SelfAttention_v1") == {"SelfAttention_v1": expected}
    text = check_markdown(found["SelfAttention_v1"])
    assert words in text
    assert text.startswith(fix_first("scale_scores")) is (expected[1] is not None)
    assert "NoAnswerError" not in text


SOFTMAX_RAISES = "def numpy_softmax(scores):\n    raise ValueError\n"


def numpy_run(body: str) -> str:
    """Return `numpy_self_attention` with these lines after the projection and the scores."""
    head = (
        "def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):\n"
        "    q, k, v = numpy_project(x, w_query, w_key, w_value)\n"
        "    s = numpy_scores(q, k)\n"
        "    if scaled:\n        s /= np.sqrt(k.shape[-1])\n"
    )
    return SOFTMAX_RAISES + head + textwrap.indent(body, "    ") + "\n"


def sdpa(body: str) -> str:
    return (
        "def attention_weights(scores):\n    raise ValueError\n"
        f"def scaled_dot_product_attention(q, k, v):\n    {body}\n"
    )


RUN = "numpy_self_attention"
WHOLE = "scaled_dot_product_attention"
RAW = "def raw_scores(q, k):\n    raise ValueError\n"
ONE_SCORE = "def attention_score(query, key):\n    raise ValueError\n"
NP, SD, SA = "numpy_attention", "scaled_dot_product", "self_attention"
CHAINS: dict[str, tuple[str, str, Marks]] = {
    "NumPy, in place": (
        NP,
        numpy_run("w = numpy_softmax(s)\nw *= 1\nreturn w @ v"),
        {RUN: (2, "numpy_softmax")},
    ),
    "NumPy, a list": (NP, numpy_run("return numpy_softmax(s.tolist()) @ v"), {RUN: (0, None)}),
    "NumPy, three wrong": (
        NP,
        (
            "def numpy_project(x, w_query, w_key, w_value):\n    raise ValueError\n"
            f"def numpy_scores(queries, keys):\n    pass\n{SOFTMAX_RAISES}"
        ),
        {
            "numpy_project": (0, None),
            "numpy_scores": (0, None),
            "numpy_softmax": (0, None),
            RUN: (2, "numpy_project"),
        },
    ),
    "a half is not right": (
        NP,
        "def numpy_softmax(scores):\n    e = np.exp(scores)\n    return e / e.sum(-1, keepdims=True)\n",
        {"numpy_softmax": (1, None), RUN: (2, None)},
    ),
    "in single precision": (
        NP,
        (
            "def numpy_project(x, w_query, w_key, w_value):\n    "
            "return tuple(np.float32(x @ w) for w in (w_query, w_key, w_value))\n"
        ),
        {"numpy_project": (1, None), RUN: (2, None)},
    ),
    "the middle one is right": (
        SD,
        "def raw_scores(q, k):\n    return 1.3 * q @ k.T\n",
        {
            "raw_scores": (0, None),
            "scaled_scores": (1, "raw_scores"),
            "score_variances": (2, "raw_scores"),
            WHOLE: (3, "raw_scores"),
        },
    ),
    "the middle one repeats it": (
        SD,
        "def raw_scores(q, k):\n    return k @ q.T\n",
        {
            "scaled_scores": (1, "raw_scores"),
            "score_variances": (2, None),
            WHOLE: (3, "raw_scores"),
        },
    ),
    "the middle one is wrong too": (
        SD,
        f"{RAW}def scaled_scores(q, k):\n    return raw_scores(q, k) / k.shape[-1]\n",
        {
            "scaled_scores": (0, None),
            "score_variances": (2, "raw_scores"),
            WHOLE: (3, "scaled_scores"),
        },
    ),
    "the middle one does without": (
        SD,
        f"{RAW}def scaled_scores(q, k):\n    return q @ k.T / k.shape[-1]**0.5\n",
        {"scaled_scores": (1, None), "score_variances": (2, "raw_scores"), WHOLE: (3, None)},
    ),
    "without gradients": (
        SD,
        sdpa(
            "w = attention_weights(scaled_scores(q.detach(), k)); return attention_output(w, v), w"
        ),
        {WHOLE: (3, "attention_weights")},
    ),
    "score by score, filled in": (
        SA,
        (
            f"{ONE_SCORE}def attention_scores(queries, keys):\n    out = torch.zeros(len(queries), len(keys))\n"
            "    for i, q in enumerate(queries):\n        for j, k in enumerate(keys):\n"
            "            out[i, j] = attention_score(q, k)\n    return out\n"
        ),
        {"attention_scores": (2, "attention_score"), "SelfAttention_v1": (4, "attention_score")},
    ),
    "double precision and an exception": (
        SA,
        f"{RAISES}def attention_weights(s):\n    return torch.softmax(s.double(), dim=-1)\n",
        {"attention_weights": (2, None), "SelfAttention_v1": (4, "scale_scores")},
    ),
    "five wrong at once": (
        SA,
        (
            f"{RAISES}def attention_weights(s):\n    pass\ndef context_vectors(weights, values):\n    return 3\n"
            "def project(x, a, b, c):\n    raise ValueError\n"
            "def attention_scores(queries, keys):\n    return queries @ queries.T\n"
        ),
        {"SelfAttention_v1": (4, "project"), "SelfAttention_v2": (4, "attention_scores")},
    ),
    "the second class calls the first": (
        SA,
        f"{RAISES}class SelfAttention_v2(SelfAttention_v2):\n    forward = SelfAttention_v1.forward\n",
        {"SelfAttention_v1": (4, "scale_scores"), "SelfAttention_v2": (1, None)},
    ),
    "a step that draws has no stand-in": (
        SA,
        (
            "def init_weights(d_in, d_out, seed):\n    raise ValueError\nclass SelfAttention_v1(SelfAttention_v1):\n"
            "    def __init__(self, d_in, d_out):\n        nn.Module.__init__(self)\n"
            "        for name, one in zip(('W_query', 'W_key', 'W_value'), init_weights(d_in, d_out, torch.seed())):\n"
            "            setattr(self, name, nn.Parameter(one.data))\n"
        ),
        {"SelfAttention_v1": (0, None), "SelfAttention_v2": (4, None)},
    ),
}


QUICK_CHAINS = (
    "NumPy, in place",
    "NumPy, three wrong",
    "a half is not right",
    "the middle one is wrong too",
    "without gradients",
    "score by score, filled in",
)


@pytest.mark.parametrize("kind", rows(CHAINS, quick=QUICK_CHAINS))
def test_steps_that_call_each_other(kind: str) -> None:
    assignment, change, expected = CHAINS[kind]
    found = asked(assignment, source(assignment, change))
    assert marks(found, *expected) == expected


def test_several_steps_are_listed_in_few_words() -> None:
    assignment, change, _ = CHAINS["five wrong at once"]
    words = check_markdown(asked(assignment, source(assignment, change))["SelfAttention_v1"])
    assert words == (
        "This step calls your `project`, `attention_scores`, `scale_scores` and 2 more, which are not right yet: "
        "fix these first. With right ones in their place the answer of this step is right, so it costs nothing here."
    )


def test_the_words_on_a_wrong_call_show_both_kinds() -> None:
    change = numpy_run("return numpy_softmax(s.tolist()) @ v")
    words = check_markdown(asked(NP, source(NP, change))[RUN])
    assert "calls your `numpy_softmax` with `scores` = a list of 7." in words
    assert "It takes, for example, `scores` = a NumPy array of shape (4, 5), float64." in words


def test_numbers_that_are_all_nan_prove_no_independence() -> None:
    change = v1(f"scale_scores({WIDTH}, {SCORES})")
    found = asked(SA, source(SA, change))["SelfAttention_v1"]
    assert (found.score, found.mistakes) == (1, ())


@pytest.mark.slow
@pytest.mark.parametrize("own", [True, False])
def test_a_class_that_hangs_only_with_right_answers(own: bool, sandbox: Sandbox) -> None:
    """Slow: a loop has its second of computing time."""
    loop = v1(f"{CALL}\n        while {own}: pass")
    found = graded(SA, source(SA, RAISES, loop), sandbox)
    expected = NOTHING if own else (4, "scale_scores")
    assert marks(found, "SelfAttention_v1") == {"SelfAttention_v1": expected}
    assert keeps_all(found, "dot_product_variance", "scale_scores")
