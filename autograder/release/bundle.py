"""Write one zip for a student: the release, the kit's wheel, and instructions for each system."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from autograder import __version__
from autograder.errors import GraderFault, UsageError
from autograder.files import write_whole
from autograder.release.build import plan_build

if TYPE_CHECKING:
    from collections.abc import Iterable

# The zip format's earliest date, so that the same content gives the same bytes.
_DATE = (1980, 1, 1, 0, 0, 0)
_EPOCH = "315532800"

_README = """\
{title}
{underline}

You need Python 3.11 or newer. Unpack this file, open a terminal in the folder `{folder}`
and run the lines for your system. They make a folder `.venv` here, with all that is needed in it,
and change nothing else.

Windows (PowerShell)

    py -m venv .venv
    .venv\\Scripts\\python -m pip install torch --index-url https://download.pytorch.org/whl/cpu
    .venv\\Scripts\\python -m pip install {wheel}
    cd {name}
    ..\\.venv\\Scripts\\python -m pytest

macOS

    python3 -m venv .venv
    .venv/bin/python -m pip install torch
    .venv/bin/python -m pip install ./{wheel}
    cd {name}
    ../.venv/bin/python -m pytest

Linux

    python3 -m venv .venv
    .venv/bin/python -m pip install torch --index-url https://download.pytorch.org/whl/cpu
    .venv/bin/python -m pip install ./{wheel}
    cd {name}
    ../.venv/bin/python -m pytest

JupyterHub (open a terminal there: File, New, Terminal; leave the second line out if torch is there already)

    cd {folder}
    python3 -m pip install --user torch --index-url https://download.pytorch.org/whl/cpu
    python3 -m pip install --user ./{wheel}
    cd {name}
    python3 -m pytest

Then open {name}/{name}.py, replace a `raise NotImplementedError()` by your own code, and run the last line again.
It says what is right, what is not, and where to look. `-k NAME` runs one step only.

The kit is called self-attention-kit. Do not install the package `autograder`: it is something else.
"""


def bundle_for_student(project: Path, name: str, out: Path) -> None:
    """Write the zip. Raises UsageError if the project or the assignment is not found."""
    plan = plan_build(project / "solutions", project / "assignments", name)
    folder = f"{name}-{__version__}"
    wheel_name, wheel = _wheel(project)
    title = f"{name}: how to begin"
    readme = _README.format(
        title=title, underline="=" * len(title), folder=folder, name=name, wheel=wheel_name
    )
    entries = [
        (f"{folder}/README.txt", readme.encode()),
        (f"{folder}/{wheel_name}", wheel),
        *((f"{folder}/{name}/{file}", data) for file, data in sorted(plan.files.items())),
    ]
    out.parent.mkdir(parents=True, exist_ok=True)
    write_whole(out, _zip(entries))


def _zip(entries: Iterable[tuple[str, bytes]]) -> bytes:
    content = BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for path, data in entries:
            info = zipfile.ZipInfo(path, _DATE)
            info.create_system = 3  # Unix, on every system
            info.external_attr = 0o644 << 16
            archive.writestr(info, data, compress_type=zipfile.ZIP_DEFLATED)
    return content.getvalue()


def _wheel(project: Path) -> tuple[str, bytes]:
    """Build the kit's wheel from a copy of its files, so that the project folder stays clean.

    Raises UsageError if `project` is not the kit's folder, GraderFault if pip fails.
    """
    if not (project / "pyproject.toml").is_file() or not (project / "autograder").is_dir():
        raise UsageError(
            f"{project.absolute()} is not the kit's own folder, of which the wheel is made. "
            "Say where it is with --project."
        )
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "kit"
        shutil.copytree(
            project / "autograder",
            copy / "autograder",
            ignore=shutil.ignore_patterns("__pycache__"),
        )
        for file in ("pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(project / file, copy / file)
        command = [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--no-deps",
            "--quiet",
            "--wheel-dir",
            scratch,
        ]
        done = subprocess.run(
            [*command, str(copy)],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "SOURCE_DATE_EPOCH": _EPOCH},
        )
        wheels = list(Path(scratch).glob("*.whl"))
        if done.returncode or len(wheels) != 1:
            raise GraderFault(f"The kit's wheel could not be made:\n{done.stderr.strip()}")
        return wheels[0].name, wheels[0].read_bytes()
