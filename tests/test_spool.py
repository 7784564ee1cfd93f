from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.spool import Spool

pytestmark = pytest.mark.unit

NAMES = st.sampled_from(["", "b", "a", "é", "\udcfc", "日本"])


@given(st.lists(st.tuples(NAMES, st.none() | st.text(max_size=300))))
def test_a_spool_holds_what_a_dict_holds_sorted_by_name(
    changes: list[tuple[str, str | None]],
) -> None:
    """A name with None is deleted."""
    spool: Spool[str] = Spool()
    wanted: dict[str, str] = {}
    for name, text in changes:
        if text is None:
            spool.pop(name, None)
            wanted.pop(name, None)
        else:
            spool[name] = wanted[name] = text
    assert list(spool.items()) == sorted(wanted.items())
    assert len(spool) == len(wanted)
    assert all((name in spool) is (name in wanted) for name, _ in changes)


def test_a_record_may_be_read_while_others_are() -> None:
    spool = Spool([("a", [1]), ("b", [2])])
    assert [(first, second) for first in spool.values() for second in spool.values()] == [
        ([1], [1]),
        ([1], [2]),
        ([2], [1]),
        ([2], [2]),
    ]


def test_a_record_that_is_changed_outside_stays_as_it_was_put() -> None:
    spool = Spool([("a", [1])])
    spool["a"].append(2)
    assert spool["a"] == [1]


def test_an_unknown_name_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        Spool[str]()["nobody"]
