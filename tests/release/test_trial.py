"""What `autograder build` tries out first holds for the project's own assignments; `build --check` leaves it out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from autograder.release.build import plan_build
from autograder.release.trial import try_out
from tests.exams import ASSIGNMENTS

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_the_reference_the_stub_and_every_mistake_earn_what_they_should(
    root: Path, tmp_path: Path, name: str
) -> None:
    plan = plan_build(root / "solutions", tmp_path, name)
    try_out(plan.source, plan.exam, plan.mutants)
