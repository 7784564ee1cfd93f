"""What probes are made of: known weights go in, and what can be seen comes out, whoever wrote the module."""

from __future__ import annotations

import random
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch
from torch import nn

from autograder.assignment.probes import (
    RESULT,
    biases,
    census,
    draws,
    gradient_reach,
    holder,
    inject,
    inject_biases,
    run,
    warns,
)
from autograder.assignment.probes.weights import descend, transferred
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


def draw_all() -> list[float]:
    return [random.random(), float(np.random.rand()), float(torch.rand(1)), float(torch.randn(1))]


def test_each_run_starts_from_the_same_random_state_of_torch_as_it_was() -> None:
    def look(student: Any, case: Any) -> object:
        return draw_all(), torch.is_grad_enabled(), torch.ones(1).dtype

    first = run(look, ModuleType("student"), {})
    random.seed(5)
    np.random.seed(5)
    torch.manual_seed(5)
    torch.set_grad_enabled(False)
    torch.set_default_dtype(torch.float64)
    assert run(look, ModuleType("student"), {}) == first
    assert (torch.is_grad_enabled(), torch.ones(1).dtype) == (True, torch.float32)


# Known weights go in.


def test_injected_and_drawn_weights_are_copies() -> None:
    shared, weights = WithParameters(), {"W_query": torch.zeros(3, 2)}
    first, *_ = draws(lambda: inject(shared, weights), NAMES)
    with torch.no_grad():
        shared.W_query.fill_(1)
    assert weights["W_query"].sum() == first.sum() == 0


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (nn.Parameter(torch.rand(2, 3)), "`W_query` has shape (2, 3); (3, 2) was expected."),
        (nn.Linear(2, 3), "`W_query` has shape (3, 2); (2, 3) was expected."),
        (3, "`W_query` is an int; a matrix of weights was expected."),
        (np.ones((3, 2)), "`W_query` is a ndarray; a matrix of weights was expected."),
        (..., "`NoModule` has no attribute `W_query`."),
    ],
    ids=lambda thing: type(thing).__name__,
)
def test_what_cannot_take_the_weights_is_said(value: object, words: str) -> None:
    module = NoModule()
    if value is ...:
        del module.W_query
    else:
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


# What can be seen.


@pytest.mark.parametrize(
    ("make", "found"), [(WithHidden, Reason.NOT_REGISTERED), (WithCycle, None)]
)
def test_what_is_no_parameter_is_said(make: Callable[[], Any], found: object) -> None:
    module = make()
    assert census(module, NAMES)["W_key"] is (found or module.W_key)


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
    "a parameter alone": (
        lambda case: {"a": [case.x.detach(), (nn.Parameter(torch.ones(2)),)]},
        [RESULT],
    ),
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


def test_torch_warns_as_before_even_if_the_step_raises() -> None:
    with pytest.raises(ZeroDivisionError):
        warns(lambda: 1 / 0)
    assert torch.is_warn_always_enabled() is False


# What a module holds, judged by numbers: a training step and a transfer.

SLOPES = {name: torch.full((3, 2), 0.5) + number for number, name in enumerate(NAMES)}
X = torch.arange(9.0).reshape(3, 3) / 7


def moved(module: Any) -> dict[str, bool]:
    """Return whether each matrix moved by minus its slope; the others stayed."""
    descend(inject(module, WEIGHTS), SLOPES)
    found = {}
    for name in NAMES:
        held = getattr(module, name)
        now = held.weight.T if isinstance(held, nn.Linear) else held
        stayed = torch.equal(now.float(), WEIGHTS[name])
        assert stayed or torch.allclose(now.float(), WEIGHTS[name] - SLOPES[name])
        found[name] = not stayed
    return found


def made(other: Any) -> Any:
    """Two matrices, of which the second is another thing."""
    module = WithParameters()
    del module.W_key
    module.W_key = other
    return module


class Viewed(nn.Module):  # type: ignore[misc]
    """Two views of one registered parameter, and of memory beside it."""

    def __init__(self) -> None:
        super().__init__()
        block = torch.rand(2, 3, 2)
        self.first = nn.Parameter(block[0])
        self.both = block

    W_query = property(lambda self: self.first.data)
    W_key = property(lambda self: self.both[1])


OTHERS = (
    torch.rand(3, 2),
    torch.rand(3, 2, requires_grad=True),
    nn.Parameter(torch.rand(3, 2), requires_grad=False),
)


def test_a_step_leaves_what_training_would_leave() -> None:
    """A neighbour of a parameter's memory too, and parameters that nobody registered."""
    for module in (*map(made, OTHERS), Viewed()):
        assert moved(module) == {"W_query": True, "W_key": False}
    hidden = nn.Module()
    hidden.__dict__.update({name: nn.Parameter(torch.rand(3, 2)) for name in NAMES})
    assert moved(hidden) == dict.fromkeys(NAMES, False)


def test_biases_move_too_and_further_parameters_stay() -> None:
    module = nn.Module()
    module.W_query, module.W_key = (nn.Linear(3, 2) for _ in NAMES)
    module.tau = nn.Parameter(torch.ones(()))
    values = {name: torch.tensor([1.0, 2.0]) for name in NAMES}
    descend(inject_biases(inject(module, WEIGHTS), values), SLOPES, {"W_key": torch.ones(2)})
    assert module.W_query.bias.tolist() == [1, 2]
    assert module.W_key.bias.tolist() == [0, 1]
    assert module.tau.item() == 1


def transfer(source: Any, target: Any) -> None:
    for name in NAMES:
        getattr(target, name).data = getattr(source, name).weight.data.T.clone()


def test_a_transfer_is_seen_in_products() -> None:
    source = holder(WEIGHTS, layers=True)
    before, after, target = transferred(transfer, source, holder(SLOPES), NAMES, X)
    for name in NAMES:
        product = X @ WEIGHTS[name]
        for found in (before, after, target):
            seen: Any = found[f"x @ {name}"]
            assert isinstance(seen, nn.Parameter)
            assert torch.allclose(seen, product)


def test_what_a_matrix_is_stays_visible_in_its_product() -> None:
    def change(source: Any, target: Any) -> None:
        source.W_query.weight.requires_grad_(requires_grad=False)
        del target.W_query
        target.W_query = WEIGHTS["W_query"]
        target.W_key = nn.Parameter(torch.rand(2, 3))

    source, target = holder(WEIGHTS, layers=True), holder(SLOPES)
    _, after, found = transferred(change, source, target, NAMES, X)
    frozen: Any = after["x @ W_query"]
    assert frozen.requires_grad is False
    assert type(found["x @ W_query"]) is torch.Tensor
    assert found["x @ W_key"] is target.W_key  # 2 rows: nothing to multiply
