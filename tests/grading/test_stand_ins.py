"""A step that calls a wrong step is judged with right answers in its place: exact points, and who is named."""

from __future__ import annotations

import functools
import textwrap
import time
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from autograder.assignment.script import without_show_cells
from autograder.exam.stand_ins import StandIns
from autograder.explain.feedback_text import check_markdown
from autograder.grading.grader import Grader
from autograder.results import CheckResult, Observation, Outcome
from autograder.sandbox.fresh import FreshSandbox
from autograder.sandbox.limits import Limits
from autograder.sandbox.warm import WarmSandbox, can_fork
from autograder.testing import InProcessSession
from tests.exams import ROOT, exam_of
from tests.graders import grade_in
from tests.grading.asked import Asked, asked, rows
from tests.sandbox.conftest import PERMISSIVE
from tests.sandbox.forked import forked_interpreters

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from autograder.exam.questions import Exam, Request
    from autograder.sandbox.sandbox import Sandbox

    Marks = dict[str, tuple[float, str | None]]

IMPORTS = "import functools, math, os, sys, torch\nimport numpy as np\nfrom torch import nn\n"
# The steps that call a step, which keep all their points while it is not right.
CLASSES = {"SelfAttention_v1", "SelfAttention_v2"}
CAUSAL = {"CausalAttention", "MultiHeadAttentionWrapper", "MultiHeadAttention"}
CALLERS: dict[tuple[str, str], set[str]] = {
    ("self_attention", "project"): {"SelfAttention_v1"},
    ("self_attention", "attention_scores"): CLASSES,
    ("self_attention", "scale_scores"): {*CLASSES, "dot_product_variance"},
    ("self_attention", "attention_weights"): CLASSES,
    ("self_attention", "context_vectors"): CLASSES,
    ("numpy_attention", "numpy_project"): {"numpy_self_attention"},
    ("numpy_attention", "numpy_scores"): {"numpy_self_attention"},
    ("numpy_attention", "numpy_softmax"): {"numpy_self_attention"},
    ("scaled_dot_product", "raw_scores"): {
        "scaled_scores", "score_variances", "scaled_dot_product_attention",
    },
    ("scaled_dot_product", "attention_weights"): {"scaled_dot_product_attention"},
    ("scaled_dot_product", "attention_output"): {"scaled_dot_product_attention"},
    ("causal_multihead", "causal_mask"): CAUSAL,
    ("causal_multihead", "causal_weights"): CAUSAL,
    ("causal_multihead", "split_heads"): {"MultiHeadAttention"},
    ("causal_multihead", "merge_heads"): {"MultiHeadAttention"},
}  # fmt: skip
NOT_RIGHT = "which is not right yet"


@functools.cache
def solution_of(assignment: str) -> str:
    path = ROOT / "solutions" / assignment / f"{assignment}.py"
    return IMPORTS + without_show_cells(path.read_text(encoding="utf-8"))


def source(assignment: str, *changes: str) -> str:
    return "\n".join([solution_of(assignment), *changes])


def keeps_all(found: Mapping[str, CheckResult], caller: str, step: str) -> bool:
    """Whether a caller has all its points, and this step is the one to fix."""
    result = found[caller]
    return (result.score, result.carried_forward) == (result.max_score, step)


def fix_first(step: str, state: str = NOT_RIGHT, do: str = "fix") -> str:
    """Return the words for a step that is right once this step is."""
    right = "one without it" if do == "read" else "a right one"
    return (
        f"This step calls your `{step}`, {state}: {do} that first. "
        f"With {right} in its place the answer of this step is right, so it costs nothing here."
    )


@pytest.mark.parametrize(
    ("assignment", "step"),
    [
        pytest.param(*place, marks=[] if place[1] == "raw_scores" else [pytest.mark.slow])
        for place in CALLERS
    ],
)
def test_callers_of_a_step_that_raises_lose_nothing(assignment: str, step: str) -> None:
    raises = f"def {step}(*given, **more):\n    raise ValueError('not yet')\n"
    found, callers = (
        asked(assignment, source(assignment, raises)).whole(),
        CALLERS[assignment, step],
    )
    for name in callers:
        assert keeps_all(found, name, step)
        assert (found[name].outcome, found[name].mistakes) == (Outcome.RAISED, ())
        assert check_markdown(found[name]) == fix_first(step)
    assert {name for name, one in found.items() if one.score < one.max_score} == {step}


HEAD = "def scale_scores(scores, d_k):\n"
# How `scale_scores` fails, and how a caller's words name it.
FAILURES = {
    "returns nothing": f"{HEAD}    pass\n",
    "a stub": f"{HEAD}    raise NotImplementedError()\n",
    "missing": "del scale_scores\n",
    "wrong shape": f"{HEAD}    return (scores / d_k**0.5,)\n",
    "wrong numbers": f"{HEAD}    return 1.37 * scores / d_k**0.5\n",
    "two lines of it": f"{HEAD}    found = scores / d_k**0.5\n    return 1.37 * found\n",
    "for some sizes": f"{HEAD}    if len(scores) > 1:\n        raise IndexError\n    return scores / d_k**0.5\n",
    "prints and raises": f"{HEAD}    print('x' * 100_000)\n    raise ValueError\n",
    "exits": f"{HEAD}    sys.exit(3)\n",
    "NumPy": f"{HEAD}    return (scores / d_k**0.5).detach().numpy()\n",
    "not a number": f"{HEAD}    return scores * float('nan')\n",
    "too large": f"{HEAD}    return torch.zeros(5000, 5000)\n",
    "a generator": f"{HEAD}    yield scores / d_k**0.5\n",
    "calls itself": f"{HEAD}    return scale_scores(scores, d_k)\n",
    "a BaseException": f"{HEAD}    raise BaseException('x')\n",
    "changes its input": f"{HEAD}    scores *= 1.3\n    return scores\n",
    "a class": "class scale_scores:\n    def __init__(self, scores, d_k):\n        pass\n",
    "only by keyword": "def scale_scores(scores, *, d_k):\n    return 1.5 * scores\n",
    "another argument": "def scale_scores(scores, keys):\n    return scores / keys.shape[-1]**0.5\n",
}  # fmt: skip
STATES = {"missing": "which is missing", "a stub": "which is not started yet"}
QUICK_FAILURES = (
    "returns nothing", "missing", "wrong shape", "wrong numbers", "exits", "NumPy", "a generator",
)  # fmt: skip


@pytest.mark.parametrize("failure", rows(FAILURES, quick=QUICK_FAILURES))
def test_whatever_is_wrong_with_the_called_step(failure: str) -> None:
    text = source("self_attention", FAILURES[failure])
    if failure == "missing":
        text = text.replace("def scale_scores(", "def later(").replace("del scale_scores\n", "")
    found = asked("self_attention", text)

    assert found["scale_scores"].score == 0
    for caller in ("SelfAttention_v1", "dot_product_variance"):
        assert keeps_all(found, caller, "scale_scores")
        assert found[caller].outcome != Outcome.PASSED
        words = fix_first("scale_scores", STATES.get(failure, NOT_RIGHT))
        assert check_markdown(found[caller]) == words


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


RAISES = f"{HEAD}    return scores / torch.sqrt(d_k)\n"
V1_CALLS = """
class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        queries, keys, values = project(x, self.W_query, self.W_key, self.W_value)
        scaled = {scaled}
        return context_vectors(attention_weights(scaled), values)
"""
SCORES, WIDTH = "attention_scores(queries, keys)", "keys.shape[-1]"
MY = f"my({SCORES}, {WIDTH})"
CALL = f"scale_scores({SCORES}, {WIDTH})"
CHECKPOINT = "torch.utils.checkpoint.checkpoint"
# How a class may come to a step that is not right: lines before it, and its own expression.
WAYS = {
    "by keywords": (RAISES, f"scale_scores(d_k={WIDTH}, scores={SCORES})"),
    "an earlier alias": (f"{RAISES.replace('scale_scores(', 'my(', 1)}scale_scores = my\n", MY),
    "partial": (f"{RAISES}my = functools.partial(scale_scores)\n", MY),
    "a default": (f"{RAISES}def my(s, d, by=scale_scores):\n    return by(s, d)\n", MY),
    "a decorator": (
        f"def again(f):\n    return functools.wraps(f)(lambda *a: f(*a))\n@again\n{RAISES}",
        CALL,
    ),
    "a static method": (
        f"{RAISES}class My:\n    by = staticmethod(scale_scores)\n",
        f"My.by({SCORES}, {WIDTH})",
    ),
    "one more": (RAISES.replace("d_k):", "d_k, more=1):"), f"{CALL[:-1]}, more=2)"),
    "a global bound later": (
        f"{RAISES}def choose():\n    global my\n    my = scale_scores\nchoose()\n",
        MY,
    ),
    "a width of NumPy": (RAISES, f"scale_scores({SCORES}, np.float32({WIDTH}))"),
    "row by row": (RAISES, f"torch.stack([scale_scores(row, {WIDTH}) for row in {SCORES}])"),
    "called twice": (RAISES, f"(scale_scores({SCORES}, 2), {CALL})[1]"),
    "a new computation of gradients": (
        f"{RAISES}import torch.utils.checkpoint\n",
        f"{CHECKPOINT}(scale_scores, {SCORES}, {WIDTH}, use_reentrant=False)",
    ),
    "its input changed afterwards": (
        RAISES,
        f"scale_scores(s := {SCORES}, {WIDTH})\n        s += 1.0",
    ),
    "something wrong instead of an exception": (
        RAISES,
        f"{SCORES}\n        try: scaled = scale_scores(scaled, {WIDTH})\n        except TypeError: pass",
    ),
}
QUICK_WAYS = (
    "by keywords", "a decorator", "a static method", "one more", "row by row",
    "its input changed afterwards", "something wrong instead of an exception",
)  # fmt: skip


@pytest.mark.parametrize("way", rows(WAYS, quick=QUICK_WAYS))
def test_however_the_step_is_called(way: str) -> None:
    before, scaled = WAYS[way]
    text = source("self_attention", before, V1_CALLS.format(scaled=scaled))
    found = asked("self_attention", text)

    assert found["scale_scores"].score < found["scale_scores"].max_score
    assert keeps_all(found, "SelfAttention_v1", "scale_scores")
    assert check_markdown(found["SelfAttention_v1"]) == fix_first("scale_scores")


class Endless(InProcessSession):
    """A session in which `raw_scores` does not end. It notes the steps that it is asked for."""

    def __init__(self, exam: Exam, text: str) -> None:
        super().__init__(exam, (("scaled_dot_product.py", text),))
        self.asked: set[str] = set()
        self.left_out: list[str] = []

    def observe(self, request: Request) -> Observation:
        self.asked.add(request.step)
        ends = request.step != "raw_scores"
        return super().observe(request) if ends else Observation(Outcome.TIMED_OUT)

    def leave_out(self, step: str) -> None:
        self.left_out.append(step)


def test_what_calls_a_step_that_does_not_end_is_asked_only_with_a_right_one() -> None:
    """It would not end either."""
    exam = exam_of("scaled_dot_product")
    session = Endless(exam, source("scaled_dot_product"))
    grader = Grader(exam, session)
    found = {check.name: grader.check(check) for check in exam.assignment.checks}
    callers = CALLERS["scaled_dot_product", "raw_scores"]
    assert session.asked == found.keys() - callers
    assert {*session.left_out} == callers
    for name in callers:
        assert keeps_all(found, name, "raw_scores")
        assert found[name].outcome == Outcome.TIMED_OUT
        assert check_markdown(found[name]) == fix_first("raw_scores")


def test_a_remark_that_explains_the_fault_is_named() -> None:
    double = "def attention_weights(s):\n    return torch.softmax(s.double(), dim=-1)\n"
    found = asked("self_attention", source("self_attention", double))

    assert found["attention_weights"].score == found["attention_weights"].max_score
    assert keeps_all(found, "SelfAttention_v1", "attention_weights")
    words = check_markdown(found["SelfAttention_v1"])
    assert words.startswith(fix_first("attention_weights", "which has a remark", "read"))
    assert "The numbers are right, but their dtype di" in words


PAIR_BY_PAIR = """
def attention_score(query, key):
    raise ValueError
def attention_scores(queries, keys):
    return torch.stack([torch.stack([attention_score(q, k) for k in keys]) for q in queries])
"""


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_step_that_is_only_built_on_counts_for_all_who_call_it(seed: int) -> None:
    """The reference's classes call `attention_scores`, and that calls nothing."""
    found = Asked(exam_of("self_attention", seed), source("self_attention", PAIR_BY_PAIR))
    for name in ("attention_scores", *CLASSES):
        assert keeps_all(found, name, "attention_score")


@pytest.mark.parametrize("right", [True, False])
def test_what_is_printed_with_right_answers_reaches_nobody(right: bool) -> None:
    scaled = f"{CALL}; print('with right answers')"
    own = V1_CALLS.format(scaled=scaled if right else f"2 * {scaled}")
    found = asked("self_attention", source("self_attention", RAISES, own))
    assert found["SelfAttention_v1"].score == (4 if right else 1)
    assert "with right answers" not in found["SelfAttention_v1"].printed


def test_value_right_and_gradients_only_with_right_answers() -> None:
    cut = "def context_vectors(weights, values):\n    return (weights @ values).detach() * 1.0\n"
    found = asked("self_attention", source("self_attention", cut))
    remarked = found["context_vectors"]
    assert (remarked.score, remarked.remarks) == (remarked.max_score, ("cut_graph",))
    assert keeps_all(found, "SelfAttention_v1", "context_vectors")
    assert found["SelfAttention_v1"].outcome == Outcome.WRONG


def v1(scaled: str = CALL, before: str = "") -> str:
    return before + V1_CALLS.format(scaled=scaled)


def constructed(line: str) -> str:
    head = "class SelfAttention_v1(SelfAttention_v1):\n    def __init__(self, *sizes):\n"
    return f"{head}        super().__init__(*sizes)\n        {line}\n"


def marks(found: dict[str, CheckResult], *steps: str) -> Marks:
    return {step: (found[step].score, found[step].carried_forward) for step in steps}


# Classes with a fault of their own beside a step that raises: their points, and a part of the words. A part that is
# right keeps its points. A known mistake of a step that the class is built from costs half.
ONE_PART_LOST = (3.5, "scale_scores")
NOTHING = (1.0, None)
HALF = (2.5, None)
ALL = "Costs 3 of 4 points."
STOPPED = "`SelfAttention_v1` stopped at a call of `scale_scores`."
EVEN_SO = "This is what happens when the steps that it calls give right answers."
AGAIN = (
    "Costs 1.5 of 4 points. A known mistake of `{}` gives the same answer. "
    "Made here, in the step's own lines, it costs half of what rests on the answer."
)
FAULTS: dict[str, tuple[str, tuple[float, str | None], str]] = {
    "its own mistake": (v1(f"2 * {CALL}"), NOTHING, ALL),
    "scaled twice": (v1(f"{CALL} / {WIDTH}"), HALF, AGAIN.format("attention_scores")),
    "computes nothing": (v1().replace("return context", "return 0 * context"), NOTHING, ALL),
    "catches it": (
        v1(f"{SCORES}\n        try: scale_scores(None, None)\n        except Exception: pass"),
        HALF,
        AGAIN.format("scale_scores"),
    ),
    "catches it, and stops": (
        v1("1\n        try: scale_scores(None, None)\n        except Exception: pass\n        return x @ x"),
        NOTHING,
        "In a matrix product the inner sizes must be equal,",
    ),
    "no gradients": (
        v1().replace("return context", "return 1 * context").replace("values)\n", "values).detach()\n"),
        ONE_PART_LOST,
        "Also: The result is right, but no gradient reaches any of the three matrices",
    ),
    "drawn otherwise": (
        constructed("self.W_query = nn.Parameter(torch.randn(*sizes))"),
        ONE_PART_LOST,
        "Also: With the documents' inputs the printed numbers were expected.",
    ),
    "not trainable": (
        constructed("self.W_query.requires_grad_(False)"),
        (2.5, "scale_scores"),
        "Also: parameters, W_query: not trainable",
    ),
    "exits afterwards": (v1(f"{CALL}; sys.exit(1)"), NOTHING, EVEN_SO),
    "an argument too many": (v1(f"{CALL[:-1]}, 3)"), NOTHING, "called with other arguments"),
    "a list": (v1(f"torch.tensor(scale_scores({SCORES}.tolist(), {WIDTH}))"), NOTHING, STOPPED),
    "the wrong width": (v1(f"scale_scores({SCORES}, x.shape[-1])"), HALF, "square root of d_in"),
    "a function of the class without self": (
        v1(CALL.replace("scale", "self.scale")).replace("    def", "    scale_scores = scale_scores\n    def", 1),
        NOTHING,
        "3 were given",
    ),
}  # fmt: skip
QUICK_FAULTS = (
    "its own mistake", "catches it", "no gradients", "exits afterwards", "an argument too many", "a list",
)  # fmt: skip


@pytest.mark.parametrize("kind", rows(FAULTS, quick=QUICK_FAULTS))
def test_a_class_with_a_fault_of_its_own_pays_for_it(kind: str) -> None:
    change, expected, words = FAULTS[kind]
    found = asked("self_attention", source("self_attention", RAISES, change))
    assert marks(found, "SelfAttention_v1") == {"SelfAttention_v1": expected}
    text = check_markdown(found["SelfAttention_v1"])
    assert words in text
    assert text.startswith(fix_first("scale_scores")) is (expected[1] is not None)
    assert ("This step calls your" in text) is (expected[1] is not None)
    assert "NoAnswerError" not in text


# A class that is right only with a wrong step: both expressions, and what v1 earns of its 4 points.
MADE_UP_FOR = {
    "a known mistake": ("scores", f"{CALL} / {WIDTH}**0.5", 2.5),
    "one without a name": ("1.7 * scores / d_k**0.5", f"{CALL} / 1.7", 1),
}


@pytest.mark.parametrize("kind", MADE_UP_FOR)
def test_what_only_a_wrong_step_makes_right_is_wrong(kind: str) -> None:
    wrong, scaled, points = MADE_UP_FOR[kind]
    step = f"def scale_scores(scores, d_k):\n    return {wrong}\n"
    found = asked("self_attention", source("self_attention", step, v1(scaled)))["SelfAttention_v1"]
    assert found.score == points
    assert EVEN_SO in check_markdown(found)


# What a caller may pass to steps that are right.
MISUSES = {
    "None": f"scale_scores({SCORES}, None)",
    "a list": "attention_scores(queries, keys.tolist())",
    "a wrong shape": "attention_scores(queries, keys.T)",
}


@pytest.mark.parametrize("kind", rows(MISUSES, quick=("None", "a wrong shape")))
def test_a_step_that_is_right_is_not_blamed(kind: str) -> None:
    found = asked("self_attention", source("self_attention", v1(MISUSES[kind])))
    words = check_markdown(found["SelfAttention_v1"])
    assert marks(found, "SelfAttention_v1") == {"SelfAttention_v1": NOTHING}
    assert "fix that first" not in words
    assert ", which is right, with " in words
    assert "It takes, for example, " in words


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


RUN = "numpy_self_attention"
WHOLE = "scaled_dot_product_attention"
RAW = "def raw_scores(q, k):\n    raise ValueError\n"
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
        ("def numpy_project(x, w_query, w_key, w_value):\n    raise ValueError\n"
        f"def numpy_scores(queries, keys):\n    pass\n{SOFTMAX_RAISES}"),
        {"numpy_project": (0, None), "numpy_scores": (0, None), "numpy_softmax": (0, None), RUN: (2, "numpy_project")},
    ),
    "a half is not right": (
        NP,
        "def numpy_softmax(scores):\n    e = np.exp(scores)\n    return e / e.sum(-1, keepdims=True)\n",
        {"numpy_softmax": (1, None), RUN: (2, None)},
    ),
    "the middle one is right": (
        SD,
        "def raw_scores(q, k):\n    return 1.3 * q @ k.T\n",
        {
            "raw_scores": (0, None), "scaled_scores": (1, "raw_scores"), "score_variances": (2, "raw_scores"),
            WHOLE: (3, "raw_scores"),
        },
    ),
    "the middle one repeats it": (
        SD,
        "def raw_scores(q, k):\n    return k @ q.T\n",
        {"scaled_scores": (1, "raw_scores"), "score_variances": (2, None), WHOLE: (3, "raw_scores")},
    ),
    "the middle one is wrong too": (
        SD,
        f"{RAW}def scaled_scores(q, k):\n    return raw_scores(q, k) / k.shape[-1]\n",
        {"scaled_scores": (0, None), "score_variances": (2, "raw_scores"), WHOLE: (3, "scaled_scores")},
    ),
    "without gradients": (
        SD,
        ("def attention_weights(scores):\n    raise ValueError\n"
        "def scaled_dot_product_attention(q, k, v):\n"
        "    w = attention_weights(scaled_scores(q.detach(), k)); return attention_output(w, v), w\n"),
        {WHOLE: (3, "attention_weights")},
    ),
    "score by score, filled in": (
        SA,
        ("def attention_score(query, key):\n    raise ValueError\n"
        "def attention_scores(queries, keys):\n    out = torch.zeros(len(queries), len(keys))\n"
        "    for i, q in enumerate(queries):\n        for j, k in enumerate(keys):\n"
        "            out[i, j] = attention_score(q, k)\n    return out\n"),
        {"attention_scores": (2, "attention_score"), "SelfAttention_v1": (4, "attention_score")},
    ),
    "five wrong at once": (
        SA,
        (f"{RAISES}def attention_weights(s):\n    pass\ndef context_vectors(weights, values):\n    return 3\n"
        "def project(x, a, b, c):\n    raise ValueError\n"
        "def attention_scores(queries, keys):\n    return queries @ queries.T\n"),
        {"SelfAttention_v1": (4, "project"), "SelfAttention_v2": (4, "attention_scores")},
    ),
    "the second class calls the first": (
        SA,
        f"{RAISES}class SelfAttention_v2(SelfAttention_v2):\n    forward = SelfAttention_v1.forward\n",
        {"SelfAttention_v1": (4, "scale_scores"), "SelfAttention_v2": (1, None)},
    ),
    "a step that draws has no stand-in": (
        SA,
        ("def init_weights(d_in, d_out, seed):\n    raise ValueError\nclass SelfAttention_v1(SelfAttention_v1):\n"
        "    def __init__(self, d_in, d_out):\n        nn.Module.__init__(self)\n"
        "        init_weights(d_in, d_out, torch.seed())\n"),
        {"SelfAttention_v1": (0, None), "SelfAttention_v2": (4, None)},
    ),
}  # fmt: skip
QUICK_CHAINS = (
    "NumPy, in place", "NumPy, three wrong", "a half is not right", "the middle one is wrong too", "without gradients",
    "score by score, filled in",
)  # fmt: skip


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


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with forked_interpreters():
        limits = Limits(cpu=0.5)
        made = WarmSandbox(limits, PERMISSIVE) if can_fork() else FreshSandbox(limits)
        yield made
        made.close()


ENDS = {
    "hangs": "    while True: pass",
    "ends Python": "    os._exit(3)",
    "crashes": "    os.abort()",
    "prints without end": "    while True: print('x' * 100_000)",
    "raises": "    raise ValueError",
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ENDS)
def test_in_real_workers(kind: str, sandbox: Sandbox) -> None:
    """Slow: a step that hangs has half a second of computing time."""
    text = source("scaled_dot_product", f"def raw_scores(*given):\n{ENDS[kind]}\n")
    found, callers = (
        graded("scaled_dot_product", text, sandbox),
        CALLERS["scaled_dot_product", "raw_scores"],
    )
    assert all(keeps_all(found, name, "raw_scores") for name in callers)


@pytest.mark.slow
def test_no_time_of_the_grader_is_that_of_the_step(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Slow: the grader is busy with two calls of a question, longer than the worker may sleep."""
    step, reply, busy = "raw_scores", StandIns.reply, [2.2, 2.2]

    def busily(self: StandIns, fields: bytes) -> bytes:
        time.sleep(busy.pop() if busy else 0)
        return reply(self, fields)

    monkeypatch.setattr(StandIns, "reply", busily)
    often = "def scaled_scores(q, k):\n    raw_scores(q, k)\n    return raw_scores(q, k) / len(k[0]) ** 0.5\n"
    text = source("scaled_dot_product", f"def {step}(*given):\n    raise ValueError\n\n{often}")
    found = graded("scaled_dot_product", text, sandbox)
    assert busy == []
    assert all(keeps_all(found, name, step) for name in CALLERS["scaled_dot_product", step])


@pytest.mark.slow
def test_in_workers_with_pipes_in_place_of_sockets() -> None:
    with forked_interpreters(), closing(FreshSandbox(Limits())) as made:
        found = graded("self_attention", source("self_attention", RAISES), made)
    callers = CALLERS["self_attention", "scale_scores"]
    assert all(keeps_all(found, name, "scale_scores") for name in callers)


def graded(assignment: str, text: str, sandbox: Sandbox) -> dict[str, CheckResult]:
    return {check.step: check for check in grade_in(sandbox, exam_of(assignment), text).checks}


@pytest.mark.slow
@pytest.mark.parametrize("own", [True, False])
def test_a_class_that_hangs_only_with_right_answers(own: bool, sandbox: Sandbox) -> None:
    """Slow: a loop has its second of computing time."""
    loop = v1(f"{CALL}\n        while {own}: pass")
    found = graded(SA, source(SA, RAISES, loop), sandbox)
    expected = NOTHING if own else (4, "scale_scores")
    assert marks(found, "SelfAttention_v1") == {"SelfAttention_v1": expected}
    assert keeps_all(found, "dot_product_variance", "scale_scores")
