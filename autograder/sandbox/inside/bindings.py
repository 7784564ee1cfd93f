"""The names that a student's source binds, and what each step was last bound to."""

from __future__ import annotations

import types
from collections import UserDict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Bound:
    """The value that a name was bound to, with the piece's label and the line's number."""

    value: object
    label: str
    line: int


class Bindings(UserDict[str, object]):
    """The global names of a module, as the local names of its top-level statements.

    A step is what was last bound to its name and fits: for a function the last callable, for a class the last class.

    Args:
        module: the module; all names are its own.
        steps: the names of the steps.
        classes: the names of the steps that are classes.
        stand_ins: what is bound to the names of some steps, whatever the student binds to them.

    Attributes:
        place: the label and the line of the statement that runs.
    """

    def __init__(
        self,
        module: types.ModuleType,
        steps: Collection[str],
        classes: Collection[str],
        stand_ins: Mapping[str, Any] | None = None,
    ) -> None:
        self.place = ("", 0)
        self.data = module.__dict__  # UserDict's own `__init__` would make another one
        self._steps = frozenset(steps)
        self._classes = frozenset(classes)
        self._last: dict[str, Bound] = {}
        self._fits: dict[str, Bound] = {}
        self._stand_ins = stand_ins or {}
        self.data.update(self._stand_ins)

    def __setitem__(self, name: str, value: object) -> None:
        self.data[name] = value
        if name in self._steps:
            self._bind(name, value)

    def look(self) -> None:
        """Note the steps that code bound without this mapping, for example by `global`."""
        for name in self._steps & self.data.keys():
            last = self._last.get(name)
            if last is None or last.value is not self.data[name]:
                self._bind(name, self.data[name])

    def _bind(self, name: str, value: object) -> None:
        if name in self._stand_ins:
            value = self._replaced(value, self._stand_ins[name])
        bound = Bound(value, *self.place)
        self._last[name] = bound
        if _is_class(value) if name in self._classes else callable(value):
            self._fits[name] = bound

    def _replaced(self, value: object, stand_in: Any) -> Any:
        """Bind a stand-in to all names of a student's function."""
        if callable(value) and value is not stand_in:
            stand_in.take_signature(value)
            others = [name for name, bound in self.data.items() if bound is value]
            self.data.update(dict.fromkeys(others, stand_in))
        self.data[stand_in.__name__] = stand_in
        return stand_in

    def restore(self) -> None:
        """Bind each step again to what last fitted."""
        for name, bound in self._fits.items():
            self.data[name] = bound.value

    def unfit(self) -> dict[str, Bound]:
        """Return the steps whose name is bound, but never was to anything that fits.

        A function in place of a class may still make the right object.
        """
        return {
            name: bound
            for name, bound in self._last.items()
            if name not in self._fits and not isinstance(bound.value, types.FunctionType)
        }


def _is_class(value: object) -> bool:
    return issubclass(type(value), type)
