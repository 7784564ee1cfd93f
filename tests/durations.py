"""Where the tests' time goes: `pytest --durations-into FILE` keeps it, by module and by test."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pytest
    from _pytest.terminal import TerminalReporter

SHOWN = 25


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addoption("--durations-into", metavar="FILE", help="write how long the tests took")


def pytest_terminal_summary(terminalreporter: TerminalReporter, config: pytest.Config) -> None:
    """Write the file once all tests are done."""
    path = config.getoption("--durations-into")
    if path is not None:
        reports = [
            report
            for kind in ("passed", "failed", "error", "skipped", "")
            for report in terminalreporter.stats.get(kind, [])
            if hasattr(report, "duration")
        ]
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(as_text(reports), encoding="utf-8")


def as_text(reports: Iterable[pytest.TestReport]) -> str:
    """The slowest modules, then the slowest tests: seconds of set-up, call and tear-down together."""
    modules: Counter[str] = Counter()
    tests: Counter[str] = Counter()
    for report in reports:
        modules[report.nodeid.partition("::")[0]] += report.duration  # type: ignore[assignment]
        tests[report.nodeid] += report.duration  # type: ignore[assignment]
    parts = [f"{sum(modules.values()):.0f} seconds in all tests together"]
    parts += [f"{seconds:8.1f} {name}" for name, seconds in modules.most_common(SHOWN)]
    parts += [""]
    parts += [f"{seconds:8.1f} {name}" for name, seconds in tests.most_common(SHOWN)]
    return "\n".join(parts) + "\n"
