"""The registry of rules, and the table of words."""

from __future__ import annotations

import pytest

from autograder.explain import rules
from autograder.explain.rules import Finding, Rules, explained, finding, guess
from autograder.results import Outcome

pytestmark = pytest.mark.unit


def test_each_key_stands_in_one_table() -> None:
    tables = (*rules._NAMED, *rules._NAMELESS)
    assert sum(map(len, tables)) == len(rules.WORDS)


def test_the_first_rule_that_finds_something_explains_the_case() -> None:
    words = Rules[str]()

    @words.when(lambda case: case.startswith("x"))
    def nothing(_case: str) -> Finding | None:
        return None

    @words.when(lambda case: {"name": case} if "y" in case else None)
    def with_facts(_case: str, name: str) -> Finding:
        return finding("transposed", name=name)

    @words.when()
    def always(_case: str) -> Finding:
        return guess("equal_rows")

    assert words.first("xy") == finding("transposed", name="xy")
    assert words.first("x") == words.first("") == guess("equal_rows")


@pytest.mark.parametrize(("holds", "is_said"), [({}, True), (True, True), (False, False), (None, False)])  # fmt: skip
def test_a_condition_may_return_facts_or_whether_it_holds(
    holds: dict[str, str] | bool | None, is_said: bool
) -> None:
    words = Rules[str]()
    words.when(lambda _: holds)(lambda _case: finding("transposed"))
    assert (words.first("") is not None) == is_said


def test_rules_get_the_part_of_the_case_that_they_read() -> None:
    words = Rules[tuple[str, ...]](of=lambda case: case[0] if case else None)

    @words.when()
    def rule(part: str) -> Finding:
        return finding("input_changed", name=part)

    assert words.first(("x", "y")) == finding("input_changed", name="x")
    assert words.first(()) is None


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
