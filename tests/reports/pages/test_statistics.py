"""Statistics of steps: the figures by hand."""

from __future__ import annotations

import pytest

from autograder.reports.pages.statistics import ENOUGH, scores_of, step_statistics
from autograder.results import Outcome
from tests.reports.pages.classroom import NOT_STARTED, RAISED, TRANSPOSED, check, result


def test_a_step_counts_all_some_none_and_not_started() -> None:
    results = [
        result("a"),
        result("b", check("weights", 0.5, TRANSPOSED)),
        result("c", check("weights", 0, RAISED)),
        result("d", check("weights", 0, NOT_STARTED)),
        result("e", check("weights", 0, NOT_STARTED, outcome=Outcome.MISSING)),
    ]
    found = step_statistics(results)[1]
    assert (found.step, found.max_score) == ("weights", 2)
    assert (found.full, found.partial, found.none, found.not_started) == (1, 1, 1, 2)
    assert found.count == 5
    assert found.pass_rate == 0.2
    assert found.mean == pytest.approx(0.5)
    assert found.difficulty == pytest.approx(0.25)
    assert found.outcomes[Outcome.RAISED] == 1


def test_discrimination_is_the_correlation_with_all_other_steps() -> None:
    weak = [
        result(f"w{n}", check("weights", 0, RAISED), check("context", n, RAISED)) for n in range(4)
    ]
    strong = [result(f"s{n}") for n in range(4)]
    found = {one.step: one.discrimination for one in step_statistics([*weak, *strong])}
    assert found["scores"] is None  # all have the same points
    assert found["weights"] == pytest.approx(10 / 140**0.5)
    assert found["context"] == pytest.approx(10 / 140**0.5)


def test_a_step_that_the_strong_fail_is_doubtful() -> None:
    strong = [result(f"s{n}", check("weights", 0, RAISED)) for n in range(6)]
    weak = [result(f"w{n}", check("context", 0, RAISED)) for n in range(4)]
    found = {one.step: one.is_doubtful for one in step_statistics([*weak, *strong])}
    assert found == {"scores": False, "weights": True, "context": False}


def test_few_students_have_no_discrimination() -> None:
    results = [result(f"s{n}", check("weights", n % 2, RAISED)) for n in range(ENOUGH - 1)]
    assert {one.discrimination for one in step_statistics(results)} == {None}


def test_scores_of_nobody_are_zero() -> None:
    nobody = scores_of([])
    assert (nobody.mean, nobody.median, nobody.spread, nobody.full) == (0, 0, 0, 0)


def test_scores_are_summed_up() -> None:
    found = scores_of([result("a"), result("b", check("context", 0, RAISED))])
    assert (found.mean, found.median, found.spread, found.full) == (6, 6, 2, 1)
