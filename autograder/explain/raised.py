"""What rules about exceptions read: the exception with its place, its message, and the statement that failed."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from autograder.explain.place import Place
    from autograder.results import StudentError

    LineTest = Callable[[list[ast.AST]], bool]

# What messages call a function that was not called.
FUNCTION_TYPES = ("builtin_function_or_method", "method", "function")


@dataclass(frozen=True)
class Raised:
    """An exception, and where it was raised.

    Attributes:
        names: what the file defines.
        steps: the released stubs, by name.
    """

    error: StudentError
    place: Place
    names: Collection[str] = ()
    steps: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Message:
    """A condition on an exception. The named groups of its pattern are the arguments of its rule.

    Attributes:
        types: the types of exceptions; empty for any.
        line: a test of the statement that failed. A statement that cannot be parsed passes it.
        assigned: the test may also look at where the statement's variables got their values.
    """

    pattern: re.Pattern[str]
    types: tuple[str, ...] = ()
    line: LineTest | None = None
    assigned: bool = False

    def __call__(self, raised: Raised) -> dict[str, str] | None:
        found = self.pattern.search(raised.error.message)
        if found is None or (self.types and raised.error.type not in self.types):
            return None
        return found.groupdict("") if self._fits(raised.place) else None

    def _fits(self, place: Place) -> bool:
        if self.line is None or place.nodes is None:
            return True
        return self.line(place.nodes) or (self.assigned and self.line(place.nodes + place.assigned))


def message(
    pattern: str, *types: str, line: LineTest | None = None, assigned: bool = False
) -> Message:
    """Return a condition on an exception's message, its type and the statement that failed."""
    return Message(re.compile(pattern, re.DOTALL), types, line, assigned)


def called(node: ast.AST) -> str | None:
    """Return the name of the function that a node calls; None if it is no call."""
    if not isinstance(node, ast.Call):
        return None
    return getattr(node.func, "attr", None) or getattr(node.func, "id", None)


def has(*kinds: type[ast.AST]) -> LineTest:
    return lambda nodes: any(isinstance(node, kinds) for node in nodes)


def has_one(*kinds: type[ast.AST]) -> LineTest:
    return lambda nodes: sum(isinstance(node, kinds) for node in nodes) == 1


def calls(*names: str) -> LineTest:
    return lambda nodes: any(called(node) in names for node in nodes)


def calls_without(name: str, *keywords: str) -> LineTest:
    """Match a call of the function `name`, from any module, without any of these keywords."""
    return lambda nodes: any(
        isinstance(node, ast.Call)
        and called(node) == name
        and {keyword.arg for keyword in node.keywords}.isdisjoint(keywords)
        for node in nodes
    )


def calls_of(*modules: str) -> LineTest:
    """Match a call of a function of one of these modules."""
    return lambda nodes: any(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id in modules
        for node in nodes
    )


def either(*tests: LineTest) -> LineTest:
    return lambda nodes: any(test(nodes) for test in tests)


def all_of(*tests: LineTest) -> LineTest:
    return lambda nodes: all(test(nodes) for test in tests)


def brackets_after(name: str) -> LineTest:
    """Match square brackets directly behind an attribute, such as `keys.size[-1]`."""
    return lambda nodes: any(
        isinstance(node, ast.Subscript) and getattr(node.value, "attr", "") == name
        for node in nodes
    )


def reads(name: str) -> LineTest:
    """Match an attribute with this name."""
    return lambda nodes: any(getattr(node, "attr", "") == name for node in nodes)


def asks_yes_or_no(nodes: list[ast.AST]) -> bool:
    """Match what needs one yes or no: `and`, `or`, `not`, `if`, `while`, `assert`."""
    kinds = (ast.BoolOp, ast.Not, ast.If, ast.IfExp, ast.While, ast.Assert)
    return any(isinstance(node, kinds) or bool(getattr(node, "ifs", ())) for node in nodes)


def formats_text(nodes: list[ast.AST]) -> bool:
    """Match an f-string, or a call of `format`."""
    return any(isinstance(node, ast.JoinedStr) or called(node) == "format" for node in nodes)


def stores_on_self(nodes: list[ast.AST]) -> bool:
    return any(
        isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) for node in nodes
    )


def unpacks_pairs(nodes: list[ast.AST]) -> bool:
    """Match a loop that takes each element of a variable apart, without a call such as `.items()`."""
    return any(
        isinstance(node, ast.comprehension | ast.For)
        and isinstance(node.target, ast.Tuple)
        and isinstance(node.iter, ast.Name | ast.Attribute)
        for node in nodes
    )
