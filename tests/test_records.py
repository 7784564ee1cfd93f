"""Records as plain data: what is written comes back, and anything else is refused with the fields around it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

import pytest

from autograder.reasons import Reason
from autograder.records import Reader, RecordError, from_json, plain, read, to_json
from autograder.results import Feedback, Frame, Numbers, Outcome, Repeats
from autograder.values.values import DictValue, ListValue, freeze

pytestmark = pytest.mark.unit


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True)
class Inner:
    number: int


@dataclass(frozen=True)
class Whole:
    text: str
    number: float = 0.5
    many: tuple[int, ...] = ()
    pair: tuple[str, int] = ("a", 1)
    named: Mapping[str, Inner] = field(default_factory=dict)
    either: str | tuple[int, ...] = ""
    perhaps: Inner | None = None
    colour: Colour = Colour.RED
    kind: Literal["one", "two"] = "one"
    names: frozenset[str] = frozenset()
    more: tuple[Whole, ...] = ()


WHOLE = Whole(
    "t", 2, (1, 2), ("b", 2), {"x": Inner(3)}, (4, 5), Inner(6), Colour.RED, "two", frozenset("ab"), (Whole("u"),)
)  # fmt: skip


def test_a_record_comes_back_from_plain_data_and_from_json() -> None:
    assert read(Whole, plain(WHOLE)) == WHOLE
    assert from_json(Whole, to_json(WHOLE)) == WHOLE
    assert read(Whole, freeze(plain(WHOLE))) == WHOLE
    assert read(Whole, {"text": "t"}) == Whole("t")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"text": 1}, "text: no text"),
        ({"text": None}, "text: no text"),
        ({"number": True}, "number: no number"),
        ({"number": float("nan")}, "number: no number"),
        ({"number": float("inf")}, "number: no number"),
        ({"many": "12"}, "many: no list"),
        ({"many": [1, True]}, "many: no whole number"),
        ({"many": [1.0]}, "many: no whole number"),
        ({"pair": ["a"]}, "pair: 1 items instead of 2"),
        ({"named": []}, "named: no dict"),
        ({"named": {1: {"number": 1}}}, "named: no text"),
        ({"named": {"x": {"number": None}}}, "named: number: no whole number"),
        ({"named": {"x": {}}}, "named: number: missing"),
        ({"either": ["a"]}, "either: no whole number"),
        ({"perhaps": {"number": 1, "other": 2}}, "perhaps: an unknown field 'other'"),
        ({"colour": "blue"}, "colour: none of red"),
        ({"kind": "three"}, "kind: none of one, two"),
        ({"more": [{"text": "a"}, {"text": 2}]}, "more: text: no text"),
    ],
)
def test_anything_else_is_refused_with_the_fields_around_it(
    changed: dict[str, Any], said: str
) -> None:
    with pytest.raises(RecordError) as error:
        read(Whole, {"text": "t"} | changed)
    assert str(error.value) == said


@pytest.mark.parametrize("data", [b"", b"{", b"\xff", b"[]", b"[" * 100_000, b"{}", b"NaN"])
def test_a_file_of_something_else_is_refused(data: bytes) -> None:
    with pytest.raises(RecordError):
        from_json(Whole, data)


def test_a_field_may_come_only_once() -> None:
    entries = (("number", 1), ("number", 1))
    with pytest.raises(RecordError, match="number: twice"):
        read(Inner, DictValue(entries))
    with pytest.raises(RecordError, match=r"'x': twice"):
        read(dict[str, int], DictValue((("x", 1), ("x", 1))))


STRICT = Reader({Inner: {"number": None}, Whole: {"text": str.upper, "perhaps": None}}, most=2)


def test_a_form_says_which_fields_there_are_and_cleans_their_texts() -> None:
    content = {"text": "t", "perhaps": {"number": 1}}
    assert STRICT.read(Whole, content) == Whole("T", perhaps=Inner(1))
    for name in content:
        with pytest.raises(RecordError, match=f"{name}: missing"):
            STRICT.read(Whole, {key: content[key] for key in content if key != name})
    with pytest.raises(RecordError, match="unknown field"):
        STRICT.read(Whole, content | {"number": 1})


def test_a_list_that_is_too_long_is_refused_before_its_items_are_read() -> None:
    assert STRICT.read(tuple[int, ...], [1, 2]) == (1, 2)
    for too_long in ([None] * 3, ListValue("list", (None,) * 3)):
        with pytest.raises(RecordError, match="more than 2 items"):
            STRICT.read(tuple[int, ...], too_long)


NUMBERS = Numbers(
    "a tensor", ((1, "x"), (0.5,)), 3, True, True, part="W", axes=("queries",), row_sums=(1.0,),
    column_sums=("…",),
)  # fmt: skip
FEEDBACK = Feedback(
    Outcome.WRONG, "m", "h", "s\ud800", "e", called_with=(("x", "(2, 2)"),), lines=(Frame("f", 1, "g", "t"),),
    other_step="o", numbers=NUMBERS, repeats=Repeats(("a",), (Outcome.RAISED,)),
    half_of=("b",), also=(Feedback(Outcome.RAISED, seen="é"),), remarks=("r",), mistakes=("n",), sure=True,
    reasons=(Reason.KNOWN_MISTAKE,),
)  # fmt: skip


def test_all_parts_of_feedback_come_back_and_json_is_that_of_plain_data() -> None:
    assert read(Feedback, json.loads(json.dumps(plain(FEEDBACK)))) == FEEDBACK
    things = {"one": FEEDBACK, "some": (FEEDBACK, Outcome.PASSED), "names": frozenset("ba")}
    for indent in (None, 1):
        text = json.dumps(plain(things), indent=indent, ensure_ascii=False)
        assert to_json(things, indent) == f"{text}\n".encode("utf-8", "backslashreplace")


def test_what_has_no_form_is_a_mistake_of_the_kit() -> None:
    with pytest.raises(TypeError, match="has no form"):
        read(set, [])
    with pytest.raises(TypeError, match="not JSON serializable"):
        to_json([object()])
