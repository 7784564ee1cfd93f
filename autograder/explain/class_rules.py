"""Slips in a class, and objects of it that a probe could not use: names that are misspelt, parts in the wrong place."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from autograder.explain.rules import Finding, Rules, finding, guess
from autograder.explain.slips import argument_overwritten
from autograder.explain.syntax import (
    arguments_of,
    assignments,
    called,
    first_stored,
    matching,
    names_made,
    names_read,
    nodes,
    unused_arguments,
    walk,
)
from autograder.explain.wording import a, listed
from autograder.explain.words_of_source import OBSTACLES, OBSTACLES_SEEN
from autograder.near_names import nearest, plain, renamed
from autograder.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Callable

    from autograder.explain.student_code import Definition
    from autograder.results import Obstacle

# Other names that learners give to `forward`, and misspelt ones of `__init__`.
_FORWARD = ("call", "run", "apply", "fwd", "compute", "attention", "predict", "feedforward", "__call__")  # fmt: skip
_INIT = ("init", "int", "inti", "initt", "ini", "intit", "innit")
_SHOWN = 4


@dataclass(frozen=True)
class Unsuitable:
    """An object that a probe could not use.

    Attributes:
        definition: the student's class, if it could be read.
        asked_for: the attributes that the step asks for.
    """

    obstacle: Obstacle
    definition: Definition | None = None
    asked_for: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name of the attribute or class."""
        return self.obstacle.name


RULES = Rules[Unsuitable]()


def obstacle_words(obstacle: Obstacle) -> str:
    """Describe the obstacle in a sentence."""
    seen, wanted = str(obstacle.seen), obstacle.wanted
    words = OBSTACLES_SEEN[obstacle.reason]
    return words.format(name=obstacle.name, seen=seen, a_seen=a(seen), wanted=wanted)


def read_obstacle(
    obstacle: Obstacle, definition: Definition | None = None, asked_for: tuple[str, ...] = ()
) -> Finding | None:
    """Explain the obstacle, from the student's class if that shows the cause; None if its description says enough."""
    found = RULES.first(Unsuitable(obstacle, definition, asked_for))
    owner = _owner(obstacle, definition)
    if owner is None or (found and found.key not in OBSTACLES):
        return found
    # What a module of the file lacks, its own class shows.
    last = replace(obstacle, name=obstacle.name.rpartition(".")[2])
    names = tuple(dict.fromkeys(name.rpartition(".")[2] for name in asked_for))
    inside = RULES.first(Unsuitable(last, owner, names))
    return inside if inside and inside.key not in OBSTACLES else found


def _owner(obstacle: Obstacle, definition: Definition | None) -> Definition | None:
    """Return another class of the file that is to have an attribute: that of the object, or of modules in a list."""
    if definition is None:
        return None
    init, first = definition.methods.get("__init__"), obstacle.name.partition(".")
    made = assignments(init, first[0], ast.Attribute) if init and first[1] else []
    names = [obstacle.seen, *(called(call) for one in made for call in nodes(one, ast.Call))]
    found = (definition.code.definition(name) for name in names if isinstance(name, str))
    return next((one for one in found if one and one is not definition and one.methods), None)


def _because(reason: Reason) -> Callable[[Unsuitable], dict[str, str] | None]:
    """Hold for this reason; the name of the attribute or class is a fact."""
    return lambda case: {"name": case.name} if case.obstacle.reason is reason else None


def _source_of(*reasons: Reason) -> Callable[[Unsuitable], dict[str, Definition] | None]:
    """Hold for one of these reasons, where the class could be read, which is an argument of the rule."""

    def condition(case: Unsuitable) -> dict[str, Definition] | None:
        fits = case.obstacle.reason in reasons
        return {"definition": case.definition} if fits and case.definition else None

    return condition


@RULES.when(_source_of(Reason.NO_ATTRIBUTE))
def one_layer_for_all(case: Unsuitable, definition: Definition) -> Finding | None:
    """Notice one layer in place of all that the step asks for."""
    if {*case.asked_for} & {*definition.stored} or len(case.asked_for) < 2:  # noqa: PLR2004
        return None
    for pattern in ("3 * _", "MultiheadAttention()"):
        for name, place in definition.stored.items():
            made = (
                part
                for one in definition.methods.values()
                for part in assignments(one, name, ast.Attribute)
            )
            if any(any(matching(pattern, walk(one.value))) for one in made):
                asked = ", ".join(f"`{attribute}`" for attribute in case.asked_for)
                return finding(
                    "not_stored_on_self.one_layer", name=name, line=place.lineno, asked=asked
                )
    return None


@RULES.when(_source_of(Reason.NO_ATTRIBUTE))
def attribute_not_there(case: Unsuitable, definition: Definition) -> Finding | None:
    """Explain an attribute that the object lacks although the step asks for it."""
    name, there = case.name, definition.stored
    if name in there:
        return None
    if local := _local_in_init(definition, name):
        return finding("not_stored_on_self.local", name=name, line=local)
    pairs = renamed(case.asked_for if name in case.asked_for else [name], there)
    if name not in pairs:
        return None
    more = [f"`self.{old}` to `self.{new}`" for new, old in pairs.items() if new != name]
    return finding(
        "attribute_misspelt",
        line=there[pairs[name]].lineno,
        stored=pairs[name],
        name=name,
        more=f", and {', '.join(more[:_SHOWN])}" if more else "",
    )


@RULES.when(_source_of(Reason.NO_BIAS))
def argument_not_passed_on(case: Unsuitable, definition: Definition) -> Finding | None:
    """Notice an argument of `__init__` that is not used, where an attribute was made without it."""
    init = definition.methods.get("__init__")
    unused = unused_arguments(init, method=True) if init else []
    if init is None or not unused:
        return None
    made = assignments(init, case.name, ast.Attribute)
    where = f"Line {made[0].lineno}, which makes" if made else "The line that makes"
    return finding("bias_not_passed_on.unused", unused=unused[0], where=where, name=case.name)


RULES.when(_source_of(Reason.OTHER_SIZES))(lambda _, definition: argument_overwritten(definition))


@RULES.when(_because(Reason.OTHER_SIZES))
def other_sizes(case: Unsuitable, name: str) -> Finding:
    """Say that a matrix lies on its side, where its two sizes are exchanged; else show what makes it."""
    seen, wanted = case.obstacle.seen, case.obstacle.wanted
    first, in_a_list, _ = name.partition(".")
    if len(wanted) == 2 and seen == wanted[::-1]:  # noqa: PLR2004 - rows and columns
        return finding("matrix_on_its_side" + ".in_a_list" * bool(in_a_list), name=first)
    if case.definition and (made := _makers(case.definition, first)):
        definition, value = case.definition, made[0].value
        read = names_read(value).keys() - names_made(definition.node)
        foreign = listed(f"`{one}`" for one in sorted(read & definition.code.variables.keys()))
        key = "other_sizes.made" + ".foreign" * bool(foreign)
        return guess(key, code=definition.quote(value), line=made[0].lineno, foreign=foreign)
    return guess("other_sizes", name=name)


RULES.says(
    "not_stored_on_self.in_a_list",
    lambda case: (
        {"name": case.name, "kind": case.obstacle.seen}
        if case.obstacle.reason is Reason.NO_ATTRIBUTE and case.name.isdigit()
        else None
    ),
)
RULES.says("not_stored_on_self", _because(Reason.NO_ATTRIBUTE))
RULES.says("bias_not_passed_on", _because(Reason.NO_BIAS))
RULES.says("no_module", _because(Reason.NO_MODULE))


def _makers(definition: Definition, name: str) -> list[ast.Assign]:
    """Return the statements that make a variable or an attribute."""
    kinds = (ast.Name, ast.Attribute)
    return [one for kind in kinds for one in assignments(definition.node, name, kind)]


# What exceptions show of a class.


def is_misspelt_init(name: str) -> bool:
    """Return whether a method of this name was meant to be `__init__`."""
    return plain(name) in _INIT


def constructor_misspelt(definition: Definition) -> Finding | None:
    """Notice a class without `__init__` but with a method of a similar name."""
    if "__init__" in definition.methods:
        return None
    for name, method in definition.methods.items():
        if is_misspelt_init(name):
            return finding("init_misspelt", line=method.lineno, name=name)
    return None


def forward_misplaced(definition: Definition) -> Finding | None:
    """Explain a module without `forward`: misspelt, inside another method, or outside of the class."""
    if "forward" in definition.methods:
        return None
    for method in definition.methods.values():
        for node in nodes(method, ast.FunctionDef):
            if node.name == "forward":
                return finding("forward_nested", line=node.lineno, method=method.name)
    header = definition.code.defined.get("forward")
    if header is not None and header.label == definition.label:
        return finding("forward_outside", line=header.line)
    others = [name for name in definition.methods if name != "__init__"]
    near = nearest("forward", others) or next((one for one in others if one in _FORWARD), None)
    if near is None:
        return None
    return finding("forward_misspelt", line=definition.methods[near].lineno, name=near)


def attribute_read(definition: Definition, name: str) -> Finding | None:
    """Explain an attribute that a method reads on self and nothing stored."""
    there = definition.stored
    if name in there:
        return None
    if local := _local_in_init(definition, name):
        return finding("not_stored_on_self.local_read", name=name, line=local)
    near = nearest(name, there) or renamed([name], there).get(name)
    if near:
        line = there[near].lineno
        return finding("attribute_misspelt.read", name=name, stored=near, line=line)
    init = definition.methods.get("__init__")
    if init and name in arguments_of(init):
        return finding("not_stored_on_self.argument", name=name)
    return None


def _local_in_init(definition: Definition, name: str) -> int:
    """Return the line where `__init__` assigns a plain variable of this name; 0 if it does not."""
    init = definition.methods.get("__init__")
    if init is None or name in arguments_of(init):
        return 0
    made = first_stored(name, init)  # an argument of a lambda, or `**options`, is assigned nowhere
    return made.lineno if made else 0
