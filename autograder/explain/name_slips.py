"""Definitions in the wrong place: a name that is defined twice, or inside another definition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.explain.wording import line_words

if TYPE_CHECKING:
    from autograder.explain.student_code import StudentCode

_SHOWN = 3


def defined_again(name: str, code: StudentCode) -> str:
    """Say so if a function or class is defined more than once; else return an empty text."""
    found = [header for header in code.headers if header.name == name and header.indent == 0]
    if len(found) < 2:  # noqa: PLR2004 - more than once
        return ""
    shown = [line_words(header.label, header.line) for header in (*found[: _SHOWN - 1], found[-1])]
    where = list(dict.fromkeys(shown))
    return f"`{name}` is defined in {', '.join(where[:-1])} and again in {where[-1]}: the last one counts."


def defined_inside(name: str, code: StudentCode) -> str:
    """Say so if a function or class is indented, so that the file itself does not define it."""
    for number, header in enumerate(code.headers):
        if header.name != name or header.indent == 0:
            continue
        around = next(
            (
                outer.name
                for outer in reversed(code.headers[:number])
                if outer.piece == header.piece and outer.indent < header.indent
            ),
            "",
        )
        inside = f"it stands inside `{around}`" if around else "it belongs to the lines above it"
        where = line_words(header.label, header.line)
        return f"`{name}` is defined in {where}, but indented: so {inside}. Move it and its lines to the left margin."
    return ""
