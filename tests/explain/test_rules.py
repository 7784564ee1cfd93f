"""Findings, and the table of words."""

from __future__ import annotations

import pytest

from autograder.explain import rules
from autograder.explain.rules import explained, finding
from autograder.results import Outcome

pytestmark = pytest.mark.unit


def test_each_key_stands_in_one_table() -> None:
    tables = (*rules._NAMED, *rules._NAMELESS)
    assert sum(map(len, tables)) == len(rules.WORDS)


def test_a_property_of_an_answer_has_no_name_in_results() -> None:
    described = explained(finding("input_changed", name="x"))
    named = explained(finding("defined_later", name="x"), Outcome.RAISED)
    assert (described.message, described.mistakes, described.sure) == (
        "Your code changes its input in place: after the call, the caller's `x` holds other numbers.",
        (),
        False,
    )
    assert (named.outcome, named.mistakes, named.sure) == (
        Outcome.RAISED,
        ("defined_later",),
        True,
    )
    assert explained(None).message == ""
