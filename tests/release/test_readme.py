"""README.txt of a student's zip, followed word by word: no command in it fails."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import venv
import zipfile
from functools import partial
from pathlib import Path

import pytest

from autograder.release import bundle
from autograder.release.bundle import bundle_for_student
from tests.commands.released_steps import copied_release
from tests.release.test_platforms import WHEEL, _as_released
from tests.student.kernel import RIGHT, Kernel

NAME = "self_attention"


@pytest.fixture(scope="module")
def files(root: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The texts of the zip, by their paths; the wheel is empty."""
    out = tmp_path_factory.mktemp("zip") / "kit.zip"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bundle, "build_wheel", lambda _project: (WHEEL, b""))
        patch.setattr(bundle, "plan_build", _as_released)
        bundle_for_student(root, NAME, out)
    with zipfile.ZipFile(out) as opened:
        return {name.partition("/")[2]: opened.read(name).decode() for name in opened.namelist()}


def lines_of(readme: str, title: str) -> list[str]:
    """The commands in the section with this title."""
    part = re.split(r"\n\n\n", readme.partition(f"{title}\n---")[2])[0]
    return [line.strip() for line in re.findall(r"^    (.+)$", part, re.MULTILINE)]


def commands(readme: str) -> list[list[str]]:
    found = (
        re.split(r"\s{2,}", line)[0] for line in lines_of(readme, "6. What you do, everywhere")
    )
    return [command.split() for command in found]


def test_the_commands_are_those_of_pytest_and_of_the_kit(files: dict[str, str]) -> None:
    assert [command[:3] for command in commands(files["README.txt"])] == [
        ["python", "-m", module] for module in [*["pytest"] * 4, *["autograder"] * 4]
    ]


@pytest.mark.slow
def test_no_command_fails(files: dict[str, str], tmp_path: Path) -> None:
    folder = copied_release(tmp_path)
    for _, *arguments in commands(files["README.txt"]):
        with subprocess.Popen(
            [sys.executable, *arguments],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as process:
            assert process.stdout is not None
            assert process.stdin is not None
            process.stdin.close()
            lines = iter(process.stdout.readline, "")
            shown = [next(lines)]
            if "watch" in arguments:
                shown += iter(partial(next, lines), "Ctrl-C ends this.\n")
                process.send_signal(signal.SIGINT)
            shown += lines
        started = "pytest" not in arguments
        assert process.returncode == (0 if started else pytest.ExitCode.TESTS_FAILED), shown
        assert started or "not started in" in shown[-1]
        assert "Traceback" not in "".join(shown)


def test_an_editor_is_told_where_the_checks_are(files: dict[str, str]) -> None:
    settings = json.loads(files[".vscode/settings.json"])
    assert settings["python.testing.pytestEnabled"] is True
    assert settings["python.testing.cwd"] == f"${{workspaceFolder}}/{NAME}"
    [launch] = json.loads(files[".vscode/launch.json"])["configurations"]
    assert (launch["purpose"], launch["subProcess"]) == (["debug-test"], False)
    assert {".checks.json", ".hints.json", ".pytest_cache/"} <= {*files[".gitignore"].split()}


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of a new environment into which pip installs, and which has what is installed here."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True)
    paths = sysconfig.get_paths(vars={"base": str(folder), "platbase": str(folder)})
    (Path(paths["purelib"]) / "here.pth").write_text(sysconfig.get_paths()["purelib"])
    return Path(paths["scripts"]) / "python"


@pytest.mark.install  # makes the kit's wheel, and installs it
@pytest.mark.parametrize("place", ["4. In Colab", "5. In Kaggle"])
def test_in_a_kernel_in_an_empty_folder(
    root: Path, tmp_path: Path, environment: Path, place: str
) -> None:
    zipped, folder, inputs = tmp_path / "kit.zip", tmp_path / "work", tmp_path / "kaggle" / "input"
    bundle_for_student(root, NAME, zipped)
    shutil.unpack_archive(zipped, inputs)
    folder.mkdir()
    shutil.copy(zipped, folder)
    [released] = inputs.iterdir()
    book = json.loads((released / NAME / f"{NAME}.ipynb").read_text(encoding="utf-8"))
    [setup] = ("".join(cell["source"]) for cell in book["cells"] if cell["id"] == "setup")
    first = lines_of((released / "README.txt").read_text(encoding="utf-8"), place)
    assert all(line in setup for line in first)
    kernel = Kernel(folder, command=[str(environment)])
    try:
        text = "\n".join(first).replace("/kaggle/input", str(inputs))
        for cell in (text, setup, RIGHT, 'check("attention_scores")'):
            ran = kernel.run(cell)
            assert ran.error == []
    finally:
        kernel.close()
    assert "2 of 2 points" in ran.shown[0]["text/plain"]
