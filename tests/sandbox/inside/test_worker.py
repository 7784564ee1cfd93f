"""The untrusted process: what it answers, what it keeps from student code, and how it ends."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest
import torch

from autograder.explain.student_code import StudentCode
from autograder.explain.whole_file import file_problems, problems_blocks
from autograder.results import as_markdown
from autograder.sandbox.inside.own_code import known_checks
from autograder.sandbox.inside.worker import Observer, fields_of, refuse_compile
from autograder.values.values import DictValue, freeze, thaw
from autograder.values.wire import decode, encode
from tests.forking.client import Forked
from tests.graders import open_session
from tests.sandbox.conftest import probes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autograder.exam.questions import Exam

NAME = "work_in_this_process"

# An observer in this process: for student code that leaves the interpreter alone.


@pytest.fixture
def observer() -> Iterator[Observer]:
    yield Observer()
    sys.modules.pop(NAME, None)


def ask(observer: Observer, **request: object) -> dict[str, Any]:
    """What a request gives, with both ways through the protocol's bytes."""
    fields = fields_of(decode(encode(freeze(request))))
    content = decode(observer.reply("m", fields).removeprefix(b"m"))
    assert isinstance(content, DictValue)
    return {str(key): value for key, value in content.items}


def loaded(observer: Observer, *sources: str, steps: tuple[str, ...] = ("step",)) -> dict[str, Any]:
    pieces = [[f"cell {number}", source] for number, source in enumerate(sources)]
    return ask(observer, op="load", name=NAME, probes=probes(*steps), pieces=pieces)


def observed(observer: Observer, source: str, x: object = None) -> dict[str, Any]:
    loaded(observer, source)
    return ask(observer, op="observe", check="step", criterion="value", probe=0, inputs={"x": x})


@pytest.mark.parametrize(
    "where", ["([], 1, 1, 'x')", "('cell 0', 10**30, 1, 'x')", "('cell 0', 'y', 1, 'x')"]
)
def test_a_syntax_error_made_by_hand_is_like_others(observer: Observer, where: str) -> None:
    source = f"def step(x):\n    raise SyntaxError('odd', {where})"

    answer = observed(observer, source)
    assert answer["kind"] == "raised"
    assert thaw(answer["error"])["type"] == "SyntaxError"


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("globals()[1] = print\nglobals()['x' * 1000] = print", ["x" * 100]),
        ("for i in range(3000): globals()[f'f{i:04}'] = print", [f"f{i:04}" for i in range(1000)]),
    ],
)
def test_odd_names_and_thousands_are_cut(observer: Observer, source: str, names: list[str]) -> None:
    assert thaw(loaded(observer, source)["names"]) == names


def test_many_failures_are_cut(observer: Observer) -> None:
    assert len(thaw(loaded(observer, *["1 / 0"] * 50)["failures"])) == 20


def test_an_answer_has_the_bytes_of_its_fields(observer: Observer) -> None:
    observer.load({"name": "work", "pieces": [("work.py", "def step(x):\n    return x")]})
    observer.checks = known_checks(probes("step"))
    for x in (1, "text", torch.ones(2)):
        fields = {"op": "observe", "check": "step", "criterion": "value", "probe": 0}
        answer = {"kind": "returned", "value": freeze(x), "changed": list[str]()}
        request = dict(fields, inputs=freeze({"x": x}))
        assert observer.reply("m", request) == b"m" + encode(freeze(answer))


MADE_UP = "def __getattr__(name):\n    raise SystemExit('asked for ' + name)"


@pytest.mark.parametrize("source", ["", "step = 1\ndel step", "Step = print", "step = 3", MADE_UP])
def test_a_name_that_is_no_function_is_missing(observer: Observer, source: str) -> None:
    assert observed(observer, source) == {"kind": "missing"}


def test_a_name_that_is_bound_to_no_function_is_no_step(observer: Observer) -> None:
    [unfit] = thaw(loaded(observer, "x = 1\nstep = 3")["unfit"])
    assert (unfit["name"], unfit["type"], unfit["frame"]["line"]) == ("step", "int", 2)


@pytest.mark.parametrize(
    "forged",
    [
        'values.Array("no kind", "float32", numpy.zeros(1))',
        'values.Array("tensor", "float32", "no array")',
        "values.Other(3)",
        "deep()",
    ],
)
def test_nonsense_in_the_kits_records_is_a_failure(observer: Observer, forged: str) -> None:
    source = f"""
import numpy
from autograder.values import values
def deep():
    thing = 0
    for _ in range(100_000):
        thing = values.ListValue("list", (thing,))
    return thing
def step(x):
    return {forged}
"""
    assert observed(observer, source)["kind"] == "raised"


# The grader is gone, and nobody is left to stop the worker.

GRADER = """
import sys
from autograder.sandbox.fresh import FreshSandbox
from autograder.sandbox.limits import Limits
from autograder.sandbox.session import Session
from tests.sandbox.conftest import asking, probes
sandbox = FreshSandbox(Limits(cpu=float(sys.argv[2])))
session = Session("work", probes("step"), (("work.py", sys.argv[1]),), sandbox)
session.load()
print(session._worker.pid, flush=True)
if sys.argv[3] == "observe":
    session.observe(asking("step"))
sys.stdin.read()
"""  # fmt: skip

BEGIN = "import time\ndef step(x):\n    open('begun', 'w').close()\n    "
LOOP = "while True:\n        try: x()\n        except BaseException: pass"
# What the worker does meanwhile. The last step lets no other thread run; only its limit ends it.
WHAT_RUNS = {
    "nothing": (BEGIN, 600, "wait"),
    "a loop that catches all": (BEGIN + LOOP, 600, "observe"),
    "one call into C": (f"{BEGIN}return sum(range(10**12))", 0.25, "observe"),
}


def killed_grader(root: Path, scratch: Path, source: str, cpu: float, what: str) -> psutil.Process:
    """The worker of a grader that was killed while that worker did something; `scratch` takes what it left behind."""
    grader = Forked(
        [sys.executable, "-c", GRADER, source, str(cpu), what],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=root,
        env=os.environ | {"TMPDIR": str(scratch), "TEMP": str(scratch), "TMP": str(scratch)},
    )
    assert grader.stdout is not None
    assert grader.stdin is not None
    worker = psutil.Process(int(grader.stdout.readline()))
    if what == "observe":
        begun = Path(worker.cwd(), "begun")
        while not begun.exists():
            time.sleep(0.01)
    grader.kill()
    grader.communicate()
    return worker


@pytest.mark.parametrize(("source", "cpu", "what"), WHAT_RUNS.values(), ids=WHAT_RUNS)
def test_a_worker_ends_when_its_grader_was_killed(
    root: Path, tmp_path: Path, source: str, cpu: float, what: str
) -> None:
    if sys.platform == "win32" and cpu < 1:
        pytest.skip("no such limit here")
    worker = killed_grader(root, tmp_path, source, cpu, what)
    _, alive = psutil.wait_procs([worker], timeout=60)
    for process in alive:
        process.kill()
    assert alive == []


def test_compiling_is_refused_in_every_form(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch, "compile", torch.compile)
    refuse_compile()
    layer = torch.nn.Linear(2, 2)
    for way in (
        lambda: torch.compile(layer),
        lambda: torch.compile(layer, backend="eager"),
        lambda: torch.compile(mode="max-autotune"),
        layer.compile,
    ):
        with pytest.raises(RuntimeError, match="Remove it"):
            way()


def test_a_student_reads_why_compiling_is_refused_and_where(exam: Exam, solution: str) -> None:
    decorated = "@torch.compile\ndef attention_score("
    session = open_session(exam, solution.replace("def attention_score(", decorated))
    steps = {check.name for check in exam.assignment.checks}
    problems = file_problems(session.loaded, steps, StudentCode(session.pieces))
    words = " ".join(as_markdown(problems_blocks(problems)).split())
    assert "`attention_score` is not defined" in words
    assert "torch.compile is not available in the checks: it starts a C++ compiler." in words
    assert "@torch.compile" in words
