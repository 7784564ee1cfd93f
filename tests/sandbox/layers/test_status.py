"""The status of a layer: its words, and its way from the fork server to the grader."""

from __future__ import annotations

import pytest

from autograder.records import plain, read
from autograder.sandbox.layers.status import ACTIVE, LayerState, LayerStatus, fails, not_here
from autograder.sandbox.limits import Limits
from autograder.sandbox.warm import WarmSandbox

pytestmark = pytest.mark.unit

ALL = {
    "works": ACTIVE,
    "works (libseccomp 2.5.4)": LayerStatus(LayerState.ACTIVE, "libseccomp 2.5.4"),
    "not here: only on Linux": not_here("only on Linux"),
    "fails: it broke": fails("it broke"),
    "not needed: you are not root": LayerStatus(LayerState.NOT_NEEDED, "you are not root"),
}


@pytest.mark.parametrize(("words", "status"), ALL.items())
def test_a_status_says_itself_and_survives_the_way(words: str, status: LayerStatus) -> None:
    assert str(status) == words
    assert read(LayerStatus, plain(status)) == status


def test_only_what_is_needed_and_not_active_is_missing() -> None:
    assert [one.active for one in ALL.values()] == [True, True, False, False, False]
    assert [one.missing for one in ALL.values()] == [False, False, True, True, False]


def test_a_sandbox_that_isolates_has_no_fallback_without_isolation() -> None:
    assert WarmSandbox(Limits()).fallback() is None
    assert WarmSandbox(Limits(), ("process", "seccomp")).fallback() is None
    assert WarmSandbox(Limits(), ("process",)).fallback() is not None
