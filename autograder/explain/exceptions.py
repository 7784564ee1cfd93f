"""Explain exceptions to beginners, from knowledge of Python and torch and from what the student wrote.

An exception alone is weak evidence. An explanation is sure only if the student's source shows the cause.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from autograder.explain import (
    call_rules,
    foreign,
    loops,
    name_rules,
    not_asked,
    shape_rules,
    signatures,
    slips,
)
from autograder.explain.messages import MESSAGES, UNPACKING, Known
from autograder.explain.raised import Message, Raised, message
from autograder.explain.rules import Finding, Rules, finding, guess
from autograder.explain.student_code import never_read
from autograder.explain.syntax import unused_arguments
from autograder.explain.wording import listed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from autograder.explain.student_code import Submitted
    from autograder.results import StudentError
    from autograder.values.values import Value

RULES = Rules[Raised]()


@RULES.when(message(UNPACKING))
def arguments_for_parts(raised: Raised) -> Finding | None:
    """Notice arguments that a step never reads, where what it takes apart has not enough parts."""
    definition = raised.definition
    function = definition.function if definition else None
    parts = (getattr(node, "targets", [None])[0] for node in raised.nodes or ())
    if function is None or function.name not in raised.submitted.stubs:
        return None
    if not any(isinstance(part, ast.Tuple | ast.List) for part in parts):
        return None
    names = listed(f"`{name}`" for name in unused_arguments(function, method=False))
    found = finding("argument_not_used.parts", step=function.name, arguments=names)
    return found if names else None


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


@RULES.when(lambda raised: bool(raised.inputs))
def own_raise(raised: Raised) -> Finding | None:
    """Notice a step that refuses what it was called with."""
    shown = any(isinstance(node, ast.Raise) and node.exc for node in raised.nodes or ())
    return guess("raises_itself" + ".wanted" * bool(raised.wanted)) if shown else None


# In this order: what the source shows comes before what a message says.
ORDER = (
    signatures.RULES,
    name_rules.HIDDEN,
    slips.RAISED,
    foreign.RAISED,
    shape_rules.FIRST,
    loops.RAISED,
    not_asked.RAISED,
    slips.IN_THE_LINE,
    foreign.IN_THE_LINE,
    name_rules.RULES,
    call_rules.WHOLE,
    call_rules.RULES,
    shape_rules.RULES,
    RULES,
    shape_rules.SHOWN,
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
