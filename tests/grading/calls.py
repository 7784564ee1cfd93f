"""Functions that tests call in grading processes. These import this module, and so no test."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import psutil

from autograder.errors import UsageError


def affinity_after(seconds: float) -> set[int]:
    time.sleep(seconds)
    return os.sched_getaffinity(0) if sys.platform == "linux" else set()


STARTED: list[subprocess.Popen[bytes]] = []


def start_child() -> set[int]:
    """Start a process that starts another, as a sandbox does; return the cores of this process."""
    inner = "import time; print('ready', flush=True); time.sleep(60)"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {inner!r}])"
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert child.stdout
    assert child.stdout.readline() == b"ready\n"
    STARTED.append(child)
    return affinity_after(0)


def affinity_of_children() -> list[set[int]]:
    family = psutil.Process(STARTED[0].pid)
    cores_of_each = [set(one.cpu_affinity()) for one in (family, *family.children(recursive=True))]
    for one in (*family.children(recursive=True), family):
        one.kill()
    return cores_of_each


def fail() -> None:
    raise ZeroDivisionError("by nothing")


def refuse() -> None:
    raise UsageError("not like this")
