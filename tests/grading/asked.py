"""Results of the steps that a test looks at, and of no others: one class takes as long as ten functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.exams import exam_of
from tests.graders import check_step, open_session

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from autograder.exam.questions import Exam
    from autograder.results import CheckResult


class Asked(dict[str, "CheckResult"]):
    """The results of a file's steps, each asked for when a test looks at it."""

    def __init__(self, exam: Exam, source: str) -> None:
        super().__init__()
        self._exam = exam
        self._session = open_session(exam, source)

    def __missing__(self, step: str) -> CheckResult:
        self[step] = result = check_step(self._exam, self._session, step)
        return result

    def whole(self) -> dict[str, CheckResult]:
        return {check.name: self[check.name] for check in self._exam.assignment.checks}


def asked(assignment: str, source: str) -> Asked:
    return Asked(exam_of(assignment), source)


def rows(names: Iterable[str], *, quick: Collection[str]) -> list[Any]:
    """Return the names as parameters of a test; all but the quick ones are slow."""
    names = list(names)
    assert set(quick) <= set(names), set(quick) - set(names)
    return [pytest.param(name, marks=[] if name in quick else [pytest.mark.slow]) for name in names]
