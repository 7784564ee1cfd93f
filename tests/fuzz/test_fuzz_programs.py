"""Odd programs are graded, explained and shown without a failure, and words decide no points."""

from __future__ import annotations

import pytest

from tests.fuzz.programs import outcome

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("first", range(4))
def test_no_program_is_too_odd_to_be_explained(first: int) -> None:
    assert {outcome(seed) for seed in range(first, 80, 4)} == {"explained"}
