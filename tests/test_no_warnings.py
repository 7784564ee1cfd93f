"""Silence within a block."""

from __future__ import annotations

import warnings

import pytest

from autograder.no_warnings import quiet

pytestmark = pytest.mark.unit


def test_nobody_is_warned_within_the_block() -> None:
    with quiet():
        warnings.warn("nobody hears this", stacklevel=1)
    with pytest.warns(UserWarning, match="this is heard"):
        warnings.warn("this is heard", stacklevel=1)


def test_it_ends_where_its_block_raises() -> None:
    with pytest.raises(ZeroDivisionError), quiet():
        raise ZeroDivisionError
    with pytest.raises(UserWarning, match="heard"):
        warnings.warn("heard", stacklevel=1)
