"""Recognise a hand-in for another assignment: by the steps of the assignments in the folders beside this one."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING

from autograder.errors import Rejected
from autograder.python_source import limited, named_lines
from autograder.submission.step_source import MAX_CHARACTERS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from autograder.assignment.source import Assignment
    from autograder.submission.read import Submission

_CHECK = re.compile(r"^@check\b.*?^def\s+test_(\w+)", re.MULTILINE | re.DOTALL)

_POINTS = re.compile(r"^@check\(\s*points=([\d.]+)", re.MULTILINE)


def declared_steps(folder: Path) -> set[str]:
    """Return the steps of an assignment, from the text of its checks; none if there is no such text."""
    return {*_CHECK.findall(_checks(folder))}


@lru_cache(maxsize=1)
def steps_beside(folder: Path) -> Mapping[str, set[str]]:
    """Return the steps of each assignment in the folders beside `folder`."""
    return {one.name: declared_steps(one) for one in _beside(folder)}


def points_beside(folder: Path) -> dict[str, float]:
    """Return the points of each assignment in the folders beside `folder`."""
    return {one.name: sum(map(float, _POINTS.findall(_checks(one)))) for one in _beside(folder)}


def _beside(folder: Path) -> list[Path]:
    with suppress(OSError):
        return [one for one in sorted(folder.parent.iterdir()) if one != folder and _checks(one)]
    return []


def _checks(folder: Path) -> str:
    with suppress(OSError):
        return (folder / f"test_{folder.name}.py").read_text("utf-8", "replace")
    return ""


def refuse_foreign(source: Submission, assignment: Assignment) -> None:
    """Raise Rejected if a submission defines steps that only another assignment has, and no step of this one alone."""
    defined = {
        line.name
        for _, text in limited(source.pieces, MAX_CHARACTERS)
        for line in named_lines(text)
        if line.kind == "defined" and not line.indent
    }
    own = {*assignment.by_step}
    beside = steps_beside(assignment.folder)
    foreign = [name for name, steps in beside.items() for _ in defined & steps - own]
    if foreign and own.difference(*beside.values()).isdisjoint(defined):
        raise Rejected(
            f"This is work for `{max(foreign, key=foreign.count)}`: it defines nothing that only `{assignment.name}` "
            "asks for. Hand in the right file."
        )
