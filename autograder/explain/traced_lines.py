"""The lines of a wrong step beside what they computed: its kind or shape, and whether it is right. No numbers."""

from __future__ import annotations

import ast
import itertools
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from autograder.explain.right_numbers import close, is_plain
from autograder.explain.syntax import called, in_a_loop, is_on, names_made, names_read, nodes
from autograder.explain.trace import Described
from autograder.explain.variables import is_unfinished, rounds_of
from autograder.results import TracedLine
from autograder.text import one_line
from autograder.values.values import Array, DictValue, ListValue

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from autograder.explain.divergence import Divergence
    from autograder.explain.marked_trace import Mark, MarkedTrace
    from autograder.explain.repair import Repair
    from autograder.explain.trace import Event, SourceSite
    from autograder.results import Frame, LineMark
    from autograder.values.values import Value

MOST_LINES = 8
_MOST_PARTS = 3
_MARKS: dict[str, LineMark] = {
    "first": "first",
    "not_finite": "not_finite",
    "another_way": "",
    "crossed": "crossed",
    "copied": "first",
    "reordered": "reordered",
    "unused": "unused",
    "rounds": "rounds",
}
_KINDS = {bool: "bool", int: "number", float: "number", str: "text", type(None): "None"}


def lines_of_divergence(
    marked: MarkedTrace, found: Divergence, *, public: bool
) -> tuple[TracedLine, ...]:
    """Return the lines around the first value that is not right; none if none can be named.

    Args:
        public: any size may be shown; else those that the right computation has.
    """
    if found.kind not in _MARKS:
        return ()
    site, lines = found.event.site, _Lines(marked, public=public)
    own = lines.in_function_of(site)
    named = [at for at, one in enumerate(own) if _holds(one, site.node)]
    if not named:
        return ()
    calls = lines.calls_of(site.function)
    most = MOST_LINES - len(calls)
    first = max(0, min(named[-1] - most // 2, len(own) - most))
    around = own[first : first + most]
    shown = lines.lines(around, site)
    shown = _without_returned(shown, around)
    if found.kind == "not_finite":
        shown = _without_made(names_read(site.node), shown, around)
    whole = site.by or found.kind in ("crossed", "unused") or isinstance(site.node, ast.Name)
    place, part = shown[named[-1] - first], "" if whole else one_line(site.source)
    mark: LineMark = "unjudged" if found.unjudged else _MARKS[found.kind]
    whole = not mark or place.text.count(part) != 1 or part == place.text.strip()
    numbers = lines.numbers(found.event) if found.kind == "first" else ""
    blamed = "" if whole else part
    shown[named[-1] - first] = replace(place, mark=mark, blamed=blamed, numbers=numbers)
    return _after_arguments(lines.head(site), (*calls, *shown))


def lines_of_repair(marked: MarkedTrace, repair: Repair, *, public: bool) -> tuple[TracedLine, ...]:
    """Return the lines around the place of a repair. What comes after is not called right."""
    site = _site_at(marked, repair.label, repair.line)
    if site is None:
        return ()
    lines = _Lines(marked, public=public)
    own = lines.in_function_of(site)
    at = sum(one.lineno <= repair.line for one in own)
    ran = at > 0 and _is_of(own[at - 1], repair.line)
    at -= ran
    first = max(0, min(at - MOST_LINES // 2, len(own) - MOST_LINES))
    shown, at = lines.lines(own[first : first + MOST_LINES], site), at - first
    if not ran:  # a line that computes nothing, or that raised
        text = _indented(site.text.split("\n")[repair.line - 1], site, repair.line)
        shown.insert(at, TracedLine(site.label, repair.line, site.function.name, text))
    after = [
        replace(line, mark="", same_as=0, right_until="", wrong_from="") for line in shown[at:]
    ]
    part = repair.part if after[0].text.count(repair.part) == 1 else ""
    after[0] = replace(after[0], mark="here", blamed=part * (part != after[0].text.strip()))
    return _after_arguments(lines.head(site), (*shown[:at], *after))


def _is_of(statement: ast.stmt, line: int) -> bool:
    """Return whether a line is a statement's own, and not one of its block."""
    return statement.lineno == line or (is_on(statement, line) and not hasattr(statement, "body"))


def lines_of_exception(
    marked: MarkedTrace, frames: Sequence[Frame], *, public: bool
) -> tuple[TracedLine, ...]:
    """Return the lines up to the one that raised, after the call that led there; none if they are not known."""
    last = frames[-1]
    site = _site_at(marked, last.file, last.line)
    if site is None:
        return ()
    lines = _Lines(marked, public=public)
    calls = [_line(one) for one in frames[-2:-1]]
    before = [one for one in lines.in_function_of(site) if one.lineno < last.line]
    before = before[len(calls) + 1 - MOST_LINES :]
    there = (one for one in nodes(site.function, ast.stmt) if one.lineno == last.line)
    read = {name for one in there for name in names_read(one)}
    shown = _without_made(read, lines.lines(before, site), before)
    text = _indented(last.text, site, last.line)
    every = (*calls, *shown, replace(_line(last), text=text, mark="stopped"))
    return _after_arguments(lines.head(site), every)


def _site_at(marked: MarkedTrace, label: str, line: int) -> SourceSite | None:
    """Return a site of the innermost traced function in which a line stands; None if it stands in none."""
    sites = (event.site for event in marked.trace.events if event.site.label == label)
    around = (site for site in sites if is_on(site.function, line))
    return max(around, key=lambda one: one.function.lineno, default=None)


def _without_made(
    names: Collection[str], lines: Sequence[TracedLine], statements: Sequence[ast.stmt]
) -> list[TracedLine]:
    """Return lines of which none is right that makes these names: what does not fit together is not called right."""
    return [
        replace(line, mark="") if line.mark == "right" and names_made(one) & {*names} else line
        for line, one in zip(lines, statements, strict=True)
    ]


def _without_returned(
    lines: Sequence[TracedLine], statements: Sequence[ast.stmt]
) -> list[TracedLine]:
    """Return lines of which none is right that returns several values: one of them is not right, or not in order."""
    return [
        replace(line, mark="")
        if isinstance(one, ast.Return) and isinstance(one.value, ast.Tuple) and line.mark == "right"
        else line
        for line, one in zip(lines, statements, strict=True)
    ]


def _after_arguments(
    head: Sequence[TracedLine], lines: tuple[TracedLine, ...]
) -> tuple[TracedLine, ...]:
    """Return lines after the head of their function; none for a single one of which the words quote all."""
    at = next((at for at, one in enumerate(lines) if head and one.function == head[0].function), 0)
    shown = (*lines[:at], *head, *lines[at:])
    return shown if len(lines) > 1 or lines[0].blamed else ()


def _line(frame: Frame) -> TracedLine:
    return TracedLine(frame.file, frame.line, frame.function.rpartition(".")[2], frame.text)


class _Lines:
    """The lines of a trace's functions."""

    def __init__(self, marked: MarkedTrace, *, public: bool) -> None:
        self._marked, self._public = marked, public
        self._rounds: dict[ast.AST | None, list[int]] = defaultdict(list)
        for number, event in enumerate(marked.trace.events):
            self._rounds[event.site.by or event.site.node].append(number)

    def in_function_of(self, site: SourceSite) -> list[ast.stmt]:
        """Return the statements of a site's function that computed something, in order."""
        found = filter(self._parts, nodes(site.function, ast.stmt))
        return sorted(found, key=lambda one: one.lineno)

    def calls_of(self, function: ast.FunctionDef) -> list[TracedLine]:
        """Return the line that calls a function, by its name or as a method of an object, if the trace knows it."""
        given = {one.value for one in nodes(function, ast.Return)}
        events, things = self._marked.trace.events, {0}
        for event in events:
            other = event.site
            if other.node in given and other.function is function:
                things.add(event.thing)
            calls = called(other.node) == function.name
            calls = calls or (isinstance(other.node, ast.Call) and event.thing in things - {0})
            if other.function is not function and calls:
                text, name = one_line(other.source), other.function.name
                name = f"{other.top}.{name}" if name == function.name else name
                return [TracedLine(other.label, other.line, name, text)]
        return []

    def head(self, site: SourceSite) -> list[TracedLine]:
        """Return the first line of a site's function beside its arguments; none if one is not known."""
        function, arguments = site.function, site.function.args
        given = [one.arg for one in arguments.args if one.arg != "self"]
        values = {}
        for event in reversed(self._marked.events):
            if event.site.function is function and event.is_read:
                values[event.site.source] = event.value
        others = arguments.posonlyargs or arguments.kwonlyargs or arguments.vararg
        stored = {one.id for one in nodes(function, ast.Name) if isinstance(one.ctx, ast.Store)}
        if not given or others or {*given} & stored or not {*given} <= values.keys():
            return []
        text = f"def {function.name}({', '.join(one.arg for one in function.args.args)}):"
        shapes = _together([self._shape(values[name]) for name in given])
        return [TracedLine(site.label, function.lineno, function.name, text, shapes)]

    def numbers(self, event: Event) -> str:
        """Return the sums of the rows of weights, or the range of other numbers; empty if they may not be shown."""
        value = event.plain
        if not self._public or not isinstance(value, Array) or not _is_array(event):
            return ""
        if not value.data.size or value.data.dtype.kind not in "fiub":
            return ""
        data = value.data.astype(float)
        is_shares = data.ndim > 1 and ((data >= 0) & (data <= 1)).all()
        rows = data.sum(-1) if is_shares else data
        ends = dict.fromkeys((f"{rows.min():.2f}", f"{rows.max():.2f}"))
        return f"{'from' if rows is data else 'rows sum to'} {' to '.join(ends)}"

    def _parts(self, statement: ast.stmt) -> list[list[int]]:
        """Return the events of what a statement computed, a list a part; of a call that gives None, of what it got."""
        value = _computed(statement)
        parts = value.elts if isinstance(value, ast.Tuple) else [value]
        events = self._marked.trace.events
        found = [self._rounds[part] for part in parts if part in self._rounds]
        if isinstance(value, ast.Call) and found and events[found[0][-1]].value is None:
            found = [self._rounds[one] for one in value.args if one in self._rounds]
        of_self = any(isinstance(one, ast.Attribute) for one in getattr(statement, "targets", ()))
        changed = [] if of_self else self._rounds.get(statement, [])
        if isinstance(statement, ast.Expr) and found and events[found[0][0]].value is not None:
            return found
        if changed and not (found and _is_array(events[found[0][0]])):
            return [changed]  # a single number may stand in the wrong place
        return found

    def lines(self, statements: Sequence[ast.stmt], site: SourceSite) -> list[TracedLine]:
        """Return the lines of statements in a site's function."""
        found = [self._line(one, site) for one in statements]
        parts = [self._parts(one) for one in statements]
        last = [one[0][-1] for one in parts]
        for at, number in enumerate(last):
            same = [
                line
                for line, other in zip(found, last[:at], strict=False)
                if self._twins(number, other)
            ]
            if same and found[at].mark == "right" and len(parts[at]) == 1:
                found[at] = replace(found[at], same_as=same[0].line)
        return found

    def _twins(self, one: int, other: int) -> bool:
        """Return whether two events have the same numbers, and neither was made from the other."""
        first, second = (self._marked.parts[number] for number in (one, other))
        return (
            len(first) == len(second) == 1
            and not is_plain(first[0])
            and close(first[0], second[0])
            and not self._marked.leads(one, other)
        )

    def _line(self, statement: ast.stmt, site: SourceSite) -> TracedLine:
        loop = statement if isinstance(statement, ast.For) else None
        text = f"for {site.quote(loop.target)} in {site.quote(loop.iter)}:" if loop else ""
        text = _indented(text or site.quote(statement), site, statement.lineno)
        place = (site.label, statement.lineno, site.function.name, text)
        if loop:
            each = rounds_of(self._marked.trace.events, loop, site.function)
            return TracedLine(*place, f"{each} round{'s' * (each > 1)}" if each else "")
        parts = self._parts(statement)
        used = isinstance(statement, ast.Return) or {*itertools.chain(*parts)} & self._marked.used
        events = self._marked.trace.events
        values = (events[rounds[-1]].site.node for rounds in parts)
        if any(is_unfinished(events, one, site.function) for one in values):
            return TracedLine(*place)
        shapes = [self._shape(events[rounds[-1]].value) for rounds in parts]
        marks = [self._mark(together) for together in zip(*parts, strict=False)]
        line = TracedLine(
            *place,
            _together(shapes),
            "right" if used and "wrong" not in marks and marks[-1:] == ["right"] else "",
        )
        wrong = marks.index("wrong") if "wrong" in marks else 0
        looped = in_a_loop(
            statement, site.function
        )  # else the whole step was called more than once
        numbers = parts[0][wrong - 1 : wrong + 1]
        rounds = [self._marked.trace.events[number].round for number in numbers]
        apart = rounds and rounds[-1] - rounds[0] > 1  # what came between was not recorded
        if not wrong or apart or "right" not in marks[:wrong] or not looped:
            return line
        before, after = (self._round(statement, site, parts[0][at]) for at in (wrong - 1, wrong))
        return replace(line, right_until=before, wrong_from=after)

    def _mark(self, together: Sequence[int]) -> Mark:
        """Return the mark of a round, of all parts together."""
        marks = [self._marked.marks[number] for number in together]
        worst: tuple[Mark, ...] = ("wrong", "step", "right", "turned", "neutral")
        return next((one for one in worst if one in marks), "none")

    def _round(self, statement: ast.stmt, site: SourceSite, number: int) -> str:
        """Return a round of a loop in words: the value of the loop's variable, if that may be shown."""
        count = self._marked.trace.events[number].round
        around = [loop for loop in nodes(site.function, ast.For) if _holds(loop, statement)]
        name = getattr(around[-1].target, "id", "") if around else ""
        reads = [read for read in nodes(statement, ast.Name) if read.id == name]
        events = (self._marked.trace.events[at] for read in reads for at in self._rounds[read])
        numbers = [one.plain for one in events if one.round == count and type(one.plain) is int]
        if numbers and self._may_be_shown(numbers[:1]):
            return f"{name} = {numbers[0]}"
        return f"round {count + 1}"

    def _shape(self, value: Value | Described) -> str:
        """Return the shape of an array, or the kind of another value; empty if its sizes may not be shown."""
        if isinstance(value, Described) and value.what != "large":
            return value.what
        if isinstance(value, ListValue | DictValue):
            return self._several(value)
        if not isinstance(value, Array | Described):
            return _KINDS.get(type(value), "")
        sizes = value.data.shape if isinstance(value, Array) else value.shape
        return str(sizes or "number") if self._may_be_shown(sizes) else ""

    def _several(self, value: ListValue | DictValue) -> str:
        items = value.items if isinstance(value, ListValue) else [one for _, one in value.items]
        shapes = [self._shape(one) for one in items[:_MOST_PARTS]]
        if len(items) <= _MOST_PARTS and all(shapes):
            return _together(shapes)
        kind = value.kind if isinstance(value, ListValue) else "dict"
        return f"{kind} of {len(items)}" if self._may_be_shown((len(items),)) else ""

    def _may_be_shown(self, sizes: Sequence[int]) -> bool:
        return self._public or {*sizes} <= self._marked.sizes | {0, 1}


def _indented(text: str, site: SourceSite, line: int) -> str:
    """Return the source of a line, in one line, as far to the right of its function's head as it stands."""
    own = (one.col_offset for one in nodes(site.function, ast.stmt) if one.lineno == line)
    left = next(own, site.function.body[0].col_offset) - site.function.col_offset
    return " " * left + one_line(text)


def _together(shapes: Sequence[str]) -> str:
    """Return the shapes of several values; empty if one may not be shown."""
    if len(shapes) > 1 and len({*shapes}) == 1 and all(shapes):
        return f"{len(shapes)} x {shapes[0]}"
    return ", ".join(shapes) if all(shapes) else ""


def _is_array(event: Event) -> bool:
    return isinstance(event.value, Array) and event.value.data.ndim > 0


def _computed(statement: ast.stmt) -> ast.expr | None:
    """Return the value that a statement computes, or what its loop runs over."""
    return getattr(statement, "value", getattr(statement, "iter", None))


def _holds(around: ast.AST, node: ast.AST) -> bool:
    return any(one is node for one in ast.walk(around))
