from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from autograder.assignment.source import load_source
from autograder.errors import AssignmentError
from autograder.exam.mutant_search import search_mutants
from autograder.exam.mutants import MUTANTS, Hole, Mutant, StepMutants, read_mutants
from autograder.files import write_whole
from autograder.release import build as builder
from autograder.release import source_notebook as notebooks
from autograder.release.build import plan_build, write_build, write_course
from tests.command_line import Invoked, files, invoke
from tests.exam.expected import change_questions
from tests.exams import ASSIGNMENTS
from tests.toy import MULTIPLY, edit, write_toy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autograder.assignment.source import Source
    from autograder.exam.mutants import StepMutants
    from autograder.release.build import Build

ROOT = Path(__file__).parents[2]
FILES = ["expected.json", "pytest.ini", "test_toy.py", "toy.ipynb", "toy.py"]

# The toy's probes with an insignificant change.
REVISED = ("Multiply by two.", "Multiply it by two.")


@pytest.fixture(scope="module", autouse=True)
def searches() -> Iterator[list[str]]:
    """The names of the assignments that are searched for mutants.

    The search is made once: its result does not depend on what these tests change.
    """
    names: list[str] = []
    found: dict[str, StepMutants] = {}

    def search(source: Source) -> dict[str, StepMutants]:
        names.append(source.assignment.name)
        if source.assignment.name != "toy" or "ü" in source.script[-1].source:
            return {}
        if not found:
            found.update(search_mutants(source))
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(builder, "search_mutants", search)
        yield names


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a toy and its release; tests that write take a copy."""
    project = tmp_path_factory.mktemp("built")
    write_toy(project)
    write_build(plan(project))
    write_course(plan(project), project / "course")
    return project


@pytest.fixture
def project(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built, tmp_path / "project"))


def plan(project: Path) -> Build:
    return plan_build(project / "solutions", project / "assignments", "toy")


def command(project: Path, *arguments: str) -> Invoked:
    folders = ("solutions", "assignments", "course")
    places = [f"--{folder}={project / folder}" for folder in folders]
    return invoke(["build", *arguments, *places])


def release(project: Path) -> Path:
    return project / "assignments" / "toy"


def source_folder(project: Path) -> Path:
    return project / "course" / "source" / "toy"


def revise(project: Path, old: str = REVISED[0], new: str = REVISED[1]) -> None:
    for file in (project / "solutions" / "toy").iterdir():
        file.write_bytes(file.read_bytes().replace(old.encode(), new.encode()))


def test_files_that_did_not_change_are_not_written(project: Path) -> None:
    before = files(release(project))
    result = command(project)
    assert (result.exit_code, result.output) == (0, f"{release(project)}: up to date\n")
    assert files(release(project)) == before
    (release(project) / "notes.txt").write_text("mine")
    revise(project)
    assert plan(project).changed == ("test_toy.py", "expected.json")
    untouched = (release(project) / "toy.py").stat().st_mtime_ns
    assert command(project).output == (
        f"{release(project)}: written\n{source_folder(project)}: written, with solutions\n"
    )
    assert (release(project) / "toy.py").stat().st_mtime_ns == untouched
    assert (release(project) / "notes.txt").read_text() == "mine"
    assert plan(project).changed == ()


def test_a_release_has_stubs_and_nbgraders_source_folder_the_solution_in_the_notebook_only(
    built: Path,
) -> None:
    released, source = files(release(built)), files(source_folder(built))
    assert sorted(released) == sorted(source) == FILES
    stubs = released["toy.py"].decode()
    assert stubs.count('"""\n    # YOUR CODE HERE\n    raise NotImplementedError()\n') == 2
    assert "np.multiply" not in stubs
    assert [file for file in FILES if source[file] != released[file]] == ["toy.ipynb"]
    assert b"np.multiply(x, 2.0)" in source["toy.ipynb"]
    assert b"np.multiply(x, 2.0)" not in released["toy.ipynb"]


def cell_of(notebook: Path, name: str, source: str) -> None:
    """Replace the source of one cell, as JupyterLab saves it."""
    content = json.loads(notebook.read_text())
    for cell in content["cells"]:
        if cell["id"] == name:
            cell["source"] = source
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "1"}]
            cell["execution_count"] = 1
    notebook.write_text(json.dumps(content))


def test_a_notebook_that_was_only_run_is_written_again(project: Path) -> None:
    notebook = release(project) / "toy.ipynb"
    before = notebook.read_bytes()
    cell_of(notebook, "check_double", 'check("double")')
    assert notebook.read_bytes() != before
    assert command(project).exit_code == 0
    assert notebook.read_bytes() == before


def test_without_nbgrader_nothing_is_written_and_the_packages_are_named(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notebooks, "_NEEDED", ("nbgrader_is_missing",))
    revise(project)
    before = files(release(project))
    result = command(project)
    assert result.exit_code == 2
    assert "Notebooks are made with nbgrader_is_missing. In the kit's folder: " in result.output
    assert files(release(project)) == before


@pytest.mark.parametrize("name", ["toy.py", "toy.ipynb"])
def test_check_names_what_differs_and_changes_nothing(project: Path, name: str) -> None:
    shutil.rmtree(project / "course")
    file = release(project) / name
    file.write_bytes(file.read_bytes().replace(b"START = 0.5", b"START = 7"))
    before = files(release(project))
    result = command(project, "--check")
    assert result.exit_code == 1
    assert result.output == (
        f"{file} differs.\nautograder: {release(project)} is not what `autograder build` makes.\n"
    )
    assert files(release(project)) == before
    assert not (project / "course").exists()


def test_another_processors_last_digits_are_no_difference(project: Path) -> None:
    path = release(project) / "expected.json"

    def move(by: float) -> None:
        change_questions(
            release(project), lambda asked: np.add(array := asked["inputs"]["x"].data, by, array)
        )

    move(1e-7)
    assert command(project, "--check").exit_code == 0
    assert command(project).exit_code == 0
    assert (source_folder(project) / "expected.json").read_bytes() == path.read_bytes()
    move(0.01)
    assert command(project, "--check").exit_code == 1


@pytest.mark.parametrize("name", ["toy.py", "toy.ipynb"])
def test_where_somebody_has_worked_nothing_is_written_but_by_force(
    project: Path, name: str
) -> None:
    built = files(release(project))
    if name == "toy.py":
        (release(project) / name).write_text("def double(x):\n    return 2 * x\n")
    else:
        cell_of(release(project) / name, "double", "def double(x):\n    return 2 * x")
    before = files(release(project))
    words = f"{release(project)}: somebody has worked in {name}; left as it is "
    words += "(--force overwrites it).\n"
    kept = command(project, "--keep")
    assert (kept.exit_code, kept.output) == (0, words)
    revise(project)
    refused = command(project)
    assert refused.exit_code == 2
    assert refused.output == f"autograder: {words}Nothing was written.\n"
    assert files(release(project)) == before
    revise(project, *reversed(REVISED))
    assert command(project, "--force").exit_code == 0
    assert files(release(project)) == built


@pytest.mark.parametrize("damage", ["", "[]", '{"files": 5}', None])
def test_without_a_record_of_the_release_nothing_is_overwritten(
    project: Path, damage: str | None
) -> None:
    expected = release(project) / "expected.json"
    expected.unlink() if damage is None else expected.write_text(damage)
    assert plan(project).edited == ()
    revise(project)
    assert plan(project).edited == ("test_toy.py",)
    assert command(project).exit_code == 2


def mutants_file(project: Path) -> Path:
    return project / "solutions" / "toy" / MUTANTS


def mutants_of(project: Path) -> dict[str, StepMutants]:
    steps = read_mutants(load_source(mutants_file(project).parent))
    assert steps is not None
    return steps


def test_a_build_writes_the_mutants_beside_the_source(built: Path) -> None:
    steps = mutants_of(built)
    assert set(steps) == {"double", "shift"}
    assert all(step.different > 20 for step in steps.values())
    assert not (release(built) / MUTANTS).exists()
    assert not (source_folder(built) / MUTANTS).exists()


@pytest.mark.parametrize("flag", [(), ("--check",), ("--keep",)])
def test_mutants_are_searched_only_if_their_digest_differs(
    project: Path, searches: list[str], flag: tuple[str, ...]
) -> None:
    before = len(searches)
    assert command(project, *flag).exit_code == 0
    assert len(searches) == before
    revise(project)
    command(project, *flag)
    assert len(searches) == before + 1
    current = command(project, *flag)
    assert len(searches) == before + 1 + (flag == ("--check",))
    assert current.exit_code == (flag == ("--check",))


def test_a_change_of_words_searches_no_mutants(project: Path, searches: list[str]) -> None:
    before = len(searches)
    revise(project, "Is it multiplied?", "Is it doubled?")
    assert command(project).exit_code == 0
    assert len(searches) == before


@pytest.mark.parametrize("content", [None, b"{", b"[]"])
def test_mutants_that_are_missing_or_damaged_are_written_again(
    project: Path, searches: list[str], content: bytes | None
) -> None:
    file = mutants_file(project)
    before = file.read_bytes()
    file.unlink() if content is None else file.write_bytes(content)
    done = command(project, "--check")
    assert done.exit_code == 1
    assert f"{file} is older than its sources.\n" in done.stdout
    assert not file.exists() if content is None else file.read_bytes() == content
    assert command(project).exit_code == 0
    assert file.read_bytes() == before


def test_a_build_refuses_a_hole_that_is_not_declared(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = mutants_of(project)
    absolute = edit("absolute", MULTIPLY, "np.multiply(x, 2.0)", "abs(np.multiply(x, 2.0))")
    steps["double"].holes += (Hole(Mutant("double", absolute), (2,)),)
    monkeypatch.setattr(builder, "search_mutants", lambda _: steps)
    mutants_file(project).unlink()
    before = files(release(project))
    done = command(project)
    assert done.exit_code == 2
    assert done.stderr == (
        "autograder: toy/cases.py, line 8: `abs(np.multiply(x, 2.0))` in place of `np.multiply(x, 2.0)` gets all "
        'points; draw a corner against it, or say in HOLES why: {"double": {"absolute": "..."}}.\n'
    )
    assert files(release(project)) == before
    assert not mutants_file(project).exists()
    cases = project / "solutions" / "toy" / "cases.py"
    cases.write_text(cases.read_text() + 'HOLES = {"double": {"absolute": "never drawn"}}\n')
    assert command(project).exit_code == 0
    assert mutants_of(project) == steps


@pytest.mark.parametrize("survivors", range(6))
def test_a_crash_between_files_leaves_whole_files(
    project: Path, monkeypatch: pytest.MonkeyPatch, survivors: int
) -> None:
    old = files(release(project))
    revise(project, "twice x", "x twice")
    revise(project)
    revise(project, "START = 0.5", "START = 0.25")
    revise(project, "printed([1.5, 2.5]), decimals=1", "printed([1.25, 2.25]), decimals=2")
    new = plan(project)
    assert len(new.changed) == 4
    written = iter(range(survivors))

    def crashing(path: Path, data: bytes) -> None:
        if next(written, None) is None:
            raise MemoryError
        write_whole(path, data)

    with monkeypatch.context() as patch:
        patch.setattr(builder, "write_whole", crashing)
        if survivors < len(new.changed) + 1:  # and the mutants
            with pytest.raises(MemoryError):
                write_build(new)
        else:
            write_build(new)
    for name, data in files(release(project)).items():
        assert data in (old[name], new.files[name])
    assert command(project).exit_code == 0
    assert files(release(project)) == new.files


@pytest.mark.skipif(os.name != "posix", reason="files have no modes here")
@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600)])
def test_the_umask_says_who_may_read_a_file(tmp_path: Path, umask: int, mode: int) -> None:
    before = os.umask(umask)
    try:
        write_whole(tmp_path / "run.json", b"{}")
    finally:
        os.umask(before)
    assert (tmp_path / "run.json").stat().st_mode & 0o777 == mode


def test_a_misspelt_name_and_another_folder_are_wrong_usage(built: Path, tmp_path: Path) -> None:
    result = command(built, "toi")
    assert result.exit_code == 2
    assert result.output.endswith(f"'toi' in {built / 'solutions'}. Did you mean 'toy'?\n")
    result = command(tmp_path)
    assert result.exit_code == 2
    assert f"There is no folder {tmp_path / 'solutions'}. Run this in" in result.output


def test_one_broken_assignment_stops_all_before_anything_is_written(project: Path) -> None:
    shutil.rmtree(release(project))
    (project / "solutions" / "zebra").mkdir()
    (project / "solutions" / "zebra" / "zebra.py").write_text("")
    result = command(project)
    assert result.exit_code == 2
    assert "while test_zebra.py is read: FileNotFoundError" in result.output
    assert not release(project).exists()


ADD_LINE = "moved = np.add(x, START)"
ODD_LINE = 'moved = np.add(x, {"ü": START}["ü"])'  # JSON spells it in another way
SHOW = '# %% tags=["show"]\n'
ASKED = f"""\
# %% [markdown] tags=["question"] points=1
# Why twice?
#
# ### BEGIN SOLUTION
# Because twice is more than once.
# ### END SOLUTION
# === BEGIN MARK SCHEME ===
# One mark for saying so well.
# === END MARK SCHEME ===

{SHOW}"""


@pytest.mark.parametrize(
    ("changes", "file"),
    [
        ([("Return twice x.", "Say: return np.multiply(x, 2.0).")], "toy.py"),
        ([("START = 0.5", f"START = 0.5\n# {ADD_LINE}")], "toy.py"),
        ([("Look at START.", "return moved  # as it is")], "test_toy.py"),
        ([('look="Is it multiplied?"', 'look="return np.multiply(x, 2.0)"')], "expected.json"),
        ([(ADD_LINE, ODD_LINE), ('"Is it multiplied?"', f"'{ODD_LINE}'")], "expected.json"),
        ([(ADD_LINE, ODD_LINE), (SHOW, f"{SHOW}# {ODD_LINE}\n")], "toy.ipynb"),
        ([(SHOW, f"{ASKED}# Because twice is more than once.\n")], "toy.ipynb"),
        ([(SHOW, f"{ASKED}# One mark for saying so well.\n")], "toy.ipynb"),
    ],
)
def test_a_planted_leak_is_refused(
    tmp_path: Path, changes: list[tuple[str, str]], file: str
) -> None:
    write_toy(tmp_path, *changes)
    with pytest.raises(AssignmentError, match=f"stands in the released {file} too"):
        plan(tmp_path)


def test_a_question_alone_leaks_nothing(tmp_path: Path) -> None:
    write_toy(tmp_path, (SHOW, ASKED))
    assert plan(tmp_path).course


# Plans all builds and writes them as the command does, but judges no mistake: that writes nothing.
BUILDS = """
import sys
from pathlib import Path
from autograder.release.build import plan_build, write_build, write_course
for name in sys.argv[2:]:
    plan = plan_build(Path(sys.argv[1]), Path("built"), name)
    write_build(plan)
    write_course(plan, Path("course"))
"""


@pytest.mark.slow  # two processes, for all assignments: it is between processes that hashes differ
def test_builds_are_the_same_to_the_byte_in_any_process(tmp_path: Path) -> None:
    folders = []
    for seed, name in (("0", "one"), ("4242", "another folder")):
        here = tmp_path / name
        here.mkdir()
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", BUILDS, str(ROOT / "solutions"), *ASSIGNMENTS]
        subprocess.run(command, cwd=here, env=environment, check=True, capture_output=True)
        folders.append(here)
    one, other = map(files, folders)
    assert len(one) == 10 * len(ASSIGNMENTS)  # built/ and course/source/
    assert one == other
