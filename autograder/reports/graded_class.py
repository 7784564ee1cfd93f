"""The results in one folder DIR or in several, with the data on the students: the input of every export and page."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from autograder.errors import UsageError
from autograder.files import write_whole
from autograder.grading.overrides import late_anew, read_overrides
from autograder.grading.run_seed import RUN_FILE
from autograder.reports.class_record import CLASS_FILE, ClassRecord, Member, load_class, relative
from autograder.reports.gradescope_json import (
    RESULTS_FILE,
    dump_results,
    load_results,
    results_in,
)
from autograder.results import Status
from autograder.submission.directory import NOBODY, Directory, Person, known_as, still_absent
from autograder.submission.hand_in import absolute
from autograder.submission.step_source import find_steps
from autograder.text import named_lists

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from autograder.results import Result
    from autograder.submission.step_source import StepSource


# What is known of a folder without `class.jsonl`.
NO_RECORD = ClassRecord("", "")


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
        names = [check.step for check in self.result.checks]
        return find_steps(self.member.pieces, names) if self.member else {}

    @property
    def answers(self) -> Mapping[str, str]:
        """The answers to open questions."""
        return self.member.answers if self.member else {}

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
        record: what is known of the people; without any if there is no `class.jsonl`.
        unreadable: students whose `results.json` is damaged, or of another student.
        missing: students of the class without a `results.json`.
        gone: students with results who are no longer in the class.
        notes: what is to be said: of lines of `overrides.csv`, such as those that were not applied, and of a merge.
        parts: the names of the folders of which this one was merged.
    """

    folder: Path
    results: tuple[Result, ...]
    record: ClassRecord = NO_RECORD
    unreadable: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()

    @property
    def entries(self) -> Iterator[Entry]:
        """Yield the students with a result, one after the other: their sources are not in memory at once."""
        members = self.record.by_student
        return (Entry(result, members.get(result.student)) for result in self.results)

    @property
    def without_questions(self) -> GradedClass:
        """Return the same class without the questions that people mark."""
        results = [
            replace(result, checks=tuple(check for check in result.checks if not check.is_question))
            for result in self.results
        ]
        return replace(self, results=tuple(map(late_anew, results)))

    def of_student(self, student: str) -> GradedClass:
        """Return the same class with the result of one student."""
        results = tuple(one for one in self.results if one.student == student)
        return replace(self, results=results, unreadable=(), missing=(), gone=())

    @property
    def with_marks(self) -> GradedClass:
        """Return the class with the marks of `overrides.csv` in its folder, as it is now.

        A merged folder's are added to those of the folders that it was merged from. Raises UsageError if the file is
        invalid.
        """
        if not self.results:  # so no step is known
            return self
        checks = [check for result in self.results for check in result.checks]
        questions = {check.step: check.max_score for check in checks if check.is_question}
        steps = {check.step: check.max_score for check in checks if not check.is_question}
        given = read_overrides(self.folder, steps, {**self.record.questions, **questions})
        people = dict.fromkeys((result.student for result in self.results), NOBODY)
        people |= {one.student: one.person for one in self.record.members}
        applied = given.for_students(people if given.entries else {})
        if self.record.run:
            late = self.record.late
            results = [applied.apply(result, late(result.student)) for result in self.results]
        else:
            applied = replace(applied, questions={**questions, **applied.questions})
            results = [*map(applied.add, self.results)]
        notes = (str(self.folder / note) for note in applied.notes)
        return replace(self, results=tuple(results), notes=(*self.notes, *notes))


def load_class_results(folder: Path) -> GradedClass:
    """Load all that a folder holds, with its marks. Without `class.jsonl`, every result in it counts.

    Raises UsageError if `class.jsonl` or `overrides.csv` is damaged.
    """
    return class_of(folder, load_class(folder), results_in(folder))


def class_of(
    folder: Path, record: ClassRecord | None, stored: Iterable[tuple[str, Result | None]]
) -> GradedClass:
    """Return the class of these results, with its marks. Without a record all of them count.

    A student whose result was finished and whose folder was deleted has left. Raises UsageError if `overrides.csv` is
    damaged.
    """
    loaded = dict(stored)
    members = record.by_student if record else {}
    here = {
        student: result for student, result in loaded.items() if not record or student in members
    }
    missing = (
        student
        for student, member in members.items()
        if student not in here and not (member.finished and not (folder / student).exists())
    )
    return GradedClass(
        folder=folder,
        results=tuple(result for result in here.values() if result is not None),
        record=record or NO_RECORD,
        unreadable=tuple(student for student, result in here.items() if result is None),
        missing=tuple(missing),
        gone=tuple(student for student in loaded if student not in here),
    ).with_marks


def load_graded_class(folder: Path) -> GradedClass:
    """Load the results of a run, or those that `autograder report --out` merged.

    `folder` may also be one student's folder, or a `results.json`: then only this result is loaded, with the marks of
    the class if it is in a folder of one.

    Raises UsageError if the folder holds no results of a run.
    """
    path = folder if folder.is_file() else folder / RESULTS_FILE
    if path.is_file():
        result, home = load_results(path), path.absolute().parent.parent
        if result is None:
            raise UsageError(f"{path} is no complete result. Run `autograder grade` again.")
        if (home / CLASS_FILE).is_file():
            whole = load_class_results(home).of_student(path.absolute().parent.name)
            if whole.results:
                return whole
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


def merged(folders: Sequence[GradedClass], out: Path, keep: str = "best") -> GradedClass:
    """Return the class of one folder or of several as that of `out`, each student once. Nothing is written.

    Args:
        folders: in the order of the tries.
        keep: `best` keeps the try with the most points (of equal ones the first), `last` the last
            one. A try that was not graded is kept only if there is no other.
    """
    tries, notes = _tries(folders)
    kept = sorted((_kept(one, keep, out) for one in tries), key=lambda pair: pair[1].student)
    members = {one.student: one for _, one in kept}
    absent = {(one.shown, one.main_id): one for each in folders for one in each.record.absent}
    return GradedClass(
        out,
        tuple(result for result, _ in kept),
        ClassRecord(
            assignment=kept[0][0].assignment,
            run="",
            by_student=members,
            absent=still_absent(absent.values(), (one.person for one in members.values())),
            questions={
                name: most for one in folders for name, most in one.record.questions.items()
            },
            beside={name: most for one in folders for name, most in one.record.beside.items()},
        ),
        unreadable=tuple(dict.fromkeys(name for one in folders for name in one.unreadable)),
        gone=tuple(dict.fromkeys(name for one in folders for name in one.gone)),
        notes=(*(note for one in folders for note in one.notes), *notes),
        parts=tuple(one.folder.resolve().name for one in folders) if len(folders) > 1 else (),
    )


def _tries(
    folders: Sequence[GradedClass],
) -> tuple[list[list[tuple[GradedClass, Entry]]], list[str]]:
    """Return the tries of each person, and whose are not certain."""
    tries: list[list[tuple[GradedClass, Entry]]] = []
    people: list[Person] = []
    by_name, unclear = (
        "The same person by the name alone",
        "Perhaps another try of somebody, so left apart",
    )
    told: dict[str, list[str]] = {by_name: [], unclear: []}
    for folder in folders:
        asked = [known_as(entry.person, entry.result.student) for entry in folder.entries]
        found, _ = Directory(dict(enumerate(people))).claimed(asked)
        for entry, person, (line, doubtful) in zip(folder.entries, asked, found, strict=True):
            if doubtful:
                told[unclear if line is None else by_name].append(entry.result.student)
            if line is None:
                tries.append([(folder, entry)])
                people.append(person)
            else:
                tries[line].append((folder, entry))
                people[line] = replace(person, ids={**people[line].ids, **person.ids})
    return tries, list(named_lists(told))


def _kept(
    tries: Sequence[tuple[GradedClass, Entry]], keep: str, out: Path
) -> tuple[Result, Member]:
    graded = [pair for pair in tries if pair[1].is_graded] or tries
    last = graded[-1]
    folder, chosen = last if keep == "last" else max(graded, key=lambda pair: pair[1].result.score)
    student = chosen.result.student
    member = chosen.member or Member(student, Person(student), "", "")
    # In another folder, too, the path is that of the submission.
    path = member.path and relative(absolute(folder.folder / member.path), out)
    return chosen.result, replace(member, path=path)


def write_merged(graded: GradedClass) -> None:
    """Write the results that were merged, and who the people are."""
    for result in graded.results:
        write_whole(graded.folder / result.student / RESULTS_FILE, dump_results(result))
    graded.record.write(graded.folder)
