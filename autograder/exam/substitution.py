"""Run the reference with some steps replaced: by two mistakes, or by a student's own step."""

from __future__ import annotations

import inspect
import random
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import combinations
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.assignment.checks import VALUE
from autograder.assignment.probes import reset_state
from autograder.compare import agrees
from autograder.exam.reference import flat, thawed, try_to_observe
from autograder.exam.replay import Replay
from autograder.exam.rounding import agrees_up_to_rounding, shaken
from autograder.no_warnings import quiet
from autograder.values.numbers import arrays_in, numbers_in
from autograder.values.values import Array, freeze, identical, thaw

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from collections.abc import Mapping as AbstractMapping

    from autograder.assignment.checks import Probe
    from autograder.assignment.mistakes import Mistake
    from autograder.assignment.source import Source
    from autograder.exam.reference import Inputs, Numbers
    from autograder.values.values import Value

    Pair = tuple[str, str]

# Limit on the numbers that a student's step may return. The reference continues with them and could
# produce far more.
MOST_NUMBERS = 1000


class Unanswered(Exception):
    """A student's step returned no usable input for the rest of the reference."""


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
        self._mistakes = [one for one in source.mistakes if one.shows_in == VALUE]
        self._by_name = {one.name: one for one in source.mistakes}
        self._tables: dict[tuple[str, Probe], list[_Table]] = {}
        # Submissions are graded in parallel and share one module and one set of random generators.
        self._lock = threading.Lock()

    def composed(
        self, probe: Probe, inputs: Inputs, step: str, ask: Callable[[Inputs], Value]
    ) -> tuple[Value] | None:
        """Return a probe's result on the reference with one step of the student.

        Returns None if this gives no answer.
        """
        signature = inspect.signature(self._right[step])

        def stand_in(*arguments: Any, **options: Any) -> Any:
            bound = signature.bind(*arguments, **options)
            bound.apply_defaults()
            inputs = {name: _cut(freeze(thing)) for name, thing in bound.arguments.items()}
            with self._given_back():
                answer = ask(inputs)
            if _count(answer) > MOST_NUMBERS:
                raise Unanswered(step)
            return thaw(answer)

        module = self._source.reference()
        setattr(module, step, stand_in)
        with self._lock:
            return try_to_observe(probe, module, inputs)

    @contextmanager
    def _given_back(self) -> Iterator[None]:
        """Release the lock in this block, so that others can run the reference.

        Afterwards the states of the random generators are restored.
        """
        import torch  # noqa: PLC0415 - needed only with a reference

        states = random.getstate(), np.random.get_state(), torch.get_rng_state()
        self._lock.release()
        try:
            yield
        finally:
            self._lock.acquire()
            random.setstate(states[0])
            np.random.set_state(states[1])
            torch.set_rng_state(states[2])

    def pairs(self, step: str, probe: Probe, inputs: Inputs, seen: Value) -> list[Pair]:
        """Return the pairs of mistakes, in a step or the steps that it calls, with this answer."""
        with self._lock, quiet():  # known mistakes may overflow on purpose
            near = self._table_for(step, probe, inputs).near(seen)
            return [pair for pair, value in near if self._met(pair, probe, inputs, value, seen)]

    def answers(self, pair: Pair, probe: Probe, inputs: Inputs, seen: Value) -> bool:
        """Return whether the reference with both mistakes gives the observed answer."""
        with self._lock, quiet():
            answer = self._with(self._both(pair), probe, inputs)
            return answer is not None and self._met(pair, probe, inputs, answer[0], seen)

    def _met(self, pair: Pair, probe: Probe, inputs: Inputs, answer: Value, seen: Value) -> bool:
        """Return whether the observed answer equals a pair's answer, up to rounding."""
        return agrees_up_to_rounding(
            answer, seen, lambda: self._with(self._both(pair), probe, shaken(inputs))
        )

    def _both(self, pair: Pair) -> list[Mistake]:
        return [self._by_name[name] for name in pair]

    def _table_for(self, step: str, probe: Probe, inputs: Inputs) -> _Table:
        """Return the table for these inputs, made once: all submissions share the questions."""
        tables = self._tables.setdefault((step, probe), [])
        table = next((one for one in tables if one.inputs is inputs), None)
        if table is None:
            table = self._table(step, probe, inputs)
            tables.append(table)
        return table

    def _table(self, step: str, probe: Probe, inputs: Inputs) -> _Table:
        table = _Table(inputs)
        alone = self._concerned(step, probe, inputs)
        replay, again = self._replay(step, probe, inputs, alone)
        for one, other in combinations([self._by_name[name] for name in alone], 2):
            if one.replaced.keys() & other.replaced.keys():
                continue
            if one.name in again and other.name in again:
                answer = _try_without_gradients(replay.together, one, other)
            else:
                answer = self._with((one, other), probe, inputs)
            if answer is not None:
                table.add((one.name, other.name), answer[0])
        return table

    def _concerned(self, step: str, probe: Probe, inputs: Inputs) -> dict[str, tuple[Value] | None]:
        """Return the mistakes that can form a pair, and the answer with each mistake alone.

        Of several mistakes with the same effect in the same functions, only one is kept. The same
        effect in other functions is kept, because it combines differently with a second mistake.
        """
        concerned = [one for one in self._mistakes if one.step in self.uses[step]]
        answers = {one.name: self._with((one,), probe, inputs) for one in concerned}
        return {
            one.name: answers[one.name]
            for one in concerned
            if one.same_as not in answers
            or self._by_name[one.same_as].replaced.keys() != one.replaced.keys()
            or not _same(answers[one.same_as], answers[one.name])
        }

    def _replay(
        self,
        step: str,
        probe: Probe,
        inputs: Inputs,
        alone: AbstractMapping[str, tuple[Value] | None],
    ) -> tuple[Replay, set[str]]:
        """Return a recorded run, and the mistakes that its replay handles correctly alone.

        A replay takes a tenth of the time of a run.
        """
        parts = {name for name in self.uses[step] if self.uses[name] == {name}}
        reset_state()
        replay = Replay(probe, self._module, parts, thawed(inputs))
        known = self._by_name
        return replay, {
            name
            for name, answer in alone.items()
            if replay.reaches(known[name])
            and _alike(answer, _try_without_gradients(replay.alone, known[name]))
        }

    def _with(
        self, mistakes: Iterable[Mistake], probe: Probe, inputs: Inputs
    ) -> tuple[Value] | None:
        """Return the probe's result with these mistakes; None if an exception is raised.

        Replacing names in one module is 100 times as fast as making a module for each pair.
        """
        space = vars(self._module)
        try:
            for mistake in mistakes:
                space.update(mistake.replaced)
            reset_state()
            return _try_without_gradients(probe, self._module, SimpleNamespace(**thawed(inputs)))
        finally:
            space.update(self._right)


@dataclass
class _Table:
    """The computed answers of all pairs, for a fast search among thousands.

    Attributes:
        inputs: the inputs of these answers.
        rows: maps a count of numbers to the pairs whose answers have that count, with the answers.
        stacked: the numbers of the same answers, one row per answer.
    """

    inputs: Inputs
    rows: dict[int, list[tuple[Pair, Value]]] = field(default_factory=dict)
    stacked: dict[int, Numbers] = field(default_factory=dict)

    def add(self, names: Pair, value: Value) -> None:
        self.rows.setdefault(numbers_in(value).size, []).append((names, value))

    def near(self, seen: Value) -> list[tuple[Pair, Value]]:
        """Return the pairs with nearly these numbers, and their answers, to compare exactly."""
        numbers = flat(seen)
        rows = self.rows.get(numbers.size, [])
        if not rows:
            return []
        if numbers.size not in self.stacked:
            self.stacked[numbers.size] = np.stack([flat(value) for _, value in rows])
        close = np.isclose(self.stacked[numbers.size], numbers, rtol=1e-2, atol=1e-3).all(axis=1)
        return [rows[place] for place in np.flatnonzero(close).tolist()]


def _try_without_gradients(
    action: Callable[..., object], *arguments: object
) -> tuple[Value] | None:
    """Return the result of an action without gradients, in two thirds of the time.

    Returns None if the action raises an exception. Use this only for our own code.
    """
    import torch  # noqa: PLC0415 - needed only with a reference

    try:
        with torch.no_grad():
            return (freeze(action(*arguments)),)
    except Exception:  # noqa: BLE001 - many mistakes raise for some shapes; there is no answer then
        return None


def _same(one: tuple[Value] | None, other: tuple[Value] | None) -> bool:
    """Return whether there are two answers and they agree within the tolerance."""
    return one is not None and other is not None and agrees(one[0], other[0])


def _alike(one: tuple[Value] | None, other: tuple[Value] | None) -> bool:
    """Return whether there are two bit-identical answers, or no answers."""
    if one is None or other is None:
        return one is other
    return identical(one[0], other[0])


def _cut(value: Value) -> Value:
    """Return a tensor without its graph, as each step receives it."""
    if isinstance(value, Array) and value.kind == "parameter":
        return Array("tensor", value.dtype, value.data)
    return replace(value, requires_grad=False) if isinstance(value, Array) else value


def _count(value: Value) -> int:
    return sum(part.size for part in arrays_in(value))
