"""The place in a student's source where an exception was raised."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from autograder.explain.class_slips import stored
from autograder.explain.student_code import Definition, StudentCode
from autograder.explain.syntax import last_assigned, method_at, statement_at
from autograder.python_source import parsed

if TYPE_CHECKING:
    from autograder.results import StudentError

# What a traceback calls the code that stands in no function.
MODULE = "<module>"


@dataclass(frozen=True, eq=False)
class Place:
    """The statement that raised an exception, and what it stands in.

    Attributes:
        nodes: the syntax nodes of the statement; None if it could not be read.
        code: the whole submission.
        definition: the function or class at the left margin.
        function: the innermost function.
        at_the_margin: the line belongs to no function when it runs.
        given: the attributes of the objects that the step was called with.
    """

    nodes: list[ast.AST] | None
    code: StudentCode
    definition: Definition | None = None
    function: ast.FunctionDef | None = None
    given: tuple[str, ...] = ()
    at_the_margin: bool = False

    @cached_property
    def stored(self) -> dict[str, ast.Attribute]:
        """The attributes that the class stores on self outside of `forward`."""
        return stored(self.definition) if self.definition else {}

    @cached_property
    def read(self) -> list[str]:
        """The names in the statement."""
        return [node.id for node in self.nodes or [] if isinstance(node, ast.Name)]

    @cached_property
    def assigned(self) -> list[ast.AST]:
        """The nodes of the expressions from which the statement's variables got their values."""
        values = (last_assigned(name, self.function) for name in self.read if self.function)
        return [node for value in values if value is not None for node in ast.walk(value)]

    def reads_self(self, name: str) -> bool:
        """Return whether the statement reads this attribute of self."""
        return any(
            isinstance(node, ast.Attribute)
            and node.attr == name
            and isinstance(node.value, ast.Name)
            and node.value.id == "self"
            for node in self.nodes or []
        )


def place_of(
    error: StudentError, code: StudentCode | None = None, given: tuple[str, ...] = ()
) -> Place:
    """Return the place where an exception was raised."""
    code = code or StudentCode(())
    if not error.frames:
        return Place(None, code, given=given)
    frame = error.frames[-1]
    definition = code.around(frame)
    statement = statement_at(definition.node, frame.line) if definition else None
    nodes = _header_nodes(statement) if statement is not None else nodes_of_line(frame.text)
    function = method_at(definition.node, frame.line) if definition else None
    at_the_margin = frame.function == MODULE
    return Place(nodes, code, definition, function, given, at_the_margin)


def _header_nodes(statement: ast.stmt) -> list[ast.AST]:
    """Return the nodes of a statement, without those of the statements inside it."""
    found: list[ast.AST] = []
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting += [
            child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt)
        ]
    return found


def nodes_of_line(text: str) -> list[ast.AST] | None:
    """Return the syntax nodes of one line of Python; None if it is not a whole statement."""
    body = f"{text} pass" if text.endswith(":") else text
    tree = parsed(f"def line():\n    {body}\n")
    return list(ast.walk(tree)) if tree else None
