"""The libraries that a step may use, and their functions as they were before a student's code ran.

`may_import` is the one rule about imports. The functions are kept for the kit's own calls: a line such as
`torch.manual_seed = 123` replaces the function for the whole process. The student's code keeps its replacement; the
kit's functions use the original.
"""

from __future__ import annotations

import contextlib
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection

# What a step of any assignment may import besides Python's own modules. What comes with these, such as SymPy, differs
# from version to version, so it does not count.
PACKAGES = ("numpy", "torch")
_OWNERS = (
    "torch",
    "torch.Tensor",
    "torch.nn",
    "torch.nn.Module",
    "torch.nn.Linear",
    "torch.nn.Embedding",
    "torch.nn.Parameter",
    "torch.nn.functional",
    "torch.nn.init",
    "torch.autograd",
    "torch.linalg",
    "torch.random",
    "numpy",
    "numpy.linalg",
    "numpy.random",
    "math",
    "random",
    "builtins",
)
_GONE = object()
# The worker switches torch's deterministic mode on, to fill memory that was never written. Its warnings are not caused
# by the student's code.
DETERMINISTIC_WARNING = r".* does not have a deterministic implementation"


@dataclass(frozen=True)
class _Name:
    """A watched name of a library, with its original value."""

    path: str
    owner: Any
    name: str
    original: object

    def current(self) -> object:
        return vars(self.owner).get(self.name, _GONE)

    def assign(self, value: object) -> None:
        if value is _GONE:
            delattr(self.owner, self.name)
        else:
            setattr(self.owner, self.name, value)


Kept = tuple[tuple[_Name, object], ...]
# Changed in place: a name of this module that gets another value has all of the kit's code compared, and restored.
_watched: list[_Name] = []


def may_import(module: str, packages: Collection[str]) -> bool:
    """Return whether a graded step may import a module: one of Python's own, or of these packages."""
    package = module.partition(".")[0]
    return package in sys.stdlib_module_names or package in packages


def watch(names: Collection[str]) -> None:
    """Remember the libraries' values under these names: the only names that the student's code assigns to."""
    watched = []
    for path in _OWNERS if names else ():
        owner = _owner(path)
        known = vars(owner) if owner is not None else {}
        watched += [
            _Name(f"{path}.{name}", owner, name, known[name]) for name in names if name in known
        ]
    _watched[:] = watched


def _owner(path: str) -> Any:
    """Return a module or a class of an imported library; None if it is not there."""
    if path in sys.modules:
        return sys.modules[path]
    module, _, name = path.rpartition(".")
    return getattr(sys.modules.get(module), name, None)


def replaced(owner: object, name: str) -> list[tuple[str, tuple[object, ...]]]:
    """Return the path of a watched name, such as `torch.manual_seed`, and its present value if that has changed.

    Empty if the owner is not a library.
    """
    matches = [item for item in _watched if item.owner is owner and item.name == name]
    return [
        (item.path, () if item.current() is item.original else (item.current(),))
        for item in matches[:1]
    ]


class original(contextlib.ContextDecorator):  # noqa: N801 - used like a function
    """Use the libraries' original functions in this block, then restore the student's."""

    def _recreate_cm(self) -> original:
        return original()

    def __enter__(self) -> None:
        now = [(item, item.current()) for item in _watched]
        self._changed = [(item, value) for item, value in now if value is not item.original]
        for item, _ in self._changed:
            item.assign(item.original)

    def __exit__(self, *_: object) -> None:
        for item, value in self._changed:
            item.assign(value)


def keep() -> Kept:
    """Return the present values of all watched names, for `put_back`."""
    return tuple((item, item.current()) for item in _watched)


def resume(kept: Kept) -> None:
    """Watch the kept names again, whatever the student's code has done to `_watched`."""
    _watched[:] = [item for item, _ in kept]


def put_back(kept: Kept) -> None:
    """Restore the values from `keep`."""
    for item, value in kept:
        if item.current() is not value:
            item.assign(value)
