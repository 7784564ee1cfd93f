"""A damaged archive is its student's problem, and nobody else's."""

from __future__ import annotations

from collections import Counter

from tests.fuzz.archives import outcome


def test_a_damaged_archive_changes_nothing_for_the_others() -> None:
    outcomes = Counter(outcome(seed) for seed in range(200))
    assert outcomes["rejected"] > 100
    assert outcomes["found"] > 10
