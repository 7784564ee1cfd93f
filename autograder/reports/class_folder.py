"""What a run writes into its folder of results, a set of people with a result each.

`run.json` and `class.jsonl` are written before the first result, and `class.jsonl` again at the end. Between them come
the files `results.json`, each as a whole. `grades.csv` is removed with the first new result, and made from the results
at the end, like all views.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from autograder.errors import UsageError
from autograder.files import write_whole
from autograder.grading.lateness import LatePolicy
from autograder.grading.overrides import OVERRIDES_FILE, read_overrides, without_overrides
from autograder.grading.run_seed import RUN_FILE
from autograder.reports.class_record import CLASS_FILE, ClassRecord, Member, load_class, relative
from autograder.reports.formats import FORMATS
from autograder.reports.graded_class import class_of
from autograder.reports.grades_csv import GRADES_FILE, dump_grades
from autograder.reports.gradescope_json import (
    RESULTS_FILE,
    dump_results,
    is_graded,
    results_in,
)
from autograder.results import Status
from autograder.submission.answers import read_answers
from autograder.submission.directory import NOBODY, Directory, known_as, still_absent

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from pathlib import Path

    from autograder.grading.run_seed import Run
    from autograder.grading.task import Graded
    from autograder.reports.graded_class import GradedClass
    from autograder.results import Result
    from autograder.submission.directory import Person
    from autograder.submission.hand_in import HandIn

_FEEDBACK_FILE = "feedback.html"
# The run's own files. No student may have one of these names.
OWN_FILES = (
    RUN_FILE,
    GRADES_FILE,
    CLASS_FILE,
    OVERRIDES_FILE,
    "report.html",
    *(one.file for one in FORMATS.values() if one.file),
)


def reserved_names(folder: Path) -> set[str]:
    """Return the names that no student can have: the run's own files, and other files in its folder."""
    others = folder.iterdir() if folder.is_dir() else ()
    return {*OWN_FILES, *(path.name for path in others if not path.is_dir())}


class ClassFolder:
    """The results of a class in one run.

    Attributes:
        kept: the students whose earlier result stays.
        others: students with a result who are not in these paths; their results stay.
        renamed: students who are graded under another name now, with this name; they leave the class.
        emptied: students whose results a fresh run removes.
        lateness: the rules of lateness, if they are those of the last run.
    """

    def __init__(
        self, folder: Path, run: Run, record: ClassRecord, steps: Mapping[str, float]
    ) -> None:
        """Read the folder, and change nothing.

        Args:
            record: the new record, without people; its round is that of this run.
            steps: the points of each step.
        """
        self.kept: set[str] = set()
        self.others: list[str] = []
        self.renamed: dict[str, str] = {}
        self.emptied: list[str] = []
        self.lateness: LatePolicy | None = None
        self._folder = folder
        self._run = run
        self._members: dict[str, Member] = {}
        self._record = replace(record, by_student=self._members)
        self._steps = steps
        before = load_class(folder)
        same = before is not None and before.assignment == record.assignment
        self._before = before if before and same else ClassRecord("", "")
        self._is_writing = False
        self._again: set[str] = set()
        self._results: dict[str, Result] = {}
        self._copies: dict[str, list[str]] = {}
        self._found: dict[str, HandIn] = {}

    def begin(
        self,
        found: Collection[HandIn],
        absent: Iterable[Person] = (),
        lateness: LatePolicy | None = None,
        *,
        fresh: bool = False,
    ) -> None:
        """Take over the results in the folder, and add those who handed in now. Nothing is written.

        Raises UsageError if the folder was written under other limits, or if `overrides.csv` is invalid.
        """
        before = self._before
        for one in found:
            self._copies.setdefault(one.same_as or one.student, []).append(one.student)
            self._members[one.student] = self._member(one, before.by_student.get(one.student))
            self._found[one.student] = one
        stored = [*results_in(self._folder)]
        if fresh:
            self.emptied = [student for student, _ in stored]
        else:
            self._refuse_other_limits()
            self._accumulate(student for student, _ in stored)
            self._results = {
                student: result
                for student, result in stored
                if result is not None and student in self._members
            }
        people = {name: member.person for name, member in self._members.items()}
        read_overrides(self._folder, self._steps, self._record.questions).for_students(people)
        rules = (lateness or LatePolicy()).over(before.lateness)
        if before.lateness and lateness in (None, LatePolicy()):
            self.lateness = rules
        self._record = replace(
            self._record,
            absent=still_absent(absent, (self._person(name) for name in self.others)),
            lateness=rules if rules.deadline else None,
            ended=before.ended,
        )

    def start(self) -> None:
        """Write the run's seed. A fresh run removes all earlier results first."""
        for student in self.emptied:
            for name in (RESULTS_FILE, _FEEDBACK_FILE):
                (self._folder / student / name).unlink(missing_ok=True)
            with suppress(OSError):  # it holds something else
                (self._folder / student).rmdir()
        self._run.write(self._folder)

    def _member(self, found: HandIn, before: Member | None) -> Member:
        """Return the entry of a student, with what an earlier run noted of the same student."""
        member = before or Member(found.student, found.person, "", "")
        path = relative(found.where, self._folder)
        given = relative(found.given or found.where, self._folder)
        known = member.handed_in if member.path == path else ""
        return replace(
            member,
            student=found.student,
            person=found.person,
            path=path,
            given=given,
            late=found.late,
            handed_in=found.handed_in or known,
        )

    def _person(self, student: str) -> Person:
        return known_as(self._members[student].person, student)

    def _refuse_other_limits(self) -> None:
        """Raise UsageError if the results of this run were graded under other limits."""
        limits = self._before.limits
        if self._before.run == self._record.run and limits not in (None, self._record.limits):
            raise UsageError(
                f"The results in {self._folder} were graded with --timeout {limits.timeout:g} --memory "
                f"{limits.memory}. Give the same limits, or --fresh to grade all of them again."
            )

    def _accumulate(self, stored: Iterable[str]) -> None:
        """Add the people with a result who are not among these hand-ins, nor are graded under another name now."""
        names = [*self._members]
        directory = Directory({number: self._person(name) for number, name in enumerate(names)})
        paths = {self._members[name].path: name for name in names}
        for name in stored:
            member = self._before.by_student.get(name)
            if member is None and not self._before.run:  # there is no `class.jsonl`
                member = Member(name, NOBODY, "", "")
            if member is None or name in names:
                continue
            meant, by_name = directory.find(known_as(member.person, name))
            if len(meant) == 1 and not by_name:
                self.renamed[name] = names[meant[0]]
            elif member.path in paths:
                self.renamed[name] = paths[member.path]
            else:
                self._members[name] = member
                self.others.append(name)

    @property
    def has_results(self) -> bool:
        """Whether there is a result of the class."""
        return bool(self._results)

    def grade_again(self, students: Iterable[str]) -> None:
        """Grade these students again, whatever the folder holds."""
        self._again.update(students)

    def to_grade(self, found: Mapping[str, HandIn]) -> Iterator[HandIn]:
        """Yield the hand-ins to grade: of a group's, that of its first member."""
        for members in self._copies.values():
            if self._again.intersection(members):
                self._again.update(members)
        yield from (one for one in found.values() if not one.same_as)

    def for_each_member(self, graded: Graded) -> Iterator[Graded]:
        """Yield the result of a hand-in for each student whose it is."""
        for student in self._copies.get(graded.result.student, [graded.result.student]):
            if student == graded.result.student:
                yield graded
            else:
                yield replace(graded, result=replace(graded.result, student=student), file=b"")

    @property
    def members(self) -> Collection[Member]:
        """The students of the class, sorted by name."""
        return self._record.members

    def earlier(self, given: HandIn) -> Result | None:
        """Return the result of the same submission in this run; None if it is to be graded."""
        kept = self._results.get(given.student)
        if kept is None or given.student in self._again:
            return None
        if not is_graded(kept, self._record.run, given):
            return None
        self.kept.add(given.student)
        return kept

    def round_of(self, given: HandIn) -> int:
        """Return the round of the student's earlier result if the submission is the same, else one that is new for it.

        What changed while a run was interrupted was told about that run's questions.
        """
        before = self._results.get(given.student)
        if before is None or before.run != self._record.run:
            return self._record.round
        if before.submission_sha256 == given.sha256:
            return before.round
        return max(self._record.round, before.round + 1)

    def has_source(self, given: HandIn) -> bool:
        """Return whether the student's entry holds the source of this submission."""
        return self._members[given.student].submission_sha256 == given.sha256

    def write(self, graded: Graded) -> None:
        """Write a result as the grader made it, and note it."""
        result = graded.result
        student = result.student
        before = self._results.get(student)
        if before is None or without_overrides(before) != without_overrides(result):
            self._write_before_first()
            data = graded.file or dump_results(result)
            (self._folder / GRADES_FILE).unlink(missing_ok=True)
            write_whole(self._folder / student / RESULTS_FILE, data)
            self._results[student] = result
            if result.status is not Status.UNGRADED:
                self._record = replace(self._record, ended=False)
        elif student not in self._again:
            self.kept.add(student)
        self._note(graded)

    def _note(self, graded: Graded) -> None:
        """Note what was graded."""
        student, source = graded.result.student, graded.source
        member = self._members[student]
        if graded.result.status is Status.REJECTED:
            member = replace(member, submission_sha256="", pieces=())
        elif source is not None:
            member = replace(member, submission_sha256=source.sha256, pieces=source.pieces)
        if source is not None or graded.result.status is Status.REJECTED:
            answers = read_answers(self._found[student], self._record.questions)
            member = replace(member, answers=answers)
        self._members[student] = member

    def _write_before_first(self) -> None:
        """Write who is in the class before anything else changes."""
        if not self._is_writing:
            replace(self._record, ended=False).write(self._folder)
            self._is_writing = True

    def finish(self, *, ended: bool = False) -> GradedClass:
        """Write `class.jsonl` and `grades.csv` for the results in the folder; return the class.

        `ended` says that there was no interrupt. Changed marks and lateness go into `results.json` here.
        """
        self._drop_renamed()
        stored = [*results_in(self._folder)]
        graded = class_of(self._folder, self._record, stored)
        marked = {result.student: result for result in graded.results}
        rounds = [min(self._before.round, self._record.round)]
        for student, result in stored:
            if result is not None and student in marked:
                if marked[student] != result:
                    data = dump_results(marked[student])
                    write_whole(self._folder / student / RESULTS_FILE, data)
                self._members[student] = replace(self._members[student], finished=True)
                if result.status is not Status.UNGRADED and result.run == self._record.run:
                    rounds.append(result.round)
        ended = ended or self._record.ended
        record = replace(self._record, round=max(rounds), ended=ended)
        record.write(self._folder)
        graded = replace(graded, record=record)
        write_whole(self._folder / GRADES_FILE, dump_grades(graded.entries))
        return graded

    def _drop_renamed(self) -> None:
        """Let a student leave whose file is no longer in its PATH, and was graded there under one new name.

        Two people may have equal files: ids that differ, or a second one with the same file, speak against it.
        """
        others = {name: self._members[name] for name in self.others}
        same: dict[tuple[str, str], list[Member]] = {}
        for name in self._members.keys() - others:
            one = self._members[name]
            same.setdefault((one.given, one.submission_sha256), []).append(one)
        for name, member in others.items():
            now = same.get((member.given, member.submission_sha256), [])
            known = member.person.contradicts(now[0].person) if len(now) == 1 else True
            if (
                member.submission_sha256
                and not known
                and now[0].student not in self._before.by_student
            ):
                self.renamed[name] = now[0].student
                del self._members[name]
