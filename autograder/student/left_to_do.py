"""What a student still has to do when all steps are right: the open question, and handing in."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_NO_ANSWER = ("", "YOUR ANSWER HERE")
_AFTER = "The points of the steps then come from the same checks on other numbers."
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class OpenQuestion:
    """A question that a person marks: its heading, its points, whether the notebook has an answer."""

    title: str
    points: float
    answered: bool


def left_to_do(submission: Path, notebook: Path) -> list[str]:
    """Return what is left to do, in sentences.

    Args:
        submission: the file that was checked, a `.py` or a notebook.
        notebook: the student's notebook, which has the open questions. It need not be there.
    """
    unanswered = [question for question in open_questions(notebook) if not question.answered]
    both = f" and {notebook.name}" if unanswered and notebook.name != submission.name else ""
    return [
        *(
            f'Answer the open question in {notebook.name}, "{question.title}". '
            f"A person marks it: {question.points:g} points."
            for question in unanswered
        ),
        f"Hand in {submission.name}{both}. {_AFTER}",
    ]


def open_questions(notebook: Path) -> tuple[OpenQuestion, ...]:
    """Return the questions of a notebook that a person marks; none if it cannot be read."""
    try:
        cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
        return tuple(_questions(cells))
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return ()  # a student may have moved or damaged it; the steps are right all the same


def _questions(cells: list[dict[str, Any]]) -> Iterator[OpenQuestion]:
    text = ""
    for cell in cells:
        source = "".join(cell["source"])
        nbgrader = cell["metadata"].get("nbgrader", {})
        if cell["cell_type"] == "markdown" and nbgrader.get("grade") and nbgrader.get("solution"):
            heading = _HEADING.search(text)
            title = heading[1] if heading else str(nbgrader["grade_id"])
            yield OpenQuestion(title, float(nbgrader["points"]), source.strip() not in _NO_ANSWER)
        text = source
