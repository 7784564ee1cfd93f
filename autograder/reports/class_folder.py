"""A class in its folder of results: `grades.csv` and `class.jsonl` always fit the results beside them.

Each result is written together with the table of the class, so that a stop at any moment leaves a
table that holds every result. Overrides are applied to what is written, never to what is graded.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

from autograder.errors import GraderFault
from autograder.files import remove_leftovers, write_whole
from autograder.grading.overrides import AppliedOverrides, Overrides
from autograder.grading.run_seed import RUN_FILE
from autograder.grading.task import Graded
from autograder.reports.class_record import ClassRecord, GradedUnder, Member, load_class
from autograder.reports.earlier_results import (
    Beginning,
    EarlierResult,
    is_gone,
    load_earlier,
    relative,
)
from autograder.reports.grades_csv import GRADES_FILE, GradesTable
from autograder.reports.gradescope_json import RESULTS_FILE, dump_results, load_results
from autograder.reports.results_folder import ResultsFolder
from autograder.results import Status
from autograder.spool import Spool
from autograder.submission.directory import NOBODY, Person, still_absent

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from autograder.results import Result
    from autograder.submission.hand_in import HandIn

# The name of the copy of a result that a person changed.
EDITED_FILE = "results.edited.json"
# Beyond this size, writing the table with every result costs more than some results do.
_WRITTEN_AT_ONCE = 5_000


class ClassFolder:
    """The results of a class in one run."""

    def __init__(
        self,
        folder: Path,
        run: str,
        assignment: str,
        steps: Sequence[str],
        limits: GradedUnder,
        overrides: Overrides,
    ) -> None:
        self.kept: set[str] = set()
        self.earlier_results: Spool[EarlierResult] = Spool()
        self._store = ResultsFolder(folder, run)
        self._assignment = assignment
        self._steps = steps
        self._limits = limits
        self._overrides = overrides
        self._applied = AppliedOverrides()
        self._again: set[str] = set()
        self._members: Spool[Member] = Spool()
        self._record = ClassRecord(assignment, run)
        questions = sorted(
            {override.step for _, override in overrides.entries} & overrides.questions.keys()
        )
        self._table = GradesTable(steps, questions, overrides=bool(overrides.entries))
        self._since_written = 0
        self._in_doubt: str | None = None

    def begin(
        self,
        found: Collection[HandIn],
        *,
        roster: str | None = None,
        absent: tuple[Person, ...] = (),
    ) -> Beginning:
        """Take over the results in the folder. Keep a copy of each result that a person changed.

        Raises UsageError if `class.jsonl` cannot be read, or if two overrides contradict each other.
        """
        remove_leftovers(self._store.folder)
        before = load_class(self._store.folder)
        known = before.by_student if before and before.assignment == self._assignment else {}
        for one in found:
            self._members[one.student] = self._member(one, known.get(one.student))
        withdrawn, elsewhere = self._take_over({self._given(one) for one in found}, known)
        self._apply_overrides()
        edited = self._edited(before)
        limited = self._limited({submission.student for submission in found})
        self._again.update(edited, limited)
        absent = still_absent(absent, map(self._person, elsewhere))
        self._record = replace(self._record, roster=roster, absent=absent)
        for student in elsewhere:
            if student not in edited:
                self._override_elsewhere(student)
        return Beginning(
            withdrawn=tuple(withdrawn),
            edited=tuple(edited),
            limited=tuple(limited),
            elsewhere=tuple(elsewhere),
            roster=before.roster if before and roster is None else None,
            overrides=self._applied,
            has_results=bool(self.earlier_results),
        )

    def _person(self, student: str) -> Person:
        person = self._members[student].person
        return person if person != NOBODY else Person(student, {"folder": student})

    def _override_elsewhere(self, student: str) -> None:
        """Apply overrides to a result whose submission is not part of this run."""
        result = load_results(self._store.folder / student / RESULTS_FILE)
        if result is not None and (changed := self._applied.apply(result)) != result:
            data = dump_results(changed)
            self._write_both(changed, data)
            self.kept.add(result.student)
            self._note(Graded(changed), hashlib.sha256(data).hexdigest())

    def _apply_overrides(self) -> None:
        people = {}
        if self._overrides.entries:
            people = {name: member.person for name, member in self._members.items()}
        self._applied = self._overrides.for_students(people)
        overrides = tuple(
            override for applied in self._applied.by_student.values() for override in applied
        )
        digest = self._overrides.sha256
        self._record = replace(self._record, overrides=overrides, overrides_sha256=digest)

    def _take_over(
        self, given: set[str], known: Mapping[str, Member]
    ) -> tuple[list[str], list[str]]:
        """Take over the results of the folder; return the students who withdrew, and those of other paths.

        `given` are the paths of this run. Students of other paths become members, too.
        """
        withdrawn: list[str] = []
        elsewhere: list[str] = []
        for earlier, result in load_earlier(self._store.folder):
            student, member = earlier.student, known.get(earlier.student)
            if student not in self._members:
                if member is None or is_gone(member, given, self._store.folder):
                    withdrawn.append(student)
                    continue
                elsewhere.append(student)
                self._members[student] = member
            self.earlier_results[student] = earlier
            if earlier.assignment == self._assignment:
                self._table.add(result)
        return withdrawn, elsewhere

    def _member(self, found: HandIn, before: Member | None) -> Member:
        """Return the entry of a student, with what an earlier run noted of the same student."""
        member = before or Member(found.student, found.person, "", "")
        return replace(
            member,
            person=found.person,
            path=relative(found.where, self._store.folder),
            given=self._given(found),
            late=found.late,
        )

    def _given(self, found: HandIn) -> str:
        """Return the PATH through which a submission was found, relative to the folder."""
        return relative(found.given or found.where, self._store.folder)

    def _edited(self, before: ClassRecord | None) -> list[str]:
        """Return the students whose result a person has changed, and copy these results.

        After a run that was killed, nobody knows what it had written. An ungraded result is not
        noted in `class.jsonl`; it is graded again in any case.
        """
        if before is None or not before.complete:
            return []
        edited = []
        for member in before.members:
            path = self._store.folder / member.student / RESULTS_FILE
            earlier = self.earlier_results.get(member.student)
            ungraded = earlier is not None and earlier.status is Status.UNGRADED
            if member.results_sha256 and path.is_file() and not ungraded:
                data = path.read_bytes()
                if hashlib.sha256(data).hexdigest() != member.results_sha256:
                    write_whole(path.with_name(EDITED_FILE), data)
                    edited.append(member.student)
        return edited

    def _limited(self, found: set[str]) -> list[str]:
        """Return the students whom a limit stopped that differs from this run's limit."""
        return [
            student
            for student, earlier in self.earlier_results.items()
            if student in found and earlier.stopped_by(*self._other_limits(student))
        ]

    def _other_limits(self, student: str) -> tuple[bool, bool]:
        """Return whether the earlier grading had another time limit, and another memory limit."""
        limits = self._members[student].limits
        if limits is None:
            return True, True
        return limits.timeout != self._limits.timeout, limits.memory != self._limits.memory

    @property
    def absent(self) -> tuple[Person, ...]:
        """Return the people on the roster who handed in nothing."""
        return self._record.absent

    def grade_again(self, students: Iterable[str]) -> None:
        """Grade these students again, whatever the folder holds."""
        self._again.update(students)

    def members(self) -> Collection[Member]:
        """Return the students of the class, sorted by name."""
        return self._members.values()

    def earlier(self, given: HandIn) -> Result | None:
        """Return the result of the same submission in this run; None if it is to be graded."""
        student = given.student
        if student in self._again:
            return None
        kept = self._store.earlier(given)
        if kept is not None:
            self.kept.add(student)
        return kept

    def write(self, graded: Graded) -> Result:
        """Write a result with its overrides, together with `grades.csv`; return what was written."""
        result = self._applied.apply(graded.result)
        student = result.student
        data = graded.data if graded.data and result == graded.result else dump_results(result)
        digest = hashlib.sha256(data).hexdigest()
        earlier = self.earlier_results.get(student)
        if earlier is None or earlier.sha256 != digest:
            self._write_both(result, data)
        elif student not in self._again:
            self.kept.add(student)
        if result.status is not Status.UNGRADED:
            self._note(replace(graded, result=result), digest)
        return result

    def _note(self, graded: Graded, digest: str) -> None:
        """Note in the student's entry what was graded, under which limits, and what was written."""
        student, source = graded.result.student, graded.source
        member = self._members.get(student) or Member(student, Person(), "", "")
        if graded.result.status is Status.REJECTED:
            member = replace(member, submission_sha256="", pieces=(), steps={})
        elif source is not None:
            member = member.with_source(source.pieces, source.sha256, self._steps, graded.located)
        if student not in self.kept or member.limits is None:
            member = replace(member, limits=self._limits)
        self._members[student] = replace(member, results_sha256=digest)

    def _write_both(self, result: Result, data: bytes) -> None:
        self._check_folder()
        if self._record.complete and result.status is not Status.UNGRADED:
            self._record = replace(self._record, complete=False)
            self._write_record()
        self._in_doubt = result.student
        self._table.add(result)
        self._since_written += 1
        if self._since_written > len(self._table) // _WRITTEN_AT_ONCE:
            self._store.write(result, {self._grades: self._table.dump()}, data=data)
            self._since_written = 0
        else:
            self._store.write(result, data=data)
        self._in_doubt = None

    def _check_folder(self) -> None:
        """Raise GraderFault if the folder was removed, even if another one is in its place."""
        if not (self._store.folder / RUN_FILE).is_file():
            raise GraderFault(
                f"{self._store.folder} was removed while this run wrote its results there. "
                "The same command grades all submissions anew."
            )

    @property
    def _grades(self) -> Path:
        return self._store.folder / GRADES_FILE

    def finish(self) -> None:
        """Write `grades.csv` and `class.jsonl` for the results in the folder, also after an interrupt."""
        self._check_folder()
        if self._in_doubt is not None:
            self._table.discard(self._in_doubt)
            written = load_results(self._store.folder / self._in_doubt / RESULTS_FILE)
            if written is not None:
                self._table.add(written)
        write_whole(self._grades, self._table.dump())
        self._record = replace(self._record, complete=True)
        self._write_record()

    def _write_record(self) -> None:
        replace(self._record, by_student=self._members).write(self._store.folder)
