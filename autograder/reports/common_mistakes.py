"""Count the recognised mistakes of a class, the most common one first."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.results import steps_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from autograder.results import CheckResult, Feedback, Result


@dataclass(frozen=True)
class Case:
    """One student's feedback that names a mistake."""

    student: str
    step: str
    feedback: Feedback


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


def common_mistakes(results: Collection[Result]) -> list[CommonMistake]:
    """Return the recognised mistakes. A student counts once, also with the same mistake in several steps."""
    same = _same_effect(results)
    names: dict[str, set[str]] = defaultdict(set)
    cases: dict[str, dict[str, list[Case]]] = defaultdict(lambda: defaultdict(list))
    for result in results:
        for check, feedback, name in _named(result):
            one = same.get(name, name)
            names[one].add(name)
            cases[one][result.student].append(Case(result.student, check.step, feedback))
    steps = steps_of(results)
    mistakes = [_mistake(names[one], by_student, steps) for one, by_student in cases.items()]
    return sorted(
        mistakes, key=lambda mistake: (-len(mistake.students), len(mistake.perhaps), mistake.name)
    )


def _named(result: Result) -> Iterator[tuple[CheckResult, Feedback, str]]:
    """Yield each mistake that feedback names, with the feedback and its check."""
    for check in result.checks:
        for feedback in check.explained:
            for name in feedback.mistakes:
                yield check, feedback, name


def _same_effect(results: Iterable[Result]) -> dict[str, str]:
    """Map a mistake's name to the name of another mistake that gives the same answers."""
    same: dict[str, str] = {}
    for result in results:
        for _, feedback, _ in _named(result):
            if feedback.sure:
                first, *others = sorted(feedback.mistakes)
                same |= dict.fromkeys(others, same.get(first, first))
    return same


def _mistake(names: set[str], by_student: dict[str, list[Case]], steps: list[str]) -> CommonMistake:
    clearest = tuple(min(cases, key=_clearness) for cases in by_student.values())
    seen_in = {cases[0].step for cases in by_student.values()}
    sure = {
        student
        for student, cases in by_student.items()
        if any(case.feedback.sure for case in cases)
    }
    return CommonMistake(
        name=tuple(sorted(names)),
        students=tuple(by_student),
        perhaps=frozenset(by_student.keys() - sure),
        steps=tuple(step for step in steps if step in seen_in),
        cases=clearest,
        example=min(clearest, key=_clearness),
    )


def _clearness(case: Case) -> tuple[bool, bool, int, bool]:
    feedback = case.feedback
    return not feedback.message, not feedback.sure, len(feedback.mistakes), bool(feedback.repeats)
