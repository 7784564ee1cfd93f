"""The layer of file rules, by Landlock."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from autograder.sandbox.layers.base import Layer, Place, not_stopped
from autograder.sandbox.layers.paths import devices, readable


class FileRules(Layer):
    """Rules about files, by Landlock: some may be read, none written."""

    name = "landlock"
    stops = "reading files but those of the interpreter and its libraries; writing any file"
    get = "Linux 5.13 or newer with Landlock among its security modules, and `pip install landlockpy`."

    def missing(self) -> str | None:
        if sys.platform != "linux":
            return "only on Linux"
        try:
            import landlockpy  # noqa: PLC0415
        except ImportError as error:
            return str(error)
        return None if landlockpy.supported() else "this kernel has no Landlock"

    def prepare(self) -> None:
        self._readable = readable()
        self._devices = devices()

    def apply(self, place: Place) -> None:
        from landlockpy import AccessFS, Ruleset, Scope  # noqa: PLC0415

        read = AccessFS.READ_FILE | AccessFS.READ_DIR
        scope = Scope.ABSTRACT_UNIX_SOCKET | Scope.SIGNAL
        # Made anew in each child: rules that one child added to a shared ruleset would hold for the next.
        with Ruleset(scoped=scope) as rules:
            for path in self._readable:
                rules.allow_path(path, read if Path(path).is_dir() else AccessFS.READ_FILE)
            for path in self._devices:
                rules.allow_path(path, AccessFS.READ_FILE)
            rules.allow_path("/dev/null", AccessFS.READ_FILE | AccessFS.WRITE_FILE)
            rules.allow_path(place.folder, AccessFS.READ_DIR)
            rules.restrict()

    def gaps(self, place: Place) -> list[str]:
        return not_stopped(
            {
                "reading files": lambda: Path(place.witness).read_bytes(),
                "writing files": lambda: Path(place.folder, "written").write_bytes(b""),
                "listing folders": lambda: os.listdir("/"),  # noqa: PTH208
            }
        )
