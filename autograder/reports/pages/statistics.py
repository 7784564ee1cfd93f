"""Statistics of a class: the scores, and how each step went. They change no mark."""

from __future__ import annotations

import statistics
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.results import Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograder.results import CheckResult, Result

# With fewer students a correlation says little.
ENOUGH = 8
LOW_DISCRIMINATION = 0.2
HARD = 0.6


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
        discrimination: the correlation of the step's points with the points of all other steps.
            None if there are too few students, or if all have the same points.
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
    discrimination: float | None

    @property
    def count(self) -> int:
        """The number of students."""
        return self.full + self.partial + self.none + self.not_started

    @property
    def pass_rate(self) -> float:
        """The share of those who earned all points."""
        return self.full / self.count if self.count else 0.0

    @property
    def is_doubtful(self) -> bool:
        """Whether the step is hard, also for the students who do well in the other steps."""
        low = self.discrimination is not None and self.discrimination < LOW_DISCRIMINATION
        return low and self.difficulty < HARD


@dataclass(frozen=True)
class Scores:
    """The scores of the graded submissions; all are 0 if there are none."""

    every: tuple[float, ...]
    max_score: float

    @property
    def mean(self) -> float:
        """The mean of the scores."""
        return statistics.fmean(self.every) if self.every else 0.0

    @property
    def median(self) -> float:
        """The median of the scores."""
        return statistics.median(self.every) if self.every else 0.0

    @property
    def spread(self) -> float:
        """The standard deviation of the scores."""
        return statistics.pstdev(self.every) if self.every else 0.0

    @property
    def full(self) -> int:
        """The number of full scores."""
        return sum(score == self.max_score for score in self.every)


def scores_of(results: Sequence[Result]) -> Scores:
    """Return the scores of these results."""
    return Scores(
        tuple(result.score for result in results),
        max((result.max_score for result in results), default=0.0),
    )


def step_statistics(results: Sequence[Result]) -> list[StepStatistics]:
    """Return the statistics of each step, in the order of the assignment."""
    steps = dict.fromkeys(check.step for result in results for check in result.checks)
    return [_step(step, results) for step in steps]


def _step(step: str, results: Sequence[Result]) -> StepStatistics:
    pairs = [
        (check, result.score - check.score)
        for result in results
        for check in result.checks
        if check.step == step
    ]
    checks = [check for check, _ in pairs]
    not_started = sum(map(_is_open, checks))
    full = sum(check.score == check.max_score for check in checks)
    partial = sum(0 < check.score < check.max_score for check in checks)
    return StepStatistics(
        step=step,
        max_score=max(check.max_score for check in checks),
        full=full,
        partial=partial,
        none=len(checks) - full - partial - not_started,
        not_started=not_started,
        outcomes=Counter(check.outcome for check in checks),
        mean=statistics.fmean(check.score for check in checks),
        difficulty=statistics.fmean(
            check.score / check.max_score if check.max_score else 1.0 for check in checks
        ),
        discrimination=_correlation([check.score for check in checks], [rest for _, rest in pairs]),
    )


def _is_open(check: CheckResult) -> bool:
    return check.score == 0 and check.outcome in (Outcome.NOT_STARTED, Outcome.MISSING)


def _correlation(first: Sequence[float], second: Sequence[float]) -> float | None:
    if len(first) < ENOUGH:
        return None
    try:
        return statistics.correlation(first, second)
    except statistics.StatisticsError:  # all points are equal
        return None
