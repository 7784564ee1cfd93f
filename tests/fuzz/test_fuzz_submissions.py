"""Whatever is handed in is graded or rejected with a reason, and nobody after it feels it."""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from autograder.sandbox.warm import can_fork
from autograder.values.values import MAX_ITEMS
from tests.fuzz.submissions import Course, Files, course, handed_in, notebooks, texts

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not can_fork(), reason="this system cannot fork"),
]

NAME = "self_attention"

# Each example takes a process.
repeatable = functools.partial(
    settings,
    derandomize=True,
    deadline=None,
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def graded() -> Iterator[Course]:
    """Where everything is handed in."""
    with course(NAME) as opened:
        yield opened


@repeatable(max_examples=40)
@given(files=handed_in(NAME))
def test_whatever_is_handed_in_is_graded_or_rejected_and_the_next_gets_full_marks(
    graded: Course, files: Files
) -> None:
    graded.outcome(files)


def test_real_submissions_are_graded(graded: Course) -> None:
    for suffix, real in ((".py", texts(NAME)), (".ipynb", notebooks(NAME))):
        for text in real:
            assert graded.outcome(((f"{NAME}{suffix}", text.encode()),)) != "rejected"


def test_the_solution_gets_full_marks_as_a_program_and_as_a_notebook(graded: Course) -> None:
    for suffix, text in ((".py", texts(NAME)[0]), (".ipynb", notebooks(NAME)[0])):
        assert graded.outcome(((f"{NAME}{suffix}", text.encode()),)) == "graded, full marks"


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
