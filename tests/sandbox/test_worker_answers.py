"""Answers of a worker: read field by field, and made fit to be shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from autograder.errors import ProtocolError
from autograder.reasons import MAX_LENGTH, Reason
from autograder.results import (
    Frame,
    LoadFailure,
    LoadReport,
    Observation,
    Obstacle,
    Outcome,
    Rebinding,
    Skipped,
    StudentError,
)
from autograder.sandbox.worker_answers import MAX_NAMES, MOST_KEPT, loaded, marked, observation
from autograder.values.values import Value, freeze
from autograder.values.wire import MARK_LENGTH, encode

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.unit

FRAME = {"file": "work.py", "line": 3, "function": "step"}
ERROR = {
    "type": "ZeroDivisionError",
    "message": "division by zero",
    "frames": [FRAME],
    "existing": [],
    "place": [],
}
STUDENT_ERROR = StudentError(
    "ZeroDivisionError", "division by zero", (Frame("work.py", 3, "step"),)
)
REBINDING = {"name": "torch.manual_seed", "type": "int", "frame": FRAME}
SKIPPED = {"number": 4, "frame": FRAME, "text": "while x: pass", "defines": [], "makes": ["x"]}
LOADED = {
    "names": ["step"],
    "failures": [ERROR | {"defines": ["x"]}],
    "unfit": [REBINDING],
    "replaced": [REBINDING],
    "devices": [REBINDING],
    "skipped": [SKIPPED],
}

UNFIT: dict[str, object] = {
    "reason": "other_sizes",
    "name": "W_key",
    "seen": [2, 3],
    "wanted": [3, 2],
}
TOO_LARGE = Obstacle(Reason.ANSWER_TOO_LARGE, seen="w")
UNSUITABLE = Obstacle(Reason.OTHER_SIZES, "W_key", (2, 3), (3, 2))
ANSWERS: dict[str, tuple[dict[str, object], Observation]] = {
    "returned": (
        {"value": 1.5, "changed": ["x"]},
        Observation(Outcome.PASSED, value=1.5, changed=("x",), printed="p"),
    ),
    "missing": ({}, Observation(Outcome.MISSING, printed="p")),
    "too_large": ({"why": "w"}, Observation(Outcome.TOO_LARGE, obstacle=TOO_LARGE, printed="p")),
    "unsuitable": (UNFIT, Observation(Outcome.WRONG, obstacle=UNSUITABLE, printed="p")),
    "exited": ({"error": ERROR}, Observation(Outcome.EXITED, error=STUDENT_ERROR, printed="p")),
    "raised": ({"error": ERROR}, Observation(Outcome.RAISED, error=STUDENT_ERROR, printed="p")),
}
KINDS = pytest.mark.parametrize("kind", ANSWERS)


def answer(kind: str) -> dict[str, object]:
    return {"kind": kind, **ANSWERS[kind][0]}


def refused(read: Callable[[Value, str], object], content: object) -> None:
    with pytest.raises(ProtocolError):
        read(freeze(content), "")


@KINDS
def test_each_kind_of_answer_is_understood(kind: str) -> None:
    assert observation(freeze(answer(kind)), "p") == ANSWERS[kind][1]


def test_what_was_loaded_is_understood() -> None:
    [frame] = STUDENT_ERROR.frames
    failure = LoadFailure(STUDENT_ERROR.type, STUDENT_ERROR.message, (frame,), defines=("x",))
    rebinding = Rebinding("torch.manual_seed", "int", frame)
    skipped = Skipped(4, frame, "while x: pass", (), ("x",))
    report = LoadReport(
        ("step",), (failure,), "p", (rebinding,), (rebinding,), (skipped,), (rebinding,)
    )
    assert loaded(freeze(LOADED), "p") == report


@KINDS
def test_an_answer_that_lacks_a_field_is_refused(kind: str) -> None:
    for name in answer(kind):
        refused(observation, {key: item for key, item in answer(kind).items() if key != name})


UNKNOWN = [{"kind": kind} for kind in ("", "passed", "wrong", "later", 1, None, ["returned"])]


@pytest.mark.parametrize("content", [None, 1, "returned", [], ["kind", "missing"], {}, *UNKNOWN])
def test_an_answer_of_an_unknown_kind_or_without_fields_is_refused(content: object) -> None:
    refused(observation, content)
    refused(loaded, content)


OTHER_TYPES: list[dict[str, object]] = [
    {"kind": "too_large", "why": 1},
    *(
        {"kind": "unsuitable", **UNFIT, field: value}
        for field, value in [
            ("reason", "any words"),
            ("seen", None),
            ("seen", [2.0, 3]),
            ("seen", [1] * (MAX_LENGTH + 1)),
            ("wanted", [True]),
        ]
    ),
    {"kind": "returned", "value": 1, "changed": [1]},
    {"kind": "returned", "value": 1, "changed": ["x"] * (MAX_NAMES + 1)},
    {"kind": "raised", "error": ERROR | {"message": b"bytes"}},
    {"kind": "raised", "error": ERROR | {"frames": [FRAME | {"line": True}]}},
    {"kind": "raised", "error": ERROR | {"frames": [FRAME | {"more": 1}]}},
    {"kind": "raised", "error": ERROR | {"cause": ERROR}},
    {"kind": "raised", "error": ERROR | {"existing": ["`<b>`"]}},
    {"kind": "raised", "error": ERROR | {"existing": ["torch."]}},
    {"kind": "raised", "error": ERROR | {"existing": ["x" * 101]}},
    {"kind": "raised", "error": ERROR | {"existing": ["x"] * (MAX_NAMES + 1)}},
]
OTHER_FORMS: list[dict[str, object]] = [
    LOADED | {"names": ["step"] * (MAX_NAMES + 1)},
    LOADED | {"failures": [ERROR]},
    LOADED | {"failures": [ERROR | {"frames": [], "defines": []}]},
    LOADED | {"replaced": [REBINDING | {"more": 1}]},
    LOADED | {"devices": [REBINDING | {"more": 1}]},
    LOADED | {"skipped": [SKIPPED | {"why": "sleeps"}]},
    LOADED | {"kind": "returned"},
    {"names": []},
]


@pytest.mark.parametrize("content", OTHER_TYPES)
def test_a_field_of_another_type_is_refused(content: dict[str, object]) -> None:
    refused(observation, content)


@pytest.mark.parametrize("content", OTHER_FORMS)
def test_what_was_loaded_is_refused_in_another_form(content: dict[str, object]) -> None:
    refused(loaded, content)


def test_the_texts_of_an_error_and_of_its_lines_are_cleaned() -> None:
    frame = dict.fromkeys(("file", "function"), "\x1b[1mbold")
    error = ERROR | dict.fromkeys(("type", "message"), "\x1b[1mbold") | {"frames": [FRAME | frame]}
    seen = observation(freeze({"kind": "raised", "error": error}), "")

    assert seen.error == StudentError("bold", "bold", (Frame("bold", 3, "bold"),))


def test_names_and_reasons_are_cleaned_and_cut() -> None:
    assert loaded(freeze(LOADED | {"names": ["a\x00"]}), "").names == ("a",)
    large = observation(freeze({"kind": "too_large", "why": "w\x00"}), "").obstacle
    assert large == TOO_LARGE
    changed = {"kind": "returned", "value": None, "changed": ["x\x00"]}
    assert observation(freeze(changed), "").changed == ("x",)
    odd = "\x1b[1ma\n\nb" + "x" * 1000
    seen = observation(freeze({"kind": "unsuitable", **UNFIT, "name": odd, "seen": odd}), "")
    assert seen.obstacle is not None
    assert seen.obstacle.name == seen.obstacle.seen
    assert seen.obstacle.name.startswith("a bxxx")
    assert len(seen.obstacle.name) <= MAX_LENGTH + len("...")


MARK, OTHER = "0123456789abcdef" * 2, "f" * MARK_LENGTH


@pytest.mark.parametrize("answer", [None, "short", "long" * MOST_KEPT])
def test_an_answer_has_the_mark_of_its_request(answer: str | None) -> None:
    body = MARK.encode() + encode(freeze(answer))
    for _ in range(2):  # the second time it may be known
        assert marked(body, MARK) == answer
        for wrong in (
            OTHER.encode() + encode(freeze(answer)),
            encode(freeze(answer)) + MARK.encode(),
            MARK.encode(),
            encode(freeze(answer)),
            body[:-1],
            body + b"N",
            b"",
        ):
            with pytest.raises(ProtocolError):
                marked(wrong, MARK)
