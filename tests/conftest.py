"""Fixtures for many tests: the project's assignments, loaded once."""

from __future__ import annotations

import gc
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from filelock import FileLock
from hypothesis import settings

from autograder.assignment.script import without_show_cells
from autograder.assignment.source import Source, load_source
from autograder.exam.draw import draw_exam
from tests.durations import (
    pytest_addoption,
    pytest_configure,
    pytest_sessionfinish,
    pytest_terminal_summary,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from autograder.exam.questions import Exam

__all__ = [
    "pytest_addoption",
    "pytest_configure",
    "pytest_sessionfinish",
    "pytest_terminal_summary",
]

# How long an example takes depends on the machine, and decides no test.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")

# A person's own options of pytest are for these tests, not for the students' pytest that they start.
os.environ.pop("PYTEST_ADDOPTS", None)

ROOT = Path(__file__).parents[1]
# Folders and modules of tests that start no other program: `make check` runs them.
QUICK = (
    "reports",
    "sandbox/test_printed.py",
    "values/test_wire.py",
    "solutions",
    "grading/test_consequences.py",
    "assignment/test_cases.py",
    "submission/test_cells.py",
    "assignment/test_checks.py",
    "assignment/test_mistakes.py",
    "test_compare.py",
    "explain/test_exceptions.py",
    "test_examples.py",
    "student/test_cell_history.py",
    "explain/test_recognise.py",
    "assignment/test_probes.py",
    "explain/test_properties_of_answers.py",
    "exam/test_draw.py",
    "exam/test_expected_json.py",
    "exam/test_rounding.py",
    "grading/test_run_seed.py",
    "assignment/test_script.py",
    "submission/test_submission.py",
    "exam/test_substitution.py",
    "explain/test_transcripts.py",
    "values/test_values.py",
    "truth/test_corners.py",
    "truth/test_truth.py",
)
QUICK_PLACES = tuple(ROOT / "tests" / place for place in QUICK)
# Its attacks are quick or not one by one.
BY_TEST = ROOT / "tests" / "attacks" / "test_attacks.py"


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return how many tests run at once. The slow ones wait for other processes a third of their time."""
    cores = os.cpu_count() or 1
    return cores if "not slow" in config.option.markexpr else cores + cores // 2


def pytest_sessionstart() -> None:
    """Refuse to run while a place of quick tests is missing: renamed, it would be left out in silence."""
    missing = [str(place) for place in QUICK_PLACES if not place.exists()]
    if missing:
        message = f"QUICK in tests/conftest.py names what is not there: {', '.join(missing)}"
        raise pytest.UsageError(message)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out what has no quick test, if only these run: to import all takes 10 s in each process."""
    left_out = config.option.markexpr.startswith("quick") and not leads_to_quick(collection_path)
    return True if left_out else None


def leads_to_quick(path: Path) -> bool:
    """Whether this module holds quick tests, or one in this folder does."""
    return has_quick(path) or any(place.is_relative_to(path) for place in (*QUICK_PLACES, BY_TEST))


def has_quick(path: Path) -> bool:
    return path == BY_TEST or any(path.is_relative_to(place) for place in QUICK_PLACES)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the quick tests."""
    quick = {path for path in {item.path for item in items} if path != BY_TEST and has_quick(path)}
    for item in items:
        if item.path in quick:
            item.add_marker(pytest.mark.quick)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """Let hypothesis ask the collector who refers to its objects: a run in this process may have frozen them."""
    if item.get_closest_marker("hypothesis"):
        gc.unfreeze()


@pytest.fixture(scope="session")
def once(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str, Callable[[Path], object]], Path]:
    """Make a folder once for all processes that run tests; return it. Tests only look at what is in it."""
    home = tmp_path_factory.getbasetemp()
    if hasattr(request.config, "workerinput"):
        home = home.parent

    def made(name: str, make: Callable[[Path], object]) -> Path:
        folder, done = home / name, home / f"{name} is made"
        with FileLock(home / f"{name}.lock"):
            if not done.exists():
                shutil.rmtree(folder, ignore_errors=True)  # what a failure has left
                folder.mkdir()
                make(folder)
                done.touch()
        return folder

    return made


@pytest.fixture(scope="session")
def root() -> Path:
    """Return the project's folder."""
    return ROOT


@pytest.fixture(scope="session")
def source() -> Source:
    """Return the assignment self_attention, with its solution."""
    return load_source(ROOT / "solutions" / "self_attention")


@pytest.fixture(scope="session")
def exam(source: Source) -> Exam:
    """Return an exam of self_attention, drawn from seed 1."""
    return draw_exam(source, 1)


@pytest.fixture(scope="session")
def solution() -> str:
    """Return the text of the solution of self_attention, without the cells that plot."""
    path = ROOT / "solutions" / "self_attention" / "self_attention.py"
    return without_show_cells(path.read_text(encoding="utf-8"))
