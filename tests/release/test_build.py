from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from autograder.assignment.source import load_source
from autograder.errors import AssignmentError
from autograder.exam.mutant_search import search_mutants
from autograder.exam.mutants import MUTANTS, Hole, Mutant, StepMutants, read_mutants
from autograder.files import write_whole
from autograder.release import build as builder
from autograder.release import source_notebook as notebooks
from autograder.release.build import plan_build, write_build, write_course
from tests.command_line import Invoked, invoke
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
    """`autograder build` with these arguments."""
    folders = ("solutions", "assignments", "course")
    places = [f"--{folder}={project / folder}" for folder in folders]
    return invoke(["build", *arguments, *places])


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def release(project: Path) -> Path:
    return project / "assignments" / "toy"


def source_folder(project: Path) -> Path:
    return project / "course" / "source" / "toy"


def revise(project: Path, old: str = REVISED[0], new: str = REVISED[1]) -> None:
    """Change the toy's source."""
    for file in (project / "solutions" / "toy").iterdir():
        file.write_bytes(file.read_bytes().replace(old.encode(), new.encode()))


def test_a_release_has_the_stubs_the_checks_the_public_questions_and_a_notebook(
    built: Path,
) -> None:
    assert sorted(contents(release(built))) == FILES
    stubs = (release(built) / "toy.py").read_text()
    assert stubs.count('"""\n    # YOUR CODE HERE\n    raise NotImplementedError()\n') == 2
    assert "np.multiply" not in stubs


def test_what_is_built_is_up_to_date(project: Path) -> None:
    before = contents(release(project))
    result = command(project)
    assert (result.exit_code, result.output) == (0, f"{release(project)}: up to date\n")
    assert contents(release(project)) == before


def test_files_that_did_not_change_are_not_written(project: Path) -> None:
    revise(project)
    assert plan(project).changed == ("test_toy.py", "expected.json")
    untouched = (release(project) / "toy.py").stat().st_mtime_ns
    assert command(project).output == (
        f"{release(project)}: written\n{source_folder(project)}: written, with solutions\n"
    )
    assert (release(project) / "toy.py").stat().st_mtime_ns == untouched
    assert plan(project).changed == ()


def test_other_files_in_the_folder_stay(project: Path) -> None:
    (release(project) / "notes.txt").write_text("mine")
    revise(project)
    assert command(project).exit_code == 0
    assert (release(project) / "notes.txt").read_text() == "mine"


def test_nbgraders_source_folder_has_the_solution_in_the_notebook_only(built: Path) -> None:
    released, source = contents(release(built)), contents(source_folder(built))
    assert sorted(source) == FILES
    assert [file for file in FILES if source[file] != released[file]] == ["toy.ipynb"]
    assert b"np.multiply(x, 2.0)" in source["toy.ipynb"]
    assert b"np.multiply(x, 2.0)" not in released["toy.ipynb"]


def test_nbgraders_source_folder_gets_what_another_processor_released(project: Path) -> None:
    path = release(project) / "expected.json"
    other = json.loads(path.read_text())
    other["questions"][0]["answers"][0][0]["value"]["data"][0] *= 1 + 1e-7
    path.write_text(json.dumps(other))
    assert command(project).exit_code == 0
    assert (source_folder(project) / "expected.json").read_bytes() == path.read_bytes()


def test_check_writes_no_course(project: Path) -> None:
    shutil.rmtree(project / "course")
    assert command(project, "--check").exit_code == 0
    assert not (project / "course").exists()


def test_a_notebook_that_drifted_is_found(project: Path) -> None:
    notebook = release(project) / "toy.ipynb"
    notebook.write_text(notebook.read_text().replace("raise NotImplementedError()", "return 0"))
    result = command(project, "--check")
    assert result.exit_code == 1
    assert f"{notebook} differs." in result.output


def cell_of(notebook: Path, name: str, source: str) -> None:
    """Replace the source of one cell, as JupyterLab saves it."""
    content = json.loads(notebook.read_text())
    for cell in content["cells"]:
        if cell["id"] == name:
            cell["source"] = source
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "1"}]
            cell["execution_count"] = 1
    notebook.write_text(json.dumps(content))


def test_where_somebody_has_worked_in_the_notebook_nothing_is_written(project: Path) -> None:
    cell_of(release(project) / "toy.ipynb", "double", "def double(x):\n    return 2 * x")
    revise(project)
    before = contents(release(project))
    result = command(project)
    assert result.exit_code == 2
    assert "somebody has worked in toy.ipynb; left as it is" in result.output
    assert contents(release(project)) == before


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
    before = contents(release(project))
    result = command(project)
    assert result.exit_code == 2
    assert "Notebooks are made with nbgrader_is_missing. In the kit's folder: " in result.output
    assert contents(release(project)) == before


def test_check_names_what_differs_and_changes_nothing(project: Path) -> None:
    stub = release(project) / "toy.py"
    stub.write_bytes(stub.read_bytes().replace(b"START = 0.5", b"START = 7"))
    before = contents(release(project))
    result = command(project, "--check")
    assert result.exit_code == 1
    assert result.output == (
        f"{stub} differs.\nautograder: {release(project)} is not what `autograder build` makes.\n"
    )
    assert contents(release(project)) == before


def test_another_processors_last_digits_are_no_difference(project: Path) -> None:
    path = release(project) / "expected.json"
    other = json.loads(path.read_text())
    numbers = other["questions"][0]["answers"][0][0]["value"]["data"]
    numbers[0] *= 1 + 1e-7
    path.write_text(json.dumps(other))
    assert command(project, "--check").exit_code == 0
    numbers[0] += 0.01
    path.write_text(json.dumps(other))
    assert command(project, "--check").exit_code == 1


def test_where_somebody_has_worked_nothing_is_written(project: Path) -> None:
    (release(project) / "toy.py").write_text("def double(x):\n    return 2 * x\n")
    revise(project)
    before = contents(release(project))
    result = command(project)
    assert result.exit_code == 2
    assert result.output == (
        f"autograder: {release(project)}: somebody has worked in toy.py; left as it is "
        "(--force overwrites it).\nNothing was written.\n"
    )
    assert contents(release(project)) == before


def test_keep_leaves_that_folder_and_says_so(project: Path) -> None:
    (release(project) / "toy.py").write_text("def double(x):\n    return 2 * x\n")
    before = contents(release(project))
    result = command(project, "--keep")
    assert result.exit_code == 0
    assert result.output == (
        f"{release(project)}: somebody has worked in toy.py; left as it is (--force overwrites it).\n"
    )
    assert contents(release(project)) == before


def test_force_overwrites_it(project: Path) -> None:
    before = contents(release(project))
    (release(project) / "toy.py").write_text("def double(x):\n    return 2 * x\n")
    assert command(project, "--force").exit_code == 0
    assert contents(release(project)) == before


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
    assert all(len(step.groups) > 20 for step in steps.values())
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
    before = contents(release(project))
    done = command(project)
    assert done.exit_code == 2
    assert done.stderr == (
        "autograder: toy/cases.py, line 8: `abs(np.multiply(x, 2.0))` in place of `np.multiply(x, 2.0)` gets all "
        'points; draw a corner against it, or say in HOLES why: {"double": {"absolute": "..."}}.\n'
    )
    assert contents(release(project)) == before
    assert not mutants_file(project).exists()
    cases = project / "solutions" / "toy" / "cases.py"
    cases.write_text(cases.read_text() + 'HOLES = {"double": {"absolute": "never drawn"}}\n')
    assert command(project).exit_code == 0
    assert mutants_of(project) == steps


def test_a_source_that_changes_twice_is_built_twice(project: Path) -> None:
    revise(project, "twice x", "x twice")
    assert command(project).exit_code == 0
    revise(project, "x twice", "two x")
    assert command(project).exit_code == 0
    assert "two x" in (release(project) / "toy.py").read_text()


@pytest.mark.parametrize("survivors", range(6))
def test_a_crash_between_files_leaves_whole_files(
    project: Path, monkeypatch: pytest.MonkeyPatch, survivors: int
) -> None:
    old = contents(release(project))
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
    for name, data in contents(release(project)).items():
        assert data in (old[name], new.files[name])
    assert command(project).exit_code == 0
    assert contents(release(project)) == new.files


@pytest.mark.skipif(os.name != "posix", reason="files have no modes here")
@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600)])
def test_the_umask_says_who_may_read_a_file(tmp_path: Path, umask: int, mode: int) -> None:
    before = os.umask(umask)
    try:
        write_whole(tmp_path / "run.json", b"{}")
    finally:
        os.umask(before)
    assert (tmp_path / "run.json").stat().st_mode & 0o777 == mode


def test_a_misspelt_name_is_met_with_the_right_one(built: Path) -> None:
    result = command(built, "toi")
    assert result.exit_code == 2
    assert result.output == (
        f"autograder: There is no assignment 'toi' in {built / 'solutions'}. Did you mean 'toy'?\n"
    )


def test_a_folder_without_solutions_is_wrong_usage(tmp_path: Path) -> None:
    result = command(tmp_path)
    assert result.exit_code == 2
    assert result.output == (
        f"autograder: There is no folder {tmp_path / 'solutions'}. "
        "Run this in the project's folder, or give --solutions.\n"
    )


def test_one_broken_assignment_stops_all_before_anything_is_written(project: Path) -> None:
    shutil.rmtree(release(project))
    (project / "solutions" / "zebra").mkdir()
    (project / "solutions" / "zebra" / "zebra.py").write_text("")
    result = command(project)
    assert result.exit_code == 2
    assert "while test_zebra.py is read: FileNotFoundError" in result.output
    assert not release(project).exists()


@pytest.mark.parametrize(
    ("old", "new", "file"),
    [
        ("Return twice x.", "Say: return np.multiply(x, 2.0).", "toy.py"),
        ("START = 0.5", "START = 0.5\n# moved = np.add(x, START)", "toy.py"),
        ("Look at START.", "return moved  # as it is", "test_toy.py"),
        ('look="Is it multiplied?"', 'look="return np.multiply(x, 2.0)"', "expected.json"),
    ],
)
def test_a_planted_leak_is_refused(tmp_path: Path, old: str, new: str, file: str) -> None:
    project = tmp_path
    write_toy(project, (old, new))
    with pytest.raises(AssignmentError, match=f"stands in the released {file} too"):
        plan(project)


@pytest.mark.parametrize(
    "line", ["Because twice is more than once.", "One mark for saying so well."]
)
def test_a_planted_leak_of_a_marking_is_refused(tmp_path: Path, line: str) -> None:
    question = """\
# %% [markdown] tags=["question"] points=1
# Why twice?
#
# ### BEGIN SOLUTION
# Because twice is more than once.
# ### END SOLUTION
# === BEGIN MARK SCHEME ===
# One mark for saying so well.
# === END MARK SCHEME ===

"""
    show = '# %% tags=["show"]\n'
    project = write_toy(tmp_path / "clean", (show, question + show)).parent
    assert plan(project).course
    write_toy(tmp_path / "leak", (show, f"{question}{show}# {line}\n"))
    with pytest.raises(AssignmentError, match=r"stands in the released toy\.ipynb too"):
        plan(tmp_path / "leak")


@pytest.mark.parametrize(
    ("old", "new", "file"),
    [
        ('look="Is it multiplied?"', "look='{line}'", "expected.json"),
        ('# %% tags=["show"]\n', '# %% tags=["show"]\n# {line}\n', "toy.ipynb"),
    ],
    ids=["in ASCII", "not in ASCII"],
)
def test_a_leak_that_json_spells_in_another_way_is_refused(
    tmp_path: Path, old: str, new: str, file: str
) -> None:
    line = 'moved = np.add(x, {"ü": START}["ü"])'
    write_toy(tmp_path, ("moved = np.add(x, START)", line), (old, new.replace("{line}", line)))
    with pytest.raises(AssignmentError, match=f"stands in the released {file} too"):
        plan(tmp_path)


@functools.cache
def planned(name: str) -> Build:
    """What building an assignment of the project would write; to draw its questions takes seconds."""
    return plan_build(ROOT / "solutions", ROOT / "assignments", name)


@pytest.mark.slow  # `autograder build --check` says the same before the tests run
def test_the_committed_releases_are_what_is_built() -> None:
    for name in ASSIGNMENTS:
        plan = planned(name)
        assert plan.new_mutants is None, f"run `autograder build {name}`"
        assert plan.changed == (), f"run `autograder build {name}`"


@pytest.mark.slow  # two processes, for all assignments: it is between processes that hashes differ
def test_builds_are_the_same_to_the_byte_in_any_process(tmp_path: Path) -> None:
    folders = []
    for seed, name in (("0", "one"), ("4242", "another folder")):
        here = tmp_path / name
        here.mkdir()
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        arguments = ["--solutions", str(ROOT / "solutions"), "--assignments", "built"]
        subprocess.run(
            [sys.executable, "-m", "autograder.cli", "build", *arguments],
            cwd=here,
            env=environment,
            check=True,
            capture_output=True,
        )
        folders.append(here)
    one, other = (
        {
            path.relative_to(folder): path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file()
        }
        for folder in folders
    )
    assert len(one) == 10 * len(ASSIGNMENTS)  # built/ and course/source/
    assert one == other
