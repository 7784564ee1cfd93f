"""Drawn cases show what docstrings promise: each two sizes differ, and no argument can be ignored."""

from __future__ import annotations

import ast
import re
from itertools import chain, combinations
from typing import TYPE_CHECKING

import pytest

from autograder.assignment.checks import VALUE
from autograder.values.values import Array
from tests.exams import ASSIGNMENTS, ROOT, exam_of
from tests.graders import points_of
from tests.grading.test_stand_ins import source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autograder.exam.questions import Question

# An entry of Args, or a call: the arguments, and the axes of their shape.
ENTRY = re.compile(
    r"^ {4}([\w, ]+):[^(\n]*\(([\w., ]+)\)|Calling it with (\w+) of shape \(([\w, ]+)\)",
    re.MULTILINE,
)


def steps(assignment: str) -> dict[str, str]:
    """Return the docstring of each step in the released stubs."""
    path = ROOT / "assignments" / assignment / f"{assignment}.py"
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {
        node.name: ast.get_docstring(node) or ""
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }


def values_of(assignment: str, step: str) -> tuple[Question, ...]:
    exam = exam_of(assignment)
    check = next(check for check in exam.assignment.checks if check.name == step)
    questions = exam.questions_for(check, check.criterion(VALUE))
    return tuple(question for question in questions if question.kind != "documented")


def axes(docstring: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each argument with a shape in a docstring, and the letters of its axes; no letter for leading axes."""
    for names, shape, called, its_shape in ENTRY.findall(docstring):
        letters = [letter.strip() for letter in (shape or its_shape).split(",")]
        for name in (names or called).split(","):
            yield name.strip(), [letter for letter in letters if letter]


def sizes(question: Question, docstring: str) -> dict[str, int]:
    """Return the number of each size that a docstring names, in one case."""
    found = {
        name: value
        for name, value in question.inputs.items()
        if type(value) is int and name in docstring and name != "seed"
    }
    for name, letters in axes(docstring):
        array = question.inputs.get(name)
        if isinstance(array, Array):
            named = [letter for letter in letters if letter != "..."]
            shape = array.data.shape[-len(named) :] if "..." in letters else array.data.shape
            found |= zip(named, shape, strict=True)
    return found


SIZED = [(assignment, step) for assignment in ASSIGNMENTS for step in steps(assignment)]


@pytest.mark.parametrize(("assignment", "step"), SIZED)
def test_each_two_sizes_differ_in_some_case(assignment: str, step: str) -> None:
    """Else the one can be taken for the other, and no case shows it."""
    docstring = steps(assignment)[step]
    cases = [sizes(question, docstring) for question in values_of(assignment, step)]
    alike = [
        pair
        for pair in combinations(dict.fromkeys(chain(*cases)), 2)
        if all(case[pair[0]] == case[pair[1]] for case in cases)
    ]
    assert alike == []


def test_sizes_are_read_from_docstrings() -> None:
    found = dict(axes(steps("scaled_dot_product")["scaled_dot_product_attention"]))
    assert found == {"q": ["Tq", "d_k"], "k": ["Tk", "d_k"], "v": ["Tk", "d_v"]}
    assert dict(axes(steps("causal_multihead")["causal_weights"]))["mask"] == ["T", "T"]
    assert dict(axes(steps("self_attention")["SelfAttention_v2"]))["x"] == ["T", "d_in"]
    named = {
        letter
        for place in SIZED
        for _, letters in axes(steps(place[0])[place[1]])
        for letter in letters
    }
    assert {"B", "T", "Tq", "Tk", "d", "d_in", "d_k", "d_v", "H", "w", "trials"} <= named


# What can be put in place of an argument: what it usually is, or what the other arguments tell.
EQUAL = ("torch.full_like(weights, 1 / weights.shape[-1])", "torch.softmax(weights, -1)")
OF_A_CLASS = {
    "d_in": ("3",),
    "d_out": ("2", "d_in"),
    "context_length": ("d_in",),
    "dropout": ("0.0", "0.1", "0.5"),
    "num_heads": ("1", "2"),
    "qkv_bias": ("False", "True"),
}
REPLACED: dict[str, dict[str, dict[str, tuple[str, ...]]]] = {
    "self_attention": {
        "init_weights": {"d_in": ("3",), "d_out": ("2", "d_in"), "seed": ("123",)},
        "project": {"W_query": ("W_key",), "W_key": ("W_query",), "W_value": ("W_key",)},
        "attention_score": {"query": ("key",), "key": ("query",)},
        "attention_scores": {"queries": ("keys",), "keys": ("queries",)},
        "scale_scores": {"d_k": ("2", "scores.shape[0]", "scores.shape[-1]", "scores.ndim")},
        "context_vectors": {"weights": EQUAL},
        "dot_product_variance": {"queries": ("keys",), "keys": ("queries",)},
        "SelfAttention_v1": OF_A_CLASS,
        "SelfAttention_v2": OF_A_CLASS,
        "transfer_weights": {"sa_v2": ("sa_v1",), "sa_v1": ("sa_v2",)},
    },
    "numpy_attention": {
        "numpy_project": {"w_query": ("w_key",), "w_key": ("w_query",), "w_value": ("w_key",)},
        "numpy_scores": {"queries": ("keys",), "keys": ("queries",)},
        "numpy_self_attention": {
            "scaled": ("True", "False"),
            "w_query": ("w_key",),
            "w_key": ("w_query",),
            "w_value": ("w_key",),
        },
        "token_indices": {
            "sentence": ("' '.join(vocabulary)",),
            "vocabulary": ("dict(map(reversed, enumerate(sentence.split())))",),
        },
        "embed": {"indices": ("torch.arange(len(indices))",)},
        "project": {"W_Q": ("W_K",), "W_K": ("W_Q",), "W_V": ("W_K",)},
        "scaled_scores": {"Q": ("K",), "K": ("Q",)},
        "attention_output": {"weights": EQUAL},
    },
    "scaled_dot_product": {
        "make_projections": {"d_model": ("8",)},
        "make_tokens": {"max_sequence_length": ("10",), "d_model": ("8",), "scale": ("10.0",)},
        "project": {"w_query": ("w_key",), "w_key": ("w_query",), "w_value": ("w_key",)},
        "raw_scores": {"q": ("k",), "k": ("q",)},
        "scaled_scores": {"q": ("k",), "k": ("q",)},
        "score_variances": {"q": ("k",), "k": ("q",)},
        "attention_output": {"weights": EQUAL},
        "scaled_dot_product_attention": {"q": ("k",), "k": ("q", "v"), "v": ("k", "q")},
    },
    "causal_multihead": {
        "causal_mask": {"length": ("4", "6")},
        "causal_weights": {
            "queries": ("keys",),
            "keys": ("queries",),
            "mask": (
                "causal_mask(len(mask))",
                "causal_mask(len(mask)) | mask",
                "causal_mask(len(mask)) & mask",
            ),
        },
        "CausalAttention": OF_A_CLASS,
        "MultiHeadAttentionWrapper": OF_A_CLASS,
        "split_heads": {"num_heads": ("1", "2")},
        "MultiHeadAttention": OF_A_CLASS,
    },
}
# Where no case can show that an argument is ignored, and why.
HOLES = {
    ("causal_multihead", name, "context_length", "1024"): "a longer mask hides the same keys"
    for name in ("CausalAttention", "MultiHeadAttentionWrapper", "MultiHeadAttention")
}


def parameters(assignment: str, step: str) -> ast.arguments:
    """Return the parameters of a step in the released stubs; of a class, those of `__init__`."""
    path = ROOT / "assignments" / assignment / f"{assignment}.py"
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    found = next(node for node in nodes if getattr(node, "name", "") == step)
    if isinstance(found, ast.ClassDef):
        found = next(node for node in found.body if getattr(node, "name", "") == "__init__")
    assert isinstance(found, ast.FunctionDef)
    return found.args


def replacements() -> Iterator[tuple[str, str, str, str]]:
    """Yield each argument of each step with what can stand in its place: with nothing, too."""
    for assignment, step in SIZED:
        table = REPLACED[assignment].get(step, {})
        names = [one.arg for one in parameters(assignment, step).args if one.arg != "self"]
        for name in names:
            for other in (f"{name} * 0", *table.get(name, ())):
                yield assignment, step, name, other
    yield from HOLES


def ignoring(assignment: str, step: str, name: str, other: str) -> str:
    """Return the code of a right step with another value in place of an argument."""
    given = parameters(assignment, step)
    names = [one.arg for one in given.args if one.arg != "self"]
    passed = ", ".join(f"{one}=({other})" if one == name else f"{one}={one}" for one in names)
    if given.args[0].arg == "self":
        made = f"    def __init__({ast.unparse(given)}):\n        super().__init__({passed})\n"
        return f"class {step}({step}):\n{made}"
    return f"right_{step} = {step}\ndef {step}({ast.unparse(given)}):\n    return right_{step}({passed})\n"


def lost(assignment: str, change: str, *steps: str) -> list[float]:
    """Return the points that these steps lose in a right file with a change."""
    exam = exam_of(assignment)
    points = points_of(exam, source(assignment, change), *steps)
    most = {check.name: check.points for check in exam.assignment.checks}
    return [most[step] - points[step] for step in steps]


@pytest.mark.parametrize(("assignment", "step", "name", "other"), [*replacements()])
def test_a_step_that_ignores_an_argument_loses_points(
    assignment: str, step: str, name: str, other: str
) -> None:
    [points] = lost(assignment, ignoring(assignment, step, name, other), step)
    assert (points > 0) is ((assignment, step, name, other) not in HOLES)


@pytest.mark.parametrize(
    "step", ["CausalAttention", "MultiHeadAttentionWrapper", "MultiHeadAttention"]
)
def test_a_right_class_beside_weights_with_a_mask_of_their_own_keeps_all(step: str) -> None:
    own = ignoring("causal_multihead", "causal_weights", "mask", "causal_mask(len(mask))")
    assert lost("causal_multihead", own, "causal_weights", step) == [3, 0]
