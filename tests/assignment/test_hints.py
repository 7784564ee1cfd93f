"""Hints are complete."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from autograder.assignment.hints import hint_problems
from autograder.assignment.source import load_source
from autograder.errors import AssignmentError
from tests.exams import ASSIGNMENTS, source_of
from tests.toy import write_toy

if TYPE_CHECKING:
    from pathlib import Path

    from autograder.assignment.authored import Problem


def problems(folder: Path, *changes: tuple[str, str]) -> list[Problem]:
    return list(hint_problems(load_source(write_toy(folder, *changes) / "toy")))


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_the_second_hint_is_a_place_and_a_question_and_no_recipe(name: str) -> None:
    hints = {check.name: check.hints["where"] for check in source_of(name).assignment.checks}
    assert [step for step, words in hints.items() if not words.endswith("?")] == []


@pytest.mark.unit
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            ("[shift]\nnudge", "[shift]\nnodge"),
            ["[shift] has nodge, where, example, why, further; wanted nudge, "],
        ),
        (
            ('why = "Twice is once more."', 'why = " "'),
            ["[double] has nudge, where, example, further; wanted "],
        ),
        (('example = "3 becomes 6."\n', ""), ["[double] has nudge, where, why, further; wanted "]),
        (
            ("[shift]\n", "[shifted]\n"),
            ["[shift] has nothing; wanted nudge, "],
        ),
    ],
)
def test_what_lacks_or_is_unknown_is_named(
    tmp_path: Path, change: tuple[str, str], words: list[str]
) -> None:
    found = [problem.words for problem in problems(tmp_path, change)]
    assert len(found) == len(words)
    assert all(map(str.startswith, found, words)), found


@pytest.mark.unit
def test_an_assignment_without_the_file_can_be_loaded_but_not_built(tmp_path: Path) -> None:
    solutions = write_toy(tmp_path)
    (solutions / "toy" / "hints.toml").unlink()
    source = load_source(solutions / "toy")
    assert [dict(check.hints) for check in source.assignment.checks] == [{}, {}]
    assert len(list(hint_problems(source))) == 2


@pytest.mark.unit
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[double", "toy, while hints.toml is read: TOMLDecodeError: "),
        ("double = 3", "toy, while hints.toml is read: AttributeError: "),
        ("[double]\nnudge = 3", "toy, while hints.toml is read: AttributeError: "),
    ],
)
def test_a_damaged_file_is_named(tmp_path: Path, text: str, words: str) -> None:
    solutions = write_toy(tmp_path)
    (solutions / "toy" / "hints.toml").write_text(text)
    with pytest.raises(AssignmentError) as error:
        load_source(solutions / "toy")
    assert str(error.value).startswith(words)
