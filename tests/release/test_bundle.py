from __future__ import annotations

import contextlib
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from autograder import __version__
from autograder.errors import GraderFault
from autograder.release import bundle
from autograder.release.build import plan_build
from autograder.release.bundle import bundle_for_student
from tests.command_line import Invoked, invoke
from tests.toy import write_toy

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
NAME = "self_attention"
FOLDER = f"{NAME}-{__version__}"
WHEEL = f"self_attention_kit-{__version__}-py3-none-any.whl"


@pytest.fixture(scope="module")
def packed(once: Callable[[str, Callable[[Path], object]], Path]) -> Path:
    """A student's bundle, made by the real command: that takes a wheel, and so pip."""

    def pack(folder: Path) -> None:
        out = folder / "new" / "kit.zip"
        result = run("bundle", "student", NAME, "--out", str(out), "--project", str(ROOT))
        words = "give this file to your students; its README says how to begin."
        assert result.output == f"{out}: {words}\n"

    return once("bundle", pack) / "new" / "kit.zip"


def run(*arguments: str) -> Invoked:
    return invoke(arguments)


def contents(archive: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(archive) as opened:
        assert opened.testzip() is None
        return {name: opened.read(name) for name in opened.namelist()}


@pytest.mark.install  # makes the kit's wheel
def test_a_bundle_holds_the_release_the_wheel_how_to_begin_and_no_solution(
    packed: Path, tmp_path: Path
) -> None:
    released = plan_build(ROOT / "solutions", ROOT / "assignments", NAME).released()
    found = contents(packed)
    assert list(found) == [
        f"{FOLDER}/README.txt",
        f"{FOLDER}/.gitignore",
        f"{FOLDER}/.vscode/settings.json",
        f"{FOLDER}/.vscode/launch.json",
        f"{FOLDER}/{WHEEL}",
        *(f"{FOLDER}/{NAME}/{file}" for file in sorted(released)),
    ]
    for file, data in released.items():
        assert found[f"{FOLDER}/{NAME}/{file}"] == data
    (tmp_path / "kit.whl").write_bytes(found[f"{FOLDER}/{WHEEL}"])
    names = contents(tmp_path / "kit.whl")
    folders = {name.split("/", 1)[0] for name in names}
    assert folders == {"autograder", f"self_attention_kit-{__version__}.dist-info"}
    sources = (path.relative_to(ROOT).as_posix() for path in (ROOT / "autograder").rglob("*.py"))
    assert {*sources} <= names.keys()


@pytest.mark.install  # makes the kit's wheel twice
def test_two_bundles_are_the_same_to_the_byte(packed: Path, tmp_path: Path) -> None:
    bundle_for_student(ROOT, NAME, tmp_path / "kit.zip")
    assert (tmp_path / "kit.zip").read_bytes() == packed.read_bytes()


def test_a_bundle_of_an_unknown_assignment_is_wrong_usage(tmp_path: Path) -> None:
    out = tmp_path / "kit.zip"
    result = run("bundle", "student", "self_atention", "--out", str(out), "--project", str(ROOT))
    assert result.exit_code == 2
    assert "Did you mean 'self_attention'?" in result.stderr
    assert not out.exists()


def test_a_bundle_of_an_assignment_of_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundle, "build_wheel", lambda _project: (WHEEL, b""))
    solutions, out = write_toy(tmp_path), tmp_path / "kit.zip"
    where = ("--out", str(out), "--project", str(ROOT), "--solutions", str(solutions))
    assert run("bundle", "student", "toy", *where).exit_code == 0
    assert f"toy-{__version__}/toy/toy.py" in contents(out)
    folder = tmp_path / "gitlab"
    where = ("--out", str(folder), *where[2:])
    assert run("bundle", "gitlab", "toy", *where).exit_code == 0
    assert (folder / "toy" / "test_toy.py").is_file()
    out = tmp_path / "gradescope.zip"
    assert run("bundle", "gradescope", "toy", "--out", str(out), *where[2:]).exit_code == 0
    assert "solutions/toy/mistakes.py" in contents(out)


@pytest.mark.slow
def test_a_folder_that_is_not_the_kits_own_is_wrong_usage(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "solutions" / NAME, tmp_path / "solutions" / NAME)
    shutil.copy(ROOT / "solutions" / "families.py", tmp_path / "solutions")
    out = tmp_path / "kit.zip"
    result = run("bundle", "student", NAME, "--out", str(out), "--project", str(tmp_path))
    assert result.exit_code == 2
    assert result.stderr == (
        f"autograder: {tmp_path} is not the kit's own folder, of which the wheel is made. "
        "Say where it is with --project.\n"
    )


@pytest.mark.install  # starts pip
def test_a_wheel_that_cannot_be_made_is_the_kits_fault(tmp_path: Path) -> None:
    (tmp_path / "autograder").mkdir()
    for file in ("pyproject.toml", "README.md", "LICENSE"):
        (tmp_path / file).write_text("[")
    with pytest.raises(GraderFault, match="The kit's wheel could not be made"):
        bundle.build_wheel(tmp_path)


def linux_lines(readme: str) -> list[str]:
    [block] = re.findall(r"^Linux\n\n((?:    .*\n)+)", readme, re.MULTILINE)
    return [line.strip() for line in block.splitlines()]


@pytest.mark.install  # an empty environment, filled as a student fills it: torch and all
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the lines are those for Linux")
def test_the_readmes_lines_lead_to_eleven_steps_that_are_not_started(
    packed: Path, tmp_path: Path
) -> None:
    with zipfile.ZipFile(packed) as opened:
        opened.extractall(tmp_path)
    here = tmp_path / FOLDER
    lines = linux_lines((here / "README.txt").read_text())
    # The index of PyTorch may be out of reach; what pip takes from elsewhere is as good here.
    torch = "python -m pip install torch --index-url https://download.pytorch.org/whl/cpu"
    assert torch in lines
    version = importlib.metadata.version("torch").partition("+")[0]
    lines[lines.index(torch)] = f"python -m pip install torch=={version}"
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        ["sh", "-c", "\n".join(lines)],
        cwd=here,
        env={**kept, "PIP_COMPILE": "0"},  # torch has thousands of modules, and few are imported
        capture_output=True,
        text=True,
        check=False,
    )
    if "No matching distribution" in done.stderr or "ConnectionError" in done.stderr:
        pytest.skip("no packages can be had here")
    assert done.stdout.splitlines()[-1].strip("= ").startswith("11 not started in ")
    there = {".gitignore", ".venv", ".vscode", "README.txt", NAME, WHEEL}
    assert {path.name for path in here.iterdir()} == there


PYTEST = ("pytest", "pluggy", "iniconfig", "packaging", "pygments", "colorama")


@pytest.fixture(scope="module")
def without_kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of packages in which pytest is and the kit is not."""
    folder = tmp_path_factory.mktemp("packages")
    for name in PYTEST:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):  # not on every system
            copy_package(name, folder)
    return folder


def copy_package(name: str, folder: Path) -> None:
    for file in importlib.metadata.files(name) or ():
        if ".." not in file.parts and file.suffix != ".pyc":
            target = folder / file
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(str(file.locate()), target)


def released_pytest(tmp_path: Path, *packages: Path) -> subprocess.CompletedProcess[str]:
    """`pytest` in the released folder, with no other packages than these."""
    folder = Path(shutil.copytree(ROOT / "assignments" / NAME, tmp_path / NAME))
    return subprocess.run(
        [sys.executable, "-S", "-m", "pytest"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, packages))},
        capture_output=True,
        text=True,
        check=False,
    )


SENTENCE = (
    "These checks need the self-attention kit, which is in the zip file that you were given: "
    "python -m pip install ./self_attention_kit-...whl, with the whole name of that file; README.txt has the "
    "line for your system (not the unrelated package called autograder)."
)


@pytest.mark.parametrize(
    "unrelated", [None, "", "from autograder.check import check\n"], ids=["none", "empty", "broken"]
)
def test_without_the_kit_the_checks_end_in_one_sentence(
    tmp_path: Path, without_kit: Path, unrelated: str | None
) -> None:
    other = tmp_path / "other"
    if unrelated is not None:
        (other / "autograder").mkdir(parents=True)
        (other / "autograder" / "__init__.py").write_text(unrelated)
    done = released_pytest(tmp_path, other, without_kit)
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (2, "")
    assert lines.count(SENTENCE) == 1
    assert [line for line in lines if "<module>" in line or line.startswith("E ")] == []
