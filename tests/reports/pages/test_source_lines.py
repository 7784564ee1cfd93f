"""The student's own lines on a page: numbered as in the file, bounded, and without the release's docstring."""

from __future__ import annotations

import pytest

from autograder.reports.pages.feedback_page import LINE_COST, MOST_LINES, frame_lines, step_lines
from autograder.results import Frame
from autograder.submission.step_source import StepSource

FULL = 100_000


def shown(text: str, *frames: Frame, budget: int = FULL) -> list[tuple[int, str, bool]]:
    found = step_lines(StepSource("work.py", 10, 99, text), frames, budget)
    return [(line.number, line.text, line.marked) for line in found.lines]


@pytest.mark.parametrize("quotes", ['"""', "'''"])
def test_a_docstring_becomes_one_line(quotes: str) -> None:
    text = f"def f(x):\n    {quotes}Words.\n\n    Args:\n    {quotes}\n    return x"
    assert shown(text) == [
        (10, "def f(x):", False),
        (11, f"    {quotes}Words. ... {quotes}", False),
        (15, "    return x", False),
    ]
    assert step_lines(StepSource("work.py", 10, 15, text), (), FULL).more == 0


@pytest.mark.parametrize(
    "text",
    [
        'def f(x):\n    """Words."""\n    return x',
        'def f(x):\n    y = """\n    text"""\n    return x',
        'def f(x):\n    """never closed\n    return x',
        'def f(x):\n    """closed""" ; y = """\n    """\n    return x',
        'x = [\n    """a\n    b""",\n]',
        '"""',
    ],
)
def test_other_texts_stay(text: str) -> None:
    assert [line for _, line, _ in shown(text)] == text.split("\n")


def test_the_line_of_an_error_is_marked_in_its_file_only() -> None:
    text = "def f(x):\n    return g(x)"
    assert [marked for *_, marked in shown(text, Frame("work.py", 11, "f", ""))] == [False, True]
    assert [marked for *_, marked in shown(text, Frame("other.py", 11, "f", ""))] == [False, False]


def test_lines_are_bounded() -> None:
    many = step_lines(StepSource("work.py", 1, 999, "x\n" * 500), (), FULL)
    assert (len(many.lines), many.more) == (MOST_LINES, 401)
    few = step_lines(StepSource("work.py", 1, 999, "x\n" * 500), (), 3 * (LINE_COST + 1))
    assert (len(few.lines), few.more) == (3, 498)
    assert few.size == 3 * (LINE_COST + 1)


def test_a_line_that_is_shown_already_is_not_shown_again() -> None:
    lines = step_lines(StepSource("work.py", 10, 11, "def f(x):\n    return g(x)"), (), FULL)
    frames = [Frame("work.py", 11, "f", "return g(x)"), Frame("work.py", 3, "g", "raise E")]
    assert [(part.piece, part.lines[0].number) for part in frame_lines(frames, lines)] == [
        ("work.py", 3)
    ]
