from __future__ import annotations

import csv
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from filelock import FileLock

from autograder.commands import grade as grade_command
from autograder.errors import GraderFault
from autograder.files import write_whole
from autograder.grading import open_run
from autograder.release.build import plan_build, write_build
from autograder.reports import class_folder
from autograder.reports.gradescope_json import dump_results
from autograder.sandbox.fresh import FreshSandbox
from autograder.sandbox.layers import paths as places
from autograder.sandbox.layers.status import LayerStatus, not_here
from autograder.sandbox.limits import could_not_start
from autograder.sandbox.warm import WarmSandbox, can_fork
from autograder.submission.read import read_files
from tests.command_line import SCRIPT, Invoked, invoke
from tests.forking import client
from tests.toy import DOUBLE, RIGHT, UNCHANGED, code, notebook, write_toy

if TYPE_CHECKING:
    from autograder.results import Result
    from autograder.sandbox.client import Worker
    from autograder.sandbox.sandbox import Sandbox
    from autograder.submission.hand_in import HandIn

needs_fork = pytest.mark.skipif(not can_fork(), reason="this system cannot fork")
needs_signals = pytest.mark.skipif(os.name != "posix", reason="no signals to another process here")

RAISES = f"{DOUBLE}\n\ndef shift(x):\n    raise ValueError(f'{{object()}}')\n"
TELLS_WHERE = f"import os\n\n{DOUBLE}\n\ndef shift(x):\n    raise ValueError(os.getcwd())\n"
CLASS: dict[str, str] = {
    "alice/toy.py": RIGHT,
    "carol/toy/toy.ipynb": notebook(code("double", DOUBLE), code("shift", "shift = 1 +")),
    "dave 日本/notes.txt": "",
    "=eve/toy.py": UNCHANGED,
    "frank/toy.py": RAISES,
}


def break_workers(patch: pytest.MonkeyPatch) -> None:
    def cannot_start(_: Sandbox) -> Worker:
        raise GraderFault(could_not_start("torch is not here"))

    for sandbox in (FreshSandbox, WarmSandbox):
        patch.setattr(sandbox, "start", cannot_start)
    patch.setattr(FreshSandbox, "prepare", lambda _: None)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with the toy, its release, and a class that handed in."""
    folder = tmp_path_factory.mktemp("project")
    write_build(plan_build(write_toy(folder), folder / "assignments", "toy"))
    hand_in(folder / "class", CLASS)
    return folder


@pytest.fixture(scope="module")
def graded(project: Path) -> tuple[Invoked, Path]:
    """What `autograder grade` said about that class, and its DIR."""
    return grade(project, project / "class", seed=1), project / "out"


@pytest.fixture
def again(project: Path, graded: tuple[Invoked, Path], tmp_path: Path) -> Path:
    for name in ("class", graded[1].name, "solutions"):
        shutil.copytree(project / name, tmp_path / name)
    return tmp_path


@pytest.fixture
def broken_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker can start, as if what it needs had been taken away: whatever is graded is ungraded."""
    break_workers(monkeypatch)


def hand_in(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def arguments(project: Path, *paths: Path, **options: Any) -> list[str]:
    """The arguments of `autograder grade`; an option that is True is a flag."""
    places = {"assignment": "toy", "out": project / "out", "solutions": project / "solutions"}
    found = ["grade", *map(str, paths)]
    for name, value in (places | options).items():
        found += [f"--{name.replace('_', '-')}"] if value is True else [f"--{name}", str(value)]
    return found


def grade(project: Path, *paths: Path, **options: Any) -> Invoked:
    return invoke(arguments(project, *paths, **options))


def start(project: Path, *paths: Path, alone: bool = True, **options: Any) -> subprocess.Popen[str]:
    """A real process; `alone` as in `tests.forking`."""
    return client.Forked(
        [sys.executable, "-u", "-c", SCRIPT, *arguments(project, *paths, **options)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        start_new_session=True,
        alone=alone,
    )


def results(out: Path) -> dict[str, Any]:
    return {
        path.parent.name: json.loads(path.read_text(encoding="utf-8"))
        for path in sorted(out.glob("*/results.json"))
    }


def timeless(out: Path) -> dict[str, Any]:
    found = results(out)
    for one in found.values():
        del one["execution_time"]
    return found


def states(out: Path) -> dict[str, tuple[bytes, int]]:
    """Each file's bytes, and when it was written."""
    return {
        str(path.relative_to(out)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(out.rglob("*"))
        if path.is_file()
    }


def grades(out: Path) -> dict[str, dict[str, str]]:
    with (out / "grades.csv").open(encoding="utf-8", newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def test_a_class_is_graded(graded: tuple[Invoked, Path]) -> None:
    result, out = graded
    assert result.exit_code == 0
    assert result.stderr == ""
    assert (out / "grades.csv").read_text(encoding="utf-8") == (
        "student,assignment,score,max_score,status,double,shift,id,group,late\n"
        "'=eve,toy,2,3,graded,0,2,,,\n"
        "alice,toy,3,3,graded,1,2,,,\n"
        "carol,toy,1,3,graded,1,0,carol,,\n"  # in nbgrader's folders
        "dave 日本,toy,0,3,rejected,0,0,,,\n"
        "frank,toy,1,3,graded,1,0,,,\n"
    )


def test_results_say_what_was_earned_and_why(graded: tuple[Invoked, Path]) -> None:
    found = results(graded[1])
    outcomes = {
        student: [test["extra_data"]["outcome"] for test in content["tests"]]
        for student, content in found.items()
    }
    assert outcomes == {
        "=eve": ["wrong", "passed"],
        "alice": ["passed", "passed"],
        "carol": ["passed", "missing"],
        "dave 日本": ["missing", "missing"],
        "frank": ["passed", "raised"],
    }
    assert found["=eve"]["tests"][0]["extra_data"]["mistakes"] == ["unchanged"]
    assert found["dave 日本"]["extra_data"]["status"] == "rejected"
    assert found["dave 日本"]["extra_data"]["submission_sha256"] == ""
    assert "Hand in one file" in found["dave 日本"]["output"]


def test_students_see_the_runs_id_but_not_its_seed(project: Path, tmp_path: Path) -> None:
    seed = 271828182845904523536
    hand_in(tmp_path / "class", {"dave/notes.txt": ""})
    options = {"seed": seed, "out": tmp_path / "out", "no_pages": True}
    assert grade(project, tmp_path / "class", **options).exit_code == 0
    assert list((tmp_path / "out").rglob("*.html")) == []
    run = json.loads((tmp_path / "out" / "run.json").read_text())
    text = (tmp_path / "out" / "dave" / "results.json").read_text()
    assert run["seed"] == str(seed)
    assert json.loads(text)["extra_data"]["run"] == run["run"]
    for spelling in (str(seed), f"{seed:x}"):
        assert spelling not in text
        assert spelling not in (tmp_path / "out" / "grades.csv").read_text()


def test_the_terminal_shows_a_line_each_then_the_table_and_where_the_files_are(
    graded: tuple[Invoked, Path],
) -> None:
    lines = graded[0].stdout.splitlines()
    numbers, words = zip(*(line.split("] ") for line in lines[:5]), strict=True)
    assert [*numbers] == [f"[{n}/5" for n in range(1, 6)]
    assert {"alice 3/3", "dave 日本 0/3 rejected"} < {*words}
    assert "1 double, 2 shift" in lines
    assert "? missing, ! raised" in lines
    out = graded[1]
    assert lines[-2].startswith(f"Report: {out / 'report.html'}   each student's: {out}")
    assert lines[-1].startswith(f"Marks: {out / 'grades.csv'}   each student's: {out}")


def test_each_student_and_the_class_get_a_result_and_a_page_and_nothing_else(
    graded: tuple[Invoked, Path],
) -> None:
    students = ("=eve", "alice", "carol", "dave 日本", "frank")
    theirs = [Path(one, name) for one in students for name in ("results.json", "feedback.html")]
    own = {"grades.csv", "run.json", "class.jsonl", "report.html"}
    assert states(graded[1]).keys() == own | {*map(str, theirs)}
    assert "That is the input itself." in (graded[1] / "=eve/feedback.html").read_text("utf-8")
    report = (graded[1] / "report.html").read_text("utf-8")
    assert 'href="%3Deve/feedback.html"' in report
    assert "That is the input itself." in report


@pytest.mark.usefixtures("broken_worker")
def test_the_same_command_again_grades_nothing(again: Path) -> None:
    assert grade(again, again / "class").exit_code == 0  # the report names the paths of this copy
    before = states(again / "out")
    result = grade(again, again / "class")
    assert (result.exit_code, result.stderr) == (0, "")
    assert states(again / "out") == before


@pytest.mark.usefixtures("broken_worker")
def test_an_edited_submission_is_graded_again_and_no_other(again: Path) -> None:
    before = states(again / "out")
    hand_in(again / "class", {"alice/toy.py": RIGHT + "# edited\n"})
    assert grade(again, again / "class").exit_code == 1
    after = states(again / "out")
    changed = {name for name in before if after[name] != before[name]}
    alice = {str(Path("alice", name)) for name in ("results.json", "feedback.html")}
    assert changed == alice | {"class.jsonl", "grades.csv", "report.html"}
    assert results(again / "out")["alice"]["extra_data"]["status"] == "ungraded"


def test_what_the_grader_failed_on_is_said_out_loud_and_graded_by_the_next_run(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_in(tmp_path / "class", {"alice/toy.py": RIGHT, "dave/notes.txt": ""})
    break_workers(monkeypatch)
    first = grade(project, tmp_path / "class", out=tmp_path / "out")
    assert first.exit_code == 1
    assert "alice (ungraded): The grader itself failed" in first.stdout
    assert first.stderr.startswith("The grader failed on alice:\nThe worker could not start: ")
    assert "torch is not here\n" in first.stderr
    assert "Traceback" not in first.stderr
    content = results(tmp_path / "out")["alice"]
    assert content["extra_data"]["status"] == "ungraded"
    assert [test["extra_data"]["outcome"] for test in content["tests"]] == ["ungraded"] * 2
    assert grades(tmp_path / "out")["alice"]["double"] == ""
    assert grades(tmp_path / "out")["dave"]["double"] == "0"

    monkeypatch.undo()
    rejected = states(tmp_path / "out")[str(Path("dave", "results.json"))]
    second = grade(project, tmp_path / "class", out=tmp_path / "out")
    assert (second.exit_code, second.stderr) == (0, "")
    assert grades(tmp_path / "out")["alice"]["score"] == "3"
    assert states(tmp_path / "out")[str(Path("dave", "results.json"))] == rejected


def test_what_is_in_the_wrong_place_is_said(again: Path) -> None:
    near = again / "solutions" / "near" / "test_near.py"
    hand_in(near.parent, {near.name: "@check(points=1)\ndef test_halve(student, case): ...\n"})
    files = {
        "toy.py": RIGHT,
        "alice/gus/toy.py": RIGHT,
        "hal/toy.py": "def halve(x): return x / 2\n",
    }
    before = {*grades(again / "out")}
    hand_in(again / "class", files)
    done = grade(again, again / "class")
    assert done.exit_code == 0
    assert "Inside another submission, so not graded (1): alice/gus." in done.stdout
    assert "hal (rejected): This is work for `near`: it defines nothing" in done.stdout
    assert {*grades(again / "out")} - before == {"hal", "toy"}


@pytest.mark.usefixtures("broken_worker")
@pytest.mark.parametrize("name", ["source_text", "read_bytes"])
def test_a_submission_that_the_kit_fails_to_read_is_rejected_and_reported(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(f"autograder.submission.read.{name}", lambda *_: 1 / 0)
    result = grade(project, project / "class" / "alice", out=tmp_path / "out")
    assert result.exit_code == 0
    assert "alice (rejected): The kit failed to read your submission." in result.stdout
    assert "Please report this bug (seen with alice):" in result.stderr
    assert "ZeroDivisionError" in result.stderr
    assert "ZeroDivisionError" not in json.dumps(results(tmp_path / "out"))


def test_feedback_that_cannot_be_written_costs_its_words_only(
    project: Path, graded: tuple[Invoked, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(result: Result) -> bytes:
        for check in result.checks:
            if check.step == "double" and check.feedback and check.feedback.message:
                raise ZeroDivisionError
        return dump_results(result)

    monkeypatch.setattr(grade_command, "dump_results", fails)
    done = grade(project, project / "class" / "=eve", out=tmp_path / "out", seed=1)
    assert done.exit_code == 0
    assert "Please report this bug (seen with =eve):" in done.stderr
    (found,), told = results(tmp_path / "out").values(), results(graded[1])["=eve"]
    assert found["score"] == told["score"]
    assert found["tests"][0]["output"] == "The answer of `double` is not the right one."
    assert found["tests"][1]["output"] == told["tests"][1]["output"]


@pytest.mark.usefixtures("broken_worker")
def test_a_bug_in_reading_one_submission_does_not_stop_the_others(
    project: Path, again: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def buggy(found: HandIn, *arguments: Any) -> HandIn:
        if found.student == "carol":
            raise ZeroDivisionError
        return read_files(found, *arguments)

    monkeypatch.setattr("autograder.grading.batch.read_files", buggy)
    result = grade(again, again / "class")
    assert result.exit_code == 1
    assert "The grader failed on carol:\nTraceback" in result.stderr
    assert "ZeroDivisionError" in result.stderr
    statuses = {name: row["status"] for name, row in grades(again / "out").items()}
    assert statuses == {
        "'=eve": "graded",
        "alice": "graded",
        "carol": "ungraded",
        "dave 日本": "rejected",
        "frank": "graded",
    }


@pytest.mark.slow  # the class once more, in processes
def test_neither_jobs_nor_order_change_a_byte(
    project: Path, graded: tuple[Invoked, Path], tmp_path: Path
) -> None:
    *paths, alice = sorted((project / "class").iterdir(), reverse=True)
    shutil.copytree(paths.pop(1), tmp_path / "class" / "dave 日本")
    paths += [alice, tmp_path / "class"]

    def timeless(out: Path) -> dict[str, list[bytes]]:
        return {
            name: [line for line in data.splitlines() if b'"execution_time":' not in line]
            for name, (data, _) in states(out).items()
            # These two tell the times and the paths of the run, which differ here.
            if name not in ("report.html", "class.jsonl")
        }

    for jobs in (1, 2):
        out = tmp_path / f"{jobs} jobs"
        assert grade(project, *paths, seed=1, jobs=jobs, out=out).exit_code == 0
        assert timeless(out) == timeless(graded[1])


def test_no_result_tells_where_it_ran(project: Path, tmp_path: Path) -> None:
    files = {"gina.py": TELLS_WHERE, "henry.py": f"{RIGHT}\n#{'x' * 200_000}\n"}
    hand_in(tmp_path / "class", files)
    grade(project, tmp_path / "class", out=tmp_path / "out")
    found = results(tmp_path / "out")
    text = found["gina"]["tests"][1]["output"]
    assert "raised ValueError" in text
    assert tempfile.gettempdir() not in text
    assert found["henry"]["score"] == 3


def test_public_checks_need_nothing_but_the_released_folder(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "my repository"
    shutil.copytree(project / "assignments" / "toy", here / "assignments" / "toy")
    hand_in(here, {"assignments/toy/toy.py": RIGHT})
    monkeypatch.chdir(here)
    command = ["grade", "assignments/toy", "--assignment", "toy", "--out", "results", "--public"]
    result = invoke([*command, "--timeout", "2"])
    assert (result.exit_code, result.stderr) == (0, "")
    first = results(here / "results")["toy"]
    assert first["score"] == 3
    assert first["extra_data"]["public"] is True

    with (here / "assignments" / "toy" / "expected.json").open("a") as release:
        release.write("\n")
    assert invoke([*command, "--timeout", "2"]).exit_code == 0
    second = results(here / "results")["toy"]
    assert second["extra_data"]["run"] != first["extra_data"]["run"]


@pytest.mark.parametrize(
    "place", ["results", "results/toy", "results/class.jsonl", "results/toy/.1-2.part"]
)
def test_public_checks_write_through_no_link(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    shutil.copytree(project / "assignments", tmp_path / "assignments")
    out, link = place.partition("/toy")[0].partition("/class")[0], Path(place)
    monkeypatch.chdir(tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(elsewhere)
    command = ["grade", "assignments/toy", "--assignment", "toy", "--out", out, "--public"]
    result = invoke(command)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"autograder: {link} is a link")
    assert [*elsewhere.iterdir()] == []


PLANTED = """
import os
open({marker!r} + str(os.getpid()), "w").write(str(sorted(os.environ)))
"""


@needs_fork
def test_a_students_checks_run_in_no_trusted_process(project: Path, tmp_path: Path) -> None:
    """A worker can write no file, so a file would show that another process ran them."""
    repository = tmp_path / "repository"
    shutil.copytree(project / "assignments", repository / "assignments")
    checks = repository / "assignments" / "toy" / "test_toy.py"
    checks.write_text(checks.read_text() + PLANTED.format(marker=str(tmp_path / "run-by-")))
    hand_in(repository, {"toy.py": RIGHT})
    options = {"public": True, "assignments": repository / "assignments", "out": tmp_path / "out"}
    options["timeout"] = 2  # as in the tests above: they share a fork server

    result = grade(project, repository / "toy.py", **options)

    assert result.exit_code == 0
    assert not list(tmp_path.glob("run-by-*"))
    steps = results(tmp_path / "out")["repository"]["tests"]
    assert {step["extra_data"]["outcome"] for step in steps} == {"crashed"}
    assert steps[0]["output"].startswith("The checks of the release cannot be loaded (")
    note = "Changed since the release: `test_toy.py`."
    assert note in result.stdout
    assert results(tmp_path / "out")["repository"]["output"].startswith(note)


@pytest.mark.parametrize("file", ["expected.json", "test_toy.py"])
def test_a_changed_release_is_refused_if_its_digest_is_given(
    project: Path, tmp_path: Path, file: str
) -> None:
    """Whoever wrote the questions wrote the verdict."""
    hand_in(tmp_path / "class", {"dave/toy.py": RIGHT})
    release = Path(shutil.copytree(project / "assignments", tmp_path / "assignments"))
    digest = hashlib.sha256((release / "toy" / "expected.json").read_bytes()).hexdigest()
    path = release / "toy" / file
    path.write_text(path.read_text() + "\n")
    options = {"public": True, "assignments": release, "out": tmp_path / "out", "timeout": 2}
    result = grade(project, tmp_path / "class", **options, **{"release-digest": digest})
    assert result.exit_code == 2
    assert f"Changed since the release: `{file}`." in result.stderr
    assert not (tmp_path / "out" / "run.json").exists()


@pytest.mark.slow  # the installed command, whose grading processes are interpreters of their own
def test_a_module_in_the_current_folder_runs_in_no_grading_process(
    project: Path, tmp_path: Path
) -> None:
    text = f"open({str(tmp_path / 'ran')!r}, 'w')"
    hand_in(tmp_path, {"alice/toy.py": RIGHT, "bob/toy.py": RIGHT, "multiprocessing.py": text})
    paths = (tmp_path / "alice", tmp_path / "bob")
    command = [str(Path(sys.executable).with_name("autograder"))]
    command += arguments(project, *paths, out=tmp_path / "out", jobs=2, allow_degraded=True)
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"assignment": "tou"}, "There is no assignment 'tou' in {solutions}. Did you mean 'toy'?"),
        ({"assignment": "x"}, "There is no assignment 'x' in {solutions}. There is: toy."),
        ({"assignment": "tou", "public": True},
            "There is no assignment 'tou' in {assignments}. Did you mean 'toy'?"),
        ({"release-digest": "0" * 64}, "--release-digest goes with --public only."),
        ({"release-digest": "0" * 63, "public": True}, "it is no SHA-256"),
        ({"jobs": "0"}, "0 is not in the range"),
        ({"job": "2"}, "--jobs"),
        ({"format": "junti"}, "Did you mean 'junit'?"),
        ({"engine": "dask"}, "--engine dask and --scheduler ADDRESS go together."),
        ({"scheduler": "tcp://127.0.0.1:9"}, "--engine dask and --scheduler ADDRESS go together."),
    ],
)  # fmt: skip
def test_wrong_usage_is_refused_before_anything_is_written(
    project: Path, tmp_path: Path, options: dict[str, Any], words: str
) -> None:
    out = tmp_path / "out"
    places = {"solutions": project / "solutions", "assignments": project / "assignments"}
    command = arguments(project, project / "class", **({"out": out} | places | options))
    result = invoke(command, alone=True)  # it shares nothing: it opens no sandbox and no process
    assert result.exit_code == 2
    assert words.format(**places) in " ".join(result.stderr.split())
    assert not out.exists()


def test_without_dask_the_message_says_how_to_install_it(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "autograder.grading.cluster", raising=False)
    monkeypatch.setitem(sys.modules, "distributed", None)
    options = {"out": tmp_path / "out", "engine": "dask", "scheduler": "tcp://127.0.0.1:9"}
    ran = grade(project, project / "class", **options)
    assert ran.exit_code == 2
    assert "--engine dask needs the module 'distributed'" in ran.stderr


@pytest.mark.parametrize(
    ("paths", "out"),
    [
        (["class"], "class"),
        (["class/alice", "class"], "class/alice/a/b"),
        (["link"], "class/results"),
        (["class"], "link/results"),
    ],
)
def test_results_among_the_submissions_are_refused(
    project: Path, tmp_path: Path, paths: list[str], out: str
) -> None:
    hand_in(tmp_path / "class", {"alice/toy.py": RIGHT, "bob/toy.py": RIGHT})
    (tmp_path / "link").symlink_to("class")
    result = grade(project, *map(tmp_path.joinpath, paths), out=tmp_path / out)
    assert result.exit_code == 2
    assert f"The results in {tmp_path / out} would be taken for submissions" in result.stderr
    assert result.stderr.endswith(f"such as --out {tmp_path / 'class-results'}\n")
    assert not list(tmp_path.rglob("run.json"))


def test_results_beside_and_above_the_submissions_are_accepted(
    project: Path, tmp_path: Path
) -> None:
    hand_in(tmp_path / "none", {".hidden/toy.py": "", "__MACOSX/toy.py": ""})
    refused = grade(project, tmp_path / "none", out=tmp_path / "out")
    assert (refused.exit_code, (tmp_path / "out").exists()) == (2, False)
    assert "There is no submission in" in refused.stderr
    hand_in(tmp_path, {"class/hand-ins/alice/toy.py": RIGHT, "class/bob.py": RIGHT})
    for path in ("class/hand-ins", "class/bob.py"):
        for out in ("class", "class/results", "class/hand-ins-results"):
            assert grade(project, tmp_path / path, out=tmp_path / out).exit_code == 0, (path, out)


@pytest.mark.skipif(sys.platform != "linux", reason="this system has no such names")
def test_no_line_of_the_output_is_a_students_command(project: Path, tmp_path: Path) -> None:
    lines = [
        "::error::x",
        "  ::add-mask::x",
        "a\n::stop-commands::x",
        "##[error]x",
        "a##vso[task]x",
        "\x1b[2Ja\r",
    ]
    for line in [*lines, "y" * 78 + "::error::x"]:
        hand_in(tmp_path / "class" / line, {"notes.txt": ""})
    environment = {"FORCE_COLOR": "1", "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    command = arguments(project, tmp_path / "class", out=tmp_path / "out")
    result = invoke(command, env=environment)

    assert result.exit_code == 0
    assert len(results(tmp_path / "out")) == 7
    assert "add-mask" in result.output
    for line in result.output.split("\n"):
        assert not line.strip().startswith("::")
        assert "##[" not in line
        assert "##vso[" not in line
    assert not {"\x1b", "\r", "\b"} & set(result.output)


def test_a_misspelt_command_is_met_with_the_right_one() -> None:
    for command, right in ((["grad"], "grade"), (["bundle", "studnet"], "student")):
        result = invoke(command)
        assert result.exit_code == 2
        assert f"Did you mean '{right}'?" in result.stderr


def test_an_interrupt_before_the_first_worker_is_an_interrupt(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(open_run, "draw_exam", interrupted)
    result = grade(project, project / "class", out=tmp_path / "out")
    assert (result.exit_code, result.stderr) == (130, "autograder: Stopped.\n")


def eventually(condition: Any) -> Any:
    """Wait for what another process does; the limit is only there so that a failure ends."""
    for _ in range(1200):
        if found := condition():
            return found
        time.sleep(0.05)
    raise AssertionError(condition)


@needs_signals
def test_a_signal_that_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with grade_command._signals(signal.default_int_handler, *grade_command._ENDS):
            signal.raise_signal(signal.SIGHUP)
    except KeyboardInterrupt:
        pytest.fail("what nohup started was stopped")
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.skipif(os.name != "posix", reason="files have no largest size here")
def test_a_file_that_cannot_be_written_whole_is_not_there(
    again: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a disk that takes 500 bytes of each result."""
    resource = pytest.importorskip("resource")
    write = write_whole

    def limited(path: Path, data: bytes) -> None:
        if path.name != "results.json":
            return write(path, data)
        _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (500, most))
        try:
            return write(path, data)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    before = states(again / "out")
    hand_in(again / "class", {"zoe/notes.txt": ""})
    monkeypatch.setattr(class_folder, "write_whole", limited)
    done = grade(again, again / "class")
    assert done.exit_code == 1
    assert done.stderr.endswith("File too large. Results written so far are complete.\n")
    after = states(again / "out")
    assert before.pop("class.jsonl") != after.pop("class.jsonl")  # it names who is not graded yet
    assert before.pop("grades.csv")[0] == after.pop("grades.csv")[0]  # it was away meanwhile
    assert after == before


def test_a_second_run_into_the_same_folder_is_refused(again: Path) -> None:
    before = states(again / "out")
    hand_in(again / "class", {"zoe/notes.txt": ""})
    with FileLock(again / "out" / ".lock"):
        result = grade(again, again / "class")
    assert result.exit_code == 2
    assert result.stderr.startswith(
        f"autograder: Another run is writing into {again / 'out'}. Wait until that has ended;"
    )
    assert {name: one for name, one in states(again / "out").items() if name != ".lock"} == before
    assert grade(again, again / "class").exit_code == 0
    assert "zoe" in results(again / "out")
    assert not (again / "out" / ".lock").exists()


@needs_fork
def test_a_machine_that_does_not_keep_code_in_is_refused_unless_that_is_allowed(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is written before. A result names the layers of which the sandbox says that they are active."""
    said: dict[str, LayerStatus] = {}
    status = WarmSandbox.status

    def without_seccomp(sandbox: WarmSandbox) -> dict[str, LayerStatus]:
        said.update(status(sandbox))
        return said | {"seccomp": not_here("this kernel was built without")}

    monkeypatch.setattr(WarmSandbox, "status", without_seccomp)
    hand_in(tmp_path / "class", {"alice/toy.py": RIGHT})
    refused = grade(project, tmp_path / "class", out=tmp_path / "out")
    assert refused.exit_code == 2
    assert "seccomp: not here: this kernel was built without" in refused.stderr
    assert "autograder doctor" in refused.stderr
    assert "--allow-degraded" in refused.stderr
    assert not (tmp_path / "out").exists()

    options = {"out": tmp_path / "out", "allow-degraded": True}
    assert grade(project, tmp_path / "class", **options).exit_code == 0
    active = [name for name, layer in said.items() if layer.active]
    alice = results(tmp_path / "out")["alice"]
    assert (alice["score"], alice["extra_data"]["sandbox"]) == (3, active)
    assert {"process", "limits", "no_new_privileges"} <= set(active)


@needs_fork
def test_solutions_that_a_students_code_could_read_are_refused(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_in(tmp_path / "class", {"alice/toy.py": RIGHT})
    monkeypatch.setattr(places, "readable", lambda: (str(project),))
    refused = grade(project, tmp_path / "class", out=tmp_path / "out")
    assert refused.exit_code == 2
    assert f"{project / 'solutions'} is where a student's code may read" in refused.stderr
