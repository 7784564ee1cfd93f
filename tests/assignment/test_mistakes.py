"""Mistakes that several assignments share: declared once in families.py, made in a step of each."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from autograder.assignment.source import load_source
from autograder.errors import AssignmentError
from tests.toy import MISTAKES, write_toy

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.unit

FAMILIES = '''\
"""What two assignments share."""

from autograder import shared_mistake


@shared_mistake(says="That is the input itself.", look="Is it multiplied?")
def unchanged(x):
    return x
'''
USED = ("from autograder import mistake\n", "import families\nfrom autograder import mistake\n")
OWN = MISTAKES.partition("\n\n\n")[2]


def toy_with_families(folder: Path, families: str = FAMILIES) -> Path:
    solutions = write_toy(folder, USED, (OWN, 'unchanged = families.unchanged("double")\n'))
    (solutions / "families.py").write_text(families)
    return solutions / "toy"


def test_families_are_found_beside_the_assignments_folder(tmp_path: Path) -> None:
    """The source is the same as with a mistake of its own, and two folders of solutions do not mix."""
    other = FAMILIES.replace("That is the input itself.", "Nothing happened.")
    toys = [toy_with_families(tmp_path / "one"), toy_with_families(tmp_path / "two", other)]
    own = write_toy(tmp_path / "own") / "toy"
    says = [[mistake.says for mistake in load_source(toy).mistakes] for toy in (*toys, own)]
    assert says == [["That is the input itself."], ["Nothing happened."], says[0]]
    assert "families" not in sys.modules


def test_families_belong_to_what_a_run_is_named_after(tmp_path: Path) -> None:
    toy = toy_with_families(tmp_path)
    before = load_source(toy).digest
    assert load_source(toy).digest == before
    families = toy.parent / "families.py"
    families.write_text(families.read_text().replace("Is it multiplied?", "Where is the two?"))
    assert load_source(toy).digest != before


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("def unchanged(x):", "def unchanged(x", "solutions, while the file is loaded: SyntaxError: '(' was "),
        ("shared_mistake(says", "shared_mistake(say", "solutions/families.py, line 6, while the file is "),
        ("def unchanged(", "def the_same(", "toy/mistakes.py, line 5, while the file is loaded: Attrib"),
        ('says="That is the input itself."', 'says=""', "toy/mistakes.py, line 5: says= and look= must be"),
    ],
    ids=["not Python", "argument", "no such family", "no words"],
)  # fmt: skip
def test_what_does_not_fit_is_said_with_its_place(
    tmp_path: Path, old: str, new: str, words: str
) -> None:
    toy = toy_with_families(tmp_path, FAMILIES.replace(old, new))
    with pytest.raises(AssignmentError) as error:
        load_source(toy)
    assert str(error.value).startswith(words)
    assert "families" not in sys.modules
