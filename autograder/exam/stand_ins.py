"""Right answers for functions that stand in for some of a student's steps in a worker.

The worker sends the arguments of a call; the reference computes the answer here. All that comes is untrusted: it is no
larger than what the question itself needs, and what the reference raises stays here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.errors import ProtocolError
from autograder.values.extent import Extent, extent
from autograder.values.values import Array, DictValue, ListValue, TooLarge, freeze, parts_in
from autograder.values.wire import MARK_LENGTH, SELF, decode, encode, frame

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from autograder.exam.substitution import Substitution
    from autograder.values.values import Value

MOST_CALLS = 1_000  # of one question
MOST_CALLS_IN_ALL = 5_000  # of one submission's questions; honest work that asks for each pair of tokens needs 2,000
MOST_CALLS_WHILE_LOADING = (
    2_000  # of all loadings of a submission: each new worker loads the file again
)
MOST_BYTES = 8 * 2**20  # of the calls of one question, or of all loadings
_LARGEST_INTEGER = 1_000
_AXES = 2  # of an array, unless the question itself has more; a batch of one is as good
_MARK = b"0" * MARK_LENGTH


class TooManyCallsError(Exception):
    """The steps that stand in were called too often."""


class _Left:
    """The calls that are left, and their bytes."""

    def __init__(self, calls: int, size: int = MOST_BYTES) -> None:
        self._calls, self._bytes = calls, size

    def spend(self, size: int) -> None:
        """Count one call of so many bytes, before anything is read of it. Raises TooManyCallsError."""
        self._calls -= 1
        self._bytes -= size
        if self._calls < 0 or self._bytes < 0:
            raise TooManyCallsError


class CallsLeft:
    """The calls that all workers of one submission may still make: in questions, and while they load."""

    def __init__(self) -> None:
        self.in_questions = _Left(MOST_CALLS_IN_ALL, MOST_CALLS_IN_ALL * MOST_BYTES)
        self.loading = _Left(MOST_CALLS_WHILE_LOADING)


class StandIns:
    """Answers the calls of some steps in one worker.

    Attributes:
        parameters: for each step that has a stand-in, the names of its parameters.
        called: the steps that were called in questions; those that were called while the file was loaded.
        refused: the last call that the reference could not answer: the step, and its arguments.
    """

    def __init__(
        self, substitution: Substitution, steps: Sequence[str], left: CallsLeft | None = None
    ) -> None:
        self._substitution = substitution
        self.parameters = {step: substitution.parameters(step) for step in steps}
        self.called: set[str] = set()
        self.called_while_loading: set[str] = set()
        self._loading = True
        self.refused: tuple[str, Mapping[str, Value]] | None = None
        self._of_all = left or CallsLeft()
        self._left, self._limit, self._axes = [self._of_all.loading], Extent(), _AXES

    def again(self) -> StandIns:
        """Return stand-ins for the same steps whose calls are counted apart."""
        return StandIns(self._substitution, tuple(self.parameters))

    def begin(self, inputs: Mapping[str, Value] | None) -> None:
        """Begin a question with these inputs; None stands for loading the file."""
        self.refused, self._loading = None, inputs is None
        of_all = self._of_all
        self._left = (
            [of_all.loading] if inputs is None else [_Left(MOST_CALLS), of_all.in_questions]
        )
        sizes = [extent(value) for value in (inputs or {}).values()]
        dimension = max((size.dimension for size in sizes), default=100)
        numbers = max((size.numbers for size in sizes), default=0)
        given = (inputs or {}).values()
        axes = max([_AXES, *(one.data.ndim for one in given if isinstance(one, Array))])
        self._limit = Extent(100, max(numbers, dimension**axes), dimension, 1_000)
        self._axes = axes + (axes > _AXES)  # a batch may get one more, for parts of its rows

    def reply(self, fields: bytes) -> bytes:
        """Return the message that answers a call. Raises TooManyCallsError, and ProtocolError if it is none."""
        for left in self._left:
            left.spend(len(fields))
        call = decode(fields)
        content = dict(call.items) if isinstance(call, DictValue) else {}
        number, step, inputs = (content.get(name) for name in ("number", "step", "inputs"))
        if step not in self.parameters or not isinstance(inputs, DictValue):
            raise ProtocolError("a call of no step that has a stand-in")
        if type(number) is not int:
            raise ProtocolError("a call without a number")
        assert isinstance(step, str)
        (self.called_while_loading if self._loading else self.called).add(step)
        named = dict(inputs.items)
        given = {
            name: _cut(value)
            for name, value in named.items()
            if name in self.parameters[step] or (isinstance(name, str) and name.startswith(SELF))
        }
        upstream = content.get("upstream")
        parts = upstream.items if isinstance(upstream, ListValue) else None
        reply: dict[str, object] = {"op": "answer", "number": number}
        answer = {}
        if len(given) == len(inputs.items) and self._fits(inputs) and self._fits(upstream):
            answer = self._substitution.answer(step, given, parts, number)
        try:
            body = encode(freeze({**reply, **answer}))
        except TooLarge:
            answer, body = {}, encode(freeze(reply))
        if not answer:
            self.refused = step, given
        return frame(body) + _MARK

    def _fits(self, value: Value) -> bool:
        for part in parts_in(value):
            if _largest_integer(part) > _LARGEST_INTEGER:
                return False
            if isinstance(part, Array) and part.data.ndim > self._axes + (
                part.data.shape[:1] == (1,)
            ):
                return False
        several = len(value.items) if isinstance(value, ListValue | DictValue) else 1
        limit = self._limit
        return extent(value).within(
            Extent(limit.parts, several * limit.numbers, limit.dimension, limit.characters)
        )


def _largest_integer(value: Value) -> int:
    """Return the largest integer, without its sign: an array of integers can be a size too."""
    if isinstance(value, Array) and value.data.dtype.kind in "iu" and value.data.size:
        return max(int(value.data.max()), -int(value.data.min()))
    return abs(value) if type(value) is int else 0


def _cut(value: Value) -> Value:
    """Return a tensor without its graph, as each step receives it."""
    if not isinstance(value, Array) or value.kind == "ndarray":
        return value
    return Array("tensor" if value.kind == "parameter" else value.kind, value.dtype, value.data)
