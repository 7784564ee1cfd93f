"""The lines beside what they computed: which are shown, with which shapes and marks, and which sizes are hidden."""

from __future__ import annotations

import re

import pytest

from autograder.exam.questions import NO_VALUES, RightValues
from autograder.exam.right_values import arrays_of, kind_of_operation
from autograder.explain.divergence import divergence
from autograder.explain.feedback_text import mark_words
from autograder.explain.marked_trace import MarkedTrace
from autograder.explain.traced_lines import MOST_LINES, lines_of_divergence, lines_of_exception
from autograder.results import Frame, TracedLine
from tests.explain.test_divergence import REFERENCE, run

Row = tuple[int, str, str, str]


def right_values() -> RightValues:
    events = run(REFERENCE)[0].events
    arrays = {one.tobytes(): one for event in events for one in arrays_of(event.plain)}
    kinds = {kind_of_operation(one.site.node) for one in events} | {"exp", "sum", "plus"}
    return RightValues(tuple(arrays.values()), (), frozenset(kinds))


def lines_in(source: str, *, public: bool = True) -> tuple[TracedLine, ...]:
    """Return the lines around the first value of `f` that is not right."""
    trace, seen = run(source)
    marked = MarkedTrace(trace, right_values())
    found = divergence(marked, run(REFERENCE)[1], seen)
    assert found is not None
    return lines_of_divergence(marked, found, public=public)


def rows(lines: tuple[TracedLine, ...]) -> list[Row]:
    return [(one.line, one.text, one.shape, mark_words(one)) for one in lines]


def stopped(source: str, *frames: Frame, known: RightValues | None = None) -> list[Row]:
    marked = MarkedTrace(run(source)[0], right_values() if known is None else known)
    return rows(lines_of_exception(marked, frames, public=True))


WRONG_SCALE = """def f(q, k, v, mask):
    scores = q @ k.T
    hidden = scores.masked_fill(mask, -torch.inf)
    weights = torch.softmax(
        hidden / 3, dim=-1)
    return weights @ v
"""


def test_a_loop_is_one_line_with_its_rounds() -> None:
    source = """def f(q, k, v, mask):
    scores = (q @ k.T).masked_fill(mask, -torch.inf)
    rows = []
    for i in range(4):
        row = scores[i] / 3**0.5
        rows.append(torch.softmax(row * (1 if i < 2 else 2), dim=-1) @ v)
    return torch.stack(rows)
"""
    every = rows(lines_in(source))
    assert every[0] == (1, "def f(q, k, v, mask):", "(4, 3), (4, 3), (4, 5), (4, 4)", "")
    assert every[2:4] == [
        (4, "    for i in range(4):", "4 rounds", ""),
        (5, "        row = scores[i] / 3**0.5", "(4,)", "right"),
    ]
    assert every[4][3] == "right until i = 1, wrong from i = 2"
    unnamed = lines_in(source.replace("for i in range(4)", "for i, _ in enumerate(q)"))
    assert {line: mark for line, _, _, mark in rows(unnamed)}[
        6
    ] == "right until round 2, wrong from round 3"


def test_a_helper_comes_after_the_line_that_calls_it() -> None:
    source = """def f(q, k, v, mask):
    hidden = (q @ k.T).masked_fill(mask, -torch.inf)
    return soft(hidden / 3**0.5) @ v

def soft(scores):
    exps = torch.exp(scores)
    return exps / exps.sum(0, keepdim=True)
"""
    found = lines_in(source)
    assert [(one.function, *row) for one, row in zip(found, rows(found), strict=True)] == [
        ("f", 3, "soft(hidden / 3**0.5)", "", ""),
        ("soft", 5, "def soft(scores):", "(4, 4)", ""),
        ("soft", 6, "    exps = torch.exp(scores)", "(4, 4)", "right"),
        ("soft", 7, "    return exps / exps.sum(0, keepdim=True)", "(4, 4)", "first wrong value"),
    ]


def test_a_call_of_an_object_of_ones_own_is_the_line_that_calls() -> None:
    source = """class Soft:
    def __call__(self, scores):
        exps = torch.exp(scores)
        return exps / exps.sum(0, keepdim=True)

def f(q, k, v, mask):
    hidden = (q @ k.T).masked_fill(mask, -torch.inf)
    return Soft()(hidden / 3**0.5) @ v
"""
    found = lines_in(source)
    assert [(one.function, one.line) for one in found[:2]] == [("f", 8), ("__call__", 2)]


def test_a_line_in_what_a_function_calls_is_not_the_line_that_calls_it() -> None:
    """The function returns what a call in its helper made."""
    source = """def mixed(scores, v):
    return torch.matmul(torch.softmax(scores, -1), v)

def f(q, k, v, mask):
    hidden = (q @ k.T).masked_fill(mask, -torch.inf) / 2
    return mixed(hidden, v)
"""
    assert {one.function for one in lines_in(source)} == {"f"}


def test_a_round_in_which_a_line_raised_counts_and_its_line_has_no_older_value() -> None:
    source = """def f(q, k, v, mask):
    try:
        return mixed(q, k)
    except IndexError:
        return v

def mixed(q, k):
    for i in range(q.shape[0] + 1):
        row = sum(q[j, 0] * k[i] for j in range(4))
    return row
"""
    line = "row = sum(q[j, 0] * k[i] for j in range(4))"
    every = stopped(source, Frame("work.py", 9, "mixed", line), known=NO_VALUES)
    assert [row[2] for row in every if row[0] > 7] == ["5 rounds", ""]


def test_numbers_stand_beside_a_wrong_value_in_public_checks_only() -> None:
    source = "def f(q, k, v, mask):\n    return (q @ k.T / 9 - 1) @ v\n"
    shown, hidden = (
        [one.numbers for one in lines_in(source, public=public) if one.numbers]
        for public in (True, False)
    )
    assert len(shown) == 1
    assert re.fullmatch(r"from -?\d+\.\d\d to -?\d+\.\d\d", shown[0])
    assert hidden == []


def test_what_the_first_nan_is_made_of_is_not_called_right() -> None:
    source = """def f(q, k, v, mask):
    scores = q @ k.T
    weights = scores / 0 - scores / 0
    return weights @ v
"""
    assert [one.mark for one in lines_in(source) if one.line in (2, 3)] == ["", "not_finite"]


def test_a_line_that_is_alone_is_shown_for_the_part_that_is_blamed() -> None:
    [line] = lines_in("def f(q, k, v, mask):\n    return torch.softmax(q @ k.T, dim=0) @ v\n")
    assert (line.mark, line.blamed) == ("first", "torch.softmax(q @ k.T, dim=0)")
    frame = Frame("work.py", 2, "f", "return q @ k.T")
    assert stopped("def f(q, k, v, mask):\n    return q @ k.T\n", frame) == []


def test_the_line_that_stopped_stands_as_far_to_the_right_as_its_loop_has_it() -> None:
    source = "def f(q, k, v, mask):\n    for i in range(2):\n        n = q[i]\n    return v\n"
    first, second = stopped(source, Frame("work.py", 3, "f", "n = q[i]"))
    assert first == (2, "    for i in range(2):", "2 rounds", "")
    assert second[:3] == (3, "        n = q[i]", "")


def test_a_hidden_question_tells_no_sizes_that_the_right_computation_has_not() -> None:
    more = (
        "    for i in range(7):\n        i + q\n    extra = torch.zeros(7, 4)\n    return weights"
    )
    source = WRONG_SCALE.replace("    return weights", more)
    shown, hidden = (
        {one.line: one.shape for one in lines_in(source, public=public)} for public in (True, False)
    )
    assert (shown[2], shown[6], shown[8]) == ("(4, 4)", "7 rounds", "(7, 4)")
    assert (hidden[2], hidden[6], hidden[8]) == ("(4, 4)", "7 rounds", "")


def test_few_lines_around_the_place_are_shown() -> None:
    many = "\n".join(f"    a{n} = q + {n}.5" for n in range(20))
    source = f"def f(q, k, v, mask):\n{many}\n    w = a3 @ k.T\n    b = w + w\n    return b @ v\n"
    found = lines_in(source)
    assert len(found) == MOST_LINES
    assert [one.line for one in found if one.mark == "first"] == [5]


@pytest.mark.parametrize(
    ("body", "shape"),
    [
        ("return q @ k.T, v", "(4, 4), (4, 5)"),
        ("return q, q + 1, q * 2", "3 x (4, 3)"),
        ("q = list((q, k, v, q))", "list of 4"),
        ("q = torch.zeros(90, 90)", "(90, 90)"),
        ("q = torch.nn.Linear(2, 2)", "layer"),
        ("q = len(v)", "number"),
        ("q = dict(a=q)", "(4, 3)"),
    ],
)
def test_other_values_are_named_by_their_kind(body: str, shape: str) -> None:
    source = f"def f(q, k, v, mask):\n    {body}\n    return None or v\n"
    [line, _] = stopped(source, Frame("work.py", 3, "f", "return v"), known=NO_VALUES)
    assert line[2] == shape
