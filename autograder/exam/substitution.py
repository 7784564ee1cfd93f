"""Run the reference, or single steps of it, with some steps replaced by mistakes."""

from __future__ import annotations

import functools
import inspect
import itertools
import random
import threading
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.assignment.cases import Draw
from autograder.assignment.checks import VALUE
from autograder.assignment.probes import reset_state
from autograder.compare import agrees
from autograder.exam.reference import thawed, try_to_observe
from autograder.exam.rounding import without_each
from autograder.no_warnings import quiet
from autograder.values.values import ListValue, freeze, thaw
from autograder.values.wire import FORWARD, SELF

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import ModuleType

    from autograder.assignment.cases import DocumentedCase
    from autograder.assignment.checks import Probe
    from autograder.assignment.source import Source
    from autograder.exam.reference import Answer, Inputs
    from autograder.values.values import Value

# Layers that a class with a stand-in may hold, and the arguments that make them.
_LAYERS = {"Linear": ("in_features", "out_features", "bias"), "Dropout": ("p",)}


class Substitution:
    """Replace steps of one assignment's reference.

    Attributes:
        uses: for each step, the step itself and all steps that it calls, directly or indirectly.
    """

    def __init__(self, source: Source) -> None:
        self.uses = source.uses
        self._source = source
        self._module = source.reference({})
        self._right = dict(vars(self._module))
        self._mistakes = [mistake for mistake in source.mistakes if mistake.shows_in == VALUE]
        self._by_name = {mistake.name: mistake for mistake in source.mistakes}
        self._checks = source.assignment.by_step
        self._left_out: dict[tuple[str, int], tuple[Inputs, bool]] = {}
        # Submissions are graded in parallel and share one module and one set of random generators.
        self._lock = threading.Lock()

    def right(self, step: str) -> Callable[..., object]:
        """Return a step of the reference."""
        function: Callable[..., object] = self._right[step]
        return function

    def parameters(self, step: str) -> list[str]:
        """Return the names of the parameters of a step; of a class, those of `forward` follow, as `forward_x`."""
        right = self._right[step]
        names = list(inspect.signature(right).parameters)
        if isinstance(right, type):
            _, *given = inspect.signature(right.forward).parameters  # type: ignore[attr-defined]
            names += [f"{FORWARD}{name}" for name in given]
        return names

    def answer(
        self, step: str, inputs: Inputs, upstream: Sequence[Value] | None, number: int = 0
    ) -> dict[str, Value]:
        """Return what a step of the reference gives for these arguments, as `value`; nothing if it cannot.

        With the gradients of the tensors in its result, `upstream`, the value holds the gradient of each argument. What
        a class draws depends on the `number` of the call.
        """
        import torch  # noqa: PLC0415 - needed only with a reference

        right = self._right[step]
        function = partial(_module, right) if isinstance(right, type) else right
        try:
            with self._lock, quiet(), torch.random.fork_rng(devices=()):
                torch.manual_seed(number)
                given = thawed(inputs)
                if upstream is None:
                    return {"value": freeze(function(**given))}
                gradients = [thaw(part) for part in upstream]
                found = _pulled_back(function, given, gradients)
                return {"value": freeze(found)} if found else {}
        except Exception:  # noqa: BLE001 - the arguments are a student's: the reference may raise anything
            return {}

    @functools.cached_property
    def stand_ins(self) -> frozenset[str]:
        """The steps that can have a stand-in: what another step uses or builds on, but functions that draw or seed."""
        built_on = {name for check in self._source.assignment.checks for name in check.builds_on}
        used = {name for step, names in self.uses.items() for name in names - {step}}
        return frozenset(
            name
            for name in (built_on | used) & self._checks.keys()
            if isinstance(self._right[name], type) or not self._draws(name)
        )

    def _draws(self, step: str) -> bool:
        """Return whether a step of the reference draws or seeds, seen on its first case."""
        probe = self._checks[step].criterion(VALUE).probes[0]
        drawn = self._source.cases.drawn[step](Draw("stand-ins", step))
        inputs = {name: freeze(value) for name, value in drawn.items()}
        with self._lock:
            reset_state()
            before = _random_states()
            try_to_observe(probe, self._module, inputs)
            return _random_states() != before

    def module_with_mistake(self, name: str) -> ModuleType:
        """Return the reference with a mistake."""
        return self._source.reference(self._by_name[name].replaced)

    def observe(self, probe: Probe, module: ModuleType, inputs: Inputs) -> Answer:
        """Return a probe's result on a module of ours; None if it raises an exception."""
        with self._lock:
            return try_to_observe(probe, module, inputs)

    def documented(self, step: str, module: ModuleType) -> tuple[DocumentedCase, ...]:
        """Return a step's documented cases, computed by a module of ours; none if it raises."""
        try:
            with self._lock, quiet():
                return tuple(self._source.cases.documented[step](module, self._source.numbers))
        except Exception:  # noqa: BLE001 - a mistake may raise any exception
            return ()

    def mistakes_of_called(self, step: str) -> dict[str, str]:
        """Map the known mistakes of the functions among the steps that a step calls to these."""
        called = {
            name
            for name in (self.uses[step] - {step}) & self._checks.keys()
            if not isinstance(self._right[name], type)
        }
        return {mistake.name: mistake.task for mistake in self._mistakes if mistake.task in called}

    def leaves_out(self, mistake: str, probe: Probe, inputs: Inputs) -> bool:
        """Return whether an answer with a mistake depends on neither of two inputs that work only together.

        The right answer is the same without the one as without the other: without queries or without keys, say, all
        weights are equal.
        """
        # The inputs are kept, so that no others get their id.
        key = (mistake, id(inputs))
        if key not in self._left_out:
            made = self.module_with_mistake(mistake)
            right, wrong = (self._parts(probe, one, inputs) for one in (self._module, made))
            self._left_out[key] = inputs, any(map(_leaves_out, right, wrong))
        return self._left_out[key][1]

    def _parts(self, probe: Probe, module: ModuleType, inputs: Inputs) -> list[tuple[Value, ...]]:
        """Return each part of a module's answer: as it is, then without each input; nothing if one run raises."""
        answers = [self.observe(probe, module, given) for given in (inputs, *without_each(inputs))]
        return list(
            zip(*(_parts_of(*answer) if answer else () for answer in answers), strict=False)
        )

    def declared_for(self, mistake: str) -> str:
        """Return the function of the reference that a mistake is one of."""
        return self._by_name[mistake].task


def _parts_of(value: Value) -> tuple[Value, ...]:
    return value.items if isinstance(value, ListValue) else (value,)


def _leaves_out(right: Sequence[Value], wrong: Sequence[Value]) -> bool:
    """Return whether a part of a wrong answer depends on neither of two inputs that work only together.

    Args:
        right: the part of the right answer: as it is, then without each input.
        wrong: the same part of the wrong answer.
    """
    idle = [
        without
        for without, other in zip(right[1:], wrong[1:], strict=True)
        if agrees(wrong[0], other) and not agrees(right[0], without)
    ]
    return any(itertools.starmap(agrees, itertools.combinations(idle, 2)))


def _random_states() -> tuple[object, ...]:
    import torch  # noqa: PLC0415 - needed only with a reference

    states = random.getstate(), np.random.get_state(), torch.get_rng_state().tolist()
    return tuple(map(repr, states))


def _module(made: type, **given: Any) -> object:
    """Return the layers of a new instance of a class, or what its `forward` gives.

    Args:
        given: the arguments of the class. For `forward` also its own arguments, as `forward_x`, and of the instance
            `self_training` and its parameters, as `self_W_query.weight`.
    """
    import torch  # noqa: PLC0415 - needed only with a reference

    own = {
        name.removeprefix(SELF): given.pop(name) for name in list(given) if name.startswith(SELF)
    }
    passed = {
        name.removeprefix(FORWARD): given.pop(name)
        for name in list(given)
        if name.startswith(FORWARD)
    }
    instance = made(**given)
    if own:
        instance.train(own.pop("training"))
        return torch.func.functional_call(instance, own, (), passed)
    found: dict[str, object] = {
        name: [
            type(layer).__name__,
            {one: _option(layer, one) for one in _LAYERS[type(layer).__name__]},
        ]
        for name, layer in instance.named_children()
    }
    for name, parameter in instance.named_parameters(recurse=False):
        found[name] = ["parameter", parameter.detach()]
    for name, buffer in instance.named_buffers(recurse=False):
        found[name] = ["buffer", buffer]
    return found


def _option(layer: Any, name: str) -> object:
    return layer.bias is not None if name == "bias" else getattr(layer, name)


def _pulled_back(
    step: Callable[..., object], inputs: Mapping[str, Any], upstream: Sequence[Any]
) -> dict[str, object] | None:
    """Return the gradient of each argument of a step, or None for one that none reaches.

    Returns None if no gradient flows through the step. Raises what the step raises.

    Args:
        upstream: the gradient of each tensor in the result, in order.
    """
    import torch  # noqa: PLC0415 - needed only with a reference

    leaves = {
        name: value.requires_grad_()
        for name, value in inputs.items()
        if isinstance(value, torch.Tensor) and value.is_floating_point()
    }
    with torch.enable_grad():
        pairs = zip(_tensors(step(**inputs)), upstream, strict=True)
        flowing = [pair for pair in pairs if pair[0].requires_grad]
    if not flowing:
        return None
    outputs, above = zip(*flowing, strict=True)
    gradients = torch.autograd.grad(outputs, list(leaves.values()), above, allow_unused=True)
    return dict.fromkeys(inputs) | dict(zip(leaves, gradients, strict=True))


def _tensors(result: object) -> list[Any]:
    """Return the tensors in a step's result, in order."""
    if isinstance(result, list | tuple):
        return [tensor for part in result for tensor in _tensors(part)]
    return [result] if hasattr(result, "requires_grad") else []
