"""Several `nbgrader autograde`: what was handed in again in between meets other questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from autograder.errors import UsageError
from autograder.grading.open_run import Setting
from autograder.nbgrader.autograde import Grading
from autograder.sandbox.limits import Limits
from tests.commands.test_rounds import SEED, table
from tests.toy import UNCHANGED, write_toy

if TYPE_CHECKING:
    from pathlib import Path


def test_what_changed_since_it_was_graded_meets_other_questions(tmp_path: Path) -> None:
    """A table of answers earns nothing after the command whose questions it knows; the same file meets the same."""
    write_toy(tmp_path)
    file = tmp_path / "ada" / "toy.py"
    file.parent.mkdir()

    def points_and_round(text: str, home: str = "home") -> tuple[float, int]:
        setting = Setting(
            assignment="toy",
            place=tmp_path / "solutions",
            home=tmp_path / home,
            limits=Limits(cpu=1),
            private=(),
            allow_degraded=True,
            switch="",
            seed=SEED,
        )
        file.write_text(text, encoding="utf-8")
        with Grading(setting) as grading:
            result = grading.grade("ada", file.parent)
        return result.checks[0].score, result.round

    assert points_and_round(table(tmp_path), "another home") == (1, 0)
    assert points_and_round(UNCHANGED) == (0, 0)
    assert points_and_round(table(tmp_path)) == (0, 1)
    assert points_and_round(table(tmp_path)) == (0, 1)
    assert points_and_round(table(tmp_path, 1)) == (0, 3)
    (tmp_path / "home" / "rounds.json").write_text("[]", encoding="utf-8")
    with pytest.raises(UsageError, match="Delete it"):
        points_and_round(UNCHANGED)
