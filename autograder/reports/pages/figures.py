"""The figures of a class: the scores, and how each step went. They change no mark."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.reports.step_state import OUTCOMES, state_of
from autograder.results import steps_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograder.results import Outcome, Result

HARD = 0.6
MOST_BINS = 25
# The most intervals between the numbers on an axis.
_MOST_INTERVALS = 8


@dataclass(frozen=True)
class Scores:
    """The scores of the graded submissions; all are 0 if there are none. `full` counts the full scores."""

    every: tuple[float, ...]
    max_score: float
    mean: float = 0.0
    median: float = 0.0
    spread: float = 0.0
    full: int = 0

    @property
    def counts(self) -> list[int]:
        """How many scores lie from each multiple of `bin_width` up to the next; the last is that of full scores."""
        counts = [0] * (math.ceil(self.top / self.bin_width) + 1)
        for score in self.every:
            counts[min(int(score / self.bin_width), len(counts) - 1)] += 1
        return counts

    @property
    def top(self) -> float:
        """The end of the axis of the scores."""
        return max(self.max_score, 1.0)

    @property
    def bin_width(self) -> int:
        """The points that one bar stands for: one, or so many that there are not too many bars."""
        return max(1, math.ceil(self.top / MOST_BINS))


def ticks(top: float) -> range:
    """Return whole numbers for an axis from 0 to `top`."""
    steps = (digit * 10**power for power in range(9) for digit in (1, 2, 5))
    step = next(step for step in steps if top / step <= _MOST_INTERVALS)
    return range(0, int(top) + 1, step)


@dataclass(frozen=True)
class StepStatistics:
    """How one step went.

    Attributes:
        full, partial, none: how many earned all, some and none of its points. `none` leaves out
            those who did not start.
        not_started: how many did not start it, or have no such step.
        outcomes: how many times each outcome occurred.
        mean: the mean of the points.
        difficulty: the mean share of the points, from 0 to 1: the higher, the easier.
    """

    step: str
    max_score: float
    full: int
    partial: int
    none: int
    not_started: int
    outcomes: Counter[Outcome]
    mean: float
    difficulty: float

    @property
    def count(self) -> int:
        """The number of students."""
        return self.full + self.partial + self.none + self.not_started

    @property
    def stopped(self) -> int:
        """How many times it ended its process, or was ended."""
        return sum(
            count for outcome, count in self.outcomes.items() if OUTCOMES[outcome].is_stopped
        )

    @property
    def pass_rate(self) -> float:
        """The share of those who earned all points."""
        return self.full / self.count if self.count else 0.0


def scores_of(results: Sequence[Result]) -> Scores:
    """Return the scores of these results. The spread is their standard deviation."""
    if not results:
        return Scores((), 0.0)
    scores = tuple(result.score for result in results)
    most = max(result.max_score for result in results)
    mean, median = statistics.fmean(scores), statistics.median(scores)
    return Scores(
        scores,
        most,
        mean,
        median,
        statistics.pstdev(scores),
        sum(score >= most for score in scores),
    )


def step_statistics(results: Sequence[Result]) -> list[StepStatistics]:
    """Return the statistics of each step, in the order of the assignment."""
    return [_step(step, results) for step in steps_of(results)]


def _step(step: str, results: Sequence[Result]) -> StepStatistics:
    checks = [check for result in results for check in result.checks if check.step == step]
    not_started = sum(state_of(check).is_open for check in checks)
    full = sum(check.is_full for check in checks)
    partial = sum(check.score > 0 and not check.is_full for check in checks)
    shares = [
        min(check.score / check.max_score, 1.0) if check.max_score else 1.0 for check in checks
    ]
    return StepStatistics(
        step=step,
        max_score=max(check.max_score for check in checks),
        full=full,
        partial=partial,
        none=len(checks) - full - partial - not_started,
        not_started=not_started,
        outcomes=Counter(check.outcome for check in checks),
        mean=statistics.fmean(check.score for check in checks),
        difficulty=statistics.fmean(shares),
    )
