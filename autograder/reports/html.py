"""One check as a notebook shows it: rich text, and plain text for where there is none.

Everything here may come from a student's code: all of it is escaped, and of Markdown only paragraphs, code spans and
indented blocks are known. A colour is set together with its background, or not at all: themes are light and dark.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING

from autograder.explain.markdown import check_markdown
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
_GOOD, _BAD, _OPEN = "#1a7f37", "#b00020", "#57606a"  # each with white text on it
# JupyterLab and nbconvert typeset what stands between dollar signs, but not in here.
_NO_MATH = 'class="tex2jax_ignore mathjax_ignore"'
# JupyterLab puts what follows a block right below it.
_PRE = '<pre style="margin:0 0 1em">'


def feedback_html(check: CheckResult) -> str:
    """The check's points and words as HTML that is safe to show."""
    sign, words, colour = _verdict(check)
    badge = (
        f'<strong style="background-color:{colour};color:#ffffff;padding:1px 8px;border-radius:4px">'
        f"{sign} {escape(words)}</strong>"
    )
    head = f"<p>{badge} <code>{escape(_shown(check.step))}</code>: {_points(check)}</p>"
    return f"<div {_NO_MATH}>{head}{_markdown(_shown(check_markdown(check)))}</div>"


def feedback_text(check: CheckResult) -> str:
    """The same as plain text."""
    sign, words, _ = _verdict(check)
    head = f"{sign} {words}: {_shown(check.step)}, {_points(check)}"
    if not check_markdown(check).strip():
        return head
    _, _, rest = _shown(full_text(check)).partition("\n")
    return head + "\n" + rest.rstrip()


def words_html(text: str) -> str:
    """What is said about a whole submission, as HTML that is safe to show."""
    return f"<div {_NO_MATH}>{_markdown(_shown(text))}</div>"


def without_numbers(check: CheckResult) -> CheckResult:
    """The same without the student's numbers: where a table shows them, once is enough."""
    if check.feedback is None:
        return check
    return replace(check, feedback=replace(check.feedback, numbers=None))


def printed_html(printed: str) -> str:
    """The first lines of what a student's code printed; empty if it printed nothing."""
    lines = _first_lines(printed)
    if not lines:
        return ""
    return f"<div {_NO_MATH}><p>printed:</p>{_PRE}{escape(chr(10).join(lines))}</pre></div>"


def printed_text(printed: str) -> str:
    """The same as plain text."""
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
    """A sign, a word and a colour; each alone is enough."""
    words = check.outcome.value.replace("_", " ")
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
    """Text without control characters and without what has no form in UTF-8."""
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
