"""The first value of a student's step that is not right, and what it was made of.

It is the earliest expression that leads to the answer, is not right, has no operand that is wrong, and from which
nothing right follows. Values are compared with those of the right computation; numbers are never shown.
"""

from __future__ import annotations

import ast
import itertools
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from autograder.compare import ABSOLUTE, RELATIVE
from autograder.edits.own_kinds import MODULES
from autograder.exam.right_values import arrays_of
from autograder.explain.feedback_text import cut
from autograder.explain.marked_trace import arrays_in_order, is_copies
from autograder.explain.right_numbers import close, factor_of, has_rows, is_plain, softmax_of
from autograder.explain.rules import finding, say
from autograder.explain.syntax import called, in_a_loop, names_read
from autograder.explain.variables import left_out
from autograder.explain.wording import capital, line_words, listed
from autograder.values.numbers import as_array, is_finite
from autograder.values.values import Array, ListValue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from autograder.exam.right_values import Numbers
    from autograder.explain.marked_trace import Mark, MarkedTrace
    from autograder.explain.rules import Finding
    from autograder.explain.trace import Event, Origin, SourceSite
    from autograder.results import TracedLine
    from autograder.values.values import Value

    Kind = Literal[
        "first",
        "another_way",
        "not_finite",
        "crossed",
        "copied",
        "reordered",
        "unused",
        "rounds",
        "turned",
        "on_the_way",
        "another_part",
    ]

# What makes room and writes nothing, and what writes zeros.
_ZEROS = {
    "empty": "zeros", "empty_like": "zeros_like", "new_empty": "new_zeros", "Tensor": "zeros",
}  # fmt: skip
_FACTOR = 1e-3  # two factors that differ by less are the same
_ROUNDED = 1e-2
_LARGE = 1e100
# Characters of an expression that are quoted.
SHOWN = 64


@dataclass(frozen=True)
class MarkedOperand:
    """What the first wrong value was made of.

    Attributes:
        mask: whether it is the right mask, its opposite, or another one; empty if it is no mask.
        is_unready: whether its softmax is taken, and the right computation takes it of what is made of it.
    """

    event: Event
    mark: Mark
    mask: Literal["", "right", "opposite", "another"] = ""
    is_unready: bool = False


@dataclass(frozen=True)
class Divergence:
    """Where a computation leaves the right one.

    Attributes:
        kind: `first` wrong value; the first on `another_way`, which the reference does not have; the first that is
            `not_finite`; right values that are `crossed` with those of another name, `copied` from it, `reordered` or
            `unused`; a loop without some of its `rounds`; or the answer is `turned`, a right value `on_the_way` or in
            place of `another_part`.
        event: the named expression.
        operands: what it was made of.
        origins: the names in it that are overwritten, or variables of the file, and where; without those in right
            operands.
        unused: the first call before whose result nothing reads.
        right_steps: the functions whose calls before are right, and the steps whose results stand before as right.
        names: the variables that are crossed, or that of a loop with what it leaves out.
        lines: the student's lines around it.
        unjudged: an operand from another line that may be wrong as well: it is not on the right way.
    """

    kind: Kind
    event: Event
    operands: tuple[MarkedOperand, ...] = ()
    origins: tuple[tuple[str, Origin], ...] = ()
    unused: Event | None = None
    right_steps: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()
    lines: tuple[TracedLine, ...] = ()
    unjudged: Event | None = None


def divergence(
    marked: MarkedTrace, wanted: Value, seen: Value, slack: float = 1.0
) -> Divergence | None:
    """Return where the computation of an answer leaves the right one; None if nothing can be said.

    `slack` is that of the comparison that found the answer wrong.
    """
    first, second = [*arrays_in_order(wanted)], [*arrays_in_order(seen)]
    if isinstance(seen, ListValue) and _agree(_in_one(first), _in_one(second), slack):
        return None  # the numbers are right, in a list
    return _Search(marked).divergence(first, second, slack)


def _in_one(arrays: Sequence[Numbers]) -> Numbers:
    return np.concatenate([np.zeros(0), *(one.ravel() for one in arrays)])


def _agree(first: Numbers, second: Numbers, slack: float) -> bool:
    """Return whether two parts of answers are judged as equal."""
    tolerance = {"rtol": slack * RELATIVE, "atol": slack * ABSOLUTE}
    return first.shape == second.shape and np.allclose(first, second, **tolerance, equal_nan=True)


def _almost(first: Numbers, second: Numbers) -> bool:
    """Return whether two arrays differ by rounding only."""
    return first.shape == second.shape and np.allclose(first, second, rtol=_ROUNDED, atol=_ROUNDED)


class _Search:
    """Looks for the place in a marked trace where it leaves the right way."""

    def __init__(self, marked: MarkedTrace) -> None:
        self._marked, self.trace, self.right = marked, marked.trace, marked.right
        self.events, self.parts, self.marks = marked.events, marked.parts, marked.marks

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
        odd = (one for one in ends if one in self._marked.odd)
        leading = self._marked.leading_to(next(odd, ends[-1]))
        for number in ends:  # few numbers say little on the way, but this is the answer
            if self.marks[number] == "neutral":
                self.marks[number] = "wrong"
        resized = any(one.shape != two.shape for one, two in pairs if two is wrong[0])
        finite = all(map(is_finite, wanted)) and not all(map(is_finite, seen))
        if finite and not resized and (broken := self._first_not_finite(leading)) is not None:
            return self._named("not_finite", broken)
        if found := self._first_wrong(leading, resized=resized):
            return self._unused_right(found) or found
        if self.marks[ends[-1]] == "turned":
            number = next(one for one in leading if self.marks[one] == "turned")
            return Divergence("turned", self.events[number])
        if self.marks[ends[-1]] == "right":
            other = pairs and any(_agree(wrong[0], one, slack) for one in wanted)
            if other:
                made = [one for one in ends if not self.events[one].is_read]
                return self._named("another_part", (made or ends)[-1])
            return self._named("on_the_way", ends[-1])
        return None

    def _first_wrong(self, leading: list[int], *, resized: bool) -> Divergence | None:
        """Return the first wrong event that is made of nothing wrong; `resized` says that the answer's shape is."""
        stones: set[int] = set()
        doubted: int | None = None
        for number in leading:
            event, mark = self.events[number], self.marks[number]
            if mark == "step" and not event.site.by:
                stones.add(event.number)
            elif mark == "wrong" and event.number in stones:
                self.marks[number] = "step"  # it led to something right in an earlier round
                doubted = number
            elif mark == "wrong" and not resized and self._is_of_a_room(number):
                self.marks[number] = "neutral"  # it is not full yet
            elif mark == "wrong" and all(self.marks[one] != "wrong" for one in event.operands):
                node = event.site.node
                # A power of an array, which no reference has, is of no kind.
                kind = self._marked.kind(event) or "power" * isinstance(node, ast.BinOp)
                known = kind in ("join", "axes", *self.right.kinds)
                known = known or (not kind and not self._is_foreign(event, self.parts[number]))
                if number in self._marked.odd:
                    odd, names = self._marked.odd[number]
                    return replace(self._named(odd, number), names=names)
                at = self._first_turned(number)
                if not known and not self._is_answer(at, leading):
                    return self._named("another_way", at)
                at = self._scaled_twice(at)
                return self._left_out(at) or self._first(at, doubted)
        return None

    def _is_room(self, number: int) -> bool:
        """Return whether an event makes room and writes nothing."""
        return called(self.events[number].site.node) in _ZEROS

    def _is_of_a_room(self, number: int) -> bool:
        """Return whether a variable was made as room, and several statements fill it: a part may not be done yet."""
        event, made = self.events[number], self._marked.variables.made(number)
        if not event.is_read or made is None or not self._is_room(made):
            return False
        return len({one.site.by for one in self.events if one.thing == event.thing} - {None}) > 1

    def _first(self, number: int, doubted: int | None) -> Divergence:
        """Return the first wrong event, or where its wrong number was made, with an operand that may be wrong, too.

        `doubted` is a wrong event of a loop before it, which led to something right in an earlier round.
        """
        operands = self._marked.direct(self.events[number])
        turned = any(self.marks[one] == "turned" for one in operands)
        made = number if turned else self._number_made(number)
        found = [*self._unjudged(number)] if made == number else []
        site = self.events[number].site
        if doubted is not None and not in_a_loop(site.node, site.function):
            found.append(doubted)
        unjudged = self.events[found[0]] if found else None
        return replace(self._named("first", made), unjudged=unjudged)

    def _unjudged(self, number: int) -> Iterator[int]:
        """Yield what an event reads, also in expressions in it that cannot be judged, and what may be wrong."""
        for one in self._marked.direct(self.events[number]):
            if self._may_be_wrong(one):
                yield one
            elif one in self._marked.unjudged and not self.events[one].is_read:
                yield from self._unjudged(one)

    def _may_be_wrong(self, number: int) -> bool:
        """Return whether what is read may be wrong: the right computation has it nowhere, or in another order."""
        event, made = self.events[number], self._marked.variables.made(number)
        if isinstance(event.plain, ListValue):  # of few numbers, or a shape
            return self.marks[number] == "neutral" or (made is None and not self.parts[number])
        if made is None:
            return False
        if self._mask(event) in ("opposite", "another"):
            return True
        if _number_of(event) is not None:
            return type(event.plain) is not int and not self._is_factor(number)
        turned = self.marks[number] == "turned"
        return number in self._marked.unjudged or (
            turned and self._marked.kind(self.events[made]) == "axes"
        )

    def _is_answer(self, number: int, leading: Sequence[int]) -> bool:
        """Return whether an event has the numbers of the last one, and reads no variable on a way of its own."""
        mine, last = self.parts[number], self.parts[leading[-1]]
        direct = self._marked.direct(self.events[number])
        read = [one for one in direct if self.events[one].is_read]
        own = any(
            self.marks[one] == "neutral" and not all(map(is_plain, self.parts[one])) for one in read
        )
        return not own and len(mine) == len(last) and all(map(close, mine, last))

    def _scaled_twice(self, number: int) -> int:
        """Return the second division by the root on the way to an event, where one is enough; else the event."""
        scaled = [one for one in self._marked.leading_to(number) if self._is_scaled_early(one)]
        for first, second in itertools.combinations(scaled, 2):
            if not self._marked.leads(first, second):
                self.marks[second] = "wrong"
                return second
        return number

    def _is_scaled_early(self, number: int) -> bool:
        """Return whether an event divides by the root what the right computation divides later."""
        event, parts = self.events[number], self.parts[number]
        if self.marks[number] != "right" or self._marked.kind(event) != "scale":
            return False
        given = [part for one in self._marked.direct(event) for part in self.parts[one]]
        return any(
            one.ndim and close(part * one.shape[-1] ** 0.5, one)
            for part in parts
            for one in given
            if not any(close(part, known) for known in self.right.arrays)
        )

    def _is_foreign(self, event: Event, parts: Sequence[Numbers]) -> bool:
        """Return whether an event is a call of a library's function of no known kind, which makes other numbers."""
        own = {getattr(tree, "name", "") for *_, tree in self.trace.table.statements}
        given = [part for one in event.operands for part in self.parts[one] if part.ndim]
        keeps = any(_almost(one, other) for one in parts for other in given)
        is_call = isinstance(event.site.node, ast.Call) and called(event.site.node) not in own
        return is_call and bool(given) and not keeps

    def _unused_right(self, found: Divergence) -> Divergence | None:
        """Return the right value before a wrong one that nothing uses."""
        for number, event in enumerate(self.events):
            if event is found.event:
                return None
            if event is found.unused and self.marks[number] in ("right", "turned"):
                return self._named("unused", number)
        return None

    def _left_out(self, number: int) -> Divergence | None:
        """Return the loop around an event that leaves out some elements."""
        found = left_out(self.events, number)
        return replace(self._named("rounds", found[0]), names=(found[1],)) if found else None

    def _number_made(self, number: int) -> int:
        """Return where the plain number of a scaling was made, if it is not the right one; else the scaling.

        What is only read was made where its variable got it.
        """
        chain, at = [number], number
        made = None if self.events[at].site.by else self._marked.variables.made(at)
        if made is not None and self.marks[made] == "neutral":
            return made
        while (made := self._number_behind(at)) is not None:
            at = made
            chain.append(at)
        wrong = itertools.takewhile(lambda one: not self._is_factor(one), chain[1:])
        bound = [one for one in wrong if self._is_one_number(one)]
        scales = self._marked.kind(self.events[number]) == "scale" or self._is_multiple(number)
        return bound[-1] if scales and bound and self._marked.numbers.factors else number

    def _is_one_number(self, number: int) -> bool:
        """Return whether an event is bound to a name, and is not a shape whose sizes all have their own."""
        names, node = self._marked.variables.bound(number), self.events[number].site.node
        whole = node.func if isinstance(node, ast.Call) else node
        return len(names) == 1 or (
            bool(names) and not isinstance(getattr(whole, "value", None), ast.Name)
        )

    def _is_factor(self, number: int) -> bool:
        """Return whether a number, or its inverse, is one by which the right computation multiplies.

        A whole number may be its square, of which the root is still to be taken.
        """
        one, factors = _number_of(self.events[number]), self._marked.numbers.factors
        if one is not None and one == round(one):
            factors = [way for factor in factors for way in (factor, factor**2)]
        return one is not None and any(
            math.isclose(abs(one), factor, rel_tol=_FACTOR)
            or math.isclose(abs(one * factor), 1, rel_tol=_FACTOR)
            for factor in factors
        )

    def _is_multiple(self, number: int) -> bool:
        """Return whether an event has the numbers of one of its operands, all multiplied by one number."""
        below = self.events[number].operands
        given = [part for one in below for part in self.parts[one] if not is_plain(part)]
        return any(
            factor_of(part, one)
            for part in filter(is_finite, self.parts[number])
            for one in filter(is_finite, given)
        )

    def _number_behind(self, number: int) -> int | None:
        """Return what a variable got its value from, or the only number in an operation; None if there are several."""
        made = None if self.events[number].site.by else self._marked.variables.made(number)
        if made is not None:
            return made
        direct = self._marked.direct(self.events[number])
        numbers = [one for one in direct if _number_of(self.events[one]) is not None]
        return numbers[0] if len(numbers) == 1 else None

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
            kind = self._marked.kind(self.events[at])
            computes = kind != "axes" if kind else isinstance(self.events[at].site.node, ast.Call)
            if fits and computes:
                first = at
        return first

    def _first_not_finite(self, leading: list[int]) -> int | None:
        """Return the first event with nan that was made of none, or with inf that was made of finite numbers.

        What makes room comes last: what is written into it may have nan as well.
        """
        rooms = [one for one in leading if self._is_room(one)]
        things = {self.events[one].thing for one in rooms}
        first = (one for one in leading if self.events[one].thing not in things)
        return next(filter(self._breaks, itertools.chain(first, rooms)), None)

    def _breaks(self, number: int) -> bool:
        """Return whether nan or inf begins in an event."""
        if self.marks[number] in ("right", "turned", "step"):
            return False
        mine = self.parts[number]
        below = [part for one in self.events[number].operands for part in self.parts[one]]
        return any(_some(holds, mine) > _some(holds, below) for holds in (np.isnan, np.isinf))

    def _named(self, kind: Kind, number: int) -> Divergence:
        event = self.events[number]
        operands = tuple(self._operand(one, number) for one in self._marked.direct(event))
        origins = self._origins(event, operands)
        right_steps = frozenset(self._right_steps(number))
        return Divergence(kind, event, operands, origins, self._unused(), right_steps)

    def _right_steps(self, number: int) -> Iterator[str]:
        """Yield the functions whose calls before an event are right, and the steps whose results are made there."""
        before = [one for one in range(number) if self.marks[one] == "right"]
        made = [one for one in before if not self.events[one].is_read]
        results = [
            (called(self.events[one].site.node), [[one]])
            for one in made
            if isinstance(self.events[one].site.node, ast.Call)
        ]
        for step, first, last in self.right.steps:
            wanted = self.right.arrays[first : last + 1]
            results.append((step, [[at for at in made if self._is_of(at, one)] for one in wanted]))
        computed = [one for one in made if self._marked.kind(self.events[one]) not in ("", "axes")]
        for step, found in results:
            ends = {*itertools.chain(*found)}
            later = (one for one in computed if one not in ends)
            # What is right was made of it, and may be what went wrong in fact: scores that are scaled twice.
            if all(found) and not any(ends & {*self._marked.leading_to(one)} for one in later):
                yield step

    def _is_of(self, number: int, array: Numbers) -> bool:
        return any(close(part, array) for part in self.parts[number])

    def _origins(
        self, event: Event, operands: Sequence[MarkedOperand]
    ) -> tuple[tuple[str, Origin], ...]:
        """Return where names have their values from, without those in right operands."""
        right = [one.event.site.node for one in operands if one.mark == "right"]
        settled = {
            name for node in right if not isinstance(node, ast.Name) for name in names_read(node)
        }
        every = self.trace.origins(event.site)
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

    def _operand(self, number: int, made: int) -> MarkedOperand:
        event, shapes = self.events[number], {one.shape for one in self.parts[number]}
        logits = [one for one in self._marked.numbers.logits if one.shape in shapes]
        softmax = self._marked.kind(self.events[made]) in ("softmax", "exp") or any(
            has_rows(part) and self._is_of(made, softmax_of(part)) for part in self.parts[number]
        )
        is_ready = not (softmax and logits) or any(self._is_of(number, one) for one in logits)
        return MarkedOperand(event, self.marks[number], self._mask(event), not is_ready)

    def _mask(self, event: Event) -> Literal["", "right", "opposite", "another"]:
        array = as_array(event.plain)
        if array is None or array.dtype.kind != "b" or not array.ndim or not self.right.masks:
            return ""
        masks, mask = [one.squeeze() for one in self.right.masks], array.squeeze()
        if any(np.array_equal(one, mask) for one in masks):
            return "right"
        return "opposite" if any(np.array_equal(one, ~mask) for one in masks) else "another"


def _number_of(event: Event) -> float | None:
    """Return the single number that an event is; None if it is none, or one without end."""
    value = event.plain
    if isinstance(value, Array) and not value.data.ndim and value.data.dtype.kind in "iuf":
        value = float(value.data)
    return value if isinstance(value, int | float) and abs(value) < _LARGE else None


def _some(holds: Callable[..., Any], parts: Iterable[Numbers]) -> bool:
    """Return whether an array has such a number, or a number is nan: a single inf is what hides scores."""
    return any(holds(one).any() for one in parts if one.ndim or holds is np.isnan)


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
    facts |= dict(zip(("name", "other"), found.names, strict=False))
    if is_copies(arrays_of(event.plain)):
        facts["made"] = say("divergence.copies")
    if not by and not {*names_read(event.site.node)} - {*MODULES}:
        facts["made"] += say("divergence.constant")
    if found.unused is not None:
        facts["unused"] = f" {_unused(found.unused)}"
    if zeros := with_zeros(found):
        return finding("divergence.unwritten", **facts, zeros=zeros)
    if found.unjudged:
        before = found.unjudged.site.source
        return finding("divergence.first.unjudged", **facts, before=before)
    return finding(f"divergence.{found.kind}", **facts)


def line_finding(found: Divergence) -> Finding | None:
    """Say beside other words where the first value stands that is not right, unless lines show it."""
    unused = f" {_unused(found.unused)}" if found.unused else ""
    if found.kind in ("another_way", "turned", "on_the_way", "another_part"):
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
        if one.mark == "right"
        and not one.is_unready
        and any(part.ndim for part in arrays_of(one.event.plain))
    ]
    if right:
        several = len(right) > 1
        are, itself = ("are", "themselves") if several else ("is", "itself")
        yield say("divergence.right", names=listed(right), are=are, itself=itself)
    yield from _of_names(found)
    for one in found.operands:
        name = f"`{one.event.site.source}`"
        if one.mark == "right" and one.is_unready:
            yield say("divergence.unready", name=name)
        elif one.mark == "turned":
            yield say("divergence.turned_operand", name=name)
        elif one.mask:
            yield say(f"divergence.mask_{one.mask}", name=name)


def with_zeros(found: Divergence) -> str:
    """Return the function with zeros in place of one that makes room and writes nothing; empty for any other."""
    node = found.event.site.node
    if found.kind != "not_finite":
        return ""
    zeros = _ZEROS.get(called(node), "")
    return ast.unparse(node.func).replace(called(node), zeros) if zeros else ""  # type: ignore[attr-defined]


def _of_names(found: Divergence) -> Iterator[str]:
    """Yield what is said of the names in an expression that are not what they look like."""
    for name, origin in found.origins:
        where = line_words(origin.label, origin.line)
        yield say(f"divergence.{origin.kind}", name=f"`{name}`", place=where)
