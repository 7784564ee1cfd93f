"""A released assignment: the students' folder, with the public checks and questions in `expected.json`.

The texts of that file can be read. Its numbers stand in it packed: for each check a text with the questions and right
answers, and one that is read when it is first needed, with known wrong answers and the values on the way to the right
ones.

The folder may be a student's own repository, so nothing in it is run here: its test file goes to the workers as it is.
"""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
import zlib
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from autograder.assignment.assignment import EXPECTED, is_release
from autograder.assignment.checks import Check, ReleasedProbe, inputs_used, probe_name
from autograder.assignment.script import Cell  # noqa: TC001 - `records` reads the annotations
from autograder.assignment.source import Assignment
from autograder.compare import ABSOLUTE, Right
from autograder.errors import AssignmentError, ProtocolError, UsageError
from autograder.exam.questions import (
    Answers,
    CaseKind,
    Exam,
    MistakeAnswer,
    Question,
    RightValues,
)
from autograder.files import read_regular
from autograder.records import from_json, load_json, plain, read, to_json
from autograder.values.numbers import as_array
from autograder.values.values import MAX_BYTES, Value, form, freeze, parts_in
from autograder.values.wire import decode, encode

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from autograder.assignment.checks import Criterion, Probe

FORMAT = 10
PYTEST_INI = "pytest.ini"
_MAX_BYTES = 32 * 1024 * 1024
# The attributes of an exam that a release has, too.
_OF_EXAM = ("mistakes", "remarks", "tasks", "synonyms", "inside")

T = TypeVar("T")


@dataclass(frozen=True)
class _Release:
    """The content of the file.

    Attributes:
        files: the SHA-256 of each other released file.
        questions, known: for each check a packed text: its `_Asked`, and for each of them a `_Known`.
        mistakes, remarks, tasks, synonyms, inside: see `Exam`.
    """

    format: int
    assignment: str
    packages: tuple[str, ...]
    files: dict[str, str]
    cells: tuple[Cell, ...]
    mistakes: dict[str, tuple[str, str]]
    remarks: dict[str, str]
    tasks: dict[str, str]
    synonyms: dict[str, str]
    inside: dict[str, tuple[str, ...]]
    checks: tuple[Check, ...]
    questions: tuple[str, ...]
    known: tuple[str, ...]


@dataclass(frozen=True)
class _Asked:
    """A question, with its right answers to each probe."""

    step: str
    criterion: str
    kind: CaseKind
    inputs: dict[str, Value]
    right: tuple[tuple[Right, ...], ...]
    graph: tuple[str, ...]
    special: str


@dataclass(frozen=True)
class _Known:
    """What a release knows of a question beside the right answers.

    Attributes:
        wrong: the answers of known mistakes, by probe.
        right: the values on the way to the right answer, for a step's first question.
    """

    wrong: tuple[tuple[MistakeAnswer, ...], ...]
    right: RightValues | None


def released_names(folder: Path) -> list[str]:
    """Return the names of the released assignments in `folder`."""
    if not folder.is_dir():
        raise UsageError(
            f"There is no folder {folder}. Say with --assignments where the release is."
        )
    return sorted(child.name for child in folder.iterdir() if is_release(child))


def load_release(folder: Path, digest: str = "") -> Exam:
    """Load the public checks and questions of a released folder.

    Args:
        digest: the expected `release_digest` of the folder; empty if it is unknown.

    Raises AssignmentError if `expected.json` or the checks are missing or damaged.
    """
    try:
        return _read_release(folder, digest)
    except AssignmentError:
        raise
    except OSError as error:
        raise AssignmentError(
            f"{error.filename} cannot be read ({error.strerror}); get the release again."
        ) from None
    except Exception as error:  # noqa: BLE001 - a damaged file may raise any exception
        raise _damaged(folder, error) from None


def _damaged(folder: Path, error: Exception) -> AssignmentError:
    return AssignmentError(f"{folder}: the release is damaged ({error!r}); get it again.")


def _read_release(folder: Path, digest: str) -> Exam:
    record = read_regular(folder / EXPECTED, _MAX_BYTES)
    content = load_json(record)
    if content["format"] != FORMAT:
        raise AssignmentError(
            f"{folder / EXPECTED} was made by another version of the kit; get the release again."
        )
    release = read(_Release, content)
    assignment = _assignment(folder, release)
    every = [one for text in release.questions for one in _unpacked(tuple[_Asked, ...], text)]

    @cache
    def known() -> list[_Known]:
        try:
            return _read_known(release, every)
        except Exception as error:  # noqa: BLE001 - as in `load_release`
            raise _damaged(folder, error) from None

    def wrong(number: int, probe: int) -> tuple[MistakeAnswer, ...]:
        return known()[number].wrong[probe]

    questions = tuple(_question(one, partial(wrong, number)) for number, one in enumerate(every))
    numbers = {question.requests: number for number, question in enumerate(questions)}
    exam = Exam(
        assignment,
        questions,
        public=True,
        **{name: getattr(release, name) for name in _OF_EXAM},
        changed=_changed(assignment, release.files, digest not in ("", file_digest(record))),
        right_values=lambda question, probe: (
            None if probe else known()[numbers[question.requests]].right
        ),
    )
    _verify(exam)
    return exam


def _assignment(folder: Path, release: _Release) -> Assignment:
    name = release.assignment
    if not name.isidentifier():  # it is a part of file names
        raise ValueError(f"an assignment called {name!r}")
    probes = read_regular(folder / f"test_{name}.py", _MAX_BYTES)
    return Assignment(name, folder, release.checks, probes, release.cells, release.packages)


def _question(asked: _Asked, wrong: Callable[[int], tuple[MistakeAnswer, ...]]) -> Question:
    answers = tuple(
        Answers(right, partial(wrong, probe)) for probe, right in enumerate(asked.right)
    )
    about = asked.step, asked.criterion, asked.kind, asked.inputs
    return Question(*about, answers, asked.graph, asked.special)


def _read_known(release: _Release, every: list[_Asked]) -> list[_Known]:
    """Return what is known of each question. Raises ValueError if that does not fit the questions and mistakes."""
    found = [one for text in release.known for one in _unpacked(tuple[_Known, ...], text)]
    for asked, known in zip(every, found, strict=True):
        if len(asked.right) != len(known.wrong):
            raise ValueError(f"answers of {asked.step}")
        named = {one.mistake for wrong in known.wrong for one in wrong}
        if unknown := named - release.mistakes.keys():
            raise ValueError(f"no words for {', '.join(sorted(unknown))}")
    return found


def _packed(content: object) -> str:
    """Return records as a packed text."""
    return base64.b64encode(zlib.compress(encode(freeze(plain(content))), 9)).decode()


def _inflated(text: str) -> Value:
    """Return the plain data of a packed text. Raises ValueError or ProtocolError if it is damaged or too large."""
    reader = zlib.decompressobj()
    data = reader.decompress(base64.b64decode(text, validate=True), MAX_BYTES)
    if not reader.eof:
        raise ValueError("a packed text that is cut off or too large")
    return decode(data)


def _unpacked(kind: type[T], text: str) -> T:
    return read(kind, _inflated(text))


def _verify(exam: Exam) -> None:
    """Raise ValueError if questions and checks do not match.

    Without its questions, a check would pass any code.
    """
    probes = {
        (check.name, criterion.name): len(criterion.all_probes)
        for check in exam.assignment.checks
        for criterion in check.criteria
    }
    for question in exam.questions:
        if len(question.answers) != probes.get((question.step, question.criterion)):
            raise ValueError(f"a question about {question.step}, {question.criterion}")
    asked = {(question.step, question.criterion) for question in exam.questions}
    if lacking := probes.keys() - asked:
        raise ValueError(f"no question about {', '.join(map(' '.join, sorted(lacking)))}")


def release_digest(folder: Path) -> str:
    """Return the SHA-256 of a release's `expected.json`, which contains the digests of the other files."""
    return file_digest(read_regular(folder / EXPECTED, _MAX_BYTES))


def file_digest(data: bytes) -> str:
    """Return a file's SHA-256, independent of line endings: version control systems convert them."""
    return hashlib.sha256(data.replace(b"\r\n", b"\n")).hexdigest()


def _changed(assignment: Assignment, digests: dict[str, str], changed: bool) -> tuple[str, ...]:
    """Return the names of the released files that were changed, except the student's own file."""
    files = [EXPECTED] if changed else []
    for file in (f"test_{assignment.name}.py", PYTEST_INI):
        try:
            data = read_regular(assignment.folder / file, _MAX_BYTES)
        except OSError:
            files.append(file)
            continue
        if file_digest(data) != digests.get(file):
            files.append(file)
    return tuple(files)


def released_digests(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each released file, or an empty dict if there is no valid record."""
    try:
        content = json.loads((folder / EXPECTED).read_text(encoding="utf-8"))
        return dict(content["files"])
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def dump_expected(exam: Exam, files: dict[str, bytes]) -> bytes:
    """Return the bytes of `expected.json`, equal for equal exams."""
    assignment = exam.assignment
    checks = [
        [question for question in exam.questions if question.step == check.name]
        for check in assignment.checks
    ]
    content = {
        "format": FORMAT,
        "assignment": assignment.name,
        "packages": assignment.packages,
        "files": {name: hashlib.sha256(data).hexdigest() for name, data in sorted(files.items())},
        "cells": [replace(cell, line=0) for cell in assignment.cells],
        **{name: getattr(exam, name) for name in _OF_EXAM},
        "checks": [_released(exam, check) for check in assignment.checks],
        "questions": [_packed([*map(_asked, of_check)]) for of_check in checks],
        "known": [
            _packed([_known(exam, one, is_first=one is of_check[0]) for one in of_check])
            for of_check in checks
        ],
    }
    return to_json(content)


def _released(exam: Exam, check: Check) -> Check:
    """Return a check whose probes only a worker can run."""

    def released(criterion: Criterion, probe: Probe) -> ReleasedProbe:
        questions = exam.questions_for(check, criterion)
        names = dict.fromkeys(name for question in questions for name in question.inputs)
        return ReleasedProbe(probe_name(probe), inputs_used(probe, names))

    criteria = (
        replace(
            one,
            probes=tuple(released(one, probe) for probe in one.probes),
            fallback=one.fallback and released(one, one.fallback),
        )
        for one in check.criteria
    )
    return replace(check, criteria=tuple(criteria))


def _asked(question: Question) -> _Asked:
    about = question.step, question.criterion, question.kind, dict(question.inputs)
    right = tuple(answers.right for answers in question.answers)
    return _Asked(*about, right, question.graph, question.special)


def _known(exam: Exam, question: Question, *, is_first: bool) -> _Known:
    right = exam.right_values(question, 0) if is_first else None
    if right is not None:  # in seven digits, as the right answers
        arrays = (one.astype(np.float32).astype(np.float64) for one in right.arrays)
        right = replace(right, arrays=tuple(arrays))
    return _Known(tuple(answers.wrong for answers in question.answers), right)


def same_expected(first: bytes, second: bytes) -> bool:
    """Return whether two `expected.json` texts are equal up to the last digits of their numbers.

    The last digits depend on the processor: numbers are equal if they are within the tolerance of the comparison.
    """
    try:
        one, other = (from_json(_Release, text) for text in (first, second))
        texts = (to_json(replace(release, questions=(), known=())) for release in (one, other))
        return len(set(texts)) == 1 and _close(_numbers(one), _numbers(other))
    except (ValueError, ProtocolError):
        return False


def _numbers(release: _Release) -> Value:
    """Return what is packed, without what depends on rounding: the tolerances of known wrong answers."""
    known = [one for text in release.known for one in _unpacked(tuple[_Known, ...], text)]
    wrong = [[[(one.mistake, one.value) for one in every] for every in of.wrong] for of in known]
    rest = [plain(one.right) for one in known], [*map(_inflated, release.questions)]
    return freeze([wrong, *rest])


def _close(first: Value, second: Value) -> bool:
    pairs = itertools.zip_longest(parts_in(first), parts_in(second))
    return all(_alike(one, other) for one, other in pairs)


def _alike(one: Value, other: Value) -> bool:
    """Return whether two parts of values are equal, without what is in them."""
    numbers, others = as_array(one), as_array(other)
    if numbers is None or others is None or numbers.dtype.kind != "f":
        return form(one) == form(other)
    same = form(one)[:-1] == form(other)[:-1]
    return same and np.allclose(numbers, others, ABSOLUTE, ABSOLUTE, equal_nan=True)
