"""The first value of a student's step that is not right, and what it was made of.

It is the earliest expression that leads to the answer, is not right, has no operand that is wrong, and from which
nothing right follows. Values are compared with those of the right computation; numbers are never shown.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from autograder.assignment.recorder import LAYER
from autograder.compare import ABSOLUTE, RELATIVE
from autograder.exam.right_values import arrays_of, kind_of_operation
from autograder.explain.feedback_text import cut
from autograder.explain.right_numbers import close, is_plain, right_numbers
from autograder.explain.rules import finding, say
from autograder.explain.syntax import called, names_read, nodes
from autograder.explain.trace import Described
from autograder.explain.wording import capital, line_words, listed
from autograder.values.numbers import as_array, is_finite
from autograder.values.values import ListValue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from autograder.exam.questions import RightValues
    from autograder.exam.right_values import Numbers
    from autograder.explain.rules import Finding
    from autograder.explain.trace import Event, Origin, SourceSite, Trace
    from autograder.results import TracedLine
    from autograder.values.values import Value

    # `none`: no real numbers. `step`: something right is computed from it later.
    Mark = Literal["right", "turned", "neutral", "step", "wrong", "none"]
    Kind = Literal[
        "first",
        "another_way",
        "not_finite",
        "turned",
        "on_the_way",
        "another_part",
    ]

# What makes room and writes nothing, and what writes zeros.
_ZEROS = {
    "empty": "zeros", "empty_like": "zeros_like", "new_empty": "new_zeros", "Tensor": "zeros",
}  # fmt: skip
_LOW = -1e4
_MODULES = {"torch", "np", "numpy", "math", "nn", "F"}
# Characters of an expression that are quoted.
SHOWN = 64


@dataclass(frozen=True)
class MarkedOperand:
    """What the first wrong value was made of.

    Attributes:
        mask: whether it is the right mask, its opposite, or another one; empty if it is no mask.
        same_as: an earlier expression with the same value, from which it was not made.
    """

    event: Event
    mark: Mark
    mask: Literal["", "right", "opposite", "another"] = ""
    same_as: Event | None = None


@dataclass(frozen=True)
class Divergence:
    """Where a computation leaves the right one.

    Attributes:
        kind: `first` wrong value; `another_way`, which the reference does not have; the first value that is
            `not_finite`; or the answer is `turned`, a right value `on_the_way` or in place of `another_part`.
        event: the named expression.
        operands: what it was made of.
        origins: the names in it and in `calls` that are overwritten, or variables of the file, and where; without
            those in right operands.
        calls: the call of the function in which it stands, if it is computed with a plain number.
        unused: the first call before whose result nothing reads.
        lines: the student's lines around it.
    """

    kind: Kind
    event: Event
    operands: tuple[MarkedOperand, ...] = ()
    origins: tuple[tuple[str, Origin], ...] = ()
    calls: tuple[Event, ...] = ()
    unused: Event | None = None
    lines: tuple[TracedLine, ...] = ()


def divergence(
    marked: MarkedTrace, wanted: Value, seen: Value, slack: float = 1.0
) -> Divergence | None:
    """Return where the computation of an answer leaves the right one; None if nothing can be said.

    `slack` is that of the comparison that found the answer wrong.
    """
    return marked.divergence([*_arrays(wanted)], [*_arrays(seen)], slack)


def _agree(first: Numbers, second: Numbers, slack: float) -> bool:
    """Return whether two parts of answers are judged as equal."""
    tolerance = {"rtol": slack * RELATIVE, "atol": slack * ABSOLUTE}
    return first.shape == second.shape and np.allclose(first, second, **tolerance, equal_nan=True)


def _arrays(value: Value) -> Iterator[Numbers]:
    found = arrays_of(value)
    row = isinstance(value, ListValue) and len(found) > 1 and not any(one.ndim for one in found)
    yield from [np.array(found)] if row else found


class MarkedTrace:
    """A trace with a mark at each event."""

    def __init__(self, trace: Trace, right: RightValues) -> None:
        self.trace, self.events, self.right = trace, trace.events, right
        self.sizes = frozenset(size for one in right.arrays for size in one.shape)
        self.numbers = right_numbers(right)
        self.hides = any(np.isneginf(one).any() for one in right.arrays)
        self.parts = [
            [_hidden(part, self.hides) for part in _arrays(one.plain)] for one in self.events
        ]
        self.marks = [self._mark(number) for number in range(len(self.events))]
        self._loops: dict[ast.AST, dict[ast.AST, ast.AST]] = {}
        self._find_stepping_stones()

    def _mark(self, number: int) -> Mark:
        if self.events[number].site.function.name == "__init__":
            return "none"
        orders = [(part, self.numbers.order_of(part)) for part in self.parts[number]]
        if not orders:
            return "none"
        unknown = (not order and not is_plain(part) for part, order in orders)
        if _is_copies(self.parts[number]) or any(unknown):
            return "wrong"
        if any(order == "turned" for _, order in orders):
            return "turned"
        return "right" if any(order for _, order in orders) else "neutral"

    def _find_stepping_stones(self) -> None:
        """Mark the wrong values from which something right follows, and what is not filled or added up yet."""
        later: set[int] = set()
        filled: set[tuple[int, ast.AST] | None] = set()
        for number in range(len(self.events) - 1, -1, -1):
            event = self.events[number]
            filling = self._filling(event)
            unfinished = filling is not None and filling in filled
            if (number in later or unfinished) and self.marks[number] == "wrong":
                self.marks[number] = "step"
            leads = number in later and self.marks[number] != "none"  # a shape tells no numbers
            if leads or self.marks[number] in ("right", "turned"):
                later |= {*event.operands}
            filled.add(filling)

    def _filling(self, event: Event) -> tuple[int, ast.AST] | None:
        """Return which object a statement changes, and in which loop, or by itself; None if it changes none."""
        by, function = event.site.by, event.site.function
        if function not in self._loops:
            loops = nodes(function, ast.For)  # an inner one comes after those around it
            self._loops[function] = {one: loop for loop in loops for one in nodes(loop, ast.stmt)}
        return (event.thing, self._loops[function].get(by, by)) if by else None

    def divergence(
        self, wanted: Sequence[Numbers], seen: Sequence[Numbers], slack: float
    ) -> Divergence | None:
        """Return where the way to the first wrong part of an answer leaves the right one."""
        pairs = [*zip(wanted, seen, strict=True)] if len(wanted) == len(seen) else []
        wrong = [two for one, two in pairs if not _agree(two, one, slack)]
        if not pairs:  # what is right of it does not show that other parts are missing
            wrong = [two for two in seen if not any(_agree(two, one, slack) for one in wanted)]
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
        odd = any(one.shape != two.shape for one, two in pairs if two is wrong[0])
        finite = all(map(is_finite, wanted)) and not all(map(is_finite, seen))
        if finite and not odd and (broken := self._first_not_finite(leading)) is not None:
            return self._named("not_finite", broken)
        if found := self._first_wrong(leading):
            return found
        if self.marks[ends[-1]] == "turned":
            number = next(one for one in leading if self.marks[one] == "turned")
            return Divergence("turned", self.events[number])
        if self.marks[ends[-1]] == "right":
            other = pairs and any(_agree(wrong[0], one, slack) for one in wanted)
            return self._named("another_part" if other else "on_the_way", ends[-1])
        return None

    def _first_wrong(self, leading: list[int]) -> Divergence | None:
        """Return the first wrong event that is made of nothing wrong."""
        stones: set[int] = set()
        for number in leading:
            event, mark = self.events[number], self.marks[number]
            if mark == "step" and not event.site.by:
                stones.add(event.number)
            elif mark == "wrong" and event.number in stones:
                self.marks[number] = "step"  # it led to something right in an earlier round
            elif mark == "wrong" and all(self.marks[one] != "wrong" for one in event.operands):
                node = event.site.node
                # A power of an array, which no reference has, is of no kind.
                kind = self._kind(event) or "power" * isinstance(node, ast.BinOp)
                known = kind in ("", "join", "axes") or kind in self.right.kinds
                turned = self._first_turned(number)
                return self._named("first" if known else "another_way", turned)
        return None

    def _first_turned(self, number: int) -> int:
        """Return the operation that first gave axes in another order and a right shape, if one led to an event."""
        first = at = number
        shapes = {one.squeeze().shape for one in self.right.arrays}
        own = self.events[number].site.function
        while turned := [
            one
            for one in self.events[at].operands
            if self.marks[one] == "turned" and self.events[one].site.function is own
        ]:
            at = turned[0]
            fits = all(part.squeeze().shape in shapes for part in self.parts[at])
            if fits and self._kind(self.events[at]) not in ("", "axes"):
                first = at
        return first

    def leads(self, one: int, other: int) -> bool:
        """Return whether an event was made from another one, or is of the same object."""
        first, last = sorted((one, other))
        things = {self.events[number].thing for number in (one, other)}
        return first in self._leading_to(last) or len(things) == 1

    def _leading_to(self, end: int) -> list[int]:
        """Return the events from which an event was made, and itself, in order."""
        found = {end}
        for number in range(end, -1, -1):
            if number in found and type(self.events[number].plain) is not int:  # a size of an array
                found |= {*self.events[number].operands}
        return sorted(found)

    def _first_not_finite(self, leading: list[int]) -> int | None:
        """Return the first event with nan that was made of none, or with inf that was made of finite numbers."""
        for number in leading:
            if self.marks[number] in ("right", "turned", "step"):
                continue
            mine = self.parts[number]
            below = [part for one in self.events[number].operands for part in self.parts[one]]
            for holds in (np.isnan, np.isinf):
                if _some(holds, mine) > _some(holds, below):
                    return number
        return None

    def _named(self, kind: Kind, number: int) -> Divergence:
        event = self.events[number]
        operands = tuple(self._operand(one) for one in self._direct(event))
        calls = self._calls(event, number, operands)
        origins = self._origins((event, *calls), operands)
        return Divergence(kind, event, operands, origins, calls, self._unused())

    def _kind(self, event: Event) -> str:
        """Return the kind of an operation; a call may be one of a layer."""
        operands = (self.events[one].value for one in self._direct(event))
        layers = (one.name for one in operands if isinstance(one, Described) and one.what == LAYER)
        return kind_of_operation(event.site.node, next(layers, ""))

    def _calls(
        self, event: Event, number: int, operands: Sequence[MarkedOperand]
    ) -> tuple[Event, ...]:
        """Return the call of the function in which an event stands, if a plain number is one of its operands."""
        if not any(isinstance(one.event.plain, int | float) for one in operands):
            return ()
        name = event.site.function.name
        return tuple([one for one in self.events[number:] if called(one.site.node) == name][:1])

    def _origins(
        self, events: Sequence[Event], operands: Sequence[MarkedOperand]
    ) -> tuple[tuple[str, Origin], ...]:
        """Return where names have their values from, without those in right operands."""
        right = [one.event.site.node for one in operands if one.mark == "right"]
        settled = {
            name for node in right if not isinstance(node, ast.Name) for name in names_read(node)
        }
        every = (origin for one in events for origin in self.trace.origins(one.site))
        return tuple(origin for origin in every if origin[0] not in settled)

    def _unused(self) -> Event | None:
        """Return the first new array that a statement computes and drops."""
        alone = {
            one.value
            for *_, tree in self.trace.table.statements
            for one in ast.walk(tree)
            if isinstance(one, ast.Expr)
        }
        known = {0}
        for event, parts in zip(self.events, self.parts, strict=True):
            if parts and event.thing not in known and event.site.node in alone:
                return event
            known.add(event.thing)
        return None

    def _direct(self, event: Event) -> list[int]:
        """Return the events of the expressions that stand in an expression."""
        numbers = {*event.site.children}
        return [one for one in event.operands if self.events[one].number in numbers]

    def _operand(self, number: int) -> MarkedOperand:
        event = self.events[number]
        return MarkedOperand(event, self.marks[number], self._mask(event), self._twin(number))

    def _mask(self, event: Event) -> Literal["", "right", "opposite", "another"]:
        array = as_array(event.plain)
        if array is None or array.dtype.kind != "b" or not array.ndim or not self.right.masks:
            return ""
        masks, mask = [one.squeeze() for one in self.right.masks], array.squeeze()
        if any(np.array_equal(one, mask) for one in masks):
            return "right"
        return "opposite" if any(np.array_equal(one, ~mask) for one in masks) else "another"

    def _twin(self, number: int) -> Event | None:
        """Return an earlier name with the same value as another object, from which an event was not made."""
        mine, parts = self.events[number], self.parts[number]
        if self.marks[number] not in ("right", "turned"):
            return None
        own = {self.events[one].thing for one in self._leading_to(number)}
        for event, other in zip(self.events[:number], self.parts, strict=False):
            here = event.site.function is mine.site.function and event.round == mine.round
            beside = here and event.site.source != mine.site.source
            another = isinstance(event.site.node, ast.Name) and event.thing not in own
            if beside and another and len(other) == len(parts) and all(map(close, other, parts)):
                return event
        return None


def _hidden(part: Numbers, hides: bool) -> Numbers:
    """Return an array with -inf in place of very low numbers, which hide scores as well, if the right way hides any."""
    return np.where(part <= _LOW, -np.inf, part) if hides and part.ndim else part


def _some(holds: Callable[..., Any], parts: Iterable[Numbers]) -> bool:
    """Return whether an array has such a number, or a number is nan: a single inf is what hides scores."""
    return any(holds(one).any() for one in parts if one.ndim or holds is np.isnan)


def _is_copies(parts: Sequence[Numbers]) -> bool:
    """Return whether several arrays have the same numbers, as one array has that stands in a list many times."""
    first, *others = parts or [np.zeros(0)]
    return bool(others) and all(close(one, first) for one in others) and not is_plain(first)


# In words.


def divergence_finding(found: Divergence) -> Finding:
    """Return what a divergence says."""
    facts = dict.fromkeys(("made", "by", "unused"), "")
    event = found.event
    facts |= _place(event.site)
    if by := event.site.by:
        facts["by"] = say("divergence.by", code=cut(event.site.quote(by), SHOWN))
    facts["Place"] = capital(facts["place"])
    facts["operands"] = "".join(f" {one}." for one in _operands(found))
    if _is_copies(arrays_of(event.plain)):
        facts["made"] = say("divergence.copies")
    if not by and not {*names_read(event.site.node)} - _MODULES:
        facts["made"] += say("divergence.constant")
    if found.unused is not None:
        facts["unused"] = f" {_unused(found.unused)}"
    if found.kind == "not_finite" and (zeros := _with_zeros(event)):
        return finding("divergence.unwritten", **facts, zeros=zeros)
    return finding(f"divergence.{found.kind}", **facts)


def line_finding(found: Divergence) -> Finding | None:
    """Say beside other words where the first value stands that is not right, unless lines show it."""
    unused = f" {_unused(found.unused)}" if found.unused else ""
    if found.kind not in ("first", "not_finite"):
        return finding("divergence.unused", **_place(found.unused.site)) if found.unused else None
    names = "".join(f" {one}." for one in _of_names(found)) + unused
    foreign = next((f"`{name}`" for name, origin in found.origins if origin.kind == "file"), "")
    key = "divergence.line" + ".shown" * bool(found.lines)
    look = say("divergence.foreign", foreign=foreign) if foreign else ""
    return finding(key, **_place(found.event.site), names=names, look=look)


def _unused(event: Event) -> str:
    return say("divergence.unused", **_place(event.site))


def _place(site: SourceSite) -> dict[str, str]:
    return {"place": line_words(site.label, site.line), "source": cut(site.source, SHOWN)}


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


def _with_zeros(event: Event) -> str:
    """Return the function with zeros in place of one that makes room and writes nothing; empty for any other."""
    node = event.site.node
    zeros = _ZEROS.get(called(node), "")
    return ast.unparse(node.func).replace(called(node), zeros) if zeros else ""  # type: ignore[attr-defined]


def _of_names(found: Divergence) -> Iterator[str]:
    """Yield what is said of the names in an expression that are not what they look like."""
    for call in found.calls:
        yield say("divergence.call", function=called(call.site.node), **_place(call.site))
    for one in found.operands:
        if one.same_as is not None:
            name = f"`{one.event.site.source}`"
            yield say("divergence.twin", name=name, **_place(one.same_as.site))
    for name, origin in found.origins:
        where = line_words(origin.label, origin.line)
        yield say(f"divergence.{origin.kind}", name=f"`{name}`", place=where)
