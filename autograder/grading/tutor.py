"""Say why a step is not right, from the answer, the student's source, and what the session can still be asked."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING

from autograder.assignment.checks import VALUE
from autograder.compare import agrees
from autograder.exam.questions import NO_VALUES, Request
from autograder.exam.recognise import NOTHING, recognise_mistakes
from autograder.explain.divergence import divergence
from autograder.explain.ended import (
    NOT_STARTED,
    called_step,
    defined_again,
    explain_ended,
    explain_error,
    explain_leftover,
    explain_missing,
    explain_misuse,
    explain_running,
    explain_unsuitable,
)
from autograder.explain.feedback import explain_wrong
from autograder.explain.marked_trace import MarkedTrace
from autograder.explain.repair import Focus, is_proven, span_of, with_repair
from autograder.explain.student_code import StudentCode, Submitted
from autograder.explain.syntax import nodes
from autograder.explain.trace import SiteTable, read_trace
from autograder.explain.traced_lines import (
    lines_of_divergence,
    lines_of_exception,
    lines_of_repair,
)
from autograder.explain.whole_file import (
    explain_consequence,
    explain_need,
    file_problems,
    problems_blocks,
)
from autograder.grading.explaining import plain_words, plain_wrong
from autograder.grading.judge import is_not_started
from autograder.grading.repairing import Repairing, focus_of
from autograder.results import Outcome, paragraphs
from autograder.sandbox.inside.few_lines import TooManyLinesError
from autograder.sandbox.inside.stand_ins import NoAnswerError
from autograder.values.values import Array

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from autograder.assignment.checks import Check
    from autograder.exam.questions import Asked, Exam, Question
    from autograder.exam.recognise import Recognition
    from autograder.explain.divergence import Divergence
    from autograder.explain.repair import Repair
    from autograder.explain.trace import Trace
    from autograder.grading.explaining import Explaining
    from autograder.grading.judge import Judge
    from autograder.grading.observations import Observations
    from autograder.grading.points import CriterionResult
    from autograder.results import (
        Block,
        CheckResult,
        Feedback,
        Observation,
        StudentError,
    )
    from autograder.sandbox.session import Session
    from autograder.values.values import Value

    Refused = tuple[str, Mapping[str, Value]] | None

# Calls of a function that are compared with the reference, and the largest number that one may have.
_CALLS, _LARGEST = 3, 100


@dataclass
class Tutor:
    """Explains the results of one submission. No point depends on it.

    Attributes:
        is_right: whether a step, before another one, is right without a remark.
        calls_wrong: whether a step calls one whose answers are wrong: nothing then proves a fault in its own lines.
        traced: returns a session, the same each time, that can be asked what the student's expressions compute.
        judge_of: returns what judges the answers of observations.
    """

    exam: Exam
    observations: Observations
    explaining: Explaining
    is_right: Callable[[str, str], bool]
    calls_wrong: Callable[[str], bool]
    traced: Callable[[], Session]
    judge_of: Callable[[Observations], Judge]

    def __post_init__(self) -> None:
        assignment = self.exam.assignment
        cells = {cell.id: cell.source for cell in assignment.cells}
        self.session = self.observations.session
        self._code = StudentCode(self.session.pieces)
        self._stubs = {check.name: cells.get(check.name, "") for check in assignment.checks}
        self.steps = set(self._stubs)
        self._table = SiteTable(self.session.pieces)

    @property
    def _submitted(self) -> Submitted:
        names = self.session.loaded.names
        return Submitted(self._code, self._stubs, names, self.explaining.aside)

    def debugger_in(self, step: str) -> str:
        """Return the call of a debugger in a step; empty if there is none."""
        return self._code.debugger_in(step)

    def about_the_file(self, results: Iterable[CheckResult]) -> tuple[Block, ...]:
        """Say what is wrong with the file as a whole, and which wrong steps it defines more than once."""
        notes = [
            self.explaining.words(partial(defined_again, one.step, self._code), "")
            for one in results
            if not one.is_full
        ]
        nothing: tuple[Block, ...] = ()
        problems = self.explaining.words(self._file_problems, nothing)
        return *problems, *paragraphs(" ".join(filter(None, notes)))

    def _file_problems(self) -> tuple[Block, ...]:
        return problems_blocks(file_problems(self.session.loaded, self.steps, self._code))

    def _once(self, question: Question, probe: int) -> Observation:
        """Return the answer to a question, which is asked only once."""
        if self.observations.seen(question, probe) is None:
            self.explaining.count_request()
        return self.observations.observe_once(question, probe)

    def trace(self, asked: Asked, seen: Observation) -> Trace | None:
        """Return what the student's expressions computed for an answer; None unless that run gave the same answer."""
        question = asked.question
        request = Request("trace", question.step, question.criterion, asked.probe, question.inputs)
        self.explaining.count_request()
        again = self.observations.ask(request, self.traced())
        if not _is_the_same(seen, again):
            return None
        is_closed = cache(partial(self._is_closed, question.step))
        trace = read_trace(again.records, self._table, is_closed)
        helpers = self._right_helpers(trace)
        closed = {*helpers, *filter(is_closed, self.steps)}
        return read_trace(again.records, self._table, closed.__contains__) if helpers else trace

    def _is_closed(self, asked: str, name: str) -> bool:
        """Return whether a name is that of another step, which is right."""
        return name != asked and name in self.steps and self.is_right(name, asked)

    def _right_helpers(self, trace: Trace) -> list[str]:
        """Return the student's own functions that gave, in their first calls, what a step of the reference gives."""
        reference = self.exam.substitution
        if reference is None:
            return []
        calls: dict[str, list[bool]] = {}
        for name, given, value in trace.calls():
            if len(calls.get(name, ())) == _CALLS:
                continue
            fits = name not in self.steps and all(map(_may_be_given, given))
            inputs = ((one, reference.parameters(one)) for one in self.steps if fits)
            wanted = (
                reference.answer(step, dict(zip(names, given, strict=True)), None).get("value")
                for step, names in inputs
                if len(names) == len(given)
            )
            calls.setdefault(name, []).append(any(agrees(one, value) for one in wanted))
        return [name for name, right in calls.items() if all(right)]

    def _marked(self, asked: Asked, trace: Trace) -> MarkedTrace:
        """Return a trace with the values marked that are right; none is where the right computation is unknown."""
        right = self.explaining.beside(partial(self.exam.right_values, asked.question, asked.probe))
        return MarkedTrace(trace, right or NO_VALUES)

    def _divergence(
        self, asked: Asked, result: CriterionResult, marked: MarkedTrace
    ) -> Divergence | None:
        """Return where the computation of a wrong answer leaves the right one; None if that is not known."""
        assert result.seen is not None
        if not marked.right.arrays:
            return None
        wanted, slack = asked.right[0].value, asked.criterion.slack
        left = divergence(marked, wanted, result.seen.value, slack)
        lines = lines_of_divergence(marked, left, public=self.exam.public) if left else ()
        return replace(left, lines=lines) if left else None

    def _way(self, asked: Asked, seen: Observation) -> MarkedTrace | None:
        """Return what a wrong answer was computed from; None if that is not known.

        What else is asked of a class than its value does not show on the way to it.
        """
        probes = asked.check.criterion(VALUE).all_probes
        definition = self._code.definition(asked.check.name)
        is_class = definition is not None and isinstance(definition.node, ast.ClassDef)
        if is_class and asked.criterion.all_probes[asked.probe] not in probes:
            return None
        trace = self.trace(asked, seen)
        return self._marked(asked, trace) if trace else None

    def _repair(self, asked: Asked, marked: MarkedTrace, focus: Focus) -> Repair | None:
        """Return the edit of a step's own code that makes it right; None if none is found."""
        step, session = asked.check.name, self.traced()
        definition = self._code.definition(step)
        if definition is None or asked.criterion.raises or self.calls_wrong(step):
            return None
        called = self._code.called_by(definition)
        own = [one for one in called if one is definition or one.node.name not in self.steps]
        rounds = 1 if self.exam.public else 2
        found = Repairing(session, self.judge_of, self.explaining, rounds).repair(asked, own, focus)
        if session is self.session:  # what was tried there must not change what is asked next
            session.load()
        if found is None:
            return None
        return replace(found, shown=lines_of_repair(marked, found, public=self.exam.public))

    def called_steps(self, step: str) -> list[str]:
        """Return the steps that a step calls by its source, in order."""
        definition = self._code.definition(step)
        called = self._code.called_by(definition) if definition else ()
        return [one.node.name for one in called if one is not definition]

    def stopped(self, check: Check, seen: Observation) -> Feedback:
        """Explain a check that could not be judged."""
        facts = plain_words(check.name, seen.outcome)
        return self.explaining.words(partial(explain_ended, check, None, seen), facts)

    def recognised(self, asked: Asked, seen: Observation) -> Recognition:
        """Return the known mistakes that a wrong answer shows."""
        if self.calls_wrong(asked.check.name):
            return NOTHING
        recognise = partial(recognise_mistakes, asked, seen, self._once)
        return self.explaining.words(recognise, NOTHING, ask=self.session)

    def no_answer(self, asked: Asked, seen: Observation, refused: Refused = None) -> Feedback:
        """Explain why there is no answer to compare. `refused` is the call that a stand-in did not answer."""
        plain = plain_words(asked.check.name, seen.outcome)
        facts = NOT_STARTED if is_not_started(asked, seen.error) else plain
        return self.explaining.words(partial(self._no_answer, asked, seen, refused), facts)

    def _no_answer(self, asked: Asked, seen: Observation, refused: Refused) -> Feedback:
        check, question = asked.check, asked.question
        need = explain_need(check.name, seen.outcome, self.session.loaded, self._code)
        if need is not None:
            return need
        match seen.outcome:
            case Outcome.MISSING:
                return explain_missing(check.name, self.session.loaded, self._submitted)
            case Outcome.WRONG:
                return explain_unsuitable(asked, seen, self._submitted)
            case Outcome.RAISED:
                assert seen.error is not None
                if is_not_started(asked, seen.error):
                    return explain_leftover(check.name, seen.error, self._submitted)
                trace = cache(partial(self.trace, asked, seen))
                consequence = explain_consequence(check.name, seen.error, self.session.loaded)
                if consequence is not None:
                    return consequence
                misused = self._misused(asked, seen, refused, trace())
                feedback = misused or explain_error(asked, seen, self._submitted, trace)
                return self._located(asked, feedback, seen.error, trace())
            case _:
                loading = self.session.stopped is not None
                ended = explain_ended(check, None if loading else question, seen)
                runs = seen.outcome is Outcome.TIMED_OUT and not loading
                return self._running(asked, ended) if runs else ended

    def _running(self, asked: Asked, ended: Feedback) -> Feedback:
        """Return the feedback of a step that does not end, with the loop in which it is after many lines."""
        definition = self._code.definition(asked.check.name)
        loops = nodes(definition.node, ast.While) if definition else iter(())
        if definition is None or definition.is_decorated or next(loops, None) is None:
            return ended
        question, edited = asked.question, (definition.label, definition.line, definition.text)
        self.explaining.count_request()
        request = Request(
            "try", question.step, question.criterion, asked.probe, question.inputs, edited
        )
        error = self.observations.ask(request).error
        if (
            self.exam.public
        ):  # later steps are asked in this worker, and must not find what this run left
            self.session.load()
        many = error is not None and error.type == TooManyLinesError.__name__
        return explain_running(ended, error, self._code) if error and many else ended

    def _located(
        self, asked: Asked, feedback: Feedback, error: StudentError, trace: Trace | None
    ) -> Feedback:
        """Return feedback with the repair, or the lines up to the one that raised, if they are the step's own."""
        if trace is None or feedback.other_step or not feedback.lines:
            return feedback
        marked = self._marked(asked, trace)
        lines = lines_of_exception(marked, feedback.lines, public=self.exam.public)
        located = replace(feedback, traced=lines)
        if is_proven(feedback):
            return located
        last = feedback.lines[-1]
        known = error.span if last == error.frames[-1] else None
        span = known or (last.line, 0, last.line, 0)
        ends = [
            number
            for number, event in enumerate(marked.events)
            if (event.site.label, event.site.line) == (last.file, last.line)
        ]
        focus = focus_of(marked, ends, last.file, span, self.steps)
        # Without the operation nothing stops, but that does not explain it.
        never = (*focus.never, "operation-left-out", "statement-left-out")
        repair = self._repair(asked, marked, replace(focus, never=never))
        return with_repair(located, repair) if repair else located

    def _misused(
        self, asked: Asked, seen: Observation, refused: Refused, trace: Trace | None
    ) -> Feedback | None:
        """Explain a call of a step that is right, with arguments that it does not take; None if it is no such call."""
        assert seen.error is not None
        if refused is not None and seen.error.type == NoAnswerError.__name__:
            return explain_misuse(asked, seen.error, *refused, self._submitted, right=False)
        step = called_step(asked.check.name, seen.error, self.steps)
        if not step or not self.is_right(step, asked.check.name):
            return None
        called = self._code.definition(step)
        inputs: Mapping[str, Value] = {}
        if trace and called and not isinstance(called.node, ast.ClassDef):
            inputs = trace.given_to(called.node)
        return explain_misuse(asked, seen.error, step, inputs, self._submitted, right=True)

    def wrong_answer(
        self,
        asked: Asked,
        kept: Observation,
        result: CriterionResult,
        found: Recognition,
    ) -> Feedback:
        """Explain a wrong answer. For that, the step may be run on further inputs.

        Args:
            kept: the answer, without a value that is too large.
            found: the known mistakes that it shows.
        """
        assert result.difference is not None
        explain = partial(self._wrong_answer, asked, kept, result, found)
        facts = plain_wrong(asked.check, asked.criterion.name, result.difference, found)
        return self.explaining.words(explain, facts, ask=self.session)

    def _wrong_answer(
        self, asked: Asked, kept: Observation, result: CriterionResult, found: Recognition
    ) -> Feedback:
        assert result.difference is not None
        need = explain_need(asked.check.name, Outcome.WRONG, self.session.loaded, self._code)
        if need is not None:
            return need
        assert result.seen is not None
        own = not self.calls_wrong(asked.check.name)
        marked = self._way(asked, result.seen) if own else None
        left = self._divergence(asked, result, marked) if marked else None

        def repair() -> Repair | None:
            focus = Focus()
            if marked and left:
                site, at = left.event.site, marked.events.index(left.event)
                focus = focus_of(marked, [at], site.label, span_of(site.node), self.steps)
            return self._repair(asked, marked, focus) if marked else None

        return explain_wrong(
            asked,
            kept,
            result.difference,
            found,
            result.repeats,
            submitted=self._submitted,
            left=left,
            find_repair=repair,
        )


def _may_be_given(value: Value) -> bool:
    """Return whether the reference may be given a value of a student's: an array, or a small number."""
    return isinstance(value, Array) or (type(value) is int and abs(value) <= _LARGEST)


def _is_the_same(seen: Observation, again: Observation) -> bool:
    """Return whether a second run gave the same answer, or the same exception in the same line."""
    return agrees(seen.value, again.value) and _end(seen) == _end(again)


def _end(seen: Observation) -> tuple[object, ...]:
    error = seen.error
    return seen.outcome, error and (error.type, error.frames, error.place)
