"""Which statements of a file a new worker leaves out: each of them did not end, or ended an earlier worker."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from autograder.results import Skipped, WhySkipped
from autograder.sandbox.limits import is_crash
from autograder.values.wire import DEFINES, MOST_STATEMENTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from autograder.results import LoadReport
    from autograder.sandbox.limits import Stopped
    from autograder.sandbox.usage import Loading

MOST_SKIPS = 5


class KnownSkips:
    """The statements of a file that are left out. `known` were left out before, by their text."""

    def __init__(self, known: Mapping[str, Skipped] | None = None) -> None:
        self._known = known or {}
        self._why: dict[int, tuple[WhySkipped, float, int | None]] = {}
        self._only_definitions_from = MOST_STATEMENTS

    @property
    def only_definitions(self) -> bool:
        """Whether only definitions run from some statement on."""
        return self._only_definitions_from < MOST_STATEMENTS

    def fields(self) -> dict[str, object]:
        """Return the fields of a request to load the file."""
        return {
            "numbers": list(self._why),
            "texts": list(self._known),
            "only_definitions_from": self._only_definitions_from,
        }

    def add(self, stop: Stopped, loading: Loading) -> bool:
        """Leave out the statement that ended the worker; False if there is none, or no further one may be left out."""
        number = loading.statement
        if number is None or number in self._why or len(self._why) == 2 * MOST_SKIPS:
            return False
        if self.only_definitions or not (loading.gone and loading.does & DEFINES):
            why = _why(stop, gone=loading.gone)
            self._why[number] = why, loading.seconds, stop.exit_code
        if loading.gone or len(self._why) >= MOST_SKIPS:
            self._only_definitions_from = min(number, self._only_definitions_from)
        return True

    def explained(self, report: LoadReport) -> LoadReport:
        """Return a report in which each skipped statement has its reason."""
        return replace(report, skipped=tuple(map(self._explained, report.skipped)))

    def _explained(self, skipped: Skipped) -> Skipped:
        if skipped.number in self._why:
            why, seconds, exit_code = self._why[skipped.number]
            return replace(skipped, why=why, seconds=seconds, exit_code=exit_code)
        known = self._known.get(skipped.text)
        if known is None:
            return skipped
        return replace(skipped, why=known.why, seconds=known.seconds, exit_code=known.exit_code)


def _why(stop: Stopped, *, gone: bool) -> WhySkipped:
    match stop.limit:
        case "cpu" | "awake" | "wall":
            return WhySkipped.FILE_TOO_SLOW if gone else WhySkipped.ENDLESS
        case "sleep":
            return WhySkipped.SLEEPS
        case "output":
            return WhySkipped.PRINTED
    return WhySkipped.CRASHED if is_crash(stop.exit_code) else WhySkipped.EXITED
