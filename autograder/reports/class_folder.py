"""A class in its folder of results: `grades.csv` and `class.jsonl` always fit the results beside them.

Each result is written together with the table of the class, so that a stop at any moment leaves a
table that holds every result. Overrides are applied to what is written, never to what is graded.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING

from autograder.errors import GraderFault, UsageError
from autograder.files import holds, remove_leftovers, write_whole
from autograder.grading.lateness import LatePolicy
from autograder.grading.overrides import OVERRIDES_FILE, AppliedOverrides, Overrides
from autograder.grading.run_seed import RUN_FILE
from autograder.grading.task import Graded
from autograder.reasons import Reason
from autograder.reports.class_record import (
    CLASS_FILE,
    ClassRecord,
    GradedUnder,
    Member,
    load_class,
    relative,
)
from autograder.reports.formats import FORMATS
from autograder.reports.grades_csv import GRADES_FILE, GradesTable
from autograder.reports.gradescope_json import (
    RESULTS_FILE,
    dump_results,
    is_graded,
    load_results,
    results_in,
    write_result,
)
from autograder.results import Outcome, Status
from autograder.submission.directory import NOBODY, Person, still_absent
from autograder.submission.times import read_time
from autograder.text import one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from autograder.grading.run_seed import Run
    from autograder.results import CheckResult, Result
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
# The name of the copy of a result that a person changed.
EDITED_FILE = "results.edited.json"


def reserved_names(folder: Path) -> set[str]:
    """Return the names that no student can have: the run's own files, and other files in its folder."""
    others = folder.iterdir() if folder.is_dir() else ()
    return {*OWN_FILES, *(path.name for path in others if not path.is_dir())}


@dataclass
class Beginning:
    """The state of the folder when a run begins.

    Attributes:
        withdrawn: students with a result whose submission is gone; they leave `grades.csv`.
        edited: students whose `results.json` was changed by hand.
        limited: students who are graded again because other limits stopped them.
        moved: the folders of earlier results that have another name now: the old one, and the new one.
        elsewhere: students whose submission is in another PATH; their results stay.
        bearers: the students of the earlier results, by the mistakes in them.
        roster: the roster of the last run, if this run has none.
        lateness: the rules of lateness, if they are those of the last run.
        has_results: the folder holds a result of the class.
    """

    withdrawn: list[str] = field(default_factory=list)
    edited: list[str] = field(default_factory=list)
    limited: list[str] = field(default_factory=list)
    moved: list[tuple[str, str]] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)
    bearers: dict[str, set[str]] = field(default_factory=dict)
    roster: str | None = None
    lateness: LatePolicy | None = None
    has_results: bool = False


class ClassFolder:
    """The results of a class in one run.

    Attributes:
        kept: the students whose earlier result stays.
        unmarked: those with a question that nobody has marked.
        vaguely_late: those who are late without a time.
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
        self.unmarked: set[str] = set()
        self.vaguely_late: set[str] = set()
        self.timeless: list[str] = []
        self._folder = folder
        self._run = run
        self._steps = steps
        self._limits = limits
        self._round = this_round
        self._overrides = overrides
        self._applied = AppliedOverrides()
        self._again: set[str] = set()
        self._noted: set[str] = set()
        self._results: dict[str, Result] = {}
        self._members: dict[str, Member] = {}
        self._was_complete = False
        self._before: dict[str, float] = {}
        self._news: dict[str, float | None] = {}
        self._copies: dict[str, list[str]] = {}
        self._record = ClassRecord(run.assignment, run.id, overrides_sha256=overrides.sha256)
        self._table = GradesTable(steps)
        self._in_doubt: str | None = None

    def begin(
        self,
        who: Identified,
        found: Collection[HandIn],
        roster: str | None = None,
        lateness: LatePolicy | None = None,
        *,
        forget: bool = False,
    ) -> Beginning:
        """Take over the results in the folder. Keep a copy of each result that a person changed.

        Students of other paths become members, too. `found` are the hand-ins of `who`. Raises UsageError if
        `class.jsonl` cannot be read, if overrides contradict each other or, unless `forget`, if too many rows would
        leave `grades.csv`; then nothing is changed.
        """
        remove_leftovers(self._folder)
        before = load_class(self._folder) or ClassRecord("", "", complete=False)
        self._was_complete = before.complete
        same = before.by_student if before.assignment == self._record.assignment else {}
        rules = (lateness or LatePolicy()).over(before.lateness)
        given = set(self._join(found, same))
        beginning = Beginning(roster=None if roster else before.roster)
        beginning.lateness = rules if before.lateness and lateness in (None, LatePolicy()) else None
        here = {*self._members}
        self._stay(who, same, given, beginning)
        self._refuse_to_forget(who, {} if forget else same)
        self._apply_overrides()
        self._run.write(self._folder)
        self._move(who, beginning)
        self._take_over_all(before, same, here, beginning)
        self._again.update(beginning.edited, beginning.limited)
        absent = still_absent(who.absent, map(self._person, beginning.elsewhere))
        kept = rules if rules.deadline else None
        self._record = replace(self._record, roster=roster, absent=absent, lateness=kept)
        self._change_others(beginning)
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
        self,
        before: ClassRecord,
        same: Mapping[str, Member],
        here: Collection[str],
        beginning: Beginning,
    ) -> None:
        """Count the results in the folder to the class, and go on after its round.

        `here` are the students whose submissions are given.
        """
        number = min(before.round, self._round)
        self._record = replace(self._record, round=number, ended=before.ended)
        for student, data, result in results_in(self._folder):
            known = self._members.get(student) or same.get(student)
            if known and known.results_sha256 == _digest(data):
                self._noted.add(student)
            elif before.complete and _is_edited(known, data, result):
                write_whole(self._folder / student / EDITED_FILE, data)
                beginning.edited.append(student)
            if result is None:
                continue
            if student not in self._members:
                beginning.withdrawn.append(student)
                continue
            if student in here and self._was_limited(result):
                beginning.limited.append(student)
            self._take_over(result, beginning)

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
        """Keep the students whose submissions are in other paths, under their present names."""
        for folder, (student, person) in who.earlier.items():
            member = before.get(folder)
            if student in self._members or member is None:
                continue
            there = (self._folder / folder / RESULTS_FILE).is_file()
            if there and not member.is_gone(given, self._folder):
                self._members[student] = replace(member, student=student, person=person)
                beginning.elsewhere.append(student)

    def _refuse_to_forget(self, who: Identified, before: Collection[str]) -> None:
        """Raise UsageError if more than one row, and more than a tenth of all, would leave `grades.csv`."""
        rows = [name for name in before if (self._folder / name / RESULTS_FILE).is_file()]
        gone = [name for name in rows if who.earlier.get(name, [name])[0] not in self._members]
        if len(gone) > max(1, len(rows) / 10):
            raise UsageError(
                f"{len(gone)} of {len(rows)} rows would leave grades.csv, since their submissions are not in these "
                "paths any more. Nothing was changed. Give the paths of the whole class, or --forget to take these "
                f"rows out: {', '.join(map(one_line, gone))}."
            )

    def _move(self, who: Identified, beginning: Beginning) -> None:
        """Move earlier results to the present names of their students, if nothing else is there."""
        for folder, (student, _) in who.earlier.items():
            old, new = self._folder / folder, self._folder / student
            result = load_results(old / RESULTS_FILE) if folder != student else None
            if result is None or student not in self._members or os.path.lexists(new):
                continue
            member = self._members[student]
            written = _digest((old / RESULTS_FILE).read_bytes())
            old.rename(new)
            if member.results_sha256 in (
                "",
                written,
            ):  # else a person changed it, and it is graded again
                renamed = replace(result, student=student)
                data = dump_results(renamed)
                write_result(self._folder, renamed, data)
                self._members[student] = replace(member, results_sha256=_digest(data))
            beginning.moved.append((folder, student))

    def _member(self, found: HandIn, before: Member | None) -> Member:
        """Return the entry of a student, with what an earlier run noted of the same student."""
        member = before or Member(found.student, found.person, "", "")
        path, given = relative(found.where, self._folder), self._given(found)
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

    def _given(self, found: HandIn) -> str:
        """Return the PATH through which a submission was found, relative to the folder."""
        return relative(found.given or found.where, self._folder)

    def _person(self, student: str) -> Person:
        person = self._members[student].person
        return person if person != NOBODY else Person(student, {"folder": student})

    def _was_limited(self, result: Result) -> bool:
        """Return whether a limit that is another one now stopped an earlier grading."""
        before = self._members[result.student].limits
        timeout = before is None or before.timeout != self._limits.timeout
        memory = before is None or before.memory != self._limits.memory
        return _stopped_by(result, timeout, memory)

    def _take_over(self, result: Result, beginning: Beginning) -> None:
        """Count an earlier result to the class."""
        beginning.has_results = True
        self._results[result.student] = result
        if self._was_complete:
            self._before[result.student] = result.score
        for mistake in result.mistakes:
            beginning.bearers.setdefault(mistake, set()).add(result.student)
        if result.assignment == self._record.assignment:
            self._table.add(result, self._members[result.student].person)

    def _apply_overrides(self) -> None:
        """Find out whose the overrides are."""
        people = {}
        if self._overrides.entries:
            people = {name: member.person for name, member in self._members.items()}
        self._applied = self._overrides.for_students(people)
        applied = self._applied.by_student.values()
        self._record = replace(self._record, overrides=tuple(chain.from_iterable(applied)))
        self._table = GradesTable(
            self._steps, self._applied.questions, overrides=bool(self._overrides.entries)
        )

    def _change_others(self, beginning: Beginning) -> None:
        """Change the marks of students whose submissions are not part of this run, as overrides and rules say."""
        for student in beginning.elsewhere:
            result = load_results(self._folder / student / RESULTS_FILE)
            if student in beginning.edited or result is None:
                continue
            if (changed := self._changed(result)) != result:
                data = dump_results(changed)
                self._write_both(changed, data)
                self.kept.add(student)
                self._note(Graded(changed), data)

    def _changed(self, result: Result) -> Result:
        """Return a result with what a person gave, the marked questions and what it costs to be late."""
        member, rules = self._members[result.student], self._record.lateness or LatePolicy()
        own = member.person.deadline
        late = rules.late(member.handed_in, marked=member.late, own=own)
        changed = self._applied.apply(result, late)
        for names, is_one in (
            (self.unmarked, changed.unmarked),
            (self.vaguely_late, late and not late.days),
        ):
            (names.add if is_one else names.discard)(result.student)
        return changed

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

    def has_earlier(self, found: HandIn) -> bool:
        """Return whether the student has an earlier result."""
        return found.student in self._results

    def earlier(self, given: HandIn) -> Result | None:
        """Return the result of the same submission in this run; None if it is to be graded."""
        kept = self._results[given.student]
        if given.student in self._again or not is_graded(kept, self._record.run, given):
            return None
        self.kept.add(given.student)
        return kept

    def round_of(self, given: HandIn) -> int:
        """Return the round of the student's earlier result if the submission is the same, else that of this run."""
        before = self._results[given.student]
        same = (before.run, before.submission_sha256) == (self._record.run, given.sha256)
        return before.round if same else self._round

    def has_source(self, given: HandIn) -> bool:
        """Return whether the student's entry holds the source of this submission."""
        member = self._members[given.student]
        return member.submission_sha256 == given.sha256 and given.student in self._noted

    def write(self, graded: Graded) -> Result:
        """Write a result with its overrides, together with `grades.csv`; return what was written."""
        result = self._changed(graded.result)
        student = result.student
        if student in self.kept and student in self._noted and result == graded.result:
            return result
        data = graded.file if result == graded.result else b""
        data = data or dump_results(result)
        if not holds(self._folder / student / RESULTS_FILE, data):
            self._write_both(result, data)
        elif student not in self._again:
            self.kept.add(student)
        if result.status is not Status.UNGRADED:
            self._note(graded, data)
        return result

    def _note(self, graded: Graded, data: bytes) -> None:
        """Note in the student's entry what was graded, under which limits, and what was written."""
        student, source = graded.result.student, graded.source
        member = self._members[student]
        if graded.result.status is Status.REJECTED:
            member = replace(member, submission_sha256="", pieces=(), steps={})
        elif source is not None:
            member = member.with_source(source.pieces, source.sha256, self._steps, graded.located)
        if student not in self.kept or member.limits is None:
            member = replace(member, limits=self._limits)
        self._members[student] = replace(member, results_sha256=_digest(data))

    def _write_both(self, result: Result, data: bytes) -> None:
        """Write `results.json` and `grades.csv`."""
        self._check_folder()
        if self._record.complete and result.status is not Status.UNGRADED:
            self._record = replace(
                self._record,
                complete=False,
                ended=False,
                round=max(self._record.round, result.round),
            )
            self._write_record()
        self._in_doubt = result.student
        before = self._before.get(result.student)
        if self._before and before != result.score and result.status is not Status.UNGRADED:
            self._news[result.student] = before
        self._table.add(result, self._members[result.student].person)
        table = {self._folder / GRADES_FILE: self._table.dump()}
        write_result(self._folder, result, data, beside=table)
        self._in_doubt = None

    def _check_folder(self) -> None:
        """Raise GraderFault if the folder was removed, even if another one is in its place."""
        if not (self._folder / RUN_FILE).is_file():
            raise GraderFault(
                f"{self._folder} was removed while this run wrote its results there. "
                "The same command grades all submissions anew."
            )

    def finish(self, *, ended: bool = False) -> None:
        """Write `grades.csv` and `class.jsonl` for the results in the folder, also after an interrupt.

        `ended` says that there was none.
        """
        self._check_folder()
        if self._in_doubt is not None:
            self._table.discard(self._in_doubt)
            written = load_results(self._folder / self._in_doubt / RESULTS_FILE)
            if written is not None:
                self._table.add(written, self._members[self._in_doubt].person)
        write_whole(self._folder / GRADES_FILE, self._table.dump())
        ended = ended or self._record.ended
        self._record = replace(self._record, complete=True, ended=ended, news=self._news)
        self._write_record()

    def _write_record(self) -> None:
        replace(self._record, by_student=self._members).write(self._folder)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _is_edited(member: Member | None, data: bytes, result: Result | None) -> bool:
    """Return whether a person has changed a result that is not as it was noted.

    After a run that was killed, nobody knows what it had written. An ungraded result is not noted in
    `class.jsonl`; it is graded again in any case.
    """
    ungraded = result is not None and result.status is Status.UNGRADED
    return bool(member and not ungraded and data and member.results_sha256)


def _stopped_by(result: Result, timeout: bool, memory: bool) -> bool:
    """Return whether one of these limits, on CPU time and on memory, stopped a check."""
    return any(
        (timeout and check.outcome is Outcome.TIMED_OUT) or (memory and _out_of_memory(check))
        for check in result.checks
    )


def _out_of_memory(check: CheckResult) -> bool:
    """Return whether the limit on memory stopped a check, or may have ended its process."""
    return check.outcome is Outcome.CRASHED or any(
        Reason.OUT_OF_MEMORY in feedback.reasons for feedback in check.explained
    )
