"""What a student meets: real pytest processes in a copy of the released folder."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING, NamedTuple

import pytest

from autograder.student.practice import sandbox_for_one_run
from tests.commands.released_steps import STUB, copied_release, with_body
from tests.forking import client
from tests.golden_files import assert_golden

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

STEPS = 11

FILLED = {
    "init_weights": """\
    torch.manual_seed(seed)
    return tuple(nn.Parameter(torch.rand(d_in, d_out), requires_grad=False) for _ in range(3))
""",
    "project": "    print('x is', tuple(x.shape))\n    return x @ W_query, x @ W_key, x @ W_key\n",
    "attention_score": "    return query @ key\n",
    "attention_scores": "    return queries @ queries.T\n",
    "scale_scores": "    return scores / torch.sqrt(d_k)\n",
    "attention_weights": "    print('not yet')\n    raise NotImplementedError()\n",
    "context_vectors": "    return exit(0)\n",
}


DETACHED = "    return (query @ key).detach()\n"


class Ran(NamedTuple):
    code: int
    text: str


def run_pytest(
    folder: Path,
    *arguments: str,
    stdin: str = "",
    columns: int = 80,
    start: Callable[..., subprocess.CompletedProcess[str]] = client.run,
) -> Ran:
    done = start(
        [sys.executable, "-m", "pytest", *arguments],
        cwd=folder,
        env={**os.environ, "COLUMNS": str(columns)},
        input=stdin,
        capture_output=True,
        encoding="utf-8",
    )
    return Ran(done.returncode, done.stdout + done.stderr)


def steady(text: str) -> str:
    """A transcript without what differs from machine to machine."""
    text = re.sub(
        r"^(platform|rootdir|plugins|cachedir|-+ generated).*\n", "", text, flags=re.MULTILINE
    )
    # The rules around the last line get shorter where a busy machine needs more digits.
    return re.sub(r"=+ (.* in) \d+\.\d+s( \([\d:]+\))? =+", r"=== \1 0.00s ===", text)


def fill(bodies: dict[str, str]) -> str:
    """Return the released module in which these steps have these bodies."""
    text = STUB
    for step, body in bodies.items():
        text = with_body(step, body, text)
    return text


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied_release(tmp_path_factory.mktemp("student"))


@pytest.fixture(scope="module")
def worked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A released folder in which some steps are right, some wrong and most not started."""
    folder = copied_release(tmp_path_factory.mktemp("worked"))
    filled = fill(FILLED).replace("def dot_product_variance(", "def dot_product_variances(")
    (folder / "self_attention.py").write_text(filled, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def worked_run(worked: Path) -> Ran:
    return run_pytest(worked, "--junitxml=junit.xml")


def test_a_stub_is_not_scolded(release: Path) -> None:
    ran = run_pytest(release)
    assert ran.code == pytest.ExitCode.TESTS_FAILED
    assert_golden("pytest_stub", steady(ran.text))


def test_junit_has_outcome_and_points(worked: Path, worked_run: Ran) -> None:
    assert "generated xml file" in worked_run.text
    [case] = ET.parse(worked / "junit.xml").iterfind(".//testcase[@name='test_scale_scores']")
    properties = {entry.get("name"): entry.get("value") for entry in case.iter("property")}
    assert properties == {"outcome": "raised", "score": "0.0", "max_score": "1.0"}


def test_the_first_wrong_step_has_the_room(worked_run: Ran) -> None:
    assert worked_run.code == pytest.ExitCode.TESTS_FAILED
    assert_golden("pytest_worked", steady(worked_run.text))


@pytest.mark.slow
def test_the_solution_passes_every_public_check(release: Path, root: Path) -> None:
    solution = root / "solutions" / "self_attention" / "self_attention.py"
    ran = run_pytest(release, "--submission", str(solution))
    assert ran.code == pytest.ExitCode.OK
    assert f"{STEPS} passed" in ran.text
    assert "20 / 20" in ran.text
    assert f"All {STEPS} steps are right: 20 of 20 points" in ran.text
    assert "Answer the open question" in ran.text
    assert "Hand in self_attention.py" in ran.text


def test_k_runs_one_step_in_full(worked: Path) -> None:
    ran = run_pytest(worked, "-k", "scale_scores")
    assert_golden("pytest_k_scale_scores", steady(ran.text))


@pytest.mark.slow
def test_pdb_stops_in_the_students_own_line_or_has_what_came_back(worked: Path) -> None:
    ran = run_pytest(worked, "--pdb", "-k", "scale_scores", stdin="p sorted(locals())\nq\n")
    assert "-> return scores / torch.sqrt(d_k)" in ran.text
    assert "['d_k', 'scores']" in ran.text
    assert "`torch.sqrt` takes a tensor; here it got a plain number" in ran.text
    stdin = "p (returned - queries @ queries.T).abs().max() < 1e-5, keys is case.keys\nl\nq\n"
    ran = run_pytest(worked, "--pdb", "-k", "attention_scores", stdin=stdin)
    assert "(tensor(True), True)" in ran.text
    said = " ".join(ran.text.split())
    assert "`returned` is what came back; the inputs are queries, keys." in said
    assert "# the inputs: queries, keys" in said


def test_the_next_step_and_remarks_stand_below_the_table(release: Path) -> None:
    filled = fill({"init_weights": FILLED["init_weights"], "attention_score": DETACHED})
    (release / "begun.py").write_text(filled, encoding="utf-8")
    ran = run_pytest(release, "--submission", "begun.py", columns=60)
    assert_golden("pytest_next", steady(ran.text))


@pytest.mark.slow
def test_an_endless_loop_is_stopped_at_the_limit(release: Path) -> None:
    (release / "endless.py").write_text(fill({"project": "    while True:\n        pass\n"}))
    ran = run_pytest(release, "--submission", "endless.py", "-k", "project", "--time-limit", "0.5")
    said = " ".join(ran.text.split())
    assert "`project` did not end within 0.5 seconds of computing time" in said
    ran = run_pytest(release, "--time-limit", "0")
    assert "--time-limit" in ran.text
    assert ran.code == pytest.ExitCode.USAGE_ERROR


def test_a_released_folder_has_a_shorter_limit_than_grading(root: Path) -> None:
    for folder, seconds in (("assignments", 5), ("solutions", 10)):
        assert sandbox_for_one_run(root / folder / "self_attention").limits.cpu == seconds


def test_run_as_a_program_a_file_says_how_to_check(release: Path) -> None:
    for file in ("self_attention.py", "test_self_attention.py"):
        command = [sys.executable, str(release / file)]
        done = client.run(command, capture_output=True, text=True, check=True)
        assert "python -m pytest" in done.stdout, file
    assert "__main__" not in (release / "self_attention.ipynb").read_text(encoding="utf-8")


def test_a_submission_that_is_not_there_is_said_in_one_line(release: Path) -> None:
    ran = run_pytest(release, "--submission", "nowhere.py", "-k", "project")
    assert "There is no" in ran.text
    assert "nowhere.py" in ran.text
    assert "Traceback" not in ran.text


def test_a_copy_of_the_notebook_that_was_worked_in_is_checked_and_named(tmp_path: Path) -> None:
    folder = copied_release(tmp_path)
    book = json.loads((folder / "self_attention.ipynb").read_text(encoding="utf-8"))
    [cell] = [cell for cell in book["cells"] if cell.get("id") == "attention_score"]
    cell["source"] = "def attention_score(query, key):\n    return query @ key"
    (folder / "self_attention (1).ipynb").write_text(json.dumps(book), encoding="utf-8")
    ran = run_pytest(folder, "-k", "attention_score", columns=200)
    assert "You worked in `self_attention (1).ipynb`, so that file was checked." in ran.text
    assert "Name it `self_attention.ipynb` before you hand it in." in ran.text
    assert "is as it was released" in ran.text
    assert re.search(r"attention_score +1 / 1", ran.text)


def test_editors_find_ordinary_functions(release: Path) -> None:
    ran = run_pytest(release, "--collect-only", "-q")
    lines = [line for line in ran.text.splitlines() if "::" in line]
    assert lines[0] == "test_self_attention.py::test_init_weights"
    assert len(lines) == STEPS


def test_a_worker_that_cannot_start_is_the_kits_fault(release: Path) -> None:
    program = (
        "import sys, pytest, autograder.sandbox.interpreter as fresh\n"
        "fresh.COMMAND = (sys.executable, '-c', 'raise SystemExit(\"no torch here\")')\n"
        "sys.exit(pytest.main(['-k', 'project']))"
    )
    done = client.run([sys.executable, "-c", program], cwd=release, capture_output=True, text=True)
    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    assert "The worker could not start: no torch here" in done.stdout


def test_a_run_without_an_assignment_is_as_if_the_kit_were_not_there(tmp_path: Path) -> None:
    """Only in a new interpreter nothing is imported yet."""
    (tmp_path / "test_other.py").write_text(
        "import sys\n\n"
        "def test_nothing_is_imported():\n"
        "    heavy = {'numpy', 'torch', 'psutil', 'autograder.student.practice'}\n"
        "    assert not heavy & sys.modules.keys()\n\n"
        "def test_that_fails():\n    assert 1 == 2\n"
    )
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    with_kit = run_pytest(tmp_path, start=subprocess.run)
    without = run_pytest(tmp_path, "-p", "no:self_attention_kit", start=subprocess.run)
    assert with_kit.code == without.code == pytest.ExitCode.TESTS_FAILED
    assert steady(with_kit.text) == steady(without.text)
    assert "1 failed, 1 passed" in with_kit.text


@pytest.mark.slow
def test_an_instructors_run_grades_as_the_command_does(root: Path, worked: Path) -> None:
    """`pytest solutions/<name>` draws new inputs; without a submission the reference is graded.

    In a new interpreter: pytest warns of what is imported already.
    """
    folder, file = "solutions/self_attention", worked / "self_attention.py"
    ran = run_pytest(root, folder, "--submission", str(file), start=subprocess.run)
    assert "2 / 20" in ran.text
    assert "self_attention: fresh inputs" in ran.text
    ran = run_pytest(root, folder, "-k", "project or scale_scores", start=subprocess.run)
    assert ran.code == pytest.ExitCode.OK
    assert "self_attention: fresh inputs" in ran.text
