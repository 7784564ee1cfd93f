"""What a student answered to an open question, wherever it was written."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from autograder.submission.answers import read_answers
from autograder.submission.hand_in import HandIn

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.unit


def notebook(*answers: str) -> str:
    cells = [
        {
            "cell_type": "markdown",
            "metadata": {"nbgrader": {"grade_id": "question-1"}},
            "source": text.splitlines(keepends=True),
        }
        for text in answers
    ]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells})


@pytest.mark.parametrize(
    ("files", "answer"),
    [
        ({"toy.ipynb": notebook("Because.\n\nOf <b>rows</b>.")}, "Because.\n\nOf <b>rows</b>."),
        ({"toy.py": "", "toy.ipynb": notebook("Mine.", "YOUR ANSWER HERE")}, "Mine."),
        ({"toy.py": "", "question-1.md": " In a file.\x1b[31m\n"}, "In a file."),
        ({"toy.ipynb": notebook("YOUR ANSWER HERE\n"), "question-1.md": "File."}, "File."),
        ({"toy.ipynb": notebook(" YOUR ANSWER HERE "), "question-2.md": "Other."}, None),
        ({"toy.ipynb": "{", "question-1.md": " \n"}, None),
        ({"toy.ipynb": notebook("x" * 30_000)}, "x" * 20_000 + "..."),
        ({}, None),
    ],
)
def test_the_answer_is_what_the_student_wrote(
    tmp_path: Path, files: dict[str, str], answer: str | None
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    work = tuple(tmp_path / name for name in files if name.startswith("toy"))
    found = read_answers(HandIn("ann", tmp_path, work), ["question-1"])
    assert found == ({"question-1": answer} if answer is not None else {})
    assert read_answers(HandIn("ann", tmp_path, work), []) == {}


def test_a_link_is_no_answer(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("Not theirs.", encoding="utf-8")
    (tmp_path / "toy.py").touch()
    (tmp_path / "question-1.md").symlink_to(tmp_path / "secret.txt")
    assert read_answers(HandIn("ann", tmp_path, (tmp_path / "toy.py",)), ["question-1"]) == {}
