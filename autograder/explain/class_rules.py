"""Slips in a class, and objects of it that a probe could not use: names that are misspelt, parts in the wrong place."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from autograder.explain.rules import Finding, finding, guess
from autograder.explain.syntax import assignments, first_stored, nodes
from autograder.explain.wording import a, listed
from autograder.explain.words_of_source import OBSTACLES_SEEN
from autograder.near_names import nearest, renamed
from autograder.reasons import Reason

if TYPE_CHECKING:
    from autograder.explain.student_code import Definition
    from autograder.results import Obstacle


def obstacle_words(obstacle: Obstacle) -> str:
    """Describe the obstacle in a sentence."""
    seen, wanted = str(obstacle.seen), obstacle.wanted
    words = OBSTACLES_SEEN[obstacle.reason]
    return words.format(name=obstacle.name, seen=seen, a_seen=a(seen), wanted=wanted)


def read_obstacle(
    obstacle: Obstacle, definition: Definition | None = None, asked_for: tuple[str, ...] = ()
) -> Finding | None:
    """Explain the obstacle, from the student's class if that could be read; None if its description says enough.

    Args:
        asked_for: the attributes that the step asks for.
    """
    name, seen, wanted = obstacle.name.partition(".")[0], obstacle.seen, obstacle.wanted
    stored = _makers(definition, name) if definition else []
    quoted = [(one.lineno, definition.quote(one.value)) for one in stored[:1] if definition]
    it = "it" if name == obstacle.name else f"`{name}`"
    made = "".join(f" Line {line} makes {it}: `{code}`." for line, code in quoted)
    match obstacle.reason:
        case Reason.NO_ATTRIBUTE if obstacle.name.isdigit():
            return finding("not_stored_on_self.in_a_list", name=name, kind=seen)
        case Reason.NO_ATTRIBUTE:
            own = definition.code.definition(str(seen)) if definition else None
            return _not_stored(obstacle.name.rpartition(".")[2], own or definition, asked_for)
        case Reason.NO_MATRIX | Reason.NO_LAYER if made:
            return finding("another_thing_stored", name=name, made=made)
        case Reason.OTHER_SIZES if len(wanted) == 2 and seen == wanted[::-1]:  # noqa: PLR2004 - rows and columns
            return finding("matrix_on_its_side", name=name, made=made)
        case Reason.OTHER_SIZES:
            return guess("other_sizes", name=name, made=made)
        case Reason.NO_BIAS:
            return finding("bias_not_passed_on", name=obstacle.name, made=made)
        case Reason.NO_MODULE:
            return finding("no_module", name=name)
    return None


def _not_stored(name: str, definition: Definition | None, asked_for: tuple[str, ...]) -> Finding:
    """Explain an attribute that the object lacks although the step asks for it."""
    there = definition.stored if definition else {}
    init = definition.methods.get("__init__") if definition else None
    if init and (local := first_stored(name, init)):
        return finding("not_stored_on_self.local", name=name, line=local.lineno)
    wanted = [one.rpartition(".")[2] for one in asked_for]
    pairs = renamed(dict.fromkeys((name, *wanted)), there)
    if name not in pairs:
        stored = sorted(there, key=lambda one: there[one].lineno)
        lines = listed(f"`self.{one}` (line {there[one].lineno})" for one in stored)
        return finding("not_stored_on_self.missing", name=name, stored=lines or "nothing")
    more = [f"`self.{old}` to `self.{new}`" for new, old in pairs.items() if new != name]
    return finding(
        "attribute_misspelt",
        line=there[pairs[name]].lineno,
        stored=pairs[name],
        name=name,
        more=f", and {', '.join(more)}" if more else "",
    )


def _makers(definition: Definition, name: str) -> list[ast.Assign]:
    """Return the statements that make a variable or an attribute."""
    kinds = (ast.Name, ast.Attribute)
    return [one for kind in kinds for one in assignments(definition.node, name, kind)]


def method_missing(definition: Definition, name: str) -> Finding:
    """Explain a class without `__init__` or `forward`: misspelt, inside another method, or outside of the class."""
    others = [one for one in definition.methods if one not in ("__init__", "forward")]
    near = nearest(name, others) or (others[0] if len(others) == 1 else "")
    outside = definition.code.defined.get(name)
    inside = next(
        (one for one in nodes(definition.node, ast.FunctionDef) if one.name == name), None
    )
    if inside or outside:
        line = inside.lineno if inside else outside.line  # type: ignore[union-attr]
        return finding("method_misplaced", method=name, line=line)
    if near:
        line = definition.methods[near].lineno
        return finding("method_misspelt", method=name, line=line, name=near)
    return finding("method_missing", method=name)
