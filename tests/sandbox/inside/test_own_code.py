"""What student code replaces in the kit is put back before the next request."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from itertools import product
from types import FunctionType, ModuleType
from typing import Any

import pytest
import torch

from autograder.assignment import libraries
from autograder.sandbox.inside import worker
from autograder.sandbox.inside.own_code import OwnCode
from autograder.sandbox.inside.packages import Packages


def forged(word: str = "forged") -> str:
    return word


# The checks of an assignment, which the kit watches like its own modules.
CHECKS: dict[str, Any] = {}
exec("def helper(word='right'): return word\ndef probe(student): return helper()", CHECKS)
LOADED = (torch, worker)
MODULES = (
    "assignment.checks", "assignment.libraries", "assignment.probes", "assignment.probes.kept",
    "assignment.probes.weights", "sandbox.inside.stand_ins", "sandbox.inside.student", "sandbox.inside.worker",
    "values.values", "values.wire",
)  # fmt: skip
CLASSES = (
    "assignment.checks.Check", "assignment.checks.RaisingProbe", "sandbox.inside.stand_ins.StandIn",
    "sandbox.inside.streams.Streams", "sandbox.inside.worker.Observer", "values.values._Freezer", "values.wire._Reader",
)  # fmt: skip


def functions_in(space: dict[str, Any]) -> list[str]:
    return [name for name, value in space.items() if type(value) is FunctionType]


def replace_a_name(space: dict[str, Any]) -> None:
    space[functions_in(space)[-1]] = forged


def delete_a_name(space: dict[str, Any]) -> None:
    del space[functions_in(space)[0]]


def hide_a_builtin(space: dict[str, Any]) -> None:
    space["len"] = forged


def swap_two_names(space: dict[str, Any]) -> None:
    """Leave all names, values and their order: only which belongs to which changes."""
    items = list(space.items())
    (_, first), (_, second) = items[-2:]
    space[items[-2][0]], space[items[-1][0]] = second, first


def exchange_two_names(space: dict[str, Any]) -> None:
    """Leave all values in their order under other names."""
    (one, first), (other, second) = list(space.items())[-2:]
    del space[one], space[other]
    space[other], space[one] = first, second


def replace_code(space: dict[str, Any]) -> None:
    function = next(
        space[name] for name in functions_in(space) if not space[name].__code__.co_freevars
    )
    function.__code__ = forged.__code__


def replace_defaults_of_a_check() -> None:
    CHECKS["helper"].__defaults__ = ("forged",)


IN_A_MODULE = (
    replace_a_name, delete_a_name, hide_a_builtin, swap_two_names, exchange_two_names, replace_code,
)  # fmt: skip


def replace_a_method(cls: Any) -> None:
    setattr(cls, functions_in(vars(cls))[0], forged)


def delete_a_method(cls: Any) -> None:
    delattr(cls, functions_in(vars(cls))[-1])


def replace_code_of_a_method(cls: Any) -> None:
    vars(cls)[functions_in(vars(cls))[-1]].__code__ = forged.__code__


def found(path: str) -> Any:
    module, _, name = f"autograder.{path}".rpartition(".")
    return getattr(import_module(module), name)


def replaced_package() -> None:
    sys.modules["torch"] = ModuleType("torch")


def deleted_package() -> None:
    del sys.modules["numpy"]


def other_dictionary_of_modules() -> None:
    sys.modules = dict(sys.modules)


SPACES = {name: vars(import_module(f"autograder.{name}")) for name in MODULES} | {"checks": CHECKS}
FOUND = {path: found(path) for path in CLASSES}
IN_A_CLASS = (replace_a_method, delete_a_method, replace_code_of_a_method)
OTHERS = (
    replaced_package,
    deleted_package,
    other_dictionary_of_modules,
    replace_defaults_of_a_check,
)
TAMPERINGS: dict[str, Callable[[], None]] = {
    **{f"{one.__name__} of {place}": partial(one, SPACES[place]) for place, one in product(SPACES, IN_A_MODULE)},
    **{f"{one.__name__} of {place}": partial(one, FOUND[place]) for place, one in product(FOUND, IN_A_CLASS)},
    **{one.__name__: one for one in OTHERS},
}  # fmt: skip


def state() -> dict[object, object]:
    """Return what student code could change: all names, methods, code and defaults, and the packages."""
    spaces: dict[str, Any] = {**SPACES, **{path: vars(FOUND[path]) for path in CLASSES}}
    found: dict[object, object] = {"modules": id(sys.modules)}
    for place, space in spaces.items():
        for name, value in space.items():
            parts = (value.__code__, value.__defaults__) if type(value) is FunctionType else ()
            found[place, name] = (id(value), *map(id, parts))
    return found | {name: id(sys.modules.get(name)) for name in ("torch", "numpy", "sys")}


def test_a_watched_name_that_student_code_adds_is_gone_in_the_next_request() -> None:
    libraries.watch({"softmax"})
    kept = libraries.keep()
    before = [*libraries._watched]
    try:
        libraries._watched.append(object())  # type: ignore[arg-type]
        libraries.resume(kept)
        assert libraries._watched == before != []
        libraries._watched.clear()
        libraries.resume(kept)
        assert libraries._watched == before
    finally:
        libraries.watch(())


def test_a_module_that_is_added_is_kept_too() -> None:
    module = ModuleType("a_student")
    packages = Packages()
    packages.add("a_student", module)
    try:
        sys.modules["a_student"] = None  # type: ignore[assignment]
        packages.put_back()
        assert sys.modules["a_student"] is module
    finally:
        del sys.modules["a_student"]


@pytest.fixture(scope="module")
def own() -> OwnCode:
    return OwnCode(CHECKS["probe"])


def test_what_is_tampered_with_is_put_back(own: OwnCode) -> None:
    wrong = {name: words for name in TAMPERINGS if (words := tampered(own, TAMPERINGS[name]))}
    assert wrong == {}


def tampered(own: OwnCode, tamper: Callable[[], None]) -> str:
    """Tamper twice: it is noticed again where it was put back once. Return what is wrong then."""
    own.put_back()
    before, modules = state(), sys.modules
    try:
        for time in ("the first", "the second"):
            tamper()
            if state() == before:
                return f"changed nothing {time} time"
            own.put_back()
            if state() != before:
                return f"was not put back {time} time"
    finally:
        sys.modules = modules
        own._restore()
    return ""
