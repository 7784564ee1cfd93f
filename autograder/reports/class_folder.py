"""A class in its folder of results: where there is a `grades.csv`, it fits the results beside it.

The table is removed with the first new result, and written at the end, also after an interrupt: a run that is killed
leaves none, and the same command again writes it. Overrides are applied to what is written, never to what is graded.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from autograder.errors import UsageError
from autograder.files import holds, write_whole
from autograder.grading.lateness import LatePolicy
from autograder.grading.overrides import OVERRIDES_FILE, AppliedOverrides, Overrides
from autograder.grading.run_seed import RUN_FILE
from autograder.grading.task import Graded
from autograder.reports.class_record import (
    CLASS_FILE,
    ClassRecord,
    GradedUnder,
    Member,
    load_class,
    relative,
)
from autograder.reports.formats import FORMATS
from autograder.reports.graded_class import Entry
from autograder.reports.grades_csv import GRADES_FILE, dump_grades
from autograder.reports.gradescope_json import (
    RESULTS_FILE,
    dump_results,
    is_graded,
    results_in,
)
from autograder.results import Status
from autograder.submission.directory import NOBODY, Person, still_absent
from autograder.submission.times import read_time
from autograder.text import one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from autograder.grading.run_seed import Run
    from autograder.results import Result
    from autograder.submission.hand_in import HandIn
    from autograder.submission.naming import Identified

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


@dataclass
class Beginning:
    """The state of the folder when a run begins.

    Attributes:
        withdrawn: students with a result whose submission is gone or has another name; they leave `grades.csv`.
        elsewhere: students whose submission is in another PATH; their results stay.
        lateness: the rules of lateness, if they are those of the last run.
    """

    withdrawn: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)
    lateness: LatePolicy | None = None


class ClassFolder:
    """The results of a class in one run.

    Attributes:
        kept: the students whose earlier result stays.
        timeless: those for whom nobody knows when they handed in, if there is a deadline.
    """

    def __init__(
        self,
        folder: Path,
        run: Run,
        steps: Sequence[str],
        limits: GradedUnder,
        overrides: Overrides,
        this_round: int = 0,
    ) -> None:
        self.kept: set[str] = set()
        self.timeless: list[str] = []
        self._folder = folder
        self._run = run
        self._steps = steps
        self._round = this_round
        self._overrides = overrides
        self._applied = AppliedOverrides()
        self._again: set[str] = set()
        self._noted: set[str] = set()
        self._results: dict[str, Result] = {}
        self._members: dict[str, Member] = {}
        self._copies: dict[str, list[str]] = {}
        self._record = ClassRecord(
            run.assignment, run.id, questions=overrides.questions, limits=limits
        )
        self._interrupted: tuple[Graded, ...] = ()

    def begin(
        self,
        who: Identified,
        found: Collection[HandIn],
        lateness: LatePolicy | None = None,
        *,
        forget: bool = False,
    ) -> Beginning:
        """Take over the results in the folder.

        Students of other paths become members, too. `found` are the hand-ins of `who`. Raises UsageError if the folder
        is not as it was written, if it was written under other limits, if overrides contradict each other or, unless
        `forget`, if too many rows would leave `grades.csv`; then nothing is changed.
        """
        before = load_class(self._folder) or ClassRecord("", "", complete=False)
        same = before.by_student if before.assignment == self._record.assignment else {}
        rules = (lateness or LatePolicy()).over(before.lateness)
        given = set(self._join(found, same))
        beginning = Beginning()
        beginning.lateness = rules if before.lateness and lateness in (None, LatePolicy()) else None
        self._stay(who, same, given, beginning)
        self._refuse_to_forget(who, {} if forget else same)
        if before.run == self._record.run:
            self._refuse_other_limits(before.limits)
        self._apply_overrides()
        self._take_over_all(before, same, beginning)
        self._run.write(self._folder)
        absent = still_absent(who.absent, map(self._person, beginning.elsewhere))
        kept = rules if rules.deadline else None
        self._record = replace(self._record, absent=absent, lateness=kept)
        self._change_others(beginning.elsewhere)
        if rules.deadline:
            self.timeless = [one.student for one in found if self._is_timeless(one)]
        return beginning

    def _join(self, found: Collection[HandIn], same: Mapping[str, Member]) -> Iterator[str]:
        """Make an entry for the student of each hand-in; yield the PATHs through which they were found."""
        for one in found:
            self._copies.setdefault(one.same_as or one.student, []).append(one.student)
            member = self._member(one, same.get(one.student))
            self._members[one.student] = member
            yield member.given

    def _take_over_all(
        self, before: ClassRecord, same: Mapping[str, Member], beginning: Beginning
    ) -> None:
        """Count the results in the folder to the class, and go on after its round.

        Raises UsageError if one is not as it was noted. After a run that was killed, nobody knows what it had written.
        """
        number = min(before.round, self._round)
        self._record = replace(self._record, round=number, ended=before.ended)
        for student, data, result in results_in(self._folder):
            known = self._members.get(student) or same.get(student)
            noted = known.results_sha256 if known else ""
            ungraded = result is not None and result.status is Status.UNGRADED
            if noted == _digest(data):
                self._noted.add(student)
            elif noted and before.complete and not ungraded:
                raise UsageError(
                    f"{self._folder / student / RESULTS_FILE} was changed after it was written. Delete it, and it is "
                    f"graded again. To change a mark, write it into {self._folder / OVERRIDES_FILE}."
                )
            if student not in self._members:
                beginning.withdrawn += [student] if result else []
            elif result is not None:
                self._results[student] = result

    def _refuse_other_limits(self, limits: GradedUnder | None) -> None:
        """Raise UsageError if the results of this run were graded under other limits."""
        if limits not in (None, self._record.limits):
            raise UsageError(
                f"The results in {self._folder} were graded with --timeout {limits.timeout:g} --memory "
                f"{limits.memory}. Give the same limits, or --fresh to grade all of them again."
            )

    def _is_timeless(self, found: HandIn) -> bool:
        """Return whether nobody knows when it was handed in, and no platform says that it is late."""
        return not found.late and read_time(self._members[found.student].handed_in) is None

    def _stay(
        self,
        who: Identified,
        before: Mapping[str, Member],
        given: Collection[str],
        beginning: Beginning,
    ) -> None:
        """Keep the students whose submissions are in other paths."""
        for folder, (student, person) in who.earlier.items():
            member = before.get(folder)
            if {student, folder} & self._members.keys() or member is None:
                continue
            there = (self._folder / folder / RESULTS_FILE).is_file()
            if there and not member.is_gone(given, self._folder):
                self._members[folder] = replace(member, person=person)
                beginning.elsewhere.append(folder)

    def _refuse_to_forget(self, who: Identified, before: Collection[str]) -> None:
        """Raise UsageError if more than one row, and more than a tenth of all, would leave `grades.csv`."""
        rows = [name for name in before if (self._folder / name / RESULTS_FILE).is_file()]
        gone = [
            name
            for name in rows
            if not {name, who.earlier.get(name, [name])[0]} & self._members.keys()
        ]
        if len(gone) > max(1, len(rows) / 10):
            raise UsageError(
                f"{len(gone)} of {len(rows)} rows would leave grades.csv, since their submissions are not in these "
                "paths any more. Nothing was changed. Give the paths of the whole class, or --forget to take these "
                f"rows out: {', '.join(map(one_line, gone))}."
            )

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
        person = self._members[student].person
        return person if person != NOBODY else Person(student, {"folder": student})

    def _apply_overrides(self) -> None:
        """Find out whose the overrides are, and which questions have marks."""
        people = {}
        if self._overrides.entries:
            people = {name: member.person for name, member in self._members.items()}
        self._applied = self._overrides.for_students(people)

    def _change_others(self, elsewhere: Iterable[str]) -> None:
        """Change the marks of students whose submissions are not part of this run, as overrides and rules say."""
        for result in filter(None, map(self._results.get, elsewhere)):
            if self._changed(result) != result:
                self._write(Graded(result))
                self.kept.add(result.student)

    def _changed(self, result: Result) -> Result:
        """Return a result with what a person gave, the marked questions and what it costs to be late."""
        member, rules = self._members[result.student], self._record.lateness or LatePolicy()
        own = member.person.deadline
        late = rules.late(member.handed_in, marked=member.late, own=own)
        return self._applied.apply(result, late)

    @property
    def has_results(self) -> bool:
        """Whether there is a result of the class."""
        return bool(self._results)

    @property
    def unmarked(self) -> list[str]:
        """The students with a question that nobody has marked."""
        return [student for student, result in self._results.items() if result.unmarked]

    @property
    def vaguely_late(self) -> list[str]:
        """The students who are late without a time."""
        late = {student: result.late for student, result in self._results.items()}
        return [student for student, one in late.items() if one and one.is_known and not one.days]

    @property
    def absent(self) -> tuple[Person, ...]:
        """Return the people on the roster who handed in nothing."""
        return self._record.absent

    @property
    def override_notes(self) -> Sequence[str]:
        """Return what is unusual about lines of `overrides.csv`, such as those that were not applied."""
        return self._applied.notes

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

    def members(self) -> Collection[Member]:
        """Return the students of the class, sorted by name."""
        return [member for _, member in sorted(self._members.items())]

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
            return self._round
        if before.submission_sha256 == given.sha256:
            return before.round
        return max(self._round, before.round + 1)

    def has_source(self, given: HandIn) -> bool:
        """Return whether the student's entry holds the source of this submission."""
        member = self._members[given.student]
        return member.submission_sha256 == given.sha256 and given.student in self._noted

    def write(self, graded: Graded) -> Result:
        """Write a result with its overrides; return what was written."""
        try:
            return self._write(graded)
        except (KeyboardInterrupt, OSError):
            self._interrupted = (graded,)
            raise

    def _write(self, graded: Graded) -> Result:
        result = self._changed(graded.result)
        student = result.student
        if student in self.kept and student in self._noted and result == graded.result:
            return result
        data = (result == graded.result and graded.file) or dump_results(result)
        if not holds(self._folder / student / RESULTS_FILE, data):
            self._write_result(result, data)
        elif student not in self._again:
            self.kept.add(student)
        self._results[student] = result
        if result.status is not Status.UNGRADED:
            self._note(graded, data)
        return result

    def _note(self, graded: Graded, data: bytes) -> None:
        """Note in the student's entry what was graded, and what was written."""
        student, source = graded.result.student, graded.source
        member = self._members[student]
        if graded.result.status is Status.REJECTED:
            member = replace(member, submission_sha256="", pieces=(), steps={})
        elif source is not None:
            member = member.with_source(source.pieces, source.sha256, self._steps, graded.located)
        self._members[student] = replace(member, results_sha256=_digest(data))

    def _write_result(self, result: Result, data: bytes) -> None:
        """Write `results.json`. From the first one on, `class.jsonl` and `grades.csv` do not fit any more."""
        if self._record.complete and result.status is not Status.UNGRADED:
            self._record = replace(
                self._record,
                complete=False,
                ended=False,
                round=max(self._record.round, result.round),
            )
            self._write_record()
        (self._folder / GRADES_FILE).unlink(missing_ok=True)
        write_whole(self._folder / result.student / RESULTS_FILE, data)

    def finish(self, *, ended: bool = False) -> None:
        """Write `grades.csv` and `class.jsonl` for the results in the folder, also after an interrupt.

        `ended` says that there was none.
        """
        for graded in self._interrupted:
            with suppress(OSError):  # it was raised already
                self._write(graded)
        entries = [Entry(one, self._members[name]) for name, one in self._results.items()]
        own = (one for one in entries if one.result.assignment == self._record.assignment)
        write_whole(self._folder / GRADES_FILE, dump_grades(own))
        ended = ended or self._record.ended
        self._record = replace(self._record, complete=True, ended=ended)
        self._write_record()

    def _write_record(self) -> None:
        replace(self._record, by_student=self._members).write(self._folder)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
