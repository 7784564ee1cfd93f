"""`autograder show`: what an instructor reads in an appeal, and what stands in its way."""

from __future__ import annotations

import json
import re
import shutil
import zipfile
from typing import TYPE_CHECKING

import pytest

from autograder.grading.open_run import Setting
from autograder.nbgrader.autograde import Grading
from autograder.reports.appeal_text import WARNING
from autograder.sandbox.limits import Limits
from tests.command_line import Invoked, invoke
from tests.commands.examples import ASSIGNMENT, ROOT, graded_examples
from tests.commands.test_class_folder import QUESTION
from tests.commands.test_grade import grade, hand_in, states
from tests.forking import kept
from tests.toy import DOUBLE, RIGHT, UNCHANGED, write_toy

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

RANDOM = f"import random\n\n{DOUBLE}\n\ndef shift(x):\n    return x + random.random()\n"


def show(project: Path, student: str, step: str) -> Invoked:
    return show_example(project / "out", student, step, "--all", solutions=project / "solutions")


def show_example(out: Path, *words: str, solutions: Path = ROOT / "solutions") -> Invoked:
    return invoke(["show", str(out), *words, "--solutions", str(solutions), "--allow-degraded"])


@pytest.fixture(scope="module")
def examples(once: Callable[[str, Callable[[Path], object]], Path]) -> Path:
    """The results of the example submissions; their exam is kept for `show` too, which asks for no seed."""
    kept.draw(ASSIGNMENT)
    return graded_examples(once)


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("toy")
    write_toy(folder, ("# %%\nimport numpy", QUESTION))
    hand_in(folder / "class", {"alice/toy.py": RIGHT, "bob/toy.py": UNCHANGED, "carol/toy.txt": ""})
    (folder / "out").mkdir()
    rows = ["student,step,points,reason,who", "bob,double,0.5,a typing error,Dr. Roe"]
    (folder / "out" / "overrides.csv").write_text("\n".join([*rows, "bob,question-1,3,,"]))
    assert grade(folder, folder / "class", **{"seed": 1, "no-pages": True}).exit_code == 0
    return folder


@pytest.fixture
def project(first: Path, tmp_path: Path) -> Path:
    for name in ("solutions", "class", "out"):
        shutil.copytree(first / name, tmp_path / name)
    return tmp_path


def test_a_wrong_step_is_shown_with_all_that_its_mark_rests_on(examples: Path) -> None:
    before = states(examples)
    done = show_example(examples, "elif-y", "scale_scores", "--all")
    text = done.stdout
    assert done.exit_code == 0, done.output
    assert text.startswith(f"{WARNING}\n\nelif-y, self_attention: ")
    assert "scale_scores: 0 of 1 points, wrong, as in results.json" in text
    assert "overrides.csv" not in text
    assert (
        "== value: 0 of 0.75 points\n  {'outcome': 'wrong', 'recognised': ['not_scaled']}" in text
    )
    assert "== documented: 0 of 0.25 points. It counts only where the value is right." in text
    assert text.count("'known mistakes that fit': ['not_scaled']") == 2
    scores, seen, expected = (
        numbers(text, start) for start in ("'scores': array", "'observed':", "'expected':")
    )
    d_k = int(re.findall(r"'d_k': (\d+)", text)[0])
    assert len(scores) > 8
    assert seen == scores
    assert expected == pytest.approx([one / d_k**0.5 for one in scores], abs=1e-5)
    assert "The scores were not scaled." in text  # what the student read
    assert states(examples) == before


def numbers(text: str, start: str) -> list[float]:
    matrix = text.partition(start)[2].partition("[[")[2].partition("]]")[0]
    return [float(one) for one in re.findall(r"-?\d+\.?\d*", matrix)]


def test_what_is_right_with_right_answers_for_its_calls_is_shown(examples: Path) -> None:
    """Without `--all`, on a page: what is right is left out."""
    page = show_example(examples, "elif-y", "SelfAttention_v1").stdout
    text = show_example(examples, "elif-y", "SelfAttention_v1", "--all").stdout
    assert len(page.splitlines()) < len(text.splitlines())
    assert "'difference': None" not in page
    assert "SelfAttention_v1: 4 of 4 points, wrong, as in results.json" in text
    assert "== value: 2 of 2 points\n  {'outcome': 'wrong', " in text
    assert "'right with right answers for': ['scale_scores']}" in text
    assert "-- value, asked again with right answers for scale_scores:" in text
    assert "With a right one in its place the answer of this step is right" in text


def test_a_repeated_mistake_an_exception_and_a_printed_number_are_shown(examples: Path) -> None:
    repeated = show_example(examples, "farid-h", "SelfAttention_v2", "--all").stdout
    assert "SelfAttention_v2: 2.5 of 4 points, wrong, as in results.json" in repeated
    assert "== value: 1 of 2 points\n" in repeated
    assert "'recognised': ['softmax_over_the_queries']" in repeated
    assert "'half, for a known mistake of': ['attention_weights']" in repeated
    raised = show_example(examples, "grace-m", "scale_scores", "--all").stdout
    assert "'observed': [\"TypeError: sqrt(): argument 'input'" in raised
    assert "'difference': None" in raised
    right = show_example(examples, "elif-y", "attention_scores", "--all").stdout
    assert "'difference': None" in right
    assert "documented case, test_attention_scores\n" in right
    assert "'decimals': [4]" in right


def test_points_of_a_person_are_shown_beside_those_of_the_grader(first: Path) -> None:
    text = show(first, "bob", "double").stdout
    assert "double: 0 of 1 points, wrong, as in results.json" in text
    assert "overrides.csv gives 0.5 points, Dr. Roe, a typing error" in text
    question = show(first, "bob", "question-1").stdout
    assert question.startswith(WARNING)
    assert "question-1, of 4: overrides.csv gives 3 points" in question
    unmarked = show(first, "alice", "question-1").stdout
    assert unmarked.endswith("question-1, of 4: nobody has marked it yet.\n")


@pytest.mark.slow
def test_a_submission_in_an_archive_is_found_again(project: Path) -> None:
    with zipfile.ZipFile(project / "class.zip", "w") as archive:
        archive.writestr("dan/toy.py", UNCHANGED)
    shutil.rmtree(project / "out")
    options = {"seed": 1, "no-pages": True}
    assert grade(project, project / "class.zip", **options).exit_code == 0
    assert "'recognised': ['unchanged']" in show(project, "dan", "double").stdout


def test_the_code_of_a_repair_is_shown_to_the_instructor_alone(project: Path) -> None:
    hand_in(project / "class", {"eve/toy.py": f"{DOUBLE}\n\ndef shift(x):\n    return x - 0.5\n"})
    assert grade(project, project / "class", **{"no-pages": True}).exit_code == 0
    assert "Right with: (x) + (0.5)   in place of: x - 0.5" in show(project, "eve", "shift").stdout
    result = (project / "out" / "eve" / "results.json").read_text(encoding="utf-8")
    assert "repair:operator-other" in result
    assert "(x) + (0.5)" not in result


@pytest.mark.slow
def test_an_answer_that_differs_each_time_is_said_to_differ(project: Path) -> None:
    hand_in(project / "class", {"eve/toy.py": RANDOM})
    assert grade(project, project / "class", **{"no-pages": True}).exit_code == 0
    path = project / "out" / "eve" / "results.json"
    content = json.loads(path.read_text())
    content["tests"][1].update(score=2.0, status="passed")
    content["tests"][1]["extra_data"]["outcome"] = "passed"
    path.write_text(json.dumps(content))
    text = show(project, "eve", "shift").stdout
    assert "shift: 0 of 2 points, wrong.\nresults.json has 2 points, passed: judged again" in text


def test_one_result_of_a_platform_is_shown_with_the_file_that_was_handed_in(project: Path) -> None:
    """With the run's seed the questions are the same; without it others are asked, and that is said."""
    file, path = project / "results.json", project / "class" / "bob"
    shutil.copy(project / "out" / "bob" / "results.json", file)
    shutil.rmtree(project / "out")
    solutions = project / "solutions"
    same = show_example(file, str(path), "double", "--seed", "1", solutions=solutions)
    assert "double: 0 of 1 points, wrong, as in results.json" in same.stdout, same.output
    assert "overrides.csv gives 0.5 points" in same.stdout
    other = show_example(file, str(path / "toy.py"), "double", solutions=solutions).stdout
    assert "Judged on other questions than those of the mark" in other
    assert "double: 0 of 1 points, wrong\n" in other
    assert numbers(same.stdout, "'x': array") != numbers(other, "'x': array")
    for words, why in (
        ((str(path), "double", "--seed", "2"), "is of another seed"),
        ((str(path), "doubel"), "Did you mean 'double'?"),
        ((str(project / "class" / "alice"), "double"), "has changed since it was graded"),
        ((str(project / "class" / "dan"), "double"), "is gone"),
    ):
        done = show_example(file, *words, solutions=solutions)
        assert (done.exit_code, why in done.stderr) == (2, True), done.output


def test_nbgraders_course_is_shown_in_the_round_of_the_mark(project: Path) -> None:
    course = project / "course"
    setting = Setting(
        assignment="toy",
        place=project / "solutions",
        home=course / ".autograder" / "toy",
        limits=Limits(),
        private=(),
        allow_degraded=True,
    )
    hand_in(course / "submitted", {"bob/toy/toy.py": UNCHANGED, "ann/toy/toy.py": UNCHANGED})
    for students in (["bob"], ["ann"]):  # the second one in the next round
        with Grading(setting) as grading:
            for student in students:
                grading.grade(student, course / "submitted" / student / "toy")
    first, second = (
        show_example(course, student, "double", solutions=project / "solutions").stdout
        for student in ("bob", "ann")
    )
    for text in (first, second):
        assert "double: 0 of 1 points, wrong\n" in text
        assert "'recognised': ['unchanged']" in text
    assert numbers(first, "'x': array") != numbers(second, "'x': array")
    home = course / ".autograder" / "toy"
    assert show_example(home, "bob", "double", solutions=project / "solutions").stdout == first
    hand_in(course / "submitted", {"bob/toy/toy.py": RIGHT})
    for student, why in (("bob", "has changed since"), ("bod", "Did you mean 'bob'?")):
        done = show_example(course, student, "double", solutions=project / "solutions")
        assert (done.exit_code, why in done.stderr) == (2, True), done.output


@pytest.mark.parametrize(
    ("student", "step", "words"),
    [
        ("alise", "double", "There is no student 'alise'. Did you mean 'alice'?"),
        ("alice", "doubel", "There is no step 'doubel'. Did you mean 'double'?"),
        ("alice", "question-2", "There is no step 'question-2'. Did you mean 'question-1'?"),
        ("carol", "double", "carol is rejected, so no step was judged: There is no `toy.py`"),
    ],
)
def test_an_unknown_name_is_an_error_with_the_nearest_one(
    first: Path, student: str, step: str, words: str
) -> None:
    done = show(first, student, step)
    assert (done.exit_code, done.stdout) == (2, "")
    assert words in done.stderr


@pytest.mark.slow
def test_a_submission_that_changed_or_is_gone_is_not_judged(project: Path) -> None:
    hand_in(project / "class", {"bob/toy.py": RIGHT})
    assert "class/bob has changed since it was graded" in refused(project)
    (project / "class" / "bob" / "toy.py").write_bytes(b"\xff")
    assert "class/bob has changed since it was graded" in refused(project)
    shutil.rmtree(project / "class" / "bob")
    assert "The submission of bob is gone" in refused(project)


def refused(project: Path) -> str:
    done = show(project, "bob", "double")
    assert done.exit_code == 2
    return done.stderr


def test_another_kit_run_or_assignment_is_said(project: Path) -> None:
    assert "holds no results: there is no run.json" in refused(project.parent / "nowhere")
    cases = project / "solutions" / "toy" / "cases.py"
    cases.write_text(f"{cases.read_text()}\n")
    assert "solutions/toy has changed since the results in" in refused(project)
    run = project / "out" / "run.json"
    content = json.loads(run.read_text())
    run.write_text(json.dumps(content | {"kit_version": "0.0.1"}))
    assert "another version of the kit (0.0.1;" in refused(project)
    run.write_text(json.dumps(content | {"run": "0" * 32}))
    assert "results.json is of another run" in refused(project)
    path = project / "out" / "bob" / "results.json"
    path.write_text(path.read_text().replace('"public": false', '"public": true'))
    assert "holds public checks (--public)" in refused(project)
    (project / "out" / "class.jsonl").unlink()
    assert "has no class.jsonl" in refused(project)
