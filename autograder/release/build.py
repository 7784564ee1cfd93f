"""Build the released folder and nbgrader's source folder from an assignment's single source."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from autograder.assignment.assignment import EXPECTED
from autograder.assignment.authored import Problem, refuse
from autograder.assignment.hints import hint_problems
from autograder.assignment.script import marking_lines, solution_lines
from autograder.assignment.source import load_source, source_names, unknown_assignment
from autograder.exam.draw import draw_exam
from autograder.exam.expected_json import PYTEST_INI, dump_expected, released_digests, same_expected
from autograder.exam.mutant_search import search_mutants
from autograder.exam.mutants import MUTANTS, dump_mutants, read_mutants
from autograder.exam.questions import PUBLIC
from autograder.files import holds, write_whole
from autograder.release.source_notebook import (
    is_edited_notebook,
    released_notebook,
    source_notebook,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from autograder.assignment.source import Source
    from autograder.exam.mutants import StepMutants
    from autograder.exam.questions import Exam

# A plugin of anyio, which comes with watchfiles, would take time at each start. Folders may be read-only.
_PYTEST_SETTINGS = """\
[pytest]
python_files = test_*.py
addopts = -p no:anyio -rN
filterwarnings = ignore::pytest.PytestCacheWarning
"""

# It stands before the first cell: code that fails later cannot stop it, and notebooks do not contain it.
HOW_TO_CHECK = """\
if __name__ == "__main__":
    print("This file checks nothing by itself. To check your steps, open a terminal in its folder and run")
    print("    python -m pytest")\
"""

# Shorter lines of code, such as `)`, and shorter last lines of a paragraph reveal nothing.
_TELLING = 9
_TELLING_PROSE = 24


@dataclass(frozen=True)
class Build:
    """The files that a release folder should hold, and how the folder differs.

    Attributes:
        source, exam: what the files are made from: the assignment and its public questions.
        files: content of each generated file by name.
        edited: generated files that were edited by hand since they were written.
        changed: files whose content differs from the generated one.
        course: files of nbgrader's source folder: the notebook with solutions, and the release's
            other files.
        mutants: the mutants of each step.
        new_mutants: the content of `mutants.json`; None if that in the source's folder is current.
    """

    source: Source
    exam: Exam
    name: str
    folder: Path
    files: dict[str, bytes]
    edited: tuple[str, ...]
    changed: tuple[str, ...]
    course: dict[str, bytes]
    mutants: Mapping[str, StepMutants] = field(default_factory=dict)
    new_mutants: bytes | None = None

    @property
    def steps(self) -> int:
        """The number of steps."""
        return len(self.source.assignment.checks)

    def released(self) -> dict[str, bytes]:
        """Return the released files by name. Unchanged files keep their bytes: last digits depend on the processor."""
        return {
            name: data if name in self.changed else (self.folder / name).read_bytes()
            for name, data in self.files.items()
        }


def plan_build(solutions: Path, assignments: Path, name: str) -> Build:
    """Return what building an assignment would write, without writing anything.

    Raises UsageError for an unknown name or if packages for notebooks are missing, AssignmentError for a broken source
    or a solution that would leak into the release.
    """
    if not (solutions / name).is_dir():
        raise unknown_assignment(name, solutions, source_names(solutions))
    source = load_source(solutions / name)
    exam = draw_exam(source, PUBLIC)
    refuse(source.assignment.folder, hint_problems(source))
    known_mutants = read_mutants(source)
    mutants = known_mutants or search_mutants(source)
    files = release_files(source, exam)
    notebook = f"{name}.ipynb"
    course = {**files, notebook: source_notebook(source)}
    files[notebook] = released_notebook(name, course[notebook])
    _refuse_leaks(source, files)
    folder = assignments / name
    changed = [file for file, data in files.items() if not _same(folder / file, data)]
    if EXPECTED not in changed:
        # The released file may have the last digits of another processor.
        course[EXPECTED] = (folder / EXPECTED).read_bytes()
    return Build(
        source,
        exam,
        name,
        folder,
        files,
        _edited(folder, changed),
        tuple(changed),
        course,
        mutants=mutants,
        new_mutants=None if known_mutants else dump_mutants(source, mutants),
    )


def _edited(folder: Path, changed: list[str]) -> tuple[str, ...]:
    """Return the released files that somebody edited after the release, among those that differ."""
    digests = released_digests(folder)
    return tuple(
        file
        for file in changed
        if file != EXPECTED and (folder / file).exists() and _is_edited(folder / file, digests)
    )


def _is_edited(path: Path, digests: dict[str, str]) -> bool:
    """Return whether a file was edited after its release.

    A notebook is compared with the checksums of nbgrader in its cells.
    """
    data = path.read_bytes()
    if path.suffix == ".ipynb":
        return is_edited_notebook(data)
    return hashlib.sha256(data).hexdigest() != digests.get(path.name)


def release_files(source: Source, exam: Exam) -> dict[str, bytes]:
    """Return the generated files of a release by name, without the notebook.

    `exam` has the public questions.
    """
    assignment = source.assignment
    files = {
        f"{assignment.name}.py": stub_module(source).encode(),
        f"test_{assignment.name}.py": assignment.probes,
        PYTEST_INI: _PYTEST_SETTINGS.encode(),
    }
    files[EXPECTED] = dump_expected(exam, files)
    _refuse_leaks(source, files)
    return files


def stub_module(source: Source) -> str:
    """Return the module that students complete: the given code, and each step without its solution."""
    heading = re.search(r"^# # (.+)$", source.script[0].source, re.MULTILINE)
    title = heading[1] if heading else source.assignment.name
    task = "Replace each `raise NotImplementedError()` by your own code, then run `pytest` in this folder."
    lines = "\n".join([task, *_question_lines(source)])
    parts = [f'"""{title}.\n\n{lines}\n"""\n\n{HOW_TO_CHECK}']
    parts += [f"# %%\n{cell.source}" for cell in source.assignment.cells]
    return "\n\n".join(part + "\n" for part in parts)


def _question_lines(source: Source) -> list[str]:
    """Say where the open question is and where its answer goes."""
    names = [cell.id for cell in source.script if cell.kind == "question"]
    files = " and ".join(f"{name}.md" for name in names)
    if not names:
        return []
    return [
        f"The open question is in {source.assignment.name}.ipynb. Write your answer there, or in a text file {files}",
        "that you hand in with this file.",
    ]


def _refuse_leaks(source: Source, files: dict[str, bytes]) -> None:
    """Raise AssignmentError if a released file has a line of a solution or of a model answer."""
    code = [line for line in solution_lines(source.script) if len(line) >= _TELLING]
    prose = [line for line in marking_lines(source.script) if len(line) >= _TELLING_PROSE]
    for line in code + prose:
        in_json = (json.dumps(line, ensure_ascii=ascii_only)[1:-1] for ascii_only in (True, False))
        spellings = [spelling.encode() for spelling in (line, *in_json)]
        words = f"{line!r} is a line of a solution, and stands in the released"
        refuse(
            source.assignment.folder,
            (
                Problem(
                    f"{source.assignment.name}.py", "", f"{words} {name} too; change one of them."
                )
                for name, data in files.items()
                if any(spelling in data for spelling in spellings)
            ),
        )


def write_build(build: Build) -> None:
    """Write the release, and the source's mutants. Each file is written completely or not at all; other files stay."""
    if build.new_mutants is not None:
        write_whole(build.source.assignment.folder / MUTANTS, build.new_mutants)
    for name in build.changed:
        write_whole(build.folder / name, build.files[name])


def write_course(build: Build, course: Path) -> bool:
    """Write nbgrader's source folder below `course`; return whether anything changed."""
    folder = source_folder(build.name, course)
    changed = [
        (folder / name, data)
        for name, data in build.course.items()
        if not holds(folder / name, data)
    ]
    for path, data in changed:
        write_whole(path, data)
    return bool(changed)


def source_folder(name: str, course: Path) -> Path:
    """Return the source folder of an assignment in an nbgrader course."""
    return course / "source" / name


def _same(path: Path, data: bytes) -> bool:
    known = path.name == EXPECTED and path.is_file()
    return holds(path, data) or (known and same_expected(path.read_bytes(), data))
