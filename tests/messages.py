"""The patterns by which the kit reads the messages of exceptions."""

from __future__ import annotations

from autograder.explain.exceptions import ORDER
from autograder.explain.raised import Message


def message_patterns() -> dict[str, str]:
    """Return the patterns of all rules, each under the name of its rule and a number."""
    found = [
        (rule.__name__, condition.pattern.pattern)
        for rules in ORDER
        for conditions, rule in rules.rules
        for condition in conditions
        if isinstance(condition, Message) and condition.pattern.pattern
    ]
    return {f"{name}-{number}": pattern for number, (name, pattern) in enumerate(found)}
