"""The layer of file rules, by Landlock."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.sandbox.layers.base import TRIAL, Layer, WorkerLimits
from autograder.sandbox.layers.paths import devices, importable, readable
from autograder.sandbox.layers.status import LayerStatus, not_here

if TYPE_CHECKING:
    from autograder.sandbox.layers.base import Attempts


class FileRules(Layer):
    """File rules, by Landlock: some files may be read, none written."""

    name = "landlock"
    stops = "reading files but those of the interpreter and its libraries; writing any file"
    get = (
        "Linux 5.13 or newer with Landlock among its security modules, and "
        '`pip install -e ".[sandbox]"` in the kit\'s folder.'
    )

    def missing(self) -> LayerStatus | None:
        if sys.platform != "linux":
            return not_here("only on Linux")
        try:
            import landlockpy  # noqa: PLC0415
        except ImportError as error:
            return not_here(f"there is no package {error.name}")
        return None if landlockpy.supported() else not_here("this kernel has no Landlock")

    def prepare(self, limits: WorkerLimits) -> None:
        """Make the rules once. They are the same for all children, each of which closes them: none can add to them."""
        import landlockpy  # noqa: PLC0415
        from landlockpy import AccessFS, Ruleset, Scope  # noqa: PLC0415

        self.by = f"landlockpy {landlockpy.__version__}"
        read = AccessFS.READ_FILE | AccessFS.READ_DIR
        self._rules = Ruleset(scoped=Scope.ABSTRACT_UNIX_SOCKET | Scope.SIGNAL)
        self.descriptors = (self._rules.fileno(),)
        for path in filter(os.path.isdir, readable()):
            self._rules.allow_path(path, AccessFS.READ_DIR)
        for path in importable():
            self._rules.allow_path(path, read if Path(path).is_dir() else AccessFS.READ_FILE)
        for path in devices():
            self._rules.allow_path(path, AccessFS.READ_FILE)
        self._rules.allow_path("/dev/null", AccessFS.READ_FILE | AccessFS.WRITE_FILE)
        self._rules.allow_path(limits.folder, AccessFS.READ_DIR)

    def apply(self, limits: WorkerLimits) -> None:
        with self._rules as rules:
            rules.restrict()

    def attempts(self, limits: WorkerLimits) -> Attempts:
        return {
            "reading files": lambda: Path(limits.witness).read_bytes(),
            "writing files": lambda: (
                Path(limits.witness).with_name(TRIAL).joinpath("written").touch()
            ),
            "listing folders": lambda: os.listdir("/"),  # noqa: PTH208
        }
