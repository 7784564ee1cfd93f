"""A step that calls a wrong step is judged with right answers in its place: exact points, and who is named."""

from __future__ import annotations

import ast
import functools
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from autograder.assignment.script import without_show_cells
from autograder.explain.feedback_text import check_markdown
from autograder.grading.grader import Grader
from autograder.results import CheckResult, Observation, Outcome
from autograder.sandbox.fresh import FreshSandbox
from autograder.sandbox.limits import Limits
from autograder.sandbox.warm import WarmSandbox, can_fork
from autograder.testing import InProcessSession
from tests.exams import exam_of
from tests.graders import grade_in
from tests.grading.asked import Asked, asked, rows
from tests.sandbox.conftest import PERMISSIVE
from tests.sandbox.forked import forked_interpreters

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from autograder.exam.questions import Exam, Request
    from autograder.sandbox.sandbox import Sandbox

ROOT = Path(__file__).parents[2]
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
        "scaled_scores",
        "score_variances",
        "scaled_dot_product_attention",
    },
    ("scaled_dot_product", "attention_weights"): {"scaled_dot_product_attention"},
    ("scaled_dot_product", "attention_output"): {"scaled_dot_product_attention"},
    ("causal_multihead", "causal_mask"): CAUSAL,
    ("causal_multihead", "causal_weights"): CAUSAL,
    ("causal_multihead", "split_heads"): {"MultiHeadAttention"},
    ("causal_multihead", "merge_heads"): {"MultiHeadAttention"},
}
# How a caller's words name the step that fails.
STATES = {"missing": "which is missing", "a stub": "which is not started yet"}
FAILURES = {
    "raises": "    raise ValueError('not yet')",
    "returns nothing": "    pass",
    "missing": "",
    "a stub": "    raise NotImplementedError()",
    "wrong shape": "    return ({right},)",
    "wrong numbers": "    return {scaled}",
    "for some sizes": "    if len({first}) > 1:\n        raise IndexError(len({first}))\n    return {right}",
    "prints and raises": "    print('x' * 100_000)\n    raise ValueError",
    "exits": "    sys.exit(3)",
    "two lines of it": "    found = {right}\n    return {scaled_found}",
}
SEQUENCES = ("project", "numpy_project")


@functools.cache
def solution_of(assignment: str) -> str:
    """Return the reference, whose steps call each other."""
    path = ROOT / "solutions" / assignment / f"{assignment}.py"
    return IMPORTS + without_show_cells(path.read_text(encoding="utf-8"))


def source(assignment: str, *changes: str) -> str:
    return "\n".join([solution_of(assignment), *changes])


def failing(assignment: str, step: str, failure: str) -> str:
    """Return a right file in which one step fails like this."""
    solution = solution_of(assignment)
    if failure == "missing":
        return solution.replace(f"def {step}(", f"def {step}_later(")
    definitions = ast.parse(solution).body
    [head] = [
        one.args for one in definitions if isinstance(one, ast.FunctionDef) and one.name == step
    ]
    names = [one.arg for one in head.args]
    zeros = "np.zeros((2, 2))" if assignment == "numpy_attention" else "torch.zeros(2, 2)"
    scale = "tuple(1.37 * part for part in {})" if step in SEQUENCES else "1.37 * {}"
    right = f"right({', '.join(names)})"
    body = FAILURES[failure].format(
        right=right,
        zeros=f"({zeros},) * 3" if step in SEQUENCES else zeros,
        scaled=scale.format(right),
        scaled_found=scale.format("found"),
        first=names[0],
    )
    return source(assignment, f"right = {step}", f"def {step}({ast.unparse(head)}):\n{body}")


# A quick run has some failures of two steps; a slow one has all of these, and a quarter of those of the others.
WHOLE = ("raw_scores", "scale_scores")
QUICK = {
    ("raw_scores", "raises"), ("raw_scores", "missing"), ("raw_scores", "wrong shape"),
    ("raw_scores", "wrong numbers"), ("scale_scores", "returns nothing"), ("scale_scores", "exits"),
}  # fmt: skip
# A wrong answer is compared with what all mutants of its step answer: to make these takes 7 to 15 s for these steps.
NO_ANSWERS = {"raises", "returns nothing", "missing", "a stub", "exits"}
ROWS = [
    pytest.param(
        *place, failure, id=f"{place[0]}-{place[1]}-{failure}",
        marks=[] if (place[1], failure) in QUICK else [pytest.mark.slow],
    )
    for row, place in enumerate(CALLERS)
    for column, failure in enumerate(FAILURES)
    if place[1] in WHOLE
    or failure == "raises"
    or ((row + column) % 4 == 0 and (place[0] != "causal_multihead" or failure in NO_ANSWERS))
]  # fmt: skip


@pytest.mark.parametrize(("assignment", "step", "failure"), ROWS)
def test_callers_of_a_step_that_is_not_right_lose_nothing(
    assignment: str, step: str, failure: str
) -> None:
    """Slow: further steps, and further failures."""
    found = asked(assignment, failing(assignment, step, failure))
    callers = CALLERS[assignment, step]

    assert found[step].score == 0
    for name in callers:
        assert keeps_all(found, name, step)
        assert found[name].outcome != Outcome.PASSED
        assert found[name].mistakes == ()
        assert check_markdown(found[name]) == fix_first(step, STATES.get(failure, NOT_RIGHT))
    if failure == "raises":
        others = {*found.whole()} - {step, *callers}
        assert [name for name in others if found[name].score < found[name].max_score] == []


def keeps_all(found: Mapping[str, CheckResult], caller: str, step: str) -> bool:
    """Whether a caller has all its points, and this step is the one to fix."""
    result = found[caller]
    return (result.score, result.carried_forward) == (result.max_score, step)


NOT_RIGHT = "which is not right yet"


def fix_first(step: str, state: str = NOT_RIGHT, do: str = "fix") -> str:
    """Return the words for a step that is right once this step is."""
    return (
        f"This step calls your `{step}`, {state}: {do} that first. "
        "With a right one in its place the answer of this step is right, so it costs nothing here."
    )


RAISES = "def scale_scores(scores, d_k):\n    return scores / torch.sqrt(d_k)\n"
V1_CALLS = """
class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        queries, keys, values = project(x, self.W_query, self.W_key, self.W_value)
        scaled = {scaled}
        return context_vectors(attention_weights(scaled), values)
"""
SCORES, WIDTH = "attention_scores(queries, keys)", "keys.shape[-1]"
# How a class may come to a step that is not right: lines before it, and its own expression.
WAYS = {
    "by keywords": (RAISES, f"scale_scores(d_k={WIDTH}, scores={SCORES})"),
    "an earlier alias": (
        f"{RAISES.replace('scale_scores(', 'my(', 1)}scale_scores = my\n",
        f"my({SCORES}, {WIDTH})",
    ),
    "partial": (
        f"{RAISES}my = functools.partial(scale_scores)\n",
        f"my({SCORES}, {WIDTH})",
    ),
    "a default": (
        f"{RAISES}def my(s, d, by=scale_scores):\n    return by(s, d)\n",
        f"my({SCORES}, {WIDTH})",
    ),
    "a decorator": (
        f"def again(f):\n    @functools.wraps(f)\n    def g(*a):\n        return f(*a)\n    return g\n@again\n{RAISES}",
        f"scale_scores({SCORES}, {WIDTH})",
    ),
    "a static method": (
        f"{RAISES}class My:\n    by = staticmethod(scale_scores)\n",
        f"My.by({SCORES}, {WIDTH})",
    ),
    "renamed": (
        RAISES.replace("scores", "s").replace("d_k", "width").replace("scale_s", "scale_scores"),
        f"scale_scores({SCORES}, width={WIDTH})",
    ),
    "one more": (
        RAISES.replace("d_k):", "d_k, more=1):"),
        f"scale_scores({SCORES}, {WIDTH}, more=2)",
    ),
    "swapped": (
        RAISES.replace("scores, d_k", "d_k, scores"),
        f"scale_scores({WIDTH}, {SCORES})",
    ),
    "any arguments": (
        "def scale_scores(*given, **more):\n    raise ValueError\n",
        f"scale_scores({SCORES}, {WIDTH})",
    ),
    "a global bound later": (
        f"{RAISES}def choose():\n    global my\n    my = scale_scores\nchoose()\n",
        f"my({SCORES}, {WIDTH})",
    ),
}


QUICK_WAYS = ("by keywords", "a decorator", "a static method", "one more")


@pytest.mark.parametrize("way", rows(WAYS, quick=QUICK_WAYS))
def test_however_the_step_is_called(way: str) -> None:
    before, scaled = WAYS[way]
    text = source("self_attention", before, V1_CALLS.format(scaled=scaled))
    found = asked("self_attention", text)

    assert found["scale_scores"].score < found["scale_scores"].max_score
    assert keeps_all(found, "SelfAttention_v1", "scale_scores")


# Callers with a fault of their own, or that compute nothing, beside a step that raises.
OWN = {
    "its own mistake": V1_CALLS.format(scaled=f"2 * scale_scores({SCORES}, {WIDTH})"),
    "scaled twice": V1_CALLS.format(scaled=f"scale_scores({SCORES}, {WIDTH}) / {WIDTH}"),
    "raises itself": V1_CALLS.format(scaled=f"scale_scores({SCORES}, {WIDTH}) @ x[:, :1]"),
    "computes nothing": V1_CALLS.format(scaled=f"scale_scores({SCORES}, {WIDTH})").replace(
        "return context", "return 0 * context"
    ),
    "catches it": V1_CALLS.format(scaled=SCORES).replace(
        "        scaled =",
        "        try: scale_scores(None, None)\n        except Exception: pass\n        scaled =",
    ),
}


# Those with a known mistake of a step that the class is built from, which costs half.
MADE_AGAIN = {"scaled twice": "attention_scores", "catches it": "scale_scores"}


@pytest.mark.parametrize("kind", rows(OWN, quick=("its own mistake", "catches it")))
def test_a_caller_with_its_own_fault_pays_for_it(kind: str) -> None:
    found = asked("self_attention", source("self_attention", RAISES, OWN[kind]))["SelfAttention_v1"]
    words = check_markdown(found)
    assert (found.score, found.carried_forward) == (2.5 if kind in MADE_AGAIN else 1, None)
    assert "This step calls your" not in words
    if kind in MADE_AGAIN:
        assert words.endswith(
            f"Costs 1.5 of 4 points. A known mistake about the task of `{MADE_AGAIN[kind]}`, "
            "made here in the step's own lines, costs half of what rests on the answer."
        )
    else:
        assert words.endswith("Costs 3 of 4 points.")


# A class that is right only with a wrong step: both expressions, and what v1 earns of its 4 points.
MADE_UP_FOR = {
    "a known mistake": ("scores", f"scale_scores({SCORES}, {WIDTH}) / {WIDTH}**0.5", 2.5),
    "one without a name": (
        "1.7 * scores / d_k**0.5",
        f"scale_scores({SCORES}, {WIDTH}) / 1.7",
        1,
    ),
}


@pytest.mark.parametrize("kind", MADE_UP_FOR)
def test_what_only_a_wrong_step_makes_right_is_wrong(kind: str) -> None:
    wrong, scaled, points = MADE_UP_FOR[kind]
    step = f"def scale_scores(scores, d_k):\n    return {wrong}\n"
    text = source("self_attention", step, V1_CALLS.format(scaled=scaled))
    found = asked("self_attention", text)["SelfAttention_v1"]
    assert (found.score, found.outcome) == (points, Outcome.WRONG)
    right_calls = "This is what happens when the steps that it calls give right answers."
    assert right_calls in check_markdown(found)


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


# What a caller may pass to steps that are right.
MISUSES = {
    "None": f"scale_scores({SCORES}, None)",
    "a list": "attention_scores(queries, keys.tolist())",
    "a wrong shape": "attention_scores(queries, keys.T)",
}


@pytest.mark.parametrize("kind", rows(MISUSES, quick=("None", "a wrong shape")))
def test_a_step_that_is_right_is_not_blamed(kind: str) -> None:
    text = source("self_attention", V1_CALLS.format(scaled=MISUSES[kind]))
    found = asked("self_attention", text)["SelfAttention_v1"]
    words = check_markdown(found)

    assert (found.score, found.carried_forward) == (1, None)
    assert "fix that first" not in words
    assert ", which is right, with " in words
    assert "It takes, for example, " in words


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
    scaled = f"scale_scores({SCORES}, {WIDTH}); print('with right answers')"
    own = V1_CALLS.format(scaled=scaled if right else f"2 * {scaled}")
    found = asked("self_attention", source("self_attention", RAISES, own))
    assert found["SelfAttention_v1"].score == (4 if right else 1)
    assert "with right answers" not in found["SelfAttention_v1"].printed


def test_two_steps_that_are_not_right_and_one_that_goes_on() -> None:
    text = source(
        "scaled_dot_product",
        "def raw_scores(q, k):\n    raise ValueError\n",
        "def attention_output(weights, v):\n    return None\n",
    )
    found = asked("scaled_dot_product", text)
    assert keeps_all(found, "scaled_scores", "raw_scores")
    assert keeps_all(found, "scaled_dot_product_attention", "raw_scores")
    assert check_markdown(found["scaled_dot_product_attention"]) == (
        "This step calls your `raw_scores` and `attention_output`, which are not right yet: fix these first. "
        "With right ones in their place the answer of this step is right, so it costs nothing here."
    )


def test_value_right_and_gradients_only_with_right_answers() -> None:
    cut = "def context_vectors(weights, values):\n    return (weights @ values).detach() * 1.0\n"
    found = asked("self_attention", source("self_attention", cut))
    remarked = found["context_vectors"]
    assert remarked.score == remarked.max_score
    assert remarked.remarks == ("cut_graph",)
    assert keeps_all(found, "SelfAttention_v1", "context_vectors")
    assert found["SelfAttention_v1"].outcome == Outcome.WRONG


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
@pytest.mark.parametrize(
    ("assignment", "step", "kind"),
    [
        *(("scaled_dot_product", "raw_scores", kind) for kind in ENDS),
        ("self_attention", "attention_weights", "hangs"),
        ("numpy_attention", "numpy_softmax", "ends Python"),
    ],
)
def test_in_real_workers(assignment: str, step: str, kind: str, sandbox: Sandbox) -> None:
    """Slow: a step that hangs has half a second of computing time."""
    text = source(assignment, f"def {step}(*given):\n{ENDS[kind]}\n")
    found = graded(assignment, text, sandbox)
    assert all(keeps_all(found, name, step) for name in CALLERS[assignment, step])


@pytest.mark.slow
def test_in_workers_with_pipes_in_place_of_sockets() -> None:
    with forked_interpreters(), closing(FreshSandbox(Limits())) as made:
        found = graded("self_attention", source("self_attention", RAISES), made)
    callers = CALLERS["self_attention", "scale_scores"]
    assert all(keeps_all(found, name, "scale_scores") for name in callers)


def graded(assignment: str, text: str, sandbox: Sandbox) -> dict[str, CheckResult]:
    return {check.step: check for check in grade_in(sandbox, exam_of(assignment), text).checks}
