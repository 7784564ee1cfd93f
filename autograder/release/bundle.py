"""Write what students or a course platform need: a zip, a template repository, or Gradescope's autograder.

A student's zip, a template repository and Classroom 50's bundle hold public checks only. Gradescope's zip holds the
solutions: it is the instructor's.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.assignment.assignment import EXPECTED
from autograder.assignment.authored import FAMILIES
from autograder.errors import GraderFault, UsageError
from autograder.exam.expected_json import file_digest
from autograder.files import write_whole, zip_files
from autograder.release.build import plan_build
from autograder.wheel import zip_folder

if TYPE_CHECKING:
    from collections.abc import Callable

TORCH_INDEX = "https://download.pytorch.org/whl/cpu"
EXECUTABLE = frozenset({"setup.sh", "run_autograder"})

_TEMPLATES = files("autograder.release") / "templates"
# The zip format's earliest date, so that the same content gives the same bytes.
_EPOCH = "315532800"


@dataclass(frozen=True)
class Parts:
    """The parts of a bundle: the release, the kit's wheel, and the values for its templates.

    Attributes:
        project: the kit's own folder.
        source: the assignment's source folder.
        released: the released files by name.
        words: the value for each `@WORD@` in a template.
    """

    project: Path
    source: Path
    name: str
    released: dict[str, bytes]
    wheel_name: str
    wheel: bytes
    words: dict[str, str]

    def text(self, template: str) -> bytes:
        """Return a template with its values filled in."""
        content = (_TEMPLATES / template).read_text(encoding="utf-8")
        for word, value in self.words.items():
            content = content.replace(f"@{word}@", value)
        return content.encode()

    def release(self, folder: str) -> dict[str, bytes]:
        """Return the released files below `folder`."""
        return {f"{folder}/{file}": data for file, data in self.released.items()}


def bundle_for_student(project: Path, name: str, out: Path, solutions: Path | None = None) -> None:
    """Write the zip: the release, the kit's wheel, and instructions for each system.

    Raises UsageError if the project or the assignment is not found, or if the notebook, with which
    most students work, cannot be built.
    """
    parts = _parts(project, name, solutions)
    parts = replace(parts, words=parts.words | {"ZIP": out.name})
    folder = zip_folder(name)
    content = {
        "README.txt": parts.text("student-zip-readme.txt"),
        **_editor(parts),
        parts.wheel_name: parts.wheel,
        **dict(sorted(parts.release(name).items())),
    }
    write_whole(out, zip_files((f"{folder}/{path}", data) for path, data in content.items()))


def bundle_for_platform(
    platform: str,
    name: str,
    out: Path,
    project: Path,
    torch_index: str = TORCH_INDEX,
    solutions: Path | None = None,
) -> Path:
    """Write the bundle into the folder `out`, or as the zip `out` for Gradescope; return what was written.

    Args:
        project: the kit's own folder, of which the wheel is made.
        torch_index: where pip finds CPU builds of torch.
        solutions: where the assignments' sources are; by default those of the project.

    Raises UsageError if the project or assignment is not found.
    """
    content = _BUNDLES[platform](_parts(project, name, solutions, torch_index))
    if platform == "gradescope":
        return _write_zip(content, out, name)
    _write_folder(content, out)
    return out


def _parts(
    project: Path, name: str, solutions: Path | None, torch_index: str = TORCH_INDEX
) -> Parts:
    """Return the parts of a bundle. Raises UsageError like `plan_build`."""
    solutions = solutions or project / "solutions"
    plan = plan_build(solutions, solutions.parent / "assignments", name)
    release = plan.released()
    wheel_name, wheel = build_wheel(project)
    heading = f"{name}: how to begin"
    words = {
        "NAME": name,
        "TITLE": name.replace("_", " "),
        "HEADING": heading,
        "UNDERLINE": "=" * len(heading),
        "FOLDER": zip_folder(name),
        "STEPS": str(plan.steps),
        "STEP": plan.source.assignment.checks[0].name,
        "WHEEL": wheel_name,
        "TORCH_INDEX": torch_index,
        "TORCH": _tested_version(project, "torch"),
        "MATPLOTLIB": _tested_version(project, "matplotlib"),
        "POINTS": f"{plan.source.assignment.max_score:g}",
        "DIGEST": file_digest(release[EXPECTED]),
    }
    return Parts(project, solutions / name, name, release, wheel_name, wheel, words)


def _tested_version(project: Path, package: str) -> str:
    """Return the version of a package that the kit is tested with."""
    lines = (project / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return next(line.partition("==")[2] for line in lines if line.startswith(f"{package}=="))


def _editor(parts: Parts) -> dict[str, bytes]:
    """Return VS Code's settings for the checks, and what Git leaves out."""
    return {
        ".gitignore": parts.text("gitignore"),
        ".vscode/settings.json": parts.text("editor/settings.json"),
        ".vscode/launch.json": parts.text("editor/launch.json"),
    }


def _repository(parts: Parts) -> dict[str, bytes]:
    """Return a student's repository, without the workflow of a platform."""
    return {
        "README.md": parts.text("student-readme.md"),
        "requirements.txt": parts.text("requirements.txt"),
        ".devcontainer/devcontainer.json": parts.text("editor/devcontainer.json"),
        **_editor(parts),
        parts.wheel_name: parts.wheel,
        **parts.release(parts.name),
    }


def _graded_repository(parts: Parts, workflow: str, template: str) -> dict[str, bytes]:
    """Return a student's repository whose own workflow grades.

    It has the packages of the sandbox too. The workflow installs only files with the digests that it names.
    """
    content = {**_repository(parts), **_sandbox_lock(parts.project)}
    installed = ("sandbox.lock", "requirements.txt", parts.wheel_name)
    sums = (f"'{hashlib.sha256(content[file]).hexdigest()}  {file}'" for file in installed)
    graded = replace(parts, words=parts.words | {"SUMS": " ".join(sums)})
    return {**content, workflow: graded.text(template)}


def _github(parts: Parts) -> dict[str, bytes]:
    return _graded_repository(parts, ".github/workflows/public-checks.yml", "github.yml")


def _gitlab(parts: Parts) -> dict[str, bytes]:
    return _graded_repository(parts, ".gitlab-ci.yml", "gitlab/gitlab-ci.yml")


def _classroom50(parts: Parts) -> dict[str, bytes]:
    name = parts.name
    grader = {
        "autograder.py": parts.text("classroom50/autograder.py"),
        "requirements.txt": parts.text("requirements.txt"),
        parts.wheel_name: parts.wheel,
        **parts.release(name),
        **_sandbox_lock(parts.project),
    }
    return {
        "README.md": parts.text("classroom50/README.md"),
        **{f"autograders/{name}/{path}": data for path, data in grader.items()},
        **{f"template/{path}": data for path, data in _repository(parts).items()},
    }


def _gradescope(parts: Parts) -> dict[str, bytes]:
    folder = parts.source
    solutions = {
        f"solutions/{path.relative_to(folder.parent).as_posix()}": path.read_bytes()
        for path in (folder.parent / FAMILIES, *sorted(folder.iterdir()))
        if path.is_file() and path.suffix in (".py", ".json", ".toml")
    }
    return {
        "setup.sh": parts.text("gradescope/setup.sh"),
        "run_autograder": parts.text("gradescope/run_autograder"),
        "README.md": parts.text("gradescope/README.md"),
        "requirements.txt": parts.text("requirements.txt"),
        parts.wheel_name: parts.wheel,
        **solutions,
        **_sandbox_lock(parts.project),
    }


def _sandbox_lock(project: Path) -> dict[str, bytes]:
    """Return the pinned packages of the sandbox, with their hashes."""
    lock = project / "sandbox.lock"
    return {lock.name: lock.read_bytes()}


_BUNDLES: dict[str, Callable[[Parts], dict[str, bytes]]] = {
    "github": _github,
    "classroom50": _classroom50,
    "gradescope": _gradescope,
    "gitlab": _gitlab,
}
TARGETS = tuple(_BUNDLES)


def _write_zip(content: dict[str, bytes], out: Path, name: str) -> Path:
    path = out if out.suffix == ".zip" else out / f"{name}-gradescope.zip"
    write_whole(path, zip_files(sorted(content.items()), EXECUTABLE))
    return path


def _write_folder(content: dict[str, bytes], out: Path) -> None:
    for path, data in sorted(content.items()):
        write_whole(out / path, data)


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
