"""The results in one folder DIR, with the data on the students: the input of every export and every page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from autograder.errors import UsageError
from autograder.grading.overrides import overrides_digest
from autograder.grading.run_seed import RUN_FILE
from autograder.records import load_json
from autograder.reports.class_record import load_class
from autograder.reports.gradescope_json import RESULTS_FILE, load_results, results_in

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from autograder.reports.class_record import Member
    from autograder.results import Result
    from autograder.submission.directory import Person


@dataclass(frozen=True)
class GradedClass:
    """The results of a folder.

    Attributes:
        folder: DIR.
        results: the results of all students who are in the class, sorted by student.
        members: the students' entries in `class.jsonl`, by student.
        absent: the people on the roster who handed in nothing.
        unreadable: students whose `results.json` is damaged, or of another student.
        missing: students of the class without a `results.json`.
        outdated: `overrides.csv` was changed after the run, so the marks do not hold the change.
        gone: students with results whose submission is no longer there.
        facts: the content of `run.json`, except the seed.
    """

    folder: Path
    results: tuple[Result, ...]
    members: Mapping[str, Member] = field(default_factory=dict)
    absent: tuple[Person, ...] = ()
    unreadable: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    outdated: bool = False
    gone: tuple[str, ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)


def load_class_results(folder: Path) -> GradedClass:
    """Load all that a folder holds. Without `class.jsonl`, every result in it counts.

    Raises UsageError if `class.jsonl` is damaged.
    """
    record = load_class(folder)
    loaded = {student: result for student, _, result in results_in(folder)}
    members = record.by_student if record else dict.fromkeys(loaded)
    here = {student: result for student, result in loaded.items() if student in members}
    return GradedClass(
        folder=folder,
        results=tuple(result for result in here.values() if result is not None),
        members=record.by_student if record else {},
        absent=record.absent if record else (),
        unreadable=tuple(student for student, result in here.items() if result is None),
        missing=tuple(student for student in members if student not in here),
        outdated=record is not None and record.overrides_sha256 != overrides_digest(folder),
        gone=tuple(student for student in loaded if student not in members),
        facts=_facts(folder),
    )


def _facts(folder: Path) -> dict[str, str]:
    """Return the content of `run.json`, except the seed; empty if it cannot be read."""
    try:
        content = dict(load_json((folder / RUN_FILE).read_bytes()))
    except (OSError, ValueError, TypeError):
        return {}
    return {name: str(value) for name, value in content.items() if name != "seed"}


def load_graded_class(folder: Path) -> GradedClass:
    """Load the results of a run.

    `folder` may also be one student's folder, or a `results.json`: then only this result is loaded.

    Raises UsageError if the folder holds no results of a run.
    """
    if folder.is_file() or (folder / RESULTS_FILE).is_file():
        return _one_result(folder if folder.is_file() else folder / RESULTS_FILE)
    if not (folder / RUN_FILE).is_file():
        raise UsageError(
            f"{folder} holds no results: there is no {RUN_FILE}. Run `autograder grade` first."
        )
    return load_class_results(folder)


def _one_result(path: Path) -> GradedClass:
    result = load_results(path)
    if result is None:
        raise UsageError(f"{path} is no complete result. Run `autograder grade` again.")
    return GradedClass(path.parent, (result,))
