"""The layer of file rules, by Landlock."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from autograder.sandbox.layers.base import Layer, WorkerLimits, successful
from autograder.sandbox.layers.paths import devices, readable
from autograder.sandbox.layers.status import LayerStatus, not_here


class FileRules(Layer):
    """File rules, by Landlock: some files may be read, none written."""

    name = "landlock"
    stops = "reading files but those of the interpreter and its libraries; writing any file"
    get = "Linux 5.13 or newer with Landlock among its security modules, and `pip install landlockpy`."

    def missing(self) -> LayerStatus | None:
        if sys.platform != "linux":
            return not_here("only on Linux")
        try:
            import landlockpy  # noqa: PLC0415
        except ImportError as error:
            return not_here(str(error))
        return None if landlockpy.supported() else not_here("this kernel has no Landlock")

    def prepare(self) -> None:
        self._readable = readable()
        self._devices = devices()

    def apply(self, limits: WorkerLimits) -> None:
        from landlockpy import AccessFS, Ruleset, Scope  # noqa: PLC0415

        read = AccessFS.READ_FILE | AccessFS.READ_DIR
        scope = Scope.ABSTRACT_UNIX_SOCKET | Scope.SIGNAL
        # A new ruleset in each child: rules that one child adds to a shared one would apply to the next.
        with Ruleset(scoped=scope) as rules:
            for path in self._readable:
                rules.allow_path(path, read if Path(path).is_dir() else AccessFS.READ_FILE)
            for path in self._devices:
                rules.allow_path(path, AccessFS.READ_FILE)
            rules.allow_path("/dev/null", AccessFS.READ_FILE | AccessFS.WRITE_FILE)
            rules.allow_path(limits.folder, AccessFS.READ_DIR)
            rules.restrict()

    def not_stopped(self, limits: WorkerLimits) -> list[str]:
        return successful(
            {
                "reading files": lambda: Path(limits.witness).read_bytes(),
                "writing files": lambda: Path(limits.folder, "written").write_bytes(b""),
                "listing folders": lambda: os.listdir("/"),  # noqa: PTH208
            }
        )
