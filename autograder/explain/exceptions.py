"""Explain exceptions to beginners, from knowledge of Python and torch and from what the student wrote.

An exception alone is weak evidence. An explanation is sure only if the student's source shows the cause.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from autograder.explain import call_rules, foreign, loops, name_rules, not_asked, signatures, slips
from autograder.explain.messages import MESSAGES, Known
from autograder.explain.raised import Message, Raised, message
from autograder.explain.rules import Finding, Rules, finding, guess
from autograder.explain.student_code import never_read

if TYPE_CHECKING:
    from collections.abc import Mapping

    from autograder.explain.student_code import Submitted
    from autograder.results import StudentError
    from autograder.values.values import Value

RULES = Rules[Raised]()


def _register(key: str, known: Known) -> None:
    """Register a message that needs only words."""

    def rule(raised: Raised, **facts: str) -> Finding:
        shown = known.line is not None and raised.nodes is not None
        # A line that is part of a longer statement cannot be parsed, so it proves nothing.
        perhaps = known.line is not None and not shown
        return replace(finding(key, **facts), sure=shown, perhaps=perhaps)

    RULES.when(message(known.message, line=known.line, assigned=known.assigned))(rule)


for _key, _known in MESSAGES.items():
    _register(_key, _known)


@RULES.when(message("", "AssertionError"))
def own_assert(raised: Raised) -> Finding | None:
    shown = any(isinstance(node, ast.Assert) for node in raised.nodes or ())
    return finding("assert_fails.wanted" if raised.wanted else "assert_fails") if shown else None


@RULES.when(slips.of_numbers)
def argument_never_read(raised: Raised) -> Finding | None:
    """Notice an argument that the step never reads, where the message is all that is known."""
    definition, argument = raised.definition, never_read(raised.definition)
    if definition is None or not argument or definition.node.name not in raised.submitted.stubs:
        return None
    return guess("argument_not_used.never_read", step=definition.node.name, argument=argument)


# In this order: what the source shows comes before what a message says.
ORDER = (
    signatures.RULES,
    name_rules.HIDDEN,
    slips.RAISED,
    foreign.RAISED,
    loops.RAISED,
    not_asked.RAISED,
    slips.IN_THE_LINE,
    foreign.IN_THE_LINE,
    name_rules.RULES,
    call_rules.WHOLE,
    call_rules.RULES,
    RULES,
)


def read_error(
    error: StudentError,
    submitted: Submitted,
    given: tuple[str, ...] = (),
    inputs: Mapping[str, Value] | None = None,
    wanted: str = "",
) -> Finding | None:
    """Explain an exception; return None if its message is clear.

    Args:
        given: the attributes of the objects that the step was called with.
        inputs: what the function was called with that raised it, if that is known.
        wanted: the type of the exception that was asked for in place of it; empty if none was.
    """
    raised = Raised(error, submitted, given, inputs or {}, wanted)
    return next((found for rules in ORDER if (found := rules.first(raised))), None)


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
