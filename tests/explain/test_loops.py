"""What loops show, and loops that are right: of these nothing may be said, whatever else is wrong."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from autograder.explain import loops, not_asked
from autograder.explain.evidence import Evidence
from autograder.explain.foreign import READ
from autograder.explain.student_code import StudentCode
from autograder.values.values import Array

pytestmark = pytest.mark.unit

INPUTS = {
    "queries": Array("tensor", "float32", np.zeros((5, 6), dtype=np.float32)),
    "keys": Array("tensor", "float32", np.zeros((4, 6), dtype=np.float32)),
}
HEAD = "def f(queries, keys):\n"


def evidence(body: str, head: str = HEAD) -> Evidence:
    definition = StudentCode([("work.py", head + body)]).definition("f")
    assert definition is not None
    return Evidence(None, None, INPUTS, definition)


RIGHT = {
    "entries": """\
    out = torch.zeros(len(queries), keys.shape[0])
    for i, q in enumerate(queries):
        for j in range(len(keys)):
            out[i, j] = torch.dot(q, keys[j])
    return out
""",
    "sums": """\
    n, d = queries.shape
    out = torch.zeros(n, len(keys))
    for i in range(n):
        for j in range(len(keys)):
            total = 0
            for k in range(d):
                total += queries[i, k] * keys[j, k]
            out[i, j] = total
    return out
""",
    "lists": """\
    rows = []
    for q in queries:
        row = []
        for k in keys:
            row.append(q @ k)
        rows.append(torch.stack(row))
    return torch.stack(rows)
""",
    "a comprehension": "    return torch.stack([torch.stack([q @ k for k in keys]) for q in queries])\n",
    "one total": """\
    total = 0
    for q in queries:
        for k in keys:
            total += q @ k
    return total
""",
    "a value that goes on": """\
    w = queries
    for i in range(3):
        w = torch.softmax(w, dim=-1)
    return w @ keys.T
""",
    "draws": """\
    matrices = []
    for name in ("query", "key"):
        matrices.append(torch.rand(2, 3))
    return matrices
""",
    "a maximum": """\
    best = queries[0]
    for q in queries:
        if q.sum() > best.sum():
            best = q
    return best @ keys.T
""",
    "a size of one row": """\
    out = []
    for q in queries:
        out.append(q @ keys.T / keys[0].shape[0] ** 0.5)
    return torch.stack(out)
""",
    "a number that nobody counts": """\
    out = torch.zeros(5, 4)
    for i in range(5):
        out[i] = queries[i] @ keys.T
    return out
""",
}


@pytest.mark.parametrize("body", RIGHT.values(), ids=RIGHT.keys())
def test_of_a_right_loop_nothing_is_said(body: str) -> None:
    seen = evidence(body)
    assert loops.ANSWERED.first(seen) is None
    assert READ.first(seen) is None
    assert not_asked.RULES.first(seen) is None


def test_sizes_that_are_unknown_show_nothing() -> None:
    body = "    for i in range(len(queries)):\n        s = keys[i]\n    return s\n"
    found = loops.index_of_another
    assert loops.ANSWERED.first(evidence(body)) is not None
    unknown = Evidence(None, None, {}, evidence(body).definition)
    assert found(loops.ANSWERED._of(unknown)) is None


def test_a_long_function_is_not_read() -> None:
    body = "    for i in range(3):\n        keys[i]\n" * 400 + "    return keys\n"
    assert loops.ANSWERED.first(evidence(body)) is None


@pytest.mark.parametrize(
    "body",
    [
        "    d_k = keys.shape[-1]\n    return queries / d_k\n",
        "    queries = queries.float()\n    return queries @ keys.T\n",
        "    queries, keys = keys, queries\n    return queries @ keys.T\n",
        "    return (queries @ keys.T).to(inputs.dtype) / eps\n",
        "    torch.manual_seed(seed)\n    return torch.rand(len(queries), len(keys))\n",
        "    return softmax(queries @ keys.T, dim=AXIS)\n",
    ],
)
def test_names_that_do_no_harm_are_not_told(body: str) -> None:
    file = "inputs = torch.rand(6, 3)\neps = 1e-8\nseed = 123\nAXIS = -1\nsoftmax = nn.Softmax\n"
    assert READ.first(evidence(body, file + HEAD)) is None


@pytest.mark.parametrize(
    ("condition", "told"),
    [("mask is not None", False), ("mask is None", True), ("not mask", True), ("mask", False)],
)
def test_a_part_counts_where_it_runs(condition: str, told: bool) -> None:
    head = "def f(queries, keys, mask=None):\n"
    body = f"    s = queries @ keys.T\n    if {condition}:\n        s = s.tril()\n    return s\n"
    asked = replace(evidence(body, head), parts=())
    assert (not_asked.RULES.first(asked) is not None) is told
