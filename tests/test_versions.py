"""The versions that are tested are those that `pyproject.toml` allows."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# Tools of developers; at the floors only what people install is held down.
TOOLS = ("dev", "lint")


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
    pairs = (line.split("==") for line in lines if line and not line.startswith("#"))
    return {plain(name): version for name, version in pairs}


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split("+", maxsplit=1)[0].split(".")))


def test_the_lowest_versions_are_tested() -> None:
    floors = pins("constraints-floors.txt")
    assert len(ranges()) > 10
    differing = {
        name: (lowest, floors[name])
        for name, lowest in ranges().items()
        if numbers(floors[name])[: len(numbers(lowest))] != numbers(lowest)
    }
    assert differing == {}, "the lowest version that is allowed, and the one that is tested"


def test_the_packages_of_the_sandbox_are_locked_by_hash() -> None:
    """Only for Linux: elsewhere pip has nothing to install, and succeeds."""
    text = (ROOT / "sandbox.lock").read_text(encoding="utf-8")
    entry = r'([\w-]+)==([\d.]+); sys_platform == "linux" \\\n    --hash=sha256:[0-9a-f]{64}\n'
    locked = dict(re.findall(entry, text))
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert len(lines) == 2 * len(locked)
    for file in ("constraints.txt", "constraints-floors.txt", "constraints-newest.txt"):
        assert locked.items() <= pins(file).items()


def test_who_grades_gets_the_sandbox_and_no_student_does() -> None:
    extras = PROJECT["optional-dependencies"]
    names = [re.match(r"[\w-]+", line)[0] for line in extras["sandbox"]]  # type: ignore[index]
    assert names == ["landlockpy"]
    assert set(extras["sandbox"]) <= set(extras["instructor"])
    others = {*PROJECT["dependencies"], *extras["notebook"]}
    assert not {line for line in others if line.startswith(tuple(names))}


@pytest.mark.parametrize("file", ["constraints.txt", "constraints-newest.txt"])
def test_other_pins_are_allowed(file: str) -> None:
    tested = pins(file)
    low = [name for name, lowest in ranges().items() if numbers(tested[name]) < numbers(lowest)]
    assert low == []
