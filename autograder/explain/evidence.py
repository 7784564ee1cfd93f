"""What rules about wrong answers read: the answer beside the right one, observations of its step, and its source."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from autograder.compare import agrees
from autograder.explain.recognise import NO_EDITS, RecognisedEdits
from autograder.values.numbers import as_array
from autograder.values.values import DictValue, ListValue

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from autograder.explain.recognise import Recognition
    from autograder.explain.student_code import Definition
    from autograder.values.values import Value

    Key = int | str

MOST_PARTS = 6


@dataclass(frozen=True)
class WrongPart:
    """A part that was meant and is wrong itself.

    Attributes:
        key: its number, from 0, or its key.
        found: the known mistakes that it shows.
    """

    key: Key
    found: Recognition


@dataclass(frozen=True)
class OtherCase:
    """The answer to another drawn case, with the right one and its inputs."""

    seen: Value
    wanted: Value
    inputs: Mapping[str, Value]


@dataclass(frozen=True)
class Evidence:
    """A wrong answer beside the right one, observations of its step, and the step's source.

    Attributes:
        seen: the student's answer.
        wanted: the right answer. It is described, never shown.
        inputs: what the step was called with.
        definition: the student's function or class; None if it could not be read.
        released: the release's source of the step.
        parts: the parts of attention that its reference has; None if unknown.
        helpers: the student's functions that it calls, other than steps.
        others: the other drawn cases.
        right_on_documents: whether the documents' own inputs give right answers; None if unknown.
        documents: the right answers for the documents' inputs.
        changed: the inputs that the call changed in place.
        unused: the inputs on which the answer does not depend, though the right one does; None if unknown.
        with_zeros: the answer if memory that was never written is zero; None if it was not asked.
        further: the answers to the criterion's other questions, each with the right one, if this answer holds more
            than was asked for.
        returns: names for the parts of the answer.
        wrong_part: the part of such an answer that was meant, if that shows a known mistake.
        edits: the small edits of the reference that give this answer, if no known mistake does.
    """

    seen: Value
    wanted: Value
    inputs: Mapping[str, Value] = field(default_factory=dict)
    definition: Definition | None = None
    released: str = ""
    parts: Sequence[str] | None = None
    helpers: tuple[Definition, ...] = ()
    others: tuple[OtherCase, ...] = ()
    right_on_documents: bool | None = None
    documents: tuple[Value, ...] = ()
    changed: tuple[str, ...] = ()
    unused: tuple[tuple[str, ...], ...] | None = None
    with_zeros: Value = None
    further: tuple[tuple[Value, Value], ...] = ()
    returns: tuple[str, ...] = ()
    wrong_part: WrongPart | None = None
    edits: RecognisedEdits = NO_EDITS

    def of_each_function(self) -> Iterator[Evidence]:
        """Yield this evidence, then the same with each helper as the source. What a helper was given is unknown."""
        yield self
        for helper in self.helpers:
            yield replace(self, definition=helper, inputs={})


# An answer that holds more than was asked for: which of its parts was meant.


def keys_of(seen: Value, wanted: Value) -> tuple[Key, ...]:
    """Return the keys of the parts that may be meant; none if the answer holds no more than was asked for."""
    if isinstance(wanted, ListValue):
        if not isinstance(seen, ListValue) or len(seen.items) != len(wanted.items):
            return ()
        pairs = zip(seen.items, wanted.items, strict=True)
        return next((keys for pair in pairs if (keys := keys_of(*pair))), ())
    if as_array(wanted) is None:
        return ()
    if isinstance(seen, ListValue):
        return tuple(range(min(len(seen.items), MOST_PARTS)))
    if isinstance(seen, DictValue):
        return tuple(key for key, _ in seen.items[:MOST_PARTS] if isinstance(key, str))
    return ()


def only(key: Key, seen: Value, wanted: Value) -> Value:
    """Return an answer with this part alone, wherever more came back; None if a part is not there."""
    if isinstance(wanted, ListValue):
        if not isinstance(seen, ListValue) or len(seen.items) != len(wanted.items):
            return None
        pairs = zip(seen.items, wanted.items, strict=True)
        return replace(seen, items=tuple(only(key, *pair) for pair in pairs))
    if isinstance(seen, ListValue) and isinstance(key, int):
        return seen.items[key] if key < len(seen.items) else None
    if isinstance(seen, DictValue):
        return next((part for name, part in seen.items if name == key), None)
    return seen


def right_key(pairs: Iterable[tuple[Value, Value]]) -> Key | None:
    """Return the key of the part that is right in every answer; None if there is none.

    Args:
        pairs: answers, each with the right one. The first one holds more than was asked for.
    """
    answers = list(pairs)
    for key in keys_of(*answers[0]):
        if all(agrees(wanted, only(key, seen, wanted)) for seen, wanted in answers):
            return key
    return None


def part_words(key: Key, whole: str) -> str:
    """Name a part of a whole."""
    return (
        f"number {key + 1} of {whole}" if isinstance(key, int) else f"what stands under {key!r:.40}"
    )
