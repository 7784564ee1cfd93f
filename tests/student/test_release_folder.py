"""What a student is told to do when all steps are right."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from autograder.student.release_folder import left_to_do, open_questions

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ["self_attention", "numpy_attention", "scaled_dot_product", "causal_multihead"]


@pytest.mark.parametrize("name", NAMES)
def test_the_open_question_of_a_release_is_named_with_its_points(root: Path, name: str) -> None:
    folder = root / "assignments" / name
    [question] = open_questions(folder / f"{name}.ipynb")
    assert question.title.startswith("In your own words: ")
    assert (question.points, question.answered) == (4, False)
    answer, hand_in = left_to_do(folder / f"{name}.py", folder / f"{name}.ipynb")
    assert question.title in answer
    assert hand_in.startswith(f"Hand in {name}.py and {name}.ipynb. ")


def test_an_answered_question_is_not_asked_for(root: Path, tmp_path: Path) -> None:
    released = root / "assignments" / "self_attention" / "self_attention.ipynb"
    notebook = json.loads(released.read_text("utf-8"))
    [cell] = [cell for cell in notebook["cells"] if cell["id"] == "question-1"]
    cell["source"] = ["Because the variance\n", "grows with the width."]
    answered = tmp_path / "mine.ipynb"
    answered.write_text(json.dumps(notebook), encoding="utf-8")
    [hand_in] = left_to_do(answered, answered)
    assert hand_in.startswith("Hand in mine.ipynb. ")


@pytest.mark.parametrize("content", [None, "", "[]", '{"cells": [1]}', '{"cells": [{}]}'])
def test_without_a_readable_notebook_only_handing_in_is_left(
    tmp_path: Path, content: str | None
) -> None:
    notebook = tmp_path / "self_attention.ipynb"
    if content is not None:
        notebook.write_text(content)
    [hand_in] = left_to_do(tmp_path / "self_attention.py", notebook)
    assert hand_in.startswith("Hand in self_attention.py. ")
