"""What rules about exceptions read: the exception, its message, and the statement that raised it."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from autograder.explain.operations import normal, number_of
from autograder.explain.sizes import Sizes
from autograder.explain.syntax import (
    called,
    header_nodes,
    last_assigned,
    matching,
    method_at,
    statement_at,
    walk,
)
from autograder.python_source import parsed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from autograder.explain.student_code import Definition, StudentCode, Submitted
    from autograder.results import Frame, StudentError
    from autograder.values.values import Value

    LineTest = Callable[[list[ast.AST]], bool]

# What messages call a function that was not called.
FUNCTION_TYPES = ("builtin_function_or_method", "method", "function")
# What a traceback calls the code that stands in no function.
MODULE = "<module>"
_MATRIX = 2  # axes


@dataclass(frozen=True, eq=False)
class Raised:
    """An exception, with the place in the student's source where it was raised.

    Attributes:
        given: the attributes of the objects that the step was called with.
        inputs: what the function was called with that raised it, if that is known.
        wanted: the type of the exception that was asked for in place of it; empty if none was.
    """

    error: StudentError
    submitted: Submitted
    given: tuple[str, ...] = ()
    inputs: Mapping[str, Value] = field(default_factory=dict)
    wanted: str = ""

    @property
    def code(self) -> StudentCode:
        """The source of the submission."""
        return self.submitted.code

    @property
    def frame(self) -> Frame | None:
        """The line that raised it; None if that is not the student's."""
        return self.error.frames[-1] if self.error.frames else None

    @property
    def at_the_margin(self) -> bool:
        """Whether the line belongs to no function when it runs."""
        return self.frame is not None and self.frame.function == MODULE

    @property
    def of_a_module(self) -> bool:
        """Whether a module lacks a name: the name is misspelt."""
        return self.error.message.startswith("module ")

    @cached_property
    def definition(self) -> Definition | None:
        """The function or class at the left margin in which the line stands."""
        return self.code.around(self.frame) if self.frame else None

    @cached_property
    def function(self) -> ast.FunctionDef | None:
        """The innermost function in which the line stands."""
        if self.frame is None or self.definition is None:
            return None
        return method_at(self.definition.node, self.frame.line)

    @cached_property
    def nodes(self) -> list[ast.AST] | None:
        """The syntax nodes of the statement; None if it could not be read."""
        if self.frame is None:
            return None
        definition = self.definition
        statement = statement_at(definition.node, self.frame.line) if definition else None
        return header_nodes(statement) if statement else _nodes_of_line(self.frame.text)

    @cached_property
    def stored(self) -> dict[str, ast.Attribute]:
        """The attributes that the class stores on self outside of `forward`."""
        return self.definition.stored if self.definition else {}

    @cached_property
    def sizes(self) -> Sizes | None:
        """The sizes in the function, where they are known; None if the line stands in none."""
        return Sizes.of(self.function, self.inputs, self.error.held) if self.function else None

    @cached_property
    def read(self) -> list[str]:
        """The names in the statement."""
        return [node.id for node in self.nodes or [] if isinstance(node, ast.Name)]

    @cached_property
    def assigned(self) -> list[ast.AST]:
        """The nodes of the expressions from which the statement's variables got their values."""
        values = (last_assigned(name, self.function) for name in self.read if self.function)
        return [node for value in values if value is not None for node in walk(value)]


def _nodes_of_line(text: str) -> list[ast.AST] | None:
    """Return the syntax nodes of one line of Python; None if it is not a whole statement."""
    body = f"{text} pass" if text.endswith(":") else text
    tree = parsed(f"def line():\n    {body}\n")
    return list(walk(tree)) if tree else None


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
        if self.line is None or raised.nodes is None or self.line(raised.nodes):
            return found.groupdict("")
        shown = self.assigned and self.line(raised.nodes + raised.assigned)
        return found.groupdict("") if shown else None


def message(
    pattern: str, *types: str, line: LineTest | None = None, assigned: bool = False
) -> Message:
    """Return a condition on an exception's message, its type and the statement that failed."""
    return Message(re.compile(pattern, re.DOTALL), types, line, assigned)


# What an exception says of itself.

_NOT_DEFINED = re.compile(r"name '(\w+)' is not defined")


def inner_function(error: StudentError) -> str:
    """Return the function or class at the left margin whose line raised; empty if no line of the student's did."""
    return error.frames[-1].function.split(".")[0] if error.frames else ""


def stub_that_raised(error: StudentError) -> str:
    """Return the function whose stub line raised; empty if none did.

    Torch raises NotImplementedError too, for example for an unsupported dtype.
    """
    line = error.frames[-1].text if error.frames else ""
    is_stub = error.type == "NotImplementedError" and line.startswith("raise NotImplementedError")
    return inner_function(error) if is_stub else ""


def name_missed(error: StudentError) -> str:
    """Return the name that an exception misses; else an empty text."""
    missed = _NOT_DEFINED.search(error.message) if error.type == "NameError" else None
    return missed[1] if missed else ""


def was_forbidden(error: StudentError) -> bool:
    """Return whether access was denied. Torch's own file functions raise a RuntimeError that says so."""
    return error.type == "PermissionError" or "Permission denied" in error.message


def lacked_memory(error: StudentError) -> bool:
    """Return whether memory ran out. Torch raises a RuntimeError that says so."""
    return error.type.endswith("MemoryError") or "can't allocate memory" in error.message


# Tests of the statement. Patterns of Python are those of `syntax`.


def shows(*patterns: str) -> LineTest:
    """Match a statement in which one of these patterns stands."""
    return lambda nodes: any(any(matching(pattern, nodes)) for pattern in patterns)


def lacks(*patterns: str) -> LineTest:
    """Match a statement in which none of these patterns stands."""
    found = shows(*patterns)
    return lambda nodes: not found(nodes)


def shows_one(*patterns: str) -> LineTest:
    """Match a statement in which one of these patterns stands, once."""
    return lambda nodes: sum(1 for one in patterns for _ in matching(one, nodes)) == 1


def calls_without(names: tuple[str, ...], *keywords: str) -> LineTest:
    """Match a call of one of these functions, from any module, without any of these keywords."""
    return lambda nodes: any(
        called(node) in names and {part.arg for part in node.keywords}.isdisjoint(keywords)
        for node in nodes
        if isinstance(node, ast.Call)
    )


def all_of(*tests: LineTest) -> LineTest:
    """Match a statement that passes all tests."""
    return lambda nodes: all(test(nodes) for test in tests)


def asks_yes_or_no(nodes: list[ast.AST]) -> bool:
    """Match what needs one yes or no: `and`, `or`, `not`, `if`, `while`, `assert`."""
    kinds = (ast.BoolOp, ast.Not, ast.If, ast.IfExp, ast.While, ast.Assert)
    return any(isinstance(node, kinds) or bool(getattr(node, "ifs", ())) for node in nodes)


def formats_text(nodes: list[ast.AST]) -> bool:
    """Match an f-string, or a call of `format`."""
    return any(isinstance(node, ast.JoinedStr) or called(node) == "format" for node in nodes)


def stores_on_self(nodes: list[ast.AST]) -> bool:
    """Match a value that is stored as an attribute."""
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


def counts_a_batch(nodes: list[ast.AST]) -> bool:
    """Match what needs a third axis: three sizes out of a shape, axis 2, `bmm`."""
    return any(map(_needs_three_axes, nodes))


def _needs_three_axes(node: ast.AST) -> bool:
    match node:
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=value):
            shape = normal(value)
            return (
                len(names) > _MATRIX and isinstance(shape, ast.Attribute) and shape.attr == "shape"
            )
        case ast.Subscript(slice=ast.Tuple(elts=axes)) if len(axes) > _MATRIX:
            return True
        case ast.Call() if called(node) in ("transpose", "swapaxes", "permute"):
            return bool({_MATRIX, -_MATRIX - 1} & {*map(number_of, node.args)})
        case ast.Call(args=[ast.Constant(value=str() as equation), *_]):
            return called(node) == "einsum" and len(equation.partition(",")[0].strip()) > _MATRIX
    return called(node) in ("bmm", "baddbmm")


def keeps_the_order(nodes: list[ast.AST]) -> bool:
    """Match a `transpose` whose arguments are the axes in their own order."""
    calls = (node for node in nodes if isinstance(node, ast.Call) and called(node) == "transpose")
    return any(tuple(map(number_of, call.args[-2:])) in ((0, 1), (-2, -1)) for call in calls)
