"""The hints of the steps, from `hints.toml`: three levels, and two sentences for a step that is right.

[scale_scores]
nudge = "..."      # level 1
where = "..."      # level 2: where to look
example = "..."    # level 3: the same on other numbers
why = "..."        # why it works, told after a pass
further = "..."    # a question that goes further
"""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

from autograder.assignment.authored import Problem
from autograder.errors import AssignmentError
from autograder.text import nearest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from autograder.assignment.assignment import Source

HINTS = "hints.toml"
LEVELS = ("nudge", "where", "example")
PARTS = (*LEVELS, "why", "further")


def read_hints(path: Path, text: str) -> dict[str, dict[str, str]]:
    """Return the hints by step. Raises AssignmentError if the file is no TOML, or is not tables of texts."""
    name = f"{path.parent.name}/{path.name}"
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise AssignmentError(f"{name}: this is not TOML: {error}.") from None
    for step, hints in content.items():
        if not isinstance(hints, dict) or not all(isinstance(one, str) for one in hints.values()):
            raise AssignmentError(f'{name}: `{step}` must be a table of texts: nudge = "...".')
    return {
        step: {part: one.strip() for part, one in hints.items()} for step, hints in content.items()
    }


def hint_problems(source: Source) -> Iterator[Problem]:
    """Yield what must change in the hints before they are released."""
    steps = [check.name for check in source.assignment.checks]
    for step in dict.fromkeys([*source.hints, *steps]):
        found = [part for part, text in source.hints.get(step, {}).items() if text]
        words = f"[{step}] has {', '.join(found) or 'nothing'}; wanted {', '.join(PARTS)}."
        if step not in steps:
            yield Problem(HINTS, step, f"no step {step!r}. {nearest(step, steps)}")
        elif {*found} != {*PARTS}:
            yield Problem(HINTS, step, words)
