"""Where the tests' time goes: computing time by group of tests, which is a module's, and the slowest tests."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from _pytest.terminal import TerminalReporter

GROUPS = 10
SHOWN = 25
_COMPUTED = pytest.StashKey[dict[str, float]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    parser.addoption("--durations-into", metavar="FILE", help="write how long the tests took")


class Computing:
    """Counts the computing time of each group of tests, and of all processes that these start."""

    def __init__(self, config: pytest.Config) -> None:
        self._seconds = config.stash.setdefault(_COMPUTED, {})
        self._before = computing_seconds()

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> Iterator[None]:
        """Count once for each run of tests of one group."""
        yield
        group = group_of(item.nodeid)
        if nextitem is None or group_of(nextitem.nodeid) != group:
            now = computing_seconds()
            self._seconds[group] = self._seconds.get(group, 0.0) + now - self._before
            self._before = now


class Collecting:
    """Collects what the processes counted in which the tests ran."""

    def __init__(self, config: pytest.Config) -> None:
        self._seconds = config.stash.setdefault(_COMPUTED, {})

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Add what one of them counted."""
        for group, seconds in getattr(node, "workeroutput", {}).get("computed", {}).items():
            self._seconds[group] = self._seconds.get(group, 0.0) + seconds


def pytest_configure(config: pytest.Config) -> None:
    """Count here, or collect what other processes count."""
    if hasattr(config, "workerinput") or not config.getoption("numprocesses", None):
        config.pluginmanager.register(Computing(config))
    else:
        config.pluginmanager.register(Collecting(config))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Send what was counted to the process that reports."""
    if hasattr(session.config, "workeroutput"):
        computed: dict[str, float] = session.config.stash[_COMPUTED]
        session.config.workeroutput["computed"] = computed


def pytest_terminal_summary(terminalreporter: TerminalReporter, config: pytest.Config) -> None:
    """Print the slowest groups, and write the file, once all tests are done."""
    path = config.getoption("--durations-into")
    if path is None:
        return
    computed = config.stash[_COMPUTED]
    terminalreporter.section("slowest groups in computing time")
    for line in listed(computed, GROUPS):
        terminalreporter.write_line(line)
    reports = [
        report
        for kind in ("passed", "failed", "error", "skipped", "")
        for report in terminalreporter.stats.get(kind, [])
        if hasattr(report, "duration")
    ]
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    parts = [*listed(computed, SHOWN), "", *listed(durations(reports), SHOWN)]
    Path(path).write_text("\n".join(parts) + "\n", encoding="utf-8")


def group_of(test: str) -> str:
    """Return the group of a test: its module."""
    return test.partition("::")[0]


def computing_seconds() -> float:
    """Return the computing time of this process, of those that it waited for, and of those that still run."""
    total = sum(os.times()[:4])
    for process in psutil.Process().children(recursive=True):
        try:
            total += sum(process.cpu_times()[:4])
        except psutil.Error:  # it has ended meanwhile
            continue
    return total


def durations(reports: Iterable[pytest.TestReport]) -> dict[str, float]:
    """Return the seconds of each test: set-up, call and tear-down together."""
    tests: dict[str, float] = {}
    for report in reports:
        tests[report.nodeid] = tests.get(report.nodeid, 0.0) + report.duration
    return tests


def listed(seconds: dict[str, float], most: int) -> list[str]:
    """Return the sum, then the largest entries, a line each."""
    total = f"{sum(seconds.values()):8.1f} seconds in all"
    largest = sorted(seconds.items(), key=lambda entry: -entry[1])[:most]
    return [total, *(f"{number:8.1f} {name}" for name, number in largest)]
