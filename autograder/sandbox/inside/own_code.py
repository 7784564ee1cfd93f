"""Restore the kit's own code in a worker to its state before any student code ran.

Student code runs in the same process and can replace a probe, or a function that a probe calls. So
the kit's code is restored before each request. A program that rewrites the interpreter can prevent
this; it still has to send the right numbers.
"""

from __future__ import annotations

import functools
import sys
from itertools import chain
from operator import attrgetter, is_
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from autograder.assignment.checks import PROBES, Check, checks_of, function_of, run_source
from autograder.assignment.probes.kept import keep
from autograder.sandbox.inside.packages import Packages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

T = TypeVar("T")

# The modules that make an observation.
_MODULES = (
    "autograder.assignment",
    "autograder.near_names",
    "autograder.probing",
    "autograder.reasons",
    "autograder.sandbox.inside",
    "autograder.values",
)
# The modules among these that are not used any more when student code runs.
_DONE = frozenset(
    f"autograder.sandbox.inside.{name}" for name in ("bindings", "survey", "warm_up", "zygote")
)
_code = attrgetter("__code__")
_defaults = attrgetter("__defaults__", "__kwdefaults__")


@functools.lru_cache(maxsize=2)  # the run's, and those of the warm-up
def known_checks(probes: bytes) -> dict[str, Check]:
    """Return the checks in a test file's source, by name."""
    return {check.name: check for check in checks_of(run_source(probes, PROBES))}


@functools.lru_cache(maxsize=2)
def own_code(probes: bytes, serve: Callable[..., object]) -> OwnCode:
    """Return the code of the kit, of the checks and of the worker, as it is before any student code ran.

    The fork server calls this before it forks.
    """
    keep()
    try:
        checks = known_checks(probes)
    except BaseException:  # noqa: BLE001 - a student's copy of the checks; loading the submission says so
        checks = {}
    criteria = [criterion for check in checks.values() for criterion in check.criteria]
    asked = [probe for criterion in criteria for probe in criterion.all_probes]
    return OwnCode(serve, *map(function_of, asked))


class OwnCode:
    """The names, functions and classes of the kit's modules and of the assignment's checks.

    They are compared before each request, so the comparison loops only in built-in functions.

    Attributes:
        packages: the packages as they were.
    """

    def __init__(self, *functions: Any) -> None:
        """Keep the kit's modules that are loaded now, and the modules of these functions."""
        self.packages = Packages()
        modules = [module for name, module in sys.modules.copy().items() if _is_own(name, module)]
        spaces = [*map(vars, modules), *(function.__globals__ for function in functions)]
        self._spaces = _distinct(spaces)
        self._kept = [space.copy() for space in self._spaces]
        self._sizes = list(map(len, self._kept))
        values = [value for space in self._kept for value in space.values()]
        self._classes = _distinct(
            value for value in values if isinstance(value, type) and _is_ours(value)
        )
        self._methods = [_functions(cls) for cls in self._classes]
        self._look_up = [vars(cls).get for cls in self._classes]
        methods = [method for methods in self._methods for method in methods.values()]
        plain = [value for value in values if type(value) is FunctionType]
        self._functions = _distinct([*plain, *methods])
        self._codes = list(map(_code, self._functions))
        # Where a function has no defaults, the kit passes all arguments: added ones change nothing.
        self._optional = [
            function for function in self._functions if _defaults(function) != (None, None)
        ]
        self._defaults = list(map(_defaults, self._optional))
        self._all = list(self._now())

    def put_back(self) -> None:
        """Restore every kept name, function and package."""
        self.packages.put_back()
        if not self._is_kept():
            self._restore()

    def _is_kept(self) -> bool:
        """Return whether all is as it was, in the same order."""
        return list(map(len, self._spaces)) == self._sizes and all(map(is_, self._now(), self._all))

    def _now(self) -> Iterator[object]:
        """Yield the names of all modules and their objects, then what functions and classes are made of."""
        return chain(
            chain.from_iterable(self._spaces),
            chain.from_iterable(map(dict.values, self._spaces)),
            chain.from_iterable(map(map, self._look_up, self._methods)),
            map(_code, self._functions),
            chain.from_iterable(map(_defaults, self._optional)),
        )

    def _restore(self) -> None:
        for space, kept in zip(self._spaces, self._kept, strict=True):
            space.update(kept)  # it is never empty: another thread may need its names
            for name in space.keys() - kept.keys():
                del space[name]
        for cls, methods in zip(self._classes, self._methods, strict=True):
            for name, function in methods.items():
                type.__setattr__(cls, name, function)
        for function, code in zip(self._functions, self._codes, strict=True):
            function.__code__ = code
        for function, defaults in zip(self._optional, self._defaults, strict=True):
            function.__defaults__, function.__kwdefaults__ = defaults


def _distinct(objects: Iterable[T]) -> list[T]:
    """Return each object once, in order."""
    return list({id(item): item for item in objects}.values())


def _is_own(name: str, module: object) -> bool:
    return type(module) is ModuleType and name.startswith(_MODULES) and name not in _DONE


def _is_ours(cls: type) -> bool:
    return cls.__module__.startswith(_MODULES) or cls.__module__ == "__main__"


def _functions(cls: type) -> dict[str, FunctionType]:
    return {name: value for name, value in vars(cls).items() if type(value) is FunctionType}
