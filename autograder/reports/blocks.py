"""Show blocks on a terminal, as Markdown and as HTML, and all that a notebook shows of a check or of a result.

Any text may come from a student's code: only paragraphs, code between backticks and blocks of code are markup.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from autograder.explain.feedback_text import check_blocks, feedback_blocks
from autograder.reports.step_state import state_of, where_to_begin
from autograder.results import (
    Block,
    Outcome,
    Status,
    as_markdown,
    paragraphs,
    points_words,
)
from autograder.text import clean_text, without_commands

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from autograder.results import CheckResult, Result

WIDTH = 80
MAX_TEXT = 20_000
MAX_PRINTED_LINES = 10
MAX_PRINTED_COLUMNS = 200
NARROWEST = 40
_SHOWN_BLOCKS = 3

_CODE = re.compile(r"`([^`\n]+)`")
_CODE_ALONE = re.compile(r"(?<!`)(`[^`\n]+`)(?!`)")
# These characters are always markup in Markdown; the pairs only where a second one follows.
_ALWAYS = re.compile(r"\\(?![a-zA-Z0-9 ])|[`<]|&(?=[#\w])|\](?=[(\[:])|:(?=//)|(?<=\bwww)\.")
_PAIRS = re.compile(r"(?<!\w)_+|_+(?!\w)|\*+|~+")
# A line that starts like this is a heading, a quotation, a list, a rule or a row of a table.
_LINE_START = re.compile(r"^(?=[#>|+=~:_-]|\*\*|\*(?:\s|$))|^(\d+)(?=[.)])", re.MULTILINE)
_FEW = 2
# JupyterLab leaves no space below a block.
_PRE = Markup('<pre style="margin:0 0 1em">{}</pre>')
# The class stops JupyterLab and nbconvert from typesetting text between dollar signs as mathematics.
_OUTPUT = Markup('<div class="tex2jax_ignore mathjax_ignore">{}</div>')
# A text colour is always set together with its background, because themes are light or dark.
_BADGE = Markup(
    '<p><strong style="background-color:{};color:#ffffff;padding:1px 8px;border-radius:4px">{} {}</strong>'
    " <code>{}</code>: {}</p>"
)
_SCORE = Markup('<p style="font-size:1.5em;margin:0 0 0.3em"><strong>{}</strong></p>')


@dataclass(frozen=True)
class Drawn:
    """Something that is no block: its HTML, and the same as text."""

    html: Markup
    text: str


def as_text(parts: Iterable[Block | Drawn], width: int = WIDTH) -> str:
    """Return the parts with an empty line between two. Paragraphs are wrapped; code and numbers are not.

    No line is a command for a service that runs pytest in a workflow.
    """
    texts = (
        part.text if isinstance(part, Drawn) else _block_text(part, max(width, NARROWEST))
        for part in parts
    )
    return without_commands("\n\n".join(texts))


def _block_text(block: Block, width: int) -> str:
    if block.is_code:
        return as_markdown([block])
    return textwrap.fill(" ".join(block.text.split()), width, break_on_hyphens=False)


def as_html(parts: Iterable[Block | Drawn]) -> Markup:
    """Return the parts as safe HTML."""
    return Markup("").join(
        part.html if isinstance(part, Drawn) else _block_html(part) for part in parts
    )


def _block_html(block: Block) -> Markup:
    text = _shown(block.text)
    if block.is_code:
        return _PRE.format(textwrap.dedent(text))
    return Markup("<p>{}</p>").format(Markup(str(words_html(text)).replace("\n", "<br>")))


def words_html(text: str) -> Markup:
    """Return a sentence as safe HTML: text between backticks is code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))


def as_safe_markdown(blocks: Iterable[Block]) -> str:
    """Return Markdown with backslashes before all characters that would be markup. Formulas stay."""
    return as_markdown(
        block if block.is_code else replace(block, text=_without_markup(block.text))
        for block in blocks
    )


def _without_markup(text: str) -> str:
    parts = _CODE_ALONE.split("\n".join(line.lstrip() for line in text.split("\n")))
    pairs = sum(len(_PAIRS.findall(part)) for part in parts[::2])
    for at in range(0, len(parts), 2):
        parts[at] = _ALWAYS.sub(_escaped, parts[at])
        parts[at] = _PAIRS.sub(_escaped, parts[at]) if pairs >= _FEW else parts[at]
    return _LINE_START.sub(lambda start: (start[1] or "") + "\\", "".join(parts))


def _escaped(sign: re.Match[str]) -> str:
    return "".join(f"\\{character}" for character in sign[0])


def notebook_output(parts: Sequence[Block | Drawn], width: int = WIDTH) -> dict[str, str]:
    """Return what a notebook shows, by its MIME type."""
    html, text = _OUTPUT.format(as_html(parts)), _shown(as_text(parts, width))
    return {"text/html": str(html), "text/plain": text}


def check_parts(check: CheckResult) -> list[Block | Drawn]:
    """Return the outcome and the points of a check, and its feedback."""
    state, words, step = state_of(check), check.outcome.words, _shown(check.step)
    ungraded = check.outcome is Outcome.UNGRADED
    points = f"of {check.max_score:g} points" if ungraded else points_words(check)
    html = _BADGE.format(state.mark_colour, state.mark, words, step, points)
    head = Drawn(html, f"{state.mark} {words}: {step}, {points}")
    return [head, *check_blocks(check)]


def printed_parts(printed: str) -> list[Block]:
    """Return the first lines that the student's code printed; nothing if there are none."""
    lines = _shown(printed).strip("\n").splitlines()
    shown = [
        line if len(line) <= MAX_PRINTED_COLUMNS else line[:MAX_PRINTED_COLUMNS] + "..."
        for line in lines[:MAX_PRINTED_LINES]
    ]
    more = [f"... and {len(lines) - len(shown)} more lines"] if len(lines) > len(shown) else []
    if not lines:
        return []
    return [Block("printed:"), Block("\n".join([*shown, *more]), is_code=True)]


def summary_parts(result: Result) -> list[Block | Drawn]:
    """Return the results in brief: the score first, then the first step to work on."""
    first = where_to_begin(result.checks) if result.status is Status.GRADED else None
    score = f"The steps earned {points_words(result)}."
    right = sum(state_of(check).is_right for check in result.checks)
    words = f"{right} of {len(result.checks)} steps {'is' if right == 1 else 'are'} right."
    begin = f" Begin with `{first.step}`." if first else ""
    head = _SCORE.format(score) + as_html([Block(words + begin)])
    parts: list[Block | Drawn] = [Drawn(head, f"{score} {words}{begin}")]
    if first is None:
        return parts
    blocks = feedback_blocks(first.words)
    return [*parts, Block(f"`{first.step}`, {state_of(first).words}:"), *blocks[:_SHOWN_BLOCKS]]


def wrapped(text: str, width: int = WIDTH) -> str:
    """Return one paragraph for a terminal."""
    return as_text(paragraphs(text), width)


def _shown(text: str) -> str:
    """Remove control characters, and escape characters that UTF-8 cannot encode."""
    return clean_text(text, MAX_TEXT)
