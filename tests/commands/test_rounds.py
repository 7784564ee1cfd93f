"""A run that is started again in its folder: what was handed in since it ended meets other questions."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from autograder.assignment.source import load_source
from autograder.exam.draw import draw_exam
from autograder.grading.run_seed import Run
from autograder.reports.class_folder import ClassFolder
from autograder.values.values import Array
from tests.command_line import invoke
from tests.commands.test_grade import grade, hand_in, results, timeless
from tests.toy import RIGHT, SHIFT, UNCHANGED, write_toy

if TYPE_CHECKING:
    from pathlib import Path

    from autograder.grading.task import Graded

SEED = 7


def table(project: Path, number: int = 0) -> str:
    """A hand-in that knows the answers of a round, as somebody could compute them from its questions."""
    exam_seed = Run("toy", SEED, "", round=number).exam_seed
    exam = draw_exam(load_source(project / "solutions" / "toy"), exam_seed)
    known = {}
    for question in exam.questions:
        given, answer = question.inputs.get("x"), question.answers[0].right[0].value
        if question.step == "double" and isinstance(given, Array) and isinstance(answer, Array):
            known[given.data.tobytes()] = answer.data.tolist()
    return (
        f"import numpy as np\nKNOWN = {known!r}\nSTART = 0.5\n\n\n"
        "def double(x):\n    return np.array(KNOWN.get(x.tobytes(), x))\n\n\n"
        f"{SHIFT}"
    )


def points(project: Path, student: str) -> tuple[float, int]:
    found = results(project / "out")[student]
    return found["tests"][0]["score"], found["extra_data"]["round"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write_toy(tmp_path)
    hand_in(tmp_path / "class", {"alice/toy.py": UNCHANGED, "bob/toy.py": RIGHT})
    assert again(tmp_path, seed=SEED).exit_code == 0
    return tmp_path


def again(project: Path, **options: Any) -> Any:
    return grade(project, project / "class", **{"no-pages": True}, **options)


def test_a_table_of_the_answers_earns_nothing_in_the_next_round(project: Path) -> None:
    assert (points(project, "alice"), points(project, "bob")) == ((0, 0), (1, 0))
    before = (project / "out" / "bob" / "results.json").read_bytes()
    hand_in(project / "class", {"alice/toy.py": table(project)})
    assert again(project).exit_code == 0
    assert points(project, "alice") == (0, 1)
    assert (project / "out" / "bob" / "results.json").read_bytes() == before

    shutil.rmtree(project / "out")  # in the round that it knows, it would have earned all
    assert again(project, seed=SEED).exit_code == 0
    assert points(project, "alice") == (1, 0)


def test_each_later_round_has_questions_of_its_own(project: Path) -> None:
    for number in (1, 2):
        hand_in(project / "class", {"alice/toy.py": table(project, number - 1)})
        assert again(project).exit_code == 0
        assert points(project, "alice") == (0, number)


def test_an_interrupted_run_goes_on_in_its_round(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C after the first result of the second round."""
    hand_in(
        project / "class",
        {"alice/toy.py": UNCHANGED.replace("x\n", "x \n"), "carol/toy.py": UNCHANGED},
    )
    write = ClassFolder.write

    def stop_at_carol(folder: ClassFolder, graded: Graded) -> None:
        if graded.result.student == "carol":
            raise KeyboardInterrupt
        write(folder, graded)

    with monkeypatch.context() as interrupted:
        interrupted.setattr(ClassFolder, "write", stop_at_carol)
        stopped = again(project)
    assert (stopped.exit_code, stopped.stderr) == (130, "")
    assert "Stopped after 2 of 3. The same command goes on from here.\n" in stopped.stdout
    assert points(project, "alice") == (0, 1)
    assert again(project).exit_code == 0
    assert points(project, "carol") == (0, 1)


def test_what_changes_while_a_run_is_stopped_meets_other_questions(project: Path) -> None:
    """The others go on in their round."""
    before = timeless(project / "out")
    record = project / "out" / "class.jsonl"
    head, rest = record.read_text(encoding="utf-8").split("\n", 1)
    stopped = json.dumps({**json.loads(head), "ended": False})
    record.write_text(f"{stopped}\n{rest}", encoding="utf-8")
    hand_in(project / "class", {"alice/toy.py": table(project)})
    assert again(project).exit_code == 0
    assert points(project, "alice") == (0, 1)
    after = timeless(project / "out")
    assert {name: text for name, text in after.items() if before[name] != text}.keys() == {"alice"}


def test_what_is_graded_again_is_asked_what_it_was_asked(project: Path) -> None:
    hand_in(project / "class", {"alice/toy.py": table(project)})
    assert again(project).exit_code == 0
    before = timeless(project / "out")
    assert again(project, regrade="bob").exit_code == 0
    assert again(project, regrade="alice").exit_code == 0
    assert timeless(project / "out") == before


def test_an_appeal_derives_the_round_of_the_result(project: Path) -> None:
    hand_in(project / "class", {"alice/toy.py": table(project)})
    assert again(project).exit_code == 0
    for name in ("alice", "bob"):
        words = ["show", str(project / "out"), name, "double", "--allow-degraded"]
        done = invoke([*words, "--solutions", str(project / "solutions")])
        assert ", as in results.json" in done.stdout, done.output
