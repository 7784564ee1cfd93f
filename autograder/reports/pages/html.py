"""Render a page from its template: everything in one file, every text escaped.

A plain page with the marks takes the place of one that fails.
"""

from __future__ import annotations

import base64
import functools
import hashlib
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from autograder.reports.blocks import words_html
from autograder.results import points_words
from autograder.text import without_invisible

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jinja2 import Environment

    from autograder.reports.graded_class import Entry

_TEMPLATES = files("autograder.reports.pages") / "templates"
_SHADES = 8
_PLAIN = Markup(
    '<!doctype html>\n<html lang="en"><meta charset="utf-8">'
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'"><title>{name}</title>\n'
    "<h1>{name}</h1>\n<p>This page shows the marks only, since the kit could not make the full page. "
    "The marks stand.</p>\n<pre>{text}</pre>\n"
)


def render(template: str, **values: object) -> bytes:
    """Return a page as bytes."""
    return _encoded(environment().get_template(template).render(**values))


@functools.cache
def environment() -> Environment:
    """Return the environment of all pages. It escapes every value."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined  # noqa: PLC0415 - only a page needs it

    jinja = Environment(
        loader=FunctionLoader(_read),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_visible,
    )
    jinja.filters |= {"words": _words, "points": _points, "share": _share}
    jinja.filters |= {"shade": _shade, "digest": _digest}
    jinja.globals |= {
        "style": Markup(_read("style.css")),
        "report_style": Markup(_read("report.css")),
        "script": Markup(_read("report.js")),
    }
    return jinja


def _read(name: str) -> str:
    return (_TEMPLATES / name).read_text(encoding="utf-8")


def _encoded(page: str) -> bytes:
    return page.encode("utf-8", "backslashreplace")


@functools.cache
def _digest(text: str) -> str:
    """Return the hash by which a page's own rules allow its style or script, and no other."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _visible(value: Any) -> Any:
    """Remove invisible characters from a text. Markup was made here, from cleaned texts."""
    return without_invisible(value) if type(value) is str else value


def _words(text: str) -> Markup:
    return words_html(without_invisible(text))


def _points(points: float) -> str:
    return f"{points:.4g}"


def _share(part: float, whole: float) -> str:
    return f"{part / whole:.0%}" if whole else "0%"


def _shade(share: float | None) -> str:
    """Return the class of a number's colour: `p0` to `p8`, `n1` to `n8`, or `odd`."""
    if share is None:
        return "odd"
    level = round(_SHADES * abs(share))
    return f"{'n' if share < 0 and level else 'p'}{level}"


def plain_feedback(entry: Entry) -> bytes:
    """Return one student's points and outcomes, in place of the page."""
    result = entry.result
    steps = [
        f"{check.step}: {points_words(check)}, {check.outcome.words}" for check in result.checks
    ]
    return _plain(entry.name, [_marks(entry), *steps, "", result.output])


def plain_report(entries: Iterable[Entry]) -> bytes:
    """Return the points of a class, in place of the report."""
    return _plain("Results", (f"{entry.name}: {_marks(entry)}" for entry in entries))


def plain_anonymous(entries: Iterable[Entry]) -> bytes:
    """Return the points of a class without names, in place of the report without names."""
    return _plain("Results", sorted(map(_marks, entries)))


def _marks(entry: Entry) -> str:
    return f"{points_words(entry.result)}, {entry.result.status.value}"


def _plain(name: str, lines: Iterable[str]) -> bytes:
    name, text = without_invisible(name), without_invisible("\n".join(lines))
    return _encoded(_PLAIN.format(name=escape(name), text=escape(text)))
