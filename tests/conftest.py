"""What many tests share: the assignments as they are in the project, loaded once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from autograder.assignment import Source, load_source
from autograder.exam import draw_exam
from autograder.script import without_show_cells
from tests.durations import pytest_addoption, pytest_terminal_summary

if TYPE_CHECKING:
    from autograder.exam import Exam

__all__ = ["pytest_addoption", "pytest_terminal_summary"]

ROOT = Path(__file__).parents[1]
# Folders and modules of tests that call functions and start no program: `make check` runs them.
QUICK = (
    "reports",
    "sandbox/test_messages.py",
    "sandbox/test_output.py",
    "sandbox/test_protocol.py",
    "solutions",
    "test_carried.py",
    "test_cases.py",
    "test_cell_source.py",
    "test_checks.py",
    "test_compare.py",
    "test_errors_explained.py",
    "test_examples.py",
    "test_executed.py",
    "test_naming.py",
    "test_probing.py",
    "test_properties_of_answers.py",
    "test_release.py",
    "test_rounding.py",
    "test_run.py",
    "test_script.py",
    "test_submission.py",
    "test_substitution.py",
    "test_transcripts.py",
    "test_values.py",
    "truth/test_truth.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that are quick."""
    quick = [ROOT / "tests" / place for place in QUICK]
    for item in items:
        if any(item.path.is_relative_to(place) for place in quick):
            item.add_marker(pytest.mark.quick)


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
