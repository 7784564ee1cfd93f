"""The report after `pytest`: the first failing step in full, and a table of all steps."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from autograder.explain.markdown import check_markdown, paragraphs
from autograder.results import CheckResult, Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH = 80


def full_text(result: CheckResult, width: int = WIDTH) -> str:
    """Return a check's feedback, wrapped. Code and numbers are not wrapped."""
    head = f"{result.step}: {result.score:g} of {result.max_score:g} points"
    paragraphs = [_wrap(paragraph, width) for paragraph in check_markdown(result).split("\n\n")]
    return "\n".join([head, "", *paragraphs])


def short_text(result: CheckResult) -> str:
    """Return the start of a later step's feedback. Only the first failing step is shown in full."""
    line = next(iter(paragraphs(result.feedback)), "") if result.feedback else ""
    words = textwrap.fill(textwrap.shorten(line, 3 * WIDTH, placeholder=" ..."), WIDTH)
    return f"{words}\n(pytest -k {result.step} says more.)"


def _wrap(paragraph: str, width: int) -> str:
    if paragraph.startswith("    "):
        return paragraph + "\n"
    return textwrap.fill(" ".join(paragraph.split()), width, break_on_hyphens=False)


def table(results: Sequence[CheckResult], steps: Sequence[tuple[str, float]]) -> list[str]:
    """Return a line with the points of each step, then the sum. A skipped step is marked "not run"."""
    by_step = {result.step: result for result in results}
    width = max(len(name) for name, _ in steps)
    lines = []
    for name, points in steps:
        result = by_step.get(name)
        earned = f"{result.score:g}" if result else "."
        words = _words(result) if result else "not run"
        lines.append(f"  {name:<{width}}  {earned:>4} / {points:g}  {words}".rstrip())
    total = sum(result.score for result in results)
    lines.append(f"  {'':<{width}}  {total:>4g} / {sum(points for _, points in steps):g}")
    return lines


def _words(result: CheckResult) -> str:
    words = "" if result.outcome is Outcome.PASSED else result.outcome.value.replace("_", " ")
    remarks = f"remark: {', '.join(result.remarks)}" if result.remarks else ""
    return ", ".join(part for part in (words, remarks) if part)
