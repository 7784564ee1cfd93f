"""What is right is right for its role: names, order, use; and what is on a way of its own is not blamed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from autograder.exam.questions import RightValues
from autograder.exam.right_values import arrays_of, kind_of_operation
from autograder.explain.divergence import Divergence, divergence, divergence_finding
from autograder.explain.feedback_text import mark_words
from autograder.explain.marked_trace import MarkedTrace
from autograder.explain.roles import alike, holds_another, order_of
from autograder.explain.traced_lines import lines_of_divergence
from autograder.values.values import freeze
from tests.explain.test_divergence import run

if TYPE_CHECKING:
    import numpy.typing as npt

REFERENCE = """
def project(x, wq, wk, wv):
    return x @ wq, x @ wk, x @ wv

def f(q, k, v, mask):
    queries, keys, values = q + 1, k + 2, v + 3
    scores = queries @ keys.T
    weights = torch.softmax(scores / keys.shape[-1] ** 0.5, dim=-1)
    return weights @ values
"""
NAMES = {
    "q + 1": "queries",
    "k + 2": "keys",
    "v + 3": "values",
    "queries @ keys.T": "scores",
    "torch.softmax(scores / keys.shape[-1] ** 0.5, dim=-1)": "weights",
}


def right_values() -> RightValues:
    trace, answer = run(REFERENCE)
    arrays: list[npt.NDArray[np.float64]] = []
    names: list[tuple[str, int]] = []
    for event in trace.events:
        for one in arrays_of(event.plain):
            if name := NAMES.get(event.site.source):
                names.append((name, len(arrays)))
            arrays.append(one)
    arrays += arrays_of(answer)
    kinds = {kind_of_operation(one.site.node) for one in trace.events} | {"exp", "sum", "scale"}
    return RightValues(tuple(arrays), (), frozenset(kinds), tuple(names), ())


def found_in(body: str, closed: str = "") -> tuple[Divergence, list[tuple[int, str]]]:
    """Return where a function with this body leaves the right way, and the mark of each shown line."""
    lines = "\n".join(f"    {line}" for line in body.split("\n"))
    own = "def scaled(s, n):\n    return s / n**0.5\n\n"
    trace, seen = run(f"{own}def f(q, k, v, mask):\n{lines}\n", closed.__eq__)
    marked = MarkedTrace(trace, right_values())
    left = divergence(marked, run(REFERENCE)[1], seen)
    assert left is not None
    shown = lines_of_divergence(marked, left, public=True)
    return left, [(one.line - 4, mark_words(one)) for one in shown if mark_words(one)]


MADE = "queries, keys, values = q + 1, k + 2, v + 3\n"
SCORES = f"{MADE}scores = queries @ keys.T\n"
CROSSED = "queries = k + 2\nkeys = q + 1\nvalues = v + 3\n"
END = "return torch.softmax(s / 3**0.5, -1) @ values"
WEIGHTS = f"{SCORES}weights = torch.softmax(scores / 3**0.5, dim=-1)\n"
FILLED = f"{WEIGHTS}out = torch.zeros(4, 5)\n"
EACH = f"{FILLED}for i in range(4):\n    for j in range"


@pytest.mark.unit
@pytest.mark.parametrize(
    ("name", "other", "same"),
    [
        ("q", "queries", True),
        ("query", "queries", True),
        ("W_key_2", "w_key", True),
        ("keys", "k", True),
        ("keys", "queries", False),
        ("", "keys", False),
    ],
)
def test_names_that_stand_for_one_thing(name: str, other: str, same: bool) -> None:
    assert alike(name, other) is alike(other, name) is same


@pytest.mark.unit
def test_a_variable_may_hold_the_numbers_of_another_one() -> None:
    queries, keys = np.arange(6.0).reshape(2, 3), np.arange(6.0).reshape(2, 3) ** 2
    right = RightValues((queries, keys), (), frozenset(), (("queries", 0), ("keys", 1)))
    assert holds_another(right, "k", queries, ["q", "x"]) == "q"
    assert holds_another(right, "k", queries.T, ["q"]) == "q"
    assert holds_another(right, "k", keys, ["q"]) is None
    assert holds_another(right, "k", queries, ["x"]) is None  # nothing else should have them
    assert holds_another(right, "rows", queries, ["q"]) is None  # the right way has no such name
    assert holds_another(right, "k", queries + 1, ["q"]) is None


@pytest.mark.unit
def test_a_list_has_the_entries_of_a_right_one_in_this_order_or_another() -> None:
    rows = np.random.default_rng(0).normal(size=(4, 3))
    right = RightValues((rows,), (), frozenset())
    assert order_of(right, freeze(list(rows))) == "same"
    assert order_of(right, freeze(list(rows[:2]))) == "same"  # it is not full yet
    assert order_of(right, freeze(list(rows[::-1]))) == "other"
    assert order_of(right, freeze(list(rows.T))) == "same"
    assert order_of(right, freeze(list(rows[1:]))) == ""
    assert order_of(right, freeze([rows[0]])) == ""
    listed = RightValues((rows, rows * 2), (), frozenset(), (), ((0, 1),))
    assert order_of(listed, freeze([rows * 2, rows])) == "other"


@pytest.mark.parametrize(
    ("body", "kind", "line"),
    [
        # Crossed names, unless all is right with them.
        (f"{MADE.replace('queries, keys', 'keys, queries')}s = queries @ keys.T\n{END}", "crossed", 1),
        (f"{CROSSED}s = queries @ keys.T\n{END}", "crossed", 1),
        (f"{CROSSED}return torch.softmax(keys @ queries.T / 3, -1) @ values", "first", 4),
        # A list in another order; a result that nothing uses; a loop that leaves some out.
        (f"{WEIGHTS}rows = [w @ values for w in weights]\nrows.reverse()\nreturn torch.stack(rows)", "reordered", 5),
        (f"{SCORES}scores.div(3**0.5)\nreturn torch.softmax(scores, -1) @ values", "unused", 3),
        (f"{FILLED}for i in range(1, 4):\n    out[i] = weights[i] @ values\nreturn out", "rounds", 5),
        (f"{EACH}(3):\n        out[i] += weights[i, j] * values[j]\nreturn out", "rounds", 6),
        # Right, although the loop begins later: the rest is done before.
        (f"{FILLED}out[0] = weights[0] @ values\nfor i in range(1, 4):\n    out[i] = out[0]\nreturn out", "first", 7),
        # Products that are added up along a wrong axis: they themselves are a way of their own.
        (f"{WEIGHTS}many = weights[:, :, None] * values[None]\nreturn many.sum(dim=0)", "first", 5),
        (f"{EACH}(4):\n        out[j] += weights[i, j] * values[j]\nreturn out", "first", 7),
        # A number is named where it was made, if it is not the right one.
        (f"{MADE}n = len(queries)\ns = queries @ keys.T / n**0.5\nreturn torch.softmax(s, -1) @ values", "first", 2),
        (f"{MADE}n = keys.shape[-1]\ns = queries @ keys.T * n**0.5\nreturn torch.softmax(s, -1) @ values", "first", 3),
        (f"{MADE}n = keys.shape[-1]\ns = queries @ keys.T / n\nreturn torch.softmax(s, -1) @ values", "first", 3),
        (f"{MADE}n, d = q.shape\ns = queries @ keys.T / n**0.5\nreturn torch.softmax(s, -1) @ values", "first", 3),
        # Either of two may be divided by the root, and not both.
        (f"{MADE}q, k = queries / 3**0.5, keys / 3**0.5\nreturn torch.softmax(q @ k.T, -1) @ values", "first", 2),
        # What is only read was made where its variable got it, among others too.
        (f"{MADE}T, d = keys.T.shape\ns = queries @ keys.T / d**0.5\nreturn torch.softmax(s, -1) @ values", "first", 2),
        (f"{SCORES}n = queries.size(0)\nscores /= n**0.5\nreturn torch.softmax(scores, -1) @ values", "first", 3),
        (f"{SCORES}n = torch.tensor(4.0).sqrt()\ns = scores / n\nreturn torch.softmax(s, -1) @ values", "first", 3),
        (f"{SCORES}n = keys.shape[-1]\nby = 1.0 / n\nreturn torch.softmax(scores * by, -1) @ values", "first", 4),
        # Names are crossed where the trace knows no line that binds them; what is drawn twice is a copy.
        (f"keys, queries = (a for a in (q + 1, k + 2))\nvalues = v + 3\ns = queries @ keys.T\n{END}", "crossed", 3),
        ('p = {"q": k + 2, "k": q + 1}\ns = p["q"] @ p["k"].T\nvalues = v + 3\n' + END, "crossed", 2),
        (f"queries = q + 1\nkeys = q + 1\nvalues = v + 3\ns = queries @ keys.T\n{END}", "copied", 2),
        # Nothing comes after the answer that could be wrong.
        (f"{WEIGHTS}return values.mean(dim=0).expand(4, -1)", "first", 4),
        # Another way is named, and not blamed.
        (f"{SCORES}d = scores**2\nreturn torch.softmax(d, -1) @ values", "another_way", 3),
    ],
)  # fmt: skip
def test_the_line_of_the_fault_is_named(body: str, kind: str, line: int) -> None:
    left, marks = found_in(body)
    assert (left.kind, left.event.site.line - 4) == (kind, line), divergence_finding(left).says
    named = [at for at, words in marks if words != "right"]
    assert named == ([] if kind == "another_way" else [line])


@pytest.mark.parametrize(
    ("body", "before"),
    [
        (
            f"{SCORES}s = scores / 3**0.5\nkept = s * mask\nreturn torch.softmax(kept, -1) @ values",
            "kept",
        ),
        (f"{WEIGHTS}turned = weights.T\nreturn turned.flatten()", "turned"),
        (f"{MADE}both = torch.cat([queries, keys])\ns = both[::2] @ both[1::2].T\n{END}", "both"),
        (f"{WEIGHTS}rows = [w[:2] * 2 for w in weights]\nreturn torch.stack(rows)", "rows"),
    ],
)
def test_a_value_is_not_called_the_first_that_is_made_of_one_on_a_way_of_its_own(
    body: str, before: str
) -> None:
    left, marks = found_in(body)
    assert left.kind == "first"
    assert f"is not right, perhaps since `{before}` is not." in divergence_finding(left).says
    assert "wrong here or before" in dict(marks).values()


def test_scores_that_are_not_scaled_yet_are_called_right_so_far() -> None:
    left, _ = found_in(f"{SCORES}return torch.softmax(scores, dim=0) @ values")
    words = "`scores` is right so far, but something is missing before its softmax."
    assert words in divergence_finding(left).says
    done, _ = found_in(f"{SCORES}s = scores / 3**0.5\nreturn torch.softmax(s, dim=0) @ values")
    assert "`s` is right by itself." in divergence_finding(done).says
    each = (
        f"{SCORES}s = scores / 3**0.5\nreturn torch.stack([torch.log(row) for row in s]) @ values"
    )
    assert "missing" not in divergence_finding(found_in(each)[0]).says


def test_names_with_equal_numbers_are_not_crossed_and_not_right_where_they_are_read() -> None:
    _, marks = found_in(
        f"queries = q + 1\nkeys = q + 1\nboth = (queries, keys)\nvalues = v + 3\ns = queries @ keys.T\n{END}"
    )
    assert dict(marks)[1] == "right"
    assert dict(marks)[2] == "first wrong value"
    assert 3 not in dict(marks)


def test_what_changes_nothing_or_is_not_used_is_not_called_right() -> None:
    _, marks = found_in(
        f"{SCORES}more = queries @ keys.T\nagain = scores * torch.ones(4)\nlost = values * 1\n"
        "return torch.softmax(again / 3, -1) @ values"
    )
    assert marks == [(1, "right"), (2, "right"), (6, "first wrong value")]


def test_a_product_that_changes_nothing_stays_wrong_where_its_axes_are_moved() -> None:
    left, marks = found_in(
        f"{WEIGHTS}mixed = torch.eye(4) @ values\nturned = mixed.mT\nreturn turned.mT"
    )
    assert left.event.site.source == "torch.eye(4) @ values"
    assert [mark for line, mark in marks if line > 3] == ["first wrong value"]


def test_a_number_from_a_right_array_is_not_called_right() -> None:
    _, marks = found_in(
        f"{SCORES}e = torch.exp(scores / 3**0.5)\ntotal = e[0].sum()\nreturn e / total @ values"
    )
    assert dict(marks)[3] == "right"
    assert dict(marks)[4] == "first wrong value"


CALLED = f"{SCORES}s = scaled(scores, 4)\nreturn torch.softmax(s, -1) @ values"


def test_the_number_that_a_right_step_scales_by_is_named_where_it_was_made() -> None:
    body = f"{MADE}n = keys.shape[0]\ns = scaled(queries @ keys.T, n)\nreturn torch.softmax(s, -1) @ values"
    left, marks = found_in(body, closed="scaled")
    assert left.event.site.source == "keys.shape[0]"
    assert (2, "first wrong value") in marks


def test_a_right_step_that_is_called_is_a_black_box() -> None:
    """The line that calls it gets the mark; of its own lines none is shown."""
    left, marks = found_in(CALLED, closed="scaled")
    assert left.event.site.source == "scaled(scores, 4)"
    assert marks == [(1, "right"), (2, "right"), (3, "first wrong value")]
    assert {one.function for one in left.lines} <= {"f"}
    opened, _ = found_in(CALLED)
    assert opened.event.site.function.name == "scaled"


def test_a_right_part_in_the_place_of_another_one_is_named_where_it_was_computed() -> None:
    trace, seen = run("def f(q, k, v, mask):\n    a = q + 1\n    b = q + 1\n    return [a, b]\n")
    right, wanted = run("def f(q, k, v, mask):\n    return [q + 1, k + 2]\n")
    arrays = tuple(one for event in right.events for one in arrays_of(event.plain))
    left = divergence(
        MarkedTrace(trace, RightValues(arrays, (), frozenset({"plus"}))), wanted, seen
    )
    assert left is not None
    assert (left.kind, left.event.site.source, left.event.site.line) == ("another_part", "q + 1", 3)


def test_an_attribute_as_it_was_given_has_no_axes_that_somebody_moved() -> None:
    lines = "    layer = torch.nn.Linear(3, 5)\n    return torch.nn.functional.linear(q, layer.weight{})"
    trace, seen = run(f"def f(q, k, v, mask):\n{lines.format('')}\n")
    right, wanted = run(f"def f(q, k, v, mask):\n{lines.format(', layer.bias')}\n")
    arrays = [one for event in right.events for one in arrays_of(event.plain)]
    turned = tuple(one.T if one.shape == (5, 3) else one for one in arrays)
    known = RightValues(turned, (), frozenset({"product"}))
    left = divergence(MarkedTrace(trace, known), wanted, seen)
    assert left is not None
    assert "layer.weight" in left.event.site.source
    assert "turned" not in {one.mark for one in left.operands}
