"""The kit as it is installed: what can be imported, and what it adds to the system."""

from __future__ import annotations

import importlib.metadata
import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import autograder

if TYPE_CHECKING:
    from pathlib import Path

DISTRIBUTION = "self-attention-kit"


def is_editable() -> bool:
    """Beside the installed distribution there may be an `egg-info` in the project's own folder."""
    found = importlib.metadata.distributions(name=DISTRIBUTION)
    about = [json.loads(one.read_text("direct_url.json") or "{}") for one in found]
    return any(one.get("dir_info", {}).get("editable") for one in about)


def isolated(program: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-I", "-c", program],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


INDEX = re.compile(r"""pip3?\s+install(?:\s+-\S+)*\s+["']?self-attention-kit""")


def test_nobody_is_led_to_a_name_in_an_index_that_a_stranger_could_take(root: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if listed.returncode:
        pytest.skip("this is no clone of the project")
    files = [root / name for name in listed.stdout.split("\0") if name]
    texts = {path: path.read_bytes().decode("utf-8", "replace") for path in files if path.is_file()}
    assert root / "README.md" in texts
    assert [path.name for path, text in texts.items() if INDEX.search(text)] == []
    assert INDEX.search("python -m pip install -q " + '"self-attention-kit[notebook]"')


HIDDEN = ("solutions", "tests", "assignments", "benchmarks", "examples", "docs", "tests.graders")
IMPORT_ALL = f"""
import importlib
for name in {HIDDEN}:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError:
        continue
    print(name)
"""


@pytest.mark.skipif(not is_editable(), reason="the kit is not installed in editable form")
def test_an_editable_install_shows_nothing_but_the_kit(root: Path) -> None:
    done = isolated(IMPORT_ALL, root)

    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_the_kit_can_be_imported_from_anywhere(root: Path, tmp_path: Path) -> None:
    done = isolated("import autograder; print(autograder.__version__)", tmp_path)

    assert done.stdout.strip() == autograder.__version__


def test_importing_the_kit_imports_no_torch(tmp_path: Path) -> None:
    program = "import sys, autograder.student.pytest_plugin; print({'torch', 'numpy'} & sys.modules.keys())"

    assert isolated(program, tmp_path).stdout.strip() == "set()"


@pytest.mark.unit
def test_the_version_is_the_distributions() -> None:
    assert importlib.metadata.version(DISTRIBUTION) == autograder.__version__


@pytest.mark.unit
@pytest.mark.parametrize(
    ("group", "name", "module"),
    [
        ("console_scripts", "autograder", "autograder.cli"),
        ("pytest11", "self_attention_kit", "autograder.student.pytest_plugin"),
    ],
)
def test_an_entry_point_leads_to_what_is_there(group: str, name: str, module: str) -> None:
    found = importlib.metadata.entry_points(group=group, name=name)

    assert [entry.module for entry in found] == [module]
    assert all(entry.load() for entry in found)


@pytest.mark.unit
def test_what_the_package_offers_is_there() -> None:
    offered = {name: getattr(autograder, name) for name in autograder.__all__}

    authors = "alternative check corner criterion documented drawn fallback mistake printed remark shared_mistake"
    assert offered.keys() == {"__version__", "Right", *authors.split()}


def test_importing_the_package_loads_none_of_it(tmp_path: Path) -> None:
    program = "import sys, autograder; print([name for name in sys.modules if name.startswith('autograder.')])"

    assert isolated(program, tmp_path).stdout.strip() == "[]"
