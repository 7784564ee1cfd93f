"""The report after `pytest`: the first failing step in full, a table of all steps, what comes next."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from autograder.explain.feedback_text import (
    check_blocks,
    feedback_blocks,
    other_step_words,
)
from autograder.reasons import Reason
from autograder.reports.blocks import NARROWEST, WIDTH, as_text, wrapped
from autograder.results import Block, CheckResult, Outcome, paragraphs, points_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_SHORT_LINES = 3
TOTAL = "public checks"


def full_text(result: CheckResult, width: int = WIDTH, about: Sequence[Block] = ()) -> str:
    """Return a check's points and feedback, wrapped. Code and numbers are not wrapped.

    Args:
        about: what was said of the file as a whole. If the step fails because of that, it is not said again.
    """
    told = about and result.words.is_of_the_file
    return as_text([_head(result), *(() if told else check_blocks(result))], width)


def _head(result: CheckResult) -> Block:
    return Block(f"{result.step}: {points_words(result)}")


def short_text(result: CheckResult, width: int = WIDTH) -> str:
    """Return the start of a later step's feedback. Only the first failing step is shown in full."""
    blocks = feedback_blocks(result.words)
    first = blocks[0].text if blocks else ""
    first = textwrap.shorten(first, _SHORT_LINES * max(width, NARROWEST), placeholder=" ...")
    earlier = other_step_words(result.words)
    return f"{as_text(paragraphs(first, earlier), width)}\n(python -m pytest -k {result.step} says more.)"


def table(
    results: Sequence[CheckResult], steps: Mapping[str, float], total: str = TOTAL
) -> list[str]:
    """Return a line with the points of each step that was checked, then their sum, which is called `total`."""
    by_step = {result.step: result for result in results}
    checked = [name for name in steps if name in by_step]
    width = max(map(len, (*checked, total)))
    lines = []
    for name in checked:
        result = by_step[name]
        words = _words(result)
        lines.append(
            f"  {name:<{width}}  {result.score:>4g} / {result.max_score:g}  {words}".rstrip()
        )
    score = sum(result.score for result in results)
    most = sum(result.max_score for result in results)
    lines.append(f"  {total:<{width}}  {score:>4g} / {most:g}")
    if len(checked) < len(steps):
        points = sum(steps.values())
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
        for words in result.words.remarks
    ]
    return "\n\n".join(["Remarks, which cost nothing here:", *texts]) if texts else ""


def what_next(
    results: Sequence[CheckResult],
    steps: Mapping[str, float],
    left: Sequence[str],
    width: int = WIDTH,
    then: str = "run pytest again",
) -> str:
    """Return what to do next if nothing is wrong so far; empty if something is.

    Args:
        results: the results of this run.
        steps: the points of every step.
        left: what remains to be done when all steps are right.
        then: how to check again.
    """
    waiting = [result for result in results if _is_open(result)]
    if not all(result.is_full for result in results if result not in waiting):
        return ""
    if waiting:
        names = {result.step for result in waiting if result.outcome is Outcome.NOT_STARTED}
        names |= {result.words.other_step for result in waiting}
        first = next(name for name in steps if name in names)
        so_far = "" if len(waiting) == len(results) else "All so far is right. "
        do = f"Replace its `raise NotImplementedError()` with your code, and {then}."
        return wrapped(f"{so_far}Next: `{first}`. {do}", width)
    if len(results) < len(steps):
        return wrapped(
            "What was checked is right. Run pytest without -k or other options to check all steps.",
            width,
        )
    points = sum(steps.values())
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
    waits = Reason.WAITS_FOR_A_STEP in result.words.reasons
    return result.outcome is Outcome.NOT_STARTED or waits


def _words(result: CheckResult) -> str:
    words = "" if result.is_full else result.outcome.words
    remark = "with a remark" if result.remarks else ""
    return ", ".join(part for part in (words, remark) if part)
