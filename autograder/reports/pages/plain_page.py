"""A page that shows the marks alone, in place of one that could not be made."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from autograder.text import without_invisible

if TYPE_CHECKING:
    from collections.abc import Iterable

    from autograder.reports.pages.entries import Entry

_HEAD = (
    '<!doctype html>\n<html lang="en"><meta charset="utf-8">'
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'">'
)
_WHY = (
    "This page shows the marks only, since the kit could not make the full page. The marks stand."
)


def plain_feedback(entry: Entry) -> bytes:
    """Return one student's points and outcomes."""
    result = entry.result
    steps = [
        f"{check.step}: {check.score:g} of {check.max_score:g} points, {check.outcome.words}"
        for check in result.checks
    ]
    total = f"{result.score:g} of {result.max_score:g} points, {result.status.value}"
    return _page(entry.name, [total, *steps, "", result.output])


def plain_report(entries: Iterable[Entry]) -> bytes:
    """Return the points of a class."""
    lines = [
        f"{entry.name}: {entry.result.score:g} of {entry.result.max_score:g}, {entry.result.status.value}"
        for entry in entries
    ]
    return _page("Results", lines)


def _page(title: str, lines: Iterable[str]) -> bytes:
    name = escape(without_invisible(title))
    text = escape(without_invisible("\n".join(lines)))
    page = f"{_HEAD}<title>{name}</title>\n<h1>{name}</h1>\n<p>{_WHY}</p>\n<pre>{text}</pre>\n"
    return page.encode("utf-8", "backslashreplace")
