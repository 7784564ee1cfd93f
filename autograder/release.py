"""A released assignment: the folder that students get, and its `expected.json`, which holds the public questions."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.assignment import Assignment, load_checks
from autograder.cases import Right
from autograder.errors import AssignmentError
from autograder.exam import Answers, Exam, Question, Wrong
from autograder.script import Cell
from autograder.values import STORAGE, Array, Mapping, Sequence, Value

if TYPE_CHECKING:
    from pathlib import Path

EXPECTED = "expected.json"
FORMAT = 1


def is_release(folder: Path) -> bool:
    """Whether a folder is a released assignment."""
    return (folder / EXPECTED).is_file()


def load_release(folder: Path) -> Exam:
    """The public questions of a released folder.

    Raises AssignmentError if `expected.json` or the checks are missing or damaged.
    """
    path = folder / EXPECTED
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content["format"] != FORMAT:
            raise AssignmentError(
                f"{path} was made by another version of the kit; get the release again."
            )
        name = content["assignment"]
        probes = (folder / f"test_{name}.py").read_bytes()
        assignment = Assignment(
            name=name,
            folder=folder,
            checks=load_checks(folder / f"test_{name}.py"),
            probes=probes,
            cells=tuple(
                Cell(cell["id"], cell["kind"], cell["source"], 0) for cell in content["cells"]
            ),
        )
        questions = tuple(_question(entry) for entry in content["questions"])
        words = {name: (says, look) for name, (says, look) in content["mistakes"].items()}
    except OSError as error:
        raise AssignmentError(
            f"{error.filename} cannot be read ({error.strerror}); get the release again."
        ) from None
    except (ValueError, KeyError, TypeError) as error:
        raise AssignmentError(f"{path} is damaged ({error!r}); get the release again.") from None
    return Exam(assignment, questions, public=True, mistakes=words)


def released_digests(folder: Path) -> dict[str, str]:
    """The SHA-256 of each file as it was released; empty where no release is recorded."""
    try:
        content = json.loads((folder / EXPECTED).read_text(encoding="utf-8"))
        return dict(content["files"])
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def dump_expected(exam: Exam, files: dict[str, bytes]) -> bytes:
    """The text of `expected.json`: one line for each question, the same bytes for the same exam."""
    head = {
        "format": FORMAT,
        "assignment": exam.assignment.name,
        "files": {name: hashlib.sha256(data).hexdigest() for name, data in sorted(files.items())},
        "cells": [
            {"id": cell.id, "kind": cell.kind, "source": cell.source}
            for cell in exam.assignment.cells
        ],
        "mistakes": {name: list(words) for name, words in exam.mistakes.items()},
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
    """Whether two texts of `expected.json` differ in nothing but the last digits, as other processors compute them."""
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
        return list(one) == list(other) and all(_close(one[key], other[key]) for key in one)
    return bool(one == other)


def _dump_question(question: Question) -> dict[str, Any]:
    return {
        "step": question.step,
        "aspect": question.aspect,
        "case": question.kind,
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
                "wrong": [
                    {"mistake": wrong.mistake, "value": dump_value(wrong.value)}
                    for wrong in answers.wrong
                ],
            }
            for answers in question.answers
        ],
    }


def _question(entry: dict[str, Any]) -> Question:
    answers = tuple(
        Answers(
            tuple(
                Right(load_value(right["value"]), right["decimals"], right["remark"])
                for right in answer["right"]
            ),
            tuple(Wrong(wrong["mistake"], load_value(wrong["value"])) for wrong in answer["wrong"]),
        )
        for answer in entry["answers"]
    )
    inputs = {name: load_value(value) for name, value in entry["inputs"].items()}
    return Question(entry["step"], entry["aspect"], entry["case"], inputs, answers)


def dump_value(value: Value) -> Any:
    """A value as JSON. Numbers have the fewest digits that give the same bits back."""
    match value:
        case Array():
            entry: dict[str, Any] = {
                "array": value.kind,
                "dtype": value.dtype,
                "shape": list(value.data.shape),
            }
            if value.requires_grad:
                entry["requires_grad"] = True
            return entry | {"data": [_shortest(number) for number in value.data.ravel()]}
        case Sequence():
            return {"sequence": value.kind, "items": [dump_value(item) for item in value.items]}
        case Mapping():
            return {"dict": [[dump_value(key), dump_value(item)] for key, item in value.items]}
        case None | bool() | int() | float() | str():
            return value
    raise TypeError(f"{type(value).__name__} has no form in expected.json")


def load_value(entry: Any) -> Value:
    """The value that `dump_value` wrote. Raises KeyError, ValueError or TypeError for anything else."""
    if not isinstance(entry, dict):
        if not isinstance(entry, bool | int | float | str | None):
            raise TypeError(entry)
        return entry
    if "array" in entry:
        numbers = [np.nan if number is None else number for number in entry["data"]]
        data = np.array(numbers, dtype=STORAGE[entry["dtype"]]).reshape(entry["shape"])
        return Array(entry["array"], entry["dtype"], data, entry.get("requires_grad", False))
    if "sequence" in entry:
        return Sequence(entry["sequence"], tuple(load_value(item) for item in entry["items"]))
    return Mapping(tuple((load_value(key), load_value(item)) for key, item in entry["dict"]))


def _shortest(number: Any) -> Any:
    if number.dtype.kind != "f":
        return number.item()
    return float(str(number)) if np.isfinite(number) else None
