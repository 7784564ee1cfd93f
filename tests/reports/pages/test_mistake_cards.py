"""Examples of code do not tell whose they are."""

from __future__ import annotations

import pytest

from autograder.reports.pages.mistake_cards import MOST_CHARACTERS, anonymous_example, without_names

pytestmark = pytest.mark.unit

SOURCE = '''\
@decorate
def weights(scores):   # by Alice
    """Alice Berg wrote this."""
    alice = torch.softmax( scores,dim=0 )
    print('from alice.berg@example.org', "Alicent")
    return   alice
'''


def test_comments_docstrings_and_formatting_are_gone() -> None:
    assert anonymous_example(SOURCE, ["Alice Berg", "alice.berg@example.org"]) == (
        "@decorate\n"
        "def weights(scores):\n"
        "    ... = torch.softmax(scores, dim=0)\n"
        "    print('from ...', 'Alicent')\n"
        "    return ..."
    )


def test_a_function_of_a_docstring_only_stays_a_function() -> None:
    assert anonymous_example('def f():\n    """Words."""', []) == "def f():\n    pass"


@pytest.mark.parametrize(
    "source",
    [
        "def f(:",
        "x = " + "(" * 150 + ")" * 150,
        "x = " + "-" * (MOST_CHARACTERS - 10) + "1",
        "x = a" + ".a" * 1_990,
        "x = " + "1+" * 1_990 + "1",
        "x = '\0'",
        "a" * (MOST_CHARACTERS + 1),
        "x = 1\n" * 60,
        "\ud800",
    ],
)
def test_what_is_no_good_example_is_left_out(source: str) -> None:
    assert len(anonymous_example(source, [])) in range(MOST_CHARACTERS)
    assert anonymous_example(source, []).count("\n") < 60


@pytest.mark.parametrize(
    ("name", "hidden"),
    [("Ana", "... in_... banana"), ("in", "Ana in_ana banana"), ("ANA", "... in_... banana")],
)
def test_only_whole_words_are_hidden(name: str, hidden: str) -> None:
    assert without_names("Ana in_ana banana", [name]) == hidden


def test_a_name_is_no_pattern() -> None:
    assert without_names("a.b abb", ["a.b"]) == "... abb"
