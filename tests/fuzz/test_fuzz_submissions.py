"""Whatever is handed in is graded or rejected with a reason, and nobody after it feels it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from autograder.sandbox.warm import can_fork
from autograder.values.values import MAX_ITEMS
from tests.fuzz.submissions import Course, course, notebooks, texts

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not can_fork(), reason="this system cannot fork"),
]

NAME = "self_attention"


@pytest.fixture(scope="module")
def graded() -> Iterator[Course]:
    """Where everything is handed in."""
    with course(NAME) as opened:
        yield opened


def test_whatever_is_handed_in_is_graded_or_rejected_and_the_next_gets_full_marks(
    graded: Course,
) -> None:
    for seed in range(40):
        graded.outcome_of(seed)


def test_real_submissions_are_graded(graded: Course) -> None:
    for suffix, real in ((".py", texts(NAME)), (".ipynb", notebooks(NAME))):
        for text in real:
            assert graded.outcome(((f"{NAME}{suffix}", text.encode()),)) != "rejected"


@pytest.mark.parametrize("name", ["\x1b[31mred.py", "\u202egrade.py", "one\ntwo.py", "x" * 200])
def test_a_files_name_is_shown_without_what_does_not_belong_in_one(
    graded: Course, name: str
) -> None:
    assert graded.outcome(((name, b""),)) == (
        "graded, no points" if name.endswith(".py") else "rejected"
    )


def test_a_notebook_of_more_cells_than_a_request_holds_is_rejected(graded: Course) -> None:
    notebook = json.loads(notebooks(NAME)[0])
    notebook["cells"] += [{"cell_type": "code", "metadata": {}, "source": "1"}] * MAX_ITEMS
    assert graded.outcome(((f"{NAME}.ipynb", json.dumps(notebook).encode()),)) == "rejected"
