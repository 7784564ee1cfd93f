"""Count the recognised mistakes of a class, the most common one first."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from autograder.reasons import Reason
from autograder.text import clean_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from autograder.results import CheckResult, Feedback, Result

_SHOWN = 3
_MESSAGE = 160


@dataclass(frozen=True)
class Case:
    """One student's feedback that names a mistake."""

    student: str
    step: str
    feedback: Feedback
    sure: bool


@dataclass(frozen=True)
class CommonMistake:
    """A mistake and the students who made it.

    Attributes:
        name: the mistake's name, and the names of others with the same effect.
        students: the students who made it, in the order of the results.
        perhaps: the students among them for whom another mistake is possible too.
        steps: where it was seen first, in the order of the assignment.
        cases: the clearest feedback of each student.
        example: the clearest of all cases.
    """

    name: tuple[str, ...]
    students: tuple[str, ...]
    perhaps: frozenset[str]
    steps: tuple[str, ...]
    cases: tuple[Case, ...]
    example: Case

    @property
    def is_told_alike(self) -> bool:
        """Whether the message is the same for all students. It differs where it quotes a student's own code."""
        return len({case.feedback.message for case in self.cases}) == 1

    @property
    def title(self) -> str:
        """The name in words."""
        return ", or ".join(name.replace("_", " ") for name in self.name)


@dataclass
class _Cases:
    names: dict[str, None] = field(default_factory=dict)
    by_student: dict[str, list[Case]] = field(default_factory=lambda: defaultdict(list))


def common_mistakes(results: Collection[Result]) -> list[CommonMistake]:
    """Return the recognised mistakes. A student counts once, also with the same mistake in several steps."""
    same = _same_effect(results)
    by_name: dict[str, _Cases] = defaultdict(_Cases)
    for result in results:
        for check, feedback in explanations(result):
            for name in feedback.mistakes:
                cases = by_name[same.get(name, name)]
                cases.names[name] = None
                case = Case(result.student, check.step, feedback, feedback.sure)
                cases.by_student[result.student].append(case)
    steps = list(dict.fromkeys(check.step for result in results for check in result.checks))
    mistakes = [_mistake(cases, steps) for cases in by_name.values()]
    return sorted(
        mistakes, key=lambda mistake: (-len(mistake.students), len(mistake.perhaps), mistake.name)
    )


def explanations(result: Result) -> Iterator[tuple[CheckResult, Feedback]]:
    """Yield the feedback of each failed criterion of a submission, with its check."""
    for check in result.checks:
        if check.feedback is not None:
            for feedback in (check.feedback, *check.feedback.also):
                yield check, feedback


def _same_effect(results: Iterable[Result]) -> dict[str, str]:
    """Map a mistake's name to the name of another mistake that gives the same answers."""
    same: dict[str, str] = {}
    for result in results:
        for _, feedback in explanations(result):
            if feedback.sure and Reason.TWO_AT_ONCE not in feedback.reasons:
                first, *others = sorted(feedback.mistakes) or [""]
                same |= dict.fromkeys(others, same.get(first, first))
    return same


def _mistake(cases: _Cases, steps: list[str]) -> CommonMistake:
    clearest = tuple(
        min(student_cases, key=_clearness) for student_cases in cases.by_student.values()
    )
    seen_in = {student_cases[0].step for student_cases in cases.by_student.values()}
    perhaps = (
        student
        for student, student_cases in cases.by_student.items()
        if not any(case.sure for case in student_cases)
    )
    return CommonMistake(
        name=tuple(sorted(cases.names)),
        students=tuple(cases.by_student),
        perhaps=frozenset(perhaps),
        steps=tuple(step for step in steps if step in seen_in),
        cases=clearest,
        example=min(clearest, key=_clearness),
    )


def _clearness(case: Case) -> tuple[bool, bool, int, bool]:
    feedback = case.feedback
    return not feedback.message, not case.sure, len(feedback.mistakes), bool(feedback.repeats)


def most_common_text(results: Collection[Result]) -> str:
    """Return the most common mistakes for a terminal; empty if none was recognised."""
    shown = common_mistakes(results)[:_SHOWN]
    if not shown:
        return ""
    width = max(len(str(len(mistake.students))) for mistake in shown)
    lines = ["Most common mistakes:"]
    for mistake in shown:
        message = clean_text(" ".join(mistake.example.feedback.message.split()), _MESSAGE)
        lines.append(
            f"  {len(mistake.students):>{width}} of {len(results)}  {mistake.title} ({', '.join(mistake.steps)})"
        )
        lines += [f"  {'':<{width}}       {message}"] if message else []
    return "\n".join(lines)
