from __future__ import annotations

from datetime import UTC, datetime

import pytest

from autograder.grading.lateness import LatePolicy, read_deadline, read_percent
from autograder.submission.times import read_time

pytestmark = pytest.mark.unit

RULES = LatePolicy("2026-05-01T23:59:00+02:00", percent=10, most=25, grace=10)


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2026-05-01 10:00:00 UTC", "2026-05-01T10:00:00+00:00"),  # nbgrader
        ("2026-05-01 10:00:00.123456789 Z", "2026-05-01T10:00:00+00:00"),  # Gradescope
        ("2026-05-01 10:00:00 Europe/Berlin", "2026-05-01T10:00:00+02:00"),
        ("Friday, 1 May 2026, 1:24 PM", "2026-05-01T13:24:00"),  # Moodle's worksheets
        ("Friday, 1 May 2026, 12:05 AM", "2026-05-01T00:05:00"),
        ("Donnerstag, 1. Januar 2026, 13:24", "2026-01-01T13:24:00"),
        ("viernes, 1 de mayo de 2026, 13:24", "2026-05-01T13:24:00"),
    ],
)
def test_the_times_of_platforms_are_read(text: str, time: str) -> None:
    found = read_time(text)
    assert found is not None
    assert found.isoformat() == time


@pytest.mark.parametrize(
    "text", ["", "2026-02-30 10:00", "2026-05-01 10:00 Nowhere/Town", "1 Foo 2026, 10:00"]
)
def test_other_texts_are_no_times(text: str) -> None:
    assert read_time(text) is None


@pytest.mark.parametrize(
    ("handed_in", "days", "percent"),
    [
        ("2026-05-01 23:59", 0, 0),  # in the deadline's zone
        ("2026-05-02 00:09", 0, 0),  # the grace
        ("2026-05-02 00:10", 1, 10),
        ("2026-05-03 00:09", 1, 10),
        ("2026-05-03 00:10", 2, 20),
        ("2026-05-02 22:10:00 UTC", 2, 20),
        ("2026-06-01 00:00", 30, 25),
    ],
)
def test_each_begun_day_costs(handed_in: str, days: int, percent: float) -> None:
    late = RULES.late(handed_in, marked=False)
    assert (late is None) is (days == 0)
    assert not late or (late.days, late.percent) == (days, percent)


@pytest.mark.parametrize(
    ("own", "handed_in", "days"),
    [
        ("2026-05-08T23:59:00", "2026-05-08 23:59", 0),
        ("2026-05-08T23:59:00", "2026-05-09 00:10", 1),
        ("2026-04-30T23:59:00", "2026-05-01 23:59", 1),  # an earlier one counts, too
        ("2026-05-08T23:59:00+00:00", "2026-05-09 02:05", 0),  # of another zone
    ],
)
def test_a_deadline_of_ones_own_replaces_the_common_one(
    own: str, handed_in: str, days: int
) -> None:
    late = RULES.late(handed_in, marked=True, own=own)
    assert (late.days if late else 0) == days


def test_without_a_time_it_is_only_shown() -> None:
    late = RULES.late("", marked=True)
    assert late is not None
    assert (late.days, late.percent, late.words) == (0, 0, "late")
    assert RULES.late("", marked=False) is None
    assert LatePolicy().late("2026-05-01 10:00", marked=False) is None


def test_rules_that_are_not_given_stay() -> None:
    assert LatePolicy(percent=5.0).over(RULES) == LatePolicy(RULES.deadline, 5, 25, 10)
    assert LatePolicy().over(RULES) == RULES
    assert LatePolicy().over(None) == LatePolicy()


def test_options_are_read() -> None:
    assert read_percent("10%/day") == read_percent("10 / day") == read_percent("10") == 10
    assert read_percent("2,5%") == 2.5
    for wrong in ("x", "101", "-1", "10%/week"):
        with pytest.raises(ValueError, match=r"^.+$"):
            read_percent(wrong)
    assert read_deadline("2026-05-01T10:00+02:00") == "2026-05-01T10:00:00+02:00"
    assert "T23:59" in read_deadline("2026-05-01")
    assert datetime.fromisoformat(read_deadline("2026-05-01 10:00")).astimezone(UTC)
