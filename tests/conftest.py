"""Fixtures for many tests: the project's assignments, loaded once."""

from __future__ import annotations

import gc
import os
import re
import shutil
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from _pytest.mark.expression import Expression
from filelock import FileLock
from hypothesis import settings

from autograder.assignment.script import without_show_cells
from autograder.sandbox.limits import Limits
from autograder.sandbox.warm import best_sandbox
from tests.exams import exam_of, source_of
from tests.forking import client
from tests.sandbox.conftest import PERMISSIVE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from autograder.assignment.source import Source
    from autograder.exam.questions import Exam
    from autograder.sandbox.sandbox import Sandbox

# How long an example takes depends on the machine, and decides no test.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")

# A person's own options of pytest are for these tests, not for the students' pytest that they start.
os.environ.pop("PYTEST_ADDOPTS", None)

ROOT = Path(__file__).parents[1]
# The tier of a module, if all its tests belong to one: `pytestmark` says it.
TIER = re.compile(r"^pytestmark = (?:\[[^]]*?)?pytest\.mark\.(slow|install)\b", flags=re.MULTILINE)
TIERS = {"unit", "large", "slow", "install"}
# What a unit test does not do.
FORBIDDEN = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.exec"}


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return how many tests run at once. The slow ones wait for other processes a third of their time."""
    cores = os.cpu_count() or 1
    return cores if "not slow" in config.option.markexpr else cores + cores // 2


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out modules none of whose tests run: to import all of them takes 15 s in each process."""
    if not collection_path.name.startswith("test_") or collection_path.suffix != ".py":
        return None
    words = set(re.findall(r"\w+", config.option.markexpr))
    if not words or words - TIERS - {"and", "or", "not"}:
        return None
    chosen = Expression.compile(config.option.markexpr)
    possible = marks_in(collection_path.read_text(encoding="utf-8"))
    return None if any(fits(chosen, marks) for marks in possible) else True


def fits(chosen: Expression, marks: set[str]) -> bool:
    """Whether a test with these marks is chosen by an expression for `-m`."""

    def has(name: str, /, **_: str | int | bool | None) -> bool:
        return name in marks

    return bool(chosen.evaluate(has))


def marks_in(text: str) -> list[set[str]]:
    if whole := TIER.search(text):
        return [{whole[1]}]
    unit = [{"unit"}, {"unit", "large"}] if "pytest.mark.unit" in text else []
    return [set(), {"slow"}, {"install"}, *unit]


def pytest_sessionstart(session: pytest.Session) -> None:
    """Refuse, where only unit tests run, what makes a test more. Else several processes of tests share one to fork."""
    config = session.config
    only_units = config.option.markexpr.startswith("unit")
    of_several = hasattr(config, "workerinput")
    if config.getoption("numprocesses", None):
        if not only_units and client.CAN_FORK:
            client.share()
    elif only_units and (of_several or config.args_source is pytest.Config.ArgsSource.TESTPATHS):
        sys.addaudithook(_refuse)  # a module that is named is imported whatever its tests are


def _refuse(event: str, arguments: tuple[object, ...]) -> None:
    if event in FORBIDDEN or (event == "import" and arguments[0] == "torch"):
        words = " ".join(map(str, arguments[:1]))
        raise RuntimeError(f"a test marked `unit` uses {event} {words}: take the mark away")


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
    return ROOT


@pytest.fixture(scope="session")
def source() -> Source:
    return source_of("self_attention")


@pytest.fixture(scope="session")
def exam() -> Exam:
    return exam_of("self_attention")


@pytest.fixture(scope="session")
def solution() -> str:
    """Return the text of the solution of self_attention, without the cells that plot."""
    path = ROOT / "solutions" / "self_attention" / "self_attention.py"
    return without_show_cells(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    """Yield the fastest sandbox, for code of our own; a module may have another one."""
    with closing(best_sandbox(Limits(), layers=PERMISSIVE)) as opened:
        yield opened
