"""One row of a truth table: a step as a student might write it.

The rows of a step stand in `tests/truth/<assignment>/rows/<step>.py` (how: see `rows`), with headers like

    # %% base                                     the right step, which other rows may edit
    # %% wrong scale_not_at_all: not_scaled, loses 1
    # %% accepted scale_by_numpy: other_square_roots
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

from tests.exams import ASSIGNMENTS
from tests.truth.rows import edited, read_cells

HERE = Path(__file__).parent
HEADER = re.compile(
    r"(?P<kind>wrong|accepted) (?P<name>\w+)(: (?P<row>\w+))?(, loses (?P<loses>[\d.]+))?"
    r"(?P<windows>, with Windows line ends)?"
)


@dataclass(frozen=True)
class Variant:
    """A step written in another way, right or wrong.

    Attributes:
        row: the mistake or style in the list of `misconceptions.py` of which this is an example; "unnamed" if
            the feedback describes a wrong answer without naming it, "unlisted" if there is no entry.
        loses: the points lost, if known; None if only known to lose points in `step`.
    """

    name: str
    row: str
    step: str
    source: str
    loses: float | None = None
    place: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "source", dedent(self.source).strip("\r\n") + "\n")


@functools.cache
def base_of(assignment: str) -> str:
    """Return the right submission in which a row redefines its step."""
    return (HERE / assignment / "base.py").read_text(encoding="utf-8")


@dataclass
class StepRows:
    """The rows of a step: the base that rows may edit first, and the rows by kind."""

    base: str
    wrong: list[Variant]
    accepted: list[Variant]


@functools.cache
def rows_of_step(assignment: str, step: str) -> StepRows:
    """Return the rows of a step. A row edits the last base above it."""
    rows, base = StepRows("", [], []), ""
    for cell in read_cells(HERE / assignment / "rows" / f"{step}.py"):
        if cell.header == "base":
            base = edited("", cell.lines)
            rows.base = rows.base or base
            continue
        found = HEADER.fullmatch(cell.header)
        if found is None:
            raise ValueError(f"{assignment}/rows/{step}.py: what does `{cell.header}` say?")
        source = edited(base, cell.lines)
        if found["windows"]:
            source = source.replace("\n", "\r\n")
        loses = float(found["loses"]) if found["loses"] else None
        row = found["row"] or "unlisted"
        variant = Variant(found["name"], row, step, source, loses, cell.place)
        (rows.wrong if found["kind"] == "wrong" else rows.accepted).append(variant)
    return rows


def rows_of(assignment: str, kind: str) -> list[Variant]:
    steps = sorted(path.stem for path in (HERE / assignment / "rows").glob("*.py"))
    return [variant for step in steps for variant in getattr(rows_of_step(assignment, step), kind)]


def table(kind: str) -> list[tuple[str, Variant]]:
    return [(name, variant) for name in ASSIGNMENTS for variant in rows_of(name, kind)]


def submission(base: str, variant: Variant) -> str:
    """Return the right, self-contained submission `base` with the step of `variant`."""
    return f"{base.rstrip()}\n\n\n{variant.source}"
