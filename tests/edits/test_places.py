"""Each kind of edit, on small definitions that are made up for it."""

from __future__ import annotations

import ast
import functools

import pytest

from autograder.edits.places import edited, edits_of, in_words, normalised
from tests.exams import ASSIGNMENTS, source_of

SCORES = "def scores(queries, keys):\n    return queries @ keys.T\n"
SOFTMAX = "def weights(scores):\n    return scores.softmax(dim=-1)\n"
SCALED = "def scaled(scores, d_k):\n    return scores / d_k ** 0.5\n"
PARTS = "def parts(x, m):\n    return x @ m, m, m.sum(0)\n"
CLASS = '''
class Layer(nn.Module):
    """A layer."""

    def __init__(self, d_in: int, d_out: int) -> None:
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        queries = self.W_query(x)
        keys = self.W_key(x)
        scores = queries @ keys.T
        return torch.softmax(scores / keys.shape[-1] ** 0.5, dim=-1) @ self.W_value(x)
'''
COUNTED = """
def counted(words, twice):
    found = {}
    for number, word in enumerate(words):
        found[word] = number
    return list(found) if twice else found
"""


@functools.cache
def written(source: str) -> set[tuple[str, str]]:
    """Return the code of each edit of a function, with what its last line is then."""
    found = set()
    for edit in edits_of(normalised(source)):
        *_, last = edit.changes[-1]
        found.add((edit.code, last if "=" in last else ast.unparse(ast.parse(last))))
    return found


# A function, the code of an edit, and what the edit writes.
KINDS = (
    (SCORES, "transpose-left-out", "keys"),
    (SCORES, "transpose-added", "queries.T"),
    (SCORES, "operands-exchanged", "keys.T @ queries"),
    (SCORES, "operation-left-out", "queries"),
    (SCORES, "input-for-another", "keys"),
    (SCORES, "operator-other", "queries * keys.T"),
    (SCORES, "reshaped", "keys.reshape(keys.shape[::-1])"),
    (SCORES, "scaled-again", "queries @ keys.T / (queries @ keys.T).shape[-1] ** 0.5"),
    (SCORES, "absolute", "abs(queries @ keys.T)"),
    (SCORES, "rounded", "(queries @ keys.T).round()"),
    (SCORES, "cut", "(queries @ keys.T).detach()"),
    (SCORES, "nothing-returned", "pass"),
    (SCORES, "more-returned", "return (queries @ keys.T, keys)"),
    (SCORES, "returned-earlier", "return keys"),
    (SOFTMAX, "axis-first", "dim=0"),
    (SOFTMAX, "axis-none", "scores.softmax()"),
    (SOFTMAX, "call-left-out", "scores"),
    (SOFTMAX, "function-sigmoid", "scores.sigmoid()"),
    (SCALED, "operation-left-out", "d_k"),
    (SCALED, "power-without-brackets", "d_k ** 1 / 2"),
    (SCALED, "power-without-brackets", "scores / d_k ** 1 / 2"),
    (SCALED, "constant-other", "2"),
    (SCALED, "operator-other", "scores * d_k ** 0.5"),
    (PARTS, "parts-exchanged", "tuple(map((x @ m, m, m.sum(0)).__getitem__, (1, 0, 2)))"),
    (PARTS, "function-mean", "m.mean(0)"),
    (COUNTED, "statement-left-out", "pass"),
    (COUNTED, "call-left-out", "words"),
    ("def f(x):\n    return torch.softmax(x, dim=0)\n", "axis-none", "x.reshape(-1).softmax(0).reshape(x.shape)"),
    ("def f(x):\n    return x / x.shape[0]\n", "constant-for-a-size", "64"),
    ("def f(x):\n    return x - x.max()\n", "axis-first", "x.max(axis=0)"),
    ("def f(a, b):\n    return torch.outer(a, b)\n", "arguments-exchanged", "torch.outer(b, a)"),
    ("def f(x):\n    return f(x)\n", "done-twice", "f(f(x))"),
    ("def f(x):\n    return f(x, wide=True)\n", "option-left-out", "f(x)"),
    ("def f(x):\n    return f(x, wide=True)\n", "option-other", "False"),
)  # fmt: skip


@pytest.mark.unit
def test_each_kind_of_edit_is_found() -> None:
    lacking = [
        (source, code, new, sorted(text for kind, text in written(source) if kind == code))
        for source, code, new in KINDS
        if (code, new) not in written(source)
    ]
    assert lacking == [], "a function, a code, what is not written, and what is written instead"


@pytest.mark.unit
@pytest.mark.parametrize("source", [SCORES, SOFTMAX, SCALED, PARTS, CLASS, COUNTED])
def test_every_edit_can_be_made_and_says_what_stood_in_its_place(source: str) -> None:
    source = normalised(source)
    edits, whole = list(edits_of(source)), " ".join(source.split())
    assert len(edits) > 40
    for edit in edits:
        ast.parse(edited(source, edit))
        pairs = in_words(source, edit)
        assert len(pairs) == len(edit.changes)
        assert all(old in whole for old, _ in pairs)
    single = [edit.changes for edit in edits if len(edit.changes) == 1]
    assert len(single) == len(set(single))


@pytest.mark.unit
def test_the_same_edit_is_made_in_all_places_at_once_too() -> None:
    source = normalised(CLASS)
    every = [edit for edit in edits_of(source) if edit.code == "option-left-out"]
    biases = max(every, key=lambda edit: len(edit.changes))
    assert {len(edit.changes) for edit in every} >= {1, 3}
    assert "bias" not in edited(source, biases)


@pytest.mark.unit
def test_methods_use_one_matrix_for_another() -> None:
    edits = [edit for edit in edits_of(normalised(CLASS)) if edit.code == "matrix-for-another"]
    news = {new for edit in edits for *_, new in edit.changes}
    assert {"self.W_query", "self.W_key", "self.W_value"} <= news


@pytest.mark.unit
@pytest.mark.parametrize(
    ("source", "plain"),
    [
        (
            'def f(x: int) -> int:\n    """Words."""\n    y = x + 1\n    return y * 2\n',
            "def f(x):\n    return (x + 1) * 2",
        ),
        ("def f(x):\n    y = x + 1\n    return y * y\n", "def f(x):\n    y = x + 1\n    return y * y"),
        ('def f(x):\n    """Words."""\n', "def f(x):\n    pass"),
    ],
)  # fmt: skip
def test_a_definition_is_normalised(source: str, plain: str) -> None:
    assert normalised(source) == plain


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_a_reference_has_edits_of_most_kinds(name: str) -> None:
    source = source_of(name)
    codes = {
        edit.code
        for cell in (*source.script, *source.restated)
        if cell.kind == "step"
        for edit in edits_of(normalised(cell.source))
    }
    assert len(codes) > 35
