"""A damaged archive is its student's problem, and nobody else's."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.fuzz.archives import outcome


@pytest.mark.large
@pytest.mark.unit
def test_a_damaged_archive_changes_nothing_for_the_others() -> None:
    outcomes = Counter(outcome(seed) for seed in range(12))
    assert outcomes["rejected"] > 6
    assert outcomes["found"] > 0
