"""What `import` finds: for a student's code the packages of a list, and all packages as they were before it ran."""

from __future__ import annotations

import builtins
import importlib
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

from autograder.assignment.libraries import may_import

if TYPE_CHECKING:
    from collections.abc import Collection
    from types import ModuleType


def import_only(student: str, packages: Collection[str]) -> None:
    """Let the code of the module `student` import only Python's own modules and these packages, whatever is installed.

    Only a call from this code is refused: a library finds all that it imports itself.
    """
    for owner, name in ((builtins, "__import__"), (importlib, "import_module")):
        setattr(owner, name, partial(_found, getattr(owner, name), student, packages))


def _found(
    find: Any, student: str, packages: Collection[str], name: str, *others: Any, **named: Any
) -> Any:
    package = name.partition(".")[0]
    caller = sys._getframe(1).f_globals.get("__name__")  # noqa: SLF001 - nothing else tells who calls
    if caller == student and package and not may_import(package, packages):
        raise ModuleNotFoundError(f"No module named {package!r}", name=package)
    return find(name, *others, **named)


class Packages:
    """The packages that are imported now. A line such as `sys.modules["torch"] = None` replaces one."""

    def __init__(self) -> None:
        """Keep the present packages, and the dictionary that has them."""
        self._modules = sys.modules
        self._kept = {name: found for name, found in sys.modules.items() if "." not in name}

    def add(self, name: str, module: ModuleType) -> None:
        """Let `import` find a module under this name, too."""
        self._modules[name] = self._kept[name] = module

    def put_back(self) -> None:
        """Restore the packages. Others, which were imported since then, stay."""
        sys.modules = self._modules
        self._modules.update(self._kept)
