"""One spelling for each operation, whatever a student writes for it."""

from __future__ import annotations

import ast

import pytest

from autograder.explain.operations import normal, number_of
from autograder.explain.syntax import matching

pytestmark = pytest.mark.unit

SPELLINGS = {
    "a * b": ("torch.mul(a, b)", "a.mul(b)", "np.multiply(a, b)", "torch.multiply(a, b)"),
    "a @ b": ("torch.matmul(a, b)", "torch.mm(a, b)", "a.matmul(b)", "np.dot(a, b)", "a.dot(b)"),
    "a / b": ("torch.div(a, b)", "a.div(b)", "np.divide(a, b)"),
    "a ** 0.5": ("torch.sqrt(a)", "math.sqrt(a)", "a.sqrt()", "np.sqrt(a)"),
    "a ** -0.5": ("torch.rsqrt(a)", "a.rsqrt()"),
    "a.shape": ("a.size()",),
    "a.shape[0]": ("len(a)", "a.size(0)", "a.size(dim=0)"),
    "a.ndim": ("a.dim()", "len(a.shape)", "len(a.size())", "np.ndim(a)"),
    "softmax(a, dim=0)": (
        *("torch.softmax(a, 0)", "F.softmax(a, dim=0)", "a.softmax(0)", "nn.Softmax(dim=0)(a)"),
        "nn.Softmax(0)(a)",
    ),
    "sum(a, dim=1)": ("torch.sum(a, 1)", "a.sum(axis=1)", "np.sum(a, axis=1)", "a.sum(1)"),
}
ROWS = [(plain, spelt) for plain, others in SPELLINGS.items() for spelt in others]


def test_a_spelling_is_matched_by_the_plain_pattern() -> None:
    unmatched = [
        (plain, spelt)
        for plain, spelt in ROWS
        if not any(matching(plain, [ast.parse(spelt, mode="eval").body]))
    ]
    assert unmatched == []


@pytest.mark.parametrize(
    ("pattern", "other"),
    [
        ("a @ b", "torch.mul(a, b)"),
        ("a * b", "torch.matmul(a, b)"),
        ("a.shape[0]", "a.size(1)"),
        ("a.ndim", "len(a)"),
        ("softmax(a, dim=0)", "torch.softmax(a, dim=-1)"),
        ("sum(a, dim=1)", "a.sum()"),
        ("a @ b", "model.mul(a, b)"),
    ],
)
def test_another_operation_is_not_matched(pattern: str, other: str) -> None:
    assert not any(matching(pattern, [ast.parse(other, mode="eval").body]))


@pytest.mark.parametrize(
    ("text", "number"), [("-1", -1), ("1 / 2", 0.5), ("0.5", 0.5), ("1 / 0", None), ("n", None)]
)
def test_a_number_is_read_as_it_is_written(text: str, number: float | None) -> None:
    assert number_of(ast.parse(text, mode="eval").body) == number


@pytest.mark.parametrize("text", ["f" + "()" * 900, "len(" * 80 + "x" + ")" * 80])
def test_a_deep_expression_is_read(text: str) -> None:
    node = ast.parse(text, mode="eval").body
    assert normal(node) is not None
    assert not any(matching("_ @ _", ast.walk(node)))
