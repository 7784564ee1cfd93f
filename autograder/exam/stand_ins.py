"""Right answers for functions that stand in for some of a student's steps in a worker.

The worker sends the arguments of a call; the reference computes the answer here. All that comes is untrusted: it is no
larger than what the question itself needs, and what the reference raises stays here.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from autograder.errors import ProtocolError
from autograder.values.extent import Extent, extent
from autograder.values.values import Array, DictValue, ListValue, freeze
from autograder.values.wire import MARK_LENGTH, decode, encode, frame

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from autograder.exam.substitution import Substitution
    from autograder.values.values import Value

MOST_CALLS = 1_000  # of one question
MOST_CALLS_WHILE_LOADING = 10_000
_LARGEST_INTEGER = 10_000
_MARK = b"0" * MARK_LENGTH


class TooManyCallsError(Exception):
    """The steps that stand in were called too often."""


class StandIns:
    """Answers the calls of some steps in one worker.

    Attributes:
        parameters: for each step that has a stand-in, the names of its parameters.
        called: the steps that were called.
        refused: the last call that the reference could not answer: the step, and its arguments.
    """

    def __init__(self, substitution: Substitution, steps: Sequence[str]) -> None:
        self._substitution = substitution
        self.parameters = {
            step: list(inspect.signature(substitution.right(step)).parameters) for step in steps
        }
        self.called: set[str] = set()
        self.refused: tuple[str, Mapping[str, Value]] | None = None
        self._left, self._limit = 0, Extent()

    def begin(self, inputs: Mapping[str, Value] | None) -> None:
        """Begin a question with these inputs; None stands for loading the file."""
        self.refused = None
        self._left = MOST_CALLS_WHILE_LOADING if inputs is None else MOST_CALLS
        sizes = [extent(value) for value in (inputs or {}).values()]
        dimension = max((size.dimension for size in sizes), default=100)
        numbers = max((size.numbers for size in sizes), default=0)
        self._limit = Extent(100, max(numbers, dimension**2), dimension, 1_000)

    def reply(self, fields: bytes) -> bytes:
        """Return the message that answers a call. Raises TooManyCallsError, and ProtocolError if it is none."""
        self._left -= 1
        if self._left < 0:
            raise TooManyCallsError
        call = decode(fields)
        content = dict(call.items) if isinstance(call, DictValue) else {}
        number, step, inputs = (content.get(name) for name in ("number", "step", "inputs"))
        if step not in self.parameters or not isinstance(inputs, DictValue):
            raise ProtocolError("a call of no step that has a stand-in")
        assert isinstance(step, str)
        self.called.add(step)
        given = {str(name): _cut(value) for name, value in inputs.items}
        upstream = content.get("upstream")
        parts = upstream.items if isinstance(upstream, ListValue) else None
        answer = {}
        if self._fits(inputs) and self._fits(upstream):
            answer = self._substitution.answer(step, given, parts)
        if not answer:
            self.refused = step, given
        reply: dict[str, object] = {"op": "answer", "number": number, **answer}
        return frame(encode(freeze([reply]))) + _MARK

    def _fits(self, value: Value) -> bool:
        waiting, whole = [value], extent(value)
        while waiting:
            part = waiting.pop()
            if type(part) is int and abs(part) > _LARGEST_INTEGER:
                return False
            if isinstance(part, ListValue):
                waiting += part.items
            if isinstance(part, DictValue):
                waiting += [entry for _, entry in part.items]
        several = len(value.items) if isinstance(value, ListValue | DictValue) else 1
        limit = self._limit
        return whole.within(
            Extent(limit.parts, several * limit.numbers, limit.dimension, limit.characters)
        )


def _cut(value: Value) -> Value:
    """Return a tensor without its graph, as each step receives it."""
    if not isinstance(value, Array) or value.kind == "ndarray":
        return value
    return Array("tensor" if value.kind == "parameter" else value.kind, value.dtype, value.data)
