"""A step's hints as a student reads them: one level at a time, and after a pass why it works."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.assignment.hints import LEVELS
from autograder.results import paragraphs
from autograder.student.memory import LAST_CHECKS, SHOWN_HINTS, recall, remember

if TYPE_CHECKING:
    from pathlib import Path

    from autograder.assignment.checks import Check
    from autograder.results import Block

_EARLIER = "Call your `{}` alone, with a few small numbers. Does it give what this step needs, in the same shape?"


def hint_blocks(
    check: Check, folder: Path, how: str, level: int | None = None
) -> tuple[Block, ...]:
    """Return a hint on a step. The first is about what the step's last check found, if the check asks about that.

    Args:
        folder: the student's folder, which remembers what was found, and which hint was shown.
        how: what asks for the next level.
        level: 1 to 3; by default the one that follows the last one shown since this was found.
    """
    nudge, *others = (check.hints[level] for level in LEVELS)
    texts = [_of_the_last_check(folder, check.name) or nudge, *others]
    key = f"{check.name}: {texts[0]}"
    level = level or min(recall(folder, SHOWN_HINTS).get(key, 0) + 1, len(texts))
    remember(folder, SHOWN_HINTS, key, level)
    return paragraphs(
        f"Hint {level} of {len(texts)} for `{check.name}`:",
        texts[level - 1],
        f"The next hint: {how}." if level < len(texts) else "This is the last hint.",
    )


def _of_the_last_check(folder: Path, step: str) -> str:
    """Return what to ask about the step that the last check sent to, or about what it found; else nothing.

    No sentence of that check is said again.
    """
    last = recall(folder, LAST_CHECKS).get(step)
    if last is None or last.result.feedback is None:
        return ""
    feedback = last.result.feedback
    earlier = (*(feedback.repeats.steps if feedback.repeats else ()), feedback.other_step)
    return _EARLIER.format(earlier[0]) if earlier[0] else last.look


def way_to_a_hint(check: Check, how: str) -> tuple[Block, ...]:
    """Return how to get the first hint, if there are any."""
    return paragraphs(f"For a hint: {how}." if check.hints else "")


def blocks_after_a_pass(check: Check) -> tuple[Block, ...]:
    """Return why the step works, and a question that goes further."""
    return paragraphs(check.hints.get("why", ""), check.hints.get("further", ""))
