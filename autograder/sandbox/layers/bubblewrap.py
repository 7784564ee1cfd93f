"""A world of its own around a program, by bubblewrap: which files, processes and networks there are in it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from autograder.sandbox.layers.base import Layer, Place, not_stopped
from autograder.sandbox.layers.paths import devices, environment, interpreter, readable

# A folder of that world, and of no other.
HOME = "/sandbox"
_HOME_SIZE = 1024 * 1024


# The warm process and its children: this one, and those that are tried or wait.
_OF_OUR_OWN = 2


def wrapping() -> tuple[tuple[str, ...], str]:
    """The words that start a program inside bubblewrap, with HOME as its only writable folder.

    No words, and why, where that does not work.
    """
    program = shutil.which("bwrap")
    if program is None:
        return (), "not here: there is no program bwrap"
    command = (program, *_namespaces(), *_mounts(), "--")
    trial = subprocess.run(
        (*command, sys.executable, "-I", "-S", "-c", ""),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment(HOME),
        check=False,
    )
    if trial.returncode == 0:
        return command, ""
    words = trial.stderr.decode("utf-8", "replace").strip().splitlines()
    return (), f"fails: {words[-1] if words else f'exit code {trial.returncode}'}"


def _namespaces() -> tuple[str, ...]:
    # The warm process as the first of its world: bubblewrap's own would wear no layer that others could not undo.
    own = ("--unshare-ipc", "--unshare-pid", "--as-pid-1", "--unshare-net", "--unshare-uts")
    named = (*own, "--hostname", "sandbox")
    if os.geteuid() != 0:
        return (*named, "--unshare-user")
    # What a child of root needs to become another user, and its parent to end it.
    needed = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP", "CAP_KILL")
    kept = (word for capability in needed for word in ("--cap-add", capability))
    return (*named, "--cap-drop", "ALL", *kept)


def _mounts() -> tuple[str, ...]:
    files, nodes = (*readable(), *interpreter()), devices()
    words = []
    for folder in _folders_above((*files, *nodes)):
        words += ["--perms", "0755", "--dir", folder]  # else nobody but the owner could pass
    for path in files:
        words += ["--ro-bind", path, path]
    for path in nodes:
        words += ["--dev-bind", path, path]
    words += ["--perms", "0755", "--size", str(_HOME_SIZE), "--tmpfs", HOME]
    words += ["--proc", "/proc", "--remount-ro", "/proc"]
    return (*words, "--remount-ro", "/", "--chdir", "/")


def _folders_above(paths: tuple[str, ...]) -> list[str]:
    found = {str(folder) for path in paths for folder in Path(path).parents}
    return sorted(found - {"/"})


class Bubblewrap(Layer):
    """A world of its own around the warm process, by bubblewrap: other files, processes and networks are not there."""

    name = "bubblewrap"
    stops = "seeing other files, processes and networks"
    get = "Debian and Ubuntu: `apt install bubblewrap`."

    def gaps(self, place: Place) -> list[str]:
        others = [name for name in os.listdir("/proc") if name.isdigit()]  # noqa: PTH208
        networks = Path("/proc/net/dev").read_text(encoding="ascii").splitlines()[2:]
        gaps = not_stopped(
            {
                "reading files": lambda: Path("/etc/passwd").read_bytes(),
                "writing files": lambda: Path("/written").write_bytes(b""),
            }
        )
        gaps += ["other processes"] if len(others) > _OF_OUR_OWN else []
        return gaps + [line.split(":")[0].strip() for line in networks if "lo:" not in line]
