"""Words of an anonymous report do not tell whose they are."""

from __future__ import annotations

import pytest

from autograder.reports.pages.mistake_cards import without_names

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("name", "hidden"),
    [("Ana", "... in_... banana"), ("in", "Ana in_ana banana"), ("ANA", "... in_... banana")],
)
def test_only_whole_words_are_hidden(name: str, hidden: str) -> None:
    assert without_names("Ana in_ana banana", [name]) == hidden


def test_a_name_is_no_pattern() -> None:
    assert without_names("a.b abb", ["a.b"]) == "... abb"
