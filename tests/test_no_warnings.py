"""Silence that several threads ask for, in any order."""

from __future__ import annotations

import warnings

import pytest

from autograder.no_warnings import quiet

pytestmark = pytest.mark.unit


def test_it_lasts_until_the_last_one_is_done() -> None:
    one, other = quiet(), quiet()
    before = list(warnings.filters)
    one.__enter__()
    other.__enter__()
    one.__exit__(None, None, None)

    warnings.warn("nobody hears this", stacklevel=1)

    other.__exit__(None, None, None)
    assert list(warnings.filters) == before
    with pytest.warns(UserWarning, match="this is heard"):
        warnings.warn("this is heard", stacklevel=1)


def test_it_ends_where_its_block_raises() -> None:
    with pytest.raises(ZeroDivisionError), quiet():
        raise ZeroDivisionError
    with pytest.raises(UserWarning, match="heard"):
        warnings.warn("heard", stacklevel=1)
