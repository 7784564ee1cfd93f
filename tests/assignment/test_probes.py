"""What probes are made of: known weights go in, and what can be seen comes out, whoever wrote the module."""

from __future__ import annotations

import random
import warnings
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch
from torch import nn

from autograder.assignment import probes as probing
from autograder.assignment.probes import (
    RESULT,
    biases,
    calls,
    census,
    draws,
    gradient_reach,
    inject,
    matrix,
    run,
    warns,
)
from autograder.explain.class_rules import obstacle_words
from autograder.reasons import MAX_LENGTH, UNSUITABLE, Reason, Unsuitable
from autograder.results import Obstacle

if TYPE_CHECKING:
    from collections.abc import Callable

NAMES = ("W_query", "W_key")
WEIGHTS = {
    "W_query": torch.arange(6.0).reshape(3, 2),
    "W_key": torch.arange(6.0).reshape(3, 2) + 10,
}


class WithParameters(nn.Module):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(3, 2))
        self.W_key = nn.Parameter(torch.rand(3, 2))

    def forward(self, x: Any) -> Any:
        return x @ self.W_query + x @ self.W_key


class WithLayers(nn.Module):  # type: ignore[misc]
    def __init__(self, *, bias: bool = False) -> None:
        super().__init__()
        self.W_query = nn.Linear(3, 2, bias=bias)
        self.W_key = nn.Linear(3, 2, bias=bias)

    def forward(self, x: Any) -> Any:
        return self.W_query(x) + self.W_key(x)


class WithHidden(WithParameters):
    """Parameters where nn.Module does not see them, and methods that say otherwise."""

    def __init__(self) -> None:
        nn.Module.__init__(self)
        self.hidden = [nn.Parameter(torch.rand(3, 2)) for _ in NAMES]

    W_query = property(lambda self: self.hidden[0])
    W_key = property(lambda self: self.hidden[1])

    def parameters(self, recurse: bool = True) -> Any:  # noqa: ARG002
        return iter(self.hidden)


class WithCycle(WithParameters):
    """Its layers know it."""

    def __init__(self) -> None:
        super().__init__()
        self.child = nn.Linear(2, 2)
        self.child.parent = self


class WithHiddenBias(nn.Linear):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__(3, 2, bias=False)
        self.hidden = [nn.Parameter(torch.rand(2))]

    bias = property(lambda self: self.hidden[0], lambda *_: None)


class NoModule:
    def __init__(self) -> None:
        self.W_query = nn.Parameter(torch.rand(3, 2))
        self.W_key = nn.Parameter(torch.rand(3, 2))


# The state from which every probe starts.


def draw_all(student: Any = None, case: Any = None) -> list[float]:
    return [random.random(), float(np.random.rand()), float(torch.rand(1)), float(torch.randn(1))]


def test_each_run_starts_from_the_same_random_state() -> None:
    first = run(draw_all, ModuleType("student"), {})
    random.seed(5)
    np.random.seed(5)
    torch.manual_seed(5)

    assert run(draw_all, ModuleType("student"), {}) == first


def test_a_run_undoes_what_earlier_steps_did_to_torch_as_a_whole() -> None:
    def look(student: Any, case: Any) -> object:
        return torch.is_grad_enabled(), torch.ones(1).dtype

    torch.set_grad_enabled(False)
    torch.set_default_dtype(torch.float64)

    assert run(look, ModuleType("student"), {}) == (True, torch.float32)


# Known weights go in.


def test_injected_weights_are_copies() -> None:
    weights = {"W_query": torch.zeros(3, 2)}
    module = inject(WithParameters(), weights)
    with torch.no_grad():
        module.W_query.fill_(1)

    assert weights["W_query"].sum() == 0


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (nn.Parameter(torch.rand(2, 3)), "`W_query` has shape (2, 3); (3, 2) was expected."),
        (nn.Linear(2, 3), "`W_query` has shape (3, 2); (2, 3) was expected."),
        (3, "`W_query` is an int; a matrix of weights was expected."),
        (np.ones((3, 2)), "`W_query` is a ndarray; a matrix of weights was expected."),
    ],
    ids=lambda thing: type(thing).__name__,
)
def test_what_cannot_take_the_weights_is_said(value: object, words: str) -> None:
    module = NoModule()
    module.W_query = value

    with pytest.raises(Unsuitable) as caught:
        inject(module, WEIGHTS)
    assert words_for(caught.value) == words


def words_for(error: Unsuitable) -> str:
    return obstacle_words(Obstacle(error.reason, error.name, error.seen, error.wanted))


def test_only_reasons_that_a_worker_may_send_are_raised() -> None:
    for reason in set(Reason) - UNSUITABLE:
        with pytest.raises(ValueError, match=reason):
            Unsuitable(reason)


def test_an_endless_name_is_cut() -> None:
    error = Unsuitable(Reason.NO_LAYER, "x" * 1000, "y" * 1000, (1,) * 1000)
    assert {len(error.name), len(error.seen), len(error.wanted)} == {MAX_LENGTH}


def test_an_attribute_that_is_not_there_is_said() -> None:
    module = NoModule()
    del module.W_key

    with pytest.raises(Unsuitable) as caught:
        inject(module, WEIGHTS)
    assert words_for(caught.value) == "`NoModule` has no attribute `W_key`."


# What can be seen.


@pytest.mark.parametrize(
    ("make", "found"),
    [
        (WithHidden, Reason.NOT_REGISTERED),
        (WithCycle, None),
    ],
)
def test_what_is_no_parameter_is_said(make: Callable[[], Any], found: object) -> None:
    module = make()
    assert census(module, NAMES)["W_key"] is (found or module.W_key)


def test_drawn_weights_are_copies() -> None:
    shared = WithParameters()
    first, *_ = draws(lambda: shared, NAMES)
    inject(shared, WEIGHTS)

    assert not torch.equal(first, shared.W_query)


def test_a_bias_that_is_not_registered_is_said() -> None:
    module = WithLayers(bias=True)
    module.W_key = WithHiddenBias()

    found = biases(module, NAMES)

    assert found["W_query"] is module.W_query.bias
    assert found["W_key"] is Reason.NOT_REGISTERED


# What gradients reach.

REACHED: dict[str, tuple[Callable[[Any], object], list[str]]] = {
    "a product": (lambda case: case.x @ case.y, ["x", "y", RESULT]),
    "one input of two": (lambda case: case.x @ case.y.detach(), ["x", RESULT]),
    "one of several results": (lambda case: (1, [case.x * 2, "text"]), ["x", RESULT]),
    "one in a dictionary": (lambda case: {"a": case.y.sum()}, ["y", RESULT]),
    "detached": (lambda case: (case.x @ case.y).detach(), []),
    "a number": (lambda case: case.x.sum().item(), []),
    "NumPy refuses": (lambda case: torch.from_numpy(case.x.numpy() * 2), []),
    "made anew": (lambda case: torch.tensor(case.x.tolist()), []),
}


@pytest.mark.parametrize(("step", "names"), REACHED.values(), ids=REACHED)
def test_what_gradients_reach_is_seen(step: Callable[[Any], object], names: list[str]) -> None:
    def probe(student: Any, case: Any) -> object:
        return step(case)

    inputs = {"x": torch.rand(3, 2), "y": torch.rand(2, 3), "d_k": 2, "indices": torch.arange(3)}
    assert gradient_reach(probe, ModuleType("student"), inputs) == names


# What a step does besides.


@pytest.mark.parametrize(
    ("action", "warned"),
    [
        (lambda: warnings.warn("careful", stacklevel=1), "UserWarning: careful"),
        (lambda: nn.functional.softmax(torch.ones(2)), "UserWarning: Implicit dimension choice"),
        (lambda: nn.functional.softmax(torch.ones(2), dim=-1), ""),
    ],
)
def test_a_warning_is_quoted_each_time(action: Callable[[], object], warned: str) -> None:
    both = [warns(action), warns(action)]
    assert all(said.startswith(warned) and bool(said) == bool(warned) for said in both), both


def test_torch_warns_as_before_even_if_the_step_raises() -> None:
    with pytest.raises(ZeroDivisionError):
        warns(lambda: 1 / 0)

    assert torch.is_warn_always_enabled() is False


def test_a_call_is_seen_and_goes_through() -> None:
    holder = SimpleNamespace(double=lambda x: 2 * x)
    original = holder.double
    results: list[int] = []

    assert calls(holder, "double", lambda: results.append(holder.double(3))) is True
    assert calls(holder, "double", lambda: results.append(1)) is False
    assert (results, holder.double) == ([6, 1], original)


def with_heads(heads: Any) -> Any:
    module = nn.Module()
    module.heads = heads
    return module


@pytest.mark.parametrize("of", [list, nn.ModuleList])
def test_a_layer_of_a_part_is_known_by_a_name_with_dots(of: Callable[[Any], Any]) -> None:
    module = with_heads(
        of([probing.holder({"W": torch.zeros(3, 2)}, layers=True) for _ in range(2)])
    )
    weights = {"heads.0.W": torch.ones(3, 2), "heads.1.W": torch.full((3, 2), 2.0)}
    inject(module, weights)
    found: dict[str, Any] = probing.matrices(module, tuple(weights))
    assert [one.T.tolist() for one in found.values()] == [one.tolist() for one in weights.values()]
    listed = census(module, tuple(weights))
    assert (listed["heads.1.W"] is Reason.NOT_REGISTERED) is (of is list)


@pytest.mark.parametrize(
    ("name", "lacks"), [("head.0.W", "head"), ("heads.1.W", "1"), ("heads.0.V", "V"), ("x.0", "0")]
)
def test_the_part_that_is_not_there_is_said(name: str, lacks: str) -> None:
    module = with_heads([probing.holder({"W": torch.zeros(3, 2)})])
    module.x = 3
    with pytest.raises(Unsuitable) as raised:
        matrix(module, name)
    assert (raised.value.reason, raised.value.name) == (Reason.NO_ATTRIBUTE, lacks)


@pytest.mark.parametrize("mask", [torch.ones(3, 3).triu(1), torch.ones(3, 3).tril().bool()])
def test_a_buffer_is_filled_with_its_first_number(mask: torch.Tensor) -> None:
    module = nn.Module()
    module.register_buffer("mask", mask.clone())
    assert probing.uniform_buffer(module, "mask") is module
    assert module.get_buffer("mask").unique().tolist() == [mask[0, 0].item()]
