"""Inputs drawn anew: others of the same shape, one at a time, and always the same."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.exam.changed_inputs import drawn_anew, far_off, paths
from autograder.values.values import Array, DictValue, Value, identical, tensor
from tests.exams import ASSIGNMENTS, exam_of

INPUTS: dict[str, Value] = {
    "x": tensor(np.arange(6.0).reshape(2, 3) - 2),
    "weights": DictValue((("W", tensor(np.ones((2, 2)))), ("V", tensor(np.zeros((2, 2)))))),
    "d_k": 3,
    "scaled": True,
    "sentence": "one two three",
    "nothing": None,
}


@pytest.mark.unit
def test_the_paths_name_what_can_be_drawn() -> None:
    assert list(paths(INPUTS)) == [
        ("x",),
        ("weights", "W"),
        ("weights", "V"),
        ("d_k",),
        ("sentence",),
    ]


@pytest.mark.unit
@pytest.mark.parametrize("path", list(paths(INPUTS)))
def test_only_one_input_changes(path: tuple[str, ...]) -> None:
    changed = drawn_anew(INPUTS, path)
    assert [name for name in INPUTS if not identical(INPUTS[name], changed[name])] == [path[0]]
    assert all(
        identical(one, other)
        for one, other in zip(changed.values(), drawn_anew(INPUTS, path).values(), strict=True)
    )
    before, after = INPUTS[path[0]], changed[path[0]]
    if isinstance(before, Array):
        assert isinstance(after, Array)
        assert (before.data.shape, before.dtype) == (after.data.shape, after.dtype)


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_each_step_depends_on_what_it_is_given(assignment: str) -> None:
    """But for what is only carried along: sizes of a class, and what a transfer overwrites."""
    exam = exam_of(assignment)
    matters = {
        question.step: {path[-1] for path in question.matters}
        for question in exam.questions
        if question.matters
    }
    # A dict of words is not drawn anew.
    assert set(matters) == {check.name for check in exam.assignment.checks} - {"reverse_dict"}
    if assignment == "self_attention":
        assert matters["scale_scores"] == {"scores", "d_k"}
        assert matters["SelfAttention_v1"] == {"x", "W_query", "W_key", "W_value"}


@pytest.mark.unit
def test_infinite_numbers_stay_where_they_are() -> None:
    data = np.array([[0.5, -np.inf], [1.5, 2.5]], dtype=np.float32)
    [path] = paths({"scores": Array("tensor", "float32", data)})
    anew = drawn_anew({"scores": Array("tensor", "float32", data)}, path)["scores"]
    assert isinstance(anew, Array)
    assert anew.data[0, 1] == -np.inf
    rest = data[np.isfinite(data)]
    assert (anew.data[np.isfinite(data)] != rest).all()
    assert np.isfinite(anew.data).sum() == rest.size


@pytest.mark.unit
def test_a_whole_number_far_off_has_another_root() -> None:
    for number in range(1, 50):
        changed = far_off({"d_k": number}, ("d_k",))["d_k"]
        assert isinstance(changed, int)
        assert int(changed**0.5) != int(number**0.5)


@pytest.mark.unit
def test_what_is_far_off_is_neither_the_input_nor_drawn_anew() -> None:
    for path in paths(INPUTS):
        if isinstance(INPUTS[path[0]], str):
            continue
        changed = [change(INPUTS, path)[path[0]] for change in (drawn_anew, far_off)]
        assert not identical(changed[0], changed[1])
        assert not identical(INPUTS[path[0]], changed[1])
