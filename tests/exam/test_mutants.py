"""Mutants: what the edited reference answers, and the file of those that a build has found."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from autograder.assignment.script import Cell
from autograder.assignment.source import load_source
from autograder.exam.mutants import (
    MUTANTS,
    Hole,
    Mutant,
    StepMutants,
    Workshop,
    dump_mutants,
    mutants_digest,
    read_mutants,
)
from autograder.values.values import Array
from tests.toy import ADD, MULTIPLY, edit, write_toy

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from autograder.assignment.source import Source

TIMES_3 = Mutant("double", edit("constant-other", MULTIPLY, "2.0", "3"))
SQUARED = Mutant(
    "double", edit("squared", MULTIPLY, "np.multiply(x, 2.0)", "(np.multiply(x, 2.0)) ** 2")
)
RAISES = Mutant("double", edit("returned-earlier", MULTIPLY, "np.multiply(x, 2.0)", "missing"))
MINUS = Mutant("shift", edit("sign", ADD, "START", "-START"))
STEPS = {
    "double": StepMutants(
        count=9, raised=1, equivalent=2, too_small=1, different=3, holes=(Hole(SQUARED, (1, 2)),)
    ),
    "shift": StepMutants(count=1, holes=(Hole(MINUS, (2,)),)),
}  # fmt: skip
INPUTS = {"x": Array("ndarray", "float64", np.array([[1.0, -2.0], [0.5, 4.0]]))}


@pytest.fixture
def source(tmp_path: Path) -> Source:
    return load_source(write_toy(tmp_path) / "toy")


def double(student: Any, case: Any) -> Any:
    return student.double(case.x)


def test_an_answer_is_that_of_the_edited_reference(source: Source) -> None:
    workshop = Workshop(source)
    x = INPUTS["x"].data
    for mutant, wanted in ((TIMES_3, 3 * x), (SQUARED, (2 * x) ** 2)):
        answer = workshop.answer("double", workshop.made(mutant), double, INPUTS)
        assert answer is not None
        assert isinstance(answer[0], Array)
        np.testing.assert_allclose(answer[0].data, wanted)
    assert workshop.answer("double", workshop.made(RAISES), double, INPUTS) is None


def test_the_reference_is_as_before_after_each_answer(source: Source) -> None:
    workshop = Workshop(source)
    before = dict(vars(workshop.module))
    for mutant in (TIMES_3, RAISES, SQUARED):
        workshop.answer("double", workshop.made(mutant), double, INPUTS)
        after = vars(workshop.module)
        assert all(after[name] is value for name, value in before.items())


@pytest.mark.unit
def test_what_is_written_is_read_back(source: Source) -> None:
    assert read_mutants(source) is None
    written = dump_mutants(source, STEPS)
    (source.assignment.folder / MUTANTS).write_bytes(written)
    read = read_mutants(source)
    assert read == STEPS
    assert dump_mutants(source, read) == written


@pytest.mark.unit
def test_the_digest_says_whether_the_mutants_are_current(source: Source) -> None:
    folder = source.assignment.folder
    (folder / MUTANTS).write_bytes(dump_mutants(source, STEPS))
    for name, old, new, current in (
        ("toy.py", "2.0", "2.5", False),
        ("cases.py", "draw.normal(draw.d_in)", "draw.normal(draw.d_k)", False),
        ("test_toy.py", "Multiply by two.", "Multiply.", False),
        ("mistakes.py", "Is it multiplied?", "Is it doubled?", True),
        *((name, "\n", "\r\n", True) for name in ("toy.py", "cases.py", "test_toy.py")),
    ):
        text = (folder / name).read_bytes()
        (folder / name).write_bytes(text.replace(old.encode(), new.encode()))
        assert (read_mutants(load_source(folder)) == STEPS) is current, (name, old)
        (folder / name).write_bytes(text)
    for kind, same in (("text", True), ("show", True), ("given", False)):
        more = Cell("more", kind, "# More", 0)  # type: ignore[arg-type]
        changed = replace(source, script=(*source.script, more))
        assert (mutants_digest(changed) == mutants_digest(source)) is same, kind


DAMAGED = (
    *("", "{", "[]", "7", "\xff", "{}", '{"digest": 7}', '{"steps": []}'),
    '{"digest": "DIGEST"}',
    '{"digest": "DIGEST", "steps": {"double": 5}}',
    '{"digest": "DIGEST", "steps": {"double": {"holes": [[]]}}}',
    '{"digest": "DIGEST", "steps": {"double": {"holes": [], "more": 1}}}',
    '{"digest": "DIGEST", "steps": {"double": {"holes": [{"seeds": [1]}]}}}',
)


def damage(source: Source, content: str) -> None:
    content = content.replace("DIGEST", mutants_digest(source))
    (source.assignment.folder / MUTANTS).write_bytes(content.encode("latin-1"))


@pytest.mark.unit
def test_a_damaged_file_is_not_current(source: Source) -> None:
    """So a build searches again."""
    for content in DAMAGED:
        damage(source, content)
        assert read_mutants(source) is None, content
