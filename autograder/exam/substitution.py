"""Run the reference, or single steps of it, with some steps replaced by mistakes."""

from __future__ import annotations

import functools
import inspect
import random
import threading
from collections import defaultdict
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.assignment.cases import Draw
from autograder.assignment.checks import VALUE
from autograder.assignment.probes import reset_state
from autograder.exam.reference import flat, thawed, try_to_observe
from autograder.exam.rounding import agrees_up_to_rounding, shaken
from autograder.no_warnings import quiet
from autograder.values.values import freeze, thaw
from autograder.values.wire import FORWARD, SELF

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from types import ModuleType

    from autograder.assignment.cases import DocumentedCase
    from autograder.assignment.checks import Probe
    from autograder.assignment.mistakes import Mistake
    from autograder.assignment.source import Source
    from autograder.exam.reference import Answer, Inputs, Numbers
    from autograder.values.values import Value

# Layers that a class with a stand-in may hold, and the arguments that make them.
_LAYERS = {"Linear": ("in_features", "out_features", "bias"), "Dropout": ("p",)}


@dataclass(frozen=True)
class PairTable:
    """The answers of all pairs of mistakes, for a fast search among thousands.

    Attributes:
        inputs: the inputs of these answers.
        names: maps a count of numbers to the pairs whose answers have that count.
        numbers: the numbers of the same answers, one row per answer.
    """

    inputs: Inputs
    names: Mapping[int, list[tuple[str, ...]]]
    numbers: Mapping[int, Numbers]

    def near(self, seen: Value) -> list[tuple[str, ...]]:
        """Return the pairs with nearly these numbers, to compare exactly."""
        wanted = flat(seen)
        if wanted.size not in self.names:
            return []
        close = np.isclose(self.numbers[wanted.size], wanted, rtol=1e-2, atol=1e-3).all(axis=1)
        return [self.names[wanted.size][place] for place in np.flatnonzero(close)]


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
        self._checks = {check.name: check for check in source.assignment.checks}
        self._tables: dict[tuple[str, Probe, int], PairTable] = {}
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

    def module_with_mistakes(self, names: Iterable[str]) -> ModuleType:
        """Return the reference with these mistakes."""
        mistakes = [self._by_name[name].replaced for name in names]
        return self._source.reference(
            {name: mistake[name] for mistake in mistakes for name in mistake}
        )

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
        """Map the known mistakes of the functions among the steps that a step calls to these.

        Those that stand for no computation are left out.
        """
        called = {
            name
            for name in (self.uses[step] - {step}) & self._checks.keys()
            if not isinstance(self._right[name], type)
        }
        return {
            mistake.name: mistake.step
            for mistake in self._mistakes
            if mistake.step in called and mistake.carried
        }

    def declared_for(self, mistake: str) -> str:
        """Return the function of the reference that a mistake is one of."""
        return self._by_name[mistake].step

    def pairs(self, step: str, probe: Probe, inputs: Inputs) -> PairTable:
        """Return the answers with two mistakes of steps that a step calls, made once for these inputs."""
        # The table holds the inputs, so that no others get their id.
        key = (step, probe, id(inputs))
        with self._lock, quiet():  # known mistakes may overflow on purpose
            if key not in self._tables:
                self._tables[key] = self._table(step, probe, inputs)
            return self._tables[key]

    def matches_pair(
        self, pair: tuple[str, ...], probe: Probe, inputs: Inputs, seen: Value
    ) -> bool:
        """Return whether the reference with both mistakes gives the observed answer, up to rounding."""
        mistakes = [self._by_name[name] for name in pair]
        with self._lock, quiet():
            answer = self._answer_with(mistakes, probe, inputs)
            return answer is not None and agrees_up_to_rounding(
                answer[0], seen, lambda: self._answer_with(mistakes, probe, shaken(inputs))
            )

    def _table(self, step: str, probe: Probe, inputs: Inputs) -> PairTable:
        names: dict[int, list[tuple[str, ...]]] = defaultdict(list)
        numbers: dict[int, list[Numbers]] = defaultdict(list)
        for pair in combinations(self.mistakes_of_called(step), 2):
            first, second = (self._by_name[name] for name in pair)
            if first.replaced.keys().isdisjoint(second.replaced):
                answer = self._answer_with((first, second), probe, inputs)
                if answer is not None:
                    found = flat(answer[0])
                    names[found.size].append(pair)
                    numbers[found.size].append(found)
        return PairTable(inputs, names, {size: np.stack(rows) for size, rows in numbers.items()})

    def _answer_with(self, mistakes: Iterable[Mistake], probe: Probe, inputs: Inputs) -> Answer:
        """Return the probe's result with these mistakes, without gradients; None if an exception is raised.

        Replacing names in one module is 100 times as fast as making a module for each pair, and a run with gradients
        takes half as long again.
        """
        import torch  # noqa: PLC0415 - needed only with a reference

        space = vars(self._module)
        try:
            for mistake in mistakes:
                space.update(mistake.replaced)
            reset_state()
            with torch.no_grad():
                return (freeze(probe(self._module, SimpleNamespace(**thawed(inputs)))),)
        except (Exception, SystemExit):  # noqa: BLE001 - many mistakes raise for some shapes; there is no answer then
            return None
        finally:
            space.update(self._right)


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
