"""Explain exceptions to beginners, from knowledge of Python and torch and from what the student wrote.

An exception alone is weak evidence. An explanation is sure only if the student's source shows the cause.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.explain import call_rules, message_rules, name_rules, value_rules
from autograder.explain.place import place_of
from autograder.explain.raised import Message, Raised
from autograder.explain.rules import first_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from autograder.explain.rules import Finding
    from autograder.explain.student_code import StudentCode
    from autograder.results import StudentError

# In this order: what the source shows comes before what a message says.
ORDER = (
    name_rules.HIDDEN,
    value_rules.SLIPS,
    name_rules.RULES,
    call_rules.RULES,
    value_rules.RULES,
    message_rules.RULES,
    value_rules.ASSERTS,
)


def read_error(
    error: StudentError,
    names: Collection[str],
    code: StudentCode | None = None,
    steps: Mapping[str, str] | None = None,
    given: tuple[str, ...] = (),
) -> Finding | None:
    """Explain an exception; return None if its message is clear.

    Args:
        names: what the file defines.
        code: the submission's source.
        steps: the released stubs, by name.
        given: the attributes of the objects that the step was called with.
    """
    return first_of(ORDER, Raised(error, place_of(error, code, given), names, steps or {}))


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
