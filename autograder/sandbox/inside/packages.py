"""What `import` finds under the names of packages, as it was before student code ran."""

from __future__ import annotations

import sys
from operator import is_
from typing import TYPE_CHECKING

from autograder.sandbox.inside.watched import Watched

if TYPE_CHECKING:
    from types import ModuleType


class Packages:
    """The packages that are imported now. A line such as `sys.modules["torch"] = None` replaces one."""

    def __init__(self) -> None:
        """Keep the present packages, and the dictionary that has them."""
        self._modules = sys.modules
        self._kept = {name: found for name, found in sys.modules.items() if "." not in name}
        self._watched = Watched([self._modules])

    def add(self, name: str, module: ModuleType) -> None:
        """Let `import` find a module under this name, too."""
        same = self._watched.unchanged()
        self._modules[name] = self._kept[name] = module
        if same and not self._watched.unchanged():
            self._watched.note()

    def put_back(self) -> None:
        """Restore the packages. Others, which were imported since then, stay."""
        sys.modules = self._modules
        if self._watched.unchanged():
            return
        if all(map(is_, map(self._modules.get, self._kept), self._kept.values())):
            self._watched.note()
        else:
            self._modules.update(self._kept)
