"""What judging one submission may take in memory."""

from __future__ import annotations

import mmap
import sys
from functools import partial

import pytest

from autograder.grading.budget import MEGABYTES, Budget, OverBudget

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits memory")

_PIECE = 2**16  # bytes, few enough for malloc to take them from its heap


def test_what_an_earlier_submission_took_is_no_loss_for_the_next_one() -> None:
    pieces: list[bytes] = []

    def judge() -> None:
        while True:
            pieces.append(bytes(_PIECE))

    with pytest.raises(OverBudget, match="more memory"):
        Budget().spend(judge)
    del pieces[:-1]
    Budget().spend(partial(mmap.mmap, -1, 2**25)).close()  # as Python does for small objects


def test_the_memory_limit_is_the_same_whatever_was_judged_before() -> None:
    """What malloc keeps of earlier submissions is no gift to the next one."""
    stays: list[bytes] = []  # keeps malloc from giving back what is freed below it

    def judge(megabytes: int) -> None:
        held = [bytes(_PIECE) for _ in range(megabytes * 2**20 // _PIECE)]
        stays.append(bytes(_PIECE))
        del held

    too_much = partial(judge, MEGABYTES + 100)
    with pytest.raises(OverBudget, match="more memory"):
        Budget().spend(too_much)
    for _ in range(3):
        Budget().spend(partial(judge, MEGABYTES - 100))
        with pytest.raises(OverBudget, match="more memory"):
            Budget().spend(too_much)
