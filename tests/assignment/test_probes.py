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
    gradients,
    holder,
    inject,
    inject_biases,
    layer,
    matrices,
    matrix,
    run,
    warns,
)
from autograder.explain.class_rules import obstacle_words
from autograder.reasons import MAX_LENGTH, UNSUITABLE, Reason, Unsuitable
from autograder.results import Obstacle
from autograder.values.values import Different, freeze

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


class WithTensors(WithParameters):
    """Plain tensors, so that nothing is registered."""

    def __init__(self) -> None:
        nn.Module.__init__(self)
        self.W_query = torch.rand(3, 2)
        self.W_key = torch.rand(3, 2, requires_grad=True)


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


class WithFrozen(WithParameters):
    def __init__(self) -> None:
        super().__init__()
        self.W_key.requires_grad_(requires_grad=False)


class WithTwins(WithParameters):
    def __init__(self) -> None:
        super().__init__()
        self.W_key = self.W_query


class WithDictionary(WithParameters):
    """Parameters under other names, shown as attributes."""

    def __init__(self) -> None:
        nn.Module.__init__(self)
        self.all = nn.ParameterDict({name: nn.Parameter(torch.rand(3, 2)) for name in NAMES})

    @property
    def W_query(self) -> Any:  # noqa: N802
        return self.all["W_query"]

    @property
    def W_key(self) -> Any:  # noqa: N802
        return self.all["W_key"]


class WithViews(WithParameters):
    """Parameters that do not lie in memory row by row."""

    def __init__(self) -> None:
        super().__init__()
        for name in NAMES:
            setattr(self, name, nn.Parameter(torch.rand(2, 3).T))


class WithConstants(WithParameters):
    """Each instance begins with the same numbers."""

    def __init__(self) -> None:
        torch.manual_seed(123)
        super().__init__()


class NoModule:
    def __init__(self) -> None:
        self.W_query = nn.Parameter(torch.rand(3, 2))
        self.W_key = nn.Parameter(torch.rand(3, 2))


ALL: tuple[Callable[[], Any], ...] = (
    WithParameters, WithLayers, WithTensors, WithFrozen, WithDictionary, WithViews, WithConstants, NoModule,
)  # fmt: skip
MODULES = tuple(kind for kind in ALL if kind is not NoModule)


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


def test_a_run_passes_inputs_by_name() -> None:
    module = ModuleType("student")

    assert run(lambda student, case: (student, case.x, case.d_k), module, {"x": 1, "d_k": 2}) == (
        module,
        1,
        2,
    )


def test_a_documents_seed_is_torchs_own() -> None:
    probing.seed(123)
    drawn = torch.rand(3)

    assert torch.equal(drawn, torch.rand(3, generator=torch.Generator().manual_seed(123)))


# Known weights go in.


@pytest.mark.parametrize("make", ALL)
def test_known_weights_go_into_whatever_the_attributes_hold(make: Callable[[], Any]) -> None:
    module = make()

    assert inject(module, WEIGHTS) is module
    for name in NAMES:
        held = matrix(module, name)
        held = held.T if isinstance(module, WithLayers) else held
        assert torch.equal(held, WEIGHTS[name])


@pytest.mark.parametrize("make", [WithParameters, WithLayers, WithViews, WithDictionary])
def test_parameters_and_layers_with_the_same_weights_compute_the_same(
    make: Callable[[], Any],
) -> None:
    x = torch.rand(4, 3)

    wanted = x @ WEIGHTS["W_query"] + x @ WEIGHTS["W_key"]
    assert torch.allclose(inject(make(), WEIGHTS)(x), wanted)


def test_injected_weights_are_copies() -> None:
    weights = {"W_query": torch.zeros(3, 2)}
    module = inject(WithParameters(), weights)
    with torch.no_grad():
        module.W_query.fill_(1)

    assert weights["W_query"].sum() == 0


def test_what_could_learn_before_still_can() -> None:
    module = inject(WithParameters(), WEIGHTS)

    assert [module.W_query.requires_grad, module.W_query.is_leaf] == [True, True]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (nn.Parameter(torch.rand(2, 3)), "`W_query` has shape (2, 3); (3, 2) was expected."),
        (nn.Linear(2, 3), "`W_query` has shape (3, 2); (2, 3) was expected."),
        (nn.Linear(3, 6), "`W_query` has shape (6, 3); (2, 3) was expected."),
        (torch.rand(()), "`W_query` has shape (); (3, 2) was expected."),
        (3, "`W_query` is an int; a matrix of weights was expected."),
        (None, "`W_query` is a NoneType; a matrix of weights was expected."),
        (nn.Identity(), "`W_query` is an Identity; a matrix of weights was expected."),
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


@pytest.mark.parametrize("make", [WithParameters, WithLayers, WithDictionary, WithViews, WithCycle])
def test_a_registered_parameter_is_seen_as_itself(make: Callable[[], Any]) -> None:
    module = make()
    found = census(module, NAMES)

    assert list(found) == list(NAMES)
    assert all(found[name] is matrix(module, name) for name in NAMES)


@pytest.mark.parametrize(
    ("make", "found"),
    [
        (WithTensors, Reason.NOT_REGISTERED),
        (WithHidden, Reason.NOT_REGISTERED),
        (WithFrozen, Reason.NOT_TRAINABLE),
        (WithTwins, (Reason.SAME_MATRIX, "W_query")),
    ],
)
def test_what_is_no_parameter_is_said(make: Callable[[], Any], found: object) -> None:
    assert census(make(), NAMES)["W_key"] == found


def test_what_is_no_module_registers_nothing() -> None:
    with pytest.raises(Unsuitable, match=r"no_module.*NoModule"):
        census(NoModule(), NAMES)


def test_a_census_of_a_missing_matrix_is_said() -> None:
    with pytest.raises(Unsuitable, match=r"no_attribute.*W_value"):
        census(WithParameters(), ("W_value",))


def test_two_instances_are_drawn() -> None:
    drawn = draws(WithLayers, NAMES)

    assert type(drawn) is Different
    assert [tuple(one.shape) for one in drawn] == [(2, 3)] * 4
    assert len({one.sum().item() for one in drawn}) == 4
    assert not any(one.requires_grad for one in drawn)


def test_instances_that_begin_alike_are_drawn_alike() -> None:
    first, second, third, fourth = draws(WithConstants, NAMES)

    assert torch.equal(first, third)
    assert torch.equal(second, fourth)


def test_instances_that_share_a_matrix_are_drawn_alike() -> None:
    shared = WithParameters()
    first, _, third, _ = draws(lambda: shared, NAMES)

    assert torch.equal(first, third)


def test_drawn_weights_are_copies() -> None:
    shared = WithParameters()
    first, *_ = draws(lambda: shared, NAMES)
    inject(shared, WEIGHTS)

    assert not torch.equal(first, shared.W_query)


def test_biases_are_seen_where_there_are_some() -> None:
    module = WithLayers(bias=True)

    assert biases(WithLayers(), NAMES) == dict.fromkeys(NAMES)
    assert biases(module, NAMES)["W_key"] is module.W_key.bias


def test_a_bias_that_is_not_registered_is_said() -> None:
    module = WithLayers(bias=True)
    module.W_key = WithHiddenBias()

    found = biases(module, NAMES)

    assert found["W_query"] is module.W_query.bias
    assert found["W_key"] is Reason.NOT_REGISTERED


def test_a_matrix_with_methods_of_its_own_is_seen_by_torchs() -> None:
    module = WithParameters()
    module.W_query.copy_ = lambda other: other
    module.W_query.detach = lambda: torch.rand(3, 2)
    inject(module, WEIGHTS)
    first, _, third, _ = draws(lambda: module, NAMES)

    assert torch.equal(module.W_query, WEIGHTS["W_query"])
    assert torch.equal(first, third)


def test_known_biases_go_into_layers() -> None:
    values = {"W_query": torch.tensor([1.0, 2.0])}
    module = WithLayers(bias=True)

    assert inject_biases(module, values) is module
    assert module.W_query.bias.tolist() == [1, 2]


def test_a_bias_that_is_not_there_is_said() -> None:
    with pytest.raises(Unsuitable, match=r"no_bias.*W_key"):
        inject_biases(WithLayers(), {"W_key": torch.ones(2)})


@pytest.mark.parametrize("name", ["W_query", "W_value"])
def test_what_is_no_layer_is_said(name: str) -> None:
    with pytest.raises(Unsuitable, match=rf"no_layer.*{name}"):
        layer(WithParameters(), name)


@pytest.mark.parametrize("layers", [False, True])
def test_a_holder_holds_given_matrices(layers: bool) -> None:
    held = holder(WEIGHTS, layers=layers)

    kind = nn.Linear if layers else nn.Parameter
    assert all(isinstance(getattr(held, name), kind) for name in NAMES)
    for name, value in matrices(held, NAMES).items():
        assert torch.equal(value.T if layers else value, WEIGHTS[name])  # type: ignore[attr-defined]


@pytest.mark.parametrize("make", [WithParameters, WithViews, WithDictionary, WithLayers])
def test_each_matrix_gets_its_gradient(make: Callable[[], Any]) -> None:
    x, upstream = torch.rand(4, 3), torch.rand(4, 2)
    module = inject(make(), WEIGHTS)
    seen = gradients(module, NAMES, module(x), upstream)

    wanted = x.T @ upstream
    for name in NAMES:
        value: Any = seen[name]
        assert torch.allclose(value.T if make is WithLayers else value, wanted)


def test_no_gradient_arrives_through_a_cut_graph() -> None:
    module = WithParameters()

    assert gradients(module, NAMES, module(torch.ones(1, 3)).detach(), torch.ones(1, 2)) == {
        "W_query": None,
        "W_key": None,
    }


def test_no_gradient_arrives_where_a_matrix_is_not_used() -> None:
    module = WithParameters()
    seen = gradients(module, NAMES, torch.ones(1, 3) @ module.W_key, torch.ones(1, 2))

    assert seen["W_query"] is None
    assert seen["W_key"] is not None


@pytest.mark.parametrize("output", [None, 3, np.ones(2), "text"])
def test_no_gradient_comes_from_what_is_no_tensor(output: object) -> None:
    assert gradients(WithParameters(), NAMES, output, torch.ones(1, 2)) == dict.fromkeys(NAMES)


@pytest.mark.parametrize("make", MODULES)
def test_all_that_is_seen_can_be_sent(make: Callable[[], Any]) -> None:
    freeze(census(make(), NAMES))
    freeze(draws(make, NAMES))
    freeze(matrices(make(), NAMES))


# What gradients reach.

REACHED: dict[str, tuple[Callable[[Any], object], list[str]]] = {
    "a product": (lambda case: case.x @ case.y, ["x", "y", RESULT]),
    "one input of two": (lambda case: case.x @ case.y.detach(), ["x", RESULT]),
    "one of several results": (lambda case: (1, [case.x * 2, "text"]), ["x", RESULT]),
    "one in a dictionary": (lambda case: {"a": case.y.sum()}, ["y", RESULT]),
    "parameters of its own": (lambda _: nn.Parameter(torch.ones(2)) * 2, [RESULT]),
    "detached": (lambda case: (case.x @ case.y).detach(), []),
    "a number": (lambda case: case.x.sum().item(), []),
    "NumPy refuses": (lambda case: torch.from_numpy(case.x.numpy() * 2), []),
    "made anew": (lambda case: torch.tensor(case.x.tolist()), []),
    "nothing": (lambda _: None, []),
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


def test_what_is_listened_to_is_as_before_even_if_the_step_raises() -> None:
    holder = SimpleNamespace(divide=lambda x: 1 / x)
    original = holder.divide

    with pytest.raises(ZeroDivisionError):
        calls(holder, "divide", lambda: holder.divide(0))
    assert holder.divide is original


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


@pytest.mark.parametrize("held", [torch.eye(3), nn.Parameter(torch.eye(3)), None])
def test_what_is_no_buffer_stays(held: object) -> None:
    module = nn.Module()
    module.mask = held
    probing.uniform_buffer(module, "mask")
    assert (module.mask is None) is (held is None)
    assert held is None or torch.equal(module.mask, torch.eye(3))
