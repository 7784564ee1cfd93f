"""The lines beside what they computed: which are shown, with which shapes and marks, and which sizes are hidden."""

from __future__ import annotations

import pytest

from autograder.exam.questions import NO_VALUES, RightValues
from autograder.exam.right_values import arrays_of, kind_of_operation
from autograder.explain.divergence import MarkedTrace, divergence
from autograder.explain.feedback_text import mark_words
from autograder.explain.traced_lines import MOST_LINES, lines_of_divergence, lines_of_exception
from autograder.results import Frame, TracedLine
from tests.explain.test_divergence import REFERENCE, run

Row = tuple[int, str, str, str]


def right_values() -> RightValues:
    """Return what the reference computes."""
    events = run(REFERENCE)[0].events
    arrays = {one.tobytes(): one for event in events for one in arrays_of(event.plain)}
    kinds = {kind_of_operation(one.site.node) for one in events} | {"exp", "sum", "plus"}
    return RightValues(tuple(arrays.values()), frozenset(kinds))


def lines_in(source: str, *, public: bool = True) -> tuple[TracedLine, ...]:
    """Return the lines around the first value of `f` that is not right."""
    trace, seen = run(source)
    marked = MarkedTrace(trace, right_values())
    found = divergence(marked, run(REFERENCE)[1], seen)
    assert found is not None
    return lines_of_divergence(marked, found, public=public)


def rows(lines: tuple[TracedLine, ...]) -> list[Row]:
    return [(one.line, one.text, one.shape, mark_words(one)) for one in lines]


WRONG_SCALE = """def f(q, k, v, mask):
    scores = q @ k.T
    hidden = scores.masked_fill(mask, -torch.inf)
    weights = torch.softmax(
        hidden / 3, dim=-1)
    return weights @ v
"""


def test_each_line_has_its_shape_and_its_mark() -> None:
    assert rows(lines_in(WRONG_SCALE)) == [
        (2, "scores = q @ k.T", "(4, 4)", "right"),
        (3, "hidden = scores.masked_fill(mask, -torch.inf)", "(4, 4)", "right"),
        (4, "weights = torch.softmax( hidden / 3, dim=-1)", "(4, 4)", "first wrong value"),
        (6, "return weights @ v", "(4, 5)", ""),
    ]


def test_a_loop_is_one_line_with_its_rounds() -> None:
    source = """def f(q, k, v, mask):
    scores = (q @ k.T).masked_fill(mask, -torch.inf)
    rows = []
    for i in range(4):
        row = scores[i] / 3**0.5
        rows.append(torch.softmax(row * (1 if i < 2 else 2), dim=-1) @ v)
    return torch.stack(rows)
"""
    found = {line: mark for line, _, _, mark in rows(lines_in(source))}
    assert found[5] == "right"
    assert found[6] == "right until i = 1, wrong from i = 2"
    unnamed = lines_in(source.replace("for i in range(4)", "for i, _ in enumerate(q)"))
    marks = [mark_words(one) for one in unnamed if one.line == 6]
    assert marks == ["right until round 2, wrong from round 3"]


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
        ("soft", 6, "exps = torch.exp(scores)", "(4, 4)", "right"),
        (
            "soft",
            7,
            "return exps / exps.sum(0, keepdim=True)",
            "(4, 4)",
            "first wrong value",
        ),
    ]


def test_two_lines_with_the_same_numbers_are_not_called_right() -> None:
    source = """def f(q, k, v, mask):
    keys = k * 1.0
    values = k + 0.0
    scores = q @ keys.T
    scores = scores.masked_fill(mask, -torch.inf)
    return torch.softmax(scores / 3**0.5, dim=-1) @ values
"""
    found = {line: mark for line, _, _, mark in rows(lines_in(source))}
    assert (found[2], found[3]) == ("the same as line 3", "the same as line 2")
    assert (found[4], found[5], found[6]) == ("right", "right", "first wrong value")


def test_a_matrix_that_is_filled_has_no_mark_before_its_end() -> None:
    source = """def f(q, k, v, mask):
    scores = torch.zeros(4, 4)
    for i in range(4):
        for j in range(4):
            scores[i, j] = q[i] @ k[max(i, 1)]
    scores = scores.masked_fill(mask, -torch.inf)
    return torch.softmax(scores / 3**0.5, dim=-1) @ v
"""
    found = rows(lines_in(source))
    assert [(line, mark) for line, _, _, mark in found][:2] == [(2, ""), (5, "first wrong value")]


def test_few_lines_around_the_place_are_shown() -> None:
    many = "\n".join(f"    a{n} = q + {n}.5" for n in range(20))
    source = f"def f(q, k, v, mask):\n{many}\n    w = a3 @ k.T\n    b = w + w\n    return b @ v\n"
    found = lines_in(source)
    assert len(found) == MOST_LINES
    assert "first wrong value" in map(mark_words, found)


def test_a_hidden_question_shows_no_size_that_the_right_computation_has_not() -> None:
    source = WRONG_SCALE.replace("return weights", "extra = torch.zeros(7, 4)\n    return weights")
    shapes = {one.line: one.shape for one in lines_in(source, public=False)}
    assert (shapes[2], shapes[6]) == ("(4, 4)", "")
    assert {one.line: one.shape for one in lines_in(source)}[6] == "(7, 4)"


def test_a_step_that_raised_shows_its_lines_up_to_the_one_that_stopped() -> None:
    trace, _ = run("def f(q, k, v, mask):\n    s = q @ k.T\n    n = None\n    return s\n")
    frames = [Frame("work.py", 9, "g", "f(q)"), Frame("work.py", 4, "f", "return s")]
    found = lines_of_exception(MarkedTrace(trace, right_values()), frames, public=True)
    assert rows(found) == [
        (9, "f(q)", "", ""),
        (2, "s = q @ k.T", "(4, 4)", "right"),
        (4, "return s", "", "stopped here"),
    ]
    unknown = lines_of_exception(MarkedTrace(trace, NO_VALUES), frames, public=True)
    assert rows(unknown)[1] == (2, "s = q @ k.T", "(4, 4)", "")
    elsewhere = [Frame("other.py", 4, "f", "return s")]
    assert lines_of_exception(MarkedTrace(trace, NO_VALUES), elsewhere, public=True) == ()


@pytest.mark.parametrize(
    ("body", "shape"),
    [
        ("return q @ k.T, v", "(4, 4), (4, 5)"),
        ("q = [q, k, v, q]", "list of 4"),
        ("q = torch.zeros(90, 90)", "(90, 90)"),
        ("q = torch.nn.Linear(2, 2)", "layer"),
        ("q = len(v)", "number"),
        ("q = {'a': q}", "(4, 3)"),
    ],
)
def test_other_values_are_named_by_their_kind(body: str, shape: str) -> None:
    body = body.replace("q = [q, k, v, q]", "q = list((q, k, v, q))")
    body = body.replace("q = {'a': q}", "q = dict(a=q)")
    trace, _ = run(f"def f(q, k, v, mask):\n    {body}\n    return None or v\n")
    frames = [Frame("work.py", 3, "f", "return v")]
    [line, _] = lines_of_exception(MarkedTrace(trace, NO_VALUES), frames, public=True)
    assert line.shape == shape
