"""A released assignment: the students' folder, with the public checks and questions in `expected.json`.

Most of that file is for answers that are not right: known wrong answers, and the values on the way to the
right answer. They stand in it packed, and are read when the first is needed.

The folder may be a student's own repository, so nothing in it is run here: its test file goes to the workers as it is.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
import zlib
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.assignment.assignment import EXPECTED, is_release
from autograder.assignment.checks import Check, Criterion, ReleasedProbe, inputs_used, probe_name
from autograder.assignment.script import Cell
from autograder.assignment.source import Assignment
from autograder.compare import ABSOLUTE, Right
from autograder.errors import AssignmentError, UsageError
from autograder.exam.questions import (
    Answers,
    Exam,
    MistakeAnswer,
    Question,
    RightValues,
)
from autograder.files import read_regular
from autograder.values.as_json import dump_value, load_value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

FORMAT = 9
PYTEST_INI = "pytest.ini"
_MAX_BYTES = 32 * 1024 * 1024


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


def _assignment(folder: Path, content: dict[str, Any]) -> Assignment:
    name = content["assignment"]
    if not name.isidentifier():  # it is a part of file names
        raise ValueError(f"an assignment called {name!r}")
    return Assignment(
        name=name,
        folder=folder,
        checks=tuple(map(_check, content["checks"])),
        probes=read_regular(folder / f"test_{name}.py", _MAX_BYTES),
        cells=tuple(Cell(cell["id"], cell["kind"], cell["source"], 0) for cell in content["cells"]),
        packages=tuple(content["packages"]),
    )


def _read_release(folder: Path, digest: str) -> Exam:
    record = read_regular(folder / EXPECTED, _MAX_BYTES)
    content = json.loads(record)
    if content["format"] != FORMAT:
        raise AssignmentError(
            f"{folder / EXPECTED} was made by another version of the kit; get the release again."
        )
    assignment = _assignment(folder, content)
    known = _lazily(folder, content)

    def wrong(number: int, probe: int) -> tuple[MistakeAnswer, ...]:
        return known()[number].wrong[probe]

    questions = tuple(
        _question(entry, partial(wrong, number))
        for number, entry in enumerate(content["questions"])
    )
    numbers = {question.requests: number for number, question in enumerate(questions)}
    exam = Exam(
        assignment,
        questions,
        public=True,
        mistakes={name: (says, look) for name, (says, look) in content["mistakes"].items()},
        remarks=content["remarks"],
        tasks=content["tasks"],
        synonyms=content["synonyms"],
        changed=_changed(assignment, content["files"], digest not in ("", file_digest(record))),
        inside={name: tuple(words) for name, words in content["inside"].items()},
        right_values=lambda question, probe: (
            None if probe else known()[numbers[question.requests]].right
        ),
    )
    _verify(exam)
    return exam


@dataclass(frozen=True)
class _Known:
    """What a release knows of a question beside the right answers.

    Attributes:
        wrong: the answers of known mistakes, by probe.
        right: the values on the way to the right answer, for a step's first question.
    """

    wrong: list[tuple[MistakeAnswer, ...]]
    right: RightValues | None


def _lazily(folder: Path, content: dict[str, Any]) -> Callable[[], list[_Known]]:
    """Return a function that reads what is known of each question when it is first called."""
    text = _inflated(content["known"])

    @cache
    def known() -> list[_Known]:
        try:
            return _read_known(content, text)
        except Exception as error:  # noqa: BLE001 - as in `load_release`
            raise _damaged(folder, error) from None

    return known


def _read_known(content: dict[str, Any], text: bytes) -> list[_Known]:
    """Return what is known of each question. Raises ValueError if that does not fit the questions and mistakes."""
    found = [_known(*entry) for entry in json.loads(text)]
    for entry, one in zip(content["questions"], found, strict=True):
        if len(entry["answers"]) != len(one.wrong):
            raise ValueError(f"answers of {entry['step']}")
        named = {wrong.mistake for every in one.wrong for wrong in every}
        if unknown := named - content["mistakes"].keys():
            raise ValueError(f"no words for {', '.join(sorted(unknown))}")
    return found


def _known(wrong: list[Any], right: list[Any] | None) -> _Known:
    return _Known(
        [
            tuple(MistakeAnswer(name, load_value(value), relative) for name, value, relative in one)
            for one in wrong
        ],
        _right_values(*right) if right else None,
    )


def _dump_known(exam: Exam, question: Question) -> list[Any]:
    """Return what `_known` reads of a question."""
    wrong = [
        [[one.mistake, dump_value(one.value), one.relative] for one in answers.wrong]
        for answers in question.answers
    ]
    is_first = question is next(one for one in exam.questions if one.step == question.step)
    right = exam.right_values(question, 0) if is_first else None
    return [wrong, _dump_right(right) if right else None]


def _right_values(
    arrays: list[Any], masks: list[Any], kinds: list[str], names: list[Any], lists: list[Any]
) -> RightValues:
    numbers = (np.array([*map(float, flat)]).reshape(shape) for shape, flat in arrays)
    truth = (np.array(flat, dtype=bool).reshape(shape) for shape, flat in masks)
    named, together = ((*map(tuple, pairs),) for pairs in (names, lists))
    return RightValues(tuple(numbers), tuple(truth), frozenset(kinds), named, together)


def _dump_right(right: RightValues) -> list[Any]:
    """Return right values: arrays and masks, each as shape and numbers, then kinds, names and lists."""
    arrays = [[one.shape, [*map(_number, one.ravel().tolist())]] for one in right.arrays]
    masks = [[one.shape, one.ravel().astype(int).tolist()] for one in right.masks]
    return [arrays, masks, sorted(right.kinds), right.names, right.lists]


def _number(number: float) -> float | str:
    return float(f"{number:.7g}") if math.isfinite(number) else str(number)


def _packed(content: Any) -> str:
    """Return the plain data as a packed text."""
    text = json.dumps(content, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def _inflated(text: str) -> bytes:
    """Return the JSON of a packed text. Raises ValueError if it is damaged or too large."""
    reader = zlib.decompressobj()
    data = reader.decompress(base64.b64decode(text, validate=True), _MAX_BYTES)
    if not reader.eof:
        raise ValueError("a packed text that is cut off or too large")
    return data


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
    """Return the bytes of `expected.json`: a line for each check and question, equal for equal exams."""
    head = {
        "format": FORMAT,
        "assignment": exam.assignment.name,
        "packages": exam.assignment.packages,
        "files": {name: hashlib.sha256(data).hexdigest() for name, data in sorted(files.items())},
        "cells": [
            {"id": cell.id, "kind": cell.kind, "source": cell.source}
            for cell in exam.assignment.cells
        ],
        "mistakes": {name: list(texts) for name, texts in exam.mistakes.items()},
        "remarks": dict(exam.remarks),
        "tasks": dict(exam.tasks),
        "synonyms": dict(exam.synonyms),
        "inside": {name: list(words) for name, words in exam.inside.items()},
    }
    lines = json.dumps(head, indent=1, ensure_ascii=True)[:-2]
    checks = _lines(_dump_check(exam, check) for check in exam.assignment.checks)
    questions = _lines(map(_dump_question, exam.questions))
    known = _packed([_dump_known(exam, question) for question in exam.questions])
    return f'{lines},\n "checks": {checks},\n "questions": {questions},\n "known": "{known}"\n}}\n'.encode()


def _lines(entries: Iterable[dict[str, Any]]) -> str:
    """Return a list in JSON, each entry in a line of its own."""
    lines = (
        json.dumps(entry, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
        for entry in entries
    )
    return "[\n" + ",\n".join(lines) + "\n ]"


def same_expected(first: bytes, second: bytes) -> bool:
    """Return whether two `expected.json` texts are equal up to the last digits of their numbers.

    The last digits depend on the processor: numbers are equal if they are within the tolerance of the comparison.
    """
    try:
        return _close(*(_comparable(json.loads(text)) for text in (first, second)))
    except (ValueError, KeyError, TypeError):
        return False


def _comparable(content: dict[str, Any]) -> dict[str, Any]:
    """Return a release's content without what depends on rounding: the tolerances of known wrong answers."""
    known = [
        [[[entry[:2] for entry in one] for one in wrong], right]
        for wrong, right in json.loads(_inflated(content["known"]))
    ]
    return content | {"known": known}


def _close(first: Any, second: Any) -> bool:
    if type(first) is float and type(second) is float:
        return abs(first - second) <= ABSOLUTE * max(1.0, abs(first))
    if type(first) is not type(second):
        return False
    if isinstance(first, list):
        return len(first) == len(second) and all(map(_close, first, second))
    if isinstance(first, dict):
        return list(first) == list(second) and all(_close(first[key], second[key]) for key in first)
    return bool(first == second)


def _dump_check(exam: Exam, check: Check) -> dict[str, Any]:
    return vars(check) | {
        "criteria": [
            vars(criterion) | _dump_probes(exam, check, criterion) for criterion in check.criteria
        ]
    }


def _dump_probes(exam: Exam, check: Check, criterion: Criterion) -> dict[str, Any]:
    inputs = [name for question in exam.questions_for(check, criterion) for name in question.inputs]
    probes = [
        {"name": probe_name(probe), "inputs": inputs_used(probe, dict.fromkeys(inputs))}
        for probe in criterion.all_probes
    ]
    return {"probes": probes, "fallback": bool(criterion.fallback) or None}


def _check(entry: dict[str, Any]) -> Check:
    criteria = tuple(map(_criterion, entry["criteria"]))
    return Check(**{name: _tuples(value) for name, value in entry.items()} | {"criteria": criteria})


def _criterion(entry: dict[str, Any]) -> Criterion:
    probes = tuple(
        ReleasedProbe(probe["name"], tuple(probe["inputs"])) for probe in entry["probes"]
    )
    fields = {name: _tuples(value) for name, value in entry.items()} | {"probes": probes}
    if entry["fallback"]:
        fields |= {"probes": probes[:-1], "fallback": probes[-1]}
    return Criterion(**fields)


def _tuples(value: Any) -> Any:
    """Return a value of JSON with tuples in place of its lists, as declared in a test file."""
    if isinstance(value, list):
        return tuple(map(_tuples, value))
    return {key: _tuples(item) for key, item in value.items()} if isinstance(value, dict) else value


def _dump_question(question: Question) -> dict[str, Any]:
    return {
        "step": question.step,
        "aspect": question.criterion,
        "case": question.kind,
        "graph": list(question.graph),
        **({"special": question.special} if question.special else {}),
        "inputs": {name: dump_value(value) for name, value in question.inputs.items()},
        "answers": [
            [
                {
                    "value": dump_value(right.value),
                    "decimals": right.decimals,
                    "remark": right.remark,
                }
                for right in answers.right
            ]
            for answers in question.answers
        ],
    }


def _question(entry: dict[str, Any], wrong: Callable[[int], tuple[MistakeAnswer, ...]]) -> Question:
    answers = tuple(
        Answers(
            tuple(Right(load_value(one["value"]), one["decimals"], one["remark"]) for one in right),
            partial(wrong, probe),
        )
        for probe, right in enumerate(entry["answers"])
    )
    inputs = {name: load_value(value) for name, value in entry["inputs"].items()}
    return Question(
        entry["step"],
        entry["aspect"],
        entry["case"],
        inputs,
        answers,
        graph=tuple(entry["graph"]),
        special=entry.get("special", ""),
    )
