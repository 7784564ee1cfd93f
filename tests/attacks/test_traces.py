"""A worker leaves nothing that a later one finds, neither of the same submission nor of the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from autograder.sandbox.layers.all import BY_NAME
from autograder.sandbox.warm import can_fork
from tests.attacks.arena import Arena
from tests.attacks.traces import FINDS, LEAVES, LEAVES_AND_FINDS, TRACES, program, unread_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autograder.exam.questions import Exam

pytestmark = pytest.mark.skipif(not can_fork(), reason="no process can be forked here")

QUICK = "an access time"
each_trace = pytest.mark.parametrize(
    "trace",
    [pytest.param(name, marks=[] if name == QUICK else [pytest.mark.slow]) for name in TRACES],
)


@pytest.fixture(scope="module", params=["", pytest.param("bubblewrap", marks=pytest.mark.slow)])
def arena(exam: Exam, request: pytest.FixtureRequest) -> Iterator[Arena]:
    """Grading with all layers of this machine, and with all but one."""
    with Arena(exam, [name for name in BY_NAME if name != request.param]) as arena:
        missing = {"seccomp", "mounts"} - set(arena.layers)
        if missing or not {"landlock", "bubblewrap"} & set(arena.layers):
            pytest.skip(f"layers are missing here: {arena.sandbox.status()}")
        yield arena


def is_right(arena: Arena, step: str, source: str) -> bool:
    found = arena.grade("student", source)
    return next(one.score == one.max_score for one in found.checks if one.step == step)


def is_found(arena: Arena, trace: str) -> tuple[bool, bool]:
    """Return whether a trace is found: that of an earlier submission, and that of the worker without stand-ins."""
    file = unread_file()
    finds = program(trace, file, FINDS)
    arena.grade("earlier", program(trace, file, LEAVES))
    later = is_right(arena, "project", finds)
    both = program(trace, unread_file(), LEAVES_AND_FINDS)
    return later, is_right(arena, "SelfAttention_v1", both)


@each_trace
def test_a_worker_leaves_nothing_behind(trace: str, arena: Arena) -> None:
    assert is_found(arena, trace) == (False, False)


@pytest.mark.slow
def test_without_own_mounts_it_would(exam: Exam) -> None:
    """Slow: shows that the test above can fail, where the file system keeps access times."""
    without = [name for name in BY_NAME if name not in ("mounts", "bubblewrap")]
    with Arena(exam, without) as arena:
        assert is_found(arena, QUICK) == (True, True)
