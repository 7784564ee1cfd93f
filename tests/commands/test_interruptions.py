"""What an interrupted run leaves. `INTERRUPTIONS=100` tries more of them."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

import pytest

from tests.commands.interruptions import (
    Falls,
    Interruption,
    Place,
    can_mount,
    interrupt_anew,
    interruptions,
    verify_folder,
)
from tests.commands.test_grade import needs_signals

if TYPE_CHECKING:
    from pathlib import Path


# Each way to stop a run, and both kinds of runs; more than twelve are all pairs.
COUNT = int(os.environ.get("INTERRUPTIONS", "0"))
ONE_OF_EACH = [interruptions(12, seed=1)[number] for number in (0, 3, 4, 7, 8, 11)]
CHOSEN = interruptions(COUNT, seed=random.randrange(10**6)) if COUNT else ONE_OF_EACH


@pytest.mark.slow  # three whole runs each
@needs_signals
@pytest.mark.parametrize("one", CHOSEN, ids=lambda one: f"{one.way}, {one.run}")
def test_an_interrupted_run_leaves_a_complete_folder(tmp_path: Path, one: Interruption) -> None:
    if one.way == "full disk" and not can_mount():
        pytest.skip("only root can mount a small disk")
    interrupt_anew(one, tmp_path)


def test_a_result_that_is_not_in_the_table_is_noticed(tmp_path: Path) -> None:
    place = Place(tmp_path)
    (place.out / "student 00").mkdir(parents=True)
    (place.out / "student 00" / "results.json").write_text('{"score": 3}')
    verify_folder(place, {})
    (place.out / "grades.csv").write_text("student,score\n")
    with pytest.raises(Falls, match="differ"):
        verify_folder(place, {})
    (place.out / "grades.csv").write_text("student,score\nstudent 00,3\n")
    verify_folder(place, {})
    with pytest.raises(Falls, match="gone"):
        verify_folder(place, {"student 01": b""})
