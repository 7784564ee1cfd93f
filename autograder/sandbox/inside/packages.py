"""What `import` finds under the names of packages, as it was before student code ran."""

from __future__ import annotations

import sys
from operator import is_


class Packages:
    """The packages that are imported now. A line such as `sys.modules["torch"] = None` replaces one."""

    def __init__(self) -> None:
        """Keep the present packages, and the dictionary that has them."""
        self._modules = sys.modules
        self._kept = {name: found for name, found in sys.modules.items() if "." not in name}

    def put_back(self) -> None:
        """Restore the packages. Others, which were imported since then, stay."""
        sys.modules = self._modules
        if not all(map(is_, map(self._modules.get, self._kept), self._kept.values())):
            self._modules.update(self._kept)
