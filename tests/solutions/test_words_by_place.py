"""What a mistake says where another step shows it: a class, or a function that does several steps itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from autograder.explain.join_mistakes import mistake_words
from tests.exams import ASSIGNMENTS, exam_of, source_of

if TYPE_CHECKING:
    from collections.abc import Iterator

# What is true in the step itself only: what belongs to other steps, what comes in, and what it returns.
OF_THE_STEP = re.compile(
    r"[Aa]nother step|[Oo]ther steps|steps of their own|[Tt]his step|in this step|step of its own|Leave the division"
    r"|what you return (?:first|second)|what comes (?:first|second)|came back in place|that come in"
    r"|one product is missing|came back unchanged"
)


def shown_elsewhere(assignment: str) -> Iterator[tuple[str, str]]:
    """Yield each mistake with each other step whose answers show it."""
    steps = {check.name for check in source_of(assignment).assignment.checks}
    own = {one.name: one.step for one in source_of(assignment).mistakes if one.step in steps}
    for question in exam_of(assignment).questions:
        for answers in question.answers:
            for wrong in answers.wrong:
                if own.get(wrong.mistake, question.step) != question.step:
                    yield wrong.mistake, question.step


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_a_mistake_is_told_by_where_it_was_found(assignment: str) -> None:
    told = {}
    for name, step in shown_elsewhere(assignment):
        told[name, step] = " ".join(mistake_words(exam_of(assignment), step, name))
    assert told
    assert {key: said for key, said in told.items() if OF_THE_STEP.search(said)} == {}
