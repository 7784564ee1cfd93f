"""The hints of the steps, from `hints.toml`: three levels, and two sentences for a step that is right.

[scale_scores]
nudge = "..."      # level 1
where = "..."      # level 2: where to look
example = "..."    # level 3: the same on other numbers
why = "..."        # why it works, told after a pass
further = "..."    # a question that goes further
"""

from __future__ import annotations

import re
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

_CODE = re.compile(r"`([^`]+)`")
_NUMBER = re.compile(r"(?<!\w)\d[\w.]*")
_MODULES = ("math", "nn", "np", "torch")


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
    steps = {check.name: check.hints for check in source.assignment.checks}
    for step in source.hints.keys() - steps.keys():
        words = f"there are hints for `{step}`, and no such step. {nearest(step, steps)}"
        yield Problem(HINTS, step, words)
    for step, hints in steps.items():
        if lacking := [part for part in PARTS if not hints.get(part)]:
            words = f'`{step}` has no {", ".join(lacking)}. Write each as {lacking[0]} = "..." below [{step}].'
            yield Problem(HINTS, step, words)
        if unknown := [part for part in hints if part not in PARTS]:
            words = f"`{step}` has {', '.join(unknown)}, which is none of {', '.join(PARTS)}."
            yield Problem(HINTS, step, words)
