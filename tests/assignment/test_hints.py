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


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_the_second_hint_is_a_place_and_a_question_and_no_recipe(name: str) -> None:
    hints = {check.name: check.hints["where"] for check in source_of(name).assignment.checks}
    assert [step for step, words in hints.items() if not words.endswith("?")] == []


@pytest.mark.unit
@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("[shift]\nnudge", "[shift]\nnodge", "[shift] has nodge, where, example, why, further; wanted nudge, "),
        ('why = "Twice is once more."', 'why = " "', "[double] has nudge, where, example, further; wanted "),
        ('example = "3 becomes 6."\n', "", "[double] has nudge, where, why, further; wanted "),
        ("[shift]\n", "[shifted]\n", "[shift] has nothing; wanted nudge, "),
    ],
)  # fmt: skip
def test_what_lacks_or_is_unknown_is_named(tmp_path: Path, old: str, new: str, words: str) -> None:
    source = load_source(write_toy(tmp_path, (old, new)) / "toy")
    [problem] = hint_problems(source)
    assert str(problem.words).startswith(words)


@pytest.mark.unit
def test_an_assignment_without_the_file_can_be_loaded_but_not_built(tmp_path: Path) -> None:
    solutions = write_toy(tmp_path)
    (solutions / "toy" / "hints.toml").unlink()
    source = load_source(solutions / "toy")
    assert [dict(check.hints) for check in source.assignment.checks] == [{}, {}]
    assert len(list(hint_problems(source))) == 2


@pytest.mark.unit
@pytest.mark.parametrize(
    ("text", "kind"),
    [("[double", "TOML"), ("double = 3", "Attribute"), ("[double]\nnudge = 3", "Attribute")],
)
def test_a_damaged_file_is_named(tmp_path: Path, text: str, kind: str) -> None:
    solutions = write_toy(tmp_path)
    (solutions / "toy" / "hints.toml").write_text(text)
    with pytest.raises(AssignmentError, match=f"^toy, while hints.toml is read: {kind}"):
        load_source(solutions / "toy")
