"""The layer of namespaces, by bubblewrap: which files, processes and networks exist for the fork server."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.sandbox.layers.base import Layer, WorkerLimits
from autograder.sandbox.layers.paths import devices, interpreter, readable, worker_environment
from autograder.sandbox.layers.status import LayerState, LayerStatus, fails, not_here

if TYPE_CHECKING:
    from autograder.sandbox.layers.base import Attempts


# A folder that exists only inside.
HOME = "/sandbox"
_HOME_SIZE = 1024 * 1024
# By earlier ones, installed setuid, a local user can become root (CVE-2020-5291). The options used here are younger.
_FIRST_SAFE = (0, 4, 1)
# The fork server and the child that runs the test.
_OWN_PROCESSES = 2


def wrapping() -> tuple[tuple[str, ...], LayerStatus]:
    """The command that starts a program inside bubblewrap, with HOME as its only writable folder.

    Where bubblewrap does not work the command is empty, and the status says why.
    """
    program = shutil.which("bwrap")
    if program is None:
        return (), not_here("there is no program bwrap")
    command = (program, *_namespaces(), *_mounts(), "--")
    trial = subprocess.run(
        (*command, sys.executable, "-I", "-S", "-c", ""),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=worker_environment(HOME),
        check=False,
    )
    if trial.returncode == 0:
        return command, LayerStatus(LayerState.ACTIVE, _version(program))
    lines = trial.stderr.decode("utf-8", "replace").strip().splitlines()
    return (), fails(lines[-1] if lines else f"exit code {trial.returncode}")


def _version(program: str) -> str:
    """Return the name and version of bubblewrap, with a warning if it is an old one."""
    version = subprocess.run(
        (program, "--version"), capture_output=True, text=True, check=False
    ).stdout.strip()
    if tuple(map(int, re.findall(r"\d+", version))) >= _FIRST_SAFE:
        return version
    return (
        f"{version}, and if it is setuid, a local user can become root by it (CVE-2020-5291); "
        "student code cannot start it; update it"
    )


def _namespaces() -> tuple[str, ...]:
    # The fork server is process 1: bubblewrap's own init would run without the other layers.
    own = ("--unshare-ipc", "--unshare-pid", "--as-pid-1", "--unshare-net", "--unshare-uts")
    named = (*own, "--hostname", "sandbox")
    if os.geteuid() != 0:
        return (*named, "--unshare-user")
    # A child of root needs these to become another user, and its parent to end it.
    needed = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP", "CAP_KILL")
    kept = (word for capability in needed for word in ("--cap-add", capability))
    return (*named, "--cap-drop", "ALL", *kept)


def _mounts() -> tuple[str, ...]:
    files, nodes = (*readable(), *interpreter()), devices()
    words = []
    for folder in _folders_above((*files, *nodes)):
        words += ["--perms", "0755", "--dir", folder]  # else only the owner could enter
    for path in files:
        words += ["--ro-bind", path, path]
    for path in nodes:
        words += ["--dev-bind", path, path]
    words += ["--perms", "0755", "--size", str(_HOME_SIZE), "--tmpfs", HOME]
    words += ["--proc", "/proc", "--remount-ro", "/proc"]
    return (*words, "--remount-ro", "/", "--chdir", "/")


def _folders_above(paths: tuple[str, ...]) -> list[str]:
    folders = {str(folder) for path in paths for folder in Path(path).parents}
    return sorted(folders - {"/"})


class Bubblewrap(Layer):
    """Namespaces around the fork server, by bubblewrap: other files, processes and networks do not exist there."""

    name = "bubblewrap"
    stops = "seeing other files, processes and networks"
    get = "Debian and Ubuntu: `apt install bubblewrap`."

    def attempts(self, limits: WorkerLimits) -> Attempts:
        others = [name for name in os.listdir("/proc") if name.isdigit()]  # noqa: PTH208
        networks = Path("/proc/net/dev").read_text(encoding="ascii").splitlines()[2:]
        found = [line.split(":")[0].strip() for line in networks if "lo:" not in line]
        return {
            "reading files": lambda: Path("/etc/passwd").read_bytes(),
            "writing files": lambda: Path("/written").write_bytes(b""),
            "other processes": lambda: len(others) > _OWN_PROCESSES,
            **dict.fromkeys(found, lambda: True),
        }
