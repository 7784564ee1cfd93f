"""Generated mistakes: their answers are made when they are first needed, and are the same in any order."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from autograder.assignment.script import Cell
from autograder.assignment.source import load_source
from autograder.exam import mutants as module
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

    from autograder.assignment.script import CellKind
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


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Mutant]:
    """The answers that are made from now on, by the mutant that gives each."""
    calls: list[Mutant] = []
    answer, build = Workshop.answer, Workshop.made
    owners: dict[int, Mutant] = {}

    def built(self: Workshop, mutant: Mutant) -> Any:
        function = build(self, mutant)
        owners[id(function)] = mutant
        return function

    def answered(self: Workshop, cell: str, function: Any, *others: Any) -> Any:
        calls.append(owners[id(function)])
        time.sleep(0.002)  # lets other threads run
        return answer(self, cell, function, *others)

    monkeypatch.setattr(Workshop, "made", built)
    monkeypatch.setattr(Workshop, "answer", answered)
    return calls


def questions(exam: Exam, step: str) -> tuple[Question, ...]:
    check = next(check for check in exam.assignment.checks if check.name == step)
    return exam.questions_for(check, check.criterion("value"))


def test_the_answers_are_those_of_the_edited_reference(source: Source, exam: Exam) -> None:
    mutants = Mutants(source, STEPS)
    for question in questions(exam, "double"):
        [answer] = mutants(question, 0)
        assert (answer.group, answer.origins) == (0, STEPS["double"].groups[0].origins)
        x = question.inputs["x"]
        assert isinstance(x, Array)
        assert sketched(replace(x, data=x.data * 3)).fits(answer.sketch)
        assert not sketched(replace(x, data=x.data * 2)).fits(answer.sketch)


def test_a_group_answers_the_questions_of_its_criterion_only(source: Source, exam: Exam) -> None:
    """The third group's criterion is another one; the second group's mutant raises, so it has no answer."""
    mutants = Mutants(source, STEPS)
    answers = mutants(questions(exam, "double")[0], 0)
    assert [answer.group for answer in answers] == [0]


def test_answers_are_made_when_they_are_needed_and_once(
    source: Source, exam: Exam, made: list[Mutant]
) -> None:
    mutants = Mutants(source, STEPS)
    assert made == []
    first, second = questions(exam, "double")
    answers = mutants(first, 0)
    assert made == [Mutant("double", TIMES_3), Mutant("double", RAISES)]
    assert mutants(first, 0) is answers
    assert len(made) == 2
    mutants(second, 0)
    assert len(made) == 4


def test_drawing_an_exam_reads_no_mutants(source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> Any:
        raise AssertionError

    for name in ("read_mutants", "Workshop"):
        monkeypatch.setattr(module, name, never)
    generated = draw_exam(source, 1).generated
    assert isinstance(generated, Mutants)


def test_the_answers_are_the_same_whatever_the_order_of_the_questions(
    source: Source, exam: Exam
) -> None:
    every = [question for step in STEPS for question in questions(exam, step)]

    def answers(order: list[Question]) -> dict[int, tuple[GeneratedAnswer, ...]]:
        mutants = Mutants(source, STEPS)
        found = {id(question): mutants(question, 0) for question in order}
        return {id(question): found[id(question)] for question in every}

    assert answers(every) == answers(every[::-1]) == answers([*every[1:], every[0]])


def test_the_reference_is_as_before_after_each_answer(source: Source, exam: Exam) -> None:
    workshop = Workshop(source)
    before = dict(vars(workshop.module))
    for group in STEPS["double"].groups:
        function = workshop.made(group.mutant)
        workshop.answer("double", function, lambda student, case: student.double(case.x), {})
    after = vars(workshop.module)
    assert all(after[name] is value for name, value in before.items())


def test_threads_share_one_answer(source: Source, exam: Exam, made: list[Mutant]) -> None:
    mutants = Mutants(source, STEPS)
    every = [question for step in STEPS for question in questions(exam, step)]
    found: list[list[tuple[GeneratedAnswer, ...]]] = [[] for _ in range(8)]
    ready = threading.Barrier(len(found))

    def ask(own: list[tuple[GeneratedAnswer, ...]]) -> None:
        ready.wait()
        own += [mutants(question, 0) for question in every]

    threads = [threading.Thread(target=ask, args=(own,)) for own in found]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for answers in found:
        assert [id(one) for one in answers] == [id(one) for one in found[0]]
    assert len(made) == 2 * (2 + 1)


def test_an_exam_of_another_seed_has_other_answers(source: Source, exam: Exam) -> None:
    other = draw_exam(source, 2)
    mutants = Mutants(source, STEPS)
    here, there = (mutants(questions(one, "double")[0], 0)[0] for one in (exam, other))
    assert here.origins == there.origins
    assert here.sketch != there.sketch


@pytest.mark.unit
def test_what_is_written_is_read_back(source: Source) -> None:
    assert read_mutants(source) is None
    written = dump_mutants(source, STEPS)
    (source.assignment.folder / MUTANTS).write_bytes(written)
    read = read_mutants(source)
    assert read == STEPS
    assert dump_mutants(source, read) == written


@pytest.mark.unit
def test_the_file_has_a_line_for_each_group(source: Source) -> None:
    lines = dump_mutants(source, STEPS).decode().splitlines()
    groups = [line for line in lines if line.startswith('{"criterion"')]
    assert len(groups) == 4


@pytest.mark.unit
def test_the_digest_says_whether_the_mutants_are_current(source: Source) -> None:
    folder = source.assignment.folder
    assert read_mutants(source) is None
    (folder / MUTANTS).write_bytes(dump_mutants(source, STEPS))
    assert read_mutants(load_source(folder)) == STEPS
    for name, old, new in (
        ("toy.py", "2.0", "2.5"),
        ("cases.py", "draw.normal(draw.d_in)", "draw.normal(draw.d_k)"),
        ("test_toy.py", "Multiply by two.", "Multiply."),
    ):
        path = folder / name
        text = path.read_text()
        path.write_text(text.replace(old, new))
        assert read_mutants(load_source(folder)) is None, name
        path.write_text(text)
    mistakes = folder / "mistakes.py"
    mistakes.write_text(mistakes.read_text().replace("Is it multiplied?", "Is it doubled?"))
    assert read_mutants(load_source(folder)) == STEPS


@pytest.mark.unit
def test_other_line_ends_are_no_other_source(source: Source) -> None:
    folder = source.assignment.folder
    (folder / MUTANTS).write_bytes(dump_mutants(source, STEPS))
    for name in ("toy.py", "cases.py", "test_toy.py"):
        (folder / name).write_bytes((folder / name).read_bytes().replace(b"\n", b"\r\n"))
    assert read_mutants(load_source(folder)) == STEPS


def test_a_run_uses_the_mutants_of_its_own_source_only(source: Source) -> None:
    """In another source the same place may hold other code, so that the edit would be another one."""
    folder = source.assignment.folder
    (folder / MUTANTS).write_bytes(dump_mutants(source, STEPS))

    def answers() -> list[int]:
        exam = draw_exam(load_source(folder), 1)
        return [one.group for one in exam.generated(questions(exam, "double")[0], 0)]

    assert answers() == [0]
    script = folder / "toy.py"
    script.write_text(script.read_text().replace("np.multiply(x, 2.0)", "np.add(x, x)"))
    assert answers() == []


def test_without_the_file_there_are_no_answers(exam: Exam) -> None:
    assert exam.generated(questions(exam, "double")[0], 0) == ()


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


def test_a_run_goes_on_without_a_damaged_file(source: Source) -> None:
    damage(source, DAMAGED[-1])
    exam = draw_exam(source, 1)
    assert exam.generated(questions(exam, "double")[0], 0) == ()


@pytest.mark.unit
@pytest.mark.parametrize(("kind", "same"), [("text", True), ("show", True), ("given", False)])
def test_only_code_that_is_graded_needs_a_new_search(
    source: Source, kind: CellKind, same: bool
) -> None:
    more = Cell("more", kind, "# More", 0)
    changed = replace(source, script=(*source.script, more))
    assert (mutants_digest(changed) == mutants_digest(source)) is same


def test_an_edited_function_is_made_again_in_each_process_with_the_same_answers(
    source: Source, exam: Exam
) -> None:
    first, second = (Mutants(source, STEPS) for _ in range(2))
    for question in questions(exam, "shift"):
        one, other = first(question, 0), second(question, 0)
        assert one == other
        assert np.isfinite(one[0].sketch.numbers).all()
