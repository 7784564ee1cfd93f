"""Look for the repair of a wrong step: try edits of its own lines in the sandbox, on the questions of its check."""

from __future__ import annotations

import ast
import hashlib
import random
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from autograder.compare import closest
from autograder.edits.places import in_words
from autograder.exam.questions import Request
from autograder.explain.repair import ADDING, FAR, NEAR, Focus, repair_of, span_of, tries, with_less
from autograder.explain.syntax import called
from autograder.grading.observations import Observations
from autograder.results import Outcome
from autograder.sandbox.inside.few_lines import TooManyLinesError
from autograder.sandbox.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from autograder.exam.questions import Asked
    from autograder.explain.marked_trace import MarkedTrace
    from autograder.explain.repair import Repair, Span, Try
    from autograder.explain.student_code import Definition
    from autograder.grading.explaining import Explaining
    from autograder.grading.judge import Judge
    from autograder.results import Observation

# Edits that are tried at once, and characters of them; a second time in grading.
TOGETHER, MOST_CHARACTERS = 40, 100_000
# Further from the first wrong value for each operation between.
_HOP = 0.4
# A step that is slow by itself is not tried on and on.
MOST_ENDLESS = 2
_ENDED = (Outcome.TIMED_OUT, Outcome.CRASHED, Outcome.EXITED, Outcome.TOO_LARGE)


class EditedSession(Session):
    """The session of a submission, with an edited definition in the place of one of its own."""

    def __init__(self, session: Session, one: Try) -> None:
        self._session, self._try = session, one
        self.pieces, self.loaded = session.pieces, session.loaded

    def observe(self, request: Request) -> Observation:
        """Run one probe."""
        return self._session.observe(_edited(request, self._try))


def _edited(request: Request, one: Try) -> Request:
    if request.operation != "observe":
        return request
    edited = one.definition.label, one.definition.line, one.text
    return replace(request, operation="try", edited=edited)


@dataclass
class Repairing:
    """Looks for repairs of one submission's steps in one session.

    Attributes:
        session: that of the submission, whose answers are the same each time.
        judge_of: returns what judges the answers of observations.
        rounds: how often so many edits are tried.
    """

    session: Session
    judge_of: Callable[[Observations], Judge]
    explaining: Explaining
    rounds: int

    def repair(
        self, asked: Asked, definitions: Sequence[Definition], focus: Focus
    ) -> Repair | None:
        """Return the first edit with which the whole check is right; None if none of those that are tried is."""
        left = tries(definitions, focus)
        for _ in range(self.rounds):
            if not (together := self._together(left)):
                return None
            right = self._right(asked, together)
            if right is None:
                self.explaining.end_tries()
                return None
            found = self._passing(asked, right)
            if found is not None:
                one = self._least(asked, found)
                repairs = self.explaining.repairs
                repairs[asked.check.name] = in_words(one.definition.text, one.edit)
                return repair_of(asked.check.name, one)
        return None

    def _passing(self, asked: Asked, right: Iterable[Try]) -> Try | None:
        """Return the first edit with which the whole check is right; None if there is none."""
        for one in right:
            judge = self.judge_of(Observations(EditedSession(self.session, one)))
            if all(result.passed for result in judge.ask(asked.check).values()):
                return one
        return None

    def _least(self, asked: Asked, one: Try) -> Try:
        """Return an edit without the places that are right as they are."""
        while fewer := self._together(with_less(one)):
            right = self._right(asked, fewer)
            if right is None:
                self.explaining.end_tries()
            less = self._passing(asked, right or [])
            if less is None:
                return one
            one = less
        return one

    def _together(self, left: Iterator[Try]) -> list[Try]:
        """Return the next edits that are tried together."""
        found, size = [], 0
        for one in islice(left, self.explaining.count_tries(TOGETHER)):
            size += len(one.text)
            if size > MOST_CHARACTERS:
                break
            found.append(one)
        return found

    def _right(self, asked: Asked, together: list[Try]) -> list[Try] | None:
        """Return the edits with which the answer is right, the likeliest first; None if one ended the process.

        None too if several run too many lines.

        They run in an order that nobody knows who wrote the code.
        """
        question = asked.question
        plain = Request("observe", question.step, question.criterion, asked.probe, question.inputs)
        requests = [_edited(plain, one) for one in together]
        order = [*range(len(requests))]
        random.Random(hashlib.sha256(requests[0].encoded).digest()).shuffle(order)
        right, endless = [], 0
        for number, seen in zip(
            order, self.session.observe_all([requests[one] for one in order]), strict=True
        ):
            endless += seen.error is not None and seen.error.type == TooManyLinesError.__name__
            ended = seen.outcome in _ENDED and seen.error is None and seen.obstacle is None
            if ended or endless > MOST_ENDLESS:
                return None
            best = closest(asked.right, seen.value, asked.criterion.slack)
            if seen.outcome is Outcome.PASSED and not seen.changed and best.difference is None:
                right.append(number)
        return [together[number] for number in sorted(right)]


def focus_of(
    marked: MarkedTrace, ends: Sequence[int], label: str, span: Span, steps: Collection[str]
) -> Focus:
    """Return where to look: an expression, and what led to these events, the nearest first.

    `steps` are those that other code computes.
    """
    lines: dict[int, float] = {}
    far, waiting = dict.fromkeys(ends, 0.0), [*ends]
    for one in waiting:
        site = marked.events[one].site
        if site.label == label:
            lines[site.line] = min(far[one] + NEAR, lines.get(site.line, FAR))
        for operand in marked.events[one].operands:
            if operand not in far:
                other = marked.events[operand].site
                far[operand] = far[one] + _HOP * (site.line != other.line)
                waiting.append(operand)
    operands = (one for end in ends[-1:] for one in marked.direct(marked.events[end]))
    spans = tuple(
        span_of(marked.events[one].site.node)
        for one in operands
        if marked.marks[one] in ("right", "turned") and marked.events[one].operands
    )
    # By the step itself, not by a name or by another step.
    computed = any(
        mark == "right" and isinstance(node, ast.BinOp | ast.Call) and called(node) not in steps
        for node, mark in zip((one.site.node for one in marked.events), marked.marks, strict=True)
    )
    return Focus(label, span, lines, spans, marked.variables.kinds, () if computed else ADDING)
