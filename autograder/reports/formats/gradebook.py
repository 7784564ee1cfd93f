"""Fill one column of a gradebook that a platform exported, and say what was done."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from autograder.errors import UsageError
from autograder.reports.formats.format import Rendered
from autograder.reports.formats.words import why_blank
from autograder.results import points_number
from autograder.submission.directory import GIVEN, PLATFORMS, SURE, Directory, Person
from autograder.submission.table import parse_number
from autograder.text import first_of, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from autograder.reports.formats.format import Export
    from autograder.reports.graded_class import GradedClass
    from autograder.results import Result
    from autograder.submission.table import Table

_LISTED = 20
_LINE = "\n  "


@dataclass(frozen=True)
class Gradebook:
    """A gradebook, as its platform lays it out.

    Attributes:
        table: the file.
        column: the number of the column to fill.
        rows: the students, by the numbers of their rows.
        maximum: the points of the column by row; a row that is not here has no known maximum.
        numbers: the texts of cells with numbers, which tell the decimal sign.
        locked: rows that the platform does not let change.
    """

    table: Table
    column: int
    rows: Mapping[int, Person]
    maximum: Mapping[int, float]
    numbers: Sequence[str]
    locked: frozenset[int] = frozenset()

    @cached_property
    def decimal(self) -> str:
        """Return the decimal sign of the numbers. Where none has one, semicolons speak for the comma."""
        signs = {
            sign
            for text in self.numbers
            for sign in ".,"
            if sign in text and parse_number(text) is not None
        }
        comma = "." not in signs and (signs or self.table.delimiter == ";")
        return "," if comma else "."


@dataclass
class Filling:
    """What becomes of the column.

    Attributes:
        cells: the new texts, by row and column.
        notes: the students that there is something to say about, under what they have in common.
        other: the maximum of the assignment, and another one that the file gives.
    """

    cells: dict[tuple[int, int], str] = field(default_factory=dict)
    notes: dict[str, list[str]] = field(default_factory=dict)
    other: set[tuple[float, float]] = field(default_factory=set)

    def note(self, words: str, student: str, about: str = "") -> None:
        """Note a student under a heading."""
        line = f"{student}: {about}" if about else student
        self.notes.setdefault(words, []).append(one_line(line, 300))


def match_rows(graded: GradedClass, rows: Mapping[int, Person], notes: Filling) -> dict[str, int]:
    """Return the row of each student who has a result. Nobody is guessed; those without a row are noted.

    An id of the roster that is no number, such as a login, counts without the name: a number may
    be anybody's, and a platform's id is none of another kind.
    """
    directory, found, by_name = Directory(rows), dict[str, list[int]](), set[str]()
    for entry in graded.entries:
        student, person = entry.result.student, entry.person
        others = (*PLATFORMS, GIVEN)
        own = {kind: value for kind, value in person.ids.items() if kind not in others}
        logins = [kind for kind, value in own.items() if not value.strip().isdecimal()]
        # A folder of which no more is known may have the name of an id.
        ids = person.ids or {"folder": student}
        asked = Person(entry.name, ids, person.email)
        found[student], only_name = directory.find(asked, (*SURE, *logins))
        by_name |= {student} if only_name else set()
    times = Counter(meant[0] for meant in found.values() if len(meant) == 1)
    certain = {}
    for student, meant in found.items():
        if not meant:
            notes.note("Not in the gradebook", student)
        elif len(meant) > 1 or times[meant[0]] > 1:
            notes.note("More than one row may be meant, so no mark was written", student)
        else:
            certain[student] = meant[0]
            if student in by_name:
                notes.note("Found by the name only", student)
    return certain


def choose_column(export: Export, titles: Mapping[int, str]) -> int:
    """Return the number of the column to fill: that of `--column`, the one with the assignment's name, or the only one.

    Args:
        titles: the titles of the columns that may be filled, by their numbers.

    Raises UsageError, which lists them, if no column or more than one may be meant.
    """
    assignment = export.results[0].assignment if export.results else ""
    wanted = export.column if export.column is not None else assignment
    same = [column for column, title in titles.items() if _plain(title) == _plain(wanted)]
    if len(same) == 1:
        return same[0]
    if export.column is None and len(titles) == 1:
        return next(iter(titles))
    listed = ", ".join(repr(one_line(title)) for title in titles.values()) or "none"
    problem = "more than one column" if same else "no column"
    raise UsageError(
        f"{export.into} has {problem} {one_line(wanted)!r}. Give its title with --column. There is: {listed}."
    )


def _plain(title: str) -> str:
    """Return a title as it is compared: letters and digits, without the platform's id behind it."""
    title = title.strip()
    if title.endswith(")") and title[title.rfind("(") + 1 : -1].isdigit():
        title = title[: title.rfind("(")]
    return "".join(sign for sign in title.casefold() if sign.isalnum())


def fill(export: Export, gradebook: Gradebook) -> Rendered:
    """Return the file with a mark in the row of each student who has one, and with notes.

    A rejected or ungraded submission leaves its cell blank. Raises UsageError if no student of the
    class is in the gradebook, or if points cannot be converted.
    """
    done = Filling()
    matches = match_rows(export.graded, gradebook.rows, done)
    if export.results and not matches:
        raise UsageError(
            f"Nobody in {export.graded.folder} is in {export.into}: no id, e-mail address or name is equal. "
            "Is it the right file? `autograder grade ... --roster FILE` adds ids to names."
        )
    for result in export.results:
        row = matches.get(result.student)
        if row in gradebook.locked:
            done.note("The platform does not let these marks change", result.student)
        elif row is not None:
            _fill_one(export, gradebook, result, row, done)
    for row, one in gradebook.rows.items():
        if row not in matches.values():
            done.note("In the gradebook without a result, left as they are", one.shown)
    title = gradebook.table.heads[gradebook.column]
    filled = sum(1 for text in done.cells.values() if text)
    notes = [f"{filled} marks are in the column {one_line(title)!r} of {export.into}."]
    notes += _about_maximum(done.other, scaled=export.scale)
    notes += [
        f"{words} ({len(students)}):\n  {first_of(students, _LISTED, _LINE)}"
        for words, students in done.notes.items()
    ]
    return Rendered(gradebook.table.with_cells(done.cells), tuple(notes))


def _fill_one(
    export: Export, gradebook: Gradebook, result: Result, row: int, done: Filling
) -> None:
    """Note what becomes of a student's cell. A text that is no number is the platform's word, such as `EX`."""
    student, old = one_line(result.student), gradebook.table.rows[row].at(gradebook.column)
    before, why, own = parse_number(old), why_blank(result), result.max_score
    points, most = result.score, gradebook.maximum.get(row, 0.0)
    if export.scale and not most * own:
        raise UsageError(
            f"--scale needs the maximum of the column, and {export.into} gives none for {student}. It is in Canvas's "
            "row 'Points Possible' and in the worksheet of Moodle's assignment: export one of these again, or leave "
            "--scale out."
        )
    points *= most / own if export.scale else 1
    text = "" if why else str(points_number(points)).replace(".", gradebook.decimal)
    if any(map(str.isalpha, old)):
        done.note("No number there, left as it is", student, old)
    elif export.keep and before is not None:
        done.note("Kept, as --keep says", student, f"{old}, here {text or 'blank'}")
    else:
        if why:
            done.note("Left blank", student, why)
        elif most and most != own:
            done.other.add((own, most))
        if before is None or before != parse_number(text):
            done.cells[row, gradebook.column] = text
            if any(map(str.isdigit, old)):
                done.note("Replaced", student, f"{old} -> {text or 'blank'}")


def _about_maximum(other: Iterable[tuple[float, float]], *, scaled: bool) -> list[str]:
    if scaled:
        return [
            f"Points were converted: {own:g} of the assignment are {most:g} there."
            for own, most in sorted(other)
        ]
    return [
        f"The column has at most {most:g} points, the assignment {own:g}. Set the maximum on the platform to "
        f"{own:g}, or convert the points with --scale."
        for own, most in sorted(other)
    ]
