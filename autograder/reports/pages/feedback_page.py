"""`feedback.html`: one student's results as a page."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from autograder.explain.feedback_text import (
    brief,
    meaning,
    other_step_words,
    reason_words,
    repeated,
)
from autograder.reports.pages.heat_map import HeatMap, heat_map
from autograder.reports.pages.html import render
from autograder.reports.pages.source_lines import Lines, frame_lines, step_lines
from autograder.reports.step_state import State, first_to_fix, state_of
from autograder.results import Outcome, Status

if TYPE_CHECKING:
    from collections.abc import Mapping

    from autograder.reports.pages.entries import Entry
    from autograder.results import CheckResult, Feedback, Override, Result
    from autograder.submission.step_source import StepSource

FEEDBACK_FILE = "feedback.html"

# The page shows at most so many characters of the student's source, and of all notes on the file.
SOURCE_BUDGET = 32_000
MOST_NOTES = 4_000
MOST_PICTURES = 12


@dataclass(frozen=True)
class Step:
    """One step of the page. The words are those of the feedback, in the order in which they help.

    Attributes:
        lost: the points that were lost.
        verdict: what the answer means; empty if unknown.
        seen: what was seen.
        details: further paragraphs.
        open: whether the page shows the step unfolded.
        sentence: the words of the tokens in the picture, if they are known.
        part: the name of the part of the answer in the picture.
    """

    check: CheckResult
    state: State
    number: int
    lost: float
    open: bool = False
    verdict: str = ""
    seen: str = ""
    hint: str = ""
    expected: str = ""
    called: str = ""
    carried: str = ""
    details: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    picture: HeatMap | None = None
    sentence: str = ""
    part: str = ""
    source: Lines | None = None
    traceback: tuple[Lines, ...] = ()


def feedback_page(entry: Entry) -> bytes:
    """Return the page as bytes: one file that needs no other.

    Raises UsageError if a library is missing that pages need.
    """
    result = entry.result
    steps = _steps(result, entry.steps)
    return render(
        "feedback.html.jinja",
        result=result,
        name=entry.name,
        graded=result.status is Status.GRADED,
        ungraded=result.status is Status.UNGRADED,
        notes=_notes(result.output),
        steps=steps,
        first=next((step for step in steps if step.open), None),
        right=sum(step.state.is_right for step in steps),
        overrides=_overrides(entry.overrides),
    )


def _overrides(overrides: tuple[Override, ...]) -> list[Override]:
    return [replace(override, reason=override.reason[:MOST_NOTES]) for override in overrides]


def _notes(output: str) -> list[str]:
    return [part for part in output[:MOST_NOTES].split("\n\n") if part.strip()]


def _steps(result: Result, sources: Mapping[str, StepSource]) -> list[Step]:
    steps = []
    budget, pictures = SOURCE_BUDGET, 0
    first = first_to_fix(result)
    for number, check in enumerate(result.checks, start=1):
        step = Step(
            check,
            state_of(check),
            number,
            check.max_score - check.score,
            open=check is first,
        )
        if check.feedback is not None:
            pictured = pictures < MOST_PICTURES
            step = _explained(step, check.feedback, sources, budget, pictured=pictured)
            pictures += step.picture is not None
            budget -= step.source.size if step.source else 0
        steps.append(step)
    return steps


def _explained(
    step: Step,
    feedback: Feedback,
    sources: Mapping[str, StepSource],
    budget: int,
    *,
    pictured: bool,
) -> Step:
    source = sources.get(step.check.step)
    shown = None
    known = feedback.on_documents
    numbers = known if known is not None and known.words else feedback.numbers
    if source is not None and not step.state.is_right and step.check.outcome not in _NO_SOURCE:
        shown = step_lines(source, feedback.lines, budget)
    return replace(
        step,
        verdict=meaning(feedback),
        seen=feedback.seen,
        hint=feedback.hint,
        expected=feedback.expected,
        called=", ".join(f"`{name}` {words}" for name, words in feedback.called_with),
        carried=repeated(feedback.repeats),
        details=tuple(filter(None, (other_step_words(feedback), *reason_words(feedback)))),
        also=tuple(map(brief, feedback.also)),
        remarks=feedback.remarks,
        picture=heat_map(numbers) if numbers and pictured else None,
        sentence=" ".join(numbers.words) if numbers else "",
        part=numbers.part if numbers else "",
        source=shown,
        traceback=frame_lines(feedback.lines, shown),
    )


_NO_SOURCE = (Outcome.NOT_STARTED, Outcome.MISSING)
