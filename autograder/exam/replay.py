"""Record one run of the reference and replay it with some functions replaced.

The reference's classes pass numbers from function to function, so the calls of one run can be
recorded and repeated. The results before a replaced function are then known, and neither the module
nor the probe has to run again.
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

# Maps the id of an object in the recorded run to its replacement.
Replaced = dict[int, Any]


@dataclass(frozen=True)
class _Call:
    name: str
    arguments: tuple[Any, ...]
    answer: Any


class Replay:
    """The recorded calls of a module's functions during one probe.

    Only data passed from call to call is replayed; values that a caller computes itself stay as
    recorded. So the user must first verify, for each mistake alone, that the replay gives the
    module's own answer. No function may modify its arguments, because all replays share them.
    """

    def __init__(
        self, probe: Probe, module: ModuleType, names: Iterable[str], inputs: Mapping[str, Any]
    ) -> None:
        space = vars(module)
        self._right = {name: space[name] for name in names if type(space[name]) is FunctionType}
        self._calls: list[_Call] = []
        # For each mistake: the index of its first call, and the states before each call and after
        # the last, up to the first exception.
        self._alone: dict[str, tuple[int, list[Replaced]]] = {}
        try:
            space.update({name: self._recorded(name) for name in self._right})
            self._outcome = probe(module, SimpleNamespace(**inputs))
        finally:
            space.update(self._right)

    def _recorded(self, name: str) -> Callable[..., Any]:
        """Return a function that records its calls. Calls with the same objects count as one."""
        known: dict[tuple[object, ...], Any] = {}

        def call(*arguments: Any, **options: Any) -> Any:
            key = tuple(map(_place, arguments))
            if key in known and not options:
                return known[key]
            answer = self._right[name](*arguments, **options)
            # A function without a result is called for its side effect: run each call, record none.
            if answer is not None and not options:
                self._calls.append(_Call(name, arguments, answer))
                known[key] = answer
            return answer

        return call

    def reaches(self, mistake: Mistake) -> bool:
        """Return whether the calls include every function that the mistake replaces."""
        return mistake.replaced.keys() <= {call.name for call in self._calls}

    def alone(self, mistake: Mistake) -> Any:
        """Return the probe's result with this mistake. Raises any exception of its functions."""
        functions = {**self._right, **mistake.replaced}
        reached = [Replaced()]
        names = [call.name for call in self._calls]
        first = min(names.index(name) for name in mistake.replaced)
        self._alone[mistake.name] = (first, reached)
        for call in self._calls:
            state = reached[-1].copy()
            _repeat(call, functions[call.name], state)
            reached.append(state)
        return _replaced(self._outcome, reached[-1])

    def together(self, first: Mistake, second: Mistake) -> Any:
        """Return the probe's result with both mistakes. Call `alone` for each mistake first."""
        earlier, later = sorted((first, second), key=lambda mistake: self._alone[mistake.name][0])
        _, states = self._alone[earlier.name]
        start, _ = self._alone[later.name]
        state = states[start].copy()  # IndexError if the earlier mistake raised before this call
        functions = {**self._right, **first.replaced, **second.replaced}
        for call in self._calls[start:]:
            _repeat(call, functions[call.name], state)
        return _replaced(self._outcome, state)


def _repeat(call: _Call, function: Callable[..., Any], state: Replaced) -> None:
    """Repeat a call with replaced arguments, and store the answer and the parts of a tuple."""
    answer = function(*(state.get(id(argument), argument) for argument in call.arguments))
    state[id(call.answer)] = answer
    if isinstance(call.answer, tuple):
        for part, new in zip(call.answer, answer, strict=True):
            state[id(part)] = new


def _replaced(outcome: Any, state: Replaced) -> Any:
    if id(outcome) in state:
        return state[id(outcome)]
    if type(outcome) is tuple:
        return tuple(_replaced(part, state) for part in outcome)
    if type(outcome) is dict:
        return {key: _replaced(part, state) for key, part in outcome.items()}
    return outcome


def _place(argument: Any) -> object:
    """Return a key for an object: its id, or for a tensor its address, shape and stride.

    Each access to `matrix.T` makes a new tensor, so a tensor's id is not enough.
    """
    if hasattr(argument, "data_ptr"):
        return (argument.data_ptr(), argument.shape, argument.stride())
    return id(argument)
