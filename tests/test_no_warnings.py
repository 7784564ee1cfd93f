"""Silence within a block."""

from __future__ import annotations

import warnings

import pytest

from autograder.no_warnings import quiet

pytestmark = pytest.mark.unit


def test_nobody_is_warned_within_the_block_and_it_ends_where_it_raises() -> None:
    with quiet():
        warnings.warn("nobody hears this", stacklevel=1)
    with pytest.raises(ZeroDivisionError), quiet():
        raise ZeroDivisionError
    with pytest.raises(UserWarning, match="heard"):
        warnings.warn("heard", stacklevel=1)
