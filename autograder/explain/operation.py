"""The operation that raised: what it is, what it needs, and what it was given. One explanation for all exceptions.

What it needs is read from the kind of message; the words are those of `messages`, and behind them stands what each
operand is. Nothing here runs anything.
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from autograder.explain.messages import MESSAGES
from autograder.explain.operands import operands_words
from autograder.explain.rules import finding, guess
from autograder.explain.shapes import why_not
from autograder.explain.syntax import called
from autograder.near_names import argument_meant

if TYPE_CHECKING:
    from autograder.explain.raised import Raised
    from autograder.explain.rules import Finding

_MOST_ARGUMENTS = 8
# What is raised where shapes do not fit.
_OF_SHAPES = ("RuntimeError", "ValueError", "IndexError")
# How a product is written: number by number, or of matrices.
_SIGNS: dict[object, str] = {
    **dict.fromkeys((ast.Mult, "mul", "multiply"), "* "),
    **dict.fromkeys((ast.MatMult, "matmul", "mm", "bmm", "dot"), "@ "),
}
_CALL = re.compile(
    r"\b(?P<function>\w+)(?:\.__(?:init|new)__)?\(\) (?:missing \d|takes |received an invalid combination"
    r"|got multiple values|got an unexpected keyword argument '(?P<keyword>\w+)')"
)
_INNER = re.compile(
    r"\(\d+x(\d+) and (\d+)x\d+\)|size (\d+) is different from (\d+)|(\d+) \(dim \d\) != (\d+)"
)
_ARGUMENT = re.compile(r"\b(\w{1,60}+)(?: = [^,()]{1,40}+(?:\(\))?)?(?=[,)])")


def read_operation(raised: Raised) -> Finding | None:
    """Say what is wrong with an operation, and what its operands are; None if nothing is known of these."""
    error, node = raised.error, raised.node
    facts = {
        "got": operands_words(raised),
        "inner": _inner(error.message),
        "turned": "",
        "source": _source(raised),
        "near": "".join(f" There is `{name}`." for name in error.existing[:1]),
    }
    call = _call(raised, facts["got"])
    if raised.frame is None or (call and call.key == "keyword_misspelt"):
        return call  # of what a probe met that uses the answer, the message says all
    if isinstance(raised.statement, ast.Raise | ast.Assert):
        key = "raises_itself" if isinstance(raised.statement, ast.Raise) else "assert_fails"
        return None if raised.wanted else guess(key, **facts)
    sign = _SIGNS.get(called(node or ast.Pass()) or type(getattr(node, "op", None)), "")
    if error.type in _OF_SHAPES and (reason := why_not(raised)):
        return finding(reason[0], **{**facts, **reason[1]})
    for key, known in MESSAGES.items():
        if found := re.search(known.message, f"{sign}{error.type}: {error.message}", re.DOTALL):
            return finding(key, **facts, **found.groupdict(""))
    if call or not facts["got"]:
        return call
    written = raised.quote(node) if isinstance(node, ast.expr) else error.frames[-1].text
    return finding("operation", written=written, **facts)


def _inner(message: str) -> str:
    """Say which inner sizes of a product differ, where the message does."""
    found = _INNER.search(message)
    return ", and {} is not {}".format(*filter(None, found.groups())) if found else ""


def _source(raised: Raised) -> str:
    """Return what is called."""
    return raised.quote(raised.node.func) if isinstance(raised.node, ast.Call) else "it"


def _call(raised: Raised, shown: str) -> Finding | None:
    """Compare a call that did not fit with the arguments that the called function has."""
    call = _CALL.search(raised.error.message)
    if call is None:
        return None
    # A message of torch lists the arguments of all its forms.
    among = _ARGUMENT.findall(raised.error.message.partition("but expected")[2])
    there = tuple(dict.fromkeys((*raised.error.existing, *among)))
    named = [one.arg for one in getattr(raised.node, "keywords", ()) if one.arg]
    known = (*there, "axis", "keepdims")  # torch takes NumPy's names, too
    unknown = call["keyword"] or next((one for one in named if there and one not in known), "")
    facts = {"function": call["function"].lstrip("_"), "keyword": unknown}
    numpys = _source(raised).startswith("np.") and unknown in ("axis", "keepdims")
    if (meant := argument_meant(unknown, there)) and not numpys:  # else NumPy called torch
        return finding("keyword_misspelt", meant=meant, **facts)
    arguments = f" Its arguments: {', '.join(there[:_MOST_ARGUMENTS])}." * bool(there)
    key = "arguments_do_not_fit" + ".keyword" * bool(unknown)
    found = finding(key, there=arguments, got=shown, **facts)
    return replace(found, sure=raised.frame is not None)
