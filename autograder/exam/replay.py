"""One run of the reference, made again with some of its functions exchanged.

The reference's classes pass numbers from function to function, so the calls of one run can be written down and made
again. What comes before an exchanged function is then at hand, and neither the module nor the probe is needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import FunctionType, SimpleNamespace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from types import ModuleType

    from autograder.assignment.checks import Probe
    from autograder.assignment.mistakes import Mistake

# For what was there when the run was written down, by its id, what stands in its place.
State = dict[int, Any]


@dataclass(frozen=True)
class _Call:
    name: str
    arguments: tuple[Any, ...]
    answer: Any


class Replay:
    """The calls that a probe makes of a module's functions.

    Only the way from call to call is known: what a caller computes itself stays as it was. Whoever makes a run again
    has to see for each exchanged function alone that the answer is the one that the module gives. No function may
    change what it is given, since all runs share it.
    """

    def __init__(
        self, probe: Probe, module: ModuleType, names: Iterable[str], inputs: Mapping[str, Any]
    ) -> None:
        space = vars(module)
        self._right = {name: space[name] for name in names if type(space[name]) is FunctionType}
        self._calls: list[_Call] = []
        # For each mistake its first call, and what was there before each call and after the last, until one raised.
        self._alone: dict[str, tuple[int, list[State]]] = {}
        try:
            space.update({name: self._written_down(name) for name in self._right})
            self._outcome = probe(module, SimpleNamespace(**inputs))
        finally:
            space.update(self._right)

    def _written_down(self, name: str) -> Callable[..., Any]:
        """A function that keeps its calls. Two calls with the same objects are one."""
        known: dict[tuple[object, ...], Any] = {}

        def call(*arguments: Any, **options: Any) -> Any:
            key = tuple(map(_place, arguments))
            if key in known and not options:
                return known[key]
            answer = self._right[name](*arguments, **options)
            if (
                answer is not None and not options
            ):  # whoever returns nothing is called for what it does, once
                self._calls.append(_Call(name, arguments, answer))
                known[key] = answer
            return answer

        return call

    def reaches(self, mistake: Mistake) -> bool:
        """Whether all that the mistake exchanges is among the calls."""
        return mistake.replaced.keys() <= {call.name for call in self._calls}

    def alone(self, mistake: Mistake) -> Any:
        """What the probe would see with this mistake. Raises what its functions raise."""
        functions = {**self._right, **mistake.replaced}
        reached = [State()]
        names = [call.name for call in self._calls]
        first = min(names.index(name) for name in mistake.replaced)
        self._alone[mistake.name] = (first, reached)
        for call in self._calls:
            state = reached[-1].copy()
            _make(call, functions[call.name], state)
            reached.append(state)
        return _put_in(self._outcome, reached[-1])

    def together(self, one: Mistake, other: Mistake) -> Any:
        """What it would see with both, once it was asked for each alone."""
        first, reached = self._alone[one.name]
        start, others = self._alone[other.name]
        if start < first:
            start, reached = first, others
        # Where the earlier one raises before the later one is called, there is no state to go on from.
        state = reached[start].copy()
        functions = {**self._right, **one.replaced, **other.replaced}
        for call in self._calls[start:]:
            _make(call, functions[call.name], state)
        return _put_in(self._outcome, state)


def _make(call: _Call, function: Callable[..., Any], state: State) -> None:
    """Make a call with what stands in its arguments' place, and keep the answer as a whole and in parts."""
    answer = function(*(state.get(id(one), one) for one in call.arguments))
    state[id(call.answer)] = answer
    if isinstance(call.answer, tuple):
        for part, new in zip(call.answer, answer, strict=True):
            state[id(part)] = new


def _put_in(thing: Any, state: State) -> Any:
    if id(thing) in state:
        return state[id(thing)]
    if type(thing) is tuple:
        return tuple(_put_in(part, state) for part in thing)
    if type(thing) is dict:
        return {key: _put_in(part, state) for key, part in thing.items()}
    return thing


def _place(thing: Any) -> object:
    """Which object it is; for a tensor where its numbers are, since each look at a matrix's transpose is a new one."""
    if hasattr(thing, "data_ptr"):
        return (thing.data_ptr(), thing.shape, thing.stride())
    return id(thing)
