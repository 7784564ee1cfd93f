"""What a notebook shows beside the result of one step: the state of all steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.reports.step_state import state_of
from autograder.results import Block, Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograder.results import CheckResult

_NOT_RUN = "not in a cell that was run"


def progress_blocks(results: Sequence[CheckResult]) -> list[Block]:
    """Return a line for each step: sign, name, points, state in words."""
    rows = [
        (
            state_of(one).sign,
            one.step,
            f"{one.score:g} of {one.max_score:g}",
            _NOT_RUN if one.outcome is Outcome.MISSING else state_of(one).words,
        )
        for one in results
    ]
    score, most = sum(one.score for one in results), sum(one.max_score for one in results)
    title = f"{score:g} of {most:g} points so far in the public checks."
    width, points = (max(len(row[column]) for row in rows) for column in (1, 2))
    lines = [f"{sign} {step:<{width}}  {got:>{points}}  {state}" for sign, step, got, state in rows]
    return [Block(title), Block("\n".join(lines), is_code=True)]
