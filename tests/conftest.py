"""What many tests share: the assignments as they are in the project, loaded once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from autograder.assignment import Source, load_source
from autograder.exam import draw_exam
from autograder.script import without_show_cells

if TYPE_CHECKING:
    from autograder.exam import Exam

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's folder."""
    return ROOT


@pytest.fixture(scope="session")
def source() -> Source:
    """The assignment self_attention, with its solution."""
    return load_source(ROOT / "solutions" / "self_attention")


@pytest.fixture(scope="session")
def exam(source: Source) -> Exam:
    """Its questions, drawn from seed 1."""
    return draw_exam(source, 1)


@pytest.fixture(scope="session")
def solution() -> str:
    """The text of its solution, without the cells that draw."""
    path = ROOT / "solutions" / "self_attention" / "self_attention.py"
    return without_show_cells(path.read_text(encoding="utf-8"))
