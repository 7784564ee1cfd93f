"""A student's mark for a gradebook, or the reason why it stays blank, and the row that it belongs in."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from autograder.results import Outcome, Status
from autograder.submission.directory import NOBODY, SURE, Directory, Person

if TYPE_CHECKING:
    from collections.abc import Mapping

    from autograder.reports.graded_class import GradedClass
    from autograder.results import Result

MAX_NOTE = 200


@dataclass(frozen=True)
class Mark:
    """One student's entry for a gradebook.

    Attributes:
        points: the points; None if the cell stays blank.
        max_points: the points of the whole assignment.
        note: why there are no points; empty if there are.
    """

    points: float | None
    max_points: float
    note: str = ""

    @property
    def percentage(self) -> float | None:
        """Return the points in percent of the maximum; None if there are no points."""
        if self.points is None:
            return None
        return 100 * self.points / self.max_points if self.max_points else 0.0


def mark_of(result: Result) -> Mark:
    """Return the mark of a result. A rejected or ungraded submission has none.

    A person who overrides a step of a rejected submission, or every ungraded step, has decided: then
    the points count.
    """
    ungraded = any(
        check.outcome is Outcome.UNGRADED and check.override is None for check in result.checks
    )
    decided = any(check.override for check in result.checks)
    if ungraded or (result.status is not Status.GRADED and not decided):
        return Mark(None, result.max_score, f"{result.status.value}: {_first_line(result.output)}")
    return Mark(result.score, result.max_score)


def number(points: float, decimal: str = ".") -> str:
    """Return points as a text with up to four decimals and the given decimal sign."""
    text = f"{points:.4f}".rstrip("0").rstrip(".")
    return text.replace(".", decimal)


def _first_line(text: str) -> str:
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return line if len(line) <= MAX_NOTE else line[:MAX_NOTE] + "..."


@dataclass(frozen=True)
class Matches:
    """Which row of a gradebook belongs to which student.

    Attributes:
        rows: the number of the row of each student.
        by_name: those of them for whom only the name agreed.
        missing: students without a row.
        ambiguous: students for whom several rows could be meant, or whose row another student has.
    """

    rows: Mapping[str, int] = field(default_factory=dict)
    by_name: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    ambiguous: tuple[str, ...] = ()


def match_rows(graded: GradedClass, rows: Mapping[int, Person]) -> Matches:
    """Return the row of each student who has a result. Nobody is guessed.

    An id of another kind that is no number, such as a login, counts without the name: a number may
    be anybody's.
    """
    directory = Directory(rows)
    found: dict[str, int] = {}
    by_name, missing, ambiguous = [], [], []
    for result in graded.results:
        student = result.student
        member = graded.members.get(student)
        person = member.person if member else NOBODY
        logins = [kind for kind, value in person.ids.items() if not value.strip().isdecimal()]
        ids = {**person.ids, "folder": student}  # a folder may have the name of an id
        asked = Person(person.name or student, ids, person.email)
        meant, only_name = directory.find(asked, (*SURE, *logins))
        if not meant:
            missing.append(student)
        elif len(meant) > 1:
            ambiguous.append(student)
        else:
            found[student] = meant[0]
            by_name += [student] * only_name
    twice = {row for row, times in Counter(found.values()).items() if times > 1}
    ambiguous += [student for student, row in found.items() if row in twice]
    kept = {student: row for student, row in found.items() if row not in twice}
    by_name = [student for student in by_name if student in kept]
    return Matches(kept, tuple(by_name), tuple(missing), tuple(sorted(ambiguous)))
