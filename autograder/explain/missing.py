"""Feedback for a step that the file does not define: its lines failed, or it has another name, place or kind."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from autograder.explain.feedback import said
from autograder.explain.raised import lacked_memory
from autograder.explain.rules import finding, say
from autograder.explain.syntax import arguments_of
from autograder.explain.wording import line_words
from autograder.near_names import nearest, words
from autograder.reasons import Reason
from autograder.results import LoadReport, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable

    from autograder.explain.rules import Finding
    from autograder.explain.student_code import Definition, StudentCode, Submitted
    from autograder.explain.syntax import Function
    from autograder.results import Feedback

_SHOWN = 3


def explain_missing(step: str, loaded: LoadReport | None, submitted: Submitted) -> Feedback:
    """Explain a name that the file does not define, and suggest a similar one."""
    loaded = loaded or LoadReport()
    if known := _failed_or_unfit(step, loaded):
        return known
    if inside := defined_inside(step, submitted.code):
        return said(Outcome.MISSING, inside, Reason.NOT_DEFINED)
    if near := under_another_name(step, loaded.names, submitted):
        found = finding("missing.near", step=step, near=near)
        return said(Outcome.MISSING, found, Reason.NOT_DEFINED, Reason.MISSPELT)
    # Of a file without any definition it was said already.
    key = "missing.others" if loaded.names or submitted.code.headers else "missing"
    return said(Outcome.MISSING, finding(key, step=step), Reason.NOT_DEFINED)


def _failed_or_unfit(step: str, loaded: LoadReport) -> Feedback | None:
    """Explain a step whose definition failed, or whose name is bound to something else."""
    for rebinding in loaded.unfit:
        if rebinding.name == step:
            found = finding("not_the_step", step=step, kind=rebinding.type)
            lines, reasons = (rebinding.frame,), (Reason.NOT_DEFINED, Reason.NOT_A_STEP)
            return said(Outcome.MISSING, found, *reasons, lines=lines)
    for failure in loaded.failures:
        if step in failure.defines:
            found = finding("lines_failed", step=step)
            memory = (Reason.OUT_OF_MEMORY,) * lacked_memory(failure)
            why = (Reason.NOT_DEFINED, Reason.FILE_STOPPED, *memory)
            return said(Outcome.MISSING, found, *why, lines=failure.frames[:1])
    return None


def defined_again(name: str, code: StudentCode) -> str:
    """Say so if a function or class is defined more than once; else return an empty text."""
    found = [header for header in code.headers if header.name == name and header.indent == 0]
    if len(found) < 2:  # noqa: PLR2004 - more than once
        return ""
    shown = [line_words(header.label, header.line) for header in (*found[: _SHOWN - 1], found[-1])]
    *first, last = dict.fromkeys(shown)
    return say("defined_again", step=name, places=", ".join(first), last=last)


def defined_inside(name: str, code: StudentCode) -> Finding | None:
    """Notice a function or class that is indented, so that the file itself does not define it."""
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
        return finding("defined_inside", step=name, place=where, inside=inside)
    return None


def under_another_name(step: str, names: Iterable[str], submitted: Submitted) -> str | None:
    """Return the name that a missing step may have; None if no definition looks like the step.

    A name that only shares a word counts if its definition can be called as the step is.
    """
    others = {*names} - {*submitted.stubs}
    if misspelt := nearest(step, others):
        return misspelt
    released = submitted.released(step)
    fitting = [name for name in sorted(others) if _fits(submitted.code.definition(name), released)]
    shared = {name: len({*words(name)} & {*words(step)}) for name in fitting}
    return max((name for name in fitting if shared[name]), key=shared.__getitem__, default=None)


def _fits(own: Definition | None, released: Definition | None) -> bool:
    """Return whether a definition can take the arguments of the released one. What cannot be read may fit."""
    if own is None or released is None:
        return True
    if own.function is None or released.function is None:
        return own.function is released.function
    (least, most), (fewest, all_of_them) = map(_counts, (own.function, released.function))
    return least <= all_of_them and most >= fewest


def _counts(function: Function) -> tuple[int, float]:
    """Return how many arguments a function needs, and how many it can take."""
    given = function.args
    defaults = len(given.defaults) + sum(value is not None for value in given.kw_defaults)
    names = arguments_of(function)
    return len(names) - defaults, math.inf if given.vararg else len(names)
