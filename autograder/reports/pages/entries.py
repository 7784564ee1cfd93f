"""The students of a page: one results folder, or several that are merged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.errors import UsageError
from autograder.reports.graded_class import GradedClass, load_class_results
from autograder.reports.gradescope_json import RESULTS_FILE
from autograder.results import Status
from autograder.submission.directory import NOBODY

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from autograder.reports.class_record import Member
    from autograder.results import Result
    from autograder.submission.directory import Person
    from autograder.submission.step_source import StepSource


@dataclass(frozen=True)
class Try:
    """One student's result in one of the folders."""

    folder: str
    result: Result


@dataclass(frozen=True)
class Entry:
    """One student.

    Attributes:
        result: the result that counts.
        member: the student's entry in `class.jsonl`, if there is one.
        tries: the results in all folders, in their order.
    """

    result: Result
    member: Member | None = None
    tries: tuple[Try, ...] = ()

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


def load_folder(path: Path) -> GradedClass:
    """Load all results of a folder. Raises UsageError if there are none, or if `class.jsonl` is damaged."""
    graded = load_class_results(path)
    if not graded.results:
        raise UsageError(
            f"There is no {RESULTS_FILE} below {path}. Give a folder that `autograder grade --out` wrote."
        )
    return graded


def merged(folders: Sequence[GradedClass], keep: str = "best") -> list[Entry]:
    """Return the students of one folder or of several, each once, by name.

    Args:
        folders: in the order of the tries.
        keep: `best` keeps the try with the most points (of equal ones the first), `last` the last
            one. A try that was not graded is kept only if there is no other.

    Raises UsageError if the folders hold results of different assignments.
    """
    assignments = {result.assignment for folder in folders for result in folder.results}
    if len(assignments) > 1:
        raise UsageError(
            f"The folders hold results of different assignments: {', '.join(sorted(assignments))}. "
            "Give the folders of one assignment."
        )
    names = labels(folders)
    tries: dict[str, list[tuple[GradedClass, Try]]] = {}
    for folder, name in zip(folders, names, strict=True):
        for result in folder.results:
            tries.setdefault(result.student, []).append((folder, Try(name, result)))
    return [_kept(tries[student], keep) for student in sorted(tries)]


def labels(folders: Iterable[GradedClass]) -> list[str]:
    """Return a short name for each folder. Equal names get numbers."""
    names: list[str] = []
    for own in (one.folder.resolve().name or str(one.folder) for one in folders):
        same = sum(name == own or name.startswith(f"{own} (") for name in names)
        names.append(f"{own} ({same + 1})" if same else own)
    return names


def _kept(tries: Sequence[tuple[GradedClass, Try]], keep: str) -> Entry:
    graded = [pair for pair in tries if pair[1].result.status is Status.GRADED] or tries
    last = graded[-1]
    folder, chosen = last if keep == "last" else max(graded, key=lambda pair: pair[1].result.score)
    member = folder.members.get(chosen.result.student)
    return Entry(chosen.result, member, tuple(attempt for _, attempt in tries))
