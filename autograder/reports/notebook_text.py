"""What a notebook shows beside the result of one step: the table of all steps, and a list of what is left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from autograder.reports.blocks import Drawn, table_html, words_html, wrapped
from autograder.reports.step_state import state_of
from autograder.results import Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograder.results import CheckResult

_NOT_RUN = "not in a cell that was run"
_HEAD = ("", "step, state", "points")
_ROW = Markup(
    '<tr><td>{sign}</td><th scope="row" style="text-align:left"><code>{step}</code><br>'
    '<span style="font-weight:normal">{state}</span></th><td style="white-space:nowrap">{points}</td></tr>'
)


def progress_table(results: Sequence[CheckResult]) -> Drawn:
    """Return a table, also for a phone, with a row for each step: sign, name, state in words, points."""
    rows = [
        (
            state_of(one).sign,
            one.step,
            f"{one.score:g} of {one.max_score:g}",
            _NOT_RUN if one.outcome is Outcome.MISSING else state_of(one).words,
        )
        for one in results
    ]
    score, most = (sum(map(get, results)) for get in (_score, _most))
    title = f"{score:g} of {most:g} points so far in the public checks."
    body = Markup("").join(
        _ROW.format(sign=sign, step=step, points=got, state=state)
        for sign, step, got, state in rows
    )
    width, points = (max(len(row[column]) for row in rows) for column in (1, 2))
    lines = [f"{sign} {step:<{width}}  {got:>{points}}  {state}" for sign, step, got, state in rows]
    return Drawn(table_html(title, _HEAD, body), "\n".join([title, "", *lines]))


def _score(result: CheckResult) -> float:
    return result.score


def _most(result: CheckResult) -> float:
    return result.max_score


def list_part(title: str, items: Sequence[str]) -> Drawn:
    """Return sentences as a list."""
    entries = Markup("").join(Markup("<li>{}</li>").format(words_html(item)) for item in items)
    html = Markup('<p style="margin-bottom:0">{}</p><ul>{}</ul>').format(title, entries)
    return Drawn(html, "\n".join([title, *(wrapped(f"- {item}") for item in items)]))
