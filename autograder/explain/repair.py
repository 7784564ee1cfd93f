"""The repair: one small edit of a student's own code with which the whole check is right. It proves what is at fault.

Here stand which edits are tried first, and what is said of one that is proven. They are run elsewhere.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

from autograder.edits.kinds import NOTHING
from autograder.edits.own_kinds import COSTS, own_changes
from autograder.edits.places import edited, edits_of, expression_around
from autograder.explain.feedback_text import cut
from autograder.explain.messages import OPERATIONS
from autograder.explain.rules import finding, say
from autograder.explain.syntax import names_read, nodes
from autograder.explain.wording import capital, line_words, listed
from autograder.python_source import parsed
from autograder.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from autograder.edits.places import Edit
    from autograder.explain.rules import Finding
    from autograder.explain.student_code import Definition
    from autograder.results import Feedback, TracedLine

# How far a place is from the fault: in the blamed expression, in its statement, around it, anywhere.
NEAR, AROUND, FAR = 0.7, 0.6, 3.0
_MADE_BY, _IN_A_HELPER, _SEVERAL, _RIGHT, _ELSEWHERE = 0.9, 0.5, 0.4, 0.8, 1.2
# What nothing else reads is likely to belong somewhere.
_UNREAD = 1.0
# Longer definitions are not edited.
MOST_CHARACTERS = 6_000
# Kinds that add an operation: tried only where the step has computed something right.
ADDING = ("root-missing", "sign", "one-off", "mask-too-large")
# Kinds that put one name in the place of another.
_NAMES = ("input-for-another", "matrix-for-another")
_QUOTED = 64

Span = tuple[int, int, int, int]


def span_of(node: ast.expr) -> Span:
    """Return where an expression begins and ends."""
    return node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0


@dataclass(frozen=True)
class Focus:
    """Where a fault shows itself.

    Attributes:
        label: the name of the file or cell.
        span: first line and column, last line and column of the first wrong expression, or of what raised.
        lines: of each line that leads there, how far it is.
        right: the spans in it whose values are right.
        kinds: of names and attributes, what they hold.
        never: the kinds of edits that are not tried.
    """

    label: str = ""
    span: Span | None = None
    lines: Mapping[int, float] = field(default_factory=dict)
    right: tuple[Span, ...] = ()
    kinds: Mapping[str, str] = field(default_factory=dict)
    never: Sequence[str] = ADDING


@dataclass(frozen=True)
class Try:
    """A definition with an edit, to be run.

    Attributes:
        text: its source with the edit.
        far: how unlikely the edit is to be the repair.
    """

    definition: Definition
    edit: Edit
    text: str
    far: float


def tries(definitions: Sequence[Definition], focus: Focus) -> Iterator[Try]:
    """Yield what can be tried, the likeliest first. The first definition is the step's own."""
    found = []
    for number, one in enumerate(definitions):
        if _can_be_edited(one):
            places = _Places(one, focus if focus.label in ("", one.label) else Focus())
            found += [
                (places.far(edit) + _IN_A_HELPER * bool(number), one, edit)
                for edit in edits_of(places.text, own_changes, everywhere=True)
                if edit.code not in focus.never and places.fits(edit)
            ]
    known = {ast.dump(one.node) for one in definitions}
    for far, one, edit in sorted(found, key=lambda each: each[0]):
        text = edited(one.text, edit)
        tree = parsed(text)
        if tree and (code := ast.dump(tree.body[0])) not in known:
            known.add(code)
            yield Try(one, edit, text, far)


def with_less(one: Try) -> Iterator[Try]:
    """Yield an edit that changes the same in several places, without each of them."""
    changes = one.edit.changes
    if len(changes) > 1 and all(new != NOTHING for *_, new in changes):
        for place in changes:
            edit = replace(one.edit, changes=tuple(each for each in changes if each is not place))
            text = edited(one.definition.text, edit)
            if parsed(text):
                yield Try(one.definition, edit, text, one.far)


def _can_be_edited(one: Definition) -> bool:
    """Return whether a definition with an edit can take the place of the one that ran: none that is made of itself."""
    bases = one.node.bases if isinstance(one.node, ast.ClassDef) else []
    is_made_of_itself = any(one.node.name in names_read(base) for base in bases)
    return len(one.text) <= MOST_CHARACTERS and not one.is_decorated and not is_made_of_itself


class _Places:
    """Where the edits of a definition stand."""

    def __init__(self, definition: Definition, focus: Focus) -> None:
        self.text, self._first, self._node = definition.text, definition.line, definition.node
        self._focus = focus
        rows = self.text.splitlines(keepends=True)
        self._rows = rows
        self._starts = [0, *accumulate(map(len, rows))]
        self._span = self._offsets(focus.span) if focus.span else None
        self._right = [self._offsets(span) for span in focus.right]

    def _offsets(self, span: Span) -> tuple[int, int]:
        first, column, last, end = span
        return self._offset(first, column), self._offset(last, end)

    def _offset(self, line: int, column: int) -> int:
        row = line - self._first
        if not 0 <= row < len(self._rows):
            return -1
        return self._starts[row] + len(self._rows[row].encode()[:column].decode(errors="replace"))

    @cached_property
    def _lines(self) -> dict[int, float]:
        """How far each line is that has to do with the fault."""
        focus, found = self._focus, dict(self._focus.lines)
        if focus.span:
            found[focus.span[0]] = min(NEAR, found.get(focus.span[0], NEAR))
            for one in nodes(self._node, ast.stmt):
                around = isinstance(one, ast.For | ast.While | ast.If | ast.With)
                if isinstance(one, ast.If):
                    found.setdefault(one.lineno, _ELSEWHERE)
                if around and one.lineno < focus.span[0] <= (one.end_lineno or 0):
                    found[one.lineno] = min(AROUND, found.get(one.lineno, AROUND))
        near = {line for line, far in found.items() if far <= NEAR}
        read = {
            one.attr
            for one in nodes(self._node, ast.Attribute)
            if one.lineno in near and isinstance(one.ctx, ast.Load)
        }
        for made in nodes(self._node, ast.Attribute):
            if isinstance(made.ctx, ast.Store) and made.attr in read:
                found[made.lineno] = min(_MADE_BY, found.get(made.lineno, _MADE_BY))
        return found

    def far(self, edit: Edit) -> float:
        """Return how unlikely an edit is, by its kind and by the nearest of its places."""
        place = min(self._distance(first, last) for first, last, _ in edit.changes)
        several = _SEVERAL * (len(edit.changes) > 1)
        return COSTS[edit.code] + place + several - _UNREAD * self._brings_unread(edit)

    def _brings_unread(self, edit: Edit) -> bool:
        """Return whether an edit uses an argument or an attribute that nothing else reads."""
        new = re.escape(edit.changes[0][2])
        return edit.code in _NAMES and len(re.findall(rf"\b{new}\b", self.text)) == 1

    def fits(self, edit: Edit) -> bool:
        """Return whether what stands for other names may hold the same kind of value, and is called if they are.

        Only one sign is wrong: two may undo each other.
        """
        if edit.code == "sign":
            return len(edit.changes) == 1
        return edit.code not in _NAMES or all(
            self._is_alike(self.text[first:last], new) for first, last, new in edit.changes
        )

    def _is_alike(self, old: str, new: str) -> bool:
        kinds, functions = self._focus.kinds, self._functions
        if old in kinds and new in kinds:
            return kinds[old] == kinds[new]
        read = functions.keys() & {old, new}
        return len(read) < 2 or functions[old] is functions[new] is not None  # noqa: PLR2004 - both

    @cached_property
    def _functions(self) -> dict[str, bool | None]:
        """Whether what is read is called; None for a call whose result nothing uses."""
        found: dict[str, bool | None] = {}
        for node in nodes(self._node, ast.expr):
            if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
                found.setdefault(ast.unparse(node), False)
        for call in nodes(self._node, ast.Call):
            found[ast.unparse(call.func)] = True
        for alone in nodes(self._node, ast.Expr):
            if isinstance(alone.value, ast.Call):
                found[ast.unparse(alone.value.func)] = None
        return found

    def _distance(self, first: int, last: int) -> float:
        if self._focus.span is None and not self._focus.lines:
            return 1.0
        if self._span and self._span[0] <= first and last <= self._span[1]:
            inside = any(one[0] <= first and last <= one[1] for one in self._right)
            return _RIGHT * (inside and not self.text[first:last].isidentifier())
        line = self._first + self.text.count("\n", 0, first)
        return self._lines.get(line, FAR)


# In words.


@dataclass(frozen=True)
class Repair:
    """A proven edit.

    Attributes:
        found: what is said of it.
        label, line: where it stands.
        part: the changed part of the line, as it was.
        shown: the lines around it.
    """

    found: Finding
    label: str
    line: int
    part: str
    shown: tuple[TracedLine, ...] = ()


def repair_of(step: str, proven: Try) -> Repair:
    """Return what an edit proves of a step."""
    one, text = proven.definition, proven.definition.text
    lines = [one.line + text.count("\n", 0, first) for first, *_ in proven.edit.changes]
    first, last, _ = proven.edit.changes[0]
    others = [line_words(one.label, line) for line in dict.fromkeys(lines[1:]) if line != lines[0]]
    same = proven.edit.code not in ("statement-order", "moved-in")
    facts = {
        "step": step,
        "Place": capital(line_words(one.label, lines[0])),
        "what": _shown(text[first:last]),
        "source": _shown(expression_around(text, proven.edit)),
        "more": say("same_in", places=listed(others)) if others and same else "",
    }
    found = finding(f"repair:{proven.edit.code}", **facts)
    return Repair(found, one.label, lines[0], " ".join(text[first:last].split()))


def _shown(text: str) -> str:
    return cut(" ".join(text.split()), _QUOTED)


def is_proven(feedback: Feedback) -> bool:
    """Return whether the cause of an exception is known: more than which operation raised it."""
    return any(name not in OPERATIONS for name in feedback.mistakes) or bool(
        {Reason.FORBIDDEN, Reason.OUT_OF_MEMORY} & {*feedback.reasons}
    )


def with_repair(feedback: Feedback, repair: Repair) -> Feedback:
    """Return the feedback of an exception with the repair behind what the operation needs."""
    message = f"{feedback.message} {repair.found.says}".strip()
    look = feedback.hint if feedback.mistakes else ""  # that of the operation, not of the step
    mistakes = feedback.mistakes or (repair.found.name,)
    words = replace(feedback, message=message, hint=look, mistakes=mistakes, sure=True)
    shown = {line.line for line in repair.shown}
    stopped = [one for one in feedback.traced if one.mark == "stopped" and one.line not in shown]
    return replace(words, traced=(*repair.shown, *stopped) if repair.shown else feedback.traced)
