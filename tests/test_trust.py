"""What a process that runs student code is told and given, and that the engine holds no answers to give away."""

from __future__ import annotations

import ast
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from autograder.assignment.script import solution_lines
from autograder.sandbox import client, warm
from autograder.sandbox.limits import Limits
from autograder.sandbox.session import SandboxSession
from autograder.values.values import Array, DictValue, ListValue, Value, thaw
from autograder.values.wire import decode, encode, frame
from tests.graders import grade_for_real
from tests.sandbox.conftest import asking, open_sandbox, probes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autograder.assignment.source import Source
    from autograder.exam.questions import Exam, Question

ROOT = Path(__file__).parents[1]
ENGINE = ROOT / "autograder"

# What the worker is told in one whole grading run.


@dataclass(frozen=True)
class Overheard:
    """A run, and all bytes that were sent to its workers, less the student's own file."""

    exam: Exam
    sent: bytes
    pieces: tuple[Value, ...]


@pytest.fixture(scope="module", params=["fresh", "warm"])
def overheard(request: pytest.FixtureRequest, exam: Exam, solution: str) -> Overheard:
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

    sandbox = open_sandbox(request.param)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(client, "frame", listen)
        patch.setattr(warm, "encode", listen_to_setup)
        result = grade_for_real(exam, solution, sandbox=sandbox)
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


def test_no_right_answer_is_sent(overheard: Overheard) -> None:
    answers = [
        (question.step, needle(array))
        for question in drawn(overheard.exam)
        for answer in question.answers
        for right in answer.right
        for array in arrays_in(right.value)
        if needle(array) not in inputs_of(question)
    ]

    assert len({step for step, _ in answers}) >= len(overheard.exam.assignment.checks) - 2
    assert [step for step, answer in answers if answer in overheard.sent] == []


def test_no_known_wrong_answer_is_sent(overheard: Overheard) -> None:
    answers = [
        (wrong.mistake, needle(array))
        for question in drawn(overheard.exam)
        for answer in question.answers
        for wrong in answer.wrong
        for array in arrays_in(wrong.value)
        if needle(array) not in inputs_of(question)
    ]

    assert answers
    assert [name for name, answer in answers if answer in overheard.sent] == []


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
import gc, importlib, os, stat, sys
def environment(x):
    return dict(os.environ)
def words(x):
    return [sys.argv, sys.orig_argv, sys.path, os.getcwd(), os.listdir()]
def imports(x):
    found = []
    for name in x:
        try:
            importlib.import_module(name)
        except ImportError:
            continue
        found.append(name)
    return found
def files(x):
    found = []
    for descriptor in range(1000):
        try:
            mode = os.fstat(descriptor).st_mode
        except OSError:
            continue
        if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
            found.append(descriptor)
    return found
def exams(x):
    return [type(thing).__name__ for thing in gc.get_objects() if type(thing).__name__ in x]
"""
STEPS = ("environment", "words", "imports", "files", "exams")
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


@pytest.fixture(scope="module", params=["fresh", "warm"])
def looking(request: pytest.FixtureRequest) -> Iterator[SandboxSession]:
    """A session whose grader has secrets in its environment and an answer open."""
    answers = os.open(ROOT / "pyproject.toml", os.O_RDONLY)
    os.set_inheritable(answers, True)
    sandbox = open_sandbox(request.param, Limits(cpu=30))
    with pytest.MonkeyPatch.context() as patch:
        for name, value in SECRETS.items():
            patch.setenv(name, value)
        session = SandboxSession("work", probes(*STEPS), (("work.py", LOOKING),), sandbox)
        session.load()
        yield session
    session.close()
    sandbox.close()
    os.close(answers)


def seen(session: SandboxSession, step: str, x: Value = None) -> Any:
    found = session.observe(asking(step, x))
    assert not found.error, found
    return thaw(found.value)


def test_the_graders_environment_does_not_arrive(looking: SandboxSession) -> None:
    environment = seen(looking, "environment")

    assert [name for name, value in SECRETS.items() if environment.get(name) == value] == []
    assert not any(str(ROOT / "home") in value for value in environment.values())


def test_nothing_says_where_the_solutions_are(looking: SandboxSession) -> None:
    argv, original, path, folder, listing = seen(looking, "words")

    assert not any("solutions" in word for word in (*argv, *original, *path, folder))
    assert str(ROOT) not in path
    assert "" not in path
    assert listing == []


def test_the_projects_folders_cannot_be_imported(looking: SandboxSession) -> None:
    names = (
        "solutions",
        "tests",
        "assignments",
        "solutions.self_attention",
        "tests.graders",
        "json",
    )

    assert seen(looking, "imports", ListValue("list", names)) == ["json"]


def test_no_open_file_is_inherited(looking: SandboxSession) -> None:
    assert seen(looking, "files") == []


def test_the_worker_has_no_exam_in_it(looking: SandboxSession) -> None:
    names = ("Exam", "Question", "Answers", "Right", "Mistake", "Source", "Observer")

    assert seen(looking, "exams", ListValue("list", names)) == ["Observer"]


# What the engine knows, and who imports whom.


def modules() -> list[Path]:
    return sorted(ENGINE.rglob("*.py"))


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def imported(source: str, *, at_run_time: bool = False) -> set[str]:
    """What a source imports anywhere in it; at run time, without what only a type checker reads."""
    found: set[str] = set()
    for node in ast.walk(_without_type_checking(source) if at_run_time else ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute here"
            found.add(str(node.module))
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def _without_type_checking(source: str) -> ast.Module:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = [ast.Pass()]
    return tree


SAMPLE = """
import os.path
from autograder import cli
if TYPE_CHECKING:
    from autograder.reports.terminal_table import marks_table
def late():
    import nbgrader
"""


def test_every_form_of_import_is_found() -> None:
    names = {"os.path", "autograder", "autograder.cli", "nbgrader"}
    reports = {"autograder.reports.terminal_table", "autograder.reports.terminal_table.marks_table"}

    assert imported(SAMPLE) == names | reports
    assert imported(SAMPLE, at_run_time=True) == names


SPINE = ("assignment", "exam", "explain", "grading", "sandbox", "submission", "values")
SPINE_FILES = [
    *(ENGINE / f"{name}.py" for name in ("compare", "errors", "files", "results", "text")),
    *(path for name in SPINE for path in sorted((ENGINE / name).rglob("*.py"))),
]
NOT_BY_THE_SPINE = ("cli", "commands", "nbgrader", "release", "reports", "student", "testing")


def reaches(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


@pytest.mark.parametrize("path", SPINE_FILES, ids=lambda path: path.stem)
def test_the_spine_knows_no_report_no_plugin_and_no_command(path: Path) -> None:
    forbidden = [f"autograder.{name}" for name in NOT_BY_THE_SPINE] + [
        "nbgrader",
        "click",
        "pytest",
    ]
    names = imported(path.read_text(encoding="utf-8"))

    assert [name for name in names if any(reaches(name, package) for package in forbidden)] == []


def reachable(*roots: str) -> tuple[set[str], set[str]]:
    """The kit's own modules that these import, directly or not, and all other names that those import."""
    files = {name_of(path): path for path in modules()}
    found: set[str] = set()
    others: set[str] = set()
    waiting = set(roots)
    while waiting:
        name = waiting.pop()
        found.add(name)
        names = imported(files[name].read_text(encoding="utf-8"), at_run_time=True)
        parents = {name.rpartition(".")[0]} if "." in name else set()
        waiting |= ((names | parents) & files.keys()) - found
        others |= {name for name in names if not reaches(name, "autograder")}
    return found, others


def test_the_worker_is_made_of_nothing_that_knows_answers() -> None:
    found, _ = reachable("autograder.sandbox.inside.worker")

    assert found == {
        "autograder",
        "autograder.assignment",
        "autograder.assignment.checks",
        "autograder.assignment.libraries",
        "autograder.assignment.probes",
        "autograder.sandbox.inside.stand_ins",
        "autograder.assignment.probes.kept",
        "autograder.errors",
        "autograder.no_warnings",
        "autograder.python_source",
        "autograder.near_names",
        "autograder.reasons",
        "autograder.sandbox",
        "autograder.sandbox.inside",
        "autograder.sandbox.inside.bindings",
        "autograder.sandbox.inside.existing",
        "autograder.sandbox.inside.held",
        "autograder.sandbox.inside.memory",
        "autograder.sandbox.inside.own_code",
        "autograder.sandbox.inside.packages",
        "autograder.sandbox.inside.streams",
        "autograder.sandbox.inside.student",
        "autograder.sandbox.inside.uninitialised",
        "autograder.sandbox.inside.watched",
        "autograder.sandbox.inside.worker",
        "autograder.values",
        "autograder.values.values",
        "autograder.values.wire",
    }


ALLOWED = (
    "autograder.assignment.checks", "autograder.assignment.libraries", "autograder.assignment.probes",
    "autograder.errors", "autograder.near_names", "autograder.no_warnings", "autograder.probing",
    "autograder.python_source",
    "autograder.reasons", "autograder.sandbox.inside", "autograder.sandbox.layers", "autograder.values",
)  # fmt: skip
PACKAGES = ("autograder", "autograder.assignment", "autograder.sandbox")


@pytest.mark.parametrize("kind", ["fresh", "warm"])
def test_nothing_else_of_the_kit_is_loaded_beside_a_students_code(kind: str) -> None:
    """Layers only where they are put on: in what the warm process forked."""
    source = (
        "import sys\n"
        "def tell(x):\n"
        "    return sorted(name for name in sys.modules if name.startswith('autograder'))\n"
    )
    sandbox = open_sandbox(kind)
    try:
        with SandboxSession("work", probes("tell"), (("work.py", source),), sandbox) as session:
            session.load()
            names = thaw(session.observe(asking("tell")).value)
    finally:
        sandbox.close()

    assert "autograder.assignment.probes" in names
    assert [
        name
        for name in names
        if name not in PACKAGES and not any(reaches(name, one) for one in ALLOWED)
    ] == []


def test_the_engine_names_no_assignment() -> None:
    """Nothing but the distribution's own name looks like one."""
    names = "|".join(path.parent.name for path in (ROOT / "solutions").glob("*/cases.py"))
    hits = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in modules()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if re.search(names, line.replace("self_attention_kit", ""), re.IGNORECASE)
    ]

    assert names
    assert hits == []


def test_the_engine_has_no_data_files_but_templates() -> None:
    kinds = {
        path.suffix
        for path in ENGINE.rglob("*")
        if path.is_file() and "templates" not in path.relative_to(ENGINE).parts
    }

    assert kinds - {".pyc"} <= {".py", ".typed"}
