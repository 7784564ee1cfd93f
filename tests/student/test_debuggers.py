"""Debuggers: what is left of one in a step stops no check, and one that is asked for stops in the step's lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from autograder.results import Outcome
from autograder.student.practice import Practice
from tests.commands.released_steps import copied_release
from tests.student.debug_adapter import Editor
from tests.student.test_pytest_plugin import DETACHED, fill, run_pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from autograder.sandbox.sandbox import Sandbox

PROJECT = "    return x @ W_query, x @ W_key, x @ W_value\n"
BODIES = {
    "init_weights": "    stop_here()\n    return None\n",
    "project": f"    breakpoint()\n{PROJECT}",
    "attention_score": f"    import pdb; pdb.set_trace()\n{DETACHED}",
    "attention_scores": "    from pdb import Pdb\n    Pdb().set_trace()\n    return queries @ queries.T\n",
    "scale_scores": "    d_k = input('d_k? ')\n    return scores\n",
    "context_vectors": "    return attention_weights @ values.T\n",
}
HELPER = "def stop_here():\n    breakpoint()\n\n\n"
STOP = "does not stop in a check, and costs nothing. To stop there: `python -m pytest --pdb -k"


@pytest.fixture(scope="module")
def worked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = copied_release(tmp_path_factory.mktemp("debuggers"))
    text = fill(BODIES).replace("def init_weights(", f"{HELPER}def init_weights(")
    (folder / "self_attention.py").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def practice(worked: Path, sandbox: Sandbox) -> Iterator[Practice]:
    practice = Practice(worked, sandbox)
    yield practice
    practice.drop()


@pytest.mark.parametrize(
    ("step", "outcome", "call"),
    [
        ("project", Outcome.PASSED, "`breakpoint()`"),
        ("attention_score", Outcome.PASSED, "`pdb.set_trace()`"),
        ("attention_scores", Outcome.WRONG, "`Pdb().set_trace()`"),
    ],
)
def test_a_debugger_in_a_step_stops_nothing_and_a_remark_names_the_command(
    practice: Practice, step: str, outcome: Outcome, call: str
) -> None:
    result = practice.check(step)
    assert result.outcome is outcome
    assert "debugger" in result.remarks
    assert result.feedback is not None
    [said] = (one for one in result.feedback.remarks if STOP in one)
    assert said.startswith(f"{call} in line ")
    assert said.endswith(f"-k {step}`.")
    assert result.printed == ""


def test_a_debugger_in_a_helper_is_named_by_the_step_that_calls_it(practice: Practice) -> None:
    result = practice.check("init_weights")
    assert result.outcome is Outcome.WRONG
    assert result.remarks == ("debugger",)


def test_a_step_that_asks_is_told_that_nobody_answers(practice: Practice) -> None:
    feedback = practice.check("scale_scores").feedback
    assert feedback is not None
    assert (
        feedback.message == "`input()` asks a person, and nobody answers while a step is checked."
    )


@pytest.mark.slow
def test_pdb_stops_where_a_step_that_is_right_calls_it(worked: Path) -> None:
    ran = run_pytest(worked, "--pdb", "-k", "project", stdin="p sorted(locals())\nc\n")
    assert "-> return x @ W_query, x @ W_key, x @ W_value" in ran.text
    assert "['W_key', 'W_query', 'W_value', 'x']" in ran.text
    assert ran.code == pytest.ExitCode.OK


@pytest.mark.slow
@pytest.mark.parametrize(("step", "points"), [("project", "1 / 1"), ("context_vectors", "0 / 1")])
def test_a_breakpoint_of_an_editor_is_hit(worked: Path, step: str, points: str) -> None:
    pytest.importorskip("debugpy")
    path = worked / "self_attention.py"
    lines = path.read_text(encoding="utf-8").splitlines()
    place = BODIES[step].splitlines()[-1]
    at = lines.index(place) + 1
    editor = Editor(worked, "-k", step)
    try:
        assert editor.stops_at(path, at) == (step, str(path), at)
    finally:
        printed = editor.close()
    assert points in printed
