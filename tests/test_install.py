"""The kit as it is installed: what can be imported, with which versions, and in an image."""

from __future__ import annotations

import importlib.metadata
import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import autograder

ROOT = Path(__file__).parents[1]
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


LOOK = """
import sys, autograder
print(autograder.__version__, [name for name in sys.modules if name.startswith('autograder.')])
import autograder.student.pytest_plugin
print({'torch', 'numpy'} & sys.modules.keys())
"""


def test_importing_the_kit_from_anywhere_loads_none_of_it_and_the_plugin_no_torch(
    tmp_path: Path,
) -> None:
    done = isolated(LOOK, tmp_path)
    assert done.stdout.split("\n")[:2] == [f"{autograder.__version__} []", "set()"], done.stderr


@pytest.mark.unit
def test_an_entry_point_leads_to_what_is_there() -> None:
    assert importlib.metadata.version(DISTRIBUTION) == autograder.__version__
    for group, name, module in (
        ("console_scripts", "autograder", "autograder.cli"),
        ("pytest11", "self_attention_kit", "autograder.student.pytest_plugin"),
    ):
        [entry] = importlib.metadata.entry_points(group=group, name=name)
        assert entry.module == module
        assert entry.load()


@pytest.mark.unit
def test_what_the_package_offers_is_there() -> None:
    offered = {name: getattr(autograder, name) for name in autograder.__all__}

    authors = "alternative check corner criterion documented drawn fallback mistake printed remark shared_mistake"
    assert offered.keys() == {"__version__", "Right", *authors.split()}


# The versions that are tested are those that `pyproject.toml` allows.

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# Tools of developers; at the floors only what people install is held down.
TOOLS = ("dev", "lint")
FILES = ("constraints-floors.txt", "constraints.txt", "constraints-newest.txt")


def ranges() -> dict[str, str]:
    """The lowest version that is allowed of each package that people install, by its plain name."""
    extras = PROJECT["optional-dependencies"]
    lines = [
        *PROJECT["dependencies"],
        *(line for name in extras if name not in TOOLS for line in extras[name]),
    ]
    found = {}
    for line in lines:
        name, lowest = re.match(r"([\w.-]+)>=([\d.]+)", line).groups()  # type: ignore[union-attr]
        found[plain(name)] = lowest
    return found


def pins(file: str) -> dict[str, str]:
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    bare = (line.partition(";")[0] for line in lines if not line.startswith("#"))
    pairs = (one.strip().split("==") for one in bare if one)
    return {plain(name): version for name, version in pairs}


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split("+", maxsplit=1)[0].split(".")))


@pytest.mark.unit
def test_the_lowest_versions_are_tested_and_other_pins_are_allowed() -> None:
    floors, *others = map(pins, FILES)
    assert len(ranges()) > 10
    for name, lowest in ranges().items():
        least = numbers(lowest)
        assert numbers(floors[name])[: len(least)] == least, name
        assert all(numbers(pinned[name]) >= least for pinned in others), name


@pytest.mark.unit
def test_the_packages_of_the_sandbox_are_locked_by_hash() -> None:
    """Only for Linux: elsewhere pip has nothing to install, and succeeds."""
    text = (ROOT / "sandbox.lock").read_text(encoding="utf-8")
    entry = r'([\w-]+)==([\d.]+); sys_platform == "linux" \\\n    --hash=sha256:[0-9a-f]{64}\n'
    locked = dict(re.findall(entry, text))
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert len(lines) == 2 * len(locked)
    for file in FILES:
        assert locked.items() <= pins(file).items()


@pytest.mark.unit
def test_who_grades_gets_the_sandbox_and_no_student_does() -> None:
    extras = PROJECT["optional-dependencies"]
    names = [re.match(r"[\w-]+", line)[0] for line in extras["sandbox"]]  # type: ignore[index]
    assert names == ["landlockpy"]
    assert set(extras["sandbox"]) <= set(extras["instructor"])
    others = {*PROJECT["dependencies"], *extras["notebook"]}
    assert not {line for line in others if line.startswith(tuple(names))}


# The Dockerfile: what it copies is there, and enough to install the kit from.

LINES = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
COPIED = [name for line in LINES if line.startswith("COPY ") for name in line.split()[1:-1]]


@pytest.mark.unit
def test_the_image_has_what_is_copied_and_what_the_sandbox_uses() -> None:
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    for name in COPIED:
        assert (ROOT / name).exists(), name
        assert f"!{name}" in ignored, name
    packages = re.compile(r"apt-get install .*\bbubblewrap\b.*\blibseccomp2\b")
    assert any(map(packages.search, LINES))
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
    command = [sys.executable, "-m", "pip", "install", "--no-deps", "--target", "there", "."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "there/autograder/release/templates/requirements.txt").exists()
