"""Whatever is handed in is graded or rejected with a reason, and nobody after it feels it."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from autograder.sandbox.warm import can_fork
from tests.fuzz.submissions import NAME, SOLUTION, Course, real

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not can_fork(), reason="this system cannot fork"),
]


@pytest.fixture(scope="module")
def graded() -> Iterator[Course]:
    opened = Course()
    with closing(opened.sandbox):
        yield opened


def test_whatever_is_handed_in_costs_the_next_one_nothing(graded: Course) -> None:
    for seed in range(40):
        graded.outcome_of(seed)


def test_real_submissions_are_graded(graded: Course) -> None:
    for suffix, more in ((".py", [SOLUTION]), (".ipynb", [])):
        for text in (*real(suffix), *more):
            assert graded.outcome(((f"{NAME}{suffix}", text.encode()),)) != "rejected"
