"""What a process that runs student code is told and given. `test_imports` proves what the engine itself knows."""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from autograder.assignment.script import solution_lines
from autograder.sandbox import client, warm
from autograder.sandbox.fresh import FreshSandbox
from autograder.sandbox.limits import Limits
from autograder.sandbox.session import Session
from autograder.sandbox.usage import Clock
from autograder.sandbox.warm import WarmSandbox, can_fork
from autograder.values.values import Array, DictValue, ListValue, Value, thaw
from autograder.values.wire import decode, encode, frame
from tests.graders import grade_in
from tests.kit_trees import reaches
from tests.sandbox.conftest import PERMISSIVE, asking, probes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autograder.assignment.source import Source
    from autograder.exam.questions import Exam, Question
    from autograder.sandbox.sandbox import Sandbox

ROOT = Path(__file__).parents[1]
# In the environment of the grader.
SECRETS = {
    "GITHUB_TOKEN": "ghs_not_for_students",
    "AWS_SECRET_ACCESS_KEY": "not for students",
    "JUPYTERHUB_API_TOKEN": "not for students",
    "NBGRADER_EXECUTION": "autograde",
    "PYTHONPATH": str(ROOT),
    "HOME": str(ROOT / "home-of-a-teacher"),
    "USERPROFILE": str(ROOT / "home-of-a-teacher"),
    "USER": "teacher",
    "CI": "true",
}


@pytest.fixture(scope="module", params=[pytest.param("fresh", marks=pytest.mark.slow), "warm"])
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    """A sandbox that nobody has used before; its grader has secrets in its environment and an answer open."""
    if request.param == "warm" and not can_fork():
        pytest.skip("this system cannot fork")
    limits = Limits(cpu=30)
    fresh = request.param == "fresh"
    answers = os.open(ROOT / "pyproject.toml", os.O_RDONLY)
    os.set_inheritable(answers, True)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in SECRETS.items():
            patch.setenv(name, value)
        with closing(FreshSandbox(limits) if fresh else WarmSandbox(limits, PERMISSIVE)) as opened:
            yield opened
    os.close(answers)


# What the worker is told in one whole grading run.


@dataclass(frozen=True)
class Overheard:
    """A run, and all bytes that were sent to its workers, less the student's own file."""

    exam: Exam
    sent: bytes
    pieces: tuple[Value, ...]


@pytest.fixture(scope="module")
def overheard(sandbox: Sandbox, exam: Exam, solution: str) -> Overheard:
    """A run in which everything is right, so that every criterion of every check is asked."""
    requests: list[DictValue] = []

    def listen(body: bytes) -> bytes:
        message = decode(body)
        for value in message.items if isinstance(message, ListValue) else (message,):
            assert isinstance(value, DictValue)
            requests.append(value)
        return frame(body)

    def listen_to_setup(value: Value) -> bytes:
        body = encode(value)
        listen(body)
        return body

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(client, "frame", listen)
        patch.setattr(warm, "encode", listen_to_setup)
        result = grade_in(sandbox, exam, solution)
    assert result.score == result.max_score
    pieces = [item for one in requests for key, item in one.items if key == "pieces"]
    rest = [
        DictValue(tuple(entry for entry in one.items if entry[0] != "pieces")) for one in requests
    ]
    return Overheard(exam, b"".join(map(encode, rest)), tuple(pieces))


def arrays_in(value: Value) -> Iterator[Array]:
    if isinstance(value, Array):
        yield value
    if isinstance(value, ListValue):
        for item in value.items:
            yield from arrays_in(item)
    if isinstance(value, DictValue):
        for pair in value.items:
            for part in pair:
                yield from arrays_in(part)


def needle(array: Array) -> bytes:
    """An array as it is sent, whatever its kind and dtype are called: its shape and its numbers."""
    return encode(array)[4:]


def inputs_of(question: Question) -> set[bytes]:
    """A question's inputs, either way round: some answers are nothing else, such as weights to be transferred."""
    found = [array for value in question.inputs.values() for array in arrays_in(value)]
    turned = [Array(array.kind, array.dtype, array.data.T) for array in found]
    return {needle(array) for array in (*found, *turned)}


def drawn(exam: Exam) -> list[Question]:
    return [question for question in exam.questions if question.kind != "documented"]


def test_the_inputs_of_each_question_are_sent(overheard: Overheard) -> None:
    """So that what follows would find an answer if it were there."""
    for question in drawn(overheard.exam):
        for value in question.inputs.values():
            assert all(needle(array) in overheard.sent for array in arrays_in(value))


def test_no_right_and_no_known_wrong_answer_is_sent(overheard: Overheard) -> None:
    looked_for: dict[str, set[str]] = {"right": set(), "wrong": set()}
    for question in drawn(overheard.exam):
        inputs = inputs_of(question)
        for answer in question.answers:
            answers = [("right", question.step, one.value) for one in answer.right]
            answers += [("wrong", one.mistake, one.value) for one in answer.wrong]
            for kind, name, value in answers:
                if needles := {needle(array) for array in arrays_in(value)} - inputs:
                    looked_for[kind].add(name)
                    assert not any(one in overheard.sent for one in needles), name
    assert len(looked_for["right"]) >= len(overheard.exam.assignment.checks) - 2
    assert looked_for["wrong"]


def test_no_line_of_a_solution_is_sent(overheard: Overheard, source: Source) -> None:
    lines = [line for line in solution_lines(source.script) if len(line) > 9]

    assert lines
    assert [line for line in lines if line.encode() in overheard.sent] == []


def test_no_known_mistake_is_named_or_described(overheard: Overheard, source: Source) -> None:
    assert source.mistakes
    for mistake in source.mistakes:
        for text in (mistake.name, mistake.says, mistake.look):
            assert text.encode() not in overheard.sent


def test_no_path_of_the_project_is_sent(overheard: Overheard) -> None:
    assert str(ROOT).encode() not in overheard.sent
    assert b"solutions" not in overheard.sent


def test_a_student_gets_their_own_file_and_no_other(overheard: Overheard, solution: str) -> None:
    [pieces] = overheard.pieces

    assert thaw(pieces) == [[f"{overheard.exam.assignment.name}.py", solution]]


# What the worker finds around itself.

LOOKING = """
import os, stat, sys
def look(x):
    files = []
    for descriptor in range(1000):
        try:
            mode = os.fstat(descriptor).st_mode
        except OSError:
            continue
        if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
            files.append(descriptor)
    loaded = sorted(name for name in sys.modules if name.startswith("autograder"))
    words = [*sys.argv, *sys.orig_argv, *sys.path, os.getcwd()]
    return {"files": files, "loaded": loaded, "words": words, "path": sys.path, "listing": os.listdir(),
            "environment": dict(os.environ)}
"""


@pytest.fixture(scope="module")
def seen(sandbox: Sandbox, overheard: Overheard) -> dict[str, Any]:
    """What a student's code sees in a sandbox that has graded before."""
    assert overheard.sent
    clock = Clock(1e6)
    session = Session("work", probes("look"), (("work.py", LOOKING),), sandbox, clock=clock)
    with closing(session):
        session.load()
        found = session.observe(asking("look", None))
    assert not found.error, found
    return dict(thaw(found.value))


def test_the_graders_environment_folders_and_files_do_not_arrive(seen: dict[str, Any]) -> None:
    environment = seen["environment"]
    assert [name for name, value in SECRETS.items() if environment.get(name) == value] == []
    assert not any(str(ROOT / "home") in value for value in environment.values())
    assert not any("solutions" in word for word in seen["words"])
    assert {str(ROOT), ""}.isdisjoint(seen["path"])
    assert (seen["listing"], seen["files"]) == ([], [])


ALLOWED = (
    "autograder.assignment.checks", "autograder.assignment.libraries", "autograder.assignment.probes",
    "autograder.assignment.recorder",
    "autograder.errors", "autograder.near_names", "autograder.no_warnings", "autograder.probing",
    "autograder.python_source",
    "autograder.reasons", "autograder.sandbox.inside", "autograder.sandbox.layers", "autograder.values",
)  # fmt: skip
PACKAGES = ("autograder", "autograder.assignment", "autograder.sandbox")


def test_nothing_else_of_the_kit_is_loaded_beside_a_students_code(seen: dict[str, Any]) -> None:
    """Layers only where they are put on: in what the warm process forked."""
    assert "autograder.assignment.probes" in seen["loaded"]
    others = [name for name in seen["loaded"] if name not in PACKAGES]
    assert [name for name in others if not any(reaches(name, one) for one in ALLOWED)] == []
