"""What lasts as long as a run is not looked through for what nobody needs."""

from __future__ import annotations

import gc
import subprocess
import sys

import pytest

from autograder.grading.gc_pause import frozen_gc

TELLS_THE_LAST = """\
import gc, sys
from autograder.grading.gc_pause import frozen_gc
with frozen_gc():
    kept = [[] for _ in range(1000)]
gc.unfreeze()
later = [[] for _ in range(1000)]
gc.callbacks.append(lambda phase, about: phase == "start" or sys.stderr.write(f"{len(gc.get_objects())}\\n"))
"""


def test_nothing_is_looked_through_while_it_is_made_or_later() -> None:
    before = gc.get_count()[0], gc.get_freeze_count()
    try:
        with frozen_gc():
            assert not gc.isenabled()
            thing: list[object] = []
            assert any(one is thing for one in gc.get_objects())
        assert gc.isenabled()
        assert gc.get_freeze_count() > before[1]
        assert not any(one is thing for one in gc.get_objects())
    finally:
        gc.unfreeze()


def test_an_error_leaves_the_collector_as_it_was() -> None:
    with pytest.raises(ValueError, match="broken"), frozen_gc():
        raise ValueError("broken")
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0


def test_at_the_end_of_the_process_everything_stays_as_it_is() -> None:
    done = subprocess.run(
        [sys.executable, "-c", TELLS_THE_LAST], capture_output=True, text=True, check=True
    )
    counts = [int(line) for line in done.stderr.splitlines()]
    assert counts
    assert max(counts) < 1000
