"""A trace with a mark at each event: what is right, and what is on a way of its own."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Literal

import numpy as np

from autograder.assignment.recorder import LAYER
from autograder.exam.right_values import arrays_of, kind_of_operation
from autograder.explain.right_numbers import close, is_plain, right_numbers
from autograder.explain.roles import alike, holds_another, order_of
from autograder.explain.syntax import called, in_a_loop, nodes
from autograder.explain.trace import Described
from autograder.explain.variables import Variables, names_held
from autograder.values.values import Array, ListValue

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from autograder.exam.questions import RightValues
    from autograder.exam.right_values import Numbers
    from autograder.explain.trace import Event, Trace
    from autograder.values.values import Value

    # `none`: no real numbers. `step`: something right is computed from it later.
    Mark = Literal["right", "turned", "neutral", "step", "wrong", "none"]
    Odd = Literal["crossed", "copied", "reordered"]

_LOW = -1e4


def arrays_in_order(value: Value) -> Iterator[Numbers]:
    found = arrays_of(value)
    row = isinstance(value, ListValue) and len(found) > 1 and not any(one.ndim for one in found)
    yield from [np.array(found)] if row else found


class MarkedTrace:
    """A trace with a mark at each event."""

    def __init__(self, trace: Trace, right: RightValues) -> None:
        self.trace, self.events, self.right = trace, trace.events, right
        self.sizes = frozenset(size for one in right.arrays for size in one.shape)
        self._most_axes = max((one.squeeze().ndim for one in right.arrays), default=0)
        self.used = {operand for one in self.events for operand in one.operands}
        self.variables = Variables(self.events)
        self.odd: dict[int, tuple[Odd, tuple[str, ...]]] = {}
        self.unjudged: set[int] = set()
        self._side_by_side: set[int] = set()
        self.numbers = right_numbers(right)
        self.hides = any(np.isneginf(one).any() for one in right.arrays)
        self.parts = [
            [_hidden(part, self.hides) for part in arrays_in_order(one.plain)]
            for one in self.events
        ]
        self.marks: list[Mark] = []
        self._unchanged: set[int] = set()
        for number in range(len(self.events)):
            self.marks.append(self._mark(number))
        self._loops: dict[ast.AST, dict[ast.AST, ast.AST]] = {}
        self._find_stepping_stones()

    def _mark(self, number: int) -> Mark:
        if self.events[number].site.function.name == "__init__":
            return "none"
        orders = [(part, self.numbers.order_of(part)) for part in self.parts[number]]
        if not orders:
            return "none"
        if self._is_misnamed(number):
            return "wrong"
        in_order = order_of(self.right, self.events[number].plain)
        if self._is_unchanged(number):
            self._unchanged.add(number)
            return "wrong"
        if in_order == "same":
            return "right"
        unknown = [part for part, order in orders if not order and not is_plain(part)]
        if is_copies(self.parts[number]) or unknown:
            if not unknown or not self._is_unjudged(number, unknown):
                return "wrong"
            self.unjudged.add(number)
            return "neutral"
        if in_order == "other":
            self.odd[number] = ("reordered", ())
            return "wrong"
        if self._is_idle(number):
            return "neutral"
        event = self.events[number]
        if not any(one.ndim for one in self.parts[number]) and not in_a_loop(
            event.site.node, event.site.function
        ):
            # A number that stands somewhere in a right array may be right by chance.
            whole = [one for one in self.right.arrays if not one.ndim]
            if not all(any(close(part, one) for one in whole) for part in self.parts[number]):
                return "neutral"
        if any(order == "turned" for _, order in orders):
            return "neutral" if self._is_given(number) else "turned"
        return "right" if any(order for _, order in orders) else "neutral"

    def _is_misnamed(self, number: int) -> bool:
        """Return whether a variable has the numbers of another one: they are crossed, or one is a copy."""
        made = self.variables.made(number)
        if made is not None:
            return made in self.odd and self._has_numbers_of(number, made)
        names, parts = self.variables.named(number), self.parts[number]
        function = self.events[number].site.function
        for name, part in zip(names, parts, strict=False) if len(names) == len(parts) else ():
            others = sorted(names_held(function) - {name})
            if other := holds_another(self.right, name, part, others):
                copied = any(self._is_of(one, other, part) for one in self._since(number))
                self.odd[number] = ("copied" if copied else "crossed", (name, other))
                return True
        return False

    def _since(self, number: int) -> Iterator[int]:
        """Yield an event and those before it of the same round of its function."""
        this = self.events[number]
        for one in range(number, -1, -1):
            event = self.events[one]
            if event.site is this.site and event.round < this.round:
                return
            yield one

    def _is_of(self, number: int, name: str, part: Numbers) -> bool:
        """Return whether a variable of this name has these numbers."""
        bound = zip(self.variables.named(number), self.parts[number], strict=False)
        return any(alike(one, name) and close(own, part) for one, own in bound)

    def _is_unjudged(self, number: int, unknown: Sequence[Numbers]) -> bool:
        """Return whether a value that is not known is on a way of its own.

        That are products that are not added up yet, and scores from which a number of each row is subtracted.
        """
        if all(one.squeeze().ndim > self._most_axes for one in unknown):
            return True
        event = self.events[number]
        kind, direct = self.kind(event), self.direct(event)
        if self._is_side_by_side(number):
            self._side_by_side.add(number)
            return True
        operands = event.operands
        if kind != "sum":  # such as the smallest number
            operands = tuple(one for one in operands if self.marks[one] == "neutral")
        below = [part for one in operands for part in self.parts[one]]
        if below and all(np.isin(one, below[0]).all() for one in unknown):
            return True
        node = event.site.node
        multiplies = isinstance(getattr(node, "op", None), ast.Mult) or called(node) == "mul"
        below_it = (self.events[one] for one in direct)
        arrays = {one.thing for one in below_it if isinstance(one.plain, Array)}
        if len(arrays) < 2:  # noqa: PLR2004 - an operator takes two, and not one of them twice
            return False
        if "softmax" in self.right.kinds and all(map(self._is_shifted, unknown)):
            return True
        return "product" in self.right.kinds and multiplies

    def _is_shifted(self, part: Numbers) -> bool:
        """Return whether an array is a right one plus a number of each row."""
        same = (one for one in self.right.arrays if one.shape == part.shape and one.ndim > 1)
        with np.errstate(invalid="ignore"):
            return any(close(part - one, (part - one)[..., :1] + 0 * one) for one in same)

    def _is_unchanged(self, number: int) -> bool:
        """Return whether a product changes nothing of what it was given, or an event is one with its axes moved."""
        event = self.events[number]
        kind, direct = self.kind(event), self.direct(event)
        if kind == "product":
            return any(self._has_numbers_of(number, one) for one in direct)
        moves = kind == "axes" or event.is_read
        return moves and not self._unchanged.isdisjoint(direct or event.operands)

    def _is_side_by_side(self, number: int) -> bool:
        """Return whether right arrays are joined, such as three matrices for one product, or this is such a product."""
        kind, direct = self.kind(self.events[number]), self.direct(self.events[number])
        if kind == "join":
            return all(self.marks[one] != "wrong" for one in direct)
        made = self.variables.made(number)
        before = [made] if made is not None else direct * (kind in ("product", "plus"))
        return not self._side_by_side.isdisjoint(before)

    def _is_given(self, number: int) -> bool:
        """Return whether a value is an attribute as it was given, such as a layer's weight, whose axes nobody moved."""
        event = self.events[number]
        if event.is_read:
            return bool(event.operands) and all(map(self._is_given, event.operands))
        return isinstance(event.site.node, ast.Attribute) and not self.kind(event)

    def _is_idle(self, number: int) -> bool:
        """Return whether a scaling or a mask changes nothing of what it was given."""
        event = self.events[number]
        return self.kind(event) in ("scale", "mask") and any(
            self._has_numbers_of(number, one) for one in self.direct(event)
        )

    def _has_numbers_of(self, one: int, other: int) -> bool:
        mine, given = self.parts[one], self.parts[other]
        return len(mine) == len(given) and all(map(close, mine, given))

    def _find_stepping_stones(self) -> None:
        """Mark the wrong values from which something right follows, and what is not filled or added up yet."""
        later: set[int] = set()
        proven: set[int] = set()
        filled: set[tuple[int, ast.AST] | None] = set()
        for number in range(len(self.events) - 1, -1, -1):
            event = self.events[number]
            filling = self._filling(event)
            unfinished = filling is not None and filling in filled
            leading = proven if number in self.odd else later
            if (number in leading or unfinished) and self.marks[number] == "wrong":
                self.marks[number] = "step"
            leads = number in later and self.marks[number] != "none"  # a shape tells no numbers
            made = not event.is_read
            if leads or (made and self.marks[number] in ("right", "turned")):
                later |= self._made_of(event)
            sure = number in proven and self.marks[number] != "none"
            if sure or (made and self.marks[number] == "right"):
                proven |= self._made_of(event)
            filled.add(filling)

    def _made_of(self, event: Event) -> set[int]:
        """Return the operands of an event; of a list or dict without what was taken out of it."""
        return {
            one
            for one in event.operands
            if not isinstance(self.events[one].site.node, ast.Subscript)
            or all(self.events[below].thing != event.thing for below in self.events[one].operands)
        }

    def _filling(self, event: Event) -> tuple[int, ast.AST] | None:
        """Return which object a statement changes, and in which loop, or by itself; None if it changes none.

        Of statements that fill a part, each belongs to the whole function.
        """
        by, function = event.site.by, event.site.function
        if isinstance(by, ast.Assign):
            return event.thing, function
        if function not in self._loops:
            loops = nodes(function, ast.For)  # an inner one comes after those around it
            self._loops[function] = {one: loop for loop in loops for one in nodes(loop, ast.stmt)}
        return (event.thing, self._loops[function].get(by, by)) if by else None

    def leads(self, one: int, other: int) -> bool:
        """Return whether an event was made from another one, or is of the same object."""
        first, last = sorted((one, other))
        things = {self.events[number].thing for number in (one, other)}
        return first in self.leading_to(last) or len(things) == 1

    def leading_to(self, end: int) -> list[int]:
        """Return the events from which an event was made, and itself, in order."""
        found = {end}
        for number in range(end, -1, -1):
            if number in found and type(self.events[number].plain) is not int:  # a size of an array
                found |= {*self.events[number].operands}
        return sorted(found)

    def kind(self, event: Event) -> str:
        """Return the kind of an operation; a call may be one of a layer."""
        operands = (self.events[one].value for one in self.direct(event))
        layers = (one.name for one in operands if isinstance(one, Described) and one.what == LAYER)
        return kind_of_operation(event.site.node, next(layers, ""))

    def direct(self, event: Event) -> list[int]:
        """Return the events of the expressions that stand in an expression."""
        numbers = {*event.site.children}
        return [one for one in event.operands if self.events[one].number in numbers]


def _hidden(part: Numbers, hides: bool) -> Numbers:
    """Return an array with -inf in place of very low numbers, which hide scores as well, if the right way hides any."""
    return np.where(part <= _LOW, -np.inf, part) if hides and part.ndim else part


def is_copies(parts: Sequence[Numbers]) -> bool:
    """Return whether several arrays have the same numbers, as one array has that stands in a list many times."""
    first, *others = parts or [np.zeros(0)]
    return bool(others) and all(close(one, first) for one in others) and not is_plain(first)
