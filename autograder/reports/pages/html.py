"""Render a page from its template: everything in one file, every text escaped."""

from __future__ import annotations

import base64
import functools
import hashlib
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from autograder.reports.blocks import words_html
from autograder.text import utf8, without_invisible

if TYPE_CHECKING:
    from jinja2 import Environment

_TEMPLATES = files("autograder.reports.pages") / "templates"
_SHADES = 8


def render(template: str, **values: object) -> bytes:
    """Return a page as bytes."""
    return utf8(environment().get_template(template).render(**values))


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
