"""A released assignment: the students' folder, with the public questions in `expected.json`."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from autograder.assignment.catalogue import EXPECTED, is_release
from autograder.assignment.script import Cell
from autograder.assignment.source import Assignment, load_checks
from autograder.compare import RELATIVE, Right
from autograder.errors import AssignmentError, UsageError
from autograder.exam.questions import Answers, Exam, Question, Wrong
from autograder.values.as_json import dump_value, load_value

if TYPE_CHECKING:
    from pathlib import Path

FORMAT = 1


def released_names(folder: Path) -> list[str]:
    """Return the names of the released assignments in `folder`."""
    if not folder.is_dir():
        raise UsageError(
            f"There is no folder {folder}. Say with --assignments where the release is."
        )
    return sorted(child.name for child in folder.iterdir() if is_release(child))


def load_release(folder: Path) -> Exam:
    """Load the public questions of a released folder.

    Raises AssignmentError if `expected.json` or the checks are missing or damaged.
    """
    try:
        return _read_release(folder)
    except AssignmentError:
        raise
    except OSError as error:
        raise AssignmentError(
            f"{error.filename} cannot be read ({error.strerror}); get the release again."
        ) from None
    except Exception as error:  # noqa: BLE001 - a damaged file may raise any exception
        raise AssignmentError(
            f"{folder}: the release is damaged ({error!r}); get it again."
        ) from None


def _read_release(folder: Path) -> Exam:
    content = json.loads((folder / EXPECTED).read_text(encoding="utf-8"))
    if content["format"] != FORMAT:
        raise AssignmentError(
            f"{folder / EXPECTED} was made by another version of the kit; get the release again."
        )
    name = content["assignment"]
    probes = (folder / f"test_{name}.py").read_bytes()
    assignment = Assignment(
        name=name,
        folder=folder,
        checks=load_checks(folder / f"test_{name}.py"),
        probes=probes,
        cells=tuple(Cell(cell["id"], cell["kind"], cell["source"], 0) for cell in content["cells"]),
    )
    questions = tuple(_question(entry) for entry in content["questions"])
    words = {name: (says, look) for name, (says, look) in content["mistakes"].items()}
    exam = Exam(
        assignment,
        questions,
        public=True,
        mistakes=words,
        remarks=content["remarks"],
        synonyms=content["synonyms"],
    )
    _verify(exam)
    return exam


def _verify(exam: Exam) -> None:
    """Raise ValueError if questions, checks and mistakes do not match.

    Without its questions, a check would pass any code.
    """
    probes = {
        (check.name, criterion.name): len(criterion.probes)
        for check in exam.assignment.checks
        for criterion in check.criteria
    }
    for question in exam.questions:
        if len(question.answers) != probes.get((question.step, question.criterion)):
            raise ValueError(f"a question about {question.step}, {question.criterion}")
        for answers in question.answers:
            if unknown := {wrong.mistake for wrong in answers.wrong} - exam.mistakes.keys():
                raise ValueError(f"no words for {', '.join(sorted(unknown))}")
    if lacking := probes.keys() - {(one.step, one.criterion) for one in exam.questions}:
        raise ValueError(f"no question about {', '.join(map(' '.join, sorted(lacking)))}")


def released_digests(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each released file, or an empty dict if there is no valid record."""
    try:
        content = json.loads((folder / EXPECTED).read_text(encoding="utf-8"))
        return dict(content["files"])
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def dump_expected(exam: Exam, files: dict[str, bytes]) -> bytes:
    """Return the bytes of `expected.json`: one line per question, always equal for equal exams."""
    head = {
        "format": FORMAT,
        "assignment": exam.assignment.name,
        "files": {name: hashlib.sha256(data).hexdigest() for name, data in sorted(files.items())},
        "cells": [
            {"id": cell.id, "kind": cell.kind, "source": cell.source}
            for cell in exam.assignment.cells
        ],
        "mistakes": {name: list(words) for name, words in exam.mistakes.items()},
        "remarks": dict(exam.remarks),
        "synonyms": dict(exam.synonyms),
    }
    lines = json.dumps(head, indent=1, ensure_ascii=True)[:-2]
    questions = ",\n".join(
        json.dumps(
            _dump_question(question), ensure_ascii=True, separators=(",", ":"), allow_nan=False
        )
        for question in exam.questions
    )
    return f'{lines},\n "questions": [\n{questions}\n ]\n}}\n'.encode()


def same_expected(one: bytes, other: bytes) -> bool:
    """Return whether two `expected.json` texts are equal up to the last digits of their numbers.

    The last digits depend on the processor.
    """
    try:
        return _close(json.loads(one), json.loads(other))
    except ValueError:
        return False


def _close(one: Any, other: Any) -> bool:
    if type(one) is float and type(other) is float:
        return abs(one - other) <= 1e-5 * (1 + abs(one))
    if type(one) is not type(other):
        return False
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_close, one, other))
    if isinstance(one, dict):
        keys = [key for key in one if key != "relative"]  # this value depends on rounding
        same = keys == [key for key in other if key != "relative"]
        return same and all(_close(one[key], other[key]) for key in keys)
    return bool(one == other)


def _dump_question(question: Question) -> dict[str, Any]:
    return {
        "step": question.step,
        "aspect": question.criterion,
        "case": question.kind,
        "graph": list(question.graph),
        "inputs": {name: dump_value(value) for name, value in question.inputs.items()},
        "answers": [
            {
                "right": [
                    {
                        "value": dump_value(right.value),
                        "decimals": right.decimals,
                        "remark": right.remark,
                    }
                    for right in answers.right
                ],
                "wrong": [_dump_wrong(wrong) for wrong in answers.wrong],
            }
            for answers in question.answers
        ],
    }


def _dump_wrong(wrong: Wrong) -> dict[str, Any]:
    entry: dict[str, Any] = {"mistake": wrong.mistake, "value": dump_value(wrong.value)}
    return entry | ({"relative": wrong.relative} if wrong.relative > RELATIVE else {})


def _question(entry: dict[str, Any]) -> Question:
    answers = tuple(
        Answers(
            tuple(
                Right(load_value(right["value"]), right["decimals"], right["remark"])
                for right in answer["right"]
            ),
            tuple(
                Wrong(wrong["mistake"], load_value(wrong["value"]), wrong.get("relative", RELATIVE))
                for wrong in answer["wrong"]
            ),
        )
        for answer in entry["answers"]
    )
    inputs = {name: load_value(value) for name, value in entry["inputs"].items()}
    graph = tuple(entry["graph"])
    return Question(entry["step"], entry["aspect"], entry["case"], inputs, answers, graph)
