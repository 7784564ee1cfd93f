"""What a module holds, judged by numbers: a training step and a transfer."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn

from autograder.assignment.probes import holder, inject, inject_biases
from autograder.assignment.probes.weights import descend, transferred

NAMES = ("W_query", "W_key")
WEIGHTS = {name: torch.arange(6.0).reshape(3, 2) + number for number, name in enumerate(NAMES)}
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


class Made(nn.Module):  # type: ignore[misc]
    """Two matrices, of which the second is made by an argument."""

    def __init__(self, other: Any = None) -> None:
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(3, 2))
        self.W_key = nn.Parameter(torch.rand(3, 2)) if other is None else other


class Viewed(nn.Module):  # type: ignore[misc]
    """Two views of one registered parameter, and of memory beside it."""

    def __init__(self) -> None:
        super().__init__()
        block = torch.rand(2, 3, 2)
        self.first = nn.Parameter(block[0])
        self.both = block

    W_query = property(lambda self: self.first.data)
    W_key = property(lambda self: self.both[1])


def test_a_step_moves_parameters_and_layers() -> None:
    layers = nn.Module()
    layers.W_query, layers.W_key = (nn.Linear(3, 2, bias=False) for _ in NAMES)
    assert moved(Made()) == moved(layers) == dict.fromkeys(NAMES, True)


@pytest.mark.parametrize(
    "other",
    [
        torch.rand(3, 2),
        torch.rand(3, 2, requires_grad=True),
        nn.Parameter(torch.rand(3, 2), requires_grad=False),
    ],
    ids=["plain", "plain but trainable", "frozen"],
)
def test_a_step_leaves_what_training_would_leave(other: Any) -> None:
    assert moved(Made(other)) == {"W_query": True, "W_key": False}


def test_what_shares_a_parameters_memory_moves_and_its_neighbour_does_not() -> None:
    assert moved(Viewed()) == {"W_query": True, "W_key": False}


def test_a_parameter_in_a_list_that_nobody_registered_stays() -> None:
    module = nn.Module()
    module.__dict__.update({name: nn.Parameter(torch.rand(3, 2)) for name in NAMES})
    assert moved(module) == dict.fromkeys(NAMES, False)


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
