"""What stands in for a step inside the worker: its arguments, its gradients, and when it may ask."""

# ruff: noqa: ARG005 - only the signatures of these functions count

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest
import torch

from autograder.sandbox.inside.stand_ins import Asking, NoAnswerError, StandIn
from autograder.values.values import freeze, thaw

if TYPE_CHECKING:
    from collections.abc import Callable


class Grader:
    """Answers like the grader: doubles `a`, with a gradient of 2."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []

    def __call__(self, fields: dict[str, object]) -> dict[str, Any]:
        sent = thaw(freeze(fields))
        self.asked.append(sent)
        given = sent["inputs"]["a"]
        if "upstream" in sent:
            [upstream] = sent["upstream"]
            return {"number": sent["number"], "value": freeze({"a": 2 * upstream, "b": None})}
        return {"number": sent["number"], "value": freeze(2 * given)}


@pytest.fixture
def grader() -> Grader:
    return Grader()


@pytest.fixture
def asking(grader: Grader) -> Asking:
    return Asking(grader)


OWN: dict[str, tuple[Callable[..., Any] | None, tuple[Any, ...], dict[str, Any]]] = {
    "no function of the student's": (None, (1,), {"b": 2}),
    "the same names": (lambda a, b: None, (), {"b": 2, "a": 1}),
    "in another order": (lambda b, a: None, (2, 1), {}),
    "one more": (lambda a, b, c=3: None, (1, 2), {"c": 4}),
    "any": (lambda *given, **more: None, (1,), {"b": 2}),
    "a builtin": (max, (1, 2), {}),
    "too few, called as released": (lambda a: None, (1, 2), {}),
    "by keyword only, called as released": (lambda *, a, b: None, (1, 2), {}),
    "more than the release, called as released": (lambda a, b, c: None, (), {"b": 2, "a": 1}),
}


@pytest.mark.parametrize("way", OWN)
def test_arguments_arrive_under_the_released_names(
    asking: Asking, grader: Grader, way: str
) -> None:
    function, given, named = OWN[way]
    stand_in = StandIn("step", ["a", "b"], asking)
    if function is not None:
        stand_in.take_signature(function)
    with asking:
        assert stand_in(*given, **named) == 2
    assert [call["inputs"] for call in grader.asked] == [{"a": 1, "b": 2}]


@pytest.mark.parametrize("arguments", [(), (1, 2, 3)])
def test_arguments_that_neither_takes_raise(asking: Asking, arguments: tuple[int, ...]) -> None:
    stand_in = StandIn("step", ["a", "b"], asking)
    stand_in.take_signature(lambda a: None)
    with asking, pytest.raises(TypeError):
        stand_in(*arguments)


def test_in_a_class_body_it_is_a_method(asking: Asking, grader: Grader) -> None:
    stand_in = StandIn("step", ["a", "b"], asking)
    held: Any = type("Held", (), {"step": stand_in})
    with asking:
        assert held.step(1, 2) == 2
        with pytest.raises(TypeError):
            held().step(1, 2)
    assert len(grader.asked) == 1


def test_gradients_flow_through_it(asking: Asking, grader: Grader) -> None:
    stand_in = StandIn("step", ["a", "b"], asking)
    given = torch.ones(2, requires_grad=True)
    with asking:
        (3 * stand_in(given)).sum().backward()
    assert given.grad is not None
    assert given.grad.tolist() == [6, 6]
    assert len(grader.asked) == 2


def test_no_gradient_is_asked_for_where_none_is_wanted(asking: Asking) -> None:
    stand_in = StandIn("step", ["a", "b"], asking)
    with asking:
        assert not stand_in(torch.ones(2)).requires_grad
        with torch.no_grad():
            assert not stand_in(torch.ones(2, requires_grad=True)).requires_grad


def test_threads_ask_one_after_the_other(asking: Asking, grader: Grader) -> None:
    stand_in = StandIn("step", ["a", "b"], asking)
    found: dict[int, int] = {}

    def call(number: int) -> None:
        found[number] = stand_in(number)

    threads = [threading.Thread(target=call, args=(number,)) for number in range(20)]
    with asking:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == {number: 2 * number for number in range(20)}
    assert [call["number"] for call in grader.asked] == list(range(1, 21))


@pytest.mark.parametrize("answer", [{}, {"number": 9, "value": 1}, {"number": 1}])
def test_another_answer_is_none(answer: dict[str, Any]) -> None:
    asking = Asking(lambda _: answer)
    with asking, pytest.raises(NoAnswerError, match="`step` cannot be called"):
        StandIn("step", ["a", "b"], asking)(1)
