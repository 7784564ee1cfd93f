"""The results in one folder DIR or in several, with the data on the students: the input of every export and page."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from autograder.errors import UsageError
from autograder.grading.overrides import late_anew, overrides_digest
from autograder.grading.run_seed import RUN_FILE
from autograder.reports.class_record import CLASS_FILE, Member, load_class
from autograder.reports.gradescope_json import RESULTS_FILE, load_results, results_in
from autograder.results import Status
from autograder.submission.directory import NOBODY, Person
from autograder.submission.hand_in import absolute

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from autograder.results import Result
    from autograder.submission.step_source import StepSource


@dataclass(frozen=True)
class Entry:
    """One student with a result.

    Attributes:
        result: the result that counts.
        member: the student's entry in `class.jsonl`, if there is one.
    """

    result: Result
    member: Member | None = None

    @property
    def person(self) -> Person:
        """Name, ids and e-mail address, as far as they are known."""
        return self.member.person if self.member else NOBODY

    @property
    def steps(self) -> Mapping[str, StepSource]:
        """The student's own source of each step."""
        return self.member.sources if self.member else {}

    @property
    def name(self) -> str:
        """The student's name, or else the name of the submission."""
        return self.person.name or self.result.student

    @property
    def is_graded(self) -> bool:
        """Whether the result has a mark from the checks."""
        return self.result.status is Status.GRADED


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
    """

    folder: Path
    results: tuple[Result, ...]
    members: Mapping[str, Member] = field(default_factory=dict)
    absent: tuple[Person, ...] = ()
    unreadable: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    outdated: bool = False
    gone: tuple[str, ...] = ()

    @property
    def entries(self) -> Iterator[Entry]:
        """Yield the students with a result, one after the other: their sources are not in memory at once."""
        return (Entry(result, self.members.get(result.student)) for result in self.results)

    @property
    def without_questions(self) -> GradedClass:
        """Return the same class without the questions that people mark."""
        results = [
            replace(result, checks=tuple(check for check in result.checks if not check.is_question))
            for result in self.results
        ]
        return replace(self, results=tuple(map(late_anew, results)))


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
    )


def load_graded_class(folder: Path) -> GradedClass:
    """Load the results of a run, or those that `autograder report --out` merged.

    `folder` may also be one student's folder, or a `results.json`: then only this result is loaded.

    Raises UsageError if the folder holds no results of a run.
    """
    path = folder if folder.is_file() else folder / RESULTS_FILE
    if path.is_file():
        result = load_results(path)
        if result is None:
            raise UsageError(f"{path} is no complete result. Run `autograder grade` again.")
        return GradedClass(path.parent, (result,))
    if not any((folder / name).is_file() for name in (RUN_FILE, CLASS_FILE)):
        raise UsageError(
            f"{folder} holds no results: there is no {RUN_FILE}. Run `autograder grade` first."
        )
    return load_class_results(folder)


def load_folders(paths: Iterable[Path]) -> list[GradedClass]:
    """Load folders with results of one assignment.

    Raises UsageError if one has no results or a damaged `class.jsonl`, or if the assignments differ.
    """
    folders = []
    for path in paths:
        folders.append(load_class_results(path))
        if not folders[-1].results:
            raise UsageError(
                f"There is no {RESULTS_FILE} below {path}. Give a folder that `autograder grade --out` wrote."
            )
    assignments = {result.assignment for folder in folders for result in folder.results}
    if len(assignments) > 1:
        raise UsageError(
            f"The folders hold results of different assignments: {', '.join(sorted(assignments))}. "
            "Give the folders of one assignment."
        )
    return folders


def merged(folders: Sequence[GradedClass], keep: str = "best") -> list[Entry]:
    """Return the students of one folder or of several, each once, by name.

    Args:
        folders: in the order of the tries.
        keep: `best` keeps the try with the most points (of equal ones the first), `last` the last
            one. A try that was not graded is kept only if there is no other.
    """
    tries: dict[str, list[tuple[GradedClass, Entry]]] = {}
    known: dict[tuple[str, str], str] = {}
    for folder in folders:
        for entry in folder.entries:
            person, student = entry.person, entry.result.student
            ids = [*person.ids.items(), ("email", person.email or student)]
            student = next((known[one] for one in ids if one in known), student)
            known |= dict.fromkeys(ids, student)
            tries.setdefault(student, []).append((folder, entry))
    return [_kept(tries[student], keep) for student in sorted(tries)]


def _kept(tries: Sequence[tuple[GradedClass, Entry]], keep: str) -> Entry:
    graded = [pair for pair in tries if pair[1].is_graded] or tries
    last = graded[-1]
    folder, chosen = last if keep == "last" else max(graded, key=lambda pair: pair[1].result.score)
    student = chosen.result.student
    member = chosen.member or Member(student, Person(student), "", "")
    # In another folder, too, the path is that of the submission.
    path = member.path and absolute(folder.folder / member.path)
    return replace(chosen, member=replace(member, path=path))
