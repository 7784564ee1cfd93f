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

from autograder.errors import GraderFault, UsageError
from autograder.files import write_whole
from autograder.release.build import plan_build
from autograder.release.notebook import missing_packages
from autograder.wheel import INSTALL_INSTRUCTOR, zip_folder

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from autograder.release.build import Build

# The zip format's earliest date, so that the same content gives the same bytes.
_DATE = (1980, 1, 1, 0, 0, 0)
_EPOCH = "315532800"

_README = """\
{title}
{underline}

You work in the notebook {name}/{name}.ipynb, in JupyterLab. If you prefer an editor, see the end.
You need Python 3.11 or newer.


1. Install, once
----------------

Unpack this file, open a terminal in the folder `{folder}` and run the lines for your system. They make a
folder `.venv` here, with JupyterLab, matplotlib and all else that is needed, and change nothing else.
The last line tries it out: it must end with `{steps} not started`.

Windows (PowerShell)

    py -m venv .venv
    .venv\\Scripts\\python -m pip install torch --index-url https://download.pytorch.org/whl/cpu
    .venv\\Scripts\\python -m pip install "./{wheel}[notebook]"
    cd {name}
    ..\\.venv\\Scripts\\python -m pytest

macOS

    python3 -m venv .venv
    .venv/bin/python -m pip install torch
    .venv/bin/python -m pip install "./{wheel}[notebook]"
    cd {name}
    ../.venv/bin/python -m pytest

Linux

    python3 -m venv .venv
    .venv/bin/python -m pip install torch --index-url https://download.pytorch.org/whl/cpu
    .venv/bin/python -m pip install "./{wheel}[notebook]"
    cd {name}
    ../.venv/bin/python -m pytest

JupyterHub (open a terminal there: File, New, Terminal; leave the second line out if torch is there already)

    cd {folder}
    python3 -m pip install --user torch --index-url https://download.pytorch.org/whl/cpu
    python3 -m pip install --user ./{wheel} matplotlib
    cd {name}
    python3 -m pytest

Colab: upload the notebook {name}.ipynb (File, Upload notebook) and run its first cell. It says what else it
needs from this zip file, and how to bring it there.


2. Open the notebook, every time
--------------------------------

In a terminal in the folder `{folder}/{name}`:

    ..\\.venv\\Scripts\\python -m jupyterlab {name}.ipynb        (Windows)
    ../.venv/bin/python -m jupyterlab {name}.ipynb             (macOS, Linux)

On a JupyterHub, open it from the list of files. Run the cells from the top, one after the other, with
Shift and Enter. Replace each `raise NotImplementedError()` by your own code, run that cell, and then the
cell `check("...")` below it. It says what is right, what is not, and where to look.


In an editor instead
--------------------

Open {name}/{name}.py, replace a `raise NotImplementedError()` by your own code, and run the last line for your
system again (`... -m pytest`). `-k NAME` behind it checks one step only. The open question is in the
notebook; write your answer there, or in a text file question-1.md that you hand in with {name}.py.


The kit is called self-attention-kit. It is in no package index: install it only from the file {wheel}
in this zip. Do not install the package `autograder` from an index: it is something else.
"""


def bundle_for_student(project: Path, name: str, out: Path) -> None:
    """Write the zip.

    Raises UsageError if the project or the assignment is not found, or if the notebook, with which
    most students work, cannot be built.
    """
    plan = plan_build(project / "solutions", project / "assignments", name)
    if plan.skipped:
        raise UsageError(
            f"{', '.join(plan.skipped)} cannot be built: there is no {' and no '.join(missing_packages())} here. "
            f"In the kit's folder: {INSTALL_INSTRUCTOR}\nA zip for students must have the notebook; "
            "nothing was written."
        )
    folder = zip_folder(name)
    wheel_name, wheel = build_wheel(project)
    readme = _readme(plan, wheel_name)
    entries = [
        (f"{folder}/README.txt", readme.encode()),
        (f"{folder}/{wheel_name}", wheel),
        *((f"{folder}/{name}/{file}", data) for file, data in sorted(plan.released().items())),
    ]
    out.parent.mkdir(parents=True, exist_ok=True)
    write_whole(out, zip_files(entries))


def _readme(plan: Build, wheel: str) -> str:
    title = f"{plan.name}: how to begin"
    return _README.format(
        title=title,
        underline="=" * len(title),
        folder=zip_folder(plan.name),
        name=plan.name,
        wheel=wheel,
        steps=plan.steps,
    )


def zip_files(entries: Iterable[tuple[str, bytes]], executable: Container[str] = ()) -> bytes:
    """Return a zip with these files, the same bytes each time. `executable` has the paths of programs."""
    content = BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for path, data in entries:
            info = zipfile.ZipInfo(path, _DATE)
            info.create_system = 3  # Unix, on every system
            info.external_attr = (0o755 if path in executable else 0o644) << 16
            archive.writestr(info, data, compress_type=zipfile.ZIP_DEFLATED)
    return content.getvalue()


def build_wheel(project: Path) -> tuple[str, bytes]:
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
