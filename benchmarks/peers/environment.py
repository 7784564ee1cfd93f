"""Virtual environments that keep other graders apart from the kit's packages.

Each is made once and kept in `.bench/`.
"""

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
    """Return the folder of commands of an environment with these packages and the kit's torch version.

    Raises SystemExit, with pip's message, if the packages cannot be installed.
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
    """Run a command in a folder, and return its output.

    Raises SystemExit, with the output, if the exit code is not in `allowed`.
    """
    done = subprocess.run(
        command, cwd=folder, env=activated(command), capture_output=True, text=True, check=False
    )
    if done.returncode not in allowed:
        raise SystemExit(
            f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
        )
    return done.stdout


def activated(command: list[str]) -> dict[str, str]:
    """Return environment variables with the command's folder on PATH.

    nbgrader calls `alembic` by name.
    """
    path = os.pathsep.join([str(Path(command[0]).parent), os.environ.get("PATH", "")])
    return os.environ | {"PATH": path}


def seconds(work: Callable[[], object]) -> float:
    """Return the seconds that `work` takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
