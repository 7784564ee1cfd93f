"""Submissions that are the same: a hint only where there is something that nobody else wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from autograder.reports.class_record import Member
from autograder.reports.graded_class import Entry
from autograder.reports.pages.report_page import alike_groups
from autograder.submission.directory import NOBODY
from tests.reports.pages.classroom import NOT_STARTED, TRANSPOSED, check, result

if TYPE_CHECKING:
    from autograder.results import CheckResult

pytestmark = pytest.mark.unit

RIGHT = {
    "scores": "def scores(q, k):\n    return q @ k.T",
    "weights": "def weights(s):\n    return s.softmax(-1)",
}
ODD = "def weights(s):\n    e = s.exp()\n    return e / e.sum(0)  # hm"
RENAMED = "def weights(given):\n    up = given.exp()\n    return up / up.sum(0)"


def entry(name: str, *checks: CheckResult, **steps: str) -> Entry:
    pieces = (("work.py", "\n\n\n".join((RIGHT | steps).values())),)
    return Entry(result(name, *checks), Member(name, NOBODY, "", "", pieces=pieces))


def test_the_same_with_other_names_is_found() -> None:
    wrong = check("weights", 0, TRANSPOSED)
    groups, usual = alike_groups(
        [entry("a", wrong, weights=ODD), entry("b", wrong, weights=RENAMED), entry("c")]
    )
    (group,) = groups
    assert [one.name for one in group.entries] == ["a", "b"]
    assert group.own == ("weights",)
    assert group.steps == ("scores", "weights")
    assert group.lines == 3
    assert not group.verbatim
    assert group.mistakes == ("softmax_over_the_queries",)
    assert usual == 0
    (group,), _ = alike_groups([entry("a", weights=ODD), entry("b", weights=ODD)])
    assert group.verbatim


def test_what_others_write_too_is_no_hint() -> None:
    """Two have the same steps, but others wrote each of these as well."""
    groups, usual = alike_groups(
        [
            entry("a"),
            entry("b"),
            entry("c", weights=ODD),
            entry("d", scores="def scores(q, k):\n    return k"),
        ]
    )
    assert groups == []
    assert usual == 2


def test_the_release_is_no_hint_and_without_sources_nothing_is_said() -> None:
    stub = "def weights(s):\n    raise NotImplementedError()"
    untouched = check("weights", 0, NOT_STARTED)
    assert alike_groups([entry(name, untouched, weights=stub) for name in "ab"]) == ([], 0)
    assert alike_groups([Entry(result("a")), Entry(result("b"))]) == ([], 0)
