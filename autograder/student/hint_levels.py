"""A step's hints as a student reads them: one level at a time, and after a pass why it works."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from autograder.assignment.hints import LEVELS
from autograder.errors import UsageError
from autograder.files import write_whole
from autograder.results import paragraphs

if TYPE_CHECKING:
    from pathlib import Path

    from autograder.assignment.checks import Check
    from autograder.results import Block

# Which level of each step was shown last, in the student's folder.
SHOWN_HINTS = ".hints.json"


def hint_blocks(check: Check, level: int, how: str) -> tuple[Block, ...]:
    """Return a hint on a step.

    Args:
        level: 1 to 3.
        how: what asks for the next level.

    Raises UsageError if there are none.
    """
    if not check.hints:
        raise UsageError(
            "There are no hints here: an earlier version of the kit made this release."
        )
    head = f"Hint {level} of {len(LEVELS)} for `{check.name}`:"
    more = f"The next hint: {how}." if level < len(LEVELS) else ""
    return paragraphs(head, check.hints[LEVELS[level - 1]], more)


def way_to_a_hint(check: Check, how: str) -> tuple[Block, ...]:
    """Return how to get the first hint, if there are any."""
    return paragraphs(f"For a hint: {how}." if check.hints else "")


def blocks_after_a_pass(check: Check) -> tuple[Block, ...]:
    """Return why the step works, and a question that goes further."""
    return paragraphs(check.hints.get("why", ""), check.hints.get("further", ""))


def next_level(folder: Path, step: str) -> int:
    """Return the level that follows the last one that was shown of a step; the last level is shown again."""
    return min(_shown(folder).get(step, 0) + 1, len(LEVELS))


def remember_level(folder: Path, step: str, level: int) -> None:
    """Remember that this level was shown. Raises OSError if the folder cannot be written."""
    write_whole(folder / SHOWN_HINTS, json.dumps(_shown(folder) | {step: level}).encode())


def _shown(folder: Path) -> dict[str, int]:
    try:
        content = json.loads((folder / SHOWN_HINTS).read_text(encoding="utf-8"))
        return {step: int(level) for step, level in content.items()}
    except (
        OSError,
        ValueError,
        AttributeError,
        TypeError,
    ):  # none was shown, or somebody edited it
        return {}
