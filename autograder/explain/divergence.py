"""The first value of a student's step that is not right, and what it was made of.

It is the earliest expression that leads to the answer, is not right, has no operand that is wrong, and from which
nothing right follows. Values are compared with those of the right computation; numbers are never shown.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from autograder.exam.right_values import arrays_of, kind_of_operation
from autograder.explain.right_numbers import close, is_plain, right_numbers
from autograder.explain.rules import finding, say
from autograder.explain.syntax import called
from autograder.explain.wording import capital, line_words, listed
from autograder.values.numbers import as_array
from autograder.values.values import ListValue

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from autograder.exam.questions import RightValues
    from autograder.exam.right_values import Numbers
    from autograder.explain.rules import Finding
    from autograder.explain.trace import Event, Origin, Trace
    from autograder.values.values import Value

    # `none`: no real numbers. `step`: something right is computed from it later.
    Mark = Literal["right", "turned", "neutral", "step", "wrong", "none"]
    Kind = Literal["first", "another_way", "not_finite", "turned", "on_the_way", "all_right"]

# Characters of an expression that are quoted; beside other words.
SHOWN, SHORT = 60, 40


@dataclass(frozen=True)
class MarkedOperand:
    """What the first wrong value was made of.

    Attributes:
        since: where its axes got another order, if they have one.
        mask: whether it is the right mask, its opposite, or another one; empty if it is no mask.
        same_as: an earlier expression with the same value, from which it was not made.
    """

    event: Event
    mark: Mark
    since: Event | None = None
    mask: Literal["", "right", "opposite", "another"] = ""
    same_as: Event | None = None


@dataclass(frozen=True)
class Divergence:
    """Where a computation leaves the right one.

    Attributes:
        kind: `first` wrong value; `another_way`, which the reference does not have; the first value that is
            `not_finite`; the answer is `turned`, or a right value `on_the_way`; or `all_right`.
        event: the named expression; None if all is right.
        operands: what it was made of.
        before: the last right value before it.
        same_as: an earlier expression with the same value.
        right_rounds: the rounds of a loop before, if it was right in them.
        origins: the names in it that are overwritten, or variables of the file, and where.
        sizes: those of the right computation, which may be shown.
    """

    kind: Kind
    event: Event | None = None
    operands: tuple[MarkedOperand, ...] = ()
    before: Event | None = None
    same_as: Event | None = None
    right_rounds: int = 0
    origins: tuple[tuple[str, Origin], ...] = ()
    sizes: frozenset[int] = frozenset()


def divergence(trace: Trace, right: RightValues, wanted: Value, seen: Value) -> Divergence | None:
    """Return where the computation of an answer leaves the right one; None if nothing can be said."""
    return _Marked(trace, right).divergence([*_arrays(wanted)], [*_arrays(seen)])


def _arrays(value: Value) -> Iterator[Numbers]:
    found = [*arrays_of(value)]
    row = isinstance(value, ListValue) and len(found) > 1 and not any(one.ndim for one in found)
    yield from [np.array(found)] if row else found


class _Marked:
    """A trace with a mark at each event."""

    def __init__(self, trace: Trace, right: RightValues) -> None:
        self.trace, self.events, self.right = trace, trace.events, right
        self.sizes = frozenset(size for one in right.arrays for size in one.shape)
        self.numbers = right_numbers(right)
        self.parts = [[*_arrays(one.plain)] for one in self.events]
        self.marks = [self._mark(number) for number in range(len(self.events))]
        self._find_stepping_stones()

    def _mark(self, number: int) -> Mark:
        if self.events[number].site.function.name == "__init__":
            return "none"
        orders = [(part, self.numbers.order_of(part)) for part in self.parts[number]]
        if not orders:
            return "none"
        if any(not order and not is_plain(part) for part, order in orders):
            return "wrong"
        if any(order == "turned" for _, order in orders):
            return "turned"
        return "right" if any(order for _, order in orders) else "neutral"

    def _find_stepping_stones(self) -> None:
        """Mark the wrong values from which something right follows, and what is not filled or added up yet."""
        later: set[int] = set()
        filled: set[int] = set()
        for number in range(len(self.events) - 1, -1, -1):
            event = self.events[number]
            unfinished = event.site.is_note and event.number in filled
            if (number in later or unfinished) and self.marks[number] == "wrong":
                self.marks[number] = "step"
            if number in later or self.marks[number] in ("right", "turned"):
                later |= {*event.operands}
            filled.add(event.number)

    def divergence(self, wanted: Sequence[Numbers], seen: Sequence[Numbers]) -> Divergence | None:
        wrong = list(seen)
        if len(wanted) == len(seen):
            wrong = [two for one, two in zip(wanted, seen, strict=True) if not close(two, one)]
        ends = [
            number
            for number, parts in enumerate(self.parts)
            if any(close(part, one) for part in parts for one in wrong[:1])
        ]
        if not ends:
            return None
        leading = self._leading_to(ends[-1])
        for number in ends:  # few numbers say little on the way, but this is the answer
            if self.marks[number] == "neutral":
                self.marks[number] = "wrong"
        finite = all(map(_is_finite, wanted)) and not all(map(_is_finite, seen))
        if finite and (broken := self._first_not_finite(leading)) is not None:
            return self._named("not_finite", broken, leading)
        for number in leading:
            below = [self.marks[one] for one in self.events[number].operands]
            if self.marks[number] == "wrong" and "wrong" not in below:
                node = self.events[number].site.node
                # A power of an array, which no reference has, is of no kind.
                kind = kind_of_operation(node) or "power" * isinstance(node, ast.BinOp)
                known = kind in ("", "join", "axes") or kind in self.right.kinds
                return self._named("first" if known else "another_way", number, leading)
        if self.marks[ends[-1]] == "turned":
            number = next(one for one in leading if self.marks[one] == "turned")
            return Divergence("turned", self.events[number])
        if self.marks[ends[-1]] == "right":
            return Divergence("on_the_way", self.events[ends[-1]])
        return None

    def _leading_to(self, end: int) -> list[int]:
        """Return the events from which an event was made, and itself, in order."""
        found = {end}
        for number in range(end, -1, -1):
            if number in found:
                found |= {*self.events[number].operands}
        return sorted(found)

    def _first_not_finite(self, leading: list[int]) -> int | None:
        """Return the first event with nan that was made of none, or with inf that was made of finite numbers."""
        for number in leading:
            mine = self.parts[number]
            below = [part for one in self.events[number].operands for part in self.parts[one]]
            if self.marks[number] in ("right", "turned", "step"):
                continue
            for holds in (_has_nan, _has_inf):
                if any(map(holds, mine)) and not any(map(holds, below)):
                    return number
        return None

    def _named(self, kind: Kind, number: int, leading: list[int]) -> Divergence:
        event = self.events[number]
        rights = [one for one in leading if one < number and self.marks[one] == "right"]
        operations = [one for one in rights if kind_of_operation(self.events[one].site.node)]
        before = self.events[operations[-1]] if operations else None
        operands = tuple(self._operand(one) for one in self._direct(event))
        same, rounds = self._same_as(number), self._right_rounds(number)
        origins = tuple(self.trace.origins(event.site))
        return Divergence(kind, event, operands, before, same, rounds, origins, self.sizes)

    def _direct(self, event: Event) -> list[int]:
        """Return the events of the expressions that stand in an expression."""
        numbers = {*event.site.children}
        return [one for one in event.operands if self.events[one].number in numbers]

    def _operand(self, number: int) -> MarkedOperand:
        event, since = self.events[number], number
        while self.marks[number] == "turned":
            earlier = [one for one in self.events[since].operands if self.marks[one] == "turned"]
            if not earlier:
                break
            since = earlier[0]
        turned = self.events[since] if self.marks[number] == "turned" else None
        return MarkedOperand(
            event, self.marks[number], turned, self._mask(event), self._twin(number)
        )

    def _mask(self, event: Event) -> Literal["", "right", "opposite", "another"]:
        array = as_array(event.plain)
        if array is None or array.dtype.kind != "b" or not array.ndim or not self.right.masks:
            return ""
        same = [one.squeeze() for one in self.right.masks]
        mask = array.squeeze()
        if any(one.shape == mask.shape and (one == mask).all() for one in same):
            return "right"
        opposite = any(one.shape == mask.shape and (one != mask).all() for one in same)
        return "opposite" if opposite else "another"

    def _same_as(self, number: int) -> Event | None:
        """Return an earlier event of another expression with the same value."""
        source = self.events[number].site.source
        count = self.events[number].round
        for other in range(number):
            event = self.events[other]
            beside = event.site.source != source and event.round == count
            if beside and self._is_same(other, number):
                return event
        return None

    def _right_rounds(self, number: int) -> int:
        """Return in how many rounds before this one an expression was right, if it was in all."""
        event = self.events[number]
        if event.site.is_note:
            return 0
        before = [one for one in range(number) if self.events[one].number == event.number]
        right = all(self.marks[one] in ("right", "neutral") for one in before)
        return event.round if right else 0

    def _twin(self, number: int) -> Event | None:
        """Return an event with the same value as another object, from which this one was not made."""
        mine = self.events[number]
        own = {self.events[one].thing for one in self._leading_to(number)}
        if self.marks[number] not in ("right", "turned"):
            return None
        for other in range(number):
            event = self.events[other]
            named = isinstance(event.site.node, ast.Name) and event.thing not in own
            beside = event.round == mine.round and event.site.source != mine.site.source
            if named and beside and self._is_same(other, number):
                return event
        return None

    def _is_same(self, first: int, second: int) -> bool:
        one, other = self.parts[first], self.parts[second]
        return len(one) == len(other) > 0 and all(map(close, one, other))


def _is_finite(numbers: Numbers) -> bool:
    return bool(np.isfinite(numbers).all())


def _has_nan(numbers: Numbers) -> bool:
    return bool(np.isnan(numbers).any())


def _has_inf(numbers: Numbers) -> bool:
    return bool(np.isinf(numbers).any())


# In words.


def divergence_finding(found: Divergence) -> Finding:
    """Return what a divergence says."""
    facts = {"before": "", "same": "", "rounds": ""}
    event = found.event
    assert event is not None
    facts |= _place(event)
    facts["Place"] = capital(facts["place"])
    facts["shape"] = _shape(found, event)
    facts["operands"] = "".join(f" {one}." for one in _operands(found))
    shown = {one.event.thing for one in found.operands if one.mark == "right"}
    if found.before is not None and found.before.thing not in shown:
        facts["before"] = say("divergence.before", **_place(found.before))
    if found.same_as is not None and found.kind == "first":
        facts["same"] = say("divergence.same", **_place(found.same_as))
    if found.kind == "not_finite" and (zeros := _with_zeros(event)):
        return finding("divergence.unwritten", **facts, zeros=zeros)
    if found.right_rounds:
        rounds = f"{found.right_rounds} rounds" if found.right_rounds > 1 else "round"
        facts["rounds"] = say("divergence.rounds", rounds=rounds)
    return finding(f"divergence.{found.kind}", **facts)


def line_finding(found: Divergence, words: str) -> Finding | None:
    """Return the line of the first value that is not right, for what has words of its own, which may quote it."""
    if found.kind not in ("first", "not_finite") or found.event is None:
        return None
    names = "".join(f" {one}." for one in _of_names(found))
    facts = _place(found.event, SHORT)
    key = "divergence.line" + ".quoted" * (f"`{found.event.site.source}`" in words)
    return finding(key, **facts, names=names)


def _place(event: Event, most: int = SHOWN) -> dict[str, str]:
    source = event.site.source
    shown = source if len(source) <= most else f"{source[:most]} ..."
    return {"place": line_words(event.site.label, event.site.line), "source": shown}


def _shape(found: Divergence, event: Event) -> str:
    array = as_array(event.plain)
    shown = array is not None and array.ndim and {*array.shape} <= found.sizes | {1}
    return f", of shape {array.shape}" if array is not None and shown else ""


def _operands(found: Divergence) -> Iterator[str]:
    right = [
        f"`{one.event.site.source}`"
        for one in found.operands
        if one.mark == "right" and any(part.ndim for part in arrays_of(one.event.plain))
    ]
    if right:
        yield say("divergence.right", names=listed(right), are="are" if len(right) > 1 else "is")
    yield from _of_names(found)
    for one in found.operands:
        name = f"`{one.event.site.source}`"
        if one.mark == "turned":
            yield say("divergence.turned_operand", name=name)
        elif one.mask:
            yield say(f"divergence.mask_{one.mask}", name=name)
        elif isinstance(one.event.site.node, ast.Name) and one.event.plain in found.sizes:
            yield say("divergence.number", name=name, number=one.event.plain)


def _with_zeros(event: Event) -> str:
    """Return the function with zeros in place of one that makes room and writes nothing; empty for any other."""
    node = event.site.node
    made = isinstance(node, ast.Call) and "empty" in called(node)
    return ast.unparse(node.func).replace("empty", "zeros") if made else ""  # type: ignore[attr-defined]


def _of_names(found: Divergence) -> Iterator[str]:
    """Yield what is said of the names in an expression that are not what they look like."""
    yield from _twins(found)
    for name, origin in found.origins:
        where = line_words(origin.label, origin.line)
        yield say(f"divergence.{origin.kind}", name=f"`{name}`", place=where)


def _twins(found: Divergence) -> Iterator[str]:
    for one in found.operands:
        if one.same_as is not None:
            name = f"`{one.event.site.source}`"
            yield say("divergence.twin", name=name, **_place(one.same_as))
