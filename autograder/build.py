"""From an assignment's single source to the folder that students get."""

from __future__ import annotations

import difflib
import hashlib
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.assignment import load_source
from autograder.errors import AssignmentError, UsageError
from autograder.exam import PUBLIC, draw_exam
from autograder.files import EXPECTED, write_whole
from autograder.release import dump_expected, released_digests, same_expected
from autograder.script import solution_lines

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from autograder.assignment import Source

PYTEST_INI = """\
[pytest]
python_files = test_*.py
addopts = -p no:cacheprovider -rN
"""

# Shorter lines of code, such as `)`, say nothing.
_TELLING = 9


@dataclass(frozen=True)
class Build:
    """What a release folder should hold, and how it differs from that.

    Attributes:
        files: each generated file by name.
        worked: generated files that somebody has changed since they were written.
        changed: files whose content is not the generated one.
    """

    name: str
    folder: Path
    files: dict[str, bytes]
    worked: tuple[str, ...]
    changed: tuple[str, ...]


def plan_build(solutions: Path, assignments: Path, name: str) -> Build:
    """What building an assignment would write; nothing is written.

    Raises UsageError for an unknown name, AssignmentError for a broken source or one whose solution would leak.
    """
    if not (solutions / name).is_dir():
        raise unknown_assignment(name, solutions, names(solutions))
    source = load_source(solutions / name)
    files = release_files(source)
    folder = assignments / name
    digests = released_digests(folder)
    changed = [file for file, data in files.items() if not _same(folder / file, data)]
    worked = [
        file
        for file in changed
        if file != EXPECTED
        and (folder / file).exists()
        and _sha256(folder / file) != digests.get(file)
    ]
    return Build(name, folder, files, tuple(worked), tuple(changed))


def names(solutions: Path) -> list[str]:
    """The assignments below `solutions`."""
    if not solutions.is_dir():
        raise UsageError(
            f"There is no folder {solutions}. Run this in the project's folder, or give --solutions."
        )
    return sorted(
        folder.name for folder in solutions.iterdir() if (folder / f"{folder.name}.py").is_file()
    )


def unknown_assignment(name: str, folder: Path, known: Sequence[str]) -> UsageError:
    """The words for an assignment that is not there."""
    close = difflib.get_close_matches(name, known, n=1)
    hint = f"Did you mean {close[0]!r}?" if close else f"There is: {', '.join(known) or 'none'}."
    return UsageError(f"There is no assignment {name!r} in {folder}. {hint}")


def release_files(source: Source) -> dict[str, bytes]:
    """The generated files of a release, by name."""
    assignment = source.assignment
    files = {
        f"{assignment.name}.py": stub_module(source).encode(),
        f"test_{assignment.name}.py": assignment.probes,
        "pytest.ini": PYTEST_INI.encode(),
    }
    files[EXPECTED] = dump_expected(draw_exam(source, PUBLIC), files)
    _refuse_leaks(source, files)
    return files


def stub_module(source: Source) -> str:
    """The module that students fill in: what is given, and each step without its solution."""
    heading = re.search(r"^# # (.+)$", source.script[0].source, re.MULTILINE)
    title = heading[1] if heading else source.assignment.name
    task = "Replace each `raise NotImplementedError()` by your own code, then run `pytest` in this folder."
    parts = [f'"""{title}.\n\n{task}\n"""']
    parts += [f"# %%\n{cell.source}" for cell in source.assignment.cells]
    return "\n\n".join(part + "\n" for part in parts)


def _refuse_leaks(source: Source, files: dict[str, bytes]) -> None:
    for line in solution_lines(source.script):
        if len(line) < _TELLING:
            continue
        spellings = (line.encode(), json.dumps(line)[1:-1].encode())
        for name, data in files.items():
            if any(spelling in data for spelling in spellings):
                raise AssignmentError(
                    f"This line of a solution stands in the released {name} too: {line!r}. "
                    "Change the one or the other; nothing was written."
                )


def write_build(build: Build) -> None:
    """Write the release. Each file appears whole or not at all; other files in the folder stay."""
    build.folder.mkdir(parents=True, exist_ok=True)
    for name in build.changed:
        write_whole(build.folder / name, build.files[name])


def diff(build: Build) -> str:
    """How the folder differs from what would be built, as a unified diff."""
    lines: list[str] = []
    for name in build.changed:
        path = build.folder / name
        old = path.read_bytes().decode(errors="replace") if path.exists() else ""
        new = build.files[name].decode()
        found = difflib.unified_diff(
            old.splitlines(), new.splitlines(), str(path), f"{path} (built)", lineterm="", n=1
        )
        lines += list(found) or [f"{path}: only its line endings differ"]
    return "\n".join(line[:300] for line in lines)


def _same(path: Path, data: bytes) -> bool:
    if not path.is_file():
        return False
    present = path.read_bytes()
    return present == data or (path.name == EXPECTED and same_expected(present, data))


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
