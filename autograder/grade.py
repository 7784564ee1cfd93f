"""One submission, one result: observe each check's probes, compare, explain."""

from __future__ import annotations

import time
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from autograder import __version__
from autograder.carried import carried_forward
from autograder.checks import DOCUMENTED, VALUE, Aspect, Check
from autograder.compare import Comparison, compare
from autograder.explain import (
    Explanation,
    explain_ended,
    explain_error,
    explain_failure,
    explain_missing,
    explain_unsuitable,
    explain_wrong,
    is_not_started,
    remark_text,
)
from autograder.naming import NOTHING, Named, name_mistakes
from autograder.properties import Evidence
from autograder.records import CheckResult, Observation, Outcome, Result, Status
from autograder.sandbox.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from autograder.debugging import DebugSession
    from autograder.exam import Exam, Question
    from autograder.sandbox.fresh import Sandbox
    from autograder.submission import Submission


@dataclass
class _AspectResult:
    """How one aspect ended; `explanation` is empty for what is right.

    `repeats` are the earlier steps that paid for what is wrong.
    """

    outcome: Outcome
    explanation: Explanation = field(default_factory=lambda: Explanation(""))
    remarks: tuple[str, ...] = ()
    printed: str = ""
    found: Named = NOTHING
    repeats: tuple[str, ...] = ()


class Grader:
    """Judges the checks of one submission, one at a time, in a session of the sandbox.

    Attributes:
        curious: may ask more than the check's own questions where that explains what is wrong.
    """

    def __init__(
        self,
        exam: Exam,
        session: Session | DebugSession,
        *,
        alone: Callable[[], AbstractContextManager[None]] = nullcontext,
        curious: bool = True,
    ) -> None:
        self.exam = exam
        self.session = session
        self.curious = curious
        self._alone = alone
        self._steps = {check.name for check in exam.assignment.checks}
        self._judged: dict[str, CheckResult] = {}
        self._values: dict[str, _AspectResult] = {}
        self._seen: dict[tuple[str, str, int, int], Observation] = {}

    def check(self, check: Check) -> CheckResult:
        """What one check earns."""
        if check.name not in self._judged:
            self._judged[check.name] = self._check(check)
        return self._judged[check.name]

    def has_judged(self, check: Check) -> bool:
        """Whether this was judged already."""
        return check.name in self._judged

    def value(self, check: Check) -> _AspectResult:
        """How the value of a step came out, which is judged now if it was not."""
        self.check(check)
        return self._values[check.name]

    def _check(self, check: Check) -> CheckResult:
        self.session.expect(self.exam.plan(check))
        results: dict[str, _AspectResult] = {}
        score = 0.0
        for aspect in check.aspects:
            value = results.get(VALUE)
            if value is not None and value.outcome is not Outcome.PASSED and not aspect.alone:
                score += self._spared(check, aspect, value)
                continue
            result = self._aspect(check, aspect)
            if aspect.remark and result.outcome is not Outcome.PASSED:
                result = _AspectResult(Outcome.PASSED, remarks=(aspect.name,))
            results[aspect.name] = result
            if result.outcome is Outcome.PASSED:
                score += aspect.points
            elif aspect.name == VALUE:
                score += self._spared(check, aspect, result)
        self._values[check.name] = results[VALUE]
        return self._sum_up(check, score, list(results.values()))

    @staticmethod
    def _spared(check: Check, aspect: Aspect, value: _AspectResult) -> float:
        """The points that an aspect keeps although its step's value is wrong: an earlier step paid for the mistake."""
        return (1 - check.carried) * aspect.points if value.repeats else 0.0

    def _sum_up(self, check: Check, score: float, results: list[_AspectResult]) -> CheckResult:
        failed = [result for result in results if result.outcome is not Outcome.PASSED]
        first = failed[0] if failed else results[0]
        remarks = tuple(dict.fromkeys(name for result in results for name in result.remarks))
        words = sorted((result.explanation for result in failed), key=lambda one: not one.mistakes)
        texts = [words[0].text] if words else []
        briefs = [one.brief for one in words[1:]]
        texts += [f"Also: {brief}" for brief in briefs if brief and brief not in texts[0]]
        texts += [f"Remark: {remark_text(self.exam, name)}" for name in remarks]
        named = [result.explanation for result in failed if result.explanation.mistakes]
        return CheckResult(
            step=check.name,
            score=score,
            max_score=check.points,
            outcome=first.outcome,
            text="\n\n".join(dict.fromkeys(text for text in texts if text)),
            mistakes=tuple(dict.fromkeys(name for one in named for name in one.mistakes)),
            sure=bool(named) and all(one.sure for one in named),
            remarks=remarks,
            carried_forward=next((step for one in failed for step in one.repeats), None),
            printed=first.printed,
        )

    def _aspect(self, check: Check, aspect: Aspect) -> _AspectResult:
        """Ask all questions about an aspect; any of its probes that comes out right on all of them is enough."""
        first: _AspectResult | None = None
        for number in range(len(aspect.probes)):
            result = self._probe(check, aspect, number)
            if result.outcome is Outcome.PASSED:
                return result
            first = first or result
            # Another way to ask does not help what hangs, and takes as long again.
            if self.session.stopped is not None or result.outcome is Outcome.TIMED_OUT:
                break
        assert first is not None
        return first

    def _probe(self, check: Check, aspect: Aspect, number: int) -> _AspectResult:
        remarks: tuple[str, ...] = ()
        printed = ""
        for question in self.exam.about(check, aspect):
            seen = self._observe(question, number)
            self._seen[question.step, question.aspect, number, id(question)] = seen
            result = self._judge(check, aspect, question, number, seen)
            if result.outcome is not Outcome.PASSED:
                return result
            remarks += result.remarks
            if question.graph and not result.remarks:
                remarks += self._cut_graph(question, number)
            printed = printed or result.printed
        return _AspectResult(Outcome.PASSED, remarks=tuple(dict.fromkeys(remarks)), printed=printed)

    def _cut_graph(self, question: Question, probe: int) -> tuple[str, ...]:
        asked = (question.step, question.aspect, probe, question.inputs)
        reached = self.session.gradient_reach(*asked)
        cut = reached is not None and not set(question.graph) <= set(reached)
        return ("cut_graph",) if cut else ()

    def _observe(self, question: Question, probe: int) -> Observation:
        """Run one probe; what only the wall clock stopped is run once more, while nobody else grades."""
        asked = (question.step, question.aspect, probe, question.inputs)
        seen = self.session.observe(*asked)
        if not seen.slow or self.session.stopped is not None:
            return seen
        waiting = time.monotonic()
        with self._alone():
            self.session.extend(time.monotonic() - waiting)
            return self.session.observe(*asked)

    def _judge(
        self, check: Check, aspect: Aspect, question: Question, probe: int, seen: Observation
    ) -> _AspectResult:
        if seen.outcome is Outcome.PASSED:
            return self._compare(check, aspect, question, probe, seen)
        match seen.outcome:
            case Outcome.MISSING:
                explanation = explain_missing(check, self.session.loaded, self._steps)
            case Outcome.WRONG:
                explanation = explain_unsuitable(check, seen)
            case Outcome.RAISED:
                assert seen.error is not None
                if is_not_started(check.name, seen.error):
                    words = Explanation("Not started yet.")
                    return _AspectResult(Outcome.NOT_STARTED, words, printed=seen.printed)
                explanation = explain_error(check, question, seen, self._steps, self.session.loaded)
            case _:
                loading = self.session.stopped is not None
                explanation = explain_ended(check, None if loading else question, seen)
        return _AspectResult(seen.outcome, explanation, printed=seen.printed)

    def _compare(
        self, check: Check, aspect: Aspect, question: Question, probe: int, seen: Observation
    ) -> _AspectResult:
        right = question.answers[probe].right
        comparisons = [compare(one, seen.value, aspect.slack) for one in right]
        best = next((one for one in comparisons if one.difference is None), comparisons[0])
        if best.difference is None:
            return _AspectResult(Outcome.PASSED, remarks=_remarks(best, seen), printed=seen.printed)
        found = name_mistakes(self.exam, check, question, probe, seen, self.ask_again)
        repeats: tuple[str, ...] = ()
        if aspect.name == VALUE:
            found, repeats = carried_forward(self, check, probe, seen.value, found)
        evidence = Evidence(seen.value, right[0].value, changed=bool(seen.changed))
        if aspect.name == VALUE and not found.alternatives and self.curious:
            evidence = self._evidence(check, question, probe, evidence)
        explanation = explain_wrong(
            self.exam, check, question, best.difference, found, evidence, repeats
        )
        return _AspectResult(
            Outcome.WRONG, explanation, printed=seen.printed, repeats=repeats, found=found
        )

    def _evidence(
        self, check: Check, question: Question, probe: int, evidence: Evidence
    ) -> Evidence:
        """What else is seen of a step whose value is wrong: on other drawn inputs, and on the documents' own."""
        about = self.exam.about(check, check.aspect(VALUE))
        others = tuple(self.ask_again(one, probe).value for one in about if one is not question)
        documented = next((one for one in check.aspects if one.name == DOCUMENTED), None)
        if documented is None or documented.probes != check.aspect(VALUE).probes:
            return replace(evidence, others=others)
        fits = []
        for one in self.exam.about(check, documented):
            seen, right = self.ask_again(one, probe), one.answers[probe].right
            fits.append(any(compare(answer, seen.value).difference is None for answer in right))
        rights = tuple(
            right.value
            for one in self.exam.about(check, documented)
            for right in one.answers[probe].right
        )
        return replace(evidence, others=others, right_on_documents=all(fits), documents=rights)

    def ask_again(self, question: Question, probe: int) -> Observation:
        """What was seen, or what is seen now, for an explanation."""
        key = (question.step, question.aspect, probe, id(question))
        if key not in self._seen:
            asked = (question.step, question.aspect, probe, question.inputs)
            self._seen[key] = self.session.observe(*asked)
        return self._seen[key]


def _remarks(comparison: Comparison, seen: Observation) -> tuple[str, ...]:
    return comparison.remarks + (("changed_input",) if seen.changed else ())


def open_session(exam: Exam, submission: Submission, sandbox: Sandbox) -> Session:
    """A session of the sandbox in which the submission will be observed; its worker starts at once."""
    assignment = exam.assignment
    return Session(assignment.name, assignment.probes, submission.pieces, sandbox)


def begin(exam: Exam, submission: Submission, sandbox: Sandbox) -> Session:
    """A session whose worker loads the submission and observes its steps, before anybody waits for what it finds."""
    session = open_session(exam, submission, sandbox)
    session.expect(exam.plan(exam.assignment.checks[0]))
    return session


def grade(
    exam: Exam,
    submission: Submission,
    sandbox: Sandbox,
    *,
    begun: Session | None = None,
    run: str = "",
    alone: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> Result:
    """Grade one submission, in the session that was begun for it or in a new one.

    Raises GraderFault if the grader itself failed; then nothing is said about the submission.
    """
    started = time.monotonic()
    with begun or begin(exam, submission, sandbox) as session:
        _load(session, alone)
        grader = Grader(exam, session, alone=alone)
        checks = tuple(grader.check(check) for check in exam.assignment.checks)
        failures = session.loaded.failures if session.loaded else ()
    output = [submission.note, *(explain_failure(failure) for failure in failures[:1])]
    return Result(
        assignment=exam.assignment.name,
        student=submission.student,
        status=Status.GRADED,
        checks=checks,
        output="\n\n".join(text for text in output if text),
        public=exam.public,
        submission_sha256=submission.sha256,
        kit_version=__version__,
        run=run,
        sandbox=sandbox.layers,
        execution_time=time.monotonic() - started,
    )


def _load(session: Session, alone: Callable[[], AbstractContextManager[None]]) -> None:
    """Load the submission; what only the wall clock stopped is loaded once more, while nobody else grades."""
    ended = session.load()
    if ended is None or not ended.slow:
        return
    waiting = time.monotonic()
    with alone():
        session.extend(time.monotonic() - waiting)
        session.load()


def without_checks(
    exam: Exam, student: str, status: Status, why: str, *, run: str = "", sha256: str = ""
) -> Result:
    """The result of a submission that was not run: rejected, or ungraded by the grader's own fault."""
    outcome = Outcome.UNGRADED if status is Status.UNGRADED else Outcome.MISSING
    checks = tuple(
        CheckResult(check.name, 0.0, check.points, outcome) for check in exam.assignment.checks
    )
    return Result(
        assignment=exam.assignment.name,
        student=student,
        status=status,
        checks=checks,
        output=why,
        public=exam.public,
        submission_sha256=sha256,
        kit_version=__version__,
        run=run,
        sandbox=(),
    )
