"""The end of `autograder grade` in CI: the results in a platform's format, and the exit code."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from autograder.commands.console import say
from autograder.commands.export import add_to_platform, find_format
from autograder.errors import UsageError
from autograder.files import write_whole
from autograder.reports.exports.format import Export, Into
from autograder.reports.graded_class import GradedClass
from autograder.results import Status

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

    from autograder.exam.questions import Exam
    from autograder.reports.class_record import Member
    from autograder.reports.exports.format import Format
    from autograder.results import Result

EXIT_GRADED = 0
EXIT_UNGRADED = 1
EXIT_TOO_FEW_POINTS = 3


def chosen_format(name: str | None) -> Format | None:
    """Return the format of `--format`. Raises UsageError if it does not exist or fills an existing file."""
    if name is None:
        return None
    chosen = find_format(name)
    if chosen.into is not Into.WRITTEN or not chosen.file:
        raise UsageError(
            f"--format {name} needs a file of the platform. Use `autograder export {name}` after grading."
        )
    return chosen


def refuse_too_many_points(fail_under: float | None, exam: Exam) -> None:
    """Raise UsageError if nobody can reach `--fail-under`."""
    most = sum(check.points for check in exam.assignment.checks)
    if fail_under is not None and fail_under > most:
        raise UsageError(
            f"--fail-under {fail_under:g}: the assignment has only {most:g} points. Nothing was graded."
        )


def write_format(
    chosen: Format, out: Path, results: Iterable[Result], members: Iterable[Member]
) -> None:
    """Write the results into DIR, and where the platform reads them. Raises UsageError if they do not fit."""
    known = {member.student: member for member in members}
    rendered = chosen.render(Export(GradedClass(out, tuple(results), known)))
    write_whole(out / chosen.file, rendered.data)
    add_to_platform(chosen, rendered)
    for note in rendered.notes:
        say(note)
    if chosen.printed:
        sys.stdout.flush()
        sys.stdout.buffer.write(rendered.data)
        sys.stdout.flush()
    else:
        say(f"{chosen.about}: {out / chosen.file}")


def exit_code(results: Collection[Result], fail_under: float | None) -> int:
    """Return the exit code of a run: an ungraded submission has priority over a score that is too low."""
    if any(result.status is Status.UNGRADED for result in results):
        return EXIT_UNGRADED
    if fail_under is not None and any(result.score < fail_under for result in results):
        return EXIT_TOO_FEW_POINTS
    return EXIT_GRADED
