"""Generated mistakes: their answers are made when they are first needed, and are the same in any order."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from autograder.assignment.script import Cell
from autograder.assignment.source import load_source
from autograder.exam.draw import draw_exam
from autograder.exam.mutants import (
    MUTANTS,
    Group,
    Hole,
    Mutant,
    Mutants,
    StepMutants,
    Workshop,
    dump_mutants,
    mutants_digest,
    read_mutants,
)
from autograder.exam.sketch import sketched
from autograder.values.values import Array
from tests.toy import ADD, MULTIPLY, edit, write_toy

if TYPE_CHECKING:
    from pathlib import Path

    from autograder.assignment.source import Source
    from autograder.exam.questions import Exam, GeneratedAnswer, Question

TIMES_3 = edit("constant-other", MULTIPLY, "2.0", "3")
SQUARED = edit("squared", MULTIPLY, "np.multiply(x, 2.0)", "(np.multiply(x, 2.0)) ** 2")
RAISES = edit("returned-earlier", MULTIPLY, "np.multiply(x, 2.0)", "missing")
MINUS = edit("sign", ADD, "START", "-START")
STEPS = {
    "double": StepMutants(
        count=9,
        raised=1,
        groups=(
            Group("value", Mutant("double", TIMES_3), (("double", TIMES_3.code), ("double", "sign"))),
            Group("value", Mutant("double", RAISES), (("double", RAISES.code),)),
            Group("larger", Mutant("double", SQUARED), (("double", SQUARED.code),)),
        ),
        equivalent=2,
        too_small=1,
        holes=(Hole(Mutant("double", SQUARED), (1, 2)),),
    ),
    "shift": StepMutants(
        count=1, groups=(Group("value", Mutant("shift", MINUS), (("shift", MINUS.code),)),)
    ),
}  # fmt: skip


@pytest.fixture
def source(tmp_path: Path) -> Source:
    return load_source(write_toy(tmp_path) / "toy")


@pytest.fixture
def exam(source: Source) -> Exam:
    return draw_exam(source, 1)


def questions(exam: Exam, step: str) -> tuple[Question, ...]:
    check = next(check for check in exam.assignment.checks if check.name == step)
    return exam.questions_for(check, check.criterion("value"))


def test_the_answers_are_those_of_the_edited_reference(source: Source, exam: Exam) -> None:
    """The third group's criterion is another one; the second group's mutant raises, so it has no answer."""
    first, second = Mutants(source, STEPS), Mutants(source, STEPS)
    for question in questions(exam, "double"):
        [answer] = first(question, 0)
        assert second(question, 0) == (answer,), "another process makes the same"
        assert (answer.group, answer.origins) == (0, STEPS["double"].groups[0].origins)
        x = question.inputs["x"]
        assert isinstance(x, Array)
        assert sketched(replace(x, data=x.data * 3)).fits(answer.sketch)
        assert not sketched(replace(x, data=x.data * 2)).fits(answer.sketch)


def test_the_reference_is_as_before_after_each_answer(source: Source) -> None:
    workshop = Workshop(source)
    before = dict(vars(workshop.module))
    for group in STEPS["double"].groups:
        function = workshop.made(group.mutant)
        workshop.answer("double", function, lambda student, case: student.double(case.x), {})
        after = vars(workshop.module)
        assert all(after[name] is value for name, value in before.items())


def test_threads_share_one_answer(source: Source, exam: Exam) -> None:
    mutants = Mutants(source, STEPS)
    every = [question for step in STEPS for question in questions(exam, step)]
    ready = threading.Barrier(8)

    def ask(_: int) -> list[tuple[GeneratedAnswer, ...]]:
        ready.wait()
        return [mutants(question, 0) for question in every]

    with ThreadPoolExecutor(8) as pool:
        first, *others = pool.map(ask, range(8))
    for own in others:
        assert all(one is other for one, other in zip(own, first, strict=True))


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
    '{"digest": "DIGEST", "steps": {"double": {"groups": [[]], "holes": []}}}',
    '{"digest": "DIGEST", "steps": {"double": {"groups": [], "holes": [], "more": 1}}}',
    '{"digest": "DIGEST", "steps": {"double": {"groups": [{"criterion": "value", "origins": []}]}}}',
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


def test_a_run_goes_on_without_the_file_or_with_a_damaged_one(source: Source) -> None:
    for content in (None, DAMAGED[-1]):
        if content is not None:
            damage(source, content)
        exam = draw_exam(source, 1)
        assert exam.generated(questions(exam, "double")[0], 0) == ()
