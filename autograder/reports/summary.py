"""One student's results in brief: the score first, the steps as a path, and the first one to work on."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from autograder.explain.feedback_text import paragraphs
from autograder.reports.html import text_html
from autograder.reports.step_state import first_to_fix, state_of

if TYPE_CHECKING:
    from autograder.results import CheckResult, Result

# White text has enough contrast on each of these, and a background goes with it in every theme.
_COLOURS = {"right": "#1a7f37", "partly": "#8a5a00", "wrong": "#b00020"}
_OTHER = "#57606a"
_SHOWN_PARAGRAPHS = 3


def summary_text(result: Result) -> str:
    """Return the summary as plain text."""
    steps = ", ".join(
        f"{state_of(check).sign} {check.step} {_points(check)}" for check in result.checks
    )
    first = first_to_fix(result)
    head = f"{_earned(result)} {_right(result)}"
    return "\n\n".join(filter(None, [head, steps, _words(first) if first else ""]))


def summary_html(result: Result) -> str:
    """Return the summary as safe HTML for a notebook, with styles of its own."""
    first = first_to_fix(result)
    return (
        f'<p style="font-size:1.5em;margin:0 0 0.3em"><strong>{escape(_earned(result))}</strong></p>'
        f"{text_html(_right(result))}"
        f'<p style="line-height:2.2">{" ".join(map(_pill, result.checks))}</p>'
        f"{text_html(_words(first)) if first else ''}"
    )


def _earned(result: Result) -> str:
    return f"The steps earned {result.score:g} of {result.max_score:g} points."


def _right(result: Result) -> str:
    right = sum(state_of(check).is_right for check in result.checks)
    words = f"{right} of {len(result.checks)} steps {'is' if right == 1 else 'are'} right."
    first = first_to_fix(result)
    return f"{words} Begin with `{first.step}`." if first else words


def _words(check: CheckResult) -> str:
    """Return the start of a step's feedback."""
    words = paragraphs(check.feedback)[:_SHOWN_PARAGRAPHS] if check.feedback else []
    return "\n\n".join([f"`{check.step}`, {state_of(check).words}:", *words])


def _pill(check: CheckResult) -> str:
    state = state_of(check)
    colour = _COLOURS.get(state.name, _OTHER)
    return (
        f'<span style="background-color:{colour};color:#ffffff;padding:2px 9px;border-radius:11px;white-space:nowrap">'
        f"{escape(f'{state.sign} {check.step} {_points(check)}')}</span>"
    )


def _points(check: CheckResult) -> str:
    return f"{check.score:g}/{check.max_score:g}"
