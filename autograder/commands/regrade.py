"""`--regrade`: whom to grade again, by the name of a student or of a mistake."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.errors import UsageError
from autograder.submission.directory import Called
from autograder.text import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from autograder.reports.class_record import Member


def students_to_regrade(
    values: Collection[str],
    members: Collection[Member],
    bearers: Mapping[str, Collection[str]],
    here: Collection[str],
    mistakes: Collection[str],
) -> set[str]:
    """Return the students to grade again.

    Args:
        values: each a student's name, id or e-mail address, or the name of a mistake.
        members: the students of the class.
        bearers: the students by the mistakes in their earlier results.
        here: the students whose submissions are given.
        mistakes: the names of all known mistakes.

    Raises UsageError if nobody can be meant, or if a student's submission is not given.
    """
    again: set[str] = set()
    called = Called((member.student, member.person) for member in (members if values else ()))
    for value in values:
        students = set(called.find(value))
        bearing = set(bearers.get(value, ()))
        if not students and not bearing and value not in mistakes:
            raise UsageError(_nobody(value, members, mistakes))
        if missing := sorted(students - set(here)):
            raise UsageError(
                f"--regrade {value}: the submission of {missing[0]!r} is not in the paths that were given. Add it."
            )
        again |= students | (bearing & set(here))
    return again


def _nobody(value: str, members: Iterable[Member], mistakes: Iterable[str]) -> str:
    known = [*(member.student for member in members), *mistakes]
    words = f"--regrade {value}: there is no student and no mistake of this name."
    return f"{words} {did_you_mean(value, known)}".rstrip()
