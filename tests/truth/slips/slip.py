"""One row of the table of slips: a right submission with a slip, in four forms.

The rows stand in `tests/truth/slips/rows/` (how: see `tests/truth/rows.py`). A header says a row's name, and what is
not as usual: the assignment, the step whose text is looked at, the points lost, the forms.

    # %% a_layer_with_square_brackets in numpy_attention: embed, lost 1, as plain, percent
    # says: type Embedding | called with round ones
    # never says: has to be transposed
    # line: embedding[indices]
    # fix: embedding[indices] => embedding(indices)
    def embed(indices, embedding):
        return embedding[indices]

Sources of other cells are headed by `# in: STEP`, `# after: STEP` and `# without: STEP`; `# note: ` is for the reader.
"""

from __future__ import annotations

import ast
import functools
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING, Literal, cast

from tests.toy import code, notebook
from tests.truth.rows import Cell, edited, read_cells
from tests.truth.variant import base_of, rows_of_step

if TYPE_CHECKING:
    from collections.abc import Mapping

Form = Literal["plain", "percent", "exported", "notebook"]
FORMS: tuple[Form, ...] = ("plain", "percent", "exported", "notebook")
POINTS = {
    "self_attention": 20.0,
    "numpy_attention": 14.0,
    "scaled_dot_product": 12.0,
    "causal_multihead": 18.0,
}
# The cell with the imports and the data, before the first step.
HEAD = "head"
FILE = "the file"
HEADER = re.compile(
    r"(?P<name>\w+)( in (?P<assignment>\w+))?(: (?P<where>\w+))?(, lost (?P<lost>[\d.]+))?"
    r"(, as (?P<forms>[\w, ]+))?"
)
FIELD = re.compile(r"# (says|never says|line|fix|note|in|after|without): (.+)")


@dataclass(frozen=True)
class Slip:
    """A right submission with a slip.

    Attributes:
        instead: the source that stands in place of a step or of HEAD; "" leaves it out.
        after: cells that the learner added, each after a step or HEAD.
        where: the text in which `wanted` and `line` must stand: that of a step, or FILE for the note
            about the file as a whole.
        misleading: words that must stand nowhere in the texts for the student.
        fix: what the advice says to do, as texts of the row and what takes their place.
    """

    name: str
    assignment: str = "self_attention"
    instead: Mapping[str, str] = field(default_factory=dict)
    after: Mapping[str, str] = field(default_factory=dict)
    lost: float = 0.0
    where: str = FILE
    wanted: tuple[str, ...] = ()
    line: str = ""
    misleading: tuple[str, ...] = ()
    fix: tuple[tuple[str, str], ...] = ()
    forms: tuple[Form, ...] = FORMS
    place: str = ""

    def repaired(self) -> Slip:
        """Return the submission after a student did what the advice says. Raises ValueError if that is nothing."""
        instead, after = dict(self.instead), dict(self.after)
        for old, new in self.fix:
            if not any(old in source for source in (*instead.values(), *after.values())):
                raise ValueError(f"{self.name}: no `{old}` to repair")
            instead = {name: source.replace(old, new) for name, source in instead.items()}
            after = {name: source.replace(old, new) for name, source in after.items()}
        return replace(self, instead=instead, after=after, lost=0.0)

    def cells(self) -> list[tuple[str, str]]:
        """Return the submission's cells: the name of a step, HEAD or "" for an added one, and the source.

        Raises ValueError if the row changes a step that does not exist.
        """
        base = cells_of(self.assignment)
        names = [name for name, _ in base]
        if unknown := {*self.instead, *self.after} - {*names}:
            raise ValueError(f"{self.name}: no cell {', '.join(sorted(unknown))}")
        cells = []
        for name, source in base:
            cells.append((name, _dedented(self.instead.get(name, source))))
            if name in self.after:
                cells.append(("", _dedented(self.after[name])))
        return [(name, source) for name, source in cells if source]

    def write(self, folder: Path, form: Form) -> Path:
        suffix = ".ipynb" if form == "notebook" else ".py"
        path = folder / f"{self.assignment}{suffix}"
        path.write_text(_TEXTS[form](self.cells()), encoding="utf-8")
        return path

    def line_number(self, form: Form) -> int:
        """Return the number of the line with the text `line`, in the file or in the notebook's cell."""
        texts = [source for _, source in self.cells()]
        if form != "notebook":
            texts = [_TEXTS[form](self.cells())]
        every = (pair for text in texts for pair in enumerate(text.split("\n"), start=1))
        [number] = [number for number, line in every if self.line in line]
        return number


@functools.cache
def all_slips() -> tuple[Slip, ...]:
    paths = sorted((Path(__file__).parent / "rows").glob("*.py"))
    return tuple(slip for path in paths for slip in read_slips(path))


def read_slips(path: Path) -> list[Slip]:
    return [_slip(cell) for cell in read_cells(path)]


def _slip(cell: Cell) -> Slip:
    found = HEADER.fullmatch(cell.header)
    if found is None:
        raise ValueError(f"what does the header `{cell.header}` say?")
    assignment, where = found["assignment"] or Slip.assignment, found["where"] or FILE
    forms = (found["forms"] or ", ".join(FORMS)).split(", ")
    says: dict[str, list[str]] = {
        name: [] for name in ("says", "never says", "line", "fix", "note")
    }
    sources: dict[tuple[str, str], list[str]] = {}
    place = ("in", where)
    for line in cell.lines:
        field_of = FIELD.fullmatch(line)
        if field_of is None:
            sources.setdefault(place, []).append(line)
        elif field_of[1] in says:
            says[field_of[1]] += field_of[2].split(" | ")
        else:
            place = (field_of[1], field_of[2])
            sources[place] = []
    cells: dict[str, dict[str, str]] = {"in": {}, "after": {}, "without": {}}
    for (word, step), lines in sources.items():
        base = rows_of_step(assignment, step).base if word == "in" and step != HEAD else ""
        cells[word][step] = edited(base, tuple(lines)).strip("\n")
    return Slip(
        name=found["name"],
        assignment=assignment,
        instead=cells["in"] | cells["without"],
        after=cells["after"],
        lost=float(found["lost"] or 0),
        where=where,
        wanted=tuple(says["says"]),
        line="".join(says["line"]),
        misleading=tuple(says["never says"]),
        fix=tuple(_edit(text) for text in says["fix"]),
        forms=tuple(cast("Form", form) for form in forms),
        place=cell.place,
    )


def _edit(text: str) -> tuple[str, str]:
    old, _, new = text.replace("\\n", "\n").partition(" => ")
    return old, new


@functools.cache
def cells_of(assignment: str) -> tuple[tuple[str, str], ...]:
    """Return the right submission as cells: HEAD, then one for each step."""
    text = base_of(assignment)
    lines = text.split("\n")
    steps = [
        node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef | ast.ClassDef)
    ]
    cells = [(HEAD, "\n".join(lines[: steps[0].lineno - 1]).strip("\n"))]
    cells += [(node.name, "\n".join(lines[node.lineno - 1 : node.end_lineno])) for node in steps]
    return tuple(cells)


def _dedented(source: str) -> str:
    return dedent(source).strip("\n")


def _plain(cells: list[tuple[str, str]]) -> str:
    return "\n\n\n".join(source for _, source in cells) + "\n"


def _percent(cells: list[tuple[str, str]]) -> str:
    return "\n\n".join(f"# %%\n{source}" for _, source in cells) + "\n"


def _exported(cells: list[tuple[str, str]]) -> str:
    """Return what `jupyter nbconvert --to script` writes."""
    parts = [f"# In[{n}]:\n\n\n{source}" for n, (_, source) in enumerate(cells, start=1)]
    return "\n\n\n".join(["#!/usr/bin/env python\n# coding: utf-8", *parts]) + "\n"


def _notebook(cells: list[tuple[str, str]]) -> str:
    names = [
        f"added-{number}" if name in ("", HEAD) else name
        for number, (name, _) in enumerate(cells, start=1)
    ]
    return notebook(*(code(name, source) for name, (_, source) in zip(names, cells, strict=True)))


_TEXTS = {"plain": _plain, "percent": _percent, "exported": _exported, "notebook": _notebook}
