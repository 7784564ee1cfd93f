"""Virtual environments for graders that must not mix with the kit's own packages; made once, kept in `.bench/`."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".bench"


def environment(name: str, *packages: str) -> Path:
    """The folder of commands of an environment with these packages and the very torch that the kit runs.

    Raises SystemExit, with pip's words, if they cannot be installed.
    """
    folder = FOLDER / name
    commands = folder / ("Scripts" if sys.platform == "win32" else "bin")
    wanted = "\n".join([f"torch=={version('torch').partition('+')[0]}", *packages])
    ready = folder / "ready"
    if not ready.is_file() or ready.read_text() != wanted:
        started = time.perf_counter()
        print(f"Installing {', '.join(packages)} into {folder} ...", flush=True)
        call([sys.executable, "-m", "venv", "--clear", str(folder)], ROOT)
        # Without the constraints, pip may choose a torch build of several gigabytes.
        options = ["--quiet", "--disable-pip-version-check", "-c", "constraints.txt"]
        pip = [str(commands / "python"), "-m", "pip", "install", *options]
        call([*pip, *wanted.split("\n")], ROOT)
        ready.write_text(wanted)
        print(f"  {time.perf_counter() - started:.0f} s")
    return commands


def call(command: list[str], folder: Path, allowed: tuple[int, ...] = (0,)) -> str:
    """Run a command in a folder; what it wrote. Raises SystemExit, with all of that, for any other exit code."""
    done = subprocess.run(
        command, cwd=folder, env=activated(command), capture_output=True, text=True, check=False
    )
    if done.returncode not in allowed:
        raise SystemExit(
            f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
        )
    return done.stdout


def activated(command: list[str]) -> dict[str, str]:
    """The environment in which a command finds its own neighbours: nbgrader calls `alembic` by its name."""
    path = os.pathsep.join([str(Path(command[0]).parent), os.environ.get("PATH", "")])
    return os.environ | {"PATH": path}


def seconds(work: Callable[[], object]) -> float:
    """How long something takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
