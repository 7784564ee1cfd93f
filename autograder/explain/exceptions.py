"""Explain exceptions to beginners, from knowledge of Python and torch and from what the student wrote.

An exception alone is weak evidence. An explanation is sure only if the student's source shows the cause.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.explain import call_rules, message_rules, name_rules, slips, value_rules
from autograder.explain.raised import Message, Raised
from autograder.explain.rules import first_of

if TYPE_CHECKING:
    from autograder.explain.rules import Finding
    from autograder.explain.student_code import Submitted
    from autograder.results import StudentError

# In this order: what the source shows comes before what a message says.
ORDER = (
    name_rules.HIDDEN,
    slips.RAISED,
    value_rules.SLIPS,
    name_rules.RULES,
    call_rules.RULES,
    value_rules.RULES,
    message_rules.RULES,
)


def read_error(
    error: StudentError, submitted: Submitted, given: tuple[str, ...] = ()
) -> Finding | None:
    """Explain an exception; return None if its message is clear.

    Args:
        given: the attributes of the objects that the step was called with.
    """
    return first_of(ORDER, Raised(error, submitted, given))


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
