"""A student's answers to the open questions: in a notebook, or in a file such as `question-1.md` beside the work."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from autograder.errors import Rejected
from autograder.submission.read import cells_of_file, read_text
from autograder.submission.which_file import is_notebook
from autograder.text import clean_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from autograder.submission.hand_in import HandIn

_MOST_CHARACTERS = 20_000
_RELEASED = "YOUR ANSWER HERE"


def read_answers(hand_in: HandIn, questions: Iterable[str]) -> dict[str, str]:
    """Return the answer to each question that has one. What cannot be read has none."""
    return {
        question: answer
        for question in questions
        if (answer := next(filter(None, _texts(hand_in, question)), ""))
    }


def _texts(hand_in: HandIn, question: str) -> Iterator[str]:
    """Yield what may be the answer, the best first; the text of the release is none."""
    for file in hand_in.files:
        for cell in reversed(cells_of_file(file) if is_notebook(file.name) else []):
            if cell.id == question:
                yield _cleaned(cell.source)
    for folder in dict.fromkeys(file.parent for file in hand_in.files):
        with suppress(Rejected):
            yield _cleaned(read_text(folder / f"{question}.md"))


def _cleaned(text: str) -> str:
    text = clean_text(text, _MOST_CHARACTERS).strip()
    return "" if text == _RELEASED else text
