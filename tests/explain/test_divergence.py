"""The first value that is not right: which expression is named, and what is said of its operands."""

from __future__ import annotations

import ast
import types
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from autograder.assignment.recorder import Recorder
from autograder.exam.questions import RightValues
from autograder.exam.right_values import arrays_of, kind_of_operation
from autograder.explain.divergence import (
    Divergence,
    divergence,
    divergence_finding,
    line_finding,
)
from autograder.explain.marked_trace import MarkedTrace
from autograder.explain.right_numbers import RightNumbers
from autograder.explain.trace import SiteTable, Trace, read_trace
from autograder.results import TracedLine
from autograder.values.values import Value, freeze

if TYPE_CHECKING:
    from collections.abc import Callable

REFERENCE = """
def softmax(scores):
    return torch.softmax(scores, dim=-1)

def f(q, k, v, mask):
    scores = q @ k.T
    hidden = scores.masked_fill(mask, float("-inf"))
    weights = softmax(hidden / k.shape[-1] ** 0.5)
    return weights @ v
"""


def run(source: str, is_closed: Callable[[str], bool] = lambda _: False) -> tuple[Trace, Value]:
    """Return the trace of `f` on fixed inputs, and what it returned."""
    import torch  # noqa: PLC0415 - only where a test runs

    module, recorder = types.ModuleType("work"), Recorder()
    tree = ast.parse(source)
    recorder.prepare(module, tree.body)
    vars(module)["torch"] = torch
    exec(compile(tree, "work.py", "exec"), vars(module))
    torch.manual_seed(3)
    q, k, v = torch.randn(4, 3), torch.randn(4, 3), torch.randn(4, 5)
    with recorder.recording():
        answer = freeze(module.f(q, k, v, torch.ones(4, 4).triu(1).bool()))
    table = SiteTable([("work.py", source)])
    return read_trace(recorder.records(), table, is_closed), answer


def found_in(body: str, above: str = "") -> Divergence:
    """Return where a function with this body leaves the right computation."""
    right, wanted = run(REFERENCE)
    values = [one.plain for one in right.events]
    arrays = {one.tobytes(): one for value in values for one in arrays_of(value)}
    masks = [value.data for value in values if getattr(value, "dtype", "") == "bool"]  # type: ignore[union-attr]
    kinds = {kind_of_operation(one.site.node) for one in right.events} | {"exp", "sum", "plus"}
    known = RightValues(tuple(arrays.values()), tuple(masks), frozenset(kinds))
    lines = "\n".join(f"    {line}" for line in body.split("\n"))
    trace, seen = run(f"{above}def f(q, k, v, mask):\n{lines}\n")
    found = divergence(MarkedTrace(trace, known), wanted, seen)
    assert found is not None
    return found


def words_of(body: str, above: str = "") -> str:
    return divergence_finding(found_in(body, above)).says


SCORES = "s = q @ k.T\n"
HIDDEN = "s = (q @ k.T).masked_fill(mask, -torch.inf)\n"
WEIGHTS = f"{HIDDEN}w = torch.softmax(s / 3**0.5, dim=-1)\n"


LOOP = f"{WEIGHTS}out = torch.zeros(4, 5)\n"
EARLIER = f"""{WEIGHTS}rows, t = [], torch.zeros(5)
for i in (3, 2, 1, 0):
    for j in range(4):
        t = t + w[i, j] * v[j]
    rows.append(t)
return torch.stack(rows)"""


@pytest.mark.parametrize(
    ("body", "named"),
    [
        (f"{HIDDEN}return torch.softmax(s / 3, dim=-1) @ v", "s / 3"),
        (f"{HIDDEN}return torch.softmax(s / 3**0.5, dim=0) @ v", "torch.softmax(s / 3**0.5, dim=0)"),
        (f"{WEIGHTS}w = w + 0.1\nreturn w @ v", "w + 0.1"),
        (f"{WEIGHTS}return w @ (v - 1)", "v - 1"),
        (f"{SCORES}w = torch.softmax(s / 3**0.5, dim=-1)\nreturn w @ v", "torch.softmax(s / 3**0.5, dim=-1)"),
        (f"{SCORES}s = s.masked_fill(~mask, -9.0)\nreturn torch.softmax(s, -1) @ v", "s.masked_fill(~mask, -9.0)"),
        # Other right ways, up to the mistake.
        (f"{HIDDEN}e = (s / 3**0.5).exp()\nw = e / e.sum(-1)\nreturn w @ v", "e / e.sum(-1)"),
        (f"{HIDDEN}m = s / 3**0.5\ne = (m - m.max()).exp()\nreturn (e / e.sum(0)) @ v", "e.sum(0)"),
        (f"{HIDDEN}e = (s / 3**0.5).exp()\nm = e @ v\nt = e.sum(-1, keepdim=True)\nreturn m / (t + 1)", "t + 1"),
        ("s = (q / 3**0.5) @ k.T\nw = torch.softmax(s, -1)\nreturn w @ v", "torch.softmax(s, -1)"),
        (f"{LOOP}for i in range(4):\n    out[i] = w[i] @ v + i\nreturn out", "w[i] @ v + i"),
        # An operation that the right computation has not; what led to something right in an earlier round; a shape.
        (f"{WEIGHTS}return (w @ v).exp().log1p().sqrt()", "(w @ v).exp()"),
        (EARLIER, "t"),
        (f"k = torch.relu(k)\n{HIDDEN}return torch.softmax(s / k.shape[-1] ** 0.5, dim=-1) @ v", "torch.relu(k)"),
    ],
)  # fmt: skip
def test_the_first_wrong_value_is_named(body: str, named: str) -> None:
    found = found_in(body)
    assert (found.kind, found.event.site.source) == ("first", named)


@pytest.mark.parametrize(
    ("body", "kind", "named"),
    [
        (f"{HIDDEN}return torch.softmax((s / 3) ** 0.5, dim=-1) @ v", "not_finite", "(s / 3) ** 0.5"),
        # A wrong mask before the nan that it makes; an inf that hides scores is right.
        (
            f"{SCORES}s = s.masked_fill(~mask, -torch.inf)\nreturn torch.softmax(s, -1) @ v",
            "not_finite",
            "s.masked_fill(~mask, -torch.inf)",
        ),
        (f"{HIDDEN}return torch.softmax(s.T, -1).log() @ v", "not_finite", "torch.softmax(s.T, -1).log()"),
        (f"{WEIGHTS}return w", "on_the_way", "w"),
        (f"{SCORES}d = (s**2).sum(-1, keepdim=True) - s\nreturn torch.softmax(d, -1) @ v", "another_way", "s**2"),
    ],
)  # fmt: skip
def test_a_value_may_be_wrong_in_other_ways(body: str, kind: str, named: str) -> None:
    found = found_in(body)
    assert (found.kind, found.event.site.source) == (kind, named)


@pytest.mark.parametrize(
    ("body", "before"),
    [
        (
            "m = torch.ones(4, 4).tril().bool()\nreturn torch.softmax((q @ k.T).masked_fill(m, -9.0), -1) @ v",
            "m",
        ),
        (f"{WEIGHTS}sizes = (5, 4)\nreturn (w @ v).reshape(*sizes)", "sizes"),
        (f"{WEIGHTS}return (w @ v).reshape(5, 4)", ""),
    ],
)
def test_a_mask_or_a_shape_from_another_line_may_be_what_is_wrong(body: str, before: str) -> None:
    found = found_in(body)
    assert (found.unjudged.site.source if found.unjudged else "") == before


def test_what_it_was_made_of_is_told() -> None:
    found = found_in(f"{SCORES}s = s.masked_fill(~mask, -9.0)\nreturn torch.softmax(s, -1) @ v")
    assert [(one.event.site.source, one.mark, one.mask) for one in found.operands] == [
        ("s", "right", ""),
        ("~mask", "none", "opposite"),
    ]
    words = divergence_finding(found).says
    assert words.startswith("Line 3: `s.masked_fill(~mask, -9.0)` is the first value that is not")
    assert "`~mask` is the opposite of the right mask." in words


ROWS = f"{WEIGHTS}rows, row = [], torch.zeros(5)\nfor one in w:\n    row.copy_(one @ v)\n"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (f"{ROWS}    rows.append(row)\nreturn torch.stack(rows)", "All its entries are the same."),
    ],
)
def test_what_was_copied_is_told(body: str, said: str) -> None:
    words = words_of(body)
    assert said in words
    assert "Nothing uses" not in words


def test_a_variable_of_the_file_in_a_right_operand_is_not_told() -> None:
    found = found_in(f"{HIDDEN}return torch.softmax(s / ROOT, dim=0) @ v", "ROOT = 3**0.5\n")
    assert (found.event.site.source, found.origins) == ("torch.softmax(s / ROOT, dim=0)", ())


def test_beside_shown_lines_the_place_is_not_said_again() -> None:
    found = found_in(f"{HIDDEN}return torch.softmax(s / 3, dim=-1) @ v")
    beside = replace(found, lines=(TracedLine("work.py", 3, "f", "return"),))
    said = [line_finding(one) for one in (found, beside)]
    assert [one and one.says for one in said] == ["It begins in line 3: `s / 3`.", ""]


def test_what_is_right_of_an_answer_without_all_parts_is_not_blamed() -> None:
    source = (
        "def f(q, k, v, mask):\n    s = q @ k.T\n    w = torch.softmax(s, dim=-1)\n    return s, w"
    )
    right, wanted = run(f"{source}, w @ v\n")
    arrays = tuple(array for one in right.events for array in arrays_of(one.plain))
    known = RightValues(arrays, (), frozenset({"plus"}))
    trace, seen = run(f"{source}\n")
    assert divergence(MarkedTrace(trace, known), wanted, seen) is None
    trace, seen = run(f"{source.replace('s, w', 's, w + 1')}\n")
    found = divergence(MarkedTrace(trace, known), wanted, seen)
    assert found is not None
    assert found.event.site.source == "w + 1"


def test_scores_divided_by_a_root_are_no_other_right_way() -> None:
    queries, keys = np.arange(30.0).reshape(5, 6) ** 0.5, np.arange(24.0).reshape(4, 6) ** 0.4
    numbers = RightNumbers([queries, keys, queries @ keys.T])
    assert numbers.order_of(queries / 6**0.5)
    assert not numbers.order_of(queries @ keys.T / 2)


@pytest.mark.parametrize(
    ("statement", "unused"),
    [
        ("s.masked_fill(mask, -torch.inf)", True),
        ("torch.exp(s)", True),
        ("s.masked_fill_(mask, -torch.inf)", False),
        ("q.mul_(2)", False),
        ("torch.manual_seed(3)", False),
        ("print(s)", False),
    ],
)
def test_a_result_that_nothing_uses_is_told(statement: str, unused: bool) -> None:
    words = words_of(f"{SCORES}{statement}\nreturn torch.softmax(s / 2, dim=-1) @ v")
    assert (f"Nothing uses the result of `{statement}` in line 3." in words) is unused


def test_heads_and_sequences_in_one_axis_are_right_in_either_order() -> None:
    heads = np.random.default_rng(3).normal(size=(2, 3, 4, 5))
    known = RightNumbers([heads])
    assert known.order_of(heads.reshape(6, 4, 5)) == "same"
    assert known.order_of(heads.swapaxes(0, 1).reshape(6, 4, 5)) == "same"
    assert known.order_of(heads.swapaxes(1, 2).reshape(6, 4, 5)) == ""


def test_no_number_is_shown() -> None:
    shown = words_of(f"{HIDDEN}return torch.softmax(s / 2.7182, dim=-1) @ v")
    _, wanted = run(REFERENCE)
    numbers = np.concatenate([one.ravel() for one in arrays_of(wanted)])
    assert len(numbers) > 9
    assert not any(f"{abs(number):.2f}" in shown for number in numbers)


def test_a_call_is_of_the_kind_of_the_layer_that_is_called() -> None:
    node = ast.parse("self.anything(x)", mode="eval").body
    assert kind_of_operation(node) == kind_of_operation(node, "Own") == ""
    assert kind_of_operation(node, "Linear") == "product"


def test_the_arguments_of_the_last_call_of_a_function_are_known_by_its_parameters() -> None:
    source = """def times(a, b, c=1):
    return a * b

def f(q, k, v, mask):
    times(q, 2)
    return times(k.T, b=3, c=v)
"""
    trace, _ = run(source)
    function = ast.parse(source).body[0]
    assert isinstance(function, ast.FunctionDef)
    given = trace.given_to(function)
    assert [*given] == ["a", "b", "c"]
    assert [one.shape for name in "ac" for one in arrays_of(given[name])] == [(3, 4), (4, 5)]
    assert given["b"] == 3
    function.name = "never_called"
    assert trace.given_to(function) == {}
