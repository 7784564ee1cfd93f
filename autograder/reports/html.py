"""Show one check in a notebook, as HTML and as plain text.

Any text may come from a student's code, so all of it is escaped. Only three forms of Markdown are
supported: paragraphs, code spans and indented blocks. A text colour is always set together with its
background, because themes are light or dark.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING

from autograder.explain.feedback_text import check_markdown
from autograder.reports.pytest_text import full_text
from autograder.results import Outcome
from autograder.text import clean_text

if TYPE_CHECKING:
    from autograder.results import CheckResult

MAX_TEXT = 20_000
MAX_PRINTED_LINES = 10
MAX_PRINTED_COLUMNS = 200

_INDENT = "    "
_CODE = re.compile(r"`([^`\n]+)`")
_GOOD, _BAD, _OPEN = "#1a7f37", "#b00020", "#57606a"  # backgrounds of white text
# Stops JupyterLab and nbconvert from typesetting text between dollar signs as mathematics.
_NO_MATH = 'class="tex2jax_ignore mathjax_ignore"'
# JupyterLab leaves no space below a block.
_PRE = '<pre style="margin:0 0 1em">'


def feedback_html(check: CheckResult) -> str:
    """Return the check's points and feedback as safe HTML."""
    sign, words, colour = _verdict(check)
    badge = (
        f'<strong style="background-color:{colour};color:#ffffff;padding:1px 8px;border-radius:4px">'
        f"{sign} {escape(words)}</strong>"
    )
    head = f"<p>{badge} <code>{escape(_shown(check.step))}</code>: {_points(check)}</p>"
    return f"<div {_NO_MATH}>{head}{_markdown(_shown(check_markdown(check)))}</div>"


def feedback_text(check: CheckResult) -> str:
    """Return the check's points and feedback as plain text."""
    sign, words, _ = _verdict(check)
    head = f"{sign} {words}: {_shown(check.step)}, {_points(check)}"
    if not check_markdown(check).strip():
        return head
    _, _, rest = _shown(full_text(check)).partition("\n")
    return head + "\n" + rest.rstrip()


def words_html(text: str) -> str:
    """Return a text about the whole submission as safe HTML."""
    return f"<div {_NO_MATH}>{text_html(text)}</div>"


def text_html(text: str) -> str:
    """Return paragraphs, code spans and indented blocks as safe HTML."""
    return _markdown(_shown(text))


def without_numbers(check: CheckResult) -> CheckResult:
    """Return the check without the student's numbers, for output with a number table."""
    if check.feedback is None:
        return check
    return replace(check, feedback=replace(check.feedback, numbers=None))


def printed_html(printed: str) -> str:
    """Return the first lines that the student's code printed, as HTML; empty if there are none."""
    lines = _first_lines(printed)
    if not lines:
        return ""
    return f"<div {_NO_MATH}><p>printed:</p>{_PRE}{escape(chr(10).join(lines))}</pre></div>"


def printed_text(printed: str) -> str:
    """Return the first lines that the student's code printed, as text; empty if there are none."""
    lines = _first_lines(printed)
    return "\n".join(["printed:", *(f"{_INDENT}{line}" for line in lines)]) if lines else ""


def _first_lines(printed: str) -> list[str]:
    lines = _shown(printed).strip("\n").splitlines()
    shown = [
        line if len(line) <= MAX_PRINTED_COLUMNS else line[:MAX_PRINTED_COLUMNS] + "..."
        for line in lines[:MAX_PRINTED_LINES]
    ]
    more = len(lines) - len(shown)
    return [*shown, f"... and {more} more lines"] if more else shown


def _verdict(check: CheckResult) -> tuple[str, str, str]:
    """Return a sign, a word and a colour. Each alone shows the outcome."""
    words = check.outcome.words
    if check.outcome in (Outcome.NOT_STARTED, Outcome.UNGRADED):
        return "\N{WHITE CIRCLE}", words, _OPEN
    if check.outcome is Outcome.PASSED:
        return "\N{CHECK MARK}", words, _GOOD
    return "\N{BALLOT X}", words, _BAD


def _points(check: CheckResult) -> str:
    if check.outcome is Outcome.UNGRADED:
        return f"of {check.max_score:g} points"
    return f"{check.score:g} of {check.max_score:g} points"


def _shown(text: str) -> str:
    """Remove control characters, and escape characters that UTF-8 cannot encode."""
    return clean_text(text, MAX_TEXT).encode("utf-8", "backslashreplace").decode("utf-8")


def _markdown(text: str) -> str:
    return "".join(map(_paragraph, re.split(r"\n{2,}", text.strip("\n"))))


def _paragraph(text: str) -> str:
    if not text.strip():
        return ""
    if text.startswith(_INDENT):
        return f"{_PRE}{escape(textwrap.dedent(text))}</pre>"
    words = _CODE.sub(r"<code>\1</code>", escape(text))
    return f"<p>{words.replace(chr(10), '<br>')}</p>"
