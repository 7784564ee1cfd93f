"""The Dockerfile: what it copies is there, and enough to install the kit from."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LINES = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
COPIED = [name for line in LINES if line.startswith("COPY ") for name in line.split()[1:-1]]


@pytest.mark.unit
def test_everything_that_is_copied_exists_and_is_not_ignored() -> None:
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    for name in COPIED:
        assert (ROOT / name).exists(), name
        assert f"!{name}" in ignored, name


@pytest.mark.unit
def test_the_image_has_what_the_sandbox_uses() -> None:
    assert any(
        re.search(r"apt-get install .*\bbubblewrap\b.*\blibseccomp2\b", line) for line in LINES
    )
    locked, kit = [line for line in LINES if "pip install" in line]
    assert "--require-hashes -r sandbox.lock" in locked
    assert '-e ".[instructor]"' in kit


@pytest.mark.install  # with pip
def test_the_kit_can_be_installed_from_what_is_copied(tmp_path: Path) -> None:
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, tmp_path / name)
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--no-deps",
            "--target",
            str(tmp_path / "there"),
            ".",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert (
        tmp_path / "there" / "autograder" / "release" / "templates" / "requirements.txt"
    ).exists()
