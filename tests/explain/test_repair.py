"""The repair: which edits are tried first, and what is said of the one with which a student's step is right."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest

from autograder.edits.own_kinds import COSTS
from autograder.explain.repair import Focus, Try, repair_of, tries
from autograder.explain.student_code import StudentCode
from autograder.explain.words_of_repairs import KINDS
from autograder.grading import explaining, repairing
from autograder.results import Outcome
from autograder.sandbox.inside import few_lines
from tests.exams import ASSIGNMENTS, exam_of
from tests.graders import check_step, open_session
from tests.truth.variant import base_of

if TYPE_CHECKING:
    from autograder.explain.student_code import Definition
    from autograder.results import CheckResult, TracedLine

SOURCE = """\
def scores(queries, keys):
    doubled = queries * 2
    halved = doubled / 2
    return halved @ keys

def helper(x):
    return x * 3
"""


def definitions(source: str, *names: str) -> list[Definition]:
    found = [StudentCode([("work.py", source)]).definition(name) for name in names]
    return [one for one in found if one is not None]


def tried(focus: Focus, source: str = SOURCE, *names: str) -> list[Try]:
    return list(tries(definitions(source, *(names or ("scores",))), focus))


def graded(assignment: str, step: str, source: str) -> CheckResult:
    exam = exam_of(assignment)
    session = open_session(exam, f"{base_of(assignment)}\n\n{source}")
    return check_step(exam, session, step)


# Which are tried first.


@pytest.mark.unit
def test_every_kind_has_words_and_the_words_have_kinds() -> None:
    assert KINDS.keys() == COSTS.keys()


@pytest.mark.unit
@pytest.mark.parametrize("line", [2, 3, 4])
def test_the_blamed_line_comes_first(line: int) -> None:
    focus = Focus("work.py", (line, 4, line, 30), {line: 0.7})
    first = tried(focus)[0].edit.changes[0][0]
    assert SOURCE.count("\n", 0, first) + 1 == line


@pytest.mark.unit
def test_what_made_an_operand_comes_before_what_did_not() -> None:
    focus = Focus("work.py", (4, 11, 4, 24), {4: 0.7, 3: 1.1})
    lines = [SOURCE.count("\n", 0, one.edit.changes[0][0]) + 1 for one in tried(focus)]
    assert lines.index(4) < lines.index(3) < lines.index(2)


@pytest.mark.unit
def test_a_helper_comes_after_the_step_itself() -> None:
    found = tried(Focus(), SOURCE, "scores", "helper")
    assert {one.definition.node.name for one in found} == {"scores", "helper"}
    assert found[0].definition.node.name == "scores"


@pytest.mark.unit
def test_no_text_is_tried_twice_and_each_is_python() -> None:
    texts = [one.text for one in tried(Focus())]
    assert len(texts) == len({*texts}) > 40
    assert all(ast.parse(text) for text in texts)
    assert definitions(SOURCE, "scores")[0].text not in texts


@pytest.mark.unit
def test_one_more_operation_is_tried_only_after_something_right() -> None:
    codes = [{one.edit.code for one in tried(focus)} for focus in (Focus(never=()), Focus())]
    assert codes[0] - codes[1] == {"root-missing", "sign"}


@pytest.mark.unit
def test_a_long_definition_and_one_with_a_decorator_are_not_edited() -> None:
    long = SOURCE.replace("doubled = queries * 2", "doubled = queries * 2" + " + 1" * 9_000)
    assert tried(Focus(), long) == []
    assert tried(Focus(), "@cache\n" + SOURCE) == []


@pytest.mark.unit
def test_a_class_that_is_made_of_itself_is_not_edited() -> None:
    again = (
        "class A(nn.Module):\n    x = 1\n\nclass A(A):\n    def f(self, x):\n        return x * 3\n"
    )
    assert tried(Focus(), again, "A") == []
    assert tried(Focus(), again.replace("A(A)", "B(A)"), "B")


@pytest.mark.unit
def test_the_places_of_one_edit_are_all_named() -> None:
    source = "def f(x, y):\n    a = x.sum(1)\n    b = y.sum(1)\n    return a / b\n"
    several = next(one for one in tried(Focus(), source, "f") if len(one.edit.changes) > 1)
    found = repair_of("f", several)
    assert "The same holds for line 3." in found.found.says
    assert found.line == 2


@pytest.mark.unit
def test_two_signs_are_never_changed_at_once() -> None:
    source = "def f(x, y):\n    a = x.cumsum(y)\n    return a.softmax(a)\n"
    signs = [one.edit for one in tried(Focus(never=()), source, "f") if one.edit.code == "sign"]
    assert signs
    assert {len(one.changes) for one in signs} == {1}


LAYERS = """class Layer(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.a = nn.Linear(d, d)
        self.b = nn.Linear(d, d)
        self.register_buffer("mask", d)

    def forward(self, x, n):
        y = self.a(x)
        return self.a(y) / self.mask[:n] / n
"""


@pytest.mark.unit
def test_a_name_stands_for_one_of_the_same_kind_and_a_layer_for_what_is_called() -> None:
    focus = Focus(kinds={"x": "array", "y": "array", "n": "number"})
    pairs = {
        (LAYERS[first:last], new)
        for one in tried(focus, LAYERS, "Layer")
        if one.edit.code in ("input-for-another", "matrix-for-another")
        for first, last, new in one.edit.changes
    }
    assert {("y", "x"), ("self.a", "self.b")} <= pairs
    assert not {("n", "x"), ("x", "n"), ("self.a", "self.mask"), ("self.mask", "self.a")} & pairs
    assert not {new for _, new in pairs if "register" in new}


# In a student's file.

# A step, its wrong source, the line and the part that are marked, and the name in the result.
FAULTS = (
    (
        "context_vectors",
        "def context_vectors(w, v):\n    return torch.einsum('qk,kd->kd', w, v)\n",
        ("return torch.einsum('qk,kd->kd', w, v)", "'qk,kd->kd'"),
        "repair:letters",
    ),
    (
        "attention_scores",
        "def attention_scores(queries, keys):\n    return queries.T @ keys\n",
        ("return queries.T @ keys", "queries.T @ keys"),
        "inner_sizes_differ",
    ),
    (
        "attention_weights",
        ("def attention_weights(scaled_scores):\n    raised = torch.exp(scaled_scores)\n"
        "    return raised / raised.sum(-1, keepdim=True).sqrt()\n"),
        ("return raised / raised.sum(-1, keepdim=True).sqrt()", "raised.sum(-1, keepdim=True).sqrt()"),
        "repair:call-left-out",
    ),
    (
        "context_vectors",
        ("def context_vectors(weights, values):\n    out = torch.zeros(len(weights), values.shape[1])\n"
        "    for i in range(len(weights)):\n        for j in range(len(values)):\n"
        "            out[i] += weights[i, j] + values[j]\n    return out\n"),
        ("out[i] += weights[i, j] + values[j]", "weights[i, j] + values[j]"),
        "repair:operator-other",
    ),
    (
        "context_vectors",
        ("def context_vectors(weights, values):\n    blended = weights[:, :, None] * values[None]\n"
        "    return blended.sum(dim=0)\n"),
        ("return blended.sum(dim=0)", "dim=0"),
        "repair:axis-second",
    ),
    (
        "SelfAttention_v2",
        ("class SelfAttention_v2(nn.Module):\n    def __init__(self, d_in, d_out, qkv_bias=False):\n"
        "        super().__init__()\n        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)\n"
        "        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)\n"
        "        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)\n\n    def forward(self, x):\n"
        "        queries = self.W_query(x)\n        keys = self.W_key(x)\n"
        "        weights = torch.softmax(queries @ keys.T / keys.shape[-1] ** 0.5, dim=-1)\n"
        "        return weights @ self.W_value(x) * 3\n"),
        ("return weights @ self.W_value(x) * 3", "weights @ self.W_value(x) * 3"),
        "repair:operation-left-out",
    ),
)  # fmt: skip


@pytest.mark.parametrize(("step", "source", "place", "name"), FAULTS)
def test_the_fault_is_named_and_its_line_is_marked(
    step: str, source: str, place: tuple[str, str], name: str
) -> None:
    result = graded("self_attention", step, source)
    assert result.feedback
    assert f"With nothing but this changed, `{step}` is right." in result.feedback.message
    assert result.mistakes == (name,)
    marked = [one for one in result.feedback.traced if one.mark == "here"]
    assert [(one.text.strip(), one.blamed) for one in marked] == [place]


# Lines of attention_weights whose maximum has lost its axis, and the line that is marked.
MAXIMA = (
    (("most = scaled_scores.max(-1).values", "powers = torch.exp(scaled_scores - most)"), 0),
    (("most, at = torch.max(scaled_scores, dim=1)", "powers = torch.exp(scaled_scores - most)"), 0),
    (("found = scaled_scores.max(dim=1)", "most = found[0]", "powers = (scaled_scores - most).exp()"), 0),
    (("powers = torch.exp(scaled_scores - scaled_scores.min(1).values)",), 0),
    (("most = torch.logsumexp(scaled_scores, 1)", "powers = torch.exp(scaled_scores - most)"), 0),
)  # fmt: skip


@pytest.mark.parametrize(("lines", "marked"), MAXIMA)
def test_a_maximum_that_loses_its_axis_is_blamed_and_not_the_subtraction(
    lines: tuple[str, ...], marked: int
) -> None:
    body = (*lines, "return powers / powers.sum(dim=-1, keepdim=True)")
    head = "def attention_weights(scaled_scores):"
    result = graded("self_attention", "attention_weights", "\n    ".join((head, *body)) + "\n")
    assert result.feedback
    assert "loses an axis" in result.feedback.message
    here = [one.text.strip() for one in result.feedback.traced if one.mark == "here"]
    assert here == [lines[marked]]


def test_of_an_operation_that_raised_nobody_says_that_it_does_not_belong_there() -> None:
    result = graded(
        "self_attention",
        "attention_weights",
        "def attention_weights(scaled_scores):\n    most = torch.zeros(len(scaled_scores))\n"
        "    for i in range(len(most)):\n        most[i] = scaled_scores[i].max()\n"
        "    scaled_scores = scaled_scores - most\n    return torch.softmax(scaled_scores, dim=-1)\n",
    )
    assert result.feedback
    assert result.feedback.message.startswith("These shapes do not fit")
    assert "belong there" not in result.feedback.message
    assert "stopped" in [one.mark for one in result.feedback.traced]


@pytest.mark.parametrize(
    ("line", "fill"), [("", "float('inf')"), ("    high = float('inf')\n", "high")]
)
def test_a_wrong_sign_is_named_alone(line: str, fill: str) -> None:
    result = graded(
        "causal_multihead",
        "causal_weights",
        f"def causal_weights(queries, keys, mask):\n{line}"
        "    logits = queries @ keys.mT / keys.shape[-1] ** 0.5\n"
        f"    logits = logits.masked_fill(mask, {fill})\n    return logits.softmax(dim=-1)\n",
    )
    assert result.feedback
    assert "a sign is wrong" in result.feedback.message
    assert "The same holds" not in result.feedback.message
    here = [one.text.strip() for one in result.feedback.traced if one.mark == "here"]
    assert here == [f"logits = logits.masked_fill(mask, {fill})"]


def test_no_line_behind_the_fault_is_called_right() -> None:
    result = graded("self_attention", *FAULTS[1][:2])
    lines: list[TracedLine] = list(result.feedback.traced if result.feedback else ())
    marks = [one.mark for one in lines]
    assert marks.count("here") == 1
    assert "right" not in marks[marks.index("here") :]


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_a_step_that_returns_an_argument_is_not_told_its_computation(assignment: str) -> None:
    """A stub cannot be tried out into an answer."""
    told = set()
    for step in exam_of(assignment).assignment.checks:
        for function in ast.parse(base_of(assignment)).body:
            if isinstance(function, ast.FunctionDef) and function.name == step.name:
                head = ast.unparse(function.args)
                for one in function.args.args:
                    source = f"def {step.name}({head}):\n    return {one.arg}\n"
                    told |= {*graded(assignment, step.name, source).mistakes}
    assert {one for one in told if one.startswith("repair:")} <= {"repair:input-for-another"}


# What a hand-in can do about it.


def with_lines(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def context_vectors(weights, values):\n{body}    return weights.T @ values\n"


def test_what_tries_print_is_shown_nowhere(capfd: pytest.CaptureFixture[str]) -> None:
    result = graded("self_attention", "context_vectors", with_lines("print('printed in a try')"))
    assert "printed in a try" not in str(result.feedback)
    capfd.readouterr()


def test_an_edit_that_never_ends_ends_by_its_lines() -> None:
    loop = ("n = 0", "while n < 3:", "    n += 1")
    result = graded("self_attention", "context_vectors", with_lines(*loop))
    assert (
        any(one.startswith("repair:") for one in result.mistakes)
        or result.outcome is Outcome.RAISED
    )


def for_ever() -> None:
    while True:
        pass


@pytest.mark.unit
def test_code_that_runs_too_many_lines_ends() -> None:
    with few_lines.few_lines({__file__}), pytest.raises(few_lines.TooManyLinesError):
        for_ever()


def test_what_a_try_binds_is_gone_afterwards() -> None:
    counted = with_lines("global again", "again = weights")
    exam = exam_of("self_attention")
    session = open_session(exam, f"{base_of('self_attention')}\n\n{counted}")
    before = dict(vars(session.module))
    check_step(exam, session, "context_vectors")
    assert vars(session.module)["context_vectors"] is before["context_vectors"]


def test_the_tries_of_a_submission_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    step, source, *_ = FAULTS[2]
    monkeypatch.setattr(explaining, "MOST_TRIES", 0)
    result = graded("self_attention", step, source)
    assert not any(one.startswith("repair:") for one in result.mistakes)


def test_a_message_of_tries_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    step, source, *_ = FAULTS[2]
    monkeypatch.setattr(repairing, "MOST_CHARACTERS", 10)
    result = graded("self_attention", step, source)
    assert not any(one.startswith("repair:") for one in result.mistakes)
