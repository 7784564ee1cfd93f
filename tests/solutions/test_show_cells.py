"""The notebooks' own cells, run with the reference: what they print, what they draw, what the text says of it."""

from __future__ import annotations

import contextlib
import functools
import io
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import torch

from autograder.assignment.script import read_cells
from tests.exams import ASSIGNMENTS, source_of
from tests.truth.variant import base_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autograder.assignment.script import Cell

plt = pytest.importorskip("matplotlib.pyplot")
pytestmark = pytest.mark.slow

SOLUTIONS = Path(__file__).parents[2] / "solutions"
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d*)?(?![\w])")
QUOTED = re.compile(r"-?\d+\.\d{2,}")
# A sum of single-precision numbers has other last digits on another processor: so much of it, at most.
ROUNDING = 1e-6
# Nobody can print these again: the documents drew them without a seed, and the text says so.
UNSEEDED = {
    "self_attention": {
        "4.692901219967951",
        "0.9385802439935901",
        "98.83632170475772",
        "0.9883632170475772",
    }
}


@dataclass
class Shown:
    printed: str
    drawn: list[float] = field(default_factory=list)


@pytest.fixture(scope="module", params=ASSIGNMENTS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@functools.cache
def cells_of(name: str) -> tuple[Cell, ...]:
    return read_cells((SOLUTIONS / name / f"{name}.py").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def shown(name: str) -> Iterator[dict[str, Shown]]:
    """Each show cell's output by its id, with the reference's steps."""
    plt.switch_backend("Agg")
    names: dict[str, Any] = {}
    found = {}
    with torch.random.fork_rng():
        for cell in cells_of(name):
            if cell.kind in ("given", "step"):
                exec(cell.source, names)
            elif cell.kind == "show":
                found[cell.id] = run(cell.source, names)
    yield found
    torch.set_printoptions(profile="default")


def run(source: str, names: dict[str, Any]) -> Shown:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), pytest.MonkeyPatch.context() as patch:
        patch.setattr(plt, "show", lambda: None)
        exec(source, names)
    drawn = [number for figure in map(plt.figure, plt.get_fignums()) for number in drawn_in(figure)]
    plt.close("all")
    return Shown(printed.getvalue(), drawn)


def drawn_in(figure: Any) -> Iterator[float]:
    """The numbers of a figure's heat maps, lines and bars."""
    for axes in figure.axes:
        for image in axes.images:
            yield from image.get_array().ravel().tolist()
        for line in axes.lines:
            yield from map(float, line.get_ydata())
        for bars in axes.containers:
            yield from (float(bar.get_height()) for bar in bars)


def is_printed(number: float, texts: set[str], rounding: float = 0.0) -> bool:
    """Whether a number is among the printed ones, up to the digits that are printed."""
    return any(
        abs(float(text) - number) <= 0.501 * 10 ** -len(text.partition(".")[2]) + rounding
        and ("." in text or float(text) == number)
        for text in texts
    )


def test_the_numbers_of_each_picture_are_printed_too(shown: dict[str, Shown]) -> None:
    pictures = {cell: one for cell, one in shown.items() if one.drawn}
    assert pictures
    for cell, one in pictures.items():
        texts = set(NUMBER.findall(one.printed))
        assert [number for number in one.drawn if not is_printed(number, texts)] == [], cell


def test_no_hint_points_at_text_that_only_the_notebook_has(name: str) -> None:
    """Many students work in the `.py` file, which has no text cells."""
    source = source_of(name)
    words = [text for one in source.mistakes for text in (one.says, one.look)]
    words += source.remarks.values()
    for check in source.assignment.checks:
        words += [check.expects, *check.looks.values()]
        for one in check.criteria:
            words += [one.expects, *one.looks.values(), one.remark]
    texts = "\n".join(cell.source for cell in cells_of(name))
    headings = re.findall(r"^# #+ (.+)$", texts, re.MULTILINE)
    assert len(headings) > 5
    quoted = "|".join(f'"{re.escape(heading)}"' for heading in headings)
    places = re.compile(rf"notebook|\bcells?\b|{quoted}", re.IGNORECASE)
    assert [text for text in words if text and places.search(text)] == []


def test_the_cells_print_the_numbers_of_the_text(name: str, shown: dict[str, Shown]) -> None:
    """To the digits that the text shows. The reader's own cells must not contradict the text."""
    known = "".join(one.printed for one in shown.values())
    known += "\n".join(cell.source for cell in cells_of(name) if cell.kind == "given")
    numbers = {*map(float, QUOTED.findall(known))}
    texts = "\n".join(cell.source for cell in cells_of(name) if cell.kind == "text")
    said = set(QUOTED.findall(texts))
    assert said
    lacking = {
        text
        for text in said
        if not any(is_printed(one, {text}, ROUNDING * abs(one)) for one in numbers)
    }
    assert lacking == UNSEEDED.get(name, set())


def others_stubbed(name: str, step: str) -> dict[str, Any]:
    """A right submission whose classes do all themselves, in which no function but the given cells' is written."""
    names: dict[str, Any] = {}
    exec(base_of(name), names)
    source = source_of(name)
    for check in source.assignment.checks:
        if check.name != step and check.name not in source.assignment.classes:
            names[check.name] = not_written
    return names


def not_written(*_: object, **__: object) -> None:
    raise NotImplementedError


CLASSES = [(name, step) for name in ASSIGNMENTS for step in source_of(name).assignment.classes]


@pytest.mark.parametrize(("name", "step"), sorted(CLASSES))
def test_a_right_class_is_shown_whatever_else_is_written(name: str, step: str) -> None:
    """The cells up to the next step use what the class promises, and no other step."""
    plt.switch_backend("Agg")
    cells = cells_of(name)
    kinds = [(cell.kind, cell.id) for cell in cells]
    begin = kinds.index(("step", step)) + 1
    names = others_stubbed(name, step)
    run(cells[kinds.index(("show", "show-1"))].source, names)
    shown = []
    for cell in cells[begin:]:
        if cell.kind == "step":
            break
        if cell.kind == "show":
            with torch.random.fork_rng():
                shown.append(run(cell.source, names))
    assert shown
