"""Render a page from its template: everything in one file, every text escaped."""

from __future__ import annotations

import base64
import functools
import hashlib
import re
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from autograder.errors import UsageError
from autograder.text import without_invisible

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_TEMPLATES = files("autograder.reports.pages") / "templates"
_CODE = re.compile(r"`([^`\n]+)`")


def render(template: str, **values: object) -> bytes:
    """Return a page as bytes.

    Raises UsageError if jinja2 is not installed.
    """
    page: str = environment().get_template(template).render(**values)
    return page.encode("utf-8", "backslashreplace")


@functools.cache
def environment() -> Environment:
    """Return the environment of all pages. It escapes every value."""
    try:
        from jinja2 import Environment, FunctionLoader, StrictUndefined  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise lacking(error, "A page") from None
    jinja = Environment(
        loader=FunctionLoader(_read),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_visible,
    )
    jinja.filters |= {"words": _words, "points": _points, "share": _share, "digest": _digest}
    jinja.globals |= {
        "style": _markup(_read("style.css")),
        "report_style": _markup(_read("report.css")),
        "script": _markup(_read("report.js")),
    }
    return jinja


def lacking(error: ModuleNotFoundError, page: str) -> UsageError:
    """Return the error for a library that a page needs and that is not installed."""
    return UsageError(
        f"{page} needs {error.name}, which is not installed: install the kit with its extra "
        '`instructor` (pip install -e ".[instructor]" in its folder).'
    )


def _read(name: str) -> str:
    return (_TEMPLATES / name).read_text(encoding="utf-8")


@functools.cache
def _digest(text: str) -> str:
    """Return the hash by which a page's own rules allow its style or script, and no other."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _markup(text: str) -> Markup:
    from markupsafe import Markup  # noqa: PLC0415

    return Markup(text)


def _visible(value: Any) -> Any:
    """Remove invisible characters from a text. Markup was made here, from cleaned texts."""
    return without_invisible(value) if type(value) is str else value


def _words(text: str) -> Markup:
    """Return a sentence of the kit as markup: text between backticks is code."""
    from markupsafe import Markup, escape  # noqa: PLC0415

    safe = str(escape(without_invisible(text)))
    return Markup(_CODE.sub(r"<code>\1</code>", safe))


def _points(points: float) -> str:
    return f"{points:.4g}"


def _share(part: float, whole: float) -> str:
    return f"{part / whole:.0%}" if whole else "0%"
