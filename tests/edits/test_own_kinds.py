"""Each kind of edit that may repair a student's line, on small definitions that are made up for it."""

from __future__ import annotations

import ast

import pytest

from autograder.edits.own_kinds import COSTS, own_changes
from autograder.edits.places import edited, edits_of, expression_around

pytestmark = pytest.mark.unit

# The body of a function of x, y and n, the code of an edit, and what stands in the function then.
KINDS = (
    ("return x ^ 2", "caret", "x ** 2"),
    ("x.sort(n)\n    return x", "result-dropped", "x = x.sort(n)"),
    ("return [[0] * n] * n", "same-object", "[[0] * n for _ in range(n)]"),
    ("return torch.softmax(x, 0)", "axis-other", "torch.softmax(x, -1)"),
    ("return x.sum(dim=1)", "axis-first", "x.sum(dim=0)"),
    ("return x.sum(dim=0)", "axis-second", "x.sum(dim=1)"),
    ("return x.sum(dim=0)", "axis-before-last", "x.sum(dim=-2)"),
    ("return x.sum(dim=0)", "axis-last", "x.sum(dim=-1)"),
    ("return x.sum(dim=0)", "axis-none", "x.sum()"),
    ("return x / n ** 1 / 2", "brackets", "x / n ** (1 / 2)"),
    ("return x @ y.T", "transpose-left-out", "x @ y"),
    ("return x.T @ y", "transpose-moved", "x @ y.swapaxes(-1, -2)"),
    ("return x @ y.T", "matrices-exchanged", "y @ x.swapaxes(-1, -2)"),
    ("return torch.matmul(x, y)", "transpose-missing", "torch.matmul(x, y.swapaxes(-1, -2))"),
    ("return x.transpose(0, 1)", "transpose-other", "x.swapaxes(1, 2)"),
    ("return x.sum(-1)", "axes-kept", "x.sum(-1, keepdims=True)"),
    ("y, n = torch.max(x, dim=1)\n    return y", "axes-kept", "torch.max(x, dim=1, keepdims=True)"),
    ("return x - x.max(1).values", "axes-kept", "x.max(1, keepdims=True).values"),
    ("return x.sum(-1, keepdims=False)", "option-other", "x.sum(-1, keepdims=True)"),
    ("return x.masked_fill(y, n)", "opposite", "x.masked_fill(~y, n)"),
    ("return -x @ y", "sign-left-out", "x @ y"),
    ("return x.masked_fill(y, 0)", "mask-too-large", "x.masked_fill(y[..., :x.shape[-2], :x.shape[-1]], 0)"),
    ("return x / n ** 0.5", "size", "x / x.shape[-1] ** 0.5"),
    ("return x @ y", "sign", "-x @ y"),
    ("return x < n", "comparison", "x <= n"),
    ("return torch.einsum('qk,qd->qd', x, y)", "letters", "'qk,kd->qd'"),
    ("return torch.einsum('qd,kd->qk', x, y)", "letters", "'qd,kd->kq'"),
    ("return x.permute(2, 1, 0)", "transpose-other", "x.swapaxes(-1, -2)"),
    ("return x - y", "operands-exchanged", "y - x"),
    ("return torch.rand(n, x)", "arguments-exchanged", "torch.rand(x, n)"),
    ("x += y\n    return x", "in-place", "x = x + y"),
    ("return [x[i] for i in range(1, n)]", "range", "range(n)"),
    ("return torch.arange(1, n + 1)", "range", "torch.arange(n + 1 - 1)"),
    ("return x[n - y :]", "one-off", "x[n - y + 1:]"),
    ("return torch.triu(x)", "function-other", "torch.tril(x)"),
    ("return x.var(0)", "option-missing", "x.var(0, correction=0)"),
    ("return nn.Linear(n, x)", "option-missing", "nn.Linear(n, x, bias=False)"),
    ("return len(x)", "size", "x.shape[-1]"),
    ("return x.view(n, 2, 3, 4)", "order-of-axes", "x.view(n, 3, 2, 4).transpose(1, 2)"),
    ("return x + y", "operator-other", "x - y"),
    ("return x * y", "product-by-numbers", "x @ y.swapaxes(-1, -2)"),
    ("return x @ y * n", "operation-left-out", "return x @ y"),
    ("return torch.exp(x)", "call-left-out", "return x"),
    ("return torch.ones(n, dtype=x)", "option-left-out", "torch.ones(n)"),
    ("return x[n]", "index-order", "x[:, n]"),
    ("return x[:n]", "index-order", "x[:n, :n]"),
    ("return x[n]", "index-left-out", "return x"),
    ("return y, x", "parts-exchanged", "(1, 0)"),
    ("y, n = x\n    return n", "parts-exchanged", "n, y = x"),
    ("if n:\n        return x\n    return y", "condition", "not n"),
    ("return x @ y", "input-for-another", "x @ x"),
    ("return x / width", "size-of-the-file", "x / y.shape[-1]"),
    ("return (x + y) * n", "returned-earlier", "return x + y"),
    ("return x[2]", "constant-other", "x[1]"),
    ("return x / n", "root-missing", "x / n ** 0.5"),
    ("y = x\n    x = n\n    return y", "statement-order", "x = n\n    y = x"),
    ("x = n\n    return y", "statement-left-out", "pass"),
    ("n = 0\n    for i in y:\n        n += i\n    return n", "moved-in", "for i in y:\n        n = 0"),
    ("return np.sqrt(x.shape)", "size", "x.shape[-1]"),
    ("for i in y:\n        x = i\n        n = x\n    return n", "moved-out", "x = i\n    n = x"),
    ("for i in y:\n        x = []\n        n = x\n    return n", "moved-before", "x = []\n    for"),
)  # fmt: skip
CLASS = """class Layer(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_out, d_in)
        self.W_key = nn.Linear(d_in, d_out)

    def forward(self, x):
        return self.W_query(x) @ self.W_query(x).T
"""


def function(body: str) -> str:
    return f"def f(x, y, n):\n    {body}\n"


def texts(source: str, code: str) -> set[str]:
    """What stands in a definition with each edit of a kind, without brackets that say nothing."""
    every = [
        edited(source, one)
        for one in edits_of(source, own_changes, everywhere=True)
        if one.code == code
    ]
    return {ast.unparse(ast.parse(text)) for text in every}


@pytest.mark.parametrize(("body", "code", "written"), KINDS)
def test_a_kind_writes_what_may_belong_there(body: str, code: str, written: str) -> None:
    assert any(written in text for text in texts(function(body), code))


def test_methods_use_one_layer_for_another() -> None:
    other = "self.W_query(x) @ self.W_key(x).T"
    assert any(other in text for text in texts(CLASS, "matrix-for-another"))
    assert any(
        "nn.Linear(d_in, d_out)\n        self.W_key" in text
        for text in texts(CLASS, "arguments-exchanged")
    )


def test_every_kind_is_made_by_some_line_and_has_a_cost() -> None:
    assert {code for _, code, _ in KINDS} | {"matrix-for-another"} == COSTS.keys()
    for source in (*(function(body) for body, *_ in KINDS), CLASS):
        assert {one.code for one in edits_of(source, own_changes)} <= COSTS.keys()


def test_the_same_edit_is_made_in_all_places_at_once_too() -> None:
    assert function("return x.sum(1) / y.sum(1)").replace("(1)", "((0))") in {
        edited(one, edit)
        for one in [function("return x.sum(1) / y.sum(1)")]
        for edit in edits_of(one, own_changes)
    }


@pytest.mark.parametrize(
    ("body", "code", "around"),
    [
        ("return torch.softmax(x @ y.T, dim=0)", "axis-last", "torch.softmax(x @ y.T, dim=0)"),
        ("return torch.softmax(x @ y.T, dim=0)", "transpose-left-out", "x @ y.T"),
        ("for i in y:\n        x = i\n        n = x\n    return n", "moved-out", "for i in y"),
        ("return x", "input-for-another", "return x"),
    ],
)
def test_what_is_quoted_is_the_expression_around_an_edit(body: str, code: str, around: str) -> None:
    source = function(body)
    edit = next(one for one in edits_of(source, own_changes) if one.code == code)
    assert expression_around(source, edit) == around
