"""The report after `pytest`: the first failing step in full, a table of all steps, what comes next."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from autograder.explain.feedback_text import check_markdown, paragraphs
from autograder.reasons import Reason
from autograder.results import CheckResult, Outcome
from autograder.text import without_commands

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH = 80
_NARROWEST = 40
_SHORT_LINES = 3


def full_text(result: CheckResult, width: int = WIDTH) -> str:
    """Return a check's feedback, wrapped. Code and numbers are not wrapped."""
    head = f"{result.step}: {result.score:g} of {result.max_score:g} points"
    return wrapped("\n\n".join(filter(None, [head, check_markdown(result)])), width)


def short_text(result: CheckResult, width: int = WIDTH) -> str:
    """Return the start of a later step's feedback. Only the first failing step is shown in full."""
    line = next(iter(paragraphs(result.feedback)), "") if result.feedback else ""
    width = max(width, _NARROWEST)
    words = textwrap.fill(textwrap.shorten(line, _SHORT_LINES * width, placeholder=" ..."), width)
    return without_commands(f"{words}\n(pytest -k {result.step} says more.)")


def wrapped(text: str, width: int = WIDTH) -> str:
    """Wrap each paragraph to the width, with an empty line between two. Indented blocks stay.

    No line is a command for a service that runs pytest in a workflow.
    """
    width = max(width, _NARROWEST)
    paragraphs = (_wrap(paragraph, width) for paragraph in text.split("\n\n"))
    return without_commands("\n\n".join(paragraphs))


def _wrap(paragraph: str, width: int) -> str:
    if paragraph.startswith("    "):
        return paragraph
    return textwrap.fill(" ".join(paragraph.split()), width, break_on_hyphens=False)


def table(results: Sequence[CheckResult], steps: Sequence[tuple[str, float]]) -> list[str]:
    """Return a line with the points of each step that was checked, then the sum."""
    by_step = {result.step: result for result in results}
    checked = [name for name, _ in steps if name in by_step]
    width = max(map(len, checked), default=0)
    lines = []
    for name in checked:
        result = by_step[name]
        words = _words(result)
        lines.append(
            f"  {name:<{width}}  {result.score:>4g} / {result.max_score:g}  {words}".rstrip()
        )
    total = sum(result.score for result in results)
    most = sum(result.max_score for result in results)
    lines.append(f"  {'':<{width}}  {total:>4g} / {most:g}")
    if len(checked) < len(steps):
        points = sum(points for _, points in steps)
        lines += [
            "",
            f"This run checked {len(checked)} of {len(steps)} steps. All together have {points:g} points.",
        ]
    return lines


def remarks(results: Sequence[CheckResult], width: int = WIDTH) -> str:
    """Return the words of all remarks on right answers; empty if there are none."""
    texts = [
        wrapped(f"`{result.step}`: {words}", width)
        for result in results
        if result.feedback is not None
        for words in result.feedback.remarks
    ]
    return "\n\n".join(["Remarks, which cost nothing:", *texts]) if texts else ""


def what_next(
    results: Sequence[CheckResult],
    steps: Sequence[tuple[str, float]],
    left: Sequence[str],
    width: int = WIDTH,
) -> str:
    """Return what to do next if nothing is wrong so far; empty if something is.

    Args:
        results: the results of this run.
        steps: the name and the points of every step.
        left: what remains to be done when all steps are right.
    """
    waiting = [result for result in results if _is_open(result)]
    if any(result.score < result.max_score for result in results if result not in waiting):
        return ""
    if waiting:
        names = {result.step for result in waiting if result.outcome is Outcome.NOT_STARTED}
        names |= {result.feedback.other_step for result in waiting if result.feedback is not None}
        first = next(name for name, _ in steps if name in names)
        so_far = "" if len(waiting) == len(results) else "All so far is right. "
        do = "Replace its `raise NotImplementedError()` with your code, and run pytest again."
        return wrapped(f"{so_far}Next: `{first}`. {do}", width)
    if len(results) < len(steps):
        return wrapped(
            "What was checked is right. Run pytest without -k to check all steps.", width
        )
    points = sum(points for _, points in steps)
    head = (
        f"All {len(steps)} steps are right: {points:g} of {points:g} points in the public checks."
    )
    items = [
        textwrap.fill(f"- {words}", width, subsequent_indent="  ", break_on_hyphens=False)
        for words in left
    ]
    return "\n".join([wrapped(head, width), "What is left:", *items])


def _is_open(result: CheckResult) -> bool:
    """Return whether a step is not started, or waits for one that is not."""
    reasons = result.feedback.reasons if result.feedback is not None else ()
    return result.outcome is Outcome.NOT_STARTED or Reason.WAITS_FOR_A_STEP in reasons


def _words(result: CheckResult) -> str:
    words = "" if result.outcome is Outcome.PASSED else result.outcome.words
    remark = "with a remark" if result.remarks else ""
    return ", ".join(part for part in (words, remark) if part)
