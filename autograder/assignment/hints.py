"""The hints of the steps, from `hints.toml`: three levels, and two sentences for a step that is right.

[scale_scores]
nudge = "..."      # level 1
where = "..."      # level 2: a place to look at, and a question
example = "..."    # level 3: the same on other numbers
why = "..."        # why it works, told after a pass
further = "..."    # a question that goes further
"""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

from autograder.assignment.authored import Problem, authors_code

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from autograder.assignment.assignment import Source

HINTS = "hints.toml"
LEVELS = ("nudge", "where", "example")
PARTS = (*LEVELS, "why", "further")


def read_hints(path: Path, text: str) -> dict[str, dict[str, str]]:
    """Return the hints by step. Raises AssignmentError if the file is no TOML, or is not tables of texts."""
    with authors_code(path.parent, f"while {path.name} is read"):
        return {
            step: {part: words.strip() for part, words in hints.items()}
            for step, hints in tomllib.loads(text).items()
        }


def hint_problems(source: Source) -> Iterator[Problem]:
    """Yield what must change in the hints before they are released."""
    for check in source.assignment.checks:
        found = [part for part, text in check.hints.items() if text]
        if {*found} != {*PARTS}:
            words = (
                f"[{check.name}] has {', '.join(found) or 'nothing'}; wanted {', '.join(PARTS)}."
            )
            yield Problem(HINTS, check.name, words)
