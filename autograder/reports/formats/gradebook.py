"""Fill one column of a gradebook that a platform exported, and say what was done."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from autograder.errors import UsageError
from autograder.reports.formats.format import Rendered, exported_file
from autograder.reports.formats.words import why_blank
from autograder.reports.grades_csv import csv_bytes
from autograder.results import points_number
from autograder.submission.directory import GIVEN, PLATFORMS, SURE, Directory, Person, known_as
from autograder.submission.table import parse_number, read_table
from autograder.text import first_of, harmless_cell, one_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from autograder.reports.formats.format import Export
    from autograder.reports.graded_class import GradedClass
    from autograder.results import Result
    from autograder.submission.table import Table

_LISTED = 20
_FEWEST_DECIMALS = 2
_REPLACED = "Replaced"
_TYPED = "Typed there since the last export, so kept"
_KEPT = "Kept, as --keep says"
# Nobody whose mark differs is left off the list.
_ALL_LISTED = (_REPLACED, _TYPED, _KEPT)
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
        exported: the marks that were exported, by the students' keys: at first those of the last time.
        cells: the new texts, by row and column.
        notes: the students that there is something to say about, under what they have in common.
        other: what is said of another maximum than the assignment's.
    """

    exported: dict[str, str]
    cells: dict[tuple[int, int], str] = field(default_factory=dict)
    notes: dict[str, list[str]] = field(default_factory=dict)
    other: set[str] = field(default_factory=set)

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
        found[student], only_name = directory.find(known_as(person, student), (*SURE, *logins))
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


def _refuse_other_column(export: Export, gradebook: Gradebook) -> None:
    """Raise UsageError if the title or the maximum of the column is that of another assignment."""
    record, heads = export.graded.record, gradebook.table.heads
    if export.anyway or not export.results:
        return
    name, title = export.results[0].assignment, heads[gradebook.column]
    if _plain(name) in _plain(title):
        return
    others = [other for other in record.beside if _plain(other) in _plain(title)]
    own = max(result.max_score for result in export.results)
    most = {*gradebook.maximum.values()} - {own}
    points = [other for other, number in record.beside.items() if most == {number}]
    named = [head for head in heads if _plain(head) == _plain(name)]
    why = ""
    if others:
        why = f"that is the name of {others[0]!r}"
    elif named:
        why = f"{one_line(named[0])!r} is there, too"
    elif points:
        why = f"{most.pop():g} points are those of {points[0]!r}, and {name!r} has {own:g}"
    if why:
        raise UsageError(
            f"The column {one_line(title)!r} looks like that of another assignment: {why}. Give the title of the right "
            "one with --column, or add --anyway to fill this one."
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
    class is in the gradebook.
    """
    assert export.into is not None
    title = gradebook.table.heads[gradebook.column]
    earlier = _read_exported(exported_file(export.into))
    _refuse_other_column(export, gradebook)
    done = Filling({key: mark for (column, key), mark in earlier.items() if column == title})
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
    filled = sum(1 for text in done.cells.values() if text)
    notes = [f"{filled} marks are in the column {one_line(title)!r} of {export.into}."]
    notes += sorted(done.other)
    for words in dict.fromkeys((*_ALL_LISTED, *done.notes)):
        students = done.notes.get(words, [])
        most = len(students) if words in _ALL_LISTED else _LISTED
        line = f"{words} ({len(students)}):{_LINE}{first_of(students, most, _LINE)}"
        notes += [line] if students else []
    marks = earlier | {(title, key): mark for key, mark in done.exported.items()}
    table = [("column", "student", "mark"), *((*key, mark) for key, mark in sorted(marks.items()))]
    return Rendered(gradebook.table.with_cells(done.cells), tuple(notes), exported=csv_bytes(table))


def _read_exported(path: Path) -> dict[tuple[str, str], str]:
    """Return the marks that were exported last, by the column's title and the student's key."""
    rows = read_table(path).rows[1:] if path.is_file() else ()
    return {(row.at(0), row.at(1)): row.at(2) for row in rows}


def _fill_one(
    export: Export, gradebook: Gradebook, result: Result, row: int, done: Filling
) -> None:
    """Note what becomes of a student's cell. A text that is no number is the platform's word, such as `EX`.

    A mark that differs from the one exported last was typed there: it stays.
    """
    student, old = one_line(result.student), gradebook.table.rows[row].at(gradebook.column)
    text, why = _mark(gradebook, result, row, done)
    key = _key(gradebook.rows[row])
    before, last = parse_number(old), done.exported.get(key)
    here = f"{old}, here {text or 'blank'}"
    if any(map(str.isalpha, old)):
        done.note("No number there, left as it is", student, old)
        return
    if not _is_equal(old, text):
        if before is not None and last is not None and not _is_equal(old, last):
            done.note(_TYPED, student, here)
            return
        if before is not None and last is None and export.keep:
            done.note(_KEPT, student, here)
            return
        done.cells[row, gradebook.column] = text
        if any(map(str.isdigit, old)):
            done.note(_REPLACED, student, f"{old} -> {text or 'blank'}")
    done.exported[key] = text
    if why:
        done.note("Left blank", student, why)


def _mark(gradebook: Gradebook, result: Result, row: int, done: Filling) -> tuple[str, str]:
    """Return the mark to write, and why there is none."""
    why, own = why_blank(result), result.max_score
    most = gradebook.maximum.get(row, 0.0)
    if why:
        return "", why
    if most and most != own:
        done.other.add(
            f"The column has at most {most:g} points, the assignment {own:g}. Set the maximum on the platform to "
            f"{own:g}."
        )
    return str(points_number(result.score)).replace(".", gradebook.decimal), ""


def _key(person: Person) -> str:
    """Return what tells a row from the others in the file of exported marks."""
    return harmless_cell(person.main_id or person.email or person.name)


def _is_equal(cell: str, mark: str) -> bool:
    """Return whether a cell holds a mark. Platforms round to two decimals or more."""
    there, own = parse_number(cell), parse_number(mark)
    if there is None or own is None:
        return there is own
    decimals = len(cell.replace(",", ".").partition(".")[2])
    return there == own or (decimals >= _FEWEST_DECIMALS and there == round(own, decimals))
