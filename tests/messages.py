"""The patterns by which the kit reads the messages of exceptions."""

from __future__ import annotations

from autograder.explain.messages import MESSAGES


def message_patterns() -> dict[str, str]:
    """Return the patterns of messages, each under its name."""
    return {name: known.message for name, known in MESSAGES.items()}
