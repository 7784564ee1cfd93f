"""Exceptions about a name that does not exist: which name stands there, and which one was meant."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from autograder.explain.class_slips import attribute_read, stored
from autograder.explain.code_patterns import quote
from autograder.explain.exception_patterns import (
    MODULE_TYPE,
    NONE_TYPE,
    TWO_RESULTS,
    UNCALLED,
    match_message,
)
from autograder.explain.explanation import Reading
from autograder.explain.library import (
    ATTRIBUTES,
    BUILTINS,
    CONSTANTS,
    IMPORTS,
    MODULES,
    SHORT,
)
from autograder.explain.near_names import nearest, plain, renamed, words
from autograder.explain.syntax import arguments_of, names_made, unused_arguments

if TYPE_CHECKING:
    from collections.abc import Iterable

    from autograder.explain.place import Place
    from autograder.explain.student_code import Definition
    from autograder.results import StudentError


NOT_IMPORTED = "not_imported"
_SHOWN = 4


def read_name(error: StudentError, place: Place, names: Iterable[str]) -> Reading | None:
    """Explain a name or attribute that does not exist. The file defines `names`."""
    if found := match_message("not_defined", error.message):
        return _name(found[1], place, names)
    if found := match_message("not_in_module", error.message):
        return _of_module(found[1], found[2])
    if found := match_message("not_in_object", error.message):
        return _of_object(found[1], found[2], place)
    if found := match_message("not_in_class", error.message):
        owner = place.code.definition(found[1])
        return _of_class(owner, found[2], place) if owner else None
    return None


def _name(name: str, place: Place, names: Iterable[str]) -> Reading:
    return (
        _defined_later(name, names)
        or _not_imported(name)
        or _of_self(name, place)
        or _needs_its_module(name, place.code.imported)
        or _misspelt(name, place, names)
        or Reading(
            "name_not_defined",
            f"There is no `{name}`.",
            _where_names_come_from(place),
            sure=False,
        )
    )


def _defined_later(name: str, names: Iterable[str]) -> Reading | None:
    if name not in names:
        return None
    says = f"`{name}` is defined further down."
    return Reading("defined_later", says, f"The order: move this line below `{name}`.", sure=True)


def _not_imported(name: str) -> Reading | None:
    if name in IMPORTS:
        says = f"`{name}` is not imported."
        look = f"The top of your file: add the line `{IMPORTS[name]}`."
        return Reading(NOT_IMPORTED, says, look, sure=True)
    if name in CONSTANTS:
        says = f"Python has no `{name}`; it is written `{CONSTANTS[name]}`."
        return Reading("name_misspelt", says, "The spelling of the name.", sure=True)
    return None


def _of_self(name: str, place: Place) -> Reading | None:
    """Explain a name in a method that was meant to be an attribute of the module, or `self` itself."""
    if place.definition is None or not isinstance(place.definition.node, ast.ClassDef):
        return None
    if name == "self" and place.function is not None:
        says = f"The first line of `{place.function.name}` has no `self`."
        look = f"Line {place.function.lineno}: the first argument of a method is `self`."
        return Reading("self_missing", says, look, sure=True)
    there = place.stored
    near = name if name in there else nearest(name, there, cutoff=0.85)
    if near is None:
        return None
    says = f"There is no variable `{name}` here. The module stores it as `self.{near}`."
    return Reading("self_left_out", says, f"`{name}` in this line: write `self.{near}`.", sure=True)


def _needs_its_module(name: str, imported: set[str]) -> Reading | None:
    homes = [_called(module) for module, attributes in MODULES.items() if name in attributes]
    if not homes:
        return None
    homes.sort(key="torch".__eq__)  # torch's functions take tensors only
    there = [module for module in homes if module in imported]
    full = " or ".join(f"`{module}.{name}`" for module in (there or homes)[:2])
    says = f"There is no `{name}` by itself: it belongs to a module."
    look = f"Write {full}." if there else f"Write {full}, and import the module."
    return Reading("module_left_out", says, look, sure=True)


def _misspelt(name: str, place: Place, names: Iterable[str]) -> Reading | None:
    """Suggest a similar name: first one of this function, then one of the file."""
    own = names_made(place.function) if place.function else set()
    near = nearest(name, own) or _the_unused_argument(name, place)
    if near is not None and place.function is not None and _is_made_from(name, near):
        says = f"No line of `{place.function.name}` makes `{name}`. Or did you mean `{near}`?"
        return Reading("name_not_defined", says, _where_names_come_from(place), sure=False)
    if near is not None and place.function is not None:
        kind = "argument" if near in arguments_of(place.function) else "variable"
        says = f"There is no `{name}`. Did you mean your {kind} `{near}`?"
        return Reading("name_misspelt", says, f"The spelling of `{name}` in this line.", sure=True)
    if near := nearest(name, [*IMPORTS, *BUILTINS, "self", "return"]):
        says = f"There is no `{name}`. Did you mean `{near}`?"
        return Reading("name_misspelt", says, f"The spelling of `{name}` in this line.", sure=True)
    if near := nearest(name, [*names, *place.read]):
        says = f"There is no `{name}`. Perhaps it is `{near}`?"
        return Reading("name_misspelt", says, _where_names_come_from(place), sure=False)
    unused = _arguments_not_read(place)
    if len(unused) == 1:
        says = f"There is no `{name}`. Your argument `{unused[0]}` is never used: was it meant?"
        return Reading("name_not_defined", says, _where_names_come_from(place), sure=False)
    return None


def _is_made_from(name: str, near: str) -> bool:
    """Return whether another name has all words of this one and more: `values` are computed from `W_value`."""
    few, many = ({word.removesuffix("s") for word in words(one)} for one in (name, near))
    return few < many


def _arguments_not_read(place: Place) -> list[str]:
    if place.function is None or place.definition is None:
        return []
    method = isinstance(place.definition.node, ast.ClassDef)
    return unused_arguments(place.function, method=method)


def _the_unused_argument(name: str, place: Place) -> str | None:
    """Return the one argument that the function never reads and whose words are all in a name.

    `attn_weights` was meant to be `weights`. But `values`, computed from `W_value`, is no other name of it.
    """
    alike = [
        argument for argument in _arguments_not_read(place) if {*words(argument)} <= {*words(name)}
    ]
    return alike[0] if len(alike) == 1 else None


def _where_names_come_from(place: Place) -> str:
    if place.at_the_margin:
        return "The spelling of the name. A line outside of all functions uses what a line above it makes or imports."
    return "The spelling of the name. A function gets what it uses as an argument, makes it itself, or imports it."


def _called(module: str) -> str:
    return SHORT.get(module, module)


def _of_module(module: str, name: str) -> Reading:
    says = f"`{_called(module)}` has no `{name}`."
    near = _same_letters(name, MODULES.get(module, ())) or nearest(name, MODULES.get(module, ()))
    if near:
        says += f" Did you mean `{_called(module)}.{near}`?"
        return Reading("name_misspelt", says, f"The spelling of `{name}`.", sure=True)
    for home, attributes in MODULES.items():
        other = name if name in attributes else _same_letters(name, attributes)
        if other:
            says += f" It is `{_called(home)}.{other}`."
            return Reading("name_misspelt", says, f"The module before `.{name}`.", sure=True)
    if near := nearest(
        name, sorted({attribute for known in MODULES.values() for attribute in known})
    ):
        return Reading(
            "name_misspelt",
            f"{says} Perhaps it is `{near}`?",
            f"The spelling of `{name}`.",
            sure=False,
        )
    return Reading("name_not_defined", says, f"The spelling of `{name}`.", sure=False)


def _same_letters(name: str, candidates: Iterable[str]) -> str | None:
    return next(
        (
            candidate
            for candidate in sorted(candidates)
            if candidate != name and plain(candidate) == plain(name)
        ),
        None,
    )


def _of_object(kind: str, name: str, place: Place) -> Reading | None:
    if kind == NONE_TYPE:
        return None
    if place.reads_self(name):
        found = attribute_read(place.definition, name) if place.definition else None
        if found:
            return found
        if kind not in ATTRIBUTES:
            says = f"Nothing is stored under `self.{name}`."
            look = f"`__init__`: only what is stored on self remains, under the name `{name}`."
            return Reading("not_stored_on_self", says, look, sure=True)
    if kind == "super":
        says = f"`super()` has no `{name}`: the method is called `__init__`, with two underscores on each side."
        return Reading("init_misspelt", says, f"The name behind `super()`: `{name}`.", sure=True)
    if kind in UNCALLED:
        says = f"What stands before `.{name}` is a function that was not called."
        return Reading("call_left_out", says, f"The round brackets before `.{name}`.", sure=True)
    if kind.startswith(TWO_RESULTS):
        return _of_two_results(name)
    if there := _attributes_of(kind, place):
        return _of_the_given(name, there)
    near = nearest(name, ATTRIBUTES.get(kind, ()))
    article = "An" if kind[:1].lower() in "aeiou" else "A"
    if near:
        says = f"{article} {kind} has no `{name}`. Did you mean `{near}`?"
        return Reading("name_misspelt", says, f"The spelling of `{name}`.", sure=True)
    return None


def _attributes_of(kind: str, place: Place) -> tuple[str, ...]:
    """Return what an object of the file's own class stores, or one that the step was given; empty if unknown."""
    own = place.code.definition(kind)
    if own is not None:
        places = stored(own)
        kept = sorted(places, key=lambda name: places[name].lineno)
        return (*kept, *(method for method in own.methods if not method.startswith("__")))
    makes_one = place.definition is not None and quote("Module()", [place.definition])
    return place.given if kind in MODULE_TYPE and not makes_one else ()


def _of_the_given(name: str, there: tuple[str, ...]) -> Reading | None:
    """Name the attributes that an object has, and the one that was meant."""
    if name in there:
        return None
    shown = ", ".join(f"`{attribute}`" for attribute in there[:_SHOWN])
    says = f"The object has no `{name}`. It has {shown}."
    partners = {old: new for new, old in renamed(there, [name]).items()}
    if name in partners:
        look = f"`{name}` in this line: the object's name for it is `{partners[name]}`."
        return Reading("attribute_misspelt", says, look, sure=True)
    return Reading("name_not_defined", says, f"The name `{name}` in this line.", sure=True)


def _of_class(owner: Definition, name: str, place: Place) -> Reading | None:
    """Explain an attribute that was read from a class although only its objects have it."""
    there = stored(owner)
    meant = name if name in there else nearest(name, there)
    init = owner.methods.get("__init__")
    if meant is None or init is None:
        return None
    own = owner.node.name
    says = f"`{own}` is the class. `{meant}` belongs to an object of it: `__init__` makes it for each one."
    if place.definition is not None and place.definition.node is owner.node:
        look = f"`{own}.{name}` in this line: a method writes `self.{meant}`."
    elif place.function is not None and arguments_of(place.function):
        look = f"`{own}.{name}` in this line: is an argument of `{place.function.name}` the object?"
    else:
        given = [argument.arg for argument in (*init.args.posonlyargs, *init.args.args)]
        needed = ", ".join(given[1 : len(given) - len(init.args.defaults)])
        made = f"`model = {own}({needed})`"
        look = f"`{own}.{name}` in this line: first make an object, {made}; then write `model.{meant}`."
    return Reading("class_for_an_object", says, look, sure=True)


def _of_two_results(name: str) -> Reading:
    says = "With a dim, torch.max and torch.min give two things back: the largest numbers (`.values`) and their places."
    return Reading("values_left_out", says, f"`.values` is missing before `.{name}`.", sure=True)
