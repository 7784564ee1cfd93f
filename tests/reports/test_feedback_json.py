"""Feedback as JSON: every part comes back as it was."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.explain.feedback_text import as_markdown, feedback_blocks
from autograder.reasons import Reason
from autograder.reports.feedback_json import dump_feedback, load_feedback
from autograder.results import Feedback, Frame, Numbers, Outcome, Repeats

if TYPE_CHECKING:
    from collections.abc import Callable

texts = st.text(max_size=8)
cells = st.integers() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False) | texts


def several(strategy: st.SearchStrategy[object]) -> st.SearchStrategy[tuple[object, ...]]:
    return st.lists(strategy, max_size=3).map(tuple)


def feedbacks(also: st.SearchStrategy[tuple[object, ...]]) -> st.SearchStrategy[Feedback]:
    numbers = st.builds(
        Numbers,
        texts,
        several(several(cells)),
        st.integers(0, 9),
        st.booleans(),
        st.booleans(),
        part=texts,
        axes=several(texts),
        row_sums=several(cells),
        column_sums=several(cells),
        words=several(texts),
    )
    return st.builds(
        Feedback,
        st.sampled_from(Outcome),
        **dict.fromkeys(("message", "hint", "seen", "expected", "other_step"), texts),
        called_with=several(st.tuples(texts, texts)),
        lines=several(st.builds(Frame, texts, st.integers(), texts, texts)),
        numbers=st.none() | numbers,
        on_documents=st.none() | numbers,
        repeats=st.none() | st.builds(Repeats, several(texts), st.floats(0, 1)),
        also=also,
        remarks=several(texts),
        mistakes=several(texts),
        sure=st.booleans(),
        reasons=several(st.sampled_from(Reason)),
    )


def through_json(feedback: Feedback) -> Feedback | None:
    return load_feedback(json.loads(json.dumps(dump_feedback(feedback), allow_nan=False)))


@given(feedbacks(several(feedbacks(st.just(())))))
def test_all_parts_come_back(feedback: Feedback) -> None:
    again = through_json(feedback)
    assert again == feedback
    assert as_markdown(feedback_blocks(again)) == as_markdown(feedback_blocks(feedback))


def test_no_part_is_forgotten() -> None:
    numbers = Numbers(
        "a tensor", ((1.0,),), 4, more_rows=True, more_columns=True, part="weights", axes=("queries", "keys"),
        row_sums=(1.0,), column_sums=("nan",), words=("Your",),
    )  # fmt: skip
    frame = Frame("work.py", 3, "step", "return x")
    whole = Feedback(
        Outcome.WRONG, "m", "h", "s", "e", (("x", "(2, 3)"),), (frame,), "o", numbers, numbers, Repeats(("a",), 0.5),
        (Feedback(Outcome.RAISED, seen="s"),), ("r",), ("name",), sure=True, reasons=(Reason.VALUES,),
    )  # fmt: skip
    content = dump_feedback(whole)
    assert content is not None
    assert list(content) == [part.name for part in dataclasses.fields(Feedback)]
    assert list(content["numbers"]) == [part.name for part in dataclasses.fields(Numbers)]
    assert through_json(whole) == whole


def test_nothing_to_say_stays_nothing() -> None:
    assert dump_feedback(None) is None
    assert load_feedback(None) is None


@pytest.mark.parametrize(
    "damage",
    [
        lambda parts: parts.pop("outcome"),
        lambda parts: parts.update(outcome="any"),
        lambda parts: parts.update(seen=1),
        lambda parts: parts.update(reasons=["any"]),
        lambda parts: parts.update(mistakes="name"),
        lambda parts: parts.update(called_with=[["x"]]),
        lambda parts: parts.update(lines=[{"file": "work.py"}]),
        lambda parts: parts.update(numbers=[]),
        lambda parts: parts.update(also=[1]),
    ],
)
def test_anything_else_is_refused(damage: Callable[[dict[str, object]], object]) -> None:
    content = dump_feedback(Feedback(Outcome.WRONG, seen="s"))
    assert content is not None
    damage(content)
    with pytest.raises((KeyError, ValueError, TypeError)):
        load_feedback(content)


def test_feedback_in_feedback_in_feedback_is_cut() -> None:
    inner = Feedback(Outcome.WRONG)
    deep = Feedback(Outcome.WRONG, also=(Feedback(Outcome.WRONG, also=(inner,)),))
    assert through_json(deep) == Feedback(Outcome.WRONG, also=(inner,))
