"""A trace is read from records that may say anything, and quotes from the source."""

from __future__ import annotations

import pytest

from autograder.assignment.recorder import MOST_NUMBERS, MOST_RECORDS, MOST_SITES, MOST_TRACED
from autograder.explain.trace import Described, SiteTable, read_trace
from autograder.values.values import ListValue, Value, tensor
from tests.trusted_cost import measured

pytestmark = pytest.mark.unit

SOURCE = """\
size = 3

def f(x, d):
    d = 2
    y = x.view(size,
               d)
    return y
"""
TABLE = SiteTable([("work.py", SOURCE)])
NONE = ListValue("list", ())


def record(*parts: Value) -> ListValue:
    return ListValue("list", parts)


def read(*records: Value) -> list[object]:
    """Return what each event says: its source and its value."""
    trace = read_trace(record(*records), TABLE)
    return [(event.site.source, event.value) for event in trace.events]


def test_an_event_quotes_its_source_in_one_line() -> None:
    sources = [one.source for one in TABLE.sites]
    assert sources == ["x.view(size, d)", "x.view", "x", "size", "d", "y"]
    assert read(record(0, 0, 1, NONE, "value", 1.5)) == [("x.view(size, d)", 1.5)]


@pytest.mark.parametrize(
    "odd",
    [
        None,
        "text",
        record(),
        record(0, 0, 1, NONE, "value"),
        record(len(TABLE.sites), 0, 1, NONE, "value", 1.5),
        record(-1, 0, 1, NONE, "value", 1.5),
        record("0", 0, 1, NONE, "value", 1.5),
        record(0, 0, 1, None, "value", 1.5),
        record(0, 0, 1, NONE, "another", "name"),
        record(0, 0, 1, NONE, "function", 7),
        record(0, 0, 1, NONE, "value", tensor([0.0] * (MOST_NUMBERS + 1))),
    ],
)
def test_a_record_that_does_not_fit_is_left_out(odd: Value) -> None:
    assert read(odd, record(5, 0, 1, NONE, "value", 1.5)) == [("y", 1.5)]


def test_texts_of_a_worker_are_cleaned_and_cut() -> None:
    odd = record(0, 0, 1, NONE, "large", "\x1b[2J" + "x" * 900, "d\n" * 99, 7, "8", 9)
    value = read_trace(record(odd), TABLE).events[0].value
    assert isinstance(value, Described)
    assert len(value.name) <= 70
    assert "\x1b" not in value.name
    assert "\n" not in value.dtype
    assert value.shape == (7, 9)


def test_of_too_many_records_the_first_are_read() -> None:
    assert len(read(*[record(5, 0, 1, NONE, "value", 1.5)] * (MOST_RECORDS + 9))) == MOST_RECORDS


def test_the_sites_of_a_file_have_an_end() -> None:
    long = "def g(x):\n" + "    x + 1\n" * MOST_SITES
    table = SiteTable([("a.py", "def f(x):\n    return -x\n"), ("b.py", long)])
    assert [one.source for one in table.sites] == ["-x", "x"]


def test_only_the_first_characters_of_a_submission_are_parsed() -> None:
    hostile = "x = [" + "1," * 450_000 + "]\n"
    with measured() as cost:
        table = SiteTable([("work.py", SOURCE), ("b.py", hostile), ("c.py", SOURCE)])
        assert [one.label for one in table.sites] == ["work.py"] * 6
    assert cost.megabytes < 50
    behind = SiteTable([("a.py", "#" * MOST_TRACED), ("work.py", SOURCE)])
    assert behind.sites == ()
