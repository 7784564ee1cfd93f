"""One row of the table of slips: a right submission with a slip, in four forms."""

from __future__ import annotations

import ast
import functools
import json
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

Form = Literal["plain", "percent", "exported", "notebook"]
FORMS: tuple[Form, ...] = ("plain", "percent", "exported", "notebook")
POINTS = {"self_attention": 20.0, "numpy_attention": 14.0, "scaled_dot_product": 12.0}
# The cell with the imports and the data, before the first step.
HEAD = "head"
FILE = "the file"


@dataclass(frozen=True)
class Slip:
    """A right submission with a slip.

    Attributes:
        name: unique, snake_case.
        assignment: the assignment's name.
        instead: the source that stands in place of a step or of HEAD; "" leaves it out.
        after: cells that the learner added, each after a step or HEAD.
        lost: the points that the slip costs.
        where: the text in which `wanted` and `line` must stand: that of a step, or FILE for the note
            about the file as a whole.
        wanted: words that a good tutor would use.
        line: a text in the source. The number of its line must be said.
        misleading: words that must stand nowhere in the texts for the student.
        forms: the forms in which the row is read. It is graded in the first one.
        reference: where a learner wrote something like it.
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
    forms: tuple[Form, ...] = FORMS
    reference: str = ""

    @property
    def points(self) -> float:
        """The points that are kept."""
        return POINTS[self.assignment] - self.lost

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
        """Write the submission to `folder` in this form; return the file."""
        suffix = ".ipynb" if form == "notebook" else ".py"
        path = folder / f"{self.assignment}{suffix}"
        path.write_text(_TEXTS[form](self.cells()), encoding="utf-8")
        return path

    def line_number(self, form: Form) -> int:
        """Return the number of the line with the text `line`, in the file or in the notebook's cell."""
        texts = [source for _, source in self.cells()]
        if form != "notebook":
            texts = [_TEXTS[form](self.cells())]
        [number] = [
            number
            for text in texts
            for number, line in enumerate(text.split("\n"), start=1)
            if self.line in line
        ]
        return number


@functools.cache
def cells_of(assignment: str) -> tuple[tuple[str, str], ...]:
    """Return the right submission as cells: HEAD, then one for each step."""
    path = Path(__file__).parents[1] / assignment / "base.py"
    text = path.read_text(encoding="utf-8")
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
    written: list[dict[str, object]] = [
        {
            "cell_type": "code",
            "execution_count": None,
            "id": f"added-{number}" if name in ("", HEAD) else name,
            "metadata": {},
            "outputs": [],
            "source": source,
        }
        for number, (name, source) in enumerate(cells, start=1)
    ]
    book = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": written}
    return json.dumps(book, indent=1)


_TEXTS = {"plain": _plain, "percent": _percent, "exported": _exported, "notebook": _notebook}
