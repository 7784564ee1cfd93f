"""A world of its own around a program, by bubblewrap: which files, processes and networks there are in it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from autograder.sandbox.places import devices, environment, interpreter, readable

_SCRATCH_SIZE = 32 * 1024 * 1024


def wrapping(home: str) -> tuple[tuple[str, ...], str]:
    """The words that start a program inside bubblewrap, `home` being its only writable folder.

    No words, and why, where that does not work.
    """
    program = shutil.which("bwrap")
    if program is None:
        return (), "not here: there is no program bwrap"
    command = (program, *_namespaces(), *_mounts(home), "--")
    trial = subprocess.run(
        (*command, sys.executable, "-I", "-S", "-c", ""),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment(home),
        check=False,
    )
    if trial.returncode == 0:
        return command, ""
    words = trial.stderr.decode("utf-8", "replace").strip().splitlines()
    return (), f"fails: {words[-1] if words else f'exit code {trial.returncode}'}"


def _namespaces() -> tuple[str, ...]:
    own = ("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts")
    if os.geteuid() != 0:
        return (*own, "--unshare-user")
    # What a child of root needs to become another user, and its parent to end it.
    needed = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP", "CAP_KILL")
    kept = (word for capability in needed for word in ("--cap-add", capability))
    return (*own, "--cap-drop", "ALL", *kept)


def _mounts(home: str) -> tuple[str, ...]:
    words = ["--proc", "/proc"]
    for path in (*readable(), *interpreter()):
        words += ["--ro-bind", path, path]
    for path in devices():
        words += ["--dev-bind", path, path]
    words += ["--perms", "0755", "--size", str(_SCRATCH_SIZE), "--tmpfs", home]
    return (*words, "--remount-ro", "/", "--chdir", "/")
